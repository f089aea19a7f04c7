"""Masked outcomes as Teams messages. Pure: values in, JSON bodies of activities out.

A body has no addressee: who sends it adds that. It has no mention of anybody, so that nothing in a text can call.
"""

from collections.abc import Sequence

from bot.conversation.frame import Frame
from bot.conversation.words import not_found
from bot.teams.cards import below
from bot.teams.closing import closing, questions, suggests
from bot.teams.elements import attachment, button_label
from bot.teams.entities import label
from bot.teams.escape import escaped
from bot.teams.limits import PLAIN, TEXT, Json
from bot.teams.markdown import literal, pages, streamable
from domain.answers import Answer, Declined, Failed, NotFound
from domain.masking import MaskedText
from domain.masking.shown import MaskedAnswer

__all__ = ["Frame", "activities", "card_activity", "note", "plain", "streamable", "with_question"]

_QUESTION = 400


def activities(answer: MaskedAnswer, frame: Frame) -> list[Json]:
    """An outcome as the messages that show it, at least one: first texts, then, where something is to be pressed, a
    card. Teams takes no message that is both.

    A long reply is parted between paragraphs. Only the addresses of the answer's citations and of closest documents,
    and what lies on the citations' hosts, are links.
    """
    bodies = _made(answer, frame, _texts(answer, frame))
    if suggests(answer, frame):
        bodies[-1] |= _suggested(questions(answer))
    pressed = below(answer, frame)
    return [*bodies, card_activity(pressed, "What you can do")] if pressed is not None else bodies


def plain(answer: MaskedAnswer, frame: Frame) -> list[Json]:
    """The same as shorter messages with nothing but the text, for where Teams does not take them otherwise: without
    card, thumbs and what the markers open. An answer is labelled all the same."""
    return _made(answer, frame, _texts(answer, frame, PLAIN), bare=True)


def _made(answer: MaskedAnswer, frame: Frame, texts: Sequence[str], *, bare: bool = False) -> list[Json]:
    """The messages of an outcome. Those of an answer say here, and nowhere else, that an AI has made them: with the
    label, the citations whose markers they hold, and on the first one, whose id a vote comes with, the thumbs.

    bare: with the label alone."""
    bodies = [note(text) for text in texts]
    if isinstance(answer.outcome, Answer):
        for body in bodies:
            body["entities"] = [label(answer, "" if bare else body["text"], frame.now)]
        if frame.buttons and answer.outcome.citations and not bare:
            bodies[0]["channelData"] = {"feedbackLoop": {"type": "default"}}  # with Teams' own form for the reason
    return bodies


def _suggested(questions: Sequence[str]) -> Json:
    """Questions to press, below a text in a personal chat; Teams shows none elsewhere, and none beside a card."""
    labelled = {button_label(each): each for each in reversed(questions)}
    row = [{"type": "imBack", "title": title, "value": each} for title, each in reversed(labelled.items())]
    return {"suggestedActions": {"to": [], "actions": row}} if row else {}


def note(text: str) -> Json:
    """A message of a text that is Teams' Markdown already, such as those of bot.teams.notices."""
    return {"type": "message", "textFormat": "markdown", "text": text}


def card_activity(content: Json, summary: str) -> Json:
    """A message that is a card. summary: words of ours for notifications."""
    return {"type": "message", "summary": summary, "attachments": [attachment(content)]}


def with_question(body: Json, asked: MaskedText) -> Json:
    """A message below the question that it answers, which nobody sees otherwise: 400 characters of it."""
    return {**body, "text": f"> {escaped(f'Question: {asked.text}', _QUESTION)}\n\n{body['text']}"}


def _texts(answer: MaskedAnswer, frame: Frame, most: int = TEXT) -> list[str]:
    """The reply itself and what ends it, in messages of at most so many units."""
    after = closing(answer, frame)
    match answer.outcome:
        case Answer() as outcome:
            return pages(outcome.text, [citation.url for citation in outcome.citations], most, after)
        case NotFound() as outcome:
            return literal(not_found(outcome), most, after)
        case Declined() as outcome:
            return literal(outcome.reason, most)
        case Failed() as outcome:
            return literal(f"{outcome.words}\n\nReference: Q{frame.number}", most)
