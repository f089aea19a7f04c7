"""Cards that are no answer: a passage, help, status, sources, and what has to be confirmed. Pure.

Texts that are given are untrusted; those of documents are masked by who gives them.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.conversation.words import updated
from bot.markup.inline import NONE
from bot.markup.parts import Part, Run
from bot.markup.reading import blocks_of
from bot.teams.elements import (
    actions,
    attachment,
    card,
    document,
    executed,
    heading,
    line,
    name,
    opened,
    passage,
    rich,
    run,
)
from bot.teams.limits import Json
from bot.teams.notices import COMMANDS, HOW
from bot.teams.pressed import Pressed
from bot.terminal.plain import plain
from domain.masking import MaskedText

Source = tuple[str, int, datetime | None]
"""A source of the index: its name, how many documents it has, when the last one was updated."""

NOTHING = "There is nothing here that you may see."
_ROWS = 40
_QUESTION = 400
_VALUE = 500


def passage_card(
    title: str, url: str, section: str, place: str, text: str, moment: datetime | None, *, code: bool = False
) -> Json:
    """The passage of a document that an answer cites.

    moment: when the document was updated. code: whether the text is source code, which is shown as it is, rather than
    Markdown. Nothing in the passage is live; the title opens the document. What is longer than a card can be is cut.
    """
    action = opened(url)
    where = [name(each) for each in (section, place) if each] + ([f"updated {moment:%Y-%m-%d}"] if moment else [])
    above: Json = rich(run(document(title, "", url) or " ", weight="Bolder", **({"color": "Accent"} if action else {})))
    above = {"type": "Container", "items": [above], **({"selectAction": action} if action else {})}
    said = [rich(run(" · ".join(where), isSubtle=True))] if where else []
    parts = [Part("code", (Run(plain(text)),))] if code else _parts(text)
    return card([above, *said, *passage(parts)])


def _parts(text: str) -> Iterable[Part]:
    return (part for block in blocks_of(plain(text), NONE) for part in block)


def unavailable_card() -> Json:
    """Stands in the place of a passage. Whether it is gone or closed to the reader stays unsaid."""
    return card([line("This passage cannot be shown: it is gone, or you may not read it.")])


def help_card() -> Json:
    """How to use the bot."""
    words = (rich(run(word, weight="Bolder"), run(f" — {what}")) for word, what in COMMANDS)
    return card([heading("How to ask"), *(rich(run(each)) for each in HOW), heading("Commands"), *words])


def sources_card(rows: Sequence[Source], now: datetime) -> Json:
    """What is indexed."""
    shown = [_source(row, now) for row in rows[:_ROWS]]
    more = [line(f"… and {len(rows) - _ROWS} more")] if len(rows) > _ROWS else []
    return card([heading("What is indexed"), *(shown or [line(NOTHING)]), *more])


def _source(row: Source, now: datetime) -> Json:
    source, documents, moment = row
    count = f" — {documents:,} document{'' if documents == 1 else 's'}"
    return rich(run(name(source), weight="Bolder"), run(f"{count}{updated(moment, now)}"))


def status_card(facts: Sequence[tuple[str, str]]) -> Json:
    """How the service is doing. facts: a name and a value each."""
    shown = [rich(run(f"{name(fact)}: ", weight="Bolder"), run(name(value, _VALUE))) for fact, value in facts[:_ROWS]]
    return card([heading("Status"), *(shown or [line("Nothing is known.")])])


def confirm_reindex(source: str | None) -> Json:
    """Asks an administrator to confirm that a source, or all of them (None), are read again."""
    what = [run("the source "), run(name(source), weight="Bolder")] if source else [run("all sources")]
    asks = rich(
        run("Read "), *what, run(" again? This may take a while; answers come from the present index until then.")
    )
    wanted = source or "*"
    row = [
        executed("Confirm", Pressed("reindex", text=wanted), style="destructive"),
        executed("Cancel", Pressed("cancel", text=wanted)),
    ]
    return card([asks, *actions(row)])


def confirm_share(number: int, question: MaskedText) -> Json:
    """Asks whether a question is to be answered again for all in its channel; shows what they will see of it.

    number: of the question in the ledger.
    """
    asks = line("I ask again for everybody there, and show your question with what all of them may read.")
    row = [executed("Share", Pressed("share_now", number)), executed("Cancel", Pressed("cancel", number))]
    return card(
        [heading("Share in channel?"), asks, rich(run(name(question.text, _QUESTION), italic=True)), *actions(row)]
    )


def told_card(text: str) -> Json:
    """A sentence of ours in the place of a card that was pressed, such as what became of it."""
    return card([rich(run(text))])


def dialog(title: str, content: Json) -> Json:
    """The body of the reply to an invoke that opens a dialog. content: a card."""
    value = {"title": name(title, 60), "height": "medium", "width": "medium", "card": attachment(content)}
    return {"task": {"type": "continue", "value": value}}


def replaced(content: Json) -> Json:
    """The body of the reply to an invoke `adaptiveCard/action`. content: the card that takes the place of the pressed
    one."""
    return {"statusCode": 200, "type": "application/vnd.microsoft.card.adaptive", "value": content}
