"""Small data sets in the BEIR layout."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path


def lines(rows: Sequence[Mapping[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def a_data_set(
    folder: Path, corpus: Sequence[Mapping[str, object]], queries: Sequence[Mapping[str, object]], qrels: str
) -> Path:
    """The folder, filled; qrels: question, document and grade on each line, apart by tabs."""
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(lines(corpus))
    (folder / "queries.jsonl").write_text(lines(queries))
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{qrels}")
    return folder
