"""Outcomes as activities. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from domain.answers import Answer
from domain.masking.shown import MaskedAnswer


@dataclass(frozen=True, slots=True)
class Frame:
    """Where an answer is shown."""

    number: int
    now: datetime
    private: bool


def streamable(text: str) -> str:
    """As much of a text as can be streamed."""
    return text


def activities(answer: MaskedAnswer, frame: Frame) -> list[dict[str, Any]]:
    """The bodies of the messages that show an outcome."""
    outcome, _ = answer.outcome, frame
    text = outcome.text if isinstance(outcome, Answer) else str(outcome)
    pieces = [text[start : start + 7_500] for start in range(0, max(1, len(text)), 7_500)]
    root = {"type": "https://schema.org/Message", "@type": "Message", "@context": "https://schema.org"}
    last = {"entities": [{**root, "additionalType": ["AIGeneratedContent"]}]}
    bodies: list[dict[str, Any]] = [{"type": "message", "text": piece} for piece in pieces]
    bodies[-1] |= last
    return bodies
