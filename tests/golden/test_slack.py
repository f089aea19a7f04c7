import pytest

from tests.fakes.slack_limits import wrong_with_blocks, wrong_with_message, wrong_with_view
from tests.golden.slack import FOLDER, files, shown

FILES = files()
CITED = ("https://wiki.example", "https://acme.slack.example")


@pytest.mark.parametrize("name", FILES)
def test_slack_is_sent_what_the_file_holds(name: str) -> None:
    golden = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert shown(FILES[name]) == golden, "if it was meant to change: python -m tests.golden.slack --write"


def test_every_file_is_compared() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(FILES)


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("markdown_")])
def test_slack_takes_the_blocks(name: str) -> None:
    assert wrong_with_blocks(FILES[name], CITED) == []


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith(("outcome_", "command_"))])
def test_slack_takes_the_messages(name: str) -> None:
    for message in FILES[name]:
        assert wrong_with_message(message["text"], message["blocks"], CITED) == []


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("view_")])
def test_slack_takes_the_views(name: str) -> None:
    assert wrong_with_view(FILES[name], CITED) == []
