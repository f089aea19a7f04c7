"""A data set in the BEIR layout as a source: `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`, plain or .gz."""

import csv
import gzip
import json
import zlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from domain.access import ORGANISATION, Acl
from domain.errors import Refused
from indexer.sources.connector import FetchedDocument, ListedDocument, SkippedDocument


@dataclass(frozen=True, slots=True)
class BeirQuery:
    """A question of the set. gold: grades of its relevant documents by corpus id; empty when it has no answer."""

    text: str
    gold: dict[str, int]


class BeirFolder:
    """Reads the data set in `folder`. Its corpus is a Connector.

    titles: whether documents have their titles; one without a text keeps its title as the text.

    Raises Refused when a file is missing or not of the layout.
    """

    def __init__(self, folder: Path, *, titles: bool = True) -> None:
        self._folder, self._titles = folder, titles
        self._corpus = {row["_id"]: row for row in self._rows("corpus.jsonl")}

    @property
    def acl(self) -> Acl:
        """Everybody may read it."""
        return ORGANISATION

    async def listing(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        """See indexer.sources.connector.Connector."""
        for key, row in self._corpus.items():
            yield ListedDocument(
                key, key, f"{(self._folder / 'corpus.jsonl').as_uri()}#{key}", row["title"] if self._titles else ""
            )

    async def fetch(self, item: ListedDocument) -> FetchedDocument:
        """See indexer.sources.connector.Connector."""
        row = self._corpus[item.external_id]
        text = row["text"] or row["title"]  # some sets have documents of a title alone
        return FetchedDocument(text.encode(), "document.txt", "text/plain")

    def queries(self) -> list[BeirQuery]:
        """The questions with their judgements."""
        gold: dict[str, dict[str, int]] = {}
        for query_id, document, grade in self._judgements():
            if grade > 0:
                gold.setdefault(query_id, {})[document] = grade
        return [BeirQuery(row["text"], gold.get(row["_id"], {})) for row in self._rows("queries.jsonl")]

    def _judgements(self) -> Iterator[tuple[str, str, int]]:
        rows = csv.reader(self._lines("qrels/test.tsv"), delimiter="\t")
        try:
            next(rows, None)
            for row in filter(None, rows):
                yield row[0], row[1], int(row[2])
        except (IndexError, ValueError, csv.Error):
            raise self._malformed("qrels/test.tsv", rows.line_num) from None

    def _rows(self, name: str) -> Iterator[dict[str, str]]:
        """The objects of a file, each with `_id`, `text` and `title`."""
        for number, line in enumerate(self._lines(name), start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                found = {"_id": _text(row["_id"]), "text": _text(row["text"]), "title": _text(row.get("title"))}
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                raise self._malformed(name, number) from None
            yield found

    def _lines(self, name: str) -> Iterator[str]:
        """The lines of a file, plain or packed."""
        with self._open(name) as file:
            try:
                yield from file
            except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
                raise Refused(
                    f"{name} cannot be read", why=f"{error}.", next_step="Fetch the data set again."
                ) from error

    def _open(self, name: str) -> IO[str]:
        plain, packed = self._folder / name, self._folder / f"{name}.gz"
        if plain.is_file():
            return plain.open(encoding="utf-8")
        if packed.is_file():
            return gzip.open(packed, "rt", encoding="utf-8")
        raise Refused(
            f"{self._folder} has no {name}",
            why="A data set in the BEIR layout has corpus.jsonl, queries.jsonl and qrels/test.tsv, plain or .gz.",
            next_step="Check the folder.",
        )

    def _malformed(self, name: str, line: int) -> Refused:
        return Refused(
            f"Line {line} of {name} is not of the BEIR layout",
            why='Documents and queries are {"_id", "text", …} objects, judgements three columns.',
            next_step="Mend the file.",
        )


def _text(value: object) -> str:
    """A value as text that can be stored: JSON can spell NUL and halves of characters."""
    return "" if value is None else str(value).replace("\0", " ").encode(errors="replace").decode().strip()
