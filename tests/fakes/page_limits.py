"""What a page may hold: elements and attributes that the product itself writes, and links that lead to citations or
stay here. A browser's reading of the page counts, not its text."""

from collections.abc import Collection
from html.parser import HTMLParser
from urllib.parse import urlsplit

ELEMENTS = {
    *("html", "head", "meta", "title", "link", "script", "noscript", "body", "a", "header", "nav", "main", "footer"),
    *("section", "article", "form", "input", "label", "textarea", "button", "div", "span", "p", "h1", "h2", "h3", "br"),
    *("hr", "ul", "ol", "li", "dialog", "details", "summary", "figure", "figcaption", "svg", "rect", "table", "thead"),
    *("tbody", "tr", "th", "td", "pre", "code", "blockquote", "strong", "em", "s", "b", "q", "bdi", "mark", "time"),
    *("progress", "dl", "dt", "dd"),
}
SCRIPTS, STYLES = {"/static/pages.js"}, {"/static/pages.css", "/static/icon.svg"}
STEERING = "\x00\x07\x08\x1b\x7f\x9b\ud800"


def wrong_on_page(page: str, cited: Collection[str]) -> list[str]:
    """What a page holds that it must not. cited: addresses that it may lead to, and whose hosts."""
    reader = _Reader(cited)
    reader.feed(page)
    reader.close()
    return reader.wrong + [f"steers: {sign!a}" for sign in STEERING if sign in page]


class _Reader(HTMLParser):
    def __init__(self, cited: Collection[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.wrong: list[str] = []
        self._hosts = {urlsplit(each).netloc for each in cited}
        self._script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._script = tag == "script"
        if tag not in ELEMENTS:
            self.wrong.append(f"<{tag}>")
        if len(given) < len(attrs):
            self.wrong.append(f"an attribute of <{tag}> twice")
        for name, value in given.items():
            if name.startswith("on") or name in {"style", "srcdoc", "formaction", "ping", "xmlns", "is"}:
                self.wrong.append(f"{tag} {name}")
            if name in {"href", "src", "action"} and not self._may_lead(tag, name, value or ""):
                self.wrong.append(f"{tag} leads to {value}")

    def handle_data(self, data: str) -> None:
        if self._script and data.strip():
            self.wrong.append("a script in the page")

    def handle_endtag(self, tag: str) -> None:
        self._script = False

    def _may_lead(self, tag: str, name: str, value: str) -> bool:
        if tag == "script":
            return value in SCRIPTS
        if tag == "link":
            return value in STYLES
        if value.startswith("/") and not value.startswith(("//", "/\\")):
            return True
        if tag == "a" and value == "#main":
            return True
        parts = urlsplit(value)
        return tag == "a" and name == "href" and parts.scheme in {"http", "https"} and parts.netloc in self._hosts
