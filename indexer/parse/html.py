"""HTML: what a reader sees of a page, without its navigation."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace

import lxml.html
from lxml import etree
from lxml.html import HtmlElement

from domain.documents import BlockKind, ParsedFile, Span
from indexer.parse import metadata
from indexer.parse.formats import EMPTY, FileContent, Unparsable
from indexer.parse.html_elements import BREAK, heading_text, inline_text, is_block, is_dropped, number_of
from indexer.parse.limits import ParseLimits
from indexer.parse.list_markers import numeral
from indexer.parse.mentions import MentionCollector, code_terms
from indexer.parse.outline import Outline, bullet, one_line, reflow
from indexer.parse.strikethrough import is_struck
from indexer.parse.tables import TableCell, add_table

_LIST_STYLES = {"a": "loweralpha", "A": "upperalpha", "i": "lowerroman", "I": "upperroman"}
_UPDATED = (
    *("article:modified_time", "last-modified", "dcterms.modified", "updated", "og:updated_time"),
    *("article:published_time", "date"),
)
_LAST_KNOWN_LINE = 65_534
"""libxml2 counts lines in 16 bits."""


def load(content: FileContent, limits: ParseLimits) -> ParsedFile:
    """An HTML page. Its title is that of the head, or the first heading of level 1 when that is part of it."""
    page = _page(content.text, limits)
    out, main = Outline(limits, _title(page)), _main(page)
    _Walker(out).walk(main)
    terms = code_terms(inline_text(each) for each in _valid(main, "code", "tt"))
    return out.finish(_metadata(page), mentions=replace(_links(main).all(), terms=terms))


def _links(main: HtmlElement) -> MentionCollector:
    """Where the text leads to, with the words that lead there."""
    mentioned = MentionCollector()
    for anchor in _valid(main, "a"):
        target = anchor.get("href") or ""
        if not target.startswith("#"):
            mentioned.url(target, inline_text(anchor).replace(BREAK, " "))
    return mentioned


def _valid(main: HtmlElement, *names: str) -> Iterator[HtmlElement]:
    """The elements of these names in `main` that are not struck out."""
    for found in main.iter(*names):
        if not any(is_struck(str(each.tag), each.get("style")) for each in (found, *found.iterancestors())):
            yield found


def add_fragment(out: Outline, source: str, span: Span) -> None:
    """Add what a reader sees of `source`, a piece of HTML inside another format at `span`; it may be unbalanced."""
    if not source.strip():
        return
    page = _page(f"<html><body>{source}</body></html>", out.limits)
    _Walker(out, span).walk(page)


def _page(text: str, limits: ParseLimits) -> HtmlElement:
    """The root element. Raises Unparsable where the library would silently stop reading."""
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        page = lxml.html.document_fromstring(text.encode(), parser=parser)
    except etree.ParserError:
        raise Unparsable(f"{EMPTY}: no text in it") from None
    except etree.XMLSyntaxError:
        _check(parser)
        raise Unparsable("damaged HTML") from None
    _check(parser)
    depth = 0
    for event, _ in etree.iterwalk(page, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > limits.nesting:
            raise Unparsable(f"nested more than {limits.nesting} levels deep")
    return page


def _check(parser: lxml.html.HTMLParser) -> None:
    """Raises when the parser gave up, which it does not tell otherwise."""
    fatal = [entry.type for entry in parser.error_log if entry.level >= etree.ErrorLevels.FATAL]
    if etree.ErrorTypes.ERR_NO_MEMORY in fatal:
        raise MemoryError
    if fatal:
        raise Unparsable("HTML nested too deeply or too large")


def _main(page: HtmlElement) -> HtmlElement:
    """The element with the content: <main>, a lone <article>, else everything."""
    for path in ("//main", "//*[@role='main']", "//article"):
        found = page.xpath(path)
        if len(found) == 1 and found[0].text_content().strip():
            return found[0]
    return page


def _title(page: HtmlElement) -> str:
    """The text of <title>; of <h1> when there is none, or when the title is only the heading and the site's name."""
    title = one_line(page.findtext(".//title") or "")
    headings = [heading_text(found) for part in (_main(page), page) for found in part.iter("h1")]
    heading = next(filter(None, headings), "")
    return heading if heading and (not title or heading.casefold() in title.casefold()) else title


def _metadata(page: HtmlElement) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for meta in page.iter("meta"):
        key = meta.get("name") or meta.get("property") or meta.get("http-equiv") or ""
        found.setdefault(key.lower(), []).append(meta.get("content") or "")
    return metadata.collect(
        author=", ".join(found.get("author", [])),
        labels=metadata.labels(found.get("keywords", []) + found.get("article:tag", [])),
        description=" ".join(found.get("description", [])),
        updated=next(filter(None, (metadata.moment(text) for key in _UPDATED for text in found.get(key, []))), ""),
    )


