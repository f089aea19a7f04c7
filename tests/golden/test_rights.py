"""The page shows what people see, as the flows have played it."""

from tests.golden.rights import FOLDER, PAGE, in_page, names

PLAYED = {"closed_slack", "closed_teams", "closed_terminal", "deleted_slack", "deleted_teams"}


def test_every_transcript_is_there_and_in_the_page() -> None:
    assert set(names()) == PLAYED
    page = PAGE.read_text(encoding="utf-8")
    for name in names():
        assert in_page(name, (FOLDER / f"{name}.txt").read_text(encoding="utf-8")) in page, name
