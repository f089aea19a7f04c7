"""How the service was used, in figures. Pure."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from agent.evaluation.measures import percentile
from domain.answer_ports import Usage

SHOWN = ("answered", "partly", "not_found", "declined", "failed", "late")
"""Results that somebody has waited for."""


def usage_figures(rows: Sequence[Usage]) -> dict[str, Any]:
    """Sums, means and percentiles; None where there is nothing to take them over. Waiting times are those of the
    questions that ended with something to read."""
    scores = [each.quality for each in rows if each.quality is not None]
    return {
        "questions": len(rows),
        "people": len({each.person for each in rows}),
        "private": sum(each.private for each in rows),
        "platforms": dict(sorted(Counter(each.person[0] for each in rows).items())),
        **_sums(rows),
        "quality": round(sum(scores) / len(scores), 3) if scores else None,
        "scored": len(scores),
    }


def usage_by_day(rows: Sequence[Usage], since: datetime, until: datetime) -> list[dict[str, Any]]:
    """The same for each day in UTC from `since` to `until`, oldest first, with how much was masked."""
    found: defaultdict[date, list[Usage]] = defaultdict(list)
    for each in rows:
        found[each.ended_at.astimezone(UTC).date()].append(each)
    first, last = since.astimezone(UTC).date(), until.astimezone(UTC).date()
    days = (first + timedelta(days=number) for number in range((last - first).days + 1))
    return [
        {
            "day": day,
            "questions": len(found[day]),
            **_sums(found[day]),
            "masked": sum(each.masked for each in found[day]),
        }
        for day in days
    ]


def _sums(rows: Sequence[Usage]) -> dict[str, Any]:
    waits = [each.wait_ms for each in rows if each.result in SHOWN]
    return {
        "outcomes": dict(sorted(Counter(each.result for each in rows).items())),
        "wait_ms": {
            "p50": round(percentile(waits, 0.5)) if waits else None,
            "p95": round(percentile(waits, 0.95)) if waits else None,
        },
        "requests": sum(each.requests for each in rows),
        "tokens": sum(each.tokens for each in rows),
        "votes": {"up": sum(each.up for each in rows), "down": sum(each.down for each in rows)},
    }
