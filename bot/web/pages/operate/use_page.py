"""How the service is used, over time. Pure."""

from functools import partial

from bot.web.administering_models import DayStats, Stats
from bot.web.pages.layout import Viewer
from bot.web.pages.markup import Html, element
from bot.web.pages.operate.frame import facts, operator_page, since_form
from bot.web.pages.operate.plots import Series, plot

OUTCOMES = {
    "answered": "answered",
    "partly": "answered in part",
    "not_found": "not found",
    "declined": "declined",
    "failed": "failed or late",
}


def use_page(viewer: Viewer, stats: Stats, days: int) -> str:
    """The figures of so many days."""
    return operator_page(
        "Use",
        "/operate/use",
        viewer,
        since_form("/operate/use", days),
        _sums(stats),
        element("div", *_plots(stats), class_="plots"),
    )


def _sums(stats: Stats) -> Html:
    waits = stats.wait_ms
    wait = f"{_seconds(waits.p50)} for half, {_seconds(waits.p95)} for 95 of 100" if waits.p50 is not None else None
    return facts(
        (
            ("Questions", f"{stats.questions:,}, {stats.private:,} of them in private"),
            ("People", f"{stats.people:,}"),
            ("Waiting", wait),
            ("Cost", f"{stats.requests:,} requests to a model, about {stats.tokens:,} tokens"),
            (
                "Quality",
                f"{stats.quality} on average over {stats.scored:,} answers" if stats.quality is not None else None,
            ),
            ("Feedback", f"{stats.votes.up:,} for, {stats.votes.down:,} against"),
        )
    )


def _plots(stats: Stats) -> list[Html]:
    days = stats.days
    others = Series(OUTCOMES["failed"], lambda day: sum(day.outcomes.values()) - _named(day))
    named = [Series(words, partial(_outcome, name)) for name, words in OUTCOMES.items() if name != "failed"]
    waits = [
        Series("half of the askers", lambda day: day.wait_ms.p50 or 0),
        Series(
            "95 of 100", lambda day: (day.wait_ms.p95 or 0) - (day.wait_ms.p50 or 0), lambda day: day.wait_ms.p95 or 0
        ),
    ]
    votes = [Series("for", lambda day: day.votes.up), Series("against", lambda day: day.votes.down)]
    return [
        plot("Questions by outcome", days, [*named, others], _count),
        plot("Seconds of waiting", days, waits, lambda value: f"{value / 1000:.1f} s"),
        plot("Requests to a model", days, [Series("requests", lambda day: day.requests)], _count),
        plot("Tokens", days, [Series("tokens", lambda day: day.tokens)], _count),
        plot("Values masked in questions and replies", days, [Series("values", lambda day: day.masked)], _count),
        plot("Feedback", days, votes, _count),
    ]


def _outcome(name: str, day: DayStats) -> float:
    return day.outcomes.get(name, 0)


def _named(day: DayStats) -> int:
    return sum(count for name, count in day.outcomes.items() if name in OUTCOMES and name != "failed")


def _count(value: float) -> str:
    return f"{value:,.0f}"


def _seconds(ms: int | None) -> str:
    return f"{(ms or 0) / 1000:.1f} s"
