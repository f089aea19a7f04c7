"""One line of the log when a question is accepted and one when it has ended, and its metrics. No text of anybody."""

import logging
from collections import Counter
from typing import Any

from domain import metrics
from domain.answers import Trace
from domain.conversation import AcceptedQuestion, RecordedOutcome

log = logging.getLogger(__name__)


def log_accepted(asked: AcceptedQuestion) -> None:
    """A question that was just accepted: its number stands in every line of the log from now on."""
    key = asked.key
    fields = {"event": "question_accepted", "question": asked.number, "platform": key.platform, "message": key.message}
    log.info("Question %s was accepted from %s", asked.number, key.platform, extra={"fields": fields})


def log_ended(asked: AcceptedQuestion, recorded: RecordedOutcome, seconds: float) -> None:
    """A question whose outcome is recorded. seconds: from the beginning of the attempt that ended it."""
    platform, record = asked.place.platform, recorded.record
    outcome = "partly" if record is not None and record.outcome == "partly" else recorded.result
    metrics.QUESTIONS.labels(platform, outcome).inc()
    metrics.ANSWER_SECONDS.labels(platform).observe(seconds)
    fields: dict[str, Any] = {
        "event": "question_ended",
        "question": asked.number,
        "platform": platform,
        "outcome": outcome,
        "seconds": round(seconds, 3),
        "attempt": asked.attempt,
    }
    words = f"{outcome} after {seconds:.1f} s"
    if record is not None:
        _count(record.trace)
        fields |= _calls(record.trace)
        fields |= {"cause": record.cause, "confidence": round(record.confidence, 3)}
        words += (
            f" ({record.trace.iterations} iterations, {len(record.trace.tool_calls)} tool calls,"
            f" {record.trace.model_calls} model requests)"
        )
    log.info("Question %s ended: %s", asked.number, words, extra={"fields": fields})


def _calls(trace: Trace) -> dict[str, Any]:
    stages: Counter[str] = Counter()
    for each in trace.stages:
        stages[each.stage] += round(each.ms)
    return {
        "mode": trace.mode,
        "iterations": trace.iterations,
        "tools": dict(Counter(each.name for each in trace.tool_calls)),
        "model_requests": trace.model_calls,
        "tokens": trace.tokens,
        "stage_ms": dict(stages),
    }


def _count(trace: Trace) -> None:
    for each in trace.stages:
        metrics.STAGE_SECONDS.labels(each.stage).observe(each.ms / 1000)
    for call in trace.tool_calls:
        metrics.TOOL_CALLS.labels(call.name, "error" if call.error else "ok").inc()
    metrics.MODEL_TOKENS.inc(trace.tokens)
