"""PDF: the text of each page as paragraphs, lists and headings. Tables and scanned pages are not recognised."""

import ctypes
import math
import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pypdfium2
from pypdfium2 import raw as pdfium

from domain.documents import ParsedFile
from indexer.parse import metadata
from indexer.parse.formats import FileContent, Unparsable
from indexer.parse.limits import ParseLimits
from indexer.parse.outline import too_much
from indexer.parse.page_layout import PdfLine, PdfPage, outlined
from indexer.parse.pdf_forms import filled_in, with_fields

_MADE_UP_TITLE = re.compile(
    r"(?:untitled|document\d*|title)?|.*\.(?:docx?|indd|tex|dvi|pptx?|xlsx?|pdf|html?)", re.IGNORECASE
)
LONGEST_FONT_NAME = 200

_FIXED_PITCH = 1
_FIXED_FONT = re.compile(rb"courier|mono(?!type)|consola|menlo|typewriter|cmtt", re.IGNORECASE)
_PROPERTIES = ("Title", "Author", "Keywords", "ModDate", "CreationDate")
_EDITOR = "Microsoft Word - "


def load(content: FileContent, limits: ParseLimits) -> ParsedFile:
    """A PDF file. Its title is that of its properties, else the first line on page 1 in the largest type."""
    with closing(_open(content.raw)) as document:
        properties, count = _properties(document), len(document)
        pages = list(_pages(document, limits))
    if not any(map(str.isalnum, "".join(line.text for page in pages for line in page.lines))):
        raise Unparsable("no text in it: the pages seem to be scanned")
    cut = ""
    if len(pages) < count:
        cut = f"more than {limits.pages:,} pages" if len(pages) == limits.pages else too_much(limits)
    title = properties["Title"].removeprefix(_EDITOR).strip()
    return outlined(
        pages,
        "" if _MADE_UP_TITLE.fullmatch(title) else title,
        metadata.collect(
            author=properties["Author"],
            updated=metadata.moment(properties["ModDate"] or properties["CreationDate"]),
            labels=metadata.labels([properties["Keywords"].replace(";", ",")]),
            unread_pages=", ".join(str(page.number) for page in pages if page.is_picture),
        ),
        limits,
        cut,
    )


def _open(raw: bytes) -> Any:
    try:
        return pypdfium2.PdfDocument(raw)
    except pypdfium2.PdfiumError as failure:
        if failure.err_code in {pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY}:
            raise Unparsable("encrypted: it needs a password") from None
        raise Unparsable("a damaged PDF file") from None


def _properties(document: Any) -> dict[str, str]:
    """What the file says of itself; nothing when that is not even text."""
    try:
        return {key: document.get_metadata_value(key) for key in _PROPERTIES}
    except UnicodeDecodeError:
        return dict.fromkeys(_PROPERTIES, "")


def _pages(document: Any, limits: ParseLimits) -> Iterator[PdfPage]:
    """The pages, the first ones where the limits do not let all be read."""
    characters = 0
    form = document.init_forms() and document.formenv
    for index in range(min(len(document), limits.pages)):
        try:
            page = document[index]
        except pypdfium2.PdfiumError:
            raise Unparsable(f"a damaged PDF file: page {index + 1} cannot be read") from None
        with closing(page), closing(page.get_textpage()) as text:
            if characters > limits.output_characters:
                return
            fields = tuple(filled_in(page, form)) if form else ()
            characters += text.count_chars() + sum(len(field.text) for field in fields)
            lines = with_fields(tuple(_lines(text, has_fields=bool(fields))), fields)
            is_picture = not lines and any(page.get_objects([pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=3))
            yield PdfPage(index + 1, lines, is_picture)


def _lines(page: Any, *, has_fields: bool = False) -> Iterator[PdfLine]:
    """The lines of a page in the order of its content. has_fields: whether it matters where each character begins."""
    codes = [pdfium.FPDFText_GetUnicode(page, index) for index in range(page.count_chars())]
    start = 0
    for end, code in enumerate([*codes, ord("\n")]):
        if code in {10, 13}:
            shown = [index for index in range(start, end) if codes[index] > 32]
            if shown:
                starts = tuple(_starts(page, codes, start, end)) if has_fields else ()
                yield _line(page, codes[start:end], shown, starts)
            start = end + 1


def _starts(page: Any, codes: list[int], start: int, end: int) -> Iterator[float]:
    """Where the characters [start, end) begin; blanks, which may have no place, where the sign before does."""
    left = -math.inf
    for index in range(start, end):
        left = _box(page, index).left if codes[index] > 32 else left
        is_second_half = 0xDC00 <= codes[index] < 0xE000 and index > start and 0xD800 <= codes[index - 1] < 0xDC00
        if not is_second_half:
            yield left


def _line(page: Any, codes: list[int], shown: list[int], starts: tuple[float, ...]) -> PdfLine:
    """A line. codes: its characters, which come in halves beyond U+FFFF. shown: the indexes of those that are no
    blanks. starts: where they begin."""
    text = "".join(map(chr, codes)).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    first, last = _box(page, shown[0]), _box(page, shown[-1])
    is_code = all(_is_fixed(page, index) for index in (shown[0], shown[len(shown) // 2], shown[-1]))
    pitch = first.right - first.left if is_code else 0.0
    return PdfLine(text, first.top - first.bottom, first.left, first.top, last.bottom, last.right, pitch, starts)


def _is_fixed(page: Any, index: int) -> bool:
    """Whether a character is of a font in which all have the same width."""
    flags = ctypes.c_int()
    name = ctypes.create_string_buffer(LONGEST_FONT_NAME)
    pdfium.FPDFText_GetFontInfo(page, index, name, LONGEST_FONT_NAME, ctypes.byref(flags))
    return bool(flags.value & _FIXED_PITCH) or _FIXED_FONT.search(name.value) is not None


def _box(page: Any, index: int) -> Any:
    """The place of a character with the full height of its font, in points, the origin at the bottom left."""
    box = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(page, index, ctypes.byref(box))
    return box
