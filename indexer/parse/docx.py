"""Word documents (DOCX): body, tables, text boxes and notes in their order, changes as if accepted."""

import io
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import docx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.exceptions import PackageNotFoundError
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from lxml import etree

from domain.documents import BlockKind, ParsedFile
from indexer.parse import metadata
from indexer.parse.equations import OFFICE, equation_text
from indexer.parse.formats import FileContent, Unparsable
from indexer.parse.limits import ParseLimits
from indexer.parse.list_markers import numeral
from indexer.parse.outline import Outline, one_line, reflow
from indexer.parse.superscripts import as_superscript
from indexer.parse.symbol_fonts import sign
from indexer.parse.tables import TableCell, add_table
from indexer.parse.word_styles import OFF, ParagraphStyle, WordStyles

SMALL_MEMBER = 1 << 20
"""Bytes up to which a member of the archive may have any ratio."""

Element = Any
"""An XML element, typed so because the library has no types for its own kinds of it."""

_MADE_UP_TITLES = ("word document", "document", "microsoft word")
_CONTAINERS = {qn(name) for name in ("w:sdt", "w:sdtContent", "w:ins", "w:moveTo", "w:customXml", "w:smartTag")}
_SKIPPED = {qn(name) for name in ("w:del", "w:moveFrom", "w:pPr", "w:rPr", "w:instrText", "w:txbxContent", "w:rt")}
_CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_MATH_TEXT = f"{OFFICE}t"
_NOTE_STYLES = {qn("w:footnoteReference"): "decimal", qn("w:endnoteReference"): "lowerRoman"}
"""How notes are numbered."""
_CHARACTERS = {
    **dict.fromkeys((qn("w:br"), qn("w:cr")), "\n"),
    qn("w:tab"): "\t",
    qn("w:ptab"): "\t",
    qn("w:noBreakHyphen"): "-",
}


def load(content: FileContent, limits: ParseLimits) -> ParsedFile:
    """A DOCX file. Its title is its first paragraph of style Title, else that of its properties."""
    _check_archive(content.raw, limits)
    document = _open(content.raw)
    styles = WordStyles(document)
    body = document.element.body
    notes = _Notes(document)
    title = next((_text(found, styles, notes) for found in _members(body, qn("w:p")) if styles.is_title(found)), "")
    properties = _properties(document)
    out = Outline(limits, title or properties.pop("title", ""))
    walker = _Walker(out, styles, notes)
    walker.walk(body)
    walker.finish()
    # the different lines of page headers and footers that say anything, without bare page numbers
    parts = _parts(document, RELATIONSHIP_TYPE.HEADER, RELATIONSHIP_TYPE.FOOTER)
    lines = (one_line(_text(paragraph, styles, notes)) for part in parts for paragraph in part.iter(qn("w:p")))
    running = dict.fromkeys(line for line in lines if any(map(str.isalpha, line)))
    out.add(BlockKind.PROSE, "\n".join(running), path=())
    properties.pop("title", "")
    return out.finish(properties)


