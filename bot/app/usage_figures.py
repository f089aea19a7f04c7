"""How the service was used, in figures. Pure."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from agent.evaluation.measures import percentile
from domain.answer_ports import Usage

SHOWN = ("answered", "partly", "not_found", "declined", "failed", "late")
"""Results that somebody has waited for."""


def usage_figures(rows: Sequence[Usage]) -> dict[str, Any]:
    """Sums, means and percentiles; None where there is nothing to take them over. Waiting times are those of the
    questions that ended with something to read."""
    waits = [each.wait_ms for each in rows if each.result in SHOWN]
    scores = [each.quality for each in rows if each.quality is not None]
    return {
        "questions": len(rows),
        "people": len({each.person for each in rows}),
        "private": sum(each.private for each in rows),
        "platforms": dict(sorted(Counter(each.person[0] for each in rows).items())),
        "outcomes": dict(sorted(Counter(each.result for each in rows).items())),
        "wait_ms": {
            "p50": round(percentile(waits, 0.5)) if waits else None,
            "p95": round(percentile(waits, 0.95)) if waits else None,
        },
        "requests": sum(each.requests for each in rows),
        "tokens": sum(each.tokens for each in rows),
        "quality": round(sum(scores) / len(scores), 3) if scores else None,
        "scored": len(scores),
        "votes": {"up": sum(each.up for each in rows), "down": sum(each.down for each in rows)},
    }
