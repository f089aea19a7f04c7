"""Names that stand alone behind a label (`Owner: Femi`) or in a table's cell, and the relations that these state. Pure.

A label says how its value hangs together with the document; a table's header how a cell hangs together with the first
cell of its row.
"""

import re
from collections.abc import Collection, Iterator
from itertools import groupby

from domain.knowledge_graph import RelationOrigin, name_key
from domain.text.name_candidates import ALONE, is_name
from indexer.graph.annotation import Field, NamedSpan

CONFIDENCE = 0.85
"""Of a relation that a label or a header states."""

LONGEST_LABEL = 4
"""Words of a label or a header; what is longer is a sentence."""

LONGEST_VALUE = 6
"""Words of a value that may be a name."""

LONGEST_LISTED = 300
"""Characters of a list of names."""

MAX_ROWS = 200
"""Rows of one table that are read."""

_NAME = 0.5
_ROW = 0.6
_PART = re.compile(r"[^.;·•\n]+(?:\.(?![ \n]|\Z)[^.;·•\n]*)*")
_LABEL = re.compile(r"[\s>*_#-]*(?:\d{1,3}[.)] )?[*_]*([A-Z][\w /&,'-]{1,40}?)[*_]*:[*_]*[ \t]+")
_ITEM = re.compile(r"[^,&()]+?(?=\s*(?:,|&|\(|\Z| and ))")
_BRACKETS = re.compile(r"\([^()\n]{0,100}\)")
_BULLET = re.compile(r"^[ \t]*[-*•] ([^\n(]{1,80})(?:\([^()\n]{0,80}\))?[ \t]*[^\n]*$", re.MULTILINE)
_CELL = re.compile(r"[^|\n]+")
_RULE = re.compile(r"[|:\s-]+")
_NO_LABEL = frozenset(
    """
    note warning example examples tip important caution attention hint see update todo question answer step status
    http https e.g i.e usage default reason result summary goal date time version
    """.split()  # noqa: SIM905 - a paragraph is read and changed more easily than quoted words
)


def fields_in(text: str, terms: Collection[str]) -> list[Field]:
    """The labelled values of a text, and the cells of its tables. terms: what the markup of the document shows as a
    name, however it is written."""
    found: list[Field] = []
    if ":" in text:
        found += _labelled(text, terms)
    if "|" in text:
        found += _tables(text, terms)
    return found


def listed_names(text: str) -> Iterator[NamedSpan]:
    """The items of lists of which each item is a name, what stands in brackets behind it apart."""
    found = list[NamedSpan | None]()
    for item in _BULLET.finditer(text):
        said = item[1].strip(" *_`")
        named = is_name(said) and len(said.split()) <= LONGEST_VALUE and said.casefold() not in ALONE
        key = name_key(said) if named else ""
        first = item.start(1) + item[1].find(said)
        found.append(NamedSpan(first, first + len(said), key, said, _NAME) if key else None)
    if len(found) > 1 and all(found):
        yield from filter(None, found)


def _labelled(text: str, terms: Collection[str]) -> Iterator[Field]:
    for part in _PART.finditer(text):
        if part[0].lstrip().startswith("|"):
            continue
        label = _LABEL.match(part[0])
        if label is None:
            continue
        said = label[1].lower()
        if len(said.split()) > LONGEST_LABEL or said.split()[0] in _NO_LABEL:
            continue
        begin = part.start() + label.end()
        if part.end() - begin > LONGEST_LISTED:
            continue
        for value in _values(text, begin, part.end(), terms):
            yield Field(None, said, value, RelationOrigin.FIELD)


def _tables(text: str, terms: Collection[str]) -> Iterator[Field]:
    at, lines = 0, list[tuple[int, str]]()
    for line in text.split("\n"):
        lines.append((at, line))
        at += len(line) + 1
    for inside, rows in groupby(lines, key=lambda each: each[1].lstrip().startswith("|")):
        if inside:
            yield from _table(text, [row for row in rows if not _RULE.fullmatch(row[1])][: MAX_ROWS + 1], terms)


def _table(text: str, rows: list[tuple[int, str]], terms: Collection[str]) -> Iterator[Field]:
    """The cells of each row that are names, as what the header calls them of the first cell."""
    if len(rows) < 2:
        return
    headers = [cell.strip(" *_`").lower() for cell in _cells(rows[0][1])]
    for at, row in rows[1:]:
        cells = list(_CELL.finditer(row))
        subject = _subject(text, at + cells[0].start(), at + cells[0].end()) if cells else None
        if subject is None:
            continue
        for header, cell in zip(headers[1:], cells[1:], strict=False):
            if header and len(header.split()) <= LONGEST_LABEL:
                for value in _values(text, at + cell.start(), at + cell.end(), terms):
                    if value.key != subject.key:
                        yield Field(subject, header, value, RelationOrigin.TABLE)


def _cells(row: str) -> list[str]:
    return [cell[0] for cell in _CELL.finditer(row)]


def _subject(text: str, start: int, end: int) -> NamedSpan | None:
    """What the first cell of a row names, without what stands in brackets there; None for a number or a sentence."""
    said = _BRACKETS.sub("", text[start:end]).strip(" *_`")
    key = name_key(said)
    if not key or not any(map(str.isalpha, said)) or len(said.split()) > LONGEST_VALUE:
        return None
    first = text.find(said, start, end)
    return NamedSpan(first, first + len(said), key, said, _ROW) if first >= 0 else None


def _values(text: str, start: int, end: int, terms: Collection[str]) -> Iterator[NamedSpan]:
    """The names that a value lists, when it is nothing but a list of names."""
    plain = _BRACKETS.sub(lambda found: " " * len(found[0]), text[start:end])
    found = []
    for item in _ITEM.finditer(plain):
        said = item[0].removeprefix(" and ").strip(' *_`"')
        if not said:
            continue
        if said not in terms and not (len(said.split()) <= LONGEST_VALUE and is_name(said)):
            return
        first = text.find(said, start + item.start(), end)
        key = name_key(said)
        if key and first >= 0 and said.casefold() not in ALONE:
            found.append(NamedSpan(first, first + len(said), key, said, _NAME))
    yield from found
