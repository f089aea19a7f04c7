"""An answer's Markdown as HTML. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from bot.markup.inline import AllowedLinks
from bot.markup.markdown_reading import read_markdown
from bot.markup.text_parts import TextPart, TextRun
from bot.markup.urls import AllowedAddresses
from bot.web.pages.markup import Child, Html, element, joined

_STYLES = {"bold": "strong", "italic": "em", "strike": "s", "code": "code"}


def answer_markup(markdown: str, cited: Mapping[int, str], place: Callable[[int], str]) -> Html:
    """A text with its references as links. Only addresses of citations, and places in the same pages, are live.

    cited: the addresses of citations by number. place: where the page has a citation.
    """
    links = AllowedLinks(AllowedAddresses.of(cited.values()), {n: place(n) for n in cited})
    parts = [part for block in read_markdown(markdown, links) for part in block]
    return joined(*_blocks(parts))


def _blocks(parts: Sequence[TextPart]) -> Iterator[Html]:
    for (kind, quoted, ordered, indent), group in groupby(parts, key=_alike):
        found = list(group)
        if kind == "item":
            items = (element("li", *_runs(each.runs), dir="auto", value=_number(each)) for each in found)
            yield _quoted(element("ol" if ordered else "ul", *items, class_=f"in{min(indent, 4)}"), quoted=quoted)
        else:
            yield from (_quoted(_block(each), quoted=quoted) for each in found)


def _alike(part: TextPart) -> tuple[str, bool, bool, int]:
    """Parts with the same value, one after the other, make one list."""
    return part.kind, part.quoted, part.ordered, part.indent if part.kind == "item" else 0


def _number(part: TextPart) -> int | None:
    return part.number if part.ordered else None


def _quoted(block: Html, *, quoted: bool) -> Html:
    return element("blockquote", block) if quoted else block


def _block(part: TextPart) -> Html:
    match part.kind:
        case "code":
            return element("pre", element("code", part.text), tabindex=0, dir="ltr")
        case "rule":
            return element("hr")
        case "header":
            return element("h3", *_runs(part.runs), dir="auto")
        case _:
            return element("p", *_runs(part.runs), dir="auto")


def _runs(runs: Sequence[TextRun]) -> Iterator[Child]:
    for run in runs:
        shown = joined(*_lines(run.text))
        for style in reversed(run.styles):
            shown = element(_STYLES[style], shown)
        yield _link(run, shown) if run.url else shown


def _lines(text: str) -> Iterator[Child]:
    for place, line in enumerate(text.split("\n")):
        yield element("br") if place else None
        yield line


def _link(run: TextRun, shown: Html) -> Html:
    if run.url.startswith("/"):  # a reference: the page has it
        return element("a", shown, href=run.url, class_="cite", aria_label=f"Source {run.text.strip('[]')}")
    return element("a", shown, href=run.url, rel="noopener noreferrer nofollow", target="_blank")
