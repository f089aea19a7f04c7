"""Confluence storage format: the XHTML with `ac:` and `ri:` elements in which Confluence keeps a page's body.

What its elements mean is taken from Atlassian's page "Confluence Storage Format" and, for those that Confluence Cloud
adds (`ac:adf-…`, account ids, emoji), from pages as Cloud stores them.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from itertools import takewhile
from typing import ClassVar

from domain.documents import BlockKind
from indexer.parse import macros
from indexer.parse.confluence_storage_inline import (
    BODIES,
    MACROS,
    StorageInline,
    is_block,
    is_unseen,
    macro_name,
    parameters,
    settled,
    stands_apart,
)
from indexer.parse.confluence_storage_tree import StorageElement, tree
from indexer.parse.html_elements import BREAK, number_of
from indexer.parse.mentions import MentionCollector
from indexer.parse.outline import Outline, bullet, one_line, reflow
from indexer.parse.tables import TableCell, add_table

DEEPEST = 100
"""Levels of elements that are told apart; deeper ones are text. Editors make 30."""


def add_fragment(out: Outline, source: str, mentioned: MentionCollector) -> None:
    """Add the text of `source`, a page's body or a piece of one."""
    add_elements(out, tree(source, min(DEEPEST, out.limits.nesting), is_block), mentioned)


def add_elements(out: Outline, root: StorageElement, mentioned: MentionCollector) -> None:
    """Add the text of the elements in `root`."""
    _Walker(out, StorageInline(mentioned)).walk(root)


class _Walker:
    """Writes elements into an outline."""

    def __init__(self, out: Outline, inline: StorageInline) -> None:
        self._out = out
        self._inline = inline

    def walk(self, element: StorageElement) -> None:
        """The content of `element`: its blocks, and the text between them as paragraphs."""
        if is_unseen(element):  # as an item or a cell, which leave their place empty
            return
        run: list[str] = []
        for child in element.children:
            if isinstance(child, str):
                run.append(child)
            elif is_unseen(child):
                pass
            elif stands_apart(child):
                self._paragraph(run)
                self._write(child)
                run = []
            else:
                run.append(self._inline.text(child))
        self._paragraph(run)

    def _write(self, element: StorageElement) -> None:
        self._HANDLERS.get(element.name, _Walker.walk)(self, element)

    def _paragraph(self, run: list[str]) -> None:
        if not run:
            return
        self._out.add(BlockKind.PROSE, reflow(settled("".join(run))))

    def _heading(self, element: StorageElement) -> None:
        """A heading. When there are blocks in it, its end tag is missing: it ends before the first block."""
        own = list(takewhile(lambda child: isinstance(child, str) or not stands_apart(child), element.children))
        text = self._inline.line(StorageElement("", children=own))
        rest = element.children[len(own) :] if text else []
        self._out.heading(int(element.name[1]), text or self._inline.line(element))
        self.walk(StorageElement("", children=rest))

    def _add_code(self, element: StorageElement) -> None:
        self._out.add(BlockKind.CODE, self._inline.text(element).strip(BREAK).replace(BREAK, "\n"))

    def _anchor(self, element: StorageElement) -> None:
        """A link around blocks, which stay blocks."""
        self._inline.text(StorageElement("a", element.attributes))
        self.walk(element)

    def _list(self, element: StorageElement) -> None:
        """A list. Of a task list, `- [x]` is done and `- [ ]` is not."""
        lines: list[str] = []
        number, has_tasks = number_of(element.attributes.get("start"), 1), element.name == "ac:task-list"
        for child in element.children:
            if isinstance(child, str):
                lines += filter(None, [one_line(child)])
                continue
            is_item = child.name == ("ac:task" if has_tasks else "li")
            marker = f"{number}." if element.name == "ol" else "-"
            if has_tasks:
                states = [part.text().strip().lower() for part in child.elements("ac:task-status")]
                marker = "- [x]" if "complete" in states else "- [ ]"
            lines += bullet(marker if is_item else " ", self._lines(child, inside=is_item))
            number += is_item
        self._out.add(BlockKind.LIST, "\n".join(lines))

    def _table(self, element: StorageElement) -> None:
        rows = list(_rows(element))
        for other in _beside_rows(element):
            self._write(other)
        if _is_layout(element, rows):
            cells = [cell for row in rows for cell in row]
            with self._out.enclosed() if len(cells) > 1 else nullcontext():
                for cell in cells:
                    self.walk(cell)
            return
        widest = max(map(len, rows))
        add_table(self._out, ([self._cell(cell, widest) for cell in row] for row in rows))

    def _cell(self, element: StorageElement, widest: int) -> TableCell:
        """One cell; a table is as wide as its row of most cells, whatever a cell claims to cover."""
        return TableCell(
            " ".join(self._lines(element)),
            columns=min(number_of(element.attributes.get("colspan"), 1), widest),
            rows=number_of(element.attributes.get("rowspan"), 1),
            heading=element.name == "th" and element.attributes.get("scope") != "row",
        )

    def _macro(self, element: StorageElement) -> None:
        """A macro with a body, or with blocks somewhere in it."""
        name, given = macro_name(element), parameters(element)
        if name in macros.INCLUDES:
            self._paragraph([self._inline.macro(element)])
            return
        self._inline.note_parameters(element)
        title = given.get("title", "")
        if name in macros.CODE:
            self._code(element, title, given.get("language", ""))
        elif name in macros.EXPANDS:
            self._out.adopt(self._part(element), heading=title or given.get("", ""))
        elif name in macros.PANELS:
            label, line = macros.panel_label(name, title)
            self._out.add(BlockKind.PROSE, line)
            self._out.adopt(self._part(element), label=label)
        else:
            is_known = name in macros.QUOTES | macros.TRANSPARENT or macros.is_generated(name)
            self._out.add(BlockKind.PROSE, title if is_known else macros.described(name, given))
            self._out.adopt(self._part(element))

    def _code(self, element: StorageElement, title: str, language: str) -> None:
        text = "".join(part.text() for part in element.elements(*BODIES))
        misplaced = self._inline.misplaced(element, *BODIES)
        if self._out.is_nested:
            self._out.add(BlockKind.PROSE, title)
        self._out.add(BlockKind.CODE, text, header=macros.code_header(title, language))
        self._paragraph([misplaced])

    def _part(self, element: StorageElement) -> Outline:
        """The body of a macro as an outline; a plain body unchanged."""
        part = self._out.part()
        walker = _Walker(part, self._inline)
        for child in element.children:
            if isinstance(child, str):
                part.add(BlockKind.PROSE, one_line(child))
            elif child.name == "ac:plain-text-body":
                part.add(BlockKind.CODE, child.text())
            elif not is_unseen(child):
                walker.walk(child) if child.name in BODIES else walker.walk(StorageElement("", children=[child]))
        return part

    def _extension(self, element: StorageElement) -> None:
        """An extension of Cloud's editor: its content, or else its fallback for other readers."""
        nodes = list(element.elements("ac:adf-node"))
        has_content = any(_has_content(node) for node in nodes)
        others = [child for child in element.elements() if child.name != "ac:adf-node"]
        for child in nodes if has_content else others:
            self._write(child)

    def _node(self, element: StorageElement) -> None:
        keys = {part.attributes.get("key", ""): part.text().strip() for part in element.elements("ac:adf-attribute")}
        if element.attributes.get("type") != "panel":
            self.walk(element)
            return
        part = self._out.part()
        _Walker(part, self._inline).walk(element)
        self._out.adopt(part, label=macros.PANELS.get(keys.get("panel-type", ""), ""))

    def _lines(self, element: StorageElement, *, inside: bool = True) -> list[str]:
        """The lines of what is inside `element`, or of `element` itself where an item was due."""
        inner = self._out.nested()
        _Walker(inner, self._inline).walk(element if inside else StorageElement("", children=[element]))
        return inner.lines()

    _HANDLERS: ClassVar[Mapping[str, Callable[["_Walker", StorageElement], None]]] = {
        **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _heading),
        **dict.fromkeys(("ul", "ol", "ac:task-list"), _list),
        **dict.fromkeys(MACROS, _macro),
        "ac:adf-extension": _extension,
        "ac:adf-node": _node,
        "table": _table,
        "pre": _add_code,
        "a": _anchor,
    }


