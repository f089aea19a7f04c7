"""What files say of themselves, in one form for all formats."""

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from indexer.parse.outline import one_line

LONGEST_VALUE = 1_000
"""Characters kept of one value: names and labels, not texts."""

_PDF_DATE = re.compile(r"D?:?(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(?:Z|([+-]\d\d)'?(\d\d)?'?)?")


def collect(**values: str) -> dict[str, str]:
    """The values that are not empty, each on one line and of bounded length."""
    kept = {key: one_line(value[: 2 * LONGEST_VALUE])[:LONGEST_VALUE] for key, value in values.items()}
    return {key: value for key, value in kept.items() if value}


def labels(texts: Iterable[str]) -> str:
    """Labels given one by one or comma separated: comma separated, each once, in their order."""
    names = (one_line(name).removeprefix("#") for text in texts for name in text.split(","))
    return ", ".join(dict.fromkeys(name for name in names if name))


def moment(text: str) -> str:
    """A date or time in ISO 8601, RFC 2822 or PDF notation, as ISO 8601 with time zone (UTC when it names none).

    Empty when `text` is no date: a wrong date misleads where none does not.
    """
    for parse in (datetime.fromisoformat, parsedate_to_datetime, _pdf):
        with suppress(ValueError, OverflowError):
            parsed = parse(text.strip())
            return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).isoformat(timespec="seconds")
    return ""


def _pdf(text: str) -> datetime:
    """A date in PDF notation. Raises ValueError for anything else."""
    found = _PDF_DATE.fullmatch(text)
    if found is None:
        raise ValueError(text)
    year, month, day, hour, minute, second, zone, zone_minutes = found.groups(default="00")
    if found[7] is None:
        zone = "+00"
    return datetime.fromisoformat(f"{year}-{month}-{day}T{hour}:{minute}:{second}{zone}:{zone_minutes}")
