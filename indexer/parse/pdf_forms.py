"""What was filled into the forms of PDF files, and its place among the lines of a page."""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from pypdfium2 import raw as pdfium

from indexer.parse.outline import one_line
from indexer.parse.page_layout import PdfLine

MOST_FIELDS = 500
"""Fields on a page whose place is looked for."""
MOST_OPTIONS = 1_000
"""In a list."""
USUAL_SIZE = 12
"""Points."""
CHECKED = "✔"

_UNSEEN = pdfium.FPDF_ANNOT_FLAG_INVISIBLE | pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
_PASSWORD = 1 << 13
"""Flag of a field that shows stars."""
_BOXES = {pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON}
_LISTS = {pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX}


def filled_in(page: Any, form: Any) -> Iterator[PdfLine]:
    """What was typed, chosen and checked on `page`, each at its place, and text that was put upon it; without buttons,
    passwords and what is not shown on a screen. form: the environment of the document's forms."""
    for index in range(pdfium.FPDFPage_GetAnnotCount(page)):
        mark = pdfium.FPDFPage_GetAnnot(page, index)
        try:
            text, box = one_line(_said(mark, form)), pdfium.FS_RECTF()
            if text and pdfium.FPDFAnnot_GetRect(mark, ctypes.byref(box)):
                size = min(box.top - box.bottom, USUAL_SIZE)
                yield PdfLine(text, size, box.left, box.top, box.bottom, box.right, starts=(box.left,) * len(text))
        finally:
            pdfium.FPDFPage_CloseAnnot(mark)


def _said(mark: Any, form: Any) -> str:
    """What a mark on a page says to its reader."""
    subtype = pdfium.FPDFAnnot_GetSubtype(mark)
    if pdfium.FPDFAnnot_GetFlags(mark) & _UNSEEN:
        return ""
    if subtype == pdfium.FPDF_ANNOT_FREETEXT:
        return _text(partial(pdfium.FPDFAnnot_GetStringValue, mark, b"Contents"))
    kind = pdfium.FPDFAnnot_GetFormFieldType(form, mark) if subtype == pdfium.FPDF_ANNOT_WIDGET else -1
    if kind in _BOXES:
        return CHECKED * bool(pdfium.FPDFAnnot_IsChecked(form, mark))
    chosen = _chosen(mark, form) if kind in _LISTS else ""
    has_text = (
        kind == pdfium.FPDF_FORMFIELD_TEXTFIELD and not pdfium.FPDFAnnot_GetFormFieldFlags(form, mark) & _PASSWORD
    )
    if chosen or not (has_text or kind in _LISTS):
        return chosen
    return _text(partial(pdfium.FPDFAnnot_GetFormFieldValue, form, mark))


def _chosen(field: Any, form: Any) -> str:
    """The options of a list that are selected."""
    options = range(min(pdfium.FPDFAnnot_GetOptionCount(form, field), MOST_OPTIONS))
    chosen = (at for at in options if pdfium.FPDFAnnot_IsOptionSelected(form, field, at))
    return ", ".join(_text(partial(pdfium.FPDFAnnot_GetOptionLabel, form, field, at)) for at in chosen)


def _text(read: Callable[[Any, int], int]) -> str:
    """A text of the library. read: puts it into a place of a size, and gives the size that it takes."""
    size = read(None, 0)
    place = ctypes.create_string_buffer(size + 2)
    read(ctypes.cast(place, ctypes.POINTER(ctypes.c_ushort)), size)
    return place.raw[: max(size - 2, 0)].decode("utf-16-le", "replace")


def with_fields(lines: tuple[PdfLine, ...], fields: tuple[PdfLine, ...]) -> tuple[PdfLine, ...]:
    """The lines of a page with what was filled in: behind the text on its left, else before that on its right, else
    below what is above."""
    own = list(lines)
    for field in fields[:MOST_FIELDS]:
        _place(own, field)
    return (*own, *fields[MOST_FIELDS:])


def _place(own: list[PdfLine], field: PdfLine) -> None:
    """Put `field` among the lines of a page."""
    beside = [at for at, line in enumerate(own) if _is_beside(line, field)]
    if not beside:
        above = [at for at, line in enumerate(own) if line.bottom >= field.top - field.size / 2]
        own.insert(min(above, key=lambda at: own[at].bottom) + 1 if above else 0, field)
        return
    before = [at for at in beside if own[at].left < field.left]
    at = max(before, key=lambda at: own[at].left) if before else min(beside, key=lambda at: own[at].left)
    own[at] = _with_field(own[at], field)


def _is_beside(line: PdfLine, other: PdfLine) -> bool:
    """Whether two lines have half of the lower one's height in common."""
    common = min(line.top, other.top) - max(line.bottom, other.bottom)
    return common > min(line.top - line.bottom, other.top - other.bottom) / 2


def _with_field(line: PdfLine, field: PdfLine) -> PdfLine:
    """`line` with `field` between the words where it stands."""
    text = line.text
    at = max((index for index, start in enumerate(line.starts) if start < field.left), default=-1) + 1
    while 0 < at < len(text) and not text[at].isspace() and not text[at - 1].isspace():
        at += 1
    return replace(
        line,
        text=f"{text[:at]} {field.text} {text[at:]}",
        left=min(line.left, field.left),
        right=max(line.right, field.right),
        starts=(*line.starts[:at], field.left, *field.starts, field.left, *line.starts[at:]),
    )
