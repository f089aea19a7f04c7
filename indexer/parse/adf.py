"""Atlassian Document Format: the JSON in which Jira Cloud, and on request Confluence Cloud, keeps rich text.

The nodes are those of version 1 as Atlassian publishes it (its JSON schema in the package `@atlaskit/adf-schema`, and
the reference of nodes on developer.atlassian.com), with those that only Confluence or newer editors write.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from domain.documents import BlockKind, ParsedFile
from indexer.parse import confluence_storage as storage_format
from indexer.parse import macros
from indexer.parse.adf_nodes import AdfInline, AdfNode, extension_of, tree
from indexer.parse.bundle import json_of
from indexer.parse.formats import FileContent
from indexer.parse.html_elements import BREAK
from indexer.parse.limits import ParseLimits
from indexer.parse.mentions import MentionCollector
from indexer.parse.outline import Outline, bullet, reflow
from indexer.parse.tables import TableCell, add_table

DEEPEST = 100
"""Levels of nodes that are told apart; of deeper ones the text is kept."""
_CELLS = ("tableCell", "tableHeader")
_CARDS = ("blockCard", "embedCard")
_ITEMS = {
    **dict.fromkeys(("bulletList", "orderedList"), ("listItem",)),
    "taskList": ("taskItem", "blockTaskItem"),
    "decisionList": ("decisionItem",),
}
"""The items that each kind of list has."""


def load(content: FileContent, limits: ParseLimits) -> ParsedFile:
    """A document as JSON text. It has no title: that is a field of its own in the source.

    Raises Unparsable when it is no JSON, when nothing is in it, or more than `limits` allow.
    """
    return document(json_of(content.text), limits)


def document(value: object, limits: ParseLimits) -> ParsedFile:
    """A document as a JSON parser gives it. Raises Unparsable."""
    mentioned, out = MentionCollector(), Outline(limits)
    add_fragment(out, value, mentioned)
    return out.finish(lone_heading_is_title=False, mentions=mentioned.all())


def add_fragment(out: Outline, value: object, mentioned: MentionCollector) -> None:
    """Add what `value` says, a document as a JSON parser gives it. Raises Unparsable beyond the limits."""
    root = tree(value, min(DEEPEST, out.limits.nesting), out.limits.nodes, out.cut)
    walker = _Walker(out, AdfInline(mentioned))
    walker.walk([root] if root.is_inline else root.children)


class _Walker:
    """Writes nodes into an outline."""

    def __init__(self, out: Outline, inline: AdfInline) -> None:
        self._out = out
        self._inline = inline

    def walk(self, nodes: Iterable[AdfNode]) -> None:
        """The nodes in their order: blocks, and the text between them as paragraphs."""
        run: list[str] = []
        for node in nodes:
            if node.is_inline:
                run.append(self._inline.text(node))
                continue
            self._paragraph(run)
            run = []
            self._HANDLERS.get(node.kind, _Walker._any)(self, node)
        self._paragraph(run)

    def _any(self, node: AdfNode) -> None:
        """A paragraph, or a node that only holds others, known or not."""
        self._inline.note_links(node)
        self._paragraph([node.text or node.attribute("text", "title")])
        self.walk(node.children)

    def _paragraph(self, run: list[str]) -> None:
        if not run:
            return
        self._out.add(BlockKind.PROSE, reflow("".join(run).replace(BREAK, "\n")))

    def _heading(self, node: AdfNode) -> None:
        self._out.heading(min(max(node.number("level", 1), 1), 6), self._inline.line(node.children))

    def _list(self, node: AdfNode) -> None:
        """A list. Of a task list, `- [x]` is done and `- [ ]` is not; a list within that stands beside its item."""
        lines: list[str] = []
        number = node.number("order", 1)
        for item in node.children:
            is_item = item.kind in _ITEMS[node.kind]
            inner = self._lines(item.children if is_item else [item])
            marker = "-"
            if node.kind == "orderedList":
                marker = f"{number}."
            elif node.kind == "taskList":
                marker = "- [x]" if item.attribute("state") == "DONE" else "- [ ]"
            elif node.kind == "decisionList" and is_item and inner:
                inner[0] = f"Decision: {inner[0]}"
            lines += bullet(marker if is_item or node.kind == "decisionList" else " ", inner)
            number += is_item
        self._out.add(BlockKind.LIST, "\n".join(lines))

    def _code(self, node: AdfNode) -> None:
        header = "" if self._out.is_nested else macros.code_header("", node.attribute("language"))
        text = "".join([node.text, *map(self._inline.text, node.children)])
        self._out.add(BlockKind.CODE, text.strip(BREAK).replace(BREAK, "\n"), header=header)

    def _table(self, node: AdfNode) -> None:
        rows = [[cell for cell in row.children if cell.kind in _CELLS] for row in node.children]
        for row in node.children:
            self.walk([row] if row.kind != "tableRow" else [each for each in row.children if each.kind not in _CELLS])
        cells = [cell for row in rows for cell in row]
        if all(len(row) < 2 for row in rows) or any(_divides(cell) for cell in cells):
            for cell in cells:
                self.walk(cell.children)
            return
        widest = max(map(len, rows))
        add_table(self._out, ([self._cell(cell, widest) for cell in row] for row in rows))

    def _cell(self, node: AdfNode, widest: int) -> TableCell:
        """One cell; a table is as wide as its row of most cells, whatever a cell claims to cover."""
        return TableCell(
            " ".join(self._lines(node.children)),
            columns=min(node.number("colspan", 1), widest),
            rows=node.number("rowspan", 1),
            heading=node.kind == "tableHeader",
        )

    def _panel(self, node: AdfNode) -> None:
        self._out.adopt(self._part(node), label=macros.PANELS.get(node.attribute("panelType"), ""))

    def _expand(self, node: AdfNode) -> None:
        self._out.adopt(self._part(node), heading=node.attribute("title"))

    def _card(self, node: AdfNode) -> None:
        self._paragraph([self._inline.card(node)])

    def _extension(self, node: AdfNode) -> None:
        """A macro that is a block of its own: what it says of itself, then its body."""
        name, given = extension_of(node)
        if name in macros.PANELS:
            label, line = macros.panel_label(name, given.get("title", ""))
            self._paragraph([line])
            self._out.adopt(self._part(node), label=label)
        elif name in macros.EXPANDS:
            self._out.adopt(self._part(node), heading=given.get("title", ""))
        else:
            is_known = name in macros.TRANSPARENT | macros.QUOTES
            self._paragraph([given.get("title", "") if is_known else self._inline.extension(node)])
            if name not in macros.INCLUDES:
                self._out.adopt(self._part(node))

    def _storage(self, node: AdfNode) -> None:
        """What Confluence could not turn into nodes, in its storage format."""
        storage_format.add_fragment(self._out, node.attribute("cxhtml"), self._inline.mentioned)

    def _part(self, node: AdfNode) -> Outline:
        part = self._out.part()
        _Walker(part, self._inline).walk(node.children)
        return part

    def _lines(self, nodes: list[AdfNode]) -> list[str]:
        inner = self._out.nested()
        _Walker(inner, self._inline).walk(nodes)
        return inner.lines()

    _HANDLERS: ClassVar[Mapping[str, Callable[["_Walker", AdfNode], None]]] = {
        "heading": _heading,
        **dict.fromkeys(_ITEMS, _list),
        "codeBlock": _code,
        "table": _table,
        "panel": _panel,
        "expand": _expand,
        "nestedExpand": _expand,
        "extension": _extension,
        "bodiedExtension": _extension,
        "multiBodiedExtension": _extension,
        "confluenceUnsupportedBlock": _storage,
        **dict.fromkeys(_CARDS, _card),
    }


def _divides(node: AdfNode) -> bool:
    """Whether there are headings or tables in `node`."""
    return any(child.kind in {"table", "heading"} or _divides(child) for child in node.children)
