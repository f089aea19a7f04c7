"""Masked outcomes as Teams messages, with what stands below a reply: a notice, the sources, what comes near, what to do
next, buttons. Pure: values in, activities out.

An activity has no addressee yet: the connector adds it. It mentions nobody, so that nothing in a text can call. Teams
changes a message to a text or to a card, never to both, so that all of a reply that can be read is text. Buttons stand
on a card that follows: a message of its own.
"""

from collections.abc import Iterable, Sequence
from copy import copy
from datetime import datetime

from botbuilder.schema import ActionTypes, Activity, CardAction, SuggestedActions

from bot.conversation.render_context import RenderContext, offers_owner, proposed_reindexes, whereabouts
from bot.conversation.texts import confidence, instead, not_found, updated
from bot.markup.text_length import units
from bot.markup.text_parts import TextPart, TextRun
from bot.teams.button_data import ButtonData
from bot.teams.card_elements import actions, address, button_label, card, document, execute_button, line
from bot.teams.citation_entity import answer_entity
from bot.teams.escape import escaped, short_line
from bot.teams.limits import PLAIN, QUESTION, SUGGESTIONS, TEXT, Json
from bot.teams.markdown import literal, pages
from bot.teams.outgoing_activities import card_message, text_message, with_entities
from domain.answers import Answer, Citation, Declined, Failed, NearestDocument, NotFound, Trace
from domain.masked_answer import MaskedAnswer
from domain.masking import MaskedText
from domain.scope_reason import ScopeReason
from domain.translation import translated

_QUESTION = 400
_NOTICE = 1_500
_NEAREST = 10
_QUOTE = 600
"""Of what is quoted of a near document."""
_ALONE = "Only you see this answer."


def messages(answer: MaskedAnswer, frame: RenderContext) -> list[Activity]:
    """An outcome as the messages that show it, at least one: first texts, then, where something is to be pressed, a
    card. Teams takes no message that is both.

    A long reply is parted between paragraphs. Only the addresses of the answer's citations and of closest documents,
    and what lies on the citations' hosts, are links.
    """
    bodies = _made(answer, frame, _texts(answer, frame))
    if has_suggestions(answer, frame):
        bodies[-1].suggested_actions = _suggested(follow_up_questions(answer))
    pressed = button_card(answer, frame)
    return [*bodies, card_message(pressed, translated("What you can do"))] if pressed is not None else bodies


def plain_messages(answer: MaskedAnswer, frame: RenderContext) -> list[Activity]:
    """The same as shorter messages with nothing but the text, for where Teams does not take them otherwise: without
    card, thumbs and what the markers open. An answer is labelled all the same."""
    return _made(answer, frame, _texts(answer, frame, PLAIN), bare=True)


def _made(answer: MaskedAnswer, frame: RenderContext, texts: Sequence[str], *, bare: bool = False) -> list[Activity]:
    """The messages of an outcome. Those of an answer say here, and nowhere else, that an AI has made them: with the
    label, the citations whose markers they hold, and on the first one, whose id a vote comes with, the thumbs.

    bare: with the label alone."""
    shown = [text_message(text) for text in texts]
    if isinstance(answer.outcome, Answer):
        shown = [with_entities(each, [answer_entity(answer, "" if bare else each.text, frame.now)]) for each in shown]
        if answer.outcome.citations and not bare:
            shown[0].channel_data = {"feedbackLoop": {"type": "default"}}  # with Teams' own form for the reason
    return shown


def _suggested(questions: Sequence[str]) -> SuggestedActions | None:
    """Questions to press, below a text in a personal chat; Teams shows none elsewhere, and none beside a card."""
    labelled = {button_label(each): each for each in reversed(questions)}  # of two with one label, the first
    row = [CardAction(type=ActionTypes.im_back, title=title, value=labelled[title]) for title in reversed(labelled)]
    return SuggestedActions(to=[], actions=row) if row else None


def with_question(message: Activity, asked: MaskedText) -> Activity:
    """A message below the question that it answers, which nobody sees otherwise: 400 characters of it."""
    found = copy(message)
    found.text = f"> {escaped(translated('Question: {text}', text=asked.text), _QUESTION)}\n\n{message.text}"
    return found


def _texts(answer: MaskedAnswer, frame: RenderContext, most: int = TEXT) -> list[str]:
    """The reply itself and what ends it, in messages of at most so many units."""
    after = footer(answer, frame)
    match answer.outcome:
        case Answer() as outcome:
            return pages(outcome.text, [citation.url for citation in outcome.citations], most, after)
        case NotFound() as outcome:
            return literal(not_found(outcome), most, after)
        case Declined() as outcome:
            return literal(outcome.reason, most)
        case Failed() as outcome:
            return literal(f"{outcome.words}\n\n{translated('Reference: Q{number}', number=frame.number)}", most)


