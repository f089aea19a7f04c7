"""Modals, the Home tab, and the replies to commands. Pure: values in, Block Kit out. Everything given is untrusted."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import accumulate

from bot.conversation.actions import ShownPassage, SourceSummary
from bot.conversation.commands import COMMANDS, CommandName
from bot.conversation.owner_questions import OwnerOffer
from bot.conversation.render_context import passage_place
from bot.conversation.texts import NO_PASSAGE, NO_SOURCES, NO_STATUS, age, updated
from bot.markup.plain_text import counted
from bot.markup.text_length import head
from bot.slack.block_kit import SlackMessage, button, button_row, context, document, name, section
from bot.slack.limits import MODAL_TITLE, VIEW_BLOCKS, SlackBlock, json_length
from bot.slack.markdown import markdown_blocks
from bot.slack.mrkdwn import escaped, plain_text
from bot.slack.render import fits
from domain.conversation import Participant, RememberedQuestion
from domain.masking import MaskedText
from domain.translation import translated

_ABOVE = 4
"""Blocks of a view that stand before and after what is listed or quoted."""
_PASSAGE_COST = 60_000
"""JSON of a passage. Slack takes views of 250 kB, and characters may take three bytes each."""
_QUESTION = 200
_REASON = 500
_ROWS = 40
_ORDER: tuple[CommandName, ...] = ("ask", "share", "feedback", "sources", "status", "reindex", "forget", "help")
"""Of the commands in help: what is asked most comes first."""
_OTHER_WORDS: Mapping[CommandName, str] = {
    "share": "an answer for everybody in the channel",
    "sources": "what is indexed",
    "status": "how it is doing",
}
"""What help says of a command in other words than bot.conversation.commands."""
_HOW = (
    "*Ask* by mentioning me in a channel, in a direct message, or with `{command}` and a question.",
    "*Answers* come from your company's documents, with numbered sources. What you may not read is not used.",
    "*Go on* in the same thread: follow-up questions need no mention where I am allowed to read along.",
    "*Judge* answers with the buttons below them: that is how they get better.",
)


def passage_view(found: ShownPassage) -> SlackBlock:
    """A modal with the passage of a document that an answer cites.

    The document's title is in the body: that of a modal takes 24 characters. What is longer than a view can be is cut,
    and says so.
    """
    where = passage_place(found, name)
    above = [section(f"*{document(found.title, found.url, '')}*"), *([context(where)] if where else [])]
    # the document's own address may be live in it; no marker is spelled [-1]
    passage = markdown_blocks(found.text, {-1: found.url})
    costs = enumerate(accumulate(map(json_length, passage)))
    shown = passage[: sum(1 for place, total in costs if place < VIEW_BLOCKS - _ABOVE and total <= _PASSAGE_COST)]
    end = [context(translated("The passage goes on in the document."))] if len(passage) > len(shown) else []
    return _modal(translated("Source"), [*above, {"type": "divider"}, *shown, *end])


def loading_view() -> SlackBlock:
    """A modal that is opened at once, for Slack waits three seconds at most; the passage follows."""
    return _modal(translated("Source"), [section(f":hourglass_flowing_sand: {translated('Loading…')}")])


def unavailable_view() -> SlackBlock:
    """A modal in the place of a passage. Whether it is gone or closed to the reader stays unsaid."""
    return _modal(translated("Source"), [section(translated(NO_PASSAGE))])


def reason_view(number: int) -> SlackBlock:
    """A modal that asks for the reason of a judgement; nothing has to be written. number: of the question."""
    field = {
        "type": "input",
        "block_id": "kb_reason",
        "optional": True,
        "label": plain_text(translated("What was wrong, or missing?"), 2_000),
        "element": {
            "type": "plain_text_input",
            "action_id": "kb_reason",
            "multiline": True,
            "max_length": _REASON,
        },
    }
    return {
        **_modal(translated("Feedback"), [field]),
        "callback_id": "kb_reason",
        "private_metadata": str(number),
        "submit": plain_text(translated("Send"), MODAL_TITLE),
    }


def owner_view(offer: OwnerOffer, person: Participant) -> SlackBlock:
    """A modal that shows what is sent to whom, and asks whether that is meant."""
    says = translated("I send this to {owner} in a direct message, once:", owner=_mention(offer.owner))
    return {
        **_modal(translated("Ask the owner?"), [section(says), section(f">{owner_message(offer.text, person)}")]),
        "callback_id": "kb_owner",
        "private_metadata": f"{offer.number}:{offer.digest}",
        "submit": plain_text(translated("Send"), MODAL_TITLE),
    }


def owner_offer(number: int) -> SlackMessage:
    """Offers who judged an answer badly to ask the owner of its sources. number: of the question."""
    words = translated("You can ask the owner of the nearest page. I show you first what I send.")
    ask = button(translated("Ask the owner"), "kb_owner", str(number))
    return SlackMessage(words, (section(words), *button_row([ask])))


def owner_message(words: MaskedText, asker: Participant) -> str:
    """What the owner of a document is told, in mrkdwn on one line; nothing is live but the mention of who asks."""
    return f"{name(words.text, 2_500)} {_mention(asker)}"


def owner_told(words: str) -> SlackBlock:
    """A modal that says what became of it."""
    return _modal(translated("Ask the owner?"), [section(escaped(words, 1_000))])


def owner_sent(offer: OwnerOffer) -> SlackBlock:
    """A modal that says to whom it was sent."""
    says = translated("Sent to {owner}.", owner=_mention(offer.owner))
    return _modal(translated("Ask the owner?"), [section(says)])


def home_view(
    index: Iterable[SourceSummary],
    recent: Iterable[RememberedQuestion],
    now: datetime,
    admin: bool,
    command: str = "/kb",
) -> SlackBlock:
    """The Home tab of one person: how to ask, how fresh the index is, what that person asked last.

    admin: whether that person may have the index read again. command: as it is called in this workspace.
    """
    half = (VIEW_BLOCKS - 12) // 2
    blocks = [_header("How to ask"), *(section(line.format(command=name(command))) for line in _HOW)]
    blocks += [_header("What I know"), *_listed([_source(each, now) for each in index], half, NO_SOURCES)]
    if admin:
        again = f"`{name(command)} reindex`"
        blocks.append(context(f"You may have the index read again: {again}, or {again} and a source."))
    asked = [f"{escaped(each.question, _QUESTION)} · {age(each.asked_at, now)}" for each in recent]
    blocks += [_header("Your last questions"), *_listed(asked, half, "None so far.")]
    return {"type": "home", "blocks": blocks}


def help_message(command: str = "/kb") -> SlackMessage:
    """How to use the bot. command: as it is called in this workspace."""
    lines = [line.format(command=name(command)) for line in _HOW]
    shown = sorted(COMMANDS, key=lambda each: _ORDER.index(each.name))
    listed = [f"• `{name(command)} {each.usage}` — {_OTHER_WORDS.get(each.name, each.does)}" for each in shown]
    return _message([section("\n".join(lines)), section("\n".join(listed))], f"How to ask: {name(command)} QUESTION")


def sources_message(rows: Sequence[SourceSummary], now: datetime) -> SlackMessage:
    """What is indexed."""
    listed = _listed([_source(row, now) for row in rows], _ROWS, NO_SOURCES)
    return _message([section("*What is indexed*"), *listed], f"What is indexed: {len(rows)} sources")


def status_message(facts: Sequence[tuple[str, str]]) -> SlackMessage:
    """How the service is doing. facts: a name and a value each."""
    listed = _listed([f"*{name(fact)}:* {name(value, 500)}" for fact, value in facts], _ROWS, NO_STATUS)
    return _message([section("*Status*"), *listed], "; ".join(f"{name(f, 50)}: {name(v, 50)}" for f, v in facts[:20]))


def confirm_reindex(source: str | None) -> SlackMessage:
    """Asks an administrator to confirm that a source, or all of them (None), are read again."""
    what = f"the source *{name(source)}*" if source else "*all sources*"
    asked = f"Read {what} again? This may take a while; answers come from the present index until then."
    row = [
        button("Confirm", "kb_reindex", source or "*", style="danger"),
        button("Cancel", "kb_cancel", head(source or "*", 100)),
    ]
    return _message([section(asked), *button_row(row)], asked)


def _message(blocks: list[SlackBlock], text: str) -> SlackMessage:
    """A message of as many of the blocks as it can hold."""
    shown = list(blocks)
    while not fits(shown):
        shown = [*shown[:-2], context("…")]
    return SlackMessage(text or "…", tuple(shown))


def _modal(title: str, blocks: list[SlackBlock]) -> SlackBlock:
    return {
        "type": "modal",
        "title": plain_text(title, MODAL_TITLE),
        "close": plain_text(translated("Close"), MODAL_TITLE),
        "blocks": blocks,
    }


def _mention(person: Participant) -> str:
    """A person as Slack shows them; in a view, nobody is notified."""
    return f"<@{escaped(person.id, 50)}>"


def _header(text: str) -> SlackBlock:
    return {"type": "header", "text": plain_text(text, 150)}


def _listed(lines: Sequence[str], most: int, none: str) -> list[SlackBlock]:
    """The lines as a block each, at most so many; what is left out is counted."""
    left = len(lines) - most
    more = [context(f"… and {left} more")] if left > 0 else []
    return [*(section(line) for line in lines[:most]), *more] or [section(none)]


def _source(row: SourceSummary, now: datetime) -> str:
    return f"*{name(row.name)}* — {counted(row.documents, 'document')}{updated(row.updated_at, now)}"
