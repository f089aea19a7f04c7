"""What the pages to operate share: their frame, tables, lists of facts, moments. Pure."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.web.pages.layout import Viewer, page
from bot.web.pages.markup import Child, Html, element

PLACES = {
    "/operate": "Index",
    "/operate/use": "Use",
    "/operate/gaps": "Gaps",
    "/operate/rights": "Rights",
    "/operate/graph": "Graph",
    "/operate/settings": "Settings",
}


def operator_page(title: str, here: str, viewer: Viewer, *body: Child, head: Child = None) -> str:
    """A page with the way to the others. here: its place among PLACES."""
    links = (
        element("li", element("a", name, href=path, aria_current="page" if path == here else None))
        for path, name in PLACES.items()
    )
    ways = element("nav", element("ul", *links), class_="operate", aria_label="Operate")
    return page(title, ways, element("h1", title, dir="auto"), *body, viewer=viewer, head=head)


def table(name: str, heads: Sequence[str], rows: Iterable[Sequence[Child]]) -> Html:
    """A table that scrolls by itself where it is too wide. name: for who does not see it. The first cell of a row names
    it."""
    head = element("tr", *(element("th", each, scope="col") for each in heads))
    lines = [
        element(
            "tr",
            element("th", first, scope="row", dir="auto"),
            *(element("td", each, dir="auto") for each in rest),
        )
        for first, *rest in rows
    ]
    whole = element("table", element("thead", head), element("tbody", *lines))
    return element("div", whole, class_="wide", role="region", aria_label=name, tabindex=0)


def facts(rows: Iterable[tuple[str, Child]]) -> Html:
    """Names with a value each; those without one are left out."""
    pairs = (element("div", element("dt", name), element("dd", value, dir="auto")) for name, value in rows if value)
    return element("dl", *pairs, class_="facts")


def moment(at: datetime | None) -> Html | None:
    """A moment, to the minute."""
    return element("time", f"{at:%Y-%m-%d %H:%M} UTC", datetime=at.isoformat()) if at else None


def field(label: str, name: str, value: str = "", *, hint: str = "", longest: int = 300) -> Html:
    """A line to type into."""
    return element(
        "div",
        element("label", label, for_=name),
        element(
            "input",
            id=name,
            name=name,
            value=value,
            maxlength=longest,
            required=True,
            autocomplete="off",
            dir="auto",
            aria_describedby=f"{name}-hint" if hint else None,
        ),
        element("span", hint, class_="hint", id=f"{name}-hint") if hint else None,
        class_="field",
    )


def since_form(action: str, days: int) -> Html:
    """Chooses how many days are looked back."""
    choices = (
        element("a", f"{each} days", href=f"{action}?days={each}", aria_current="true" if each == days else None)
        for each in (7, 30, 90, 366)
    )
    return element("p", "Of the last ", *(part for each in choices for part in (each, " ")), class_="since")
