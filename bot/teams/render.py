"""Masked outcomes as Teams messages. Pure: values in, activities out.

An activity has no addressee yet: the connector adds it. It mentions nobody, so that nothing in a text can call.
"""

from collections.abc import Sequence
from copy import copy

from botbuilder.schema import Activity, SuggestedActions

from bot.conversation.render_context import RenderContext
from bot.conversation.texts import not_found
from bot.teams.answer_footer import button_card, follow_up_questions, footer, has_suggestions
from bot.teams.card_elements import button_label
from bot.teams.citation_entity import answer_entity
from bot.teams.escape import escaped
from bot.teams.limits import PLAIN, TEXT
from bot.teams.markdown import literal, pages
from bot.teams.outgoing_activities import card_message, suggestions, text_message, with_entities
from domain.answers import Answer, Declined, Failed, NotFound
from domain.masked_answer import MaskedAnswer
from domain.masking import MaskedText

_QUESTION = 400


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
    return [*bodies, card_message(pressed, "What you can do")] if pressed is not None else bodies


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
        if frame.buttons and answer.outcome.citations and not bare:
            shown[0].channel_data = {"feedbackLoop": {"type": "default"}}  # with Teams' own form for the reason
    return shown


def _suggested(questions: Sequence[str]) -> SuggestedActions | None:
    """Questions to press, below a text in a personal chat; Teams shows none elsewhere, and none beside a card."""
    labelled = {button_label(each): each for each in reversed(questions)}  # of two with one label, the first
    return suggestions(dict(reversed(labelled.items()))) if labelled else None


def with_question(message: Activity, asked: MaskedText) -> Activity:
    """A message below the question that it answers, which nobody sees otherwise: 400 characters of it."""
    found = copy(message)
    found.text = f"> {escaped(f'Question: {asked.text}', _QUESTION)}\n\n{message.text}"
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
            return literal(f"{outcome.words}\n\nReference: Q{frame.number}", most)
