from typing import Any

import pytest

from tests.fakes.slack_limits import wrong_with_blocks, wrong_with_message, wrong_with_view
from tests.golden.chats import shown
from tests.golden.slack import FOLDER, LINKED, files

FILES = files()
CITED = [
    *("https://wiki.example/leave?a=1&b=2", "https://wiki.example/vpn", "https://acme.slack.example"),
    *LINKED,
]


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


def said(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def rich(*runs: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(runs)}]}


@pytest.mark.parametrize(
    "block",
    [
        said("<!channel>"),
        said("<@U1>"),
        said("<https://evil.example|x>"),
        said("a < b"),
        said(""),
        said("x" * 3_001),
        {"type": "section", "text": {"type": "mrkdwn", "text": "https://evil.example"}},
        {"type": "header", "text": {"type": "plain_text", "text": "x" * 151}},
        {"type": "header", "text": {"type": "plain_text", "text": "<!here>"}},
        {"type": "actions", "elements": []},
        {"type": "table", "rows": []},
        rich(),
        rich({"type": "text", "text": ""}),
        rich({"type": "broadcast", "range": "channel"}),
        rich({"type": "user", "user_id": "U1"}),
        rich({"type": "link", "text": "x", "url": "https://evil.example"}),
        rich({"type": "text", "text": "x" * 1_500}, {"type": "text", "text": "😀" * 750}),
    ],
)
def test_what_slack_would_not_take_is_seen(block: dict[str, Any]) -> None:
    assert wrong_with_blocks([block], CITED)


@pytest.mark.parametrize("text", ["", "x" * 3_001, "<!channel>", "see https://evil.example", "www.evil.example"])
def test_such_texts_are_seen(text: str) -> None:
    assert wrong_with_message(text, [said("x")])
    assert not wrong_with_message("x", [said("x")])
