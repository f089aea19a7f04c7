"""Elements of Adaptive Cards 1.5 that all of our cards are made of. Pure.

Untrusted text stands in runs of a RichTextBlock, which no program of Teams reads as mark-up. A TextBlock is read as
Markdown, and what is escaped in it is shown differently on telephones: it holds words of our own alone.
"""

from collections.abc import Iterable, Sequence

from bot.markup.plain_text import one_line
from bot.markup.text_length import cut, cut_between_words
from bot.markup.text_parts import TextPart, TextRun
from bot.markup.urls import URL, web_url
from bot.teams.button_data import ButtonData
from bot.teams.escape import short_line, without_calls
from bot.teams.limits import BUTTON, CARD, RUN, Json, size

_SCHEMA = "http://adaptivecards.io/schemas/adaptive-card.json"
_SPACE = 256
"""Bytes of a card around its elements."""


def card(elements: Sequence[Json], *, room: int = CARD) -> Json:
    """An Adaptive Card of as many of the elements as go into `room` bytes; what is left out is hinted at."""
    shown: list[Json] = []
    left = room - _SPACE
    for place, element in enumerate(elements):
        left -= size(element) + 2
        if left < (_SPACE if place < len(elements) - 1 else 0):
            shown.append(line("…"))
            break
        shown.append(element)
    return {
        "type": "AdaptiveCard",
        "$schema": _SCHEMA,
        "version": "1.5",
        "msteams": {"width": "Full"},
        "body": shown or [line("…")],
    }


def heading(text: str) -> Json:
    """A heading of our own words."""
    return {"type": "TextBlock", "text": text, "weight": "Bolder", "size": "Medium", "wrap": True, "style": "heading"}


def line(text: str) -> Json:
    """Small print of our own words."""
    return {"type": "TextBlock", "text": text, "wrap": True, "isSubtle": True, "size": "Small"}


def run(text: str, **style: object) -> Json:
    """A text that is literal."""
    return {"type": "TextRun", "text": cut(without_calls(text), RUN) or " ", **style}


def paragraph(*runs: Json) -> Json:
    """A paragraph of runs."""
    return {"type": "RichTextBlock", "inlines": list(runs)}


def document(title: str, path: str, url: str) -> str:
    """What a document is called."""
    if address(url):
        return short_line(title or path or url)
    return f"{short_line(title or path)} ({short_line(path)})" if path and path != title else short_line(title or path)


def address(url: str) -> str:
    """An address of http or https as it may be opened; empty where it is none."""
    safe = web_url(url).translate({ord("("): "%28", ord(")"): "%29"})
    return safe if len(safe) <= URL else ""


def execute_button(title: str, data: ButtonData, style: str = "default") -> Json:
    """A button that is answered with a changed card."""
    verb = f"kb_{data.action}"
    return {"type": "Action.Execute", "title": button_label(title), "verb": verb, "data": data.payload, "style": style}


def button_label(text: str) -> str:
    """What a button says: a short text, or the words of its beginning that a telephone shows."""
    return cut_between_words(without_calls(" ".join(one_line(text).split())), BUTTON)


def actions(buttons: Iterable[Json]) -> list[Json]:
    """A row of buttons; no element for none."""
    row = list(buttons)
    return [{"type": "ActionSet", "actions": row}] if row else []


def passage(parts: Iterable[TextPart]) -> list[Json]:
    """Parts of a text as paragraphs. Nothing in them is live."""
    return [_part(part) for part in parts if part.kind == "rule" or part.text.strip()]


def _part(part: TextPart) -> Json:
    match part.kind:
        case "rule":
            return {"type": "TextBlock", "text": " ", "separator": True}
        case "code":
            block = paragraph(run(part.text, fontType="Monospace"))
            return {"type": "Container", "style": "emphasis", "items": [block]}
        case "item":
            mark = f"{part.number}. " if part.ordered else "• "
            return paragraph(run("\u2003" * min(part.indent, 8) + mark), *map(_run, part.runs))
        case "header":
            return paragraph(*(_run(each, weight="Bolder") for each in part.runs))
        case _:
            shown = paragraph(*map(_run, part.runs))
            return {"type": "Container", "style": "emphasis", "items": [shown]} if part.quoted else shown


def _run(given: TextRun, **style: object) -> Json:
    styles: dict[str, dict[str, object]] = {
        "bold": {"weight": "Bolder"},
        "italic": {"italic": True},
        "strike": {"strikethrough": True},
        "code": {"fontType": "Monospace"},
    }
    for each in given.styles:
        style |= styles[each]
    return run(given.text, **style)
