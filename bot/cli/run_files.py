"""Files of results, a line of JSON for each question: what `kb eval … --out` keeps and `kb eval compare` reads."""

import errno
import json
import math
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import click

from bot.app.named_file import text_of
from bot.markup.plain_text import one_line
from domain.errors import Misconfigured, Refused

if TYPE_CHECKING:
    from agent.evaluation.judged_questions import JudgedQuestion

out_option = click.option(
    "--out", type=click.Path(path_type=Path), metavar="RUN.jsonl", help="Keep a line for each question, to be compared."
)


def check_writable(out: Path | None) -> None:
    """Raises Misconfigured for a file that cannot be written, before any question is asked. What it holds stays."""
    if out:
        try:
            with out.expanduser().open("a", encoding="utf-8"):
                pass
        except (OSError, ValueError, RuntimeError) as error:
            raise _unwritable(out, error) from None


def write_rows(out: Path | None, rows: Iterable[Mapping[str, object]]) -> None:
    """Writes the rows; nothing where no file is named. Raises Misconfigured, also for a number without end."""
    if not out:
        return
    made = list(rows)
    try:
        lines = [json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in made]
    except ValueError:
        raise Misconfigured(
            f"{out} is not written",
            why="A measure is not a number, or is infinite; such a run cannot be compared.",
            next_step="Measure without --out to see which one it is.",
        ) from None
    write_text(out, "".join(lines))


def write_measures(
    out: Path | None, questions: "Sequence[JudgedQuestion]", found: Mapping[str, Sequence[Mapping[str, float]]]
) -> None:
    """The same for measures by variant, those of each variant in the order of the questions. A text that is asked more
    than once in a data set has a number from the second time on, one with which it is no other question's text."""
    ids = _told_apart([question.text for question in questions])
    rows = (
        {"id": name, "variant": variant, "measures": measures}
        for variant, measured in found.items()
        for name, measures in zip(ids, measured, strict=True)
    )
    write_rows(out, rows)


def _told_apart(texts: Sequence[str]) -> list[str]:
    taken, seen = set(texts), set[str]()
    numbers = {text: count(2) for text in taken}
    ids = []
    for text in texts:
        name = text
        if text in seen:
            name = next(each for each in (f"{text} ({number})" for number in numbers[text]) if each not in taken)
        seen.add(text)
        taken.add(name)
        ids.append(name)
    return ids


def write_text(out: Path, text: str) -> None:
    """Writes a file; what it held before stays until all is written. Raises Misconfigured."""
    try:
        _replace(_linked(out.expanduser()), text)
    except (OSError, ValueError, RuntimeError) as error:
        raise _unwritable(out, error) from None


def _unwritable(out: Path, error: Exception) -> Misconfigured:
    return Misconfigured(
        f"{out} cannot be written",
        why=f"{getattr(error, 'strerror', None) or error}.",
        next_step="Name another file.",
    )


_ONLY_IN_PLACE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV}
"""Errors of a folder that takes no new file, and of a file that is mounted by itself."""


_MOST_LINKS = 40
"""Links that lead to one another, as many as Linux follows."""


def _linked(file: Path) -> Path:
    """The file that links lead to, which need not exist; a name that leads to an open file is left as it is."""
    for _ in range(_MOST_LINKS):
        if not file.is_symlink() or _names_an_open_file(file):
            break
        file = file.parent / file.readlink()
    return file


def _names_an_open_file(file: Path) -> bool:
    """Whether it is such as /dev/stdout: what is open would be another file once its own was replaced."""
    folder = file.parent.resolve()
    return folder in {Path("/dev"), Path("/dev/fd")} or folder.is_relative_to("/proc")


def _replace(file: Path, text: str) -> None:
    """Writes the text beside the file, and puts that in its place; a device or an open file is written to."""
    if _names_an_open_file(file) or file.is_symlink() or (file.exists() and not file.is_file()):
        file.write_text(text, encoding="utf-8")
        return
    beside = file.with_name(f".{token_hex(8)}.part")
    earlier = file.exists()
    try:
        # nobody reads the new text who may not read the earlier one; a new file's mode follows from the umask
        opened = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600 if earlier else 0o666)
        with os.fdopen(opened, "w", encoding="utf-8") as written:
            written.write(text)
        if earlier:
            shutil.copymode(file, beside)
        beside.replace(file)
    except OSError as error:
        if error.errno not in _ONLY_IN_PLACE:
            raise
        file.write_text(text, encoding="utf-8")
    finally:
        with suppress(OSError):
            beside.unlink()


Rows = dict[str, dict[str, dict[str, float]]]
"""The measures by variant (a method, mode or setting; empty where a run has none) and by question."""


def read_run(file: Path) -> Rows:
    """What --out kept. Raises Refused for what is no such file."""
    text = text_of(file, f"The run {file}", "Name a file that --out of kb eval wrote.", Refused)
    lines = text.removesuffix("\n").split("\n") if text else []  # a question may hold what else divides lines
    found: Rows = {}
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
            variant, name, measures = str(row.get("variant", "")), str(row["id"]), _measures(row)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            raise _malformed(
                file, number, "is not a result", "A line holds a question's id and measures, as JSON."
            ) from None
        rows = found.setdefault(variant, {})
        if name in rows:
            raise _malformed(
                file,
                number,
                "names a question again",
                f"{one_line(name)[:80]} has a result above. An earlier release wrote so what a data set asks twice.",
                "Measure again: run kb eval with --out.",
            )
        rows[name] = measures
    if not found:
        raise Refused(f"{file} holds no result", next_step="Run kb eval with --out again.")
    return found


def _malformed(
    file: Path, line: int, what: str, why: str, next_step: str = "Name a file that --out of kb eval wrote."
) -> Misconfigured:
    return Misconfigured(f"Line {line} of {file} {what}", why=why, next_step=next_step)


def _measures(row: dict[str, Any]) -> dict[str, float]:
    """The numbers of a row; of an answer also whether it was right, or rightly declined, as 0 or 1. Raises ValueError
    for one that is no number or has no end."""
    verdict = {}
    if "verdict" in row:
        name, good = ("right", "right") if row["answerable"] else ("rightly_declined", "declined")
        verdict = {name: float(row["verdict"] == good)}
    measures = {str(name): float(value) for name, value in row["measures"].items()}
    if not all(map(math.isfinite, measures.values())):
        raise ValueError("a measure is not a number")
    return verdict | measures
