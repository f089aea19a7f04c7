"""Masked outcomes as Teams messages. Pure: values in, JSON bodies of activities out.

A body has no addressee: who sends it adds that. It has no mention of anybody, so that nothing in a text can call.
"""

from bot.conversation.frame import Frame
from bot.conversation.words import not_found
from bot.teams.cards import below, questions
from bot.teams.elements import attachment
from bot.teams.entities import label
from bot.teams.escape import escaped
from bot.teams.limits import PLAIN, SUGGESTIONS, TEXT, Json
from bot.teams.markdown import literal, pages, streamable
from domain.answers import Answer, Declined, Failed, NotFound, Outcome
from domain.masking import MaskedText
from domain.masking.shown import MaskedAnswer

__all__ = ["Frame", "activities", "card_activity", "note", "plain", "streamable", "with_question"]

_QUESTION = 400


def activities(answer: MaskedAnswer, frame: Frame) -> list[Json]:
    """An outcome as the messages that show it, at least one.

    A long reply is parted between paragraphs. Each part of an answer has the label of what an AI has made and the
    citations whose markers it holds; the last one also has the card and the thumbs. Only the addresses of the answer's
    citations, and what lies on their hosts, are links.
    """
    bodies = [note(text) for text in _texts(answer.outcome, frame)]
    if isinstance(answer.outcome, Answer):
        for body in bodies:
            body["entities"] = [label(answer, body["text"], frame.now)]
    _end(bodies[-1], answer, frame)
    return bodies


def plain(answer: MaskedAnswer, frame: Frame) -> list[Json]:
    """The same as shorter messages with nothing but the text, for where Teams does not take them otherwise: without
    card, thumbs and what the markers open. An answer is labelled all the same."""
    bodies = [note(text) for text in _texts(answer.outcome, frame, PLAIN)]
    if isinstance(answer.outcome, Answer):
        for body in bodies:
            body["entities"] = [label(answer, "", frame.now)]
    return bodies


def note(text: str) -> Json:
    """A message of a text that is Teams' Markdown already, such as those of bot.teams.notices."""
    return {"type": "message", "textFormat": "markdown", "text": text}


def card_activity(content: Json, summary: str) -> Json:
    """A message that is a card. summary: words of ours for notifications."""
    return {"type": "message", "summary": summary, "attachments": [attachment(content)]}


def with_question(body: Json, asked: MaskedText) -> Json:
    """A message below the question that it answers, which nobody sees otherwise: 400 characters of it."""
    return {**body, "text": f"> {escaped(f'Question: {asked.text}', _QUESTION)}\n\n{body['text']}"}


def _texts(outcome: Outcome, frame: Frame, most: int = TEXT) -> list[str]:
    """The reply itself, in messages of at most so many units."""
    match outcome:
        case Answer():
            return pages(outcome.text, [citation.url for citation in outcome.citations], most)
        case NotFound():
            return literal(not_found(outcome), most)
        case Declined():
            return literal(outcome.reason, most)
        case Failed():
            return literal(f"{outcome.words}\n\nReference: Q{frame.number}", most)


def _end(body: Json, answer: MaskedAnswer, frame: Frame) -> None:
    """Adds what ends a reply. Teams shows no suggested actions beside a card; there, questions are buttons of it."""
    card = below(answer, frame)
    if card is not None:
        body["attachments"] = [attachment(card)]
    elif frame.buttons and (offered := questions(answer)):
        row = [{"type": "imBack", "title": each, "value": each} for each in offered[:SUGGESTIONS]]
        body["suggestedActions"] = {"to": [], "actions": row}
    if frame.buttons and isinstance(answer.outcome, Answer) and answer.outcome.citations:
        # thumbs, and Teams' own form for the reason
        body["channelData"] = {"feedbackLoop": {"type": "default"}}
