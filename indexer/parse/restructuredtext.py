"""reStructuredText, also as Sphinx has it: directives and roles that docutils does not know keep their text."""

import re
from collections.abc import Callable, Iterator
from copy import copy
from functools import cache, partial
from itertools import dropwhile
from textwrap import dedent
from typing import Any

from docutils import frontend, nodes
from docutils.parsers.rst import Parser
from docutils.utils import new_document

from domain.documents import BlockKind, ParsedFile, Span
from domain.patterns import LinearRegex
from indexer.parse import html, metadata
from indexer.parse.formats import FileContent
from indexer.parse.limits import ParseLimits
from indexer.parse.list_markers import numeral
from indexer.parse.outline import NOWHERE, Outline, bullet, one_line
from indexer.parse.strikethrough import STRIKING
from indexer.parse.superscripts import as_superscript
from indexer.parse.tables import TableCell, add_table

_NEVER = 6
"""Above every level of a docutils message: none is printed, none ends the parsing."""
_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": _NEVER,
    "halt_level": _NEVER,
    "warning_stream": False,
    "syntax_highlight": "none",
    "line_length_limit": 1 << 30,
}
_WARNING = 2
MAX_LINES_AHEAD = 300
"""Lines that a block is looked for ahead of the one before it."""
_DIRECTIVE = re.compile(r"\.\. (?P<name>[\w:.+-]+)::[ ]?(?P<argument>.*)")
_OPTION = re.compile(r":[\w -]+:(?:\s.*)?")
_ROLE = LinearRegex(r":[\w:.+-]+:`(?:(?P<text>[^`<]+?)\s*<[^`<>]*>|[~!]?(?P<target>[^`]*))`")
_UNSEEN = {"include", "literalinclude", "default-role", "currentmodule", "highlight", "index", "tabularcolumns"}
_VERBATIM = {
    *("sourcecode", "prompt", "doctest", "testcode", "testsetup", "testoutput", "ipython", "productionlist"),
    *("mermaid", "graphviz", "digraph", "uml", "plantuml", "jupyter-execute", "code-cell", "terminal"),
}
_SPHINX_FIELDS = {"orphan", "tocdepth", "nocomments", "nosearch"}
_HIDDEN = (nodes.comment, nodes.substitution_definition, nodes.target, nodes.pending, nodes.Invisible)


def load(content: FileContent, limits: ParseLimits) -> ParsedFile:
    """A reStructuredText file. Its title is the one section that holds all others, if there is one."""
    document = _document(content.text)
    fields = _leading_fields(document)
    out = Outline(limits, _title(document))
    _Walker(out, document, _SourcePositions(content.text.split("\n"))).walk(document)
    return out.finish(
        metadata.collect(
            author=fields.get("author", fields.get("authors", "")),
            updated=metadata.moment(fields.get("date", fields.get("updated", ""))),
            labels=metadata.labels([fields.get("tags", ""), fields.get("keywords", "")]),
            space=fields.get("space", ""),
        )
    )


def _document(text: str) -> nodes.document:
    document = new_document("", copy(_settings()))
    Parser().parse(text, document)
    return document


@cache
def _settings() -> Any:
    settings = frontend.get_default_settings(Parser)
    for name, value in _SETTINGS.items():
        setattr(settings, name, value)
    return settings


def _title(document: nodes.document) -> str:
    """The title of the only section on the outermost level, when no text stands before it."""
    visible = [node for node in document.children if not isinstance(node, (*_HIDDEN, nodes.system_message))]
    texts = [node for node in visible if not isinstance(node, nodes.field_list)]
    return texts[0][0].astext() if len(texts) == 1 and isinstance(texts[0], nodes.section) else ""


def _leading_fields(document: nodes.document) -> dict[str, str]:
    """The field lists at the top of a document and right below its first heading, names in lower case."""
    section = next((node for node in document.children if isinstance(node, nodes.section)), None)
    places = [*document.children, *(section.children if section else [])]
    lists = [node for node in places if isinstance(node, nodes.field_list)]
    return {field[0].astext().lower(): field[1].astext() for fields in lists for field in fields.findall(nodes.field)}


