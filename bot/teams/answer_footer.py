"""What stands below a reply: a notice, the sources, what comes near, what to do next, buttons. Pure.

Teams changes a message to a text or to a card, never to both, so that all of a reply that can be read is text.
Buttons stand on a card that follows: a message of its own.
"""

from collections.abc import Iterable
from datetime import datetime

from bot.conversation.render_context import RenderContext, proposed_reindexes
from bot.conversation.texts import confidence, instead, updated
from bot.markup.text_length import units
from bot.markup.text_parts import TextPart, TextRun
from bot.teams.button_data import ButtonData
from bot.teams.card_elements import actions, address, card, document, execute_button, line, name
from bot.teams.limits import QUESTION, SUGGESTIONS, Json
from domain.answers import Answer, Citation, Declined, NearestDocument, NotFound, Trace
from domain.masked_answer import MaskedAnswer
from domain.scope_reason import ScopeReason

_NOTICE = 1_500
_NEAREST = 10
_ALONE = "Only you see this answer."


def footer(answer: MaskedAnswer, frame: RenderContext) -> list[TextPart]:
    """The paragraphs behind the reply itself; none where there is nothing to add."""
    match answer.outcome:
        case Answer() as outcome:
            pressed = has_suggestions(answer, frame) or not frame.buttons
            next_questions = [] if pressed else follow_up_questions(answer)
            cited = (_source(each, frame.now) for each in outcome.citations)
            sources = _lines("Sources", cited, f" (confidence: {confidence(outcome.confidence)})")
            questions = _lines("You could ask next", [(TextRun(each),) for each in next_questions])
            return [*_notice(outcome.notice), *sources, *questions]
        case NotFound() as outcome:
            near = (_near(each, frame.now) for each in outcome.nearest[:_NEAREST])
            shown = _lines("Closest documents (they do not answer it)", near)
            return [*shown, *_notice(outcome.notice), TextPart("text", (TextRun(instead(outcome.scope_reason)),))]
        case _:
            return []


def has_suggestions(answer: MaskedAnswer, frame: RenderContext) -> bool:
    """Whether questions are suggested to press. Teams shows suggestions in chats with one person alone; and programs
    that show a text with suggestions as it is written would show nothing of its citations."""
    uncited = isinstance(answer.outcome, Answer) and not answer.outcome.citations
    return frame.private and frame.buttons and uncited


def follow_up_questions(answer: MaskedAnswer) -> list[str]:
    """Questions that may come next. One that does not fit into a button whole would be asked otherwise: left out."""
    asked = answer.outcome.follow_ups if isinstance(answer.outcome, Answer) else ()
    follow_ups = (name(each, QUESTION + 1) for each in asked)
    return [each for each in follow_ups if each and units(each) <= QUESTION][:SUGGESTIONS]


def _source(citation: Citation, now: datetime) -> tuple[TextRun, ...]:
    where = ", ".join(name(each) for each in (citation.section, citation.place) if each)
    said = (f" — {where}" if where else "") + updated(citation.updated_at, now)
    return (TextRun(f"[{citation.n}] "), _titled(citation.title, citation.path, citation.url), TextRun(said))


def _near(nearest: NearestDocument, now: datetime) -> tuple[TextRun, ...]:
    """A document that comes near, for the reader to judge."""
    owner = f" — {name(nearest.owner)}" if nearest.owner else ""
    return (
        _titled(nearest.title, nearest.path, nearest.url),
        TextRun(f"{owner}{updated(nearest.updated_at, now)}"),
    )


def _titled(title: str, path: str, url: str) -> TextRun:
    return TextRun(document(title, path, url), url=address(url))


def _notice(notice: str) -> list[TextPart]:
    return [TextPart("text", (TextRun(name(notice, _NOTICE), ("italic",)),))] if notice.strip() else []


def _lines(heading: str, lines: Iterable[tuple[TextRun, ...]], beside: str = "") -> list[TextPart]:
    """A list below a heading; none for no lines. beside: what stands behind the heading."""
    items = [TextPart("item", line) for line in lines]
    return [TextPart("text", (TextRun(heading, ("bold",)), TextRun(beside))), *items] if items else []


def button_card(answer: MaskedAnswer, frame: RenderContext) -> Json | None:
    """The card below a reply; None where nothing is to be pressed."""
    match answer.outcome:
        case Answer(citations=cited, trace=trace) if frame.buttons:
            share = execute_button("Share in channel", ButtonData("share", frame.number))
            shown = [*_again(trace), *([line(_ALONE), *actions([share])] if cited and frame.share else [])]
        case NotFound(trace=trace, scope_reason=reason) if frame.buttons:
            shown = [*_again(trace), *_privately(reason, frame)]
        case Declined(scope_reason=reason) if frame.buttons:
            shown = _privately(reason, frame)
        case _:
            shown = []
    return card(shown) if shown else None


def _again(trace: Trace) -> list[Json]:
    """A button for each source that an administrator was told how to have read again. It starts nothing either: it
    asks whether that is meant."""
    return actions(
        execute_button("Read all again" if each == "*" else f"Read {each} again", ButtonData("again", text=each))
        for each in proposed_reindexes(trace)[:SUGGESTIONS]
    )


def _privately(reason: ScopeReason, frame: RenderContext) -> list[Json]:
    """A private answer may hold more: it is made from what its asker may read."""
    ask = [execute_button("Ask privately", ButtonData("private", frame.number))]
    return actions(ask) if reason.private_helps and not frame.private else []
