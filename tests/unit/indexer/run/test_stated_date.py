from datetime import UTC, datetime

import pytest

from domain.access import NOBODY
from domain.documents import Block, BlockKind, ParsedFile
from indexer.run.source_document import source_document
from indexer.run.stated_date import HEAD, TAIL, stated_date
from indexer.sources.connector import FetchedDocument, ListedDocument

FILLER = "The pump has no date."


def blocks(*texts: str) -> list[Block]:
    return [Block(BlockKind.PROSE, text) for text in texts]


def day(year: int, month: int, number: int) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Last updated: 2026-03-31", day(2026, 3, 31)),
        ("last-modified 2026-03-31 by Ada", day(2026, 3, 31)),
        ("Updated on 5 March 2026.", day(2026, 3, 5)),
        ("Reviewed 5. Mar. 2026", day(2026, 3, 5)),
        ("This policy is effective from 1 January 2025 onwards", day(2025, 1, 1)),
        ("In force since 2024-12-01", day(2024, 12, 1)),
        ("| Date | 2026-01-02 |", day(2026, 1, 2)),
        ("Status: accepted, 2023-09-08", day(2023, 9, 8)),
        ("Stand: 3. April 2025", day(2025, 4, 3)),
        ("Gültig ab 2025-07-01", day(2025, 7, 1)),
        ("最終更新日：2026-02-03", day(2026, 2, 3)),
        ("施行日 2024-04-01", day(2024, 4, 1)),
        ("最終更新日：2026年2月3日", day(2026, 2, 3)),
        ("Verantwortlich: Personalabteilung. Stand: 3. Juni 2026.", day(2026, 6, 3)),
        ("Stand: 3. März 2026", day(2026, 3, 3)),
        ("Stand: 3. Mai 2026", day(2026, 5, 3)),
        ("Stand: 12. Dezember 2025", day(2025, 12, 12)),
        ("Zuletzt geändert am 03.10.2025", day(2025, 10, 3)),
        ("Mis à jour le 1er août 2025", day(2025, 8, 1)),
        ("Última actualización: 3 de enero de 2026", day(2026, 1, 3)),
        ("Updated June 5, 2026", day(2026, 6, 5)),
        ("Released: 2026-07-07", day(2026, 7, 7)),
        ("- **Date:** 2026-07-07", day(2026, 7, 7)),
        ("Owner: Ada. Review date: 2026-07-07", day(2026, 7, 7)),
    ],
)
def test_a_date_that_the_text_states_of_itself(text: str, expected: datetime) -> None:
    assert stated_date(blocks(FILLER, text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The outage of 2026-03-31 lasted an hour.",
        "Updated regularly",
        "Updated 2026-13-31",
        "Updated 30 February 2026",
        "Updated 5 Smarch 2026",
        "Updated 0000-01-01",
        "Last updated by the team that met on and after that long afternoon of 2026-03-31",
        "Updated\n2026-03-31",
        "Updated 5 June",
        "D2: Samira takes over. The new date is 15 January 2027.",
        "The sensor was released on 2026-07-07",
    ],
)
def test_other_dates_and_wrong_ones_are_none(text: str) -> None:
    assert stated_date(blocks(text)) is None


def test_a_wrong_date_does_not_hide_a_right_one() -> None:
    assert stated_date(blocks("Updated 2026-99-99. Reviewed 2026-01-02.")) == day(2026, 1, 2)


def test_only_the_beginning_and_the_end_are_looked_at() -> None:
    middle = [FILLER] * HEAD + ["Updated 2020-01-01"] + [FILLER] * TAIL
    assert stated_date(blocks(*middle)) is None
    assert stated_date(blocks(*[FILLER] * (HEAD - 1), "Updated 2020-01-01", *[FILLER] * 9)) == day(2020, 1, 1)
    assert stated_date(blocks(*[FILLER] * 9, "Updated 2020-01-01", *[FILLER] * (TAIL - 1))) == day(2020, 1, 1)


def test_the_first_one_counts() -> None:
    assert stated_date(blocks("Updated 2025-05-05", FILLER, "Updated 2026-06-06")) == day(2025, 5, 5)


def dated(
    *, said: str = "", text: str = FILLER, modified: datetime | None = None, stamped: bool = False, **metadata: str
) -> tuple[datetime | None, tuple[str, ...]]:
    """The date and the labels of a document."""
    parsed = ParsedFile("Title", tuple(blocks(text)), {"updated": said, **metadata})
    item = ListedDocument("a.md", "a.md", "file:///a.md", modified_at=modified, stamped=stamped)
    document = source_document("docs", item, FetchedDocument(b"", "a.md"), parsed, NOBODY, b"")
    return document.updated_at, document.labels


def test_the_files_own_word_comes_first_then_its_text_then_the_source() -> None:
    modified = day(2021, 1, 1)
    assert dated(said="2023-03-03", text="Updated 2022-02-02", modified=modified)[0] == day(2023, 3, 3)
    assert dated(text="Updated 2022-02-02", modified=modified)[0] == day(2022, 2, 2)
    assert dated(modified=modified)[0] == modified
    assert dated(modified=modified, stamped=True)[0] is None, "when a file was copied is no date of its text"
    assert dated()[0] is None
    assert dated(said="not a date", modified=modified)[0] == modified


@pytest.mark.parametrize("said", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "0001-01-01"])
def test_days_that_some_time_zones_do_not_have_are_no_dates(said: str) -> None:
    assert dated(said=said)[0] is None


def test_labels_are_told_apart() -> None:
    assert dated(labels=" a , ,b" + "b" * 500)[1] == ("a", "b" * 501)
