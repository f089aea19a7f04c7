"""The settings in force as an operator may see them: each with what it means and where it comes from, and no secret."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from config.bounds import Secret
from config.document import read_entries
from config.load import DEFAULT_FILE, slices_of_settings
from config.settings import Settings

NOT_SHOWN = "set, and not shown"


@dataclass(frozen=True, slots=True)
class ShownSetting:
    """One setting."""

    heading: str
    """Of the part that it stands in."""
    key: str
    meaning: str
    value: str
    """As text, not masked; empty where it is not set."""
    origin: str
    """A variable, or the key in a file; empty for the default."""


def shown_settings(settings: Settings) -> Iterator[ShownSetting]:
    """All of them, in the order of `default.toml`."""
    parts = [getattr(settings, name) for name in slices_of_settings()]
    values = {each.name: getattr(part, each.name) for part in parts for each in fields(part)}
    for entry in read_entries(DEFAULT_FILE.read_text(encoding="utf-8")):
        origin = settings.origins.get(entry.key, "")
        given = "" if origin.endswith(f" in {DEFAULT_FILE.name}") else origin
        yield ShownSetting(entry.heading, entry.key, entry.meaning, _shown(values[entry.key]), given)


def _shown(value: object) -> str:
    match value:
        case None | "" | ():
            return ""
        case Secret():
            return NOT_SHOWN
        case tuple():
            return ", ".join(map(_row, value))
        case bool():
            return str(value).lower()
        case _:
            return str(value)


def _row(value: object) -> str:
    """A text of a list; of a table its name."""
    return str(getattr(value, "name", value))
