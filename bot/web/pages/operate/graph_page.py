"""The knowledge graph around a thing, to walk through. Pure."""

from collections.abc import Sequence
from urllib.parse import urlencode

from bot.markup.plain_text import counted
from bot.markup.urls import web_url
from bot.web.operating_models import NeighbourCard, ThingCard
from bot.web.pages.layout import Viewer
from bot.web.pages.markup import Child, Html, element
from bot.web.pages.operate.frame import field, operator_page


def graph_page(viewer: Viewer, name: str, things: Sequence[ThingCard]) -> str:
    """The things that a name stands for, as this administrator may see them; with an empty name, where it is typed."""
    nothing = element("p", "The graph has nothing of that name that you may see.", role="status")
    return operator_page(
        "Graph",
        "/operate/graph",
        viewer,
        element(
            "form",
            field("A name, a title, a key or an address", "name", name, longest=500),
            element("button", "Show"),
            method="get",
            action="/operate/graph",
            class_="row asking",
        ),
        *(map(_thing, things) if things else [nothing if name else None]),
    )


def _thing(thing: ThingCard) -> Html:
    inward = [each for each in thing.neighbours if not each.leads_to]
    outward = [each for each in thing.neighbours if each.leads_to]
    about = f"{thing.kind}; {counted(thing.documents, 'document')} that you may read"
    more = None if thing.complete else element("p", "Only the surest relations are shown.", class_="hint")
    return element(
        "section",
        element("h2", thing.name, dir="auto"),
        element("p", about, class_="hint"),
        element(
            "div",
            _side("Leads here", "in", inward),
            element("p", thing.name, class_="middle", dir="auto", aria_hidden="true"),
            _side("Leads to", "out", outward),
            class_="around",
        ),
        more,
    )


def _side(title: str, direction: str, neighbours: Sequence[NeighbourCard]) -> Html:
    rows = (_neighbour(each) for each in sorted(neighbours, key=lambda each: (each.predicate, each.name, each.key)))
    body = element("ul", *rows) if neighbours else element("p", "nothing", class_="hint")
    return element("div", element("h3", title), body, class_=direction)


def _neighbour(each: NeighbourCard) -> Html:
    way = element("a", each.name, href=f"/operate/graph?{urlencode({'name': each.key})}", dir="auto")
    times = f", {each.passages} passages" if each.passages > 1 else ""
    return element(
        "li",
        element("span", each.predicate, class_="predicate", dir="auto"),
        " ",
        way,
        element("span", f" {each.kind}, {each.confidence:.0%} sure{times}; ", *_shown_by(each), class_="hint"),
    )


def _shown_by(each: NeighbourCard) -> list[Child]:
    url, title = web_url(each.url), each.title or each.source
    said = element("bdi", title)
    return ["by ", element("a", said, href=url, rel="noopener noreferrer nofollow", target="_blank") if url else said]
