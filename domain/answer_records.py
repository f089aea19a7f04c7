"""What is kept of each chat answer beside the reply: how it came about and how good it is, for who operates the
service. Texts are masked, and go with the memory of the conversation."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, Literal

from domain.answers import (
    Answer,
    Declined,
    EvidenceNote,
    NotFound,
    Outcome,
    StageTime,
    ToolCall,
    Trace,
)
from domain.masked_answer import MaskedAnswer
from domain.masking import count_masks
from domain.text.encodable import storable

RecordedAs = Literal["answered", "partly", "not_found", "declined", "failed"]
"""How an answer ended. partly: a part of the question has no source in it."""

MAX_LINES, MAX_TEXT_CHARACTERS = 200, 600
"""Lines of a trace that are kept, and characters of each of its texts."""

MAX_NEAREST = 10


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """What is kept when a question is closed."""

    outcome: RecordedAs
    cause: str
    """Why it was declined, see DeclineCause; empty for other outcomes."""
    question: str
    """Masked; empty where nothing of it may be kept."""
    confidence: float
    """Of the answer, 0 to 1; 0 without one."""
    nearest: tuple[str, ...]
    """Ids of the documents that it cites, or that came nearest, best first."""
    trace: Trace
    masked: int = 0
    """How many masks stand in question and reply."""


def answer_record(answer: MaskedAnswer, question: str) -> AnswerRecord:
    """What is kept of an outcome. question: masked; it is not kept where it is refused for what it is."""
    outcome = answer.outcome
    cause = outcome.cause if isinstance(outcome, Declined) else ""
    asked = "" if isinstance(outcome, Declined) and cause in {"", "secret"} else question
    confidence = outcome.confidence if isinstance(outcome, Answer) else 0.0
    masked = count_masks(question) + (count_masks(outcome.text) if isinstance(outcome, Answer) else 0)
    return AnswerRecord(_recorded_as(outcome), cause, asked, confidence, _nearest(outcome), outcome.trace, masked)


def _recorded_as(outcome: Outcome) -> RecordedAs:
    match outcome:
        case Answer():
            return "partly" if outcome.partial else "answered"
        case NotFound():
            return "not_found"
        case Declined():
            return "declined"
        case _:
            return "failed"


def _nearest(outcome: Outcome) -> tuple[str, ...]:
    match outcome:
        case Answer():
            found = [each.document_id for each in outcome.citations]
        case NotFound():
            found = [each.document_id for each in outcome.nearest]
        case _:
            found = []
    found += [each.document_id for each in outcome.trace.evidence]
    return tuple(dict.fromkeys(filter(None, found)))[:MAX_NEAREST]


def trace_json(trace: Trace) -> dict[str, Any]:
    """A trace as JSON of a bounded size, in which every text can be stored."""
    found: dict[str, Any] = {name: _value(value) for name, value in asdict(trace).items()}
    return found | {"stages": [list(each.values()) for each in found["stages"]]}


def trace_of(kept: Mapping[str, Any]) -> Trace:
    """What `trace_json` made. What a release before this one did not keep has its default."""
    calls: Sequence[Mapping[str, Any]] = kept.get("tool_calls", ())
    evidence: Sequence[Mapping[str, Any]] = kept.get("evidence", ())
    return Trace(
        iterations=kept.get("iterations", 0),
        tool_calls=tuple(ToolCall(**each) for each in calls),
        reasoning=tuple(kept.get("reasoning", ())),
        timings_ms=kept.get("timings_ms", {}),
        model_calls=kept.get("model_calls", 0),
        tokens=kept.get("tokens", 0),
        evidence=tuple(EvidenceNote(**{**each, "tools": tuple(each["tools"])}) for each in evidence),
        stages=tuple(StageTime(*each) for each in kept.get("stages", ())),
        mode=kept.get("mode", ""),
    )


def _value(value: object) -> object:
    match value:
        case str():
            return _cut(value)
        case float():
            return _number(value)
        case None | bool() | int():
            return value
        case Mapping():
            return {storable(str(name)): _value(each) for name, each in value.items()}
        case list() | tuple():
            return [_value(each) for each in value[:MAX_LINES]]
        case _:
            return _cut(str(value))


def _number(value: float) -> float:
    return value if isfinite(value) else 0.0


def _cut(said: str) -> str:
    text = storable(said)
    return text if len(text) <= MAX_TEXT_CHARACTERS else f"{text[: MAX_TEXT_CHARACTERS - 1]}…"
