"""CSV and tab-separated values: one table whose first row names the columns."""

import csv
import re
from pathlib import PurePosixPath

from domain.documents import ParsedFile, Span
from indexer.parse.formats import FileContent, Unparsable
from indexer.parse.limits import ParseLimits
from indexer.parse.outline import Outline
from indexer.parse.tables import TableCell, add_table

_SAMPLE = 10_000
_NAMED = re.compile(r"sep=([^\n\r\"])\r?", re.IGNORECASE)
"""A first line that names the delimiter, as spreadsheets write it; it is no row."""


def load(content: FileContent, limits: ParseLimits) -> ParsedFile:
    """A file of rows. Raises Unparsable when it is none."""
    lines, out = content.text.split("\n"), Outline(limits)
    try:
        named = _NAMED.fullmatch(lines[0])
        first = 1 if named else 0
        delimiter = named[1] if named else _delimiter(content)
        # blanks before a cell say nothing, but would hide its quotes
        rows = csv.reader((f"{line}\n" for line in lines[first:]), delimiter=delimiter, skipinitialspace=True)
        last = len(lines) - (not lines[-1].strip())
        add_table(out, ([TableCell(text) for text in row] for row in rows), Span(first + 1, last), header_rows=1)
    except csv.Error:
        raise Unparsable("not a table of delimited values") from None
    return out.finish()


def _delimiter(content: FileContent) -> str:
    """What stands between cells. The sniffer's idea of quotes is none of a whole file, so that it is not taken."""
    if PurePosixPath(content.name.lower()).suffix == ".tsv":
        return "\t"
    try:
        sample = content.text[:_SAMPLE].rpartition("\n")[0] or content.text[:_SAMPLE]
        return csv.Sniffer().sniff(sample, ",;\t|").delimiter
    except csv.Error:
        return ","
