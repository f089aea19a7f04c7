"""CSV and tab-separated values: one table whose first row names the columns."""

import csv
from pathlib import PurePosixPath

from domain.documents import ParsedFile, Span
from indexer.parse.formats import FileContent, Unparsable
from indexer.parse.limits import ParseLimits
from indexer.parse.outline import Outline
from indexer.parse.tables import TableCell, add_table

_SAMPLE = 10_000


def load(content: FileContent, limits: ParseLimits) -> ParsedFile:
    """A file of rows. Raises Unparsable when it is none."""
    lines, out = content.text.split("\n"), Outline(limits)
    try:
        rows = csv.reader((f"{line}\n" for line in lines), _dialect(content), strict=False)
        last = len(lines) - (not lines[-1].strip())
        add_table(out, ([TableCell(text) for text in row] for row in rows), Span(1, last), header_rows=1)
    except csv.Error:
        raise Unparsable("not a table of delimited values") from None
    return out.finish()


def _dialect(content: FileContent) -> type[csv.Dialect] | str:
    if PurePosixPath(content.name.lower()).suffix == ".tsv":
        return "excel-tab"
    try:
        return csv.Sniffer().sniff(content.text[:_SAMPLE].rpartition("\n")[0] or content.text[:_SAMPLE], ",;\t|")
    except csv.Error:
        return "excel"
