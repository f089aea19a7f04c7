from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.conversation.actions import ShownPassage, SourceSummary
from bot.slack import views
from domain.conversation import MessageKey, RememberedQuestion
from tests.fakes.slack_limits import nodes, seen, wrong_with_message, wrong_with_view

NOW = datetime(2026, 6, 4, 12, tzinfo=UTC)
URL = "https://wiki.example/leave"


def texts(blocks: list[Any]) -> list[str]:
    return [part["text"] for block in blocks for part in nodes(block) if part["type"] == "mrkdwn"]


def asked(question: str, moment: datetime) -> RememberedQuestion:
    return RememberedQuestion(question, MessageKey("slack", "C1", "1.0"), moment, 1)


def test_a_passage() -> None:
    view = views.passage_view(ShownPassage("Leave <!here>", URL, "Vacation", "line 3", "**Thirty** days.", NOW))
    assert view["title"]["text"] == "Source"
    assert texts(view["blocks"]) == [f"*<{URL}|Leave ‹!here›>*", "Vacation · line 3 · updated 2026-06-04"]
    assert seen(view["blocks"]) == "Thirty days."
    assert wrong_with_view(view, [URL]) == []


def test_a_passage_has_no_markers() -> None:
    view = views.passage_view(
        ShownPassage("T", URL, "", "", "a[0] [1] https://wiki.example/x https://evil.example", None)
    )
    links = [part["url"] for block in view["blocks"] for part in nodes(block) if part["type"] == "link"]
    assert links == ["https://wiki.example/x"]


@pytest.mark.parametrize("text", ["# a\n\nb\n\n" * 200, "word " * 100_000, "名" * 100_000])
def test_a_long_passage_is_cut_and_says_so(text: str) -> None:
    view = views.passage_view(ShownPassage("T", URL, "", "", text, None))
    assert wrong_with_view(view, [URL]) == []
    assert texts(view["blocks"])[-1] == "The passage goes on in the document."


def test_modals() -> None:
    for view in (views.loading_view(), views.unavailable_view(), views.reason_view(7)):
        assert wrong_with_view(view) == []
    assert texts(views.unavailable_view()["blocks"]) == [
        "This passage cannot be shown: it is gone, or you may not read it."
    ]


def test_a_reason_may_be_left_out() -> None:
    view = views.reason_view(7)
    assert (view["callback_id"], view["private_metadata"]) == ("kb_reason", "7")
    (field,) = view["blocks"]
    assert field["optional"] is True
    assert field["element"]["max_length"] == 500


def test_the_home_tab() -> None:
    index = [SourceSummary("wiki <!here>", 1_234, NOW - timedelta(hours=3)), SourceSummary("docs", 1, None)]
    recent = [asked("How many days?", NOW - timedelta(days=2)), asked("<@U1>?", NOW)]
    view = views.home_view(index, recent, NOW, admin=False, command="/ask")
    shown = texts(view["blocks"])
    assert "`/ask`" in shown[0]
    assert "*wiki &lt;!here&gt;* — 1,234 documents · updated 3 hours ago" in shown
    assert "*docs* — 1 document" in shown
    assert shown[-2:] == ["How many days? · 2 days ago", "&lt;@U1&gt;? · just now"]
    assert not any("reindex" in text for text in shown)


def test_the_home_tab_of_an_admin_and_of_somebody_new() -> None:
    shown = texts(views.home_view([], [], NOW, admin=True)["blocks"])
    assert any("`/kb reindex`" in text for text in shown)
    assert "There is nothing here that you may see." in shown
    assert shown[-1] == "None so far."


def test_a_home_tab_of_many_rows() -> None:
    view = views.home_view([SourceSummary("s", 1, NOW)] * 500, [asked("q?", NOW)] * 500, NOW, admin=True)
    assert wrong_with_view(view) == []
    assert texts(view["blocks"])[-1] == "… and 456 more"


def test_replies_to_commands() -> None:
    rows = [SourceSummary("wiki", 2, NOW)]
    for message in (
        views.help_message("/ask"),
        views.sources_message(rows, NOW),
        views.sources_message([], NOW),
        views.sources_message(rows * 500, NOW),
        views.status_message([("Documents", "12"), ("<!here>", "<@U1>")] * 100),
        views.status_message([]),
    ):
        assert wrong_with_message(message.text, message.blocks) == []
    assert "`/ask sources`" in texts(list(views.help_message("/ask").blocks))[1]


@pytest.mark.parametrize(("source", "value"), [("wiki", "wiki"), (None, "*")])
def test_reindexing_is_confirmed(source: str | None, value: str) -> None:
    message = views.confirm_reindex(source)
    confirm, cancel = message.blocks[-1]["elements"]
    assert (confirm["action_id"], confirm["style"], confirm["value"]) == ("kb_reindex", "danger", value)
    assert cancel["action_id"] == "kb_cancel"
    assert "style" not in cancel
