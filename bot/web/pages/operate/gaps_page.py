"""What has no whole answer. Pure."""

from bot.markup.plain_text import counted
from bot.markup.urls import web_url
from bot.web.administering_models import GapBody, GapDocument, Gaps
from bot.web.pages.layout import Viewer
from bot.web.pages.markup import Child, Html, element
from bot.web.pages.operate.frame import moment, operator_page, since_form


def gaps_page(viewer: Viewer, gaps: Gaps, days: int) -> str:
    """The largest gaps of so many days. What they name, this administrator may read."""
    found = counted(gaps.questions, "question")
    return operator_page(
        "Gaps",
        "/operate/gaps",
        viewer,
        since_form("/operate/gaps", days),
        element(
            "p", f"{found} without a whole answer, or with more votes against the answer than for it.", class_="hint"
        ),
        element("ol", *map(_gap, gaps.gaps), class_="cards") if gaps.gaps else element("p", "There is none."),
    )


def _gap(gap: GapBody) -> Html:
    counts = ((gap.unanswered, "unanswered"), (gap.partly, "answered in part"), (gap.badly_rated, "badly rated"))
    said = ", ".join(f"{count} {words}" for count, words in counts if count)
    private = f"; {gap.private} in private" if gap.private else ""
    return element(
        "li",
        element("h2", gap.example, dir="auto"),
        element("p", f"{said}{private}; last asked ", moment(gap.latest), class_="hint"),
        _reasons(gap.reasons),
        _near(gap.nearest),
    )


def _reasons(reasons: tuple[str, ...]) -> Child:
    if not reasons:
        return None
    rows = (element("li", element("q", each, dir="auto")) for each in list(dict.fromkeys(reasons))[:5])
    return element("div", element("p", "What readers said against the answers:"), element("ul", *rows))


def _near(nearest: tuple[GapDocument, ...]) -> Html:
    if not nearest:
        return element("p", "No document that you may read came near.", class_="hint")
    return element("div", element("p", "Nearest documents:"), element("ul", *map(_document, nearest)))


def _document(near: GapDocument) -> Html:
    url = web_url(near.url)
    name = near.title or near.path
    link = element("a", name, href=url, rel="noopener noreferrer nofollow", target="_blank") if url else name
    owner = f" — {near.owner}" if near.owner else None
    return element(
        "li", element("span", link, dir="auto"), " ", element("span", near.path, owner, class_="hint", dir="auto")
    )