class _Walker:
    """Writes elements into an outline. span: where all of it stands, when that is not told by the elements."""

    def __init__(self, out: Outline, span: Span | None = None) -> None:
        self._out = out
        self._fixed = span
        self._handlers: dict[str, Callable[[HtmlElement], None]] = {
            **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), self._heading),
            **dict.fromkeys(("ul", "ol", "menu", "dir"), self._list),
            "dl": self._definitions,
            "table": self._table,
            "pre": self._code,
        }

    def walk(self, element: HtmlElement) -> None:
        """The content of `element`: its blocks, and the text between them as paragraphs."""
        line = element.sourceline or 0
        run = [element.text or ""]
        for child in element:
            if is_dropped(child):
                pass
            elif is_block(child):
                self._paragraph(run, line)
                self._write(child)
                run, line = [], self._span(child).last_line
            else:
                run.append(inline_text(child))
            run.append(child.tail or "")
        self._paragraph(run, line)

    def _write(self, element: HtmlElement) -> None:
        self._handlers.get(element.tag, self.walk)(element)

    def _paragraph(self, run: list[str], line: int) -> None:
        raw = "".join(run)
        text = reflow(" ".join(raw.split("\n")).replace(BREAK, "\n"))
        first = line + raw[: len(raw) - len(raw.lstrip())].count("\n")
        self._out.add(BlockKind.PROSE, text, self._fixed or _lines(first, raw.strip()))

    def _heading(self, element: HtmlElement) -> None:
        level, text = int(element.tag[1]), heading_text(element)
        if level == 1:
            self._out.title_or_heading(1, text, self._span(element))
        else:
            self._out.heading(level, text, self._span(element))

    def _code(self, element: HtmlElement) -> None:
        self._out.add(BlockKind.CODE, inline_text(element).replace(BREAK, "\n"), self._span(element))

    def _list(self, element: HtmlElement) -> None:
        lines = [(element.text or "").strip()]
        number, style = number_of(element.get("start"), 1), _LIST_STYLES.get(element.get("type", ""), "")
        for item in element:
            number = number_of(item.get("value"), number) if item.tag == "li" else number
            marker = "-" if element.tag != "ol" else f"{numeral(number, style)}."
            if not is_dropped(item):
                is_item = item.tag == "li"
                lines += bullet(marker if is_item else " ", self._inner_lines(item, inside=is_item))
                number += is_item
            lines.append((item.tail or "").strip())
        self._out.add(BlockKind.LIST, "\n".join(filter(None, lines)), self._span(element))

    def _definitions(self, element: HtmlElement) -> None:
        """Terms as items, what they mean on the same line when it is one line, else below."""
        lines: list[str] = []
        for item in element.iter("dt", "dd"):
            if next(item.iterancestors("dl")) is not element or is_dropped(item):
                continue
            inner = self._inner_lines(item)
            if item.tag == "dt":
                lines += bullet("-", inner)
            elif len(inner) == 1 and lines and lines[-1].startswith("- "):
                lines[-1] += f": {inner[0]}"
            else:
                lines += [f"  {line}" for line in inner]
        self._out.add(BlockKind.LIST, "\n".join(lines), self._span(element))

    def _table(self, element: HtmlElement) -> None:
        rows = list(_rows(element))
        for caption in element.iterchildren("caption"):
            self.walk(caption)
        if _is_layout(element, rows):
            cells = [cell for row in rows for cell in row]
            with self._out.enclosed() if len(cells) > 1 else nullcontext():
                for cell in cells:
                    if not is_struck(cell.tag, cell.get("style")):
                        self.walk(cell)
            return
        widest = max(map(len, rows))
        add_table(self._out, ([self._cell(cell, widest) for cell in row] for row in rows), self._span(element))

    def _cell(self, element: HtmlElement, widest: int) -> TableCell:
        """One cell. `colspan=100` is a habit for "the whole width": never wider than the widest row has cells."""
        return TableCell(
            "" if is_struck(element.tag, element.get("style")) else " ".join(self._inner_lines(element)),
            columns=min(number_of(element.get("colspan"), 1), widest),
            rows=number_of(element.get("rowspan"), 1),
            heading=_is_column_heading(element),
        )

    def _inner_lines(self, element: HtmlElement, *, inside: bool = True) -> list[str]:
        """The lines of what is inside `element`, or of `element` itself, which only a careless author has there."""
        inner = self._out.nested()
        walker = _Walker(inner, self._fixed)
        walker.walk(element) if inside else walker._write(element)
        return inner.lines()

    def _span(self, element: HtmlElement) -> Span:
        return self._fixed or _lines(element.sourceline or 0, "".join(element.itertext()).rstrip())


def _lines(first: int, text: str) -> Span:
    """The lines of `text` that begins at `first`; none where the library has lost count."""
    return Span(first, first + text.count("\n")) if 0 < first < _LAST_KNOWN_LINE else Span()


def _is_layout(element: HtmlElement, rows: list[list[HtmlElement]]) -> bool:
    """Whether a table only arranges blocks on the page. One that has headings of columns or rows holds data."""
    if element.get("role") == "presentation" or all(len(row) < 2 for row in rows):
        return True
    if any(cell.tag == "th" or cell.getparent().getparent().tag == "thead" for row in rows for cell in row):
        return False
    return next((inner for inner in element.iterdescendants("table", "h1", "h2", "h3", "h4")), None) is not None


def _rows(element: HtmlElement) -> Iterator[list[HtmlElement]]:
    """The rows of a table, without those of tables inside it and without line numbers of code."""
    for part in element:
        for row in part if part.tag in {"thead", "tbody", "tfoot"} else (part,):
            if row.tag == "tr" and not is_dropped(row):
                yield [cell for cell in row.iterchildren("td", "th") if "linenos" not in cell.get("class", "")]


def _is_column_heading(cell: HtmlElement) -> bool:
    """Whether a cell is marked as a heading, or is all bold, which is how editors without headings do it."""
    if cell.get("scope") == "row":
        return False
    if cell.tag == "th" or next(cell.iterancestors("thead", "table")).tag == "thead":
        return True
    bold = list(cell.iterchildren("strong", "b"))
    return len(bold) == 1 and one_line(cell.text_content()) == one_line(bold[0].text_content()) != ""