def _has_content(node: StorageElement) -> bool:
    """Whether a node of Cloud's editor has text in it, here or deeper."""
    return any(
        child.text().strip() != "" if child.name == "ac:adf-content" else _has_content(child)
        for child in node.elements("ac:adf-content", "ac:adf-node")
    )


def _rows(element: StorageElement) -> Iterator[list[StorageElement]]:
    """The rows of a table, without those of tables inside it."""
    for part in element.elements("thead", "tbody", "tfoot", "tr"):
        for row in (part,) if part.name == "tr" else part.elements("tr"):
            if not is_unseen(row):
                yield list(row.elements("td", "th"))


def _beside_rows(element: StorageElement) -> Iterator[StorageElement]:
    """The parts of a table that are in no cell: a caption, or misplaced text."""
    for part in element.children:
        if isinstance(part, str):
            yield StorageElement("p", children=[part])
        elif part.name in {"thead", "tbody", "tfoot"}:
            yield from _beside_rows(part)
        elif part.name == "tr":
            others = [each for each in part.children if isinstance(each, str) or each.name not in {"td", "th"}]
            yield StorageElement("p", children=others, holds_block=True)
        elif part.name not in {"colgroup", "col"}:
            yield part


def _is_layout(element: StorageElement, rows: list[list[StorageElement]]) -> bool:
    """Whether a table only arranges blocks on the page. One that has headings of columns or rows holds data."""
    cells = [cell for row in rows for cell in row]
    has_headings = any(True for _ in element.elements("thead")) or any(cell.name == "th" for cell in cells)
    return all(len(row) < 2 for row in rows) or (not has_headings and any(map(_divides, cells)))


def _divides(element: StorageElement) -> bool:
    """Whether there are headings or tables in `element`."""
    return element.holds_block and any(
        child.name in {"table", "h1", "h2", "h3", "h4"} or _divides(child) for child in element.elements()
    )