class _Walker:
    """Writes nodes into an outline.

    document: knows what substitutions stand for. place: of the walk in the source.
    divides: whether headings divide the file; those in the content of a directive do not.
    """

    def __init__(
        self, out: Outline, document: nodes.document, place: "_SourcePositions", *, divides: bool = True
    ) -> None:
        self._out = out
        self._document = document
        self._place = place
        self._divides = divides
        self._level = 0
        self._handlers: dict[type[nodes.Node], Callable[..., None]] = {
            nodes.section: self._section,
            nodes.title: self._heading,
            nodes.literal_block: self._code,
            nodes.doctest_block: self._code,
            nodes.math_block: self._code,
            nodes.bullet_list: self._list,
            nodes.enumerated_list: self._list,
            nodes.definition_list: self._definitions,
            nodes.field_list: partial(self._pairs, nodes.field),
            nodes.option_list: partial(self._pairs, nodes.option_list_item),
            nodes.table: self._table,
            nodes.footnote: self._note,
            nodes.citation: self._note,
            nodes.system_message: self._message,
            nodes.image: lambda node: self._out.add(BlockKind.PROSE, node.get("alt", "")),
            nodes.line_block: self._line_block,
        }

    def walk(self, node: nodes.Element) -> None:
        """All children of `node`, in their order."""
        for child in node.children:
            if isinstance(child, _HIDDEN):
                continue
            handle = self._handlers.get(type(child))
            if handle is not None:
                handle(child)
            elif isinstance(child, nodes.TextElement):
                self._out.add(BlockKind.PROSE, one_line(self._inline(child)), self._span(child))
            elif isinstance(child, nodes.Element):
                self._admonition(child) if isinstance(child, nodes.Admonition) else self.walk(child)

    def _section(self, node: nodes.section) -> None:
        self._level += 1
        self.walk(node)
        self._level -= 1

    def _heading(self, node: nodes.title) -> None:
        text = self._inline(node)
        if not (isinstance(node.parent, nodes.section) and self._divides):
            self._out.add(BlockKind.PROSE, one_line(text), self._span(node))
        elif self._out.title:
            self._out.title_or_heading(self._level, text, self._span(node))
        else:
            self._out.heading(self._level, text, self._span(node))

    def _code(self, node: nodes.TextElement) -> None:
        self._out.add(BlockKind.CODE, node.astext(), self._span(node))

    def _admonition(self, node: nodes.Element) -> None:
        """The blocks of a note or warning, the first behind its kind."""
        span, lines = self._span(node), self._inner_lines(node)
        if not isinstance(node, nodes.admonition) and lines:
            lines[0] = f"{node.tagname.capitalize()}: {lines[0]}"
        self._out.add(BlockKind.PROSE, "\n".join(lines), span)

    def _list(self, node: nodes.Element) -> None:
        span, lines = self._span(node), list[str]()
        for marker, item in zip(_markers(node), node.children, strict=False):
            lines += bullet(marker, self._inner_lines(item))
        self._out.add(BlockKind.LIST, "\n".join(lines), span)

    def _definitions(self, node: nodes.definition_list) -> None:
        span, lines = self._span(node), list[str]()
        for item in node.children:
            terms = [self._inline(part) for part in item.children if isinstance(part, nodes.term | nodes.classifier)]
            below = [
                line
                for part in item.findall(nodes.definition)
                if part.parent is item
                for line in self._inner_lines(part)
            ]
            lines += bullet("-", _joined(" : ".join(terms), below))
        self._out.add(BlockKind.LIST, "\n".join(lines), span)

    def _pairs(self, kind: type[nodes.Element], node: nodes.Element) -> None:
        """Items of a name and a body, as a list."""
        span, lines = self._span(node), list[str]()
        for item in (child for child in node.children if isinstance(child, kind)):
            if item[0].astext() in _SPHINX_FIELDS:
                continue
            lines += bullet("-", _joined(item[0].astext(), self._inner_lines(item[-1])))
        self._out.add(BlockKind.LIST, "\n".join(lines), span)

    def _table(self, node: nodes.table) -> None:
        span = self._span(node)
        for caption in (child for child in node.children if isinstance(child, nodes.title)):
            self._out.add(BlockKind.PROSE, self._inline(caption), span)
        parts = [part for group in node.children if isinstance(group, nodes.tgroup) for part in group.children]
        heads = [row for part in parts if isinstance(part, nodes.thead) for row in part.children]
        rows = heads + [row for part in parts if isinstance(part, nodes.tbody) for row in part.children]
        entries = ([entry for entry in row.children if isinstance(entry, nodes.entry)] for row in rows)
        cells = (
            [
                TableCell(" ".join(self._inner_lines(each)), each.get("morecols", 0) + 1, each.get("morerows", 0) + 1)
                for each in row
            ]
            for row in entries
        )
        add_table(self._out, cells, span, header_rows=len(heads))

    def _note(self, node: nodes.Element) -> None:
        """A footnote or citation behind its label; an automatic number is not known yet and stays `#`."""
        label = node[0].astext() if isinstance(node[0], nodes.label) else "#"
        span, inner = self._span(node), [line for line in self._inner_lines(node) if line != label]
        self._out.add(BlockKind.PROSE, "\n".join(bullet(f"[{label}]", inner)), span)

    def _line_block(self, node: nodes.line_block) -> None:
        text = "\n".join(self._inline(line) for line in node.findall(nodes.line))
        self._out.add(BlockKind.PROSE, text, self._span(node))

    def _message(self, node: nodes.system_message) -> None:
        """What docutils could not place: directives that it does not know, broken tables, misplaced headings."""
        for source in node.findall(nodes.literal_block):
            text = source.astext()
            if _DIRECTIVE.match(text):
                self._directive(text)
            elif node["level"] > _WARNING:
                self._out.add(BlockKind.CODE, text, self._at(text, text))

    def _directive(self, source: str) -> None:
        """A directive that docutils does not carry out: its argument, and its content read for itself."""
        first, _, rest = source.partition("\n")
        found = _DIRECTIVE.match(first)
        name, argument = (found["name"].lower(), found["argument"].strip()) if found else ("", "")
        content = dedent(rest).split("\n")
        body = "\n".join(dropwhile(_OPTION.fullmatch, content))  # without the options at its top
        span = self._at(first, first)
        if name == "raw":
            html.add_fragment(self._out, body if argument == "html" else "", span)
        elif name in _VERBATIM:
            self._out.add(BlockKind.CODE, body, self._at(body, body))
        elif name not in _UNSEEN:
            label = name.rpartition(":")[2].capitalize()
            self._out.add(BlockKind.PROSE, f"{label}: {argument}" if argument else "", span)
            _Walker(self._out, self._document, self._place, divides=False).walk(_document(body))

    def _inner_lines(self, node: nodes.Node) -> list[str]:
        inner = self._out.nested()
        if isinstance(node, nodes.Element):
            _Walker(inner, self._document, self._place).walk(node)
        return inner.lines()

    def _inline(self, node: nodes.Node) -> str:
        """The text of inline content, roles without their marks, substitutions replaced."""
        match node:
            case nodes.image():
                return str(node.get("alt", ""))
            case nodes.footnote_reference() | nodes.citation_reference():
                return f"[{node.astext() or '#'}]"
            case nodes.substitution_reference():
                meant = self._document.substitution_defs.get(node["refname"])
                return meant.astext() if meant is not None else node.astext()
            case nodes.problematic():
                return _ROLE.sub(lambda role: role["text"] or role["target"], node.astext())
            case nodes.Text():
                return node.astext()
        is_struck = isinstance(node, nodes.inline) and not STRIKING.isdisjoint(node["classes"])
        text = "" if is_struck else "".join(map(self._inline, node.children))
        return as_superscript(text) if isinstance(node, nodes.superscript) else text

    def _span(self, node: nodes.Element) -> Span:
        leaves = [leaf.rawsource or leaf.astext() for leaf in node.findall(nodes.TextElement)]
        return self._at(leaves[0], leaves[-1]) if leaves else NOWHERE

    def _at(self, first: str, last: str) -> Span:
        """Where a text stands; what is inside a list or cell stands where that does."""
        return NOWHERE if self._out.is_nested else self._place.of(first, last)


