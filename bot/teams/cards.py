"""The card below a reply: sources with a preview, notice, confidence, further questions, what can be done. Pure."""

from collections.abc import Sequence

from bot.conversation.frame import Frame, read_again
from bot.conversation.words import confidence, instead, updated
from bot.markup.length import units
from bot.teams.elements import (
    actions,
    asked,
    card,
    dialog_opener,
    document,
    executed,
    heading,
    line,
    name,
    opened,
    rich,
    run,
    subtle,
    toggled,
)
from bot.teams.limits import CARD, QUESTION, SUGGESTIONS, Json, size
from bot.teams.pressed import Pressed
from domain.answers import Answer, Citation, Declined, Nearest, NotFound, Trace
from domain.masking.shown import MaskedAnswer
from domain.reach import Reach

_QUOTE = 600
"""Characters of a passage that fold out without a round trip."""
_NOTICE = 1_500
_NEAREST = 10
_AROUND = 1_024
"""Bytes of a card besides its sources and what comes after them."""


def below(answer: MaskedAnswer, frame: Frame) -> Json | None:
    """The card below a reply; None where there is nothing to show there."""
    match answer.outcome:
        case Answer() as outcome:
            shown = _below_answer(outcome, frame)
        case NotFound() as outcome:
            shown = _below_nothing(outcome, frame)
        case Declined() as outcome:
            shown = _privately(outcome.reach, frame)
        case _:
            shown = []
    return card(shown) if shown else None


def questions(answer: MaskedAnswer) -> list[str]:
    """Questions that may come next. One that does not fit into a button whole would be asked otherwise: left out."""
    return _questions(answer.outcome) if isinstance(answer.outcome, Answer) else []


def _below_answer(answer: Answer, frame: Frame) -> list[Json]:
    after = _notice(answer.notice)
    if answer.citations:
        after.append(line(f"Confidence: {confidence(answer.confidence)}"))
    if frame.buttons:
        after += actions(_again(answer.trace))
    if not after:  # its questions are suggested below the text, which takes no card
        return []
    if frame.buttons:
        after += [row for each in _questions(answer) for row in actions([asked(each)])]
    if frame.buttons and frame.share and answer.citations:
        after += actions([executed("Share in channel", Pressed("share", frame.number))])
    return [*_sources(answer.citations, frame, CARD - _AROUND - size(after)), *after]


def _questions(answer: Answer) -> list[str]:
    follow_ups = (name(each, QUESTION + 1) for each in answer.follow_ups)
    return [each for each in follow_ups if each and units(each) <= QUESTION][:SUGGESTIONS]


def _sources(citations: Sequence[Citation], frame: Frame, room: int) -> list[Json]:
    """The sources, as many as go into `room` bytes; where they are many, the last ones have no preview."""
    shown: list[Json] = []
    for citation in citations:
        row = _source(citation, frame)
        if size(row) > room:
            break
        room -= size(row) + 2
        shown.append(row)
    for citation, row in zip(citations, shown, strict=False):
        opener, preview = _preview(citation, frame) if frame.buttons else ({}, {})
        if preview and size([opener, preview]) <= room:
            room -= size([opener, preview])
            row["items"][0]["columns"].append(opener)
            row["items"].append(preview)
    left = len(citations) - len(shown)
    more = [line(f"… and {left} more source{'' if left == 1 else 's'}")] if left else []
    return [heading("Sources"), *shown, *more] if citations else []


def _source(citation: Citation, frame: Frame) -> Json:
    """A source on a line; where it can be opened, the line opens it."""
    where = ", ".join(name(each) for each in (citation.section, citation.place) if each)
    said = (f" — {where}" if where else "") + updated(citation.updated_at, frame.now)
    action = opened(citation.url)
    linked = {"color": "Accent"} if action else {}
    title = document(citation.title, citation.path, citation.url)
    text = rich(run(f"[{citation.n}] ", weight="Bolder"), run(title, **linked), *subtle(said))
    column = {"type": "Column", "width": "stretch", "items": [text], **({"selectAction": action} if action else {})}
    return {"type": "Container", "items": [{"type": "ColumnSet", "columns": [column]}]}


def _preview(citation: Citation, frame: Frame) -> tuple[Json, Json]:
    """The words of a source that support the answer, which fold out; and the button for that, as a column."""
    element = f"kb_preview_{citation.n}"
    quote = [rich(run(name(citation.quote, _QUOTE), italic=True))] if citation.quote.strip() else []
    action = opened(citation.url)
    whole = dialog_opener("Whole passage", Pressed("preview", frame.number, citation.n))
    buttons = actions([whole, *([action] if action else [])])
    hidden = {
        "type": "Container",
        "id": element,
        "isVisible": False,
        "style": "emphasis",
        "items": [*quote, *buttons],
    }
    return {"type": "Column", "width": "auto", "items": actions([toggled("Preview", element)])}, hidden


def _notice(notice: str) -> list[Json]:
    return [rich(run(name(notice, _NOTICE), isSubtle=True, size="Small"))] if notice.strip() else []


def _again(trace: Trace) -> list[Json]:
    """A button for each source that an administrator was told how to have read again. It starts nothing either: it
    asks whether that is meant."""
    return [
        executed("Read all again" if each == "*" else f"Read {each} again", Pressed("again", text=each))
        for each in read_again(trace)[:SUGGESTIONS]
    ]


def _below_nothing(outcome: NotFound, frame: Frame) -> list[Json]:
    again = actions(_again(outcome.trace)) if frame.buttons else []
    return [*_near(outcome.nearest, frame), *_notice(outcome.notice), *again, *_instead(outcome, frame)]


def _near(documents: Sequence[Nearest], frame: Frame) -> list[Json]:
    """Documents that come near, for the reader to judge."""
    shown = [heading("Closest documents (they do not answer it)")] if documents else []
    for each in documents:
        action = opened(each.url)
        linked = {"color": "Accent"} if action else {}
        owner = f" — {name(each.owner)}" if each.owner else ""
        said = subtle(f"{owner}{updated(each.updated_at, frame.now)}")
        text = rich(run("• "), run(document(each.title, each.path, each.url), **linked), *said)
        element = {"type": "Container", "items": [text], **({"selectAction": action} if action else {})}
        if len(shown) <= _NEAREST and size([*shown, element]) < CARD // 2:
            shown.append(element)
    return shown


def _instead(outcome: NotFound, frame: Frame) -> list[Json]:
    """What to do where nothing was found."""
    return [line(instead(outcome.reach)), *_privately(outcome.reach, frame)]


def _privately(reach: Reach, frame: Frame) -> list[Json]:
    """A private answer may hold more: it is made from what its asker may read."""
    ask = [executed("Ask privately", Pressed("private", frame.number))]
    return actions(ask) if reach.private_helps and frame.buttons and not frame.private else []
