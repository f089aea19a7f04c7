"""Writes docs/settings.md: `python -m config.document >docs/settings.md`, or `make docs`.

Names, defaults and meanings come from `default.toml`, types and limits from `settings.py`.
"""

import sys
import tomllib
import types
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from config.bounds import AT_LEAST_0, Guid, Secret
from config.load import CONFIG_VARIABLE, DEFAULT_FILE, PREFIX, slices_of_settings
from config.schedule import AlertChannel, TimeZone
from domain.cron import Cron, Window
from domain.patterns import LinearRegex

_HEADING = LinearRegex(r"# -- (?P<title>.+)")
_SETTING = LinearRegex(r"(?P<key>\w+) = .*\s# (?P<meaning>.+)")

_INTRODUCTION = f"""\
# Settings

Made from `config/default.toml` and `config/settings.py` by `make docs`; change those, not this page.

Every setting has a default, and the defaults need no server, no model endpoint and no account. Each one can be given
in three places; the first that has it counts:

1. the environment, under its variable;
2. `kb.toml` in the working folder, or the file that `{CONFIG_VARIABLE}` names, under its key;
3. `config/default.toml`.

A list is written `a,b` in the environment and `["a", "b"]` in a file. Tables are written `[[key]]` in a file, behind
all plain keys, and as a JSON list of objects in the environment. An empty text means "not set". A variable that begins
with `{PREFIX}` and names no setting is an error, and so is an unknown key in the file.
"""

_PLAIN = {
    str: "text",
    Guid: "id, such as 00000000-0000-0000-0000-000000000000",
    Path: "path",
    int: "whole number",
    float: "number",
    bool: "true or false",
    Cron: "cron expression",
    Window: "two times of the day",
    TimeZone: "name of a time zone",
    AlertChannel: "`slack:` or `teams:` and an id",
}


@dataclass(frozen=True, slots=True)
class SettingEntry:
    """One setting, as its line in `default.toml` tells it."""

    heading: str
    """Of the part of the file that the setting stands in."""
    key: str
    meaning: str


def page() -> str:
    """The whole page."""
    text = DEFAULT_FILE.read_text(encoding="utf-8")
    defaults = tomllib.loads(text)
    entries = list(read_entries(text))
    if [entry.key for entry in entries] != list(defaults):
        raise ValueError(f"a setting in {DEFAULT_FILE.name} has no comment that says what it means")
    kinds = {
        key: hint
        for part in slices_of_settings().values()
        for key, hint in get_type_hints(part, include_extras=True).items()
    }
    parts = [_INTRODUCTION]
    for heading in dict.fromkeys(entry.heading for entry in entries):
        rows = [_row(entry, kinds[entry.key], defaults[entry.key]) for entry in entries if entry.heading == heading]
        head = ["| variable | key | type | default | meaning |", "| --- | --- | --- | --- | --- |"]
        parts.append("\n".join([f"## {heading[:1].upper()}{heading[1:]}", "", *head, *rows, ""]))
    return "\n".join(parts)


def read_entries(text: str) -> Iterator[SettingEntry]:
    """The settings in the text of `default.toml`, in its order."""
    heading = ""
    for line in text.splitlines():
        if found := _HEADING.fullmatch(line):
            heading = found["title"]
        elif found := _SETTING.fullmatch(line):
            yield SettingEntry(heading, found["key"], found["meaning"])


def _row(entry: SettingEntry, kind: Any, default: object) -> str:
    cells = (f"`{PREFIX}{entry.key.upper()}`", f"`{entry.key}`", describe(kind), _value(default), entry.meaning)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def describe(kind: Any) -> str:
    """What a setting of type `kind` takes, in words."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in {Union, types.UnionType}:
        return describe(next(each for each in arguments if each is not type(None)))
    if origin is Annotated:
        return f"{_PLAIN[arguments[0]]} {arguments[1]}"
    if origin is Literal:
        return " or ".join(f"`{each}`" for each in arguments)
    if origin is tuple:
        return f"tables of {_columns(arguments[0])}" if is_dataclass(arguments[0]) else "list of texts"
    if kind is Secret:
        return "text, never shown"
    return f"{_PLAIN[kind]} {AT_LEAST_0}" if kind in {int, float} else _PLAIN[kind]


def _columns(row: Any) -> str:
    """The keys of a table: `name`, `pattern`, `keywords`."""
    return ", ".join(f"`{field.name}`" for field in fields(row))


def _value(default: object) -> str:
    if default in ("", []):
        return "not set"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


if __name__ == "__main__":
    sys.stdout.write(page())