def footer(answer: MaskedAnswer, frame: RenderContext) -> list[TextPart]:
    """The paragraphs behind the reply itself; none where there is nothing to add."""
    match answer.outcome:
        case Answer() as outcome:
            next_questions = [] if has_suggestions(answer, frame) else follow_up_questions(answer)
            cited = (_source(each, frame.now) for each in outcome.citations)
            sources = _lines(translated("Sources"), cited, f" ({_sure(outcome)})")
            questions = _lines(translated("You could ask next"), [(TextRun(each),) for each in next_questions])
            return [*_notice(outcome.notice), *sources, *questions]
        case NotFound() as outcome:
            near = (_near(each, frame.now) for each in outcome.nearest[:_NEAREST])
            shown = _lines(translated("Closest documents (they may not answer it)"), near)
            return [*shown, *_notice(outcome.notice), TextPart("text", (TextRun(instead(outcome.scope_reason)),))]
        case _:
            return []


def _sure(answer: Answer) -> str:
    return translated("confidence: {share}", share=confidence(answer.confidence))


def has_suggestions(answer: MaskedAnswer, frame: RenderContext) -> bool:
    """Whether questions are suggested to press. Teams shows suggestions in chats with one person alone; and programs
    that show a text with suggestions as it is written would show nothing of its citations."""
    return frame.private and isinstance(answer.outcome, Answer) and not answer.outcome.citations


def follow_up_questions(answer: MaskedAnswer) -> list[str]:
    """Questions that may come next. One that does not fit into a button whole would be asked otherwise: left out."""
    asked = answer.outcome.follow_ups if isinstance(answer.outcome, Answer) else ()
    follow_ups = (short_line(each, QUESTION + 1) for each in asked)
    return [each for each in follow_ups if each and units(each) <= QUESTION][:SUGGESTIONS]


def _source(citation: Citation, now: datetime) -> tuple[TextRun, ...]:
    title = _titled(citation.title, citation.path, citation.url)
    return (TextRun(f"[{citation.n}] "), title, TextRun(whereabouts(citation, now, short_line)))


def _near(nearest: NearestDocument, now: datetime) -> tuple[TextRun, ...]:
    owner = f" — {short_line(nearest.owner)}" if nearest.owner else ""
    return (
        _titled(nearest.title, nearest.path, nearest.url),
        TextRun(f"{owner}{updated(nearest.updated_at, now)}"),
        TextRun("".join(f" “{short_line(quote.words, _QUOTE)}”" for quote in nearest.quotes)),
    )


def _titled(title: str, path: str, url: str) -> TextRun:
    return TextRun(document(title, path, url), url=address(url))


def _notice(notice: str) -> list[TextPart]:
    return [TextPart("text", (TextRun(short_line(notice, _NOTICE), ("italic",)),))] if notice.strip() else []


def _lines(heading: str, lines: Iterable[tuple[TextRun, ...]], beside: str = "") -> list[TextPart]:
    """A list below a heading; none for no lines. beside: what stands behind the heading."""
    items = [TextPart("item", line) for line in lines]
    return [TextPart("text", (TextRun(heading, ("bold",)), TextRun(beside))), *items] if items else []


def button_card(answer: MaskedAnswer, frame: RenderContext) -> Json | None:
    """The card below a reply; None where nothing is to be pressed."""
    match answer.outcome:
        case Answer(citations=cited, trace=trace):
            share = execute_button(translated("Share in channel"), ButtonData("share", frame.number))
            shown = [*_again(trace), *([line(translated(_ALONE)), *actions([share])] if cited and frame.share else [])]
        case NotFound(trace=trace, scope_reason=reason):
            shown = [*_again(trace), *_privately(reason, frame), *_owner(answer.outcome, frame)]
        case Declined(scope_reason=reason):
            shown = _privately(reason, frame)
        case _:
            shown = []
    return card(shown) if shown else None


def _again(trace: Trace) -> list[Json]:
    proposed = proposed_reindexes(trace)[:SUGGESTIONS]
    return actions(execute_button(label, ButtonData("again", text=source)) for label, source in proposed)


def _owner(outcome: NotFound, frame: RenderContext) -> list[Json]:
    ask = [execute_button(translated("Ask the owner"), ButtonData("owner", frame.number))]
    return actions(ask) if offers_owner(outcome, frame) else []


def _privately(reason: ScopeReason, frame: RenderContext) -> list[Json]:
    """A private answer may hold more: it is made from what its asker may read."""
    ask = [execute_button(translated("Ask privately"), ButtonData("private", frame.number))]
    return actions(ask) if reason.private_helps and not frame.private else []
