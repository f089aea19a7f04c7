"""The operational metrics of a process: every one stands here, in the registry of prometheus_client.

They count and time. No label holds a text, a name of a person or an id of a document, and each label has few values.
What is asked of the database when the metrics are read is in bot.app.metrics_page.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from prometheus_client import Counter, Histogram

from domain.errors import Bug, Misconfigured, Refused, Transient

_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0)

QUESTIONS = Counter(
    "kb_questions",
    "Questions from chats that ended, by how: see kb stats.",
    ["platform", "outcome"],
)
ANSWER_SECONDS = Histogram(
    "kb_answer_seconds",
    "From when a question was accepted until its outcome was shown, with the time in the queue and earlier attempts.",
    ["platform"],
    buckets=_SECONDS,
)
STAGE_SECONDS = Histogram(
    "kb_answer_stage_seconds",
    "One visit of a stage of an answer.",
    ["stage"],
    buckets=(0.005, 0.01, 0.025, *_SECONDS),
)
TOOL_CALLS = Counter("kb_tool_calls", "Uses of a tool while answering. result: ok or error.", ["tool", "result"])
MODEL_TOKENS = Counter("kb_model_tokens", "Tokens of requests to the language model and their replies, estimated.")
OUTGOING_SECONDS = Histogram(
    "kb_outgoing_request_seconds",
    "One try of a request to another service. result: ok, transient, refused, misconfigured, error or cancelled.",
    ["service", "operation", "result"],
    buckets=_SECONDS,
)
MASKED_VALUES = Counter(
    "kb_masked_values",
    "Values that were masked, by kind. A text counts each time it is masked: when it is indexed, shown or logged.",
    ["kind"],
)
REPLY_CACHE = Counter(
    "kb_model_reply_cache_lookups", "Looks for a kept reply of the model. result: hit or miss.", ["result"]
)
FEEDBACK = Counter("kb_feedback", "Votes on replies. vote: up or down.", ["platform", "vote"])
INDEX_RUNS = Counter("kb_index_runs", "Index runs that this process ended: see kb runs.", ["kind", "state"])
INDEX_RUN_SECONDS = Histogram(
    "kb_index_run_seconds",
    "How long an index run took.",
    ["kind"],
    buckets=(1.0, 10.0, 60.0, 300.0, 900.0, 3600.0, 4 * 3600.0, 12 * 3600.0),
)


@contextmanager
def outgoing_request(service: str, operation: str) -> Iterator[None]:
    """Times what happens inside as one try of a request to another service, and notes how it ended."""
    began, result = monotonic(), "ok"
    try:
        yield
    except BaseException as error:
        result = _result_of(error)
        raise
    finally:
        OUTGOING_SECONDS.labels(service, operation, result).observe(monotonic() - began)


def _result_of(error: BaseException) -> str:
    match error:
        case Transient() | TimeoutError() | OSError():
            return "transient"
        case Refused():
            return "refused"
        case Misconfigured():
            return "misconfigured"
        case Bug() | Exception():
            return "error"
        case _:
            return "cancelled"
