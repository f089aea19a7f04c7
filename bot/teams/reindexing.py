"""Asks an administrator whether something is to be read again: in our chat with them, as sources' names are not for all
who read along elsewhere."""

from bot.conversation.desk import EVERYTHING, Desk
from bot.teams import notices, views
from bot.teams.activities import Spot
from bot.teams.render import card_activity, note
from bot.teams.shapes import Json
from bot.teams.speaking import Speaking, privately
from domain.errors import Refused, in_sentences
from domain.masking import Masker
from domain.text.encodable import encodable

NOT_YOURS = "Only an administrator of this bot may start indexing. Ask whoever runs it."
ELSEWHERE = "I have written to you in our chat."


async def ask_to_confirm(desk: Desk, masker: Masker, speaking: Speaking, source: str, spot: Spot) -> str:
    """Asks who is at `spot`. source: its name; empty, or `*`, for all. Gives what is to be said where they are; empty
    for nothing.

    Raises KbErrors, as the connector does: they may have no chat with us.
    """
    if not await desk.administers(spot.person):
        return NOT_YOURS
    body = await _body(desk, masker, source.strip() or EVERYTHING)
    there = await privately(speaking, spot.reference)
    await speaking.send(there.handle, body)
    return "" if spot.place.private else ELSEWHERE


async def _body(desk: Desk, masker: Masker, source: str) -> Json:
    try:
        await desk.check_source(source)
    except Refused as error:
        return note(notices.refused(masker.mask(encodable(in_sentences(error))).text))
    return card_activity(views.confirm_reindex(None if source == EVERYTHING else source), "Read again?")