def _check_archive(raw: bytes, limits: ParseLimits) -> None:
    """Raises Unparsable, before anything of it is read, when the ZIP archive `raw` would unpack to too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise Unparsable("a damaged ZIP file") from None
    if sum(member.file_size for member in members) > limits.unpacked_bytes:
        raise Unparsable(f"unpacks to more than {limits.unpacked_bytes:,} bytes")
    for member in members:
        if member.file_size > max(SMALL_MEMBER, limits.expansion_ratio * member.compress_size):
            raise Unparsable(f"unpacks to more than {limits.expansion_ratio} times its size")


def _open(raw: bytes) -> Any:
    try:
        return docx.Document(io.BytesIO(raw))
    except ValueError as failure:
        if "content type" in str(failure):
            raise Unparsable("a Word file with macros or a template: save it as DOCX") from None
        raise Unparsable("a damaged DOCX file") from None
    except (PackageNotFoundError, KeyError, zipfile.BadZipFile, zlib.error, EOFError, etree.XMLSyntaxError, OSError):
        raise Unparsable("a damaged DOCX file") from None


class _Walker:
    """Writes the elements of a document into an outline."""

    def __init__(self, out: Outline, styles: WordStyles, notes: "_Notes") -> None:
        self._out = out
        self._styles = styles
        self._notes = notes
        self._gathered: tuple[BlockKind, list[str]] = (BlockKind.PROSE, [])
        self._noted: list[tuple[str, Element]] = []

    def walk(self, element: Element) -> None:
        """The paragraphs and tables in `element`, in their order; call `end` after the last one."""
        for child in element:
            if child.tag == qn("w:p"):
                self._paragraph(child)
            elif child.tag == qn("w:tbl"):
                self.end()
                self._table(child)
            elif child.tag in _CONTAINERS:
                self.walk(child)

    def end(self) -> None:
        """Add the list or code gathered so far as one block, and the notes to it."""
        kind, lines = self._gathered
        self._out.add(kind, "\n".join(lines))
        self._gathered = (BlockKind.PROSE, [])
        self._add_notes(self._noted)
        self._noted = []

    def finish(self) -> None:
        """What `end` does, and the notes that stand by themselves."""
        self.end()
        self._add_notes(self._due())

    def _due(self) -> list[tuple[str, Element]]:
        """The notes to the text so far; those to a cell are due below its table."""
        return [] if self._out.is_nested else self._notes.due()

    def _add_notes(self, notes: list[tuple[str, Element]]) -> None:
        for mark, note in notes:
            self._out.add(BlockKind.PROSE, f"{mark} {' '.join(self._inner_lines(note))}".strip())

    def _paragraph(self, element: Element) -> None:
        text, look = _text(element, self._styles, self._notes), self._styles.look(element)
        if look.kind is not BlockKind.PROSE:
            self._gather(look, text)
        elif text.strip():
            self.end()
            if look.is_title:
                self._out.title_or_heading(1, text)
            elif look.level:
                self._out.heading(look.level, f"{look.marker} {text}")
            else:
                self._out.add(BlockKind.PROSE, reflow(text))
            self._add_notes(self._due())
        for box in _text_boxes(element):
            self.end()
            self.walk(box)

    def _gather(self, look: ParagraphStyle, text: str) -> None:
        """Neighbouring list items, and neighbouring lines of code, are one block."""
        if self._gathered[0] is not look.kind:
            self.end()
            self._gathered = (look.kind, [])
        if look.kind is BlockKind.CODE:
            self._gathered[1].append(text)
        elif text.strip():
            first, *rest = reflow(text).split("\n")
            self._gathered[1].append(f"{'  ' * look.depth}{look.marker} {first}")
            self._gathered[1].extend(f"{'  ' * (look.depth + 1)}{line}" for line in rest)
        self._noted += self._due()

    def _table(self, element: Element) -> None:
        rows = [list(_members(row, qn("w:tc"))) for row in _members(element, qn("w:tr"))]
        if all(len(row) < 2 for row in rows):
            # a frame around text, not a table
            for cell in (cell for row in rows for cell in row):
                self.walk(cell)
                self.end()
            return
        marked = [row.find(f"{qn('w:trPr')}/{qn('w:tblHeader')}") is not None for row in _members(element, qn("w:tr"))]
        header_rows = marked.index(False) if False in marked and marked[0] else 1
        add_table(self._out, self._cells(rows), header_rows=header_rows)
        self._add_notes(self._due())

    def _cells(self, rows: list[list[Element]]) -> Iterator[list[TableCell]]:
        """The cells row by row; what continues a cell above has the text of that."""
        above: dict[int, str] = {}
        for row in rows:
            cells: list[TableCell] = []
            column = 0
            for element in row:
                span, merge = (element.find(f"{qn('w:tcPr')}/{qn(name)}") for name in ("w:gridSpan", "w:vMerge"))
                continues = merge is not None and merge.get(qn("w:val")) != "restart"
                text = above.get(column, "") if continues else " ".join(self._inner_lines(element))
                covered = span.get(qn("w:val"), "1") if span is not None else "1"
                columns = int(covered) if covered.isdigit() and len(covered) < 5 else 1
                cells.append(TableCell(text, columns))
                above[column] = text
                column += columns
            yield cells

    def _inner_lines(self, element: Element) -> list[str]:
        inner = self._out.nested()
        walker = _Walker(inner, self._styles, self._notes)
        walker.walk(element)
        walker.end()
        return inner.lines()


class _Notes:
    """Foot- and endnotes, numbered as the text refers to them."""

    def __init__(self, document: Any) -> None:
        self._notes = _notes(document)
        self._marks: dict[tuple[str, str], str] = {}
        self._counts: Counter[str] = Counter()
        self._due: list[tuple[str, Element]] = []

    def mark(self, reference: Element) -> str:
        """What stands for `reference` in the text; its note is due then. One with a sign of its own needs no mark."""
        key = reference.tag, reference.get(qn("w:id"))
        if key not in self._marks:
            has_sign = reference.get(qn("w:customMarkFollows"), "0") not in OFF
            self._counts[reference.tag] += not has_sign
            number = numeral(self._counts[reference.tag], _NOTE_STYLES[reference.tag])
            self._marks[key] = "" if has_sign else f"[{number}]"
            if key in self._notes:
                self._due.append((self._marks[key], self._notes[key]))
        return self._marks[key]

    def due(self) -> list[tuple[str, Element]]:
        """The notes that were not told yet, each with its mark."""
        due, self._due = self._due, []
        return due


def _text(element: Element, styles: WordStyles, notes: _Notes) -> str:
    """The text of a paragraph as it reads with all changes accepted, without its text boxes and what is struck out."""

    def inner(part: Element) -> str:
        return _text(part, styles, notes)

    pieces: list[str] = []
    for child in element:
        if child.tag in {qn("w:t"), _MATH_TEXT}:
            pieces.append(child.text or "")
        elif child.tag in _CHARACTERS:
            pieces.append(_CHARACTERS[child.tag])
        elif child.tag == qn("w:sym"):
            pieces.append(sign(child.get(qn("w:font"), ""), child.get(qn("w:char"), "")))
        elif child.tag in _NOTE_STYLES:
            pieces.append(notes.mark(child))
        elif child.tag == qn("w:r") and styles.is_left_out(child):
            continue
        elif child.tag not in _SKIPPED and not _is_second_version(child):
            text = equation_text(child, inner)
            is_raised = child.tag == qn("w:r") and styles.run_value(child, "w:vertAlign") == "superscript"
            pieces.append(as_superscript(text) if is_raised and text else text)
    return "".join(pieces)


def _is_second_version(element: Element) -> bool:
    """Whether `element` repeats the one before it for older programs."""
    return element.tag == _FALLBACK and element.getprevious() is not None and element.getprevious().tag == _CHOICE


def _text_boxes(element: Element) -> Iterator[Element]:
    """The outermost text boxes in a paragraph, each once."""
    for child in element:
        if child.tag == qn("w:txbxContent"):
            yield child
        elif child.tag not in _SKIPPED and not _is_second_version(child):
            yield from _text_boxes(child)


def _members(element: Element, tag: str) -> Iterator[Element]:
    """The rows of a table or the cells of a row, also those inside content controls and accepted changes."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in _CONTAINERS:
            yield from _members(child, tag)


def _parts(document: Any, *kinds: str) -> Iterator[Element]:
    """The XML of the parts that belong to the document in one of the roles `kinds`."""
    for relation in document.part.rels.values():
        if relation.reltype in kinds and not relation.is_external:
            yield parse_xml(relation.target_part.blob)


def _notes(document: Any) -> dict[tuple[str, str], Element]:
    found: dict[tuple[str, str], Element] = {}
    for part in _parts(document, RELATIONSHIP_TYPE.FOOTNOTES, RELATIONSHIP_TYPE.ENDNOTES):
        for note in part:
            if note.get(qn("w:type"), "normal") == "normal":
                found[f"{note.tag}Reference", note.get(qn("w:id"))] = note
    return found


def _properties(document: Any) -> dict[str, str]:
    if not any(
        relation.reltype == RELATIONSHIP_TYPE.CORE_PROPERTIES for relation in document.part.package.rels.values()
    ):
        return {}  # the library would make them up
    core = document.core_properties
    return metadata.collect(
        title="" if core.title.lower().startswith(_MADE_UP_TITLES) else core.title,
        author=core.author,
        updated=metadata.moment(core.modified.isoformat()) if core.modified else "",
        labels=metadata.labels([core.keywords.replace(";", ","), core.category]),
    )
