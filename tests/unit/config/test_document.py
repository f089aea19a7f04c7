from pathlib import Path
from typing import Annotated, Literal

import pytest

from config.bounds import Bounds, Secret
from config.document import describe, page, read_entries
from config.load import DEFAULT_FILE
from config.schedule import TimeZone
from config.settings import MaskingRule
from domain.cron import Cron, Window

PAGE = DEFAULT_FILE.parents[1] / "docs" / "settings.md"


def test_the_committed_page_is_what_the_settings_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: make docs"


def test_reads_headings_and_meanings() -> None:
    text = '# -- where things are\nfolder = "a # b"  # the folder\n\n# -- how many\ncount = 3 # things, at most\n'
    found = [(entry.heading, entry.key, entry.meaning) for entry in read_entries(text)]
    assert found == [("where things are", "folder", "the folder"), ("how many", "count", "things, at most")]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (str, "text"),
        (str | None, "text"),
        (Path | None, "path"),
        (Secret | None, "text, never shown"),
        (bool, "true or false"),
        (int, "whole number of 0 or more"),
        (Annotated[float, Bounds(0, 1)], "number from 0 to 1"),
        (Literal["one", "two"], "`one` or `two`"),
        (tuple[str, ...], "list of texts"),
        (Cron | None, "cron expression"),
        (Window | None, "two times of the day"),
        (TimeZone | None, "name of a time zone"),
        (tuple[MaskingRule, ...], "tables of `name`, `pattern`, `keywords`"),
    ],
)
def test_describes_types_in_words(kind: object, words: str) -> None:
    assert describe(kind) == words
