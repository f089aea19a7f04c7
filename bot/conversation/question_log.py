"""Lines of the log when a question is accepted, taken over, and has ended, and its metrics. No text of anybody."""

import logging
from collections import Counter
from collections.abc import Mapping
from typing import Any

from domain import metrics
from domain.answers import Trace
from domain.conversation import AcceptedQuestion, Platform, RecordedOutcome

log = logging.getLogger(__name__)


def log_accepted(asked: AcceptedQuestion) -> None:
    """A question that was just accepted: its number stands in every line of the log from now on."""
    key = asked.key
    fields = {"event": "question_accepted", "question": asked.number, "platform": key.platform, "message": key.message}
    log.info("Question %s was accepted from %s", asked.number, key.platform, extra={"fields": fields})


def log_begun(asked: AcceptedQuestion) -> None:
    """An attempt at a question that has just begun: says so where it takes the place of one that came to no end."""
    if asked.attempt - asked.revision > 1:  # each change of the text may have begun one, too
        waited = asked.waited.total_seconds()
        fields = {
            "event": "question_taken_over",
            "question": asked.number,
            "platform": asked.place.platform,
            "attempt": asked.attempt,
            "seconds": round(waited, 3),
        }
        words = "Question %s is taken over after %.1f s: attempt %s, since the one before came to no end"
        log.info(words, asked.number, waited, asked.attempt, extra={"fields": fields})


def log_ended(asked: AcceptedQuestion, recorded: RecordedOutcome, attempt_seconds: float) -> None:
    """A question whose outcome is recorded. asked: as it was when the attempt began that ended it. attempt_seconds:
    since then."""
    platform, record = asked.place.platform, recorded.record
    seconds = asked.waited.total_seconds() + attempt_seconds
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
        "attempt_seconds": round(attempt_seconds, 3),
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


def log_abandoned(closed: Mapping[Platform, int]) -> None:
    """Questions, so many of a platform, that were closed because nobody had ended them long after their deadline."""
    words = "Questions of %s that nobody ended are closed as late, and nobody is told: %s. Is the platform served?"
    for platform, count in closed.items():
        if platform == "terminal":  # its window was closed
            continue
        metrics.QUESTIONS.labels(platform, "late").inc(count)
        fields = {"event": "questions_abandoned", "platform": platform, "questions": count}
        log.warning(words, platform, count, extra={"fields": fields})