class _SourcePositions:
    """Finds blocks in the source, in reading order: the line numbers of docutils are now the first, now the last."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._next = 0

    def of(self, first: str, last: str) -> Span:
        """From the line where `first` begins to the line where `last` ends."""
        start = self._find(first.strip().partition("\n")[0], self._next)
        if start is None:
            return NOWHERE
        end = self._find(last.strip().rpartition("\n")[2], start + first.strip().count("\n") * (first is last))
        self._next = (start if end is None else end) + 1
        return Span(start + 1, self._next)

    def _find(self, line: str, start: int) -> int | None:
        ahead = range(start, min(start + MAX_LINES_AHEAD, len(self._lines)))
        return next((index for index in ahead if line[:60].strip() in self._lines[index]), None)


def _markers(node: nodes.Element) -> Iterator[str]:
    """The markers of a list as its source has them."""
    style, start = node.get("enumtype", ""), int(node.get("start", 1))
    for number in range(start, start + len(node.children)):
        if not style:
            yield "-"
        else:
            yield f"{node.get('prefix', '')}{numeral(number, style)}{node.get('suffix', '.')}"


def _joined(head: str, below: list[str]) -> list[str]:
    """`head` and what is said of it: on one line when that is one line."""
    return [f"{head}: {below[0]}"] if len(below) == 1 else [head, *below]
