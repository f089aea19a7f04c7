from datetime import UTC, datetime
from typing import Any

import pytest

from bot.conversation.actions import ShownPassage, SourceSummary
from bot.slack import views
from domain.conversation import MessageKey, RememberedQuestion
from tests.fakes.slack_limits import nodes, wrong_with_message, wrong_with_view

NOW = datetime(2026, 6, 4, 12, tzinfo=UTC)
URL = "https://wiki.example/leave"


def texts(blocks: list[Any]) -> list[str]:
    return [part["text"] for block in blocks for part in nodes(block) if part["type"] == "mrkdwn"]


def asked(question: str, moment: datetime) -> RememberedQuestion:
    return RememberedQuestion(question, MessageKey("slack", "C1", "1.0"), moment, 1)


def test_a_passage_has_no_markers() -> None:
    view = views.passage_view(
        ShownPassage("T", URL, "", "", f"a[0] [1] {URL} https://wiki.example/x https://evil.example", None)
    )
    links = [part["url"] for block in view["blocks"] for part in nodes(block) if part["type"] == "link"]
    assert links == [URL]


@pytest.mark.parametrize("text", ["# a\n\nb\n\n" * 200, "word " * 100_000, "名" * 100_000])
def test_a_long_passage_is_cut_and_says_so(text: str) -> None:
    view = views.passage_view(ShownPassage("T", URL, "", "", text, None))
    assert wrong_with_view(view, [URL]) == []
    assert texts(view["blocks"])[-1] == "The passage goes on in the document."


def test_a_home_tab_of_many_rows() -> None:
    view = views.home_view([SourceSummary("s", 1, NOW)] * 500, [asked("q?", NOW)] * 500, NOW, admin=True)
    assert wrong_with_view(view) == []
    assert texts(view["blocks"])[-1] == "… and 456 more"


def test_a_long_list_is_a_message() -> None:
    facts = [("Documents", "12"), ("<!here>", "<@U1>")] * 100
    for message in (views.sources_message([SourceSummary("wiki", 2, NOW)] * 500, NOW), views.status_message(facts)):
        assert wrong_with_message(message.text, message.blocks) == []


def test_help_calls_the_command_as_the_workspace_does() -> None:
    assert "`/ask sources`" in texts(list(views.help_message("/ask").blocks))[1]
