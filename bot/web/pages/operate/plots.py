"""Figures over days as bars, drawn on the server, each with its table. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from bot.web.administering_models import DayStats
from bot.web.pages.markup import Html, element
from bot.web.pages.operate.frame import table

HEIGHT = 40
"""Of the drawing, whose width is 100."""


@dataclass(frozen=True, slots=True)
class Series:
    """A figure of each day. value: 0 where there is none. told: what the table says instead, where what is drawn is a
    part of it."""

    name: str
    value: Callable[[DayStats], float]
    told: Callable[[DayStats], float] | None = None


def plot(title: str, days: Sequence[DayStats], series: Sequence[Series], shown: Callable[[float], str]) -> Html:
    """Bars by day, the series on top of each other, with a legend and the figures as a table. shown: a figure as it is
    written."""
    values = [[each.value(day) for each in series] for day in days]
    most = max(map(sum, values), default=0.0)
    return element(
        "figure",
        element("figcaption", title),
        _legend(series) if len(series) > 1 else None,
        element("span", f"at most {shown(most)} on a day" if most else "nothing in these days", class_="hint"),
        _drawing(values, most) if most else None,
        _axis(days[0].day, days[-1].day) if days and most else None,
        _figures(title, days, series, shown) if most else None,
        class_="plot",
    )


def _drawing(values: Sequence[Sequence[float]], most: float) -> Html:
    """Its figures stand in the table, so that it is not read out."""
    step = 100 / len(values)
    bars = []
    for place, row in enumerate(values):
        top = float(HEIGHT)
        for number, value in enumerate(row):
            height = HEIGHT * value / most
            top -= height
            if height:
                bars.append(_bar(place * step, top, step * 0.85, height, number))
    return element(
        "svg", *bars, viewBox=f"0 0 100 {HEIGHT}", preserveAspectRatio="none", aria_hidden="true", class_="days"
    )


def _bar(x: float, y: float, width: float, height: float, number: int) -> Html:
    return element(
        "rect", x=f"{x:.3f}", y=f"{y:.3f}", width=f"{width:.3f}", height=f"{height:.3f}", class_=f"s{number}"
    )


def _legend(series: Sequence[Series]) -> Html:
    rows = (
        element(
            "li",
            element(
                "svg",
                element("rect", width=10, height=10, class_=f"s{number}"),
                viewBox="0 0 10 10",
                aria_hidden="true",
            ),
            each.name,
        )
        for number, each in enumerate(series)
    )
    return element("ul", *rows, class_="legend")


def _axis(first: date, last: date) -> Html:
    return element("div", element("span", f"{first}"), element("span", f"{last}"), class_="axis", aria_hidden="true")


def _figures(
    title: str,
    days: Sequence[DayStats],
    series: Sequence[Series],
    shown: Callable[[float], str],
) -> Html:
    values = [[(each.told or each.value)(day) for each in series] for day in days]
    rows = [(f"{day.day}", *map(shown, row)) for day, row in zip(days, values, strict=True) if any(row)]
    whole = table(f"{title}, by day", ("Day (UTC)", *(each.name for each in series)), rows[::-1])
    return element("details", element("summary", f"{title} as a table"), whole)
