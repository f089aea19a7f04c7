"""Cards that are no answer: a passage, help, status, sources, and what has to be confirmed. Pure.

Texts that are given are untrusted; those of documents are masked by who gives them.
"""

from collections.abc import Sequence
from datetime import datetime

from botbuilder.core import CardFactory
from botbuilder.core.card_factory import ContentTypes
from botbuilder.schema import AdaptiveCardInvokeResponse
from botbuilder.schema.teams import TaskModuleContinueResponse, TaskModuleResponse, TaskModuleTaskInfo

from bot.conversation.actions import ShownPassage, SourceSummary
from bot.conversation.commands import COMMANDS
from bot.conversation.owner_questions import OwnerOffer
from bot.conversation.render_context import passage_place
from bot.conversation.texts import NO_PASSAGE, NO_SOURCES, NO_STATUS, updated
from bot.markup.inline import NO_LINKS
from bot.markup.markdown_reading import read_markdown
from bot.markup.plain_text import counted, plain
from bot.teams.button_data import ButtonData
from bot.teams.card_elements import (
    actions,
    address,
    card,
    document,
    execute_button,
    heading,
    line,
    paragraph,
    passage,
    run,
)
from bot.teams.escape import short_line
from bot.teams.limits import Json
from bot.teams.status_messages import HOW
from domain.masking import MaskedText
from domain.translation import translated

_ROWS = 40
_QUESTION = 400
_VALUE = 500
_OWNER = 2_500


def passage_card(found: ShownPassage) -> Json:
    """The passage of a document that an answer cites. Nothing in it is live; the title opens the document. What is
    longer than a card can be is cut."""
    url = address(found.url)
    action = {"type": "Action.OpenUrl", "title": translated("Open"), "url": url} if url else None
    title = document(found.title, "", found.url) or " "
    above: Json = paragraph(run(title, weight="Bolder", **({"color": "Accent"} if action else {})))
    above = {"type": "Container", "items": [above], **({"selectAction": action} if action else {})}
    where = passage_place(found, short_line)
    said = [paragraph(run(where, isSubtle=True))] if where else []
    parts = [part for block in read_markdown(plain(found.text), NO_LINKS) for part in block]
    return card([above, *said, *passage(parts)])


def unavailable_card() -> Json:
    """Stands in the place of a passage. Whether it is gone or closed to the reader stays unsaid."""
    return card([line(translated(NO_PASSAGE))])


def help_card() -> Json:
    """How to use the bot."""
    typed = (each for each in COMMANDS if each.name != "ask")  # a question needs no word before it
    words = (paragraph(run(each.usage, weight="Bolder"), run(f" — {each.does}")) for each in typed)
    return card([heading("How to ask"), *(paragraph(run(each)) for each in HOW), heading("Commands"), *words])


def sources_card(rows: Sequence[SourceSummary], now: datetime) -> Json:
    """What is indexed."""
    shown = [_source(row, now) for row in rows[:_ROWS]]
    more = [line(f"… and {len(rows) - _ROWS} more")] if len(rows) > _ROWS else []
    return card([heading("What is indexed"), *(shown or [line(NO_SOURCES)]), *more])


def _source(row: SourceSummary, now: datetime) -> Json:
    said = f" — {counted(row.documents, 'document')}{updated(row.updated_at, now)}"
    return paragraph(run(short_line(row.name), weight="Bolder"), run(said))


def status_card(facts: Sequence[tuple[str, str]]) -> Json:
    """How the service is doing. facts: a name and a value each."""
    shown = [
        paragraph(run(f"{short_line(fact)}: ", weight="Bolder"), run(short_line(value, _VALUE)))
        for fact, value in facts[:_ROWS]
    ]
    return card([heading("Status"), *(shown or [line(NO_STATUS)])])


def confirm_reindex(source: str | None) -> Json:
    """Asks an administrator to confirm that a source, or all of them (None), are read again."""
    what = [run("the source "), run(short_line(source), weight="Bolder")] if source else [run("all sources")]
    asks = paragraph(
        run("Read "), *what, run(" again? This may take a while; answers come from the present index until then.")
    )
    wanted = source or "*"
    row = [
        execute_button("Confirm", ButtonData("reindex", text=wanted), style="destructive"),
        execute_button("Cancel", ButtonData("cancel", text=wanted)),
    ]
    return card([asks, *actions(row)])


def confirm_share(number: int, question: MaskedText) -> Json:
    """Asks whether a question is to be answered again for all in its channel; shows what they will see of it.

    number: of the question in the ledger.
    """
    asks = line(translated("I ask again for everybody there, and show your question with what all of them may read."))
    row = [
        execute_button(translated("Share"), ButtonData("share_now", number)),
        execute_button(translated("Cancel"), ButtonData("cancel", number)),
    ]
    return card(
        [
            heading(translated("Share in channel?")),
            asks,
            paragraph(run(short_line(question.text, _QUESTION), italic=True)),
            *actions(row),
        ]
    )


def confirm_owner(offer: OwnerOffer) -> Json:
    """Asks whether a question is to be sent to the owner of a page; shows word for word what is sent to whom."""
    says = translated("I send this to {owner} in a direct message, once:", owner=short_line(offer.name.text))
    row = [
        execute_button(translated("Send"), ButtonData("owner_now", offer.number, text=offer.digest)),
        execute_button(translated("Cancel"), ButtonData("cancel", offer.number)),
    ]
    words = paragraph(run(short_line(offer.text.text, _OWNER), italic=True))
    return card([heading(translated("Ask the owner?")), line(says), words, *actions(row)])


def offer_owner(number: int) -> Json:
    """Offers who judged an answer badly to ask the owner of its sources. number: of the question."""
    ask = execute_button(translated("Ask the owner"), ButtonData("owner", number))
    says = translated("You can ask the owner of the nearest page. I show you first what I send.")
    return card([line(says), *actions([ask])])


def sentence_card(text: str) -> Json:
    """A sentence of ours in the place of a card that was pressed, such as what became of it."""
    return card([paragraph(run(text))])


def dialog_response(title: str, content: Json) -> Json:
    """The body of the reply to an invoke that opens a dialog. content: a card."""
    card = CardFactory.adaptive_card(content)
    shown = TaskModuleTaskInfo(title=short_line(title, 60), height="medium", width="medium", card=card)
    body: Json = TaskModuleResponse(task=TaskModuleContinueResponse(value=shown)).serialize()
    return body


def replace_card_response(content: Json) -> Json:
    """The body of the reply to an invoke `adaptiveCard/action`. content: the card that takes the place of the pressed
    one."""
    response = AdaptiveCardInvokeResponse(status_code=200, type=ContentTypes.adaptive_card, value=content)
    body: Json = response.serialize()
    return body
