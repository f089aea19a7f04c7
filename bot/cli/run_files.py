"""Files of results, a line of JSON for each question: what `kb eval … --out` keeps and `kb eval compare` reads."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from domain.errors import Misconfigured

out_option = click.option(
    "--out", type=click.Path(path_type=Path), metavar="RUN.jsonl", help="Keep a line for each question, to be compared."
)


def check_writable(out: Path | None) -> None:
    """Raises Misconfigured for a file that cannot be written, before any question is asked."""
    if out:
        write_text(out, "")


def write_rows(out: Path | None, rows: Iterable[Mapping[str, object]]) -> None:
    """Writes the rows; nothing where no file is named. Raises Misconfigured."""
    if out:
        write_text(out, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def write_text(out: Path, text: str) -> None:
    """Writes a file. Raises Misconfigured."""
    try:
        out.expanduser().write_text(text, encoding="utf-8")
    except (OSError, ValueError, RuntimeError) as error:
        raise Misconfigured(
            f"The results cannot be written to {out}",
            why=f"{getattr(error, 'strerror', None) or error}.",
            next_step="Name another file: --out RUN.jsonl.",
        ) from None
