"""`kb mask`: standard input without secrets and personal data."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import click

from bot.cli.options import json_option
from bot.markup.plain_text import counted, escaped
from bot.terminal.output import masker, print_result, say, settings_in_force, writing_output
from config.settings import Settings
from domain.errors import Refused
from domain.text.encodable import encodable

if TYPE_CHECKING:
    from domain.masking import MaskedText, Masker

FOUND = WITHHELD = 1
"""Exit codes: --check found something; the masker gave up on a text."""


@click.command()
@json_option
@click.option("--jsonl", is_flag=True, help='Read one {"text": …} object a line, and write one a line.')
@click.option("--check", is_flag=True, help="Write no text; exit with 1 when anything would be masked.")
@click.option("--kinds", is_flag=True, help="List the kinds of what is masked; reads nothing.")
def mask(*, as_json: bool, jsonl: bool, check: bool, kinds: bool) -> int:
    """Write the text on standard input without secrets and personal data.

    With --json, one {"masked", "spans"} object is written: each span has the kind of what was masked, and its place in
    the input in characters, end not included. With --jsonl the same is done for the text of each line; its other keys
    are passed through as they are.

    Neither an index nor a database is needed. Exit code 1 without any output: the text could not be checked.
    """
    if as_json and (jsonl or check):
        raise click.UsageError("--json goes with neither --jsonl nor --check.")
    if kinds and (jsonl or check):
        raise click.UsageError("--kinds stands alone, or with --json.")
    settings = settings_in_force()
    if kinds:
        return _list_kinds(settings, as_json=as_json)
    if sys.stdin.isatty():
        raise click.UsageError("There is no text on standard input. Example: kb mask <notes.txt")
    raw = sys.stdin.buffer.read()
    text = raw.decode(errors="replace")
    if text.encode() != raw:
        say("What is not UTF-8 in the input is replaced by U+FFFD.", err=True)
    try:
        if check:
            return look_for(rows(text) if jsonl else [(0, {"text": text})], masker())
        return write_lines(text, masker()) if jsonl else write_masked(text, masker(), as_json=as_json)
    finally:
        with writing_output():
            sys.stdout.flush()


def write_masked(text: str, masker: "Masker", *, as_json: bool) -> int:
    """Writes the text masked, or the object about it; gives the exit code."""
    found = masker.mask(text)
    if found.withheld:
        return _withheld("The text")
    _write(_line({"masked": found.text, "spans": _spans(found)}) if as_json else found.text)
    return 0


def write_lines(text: str, masker: "Masker") -> int:
    """Writes an object for each of `rows`; gives the exit code."""
    for number, row in rows(text):
        found = masker.mask(row["text"])
        if found.withheld:
            return _withheld(f"The text in line {number}")
        ours = {"masked": found.text, "spans": _spans(found)}
        shown: dict[str, object] = {}
        for name, value in row.items():
            if name == "text":
                shown |= ours
            elif name not in ours:
                shown[name] = value
        _write(_line(shown))
    return 0


def look_for(given: Iterable[tuple[int, Any]], masker: "Masker") -> int:
    """Says on standard error how much of each kind would be masked in the texts of `rows`; gives the exit code."""
    counts: Counter[str] = Counter()
    for number, row in given:
        found = masker.mask(row["text"])
        if found.withheld:
            return _withheld(f"The text in line {number}" if number else "The text")
        counts.update(found.counts)
    if not counts:
        return 0
    kinds = ", ".join(f"{kind} {count:,}" for kind, count in counts.most_common())
    say(f"{counted(counts.total(), 'finding')}: {kinds}", err=True)
    return FOUND


def rows(text: str) -> Iterator[tuple[int, Any]]:
    """The objects, each with the number of its line; blank lines hold none. JSON can spell halves of characters, which
    become U+FFFD in a text.

    Raises:
        Refused: a line is not of the form.
    """
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, parse_constant=_no_number)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict) or not isinstance(row.get("text"), str):
            raise Refused(
                f"Line {number} is not a text",
                why='It takes one {"text": …} object a line, in JSON. The lines before it are written.',
                next_step="Mend that line and try again.",
            )
        yield number, {**row, "text": encodable(row["text"])}


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _spans(found: "MaskedText") -> list[dict[str, object]]:
    return [{"start": each.start, "end": each.end, "kind": each.kind} for each in found.findings]


def _line(value: Mapping[str, object]) -> str:
    return escaped(json.dumps(value, ensure_ascii=False)) + "\n"


def _write(text: str) -> None:
    """The very characters: no line end is changed."""
    with writing_output():
        sys.stdout.buffer.write(text.encode())


def _withheld(what: str) -> int:
    say(f"{what} was withheld: it could not be checked for secrets.\n  next: try a smaller part of it.", err=True)
    return WITHHELD


def _list_kinds(settings: Settings, *, as_json: bool) -> int:
    from domain.masking import RULES

    kinds = {rule.kind: "personal data" if rule.personal else "secret" for rule in RULES}
    kinds |= {rule.name: "secret" for rule in settings.masking.masking_rules}
    off = settings.masking.mask_off
    value = {"kinds": [{"kind": kind, "is": what, "off": kind in off} for kind, what in kinds.items()]}
    width = max(len(kind) for kind in kinds)
    lines = [f"{kind:<{width}}  {what}{', off' if kind in off else ''}" for kind, what in kinds.items()]
    print_result(value, "\n".join(lines), as_json=as_json)
    return 0
