from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.conversation.render_context import RenderContext
from bot.conversation.texts import age
from bot.slack import render, status_messages
from bot.slack.block_kit import SlackMessage
from domain.answers import (
    Answer,
    Citation,
    NotFound,
    Outcome,
    Progress,
    ToolCall,
    Trace,
)
from domain.masked_answer import masked_answer
from domain.masking import Masker
from tests.fakes.slack_limits import nodes, wrong_with_message

MASKER = Masker()
NOW = datetime(2026, 6, 4, 12, tzinfo=UTC)
CHANNEL = RenderContext(7, NOW, private=False)

CITATION = Citation(1, "Leave", "https://wiki.example/leave", "leave.md", "wiki", "0f", "Vacation", "line 3", "", NOW)
ANSWER = Answer("Thirty days. [1]", (CITATION,), 0.8, "A notice.", follow_ups=("And now?", "And then?"))


def messages(outcome: Outcome, frame: RenderContext = CHANNEL) -> list[SlackMessage]:
    return render.messages(masked_answer(outcome, MASKER), frame)


def message(outcome: Outcome, frame: RenderContext = CHANNEL) -> SlackMessage:
    (only,) = messages(outcome, frame)
    return only


def pressed(shown: SlackMessage) -> dict[str, Any]:
    """What each button of a message sends."""
    return {
        part["action_id"]: part.get("value") for block in shown.blocks for part in nodes(block) if "action_id" in part
    }


def small_print(shown: SlackMessage) -> list[str]:
    return [each["text"] for block in shown.blocks if block["type"] == "context" for each in block["elements"]]


def sections(shown: SlackMessage) -> list[str]:
    return [block["text"]["text"] for block in shown.blocks if block["type"] == "section"]


def test_what_can_be_read_again_has_a_button_that_asks() -> None:
    def told(source: str = "", **more: Any) -> Trace:
        args = {"command": "reindex"} | ({"source": source} if source else {})
        return Trace(tool_calls=(ToolCall("index_command", args, 1.0, 0, **{"note": "Confirm it."} | more),))

    assert pressed(message(Answer("Confirm it.", (), 1.0, trace=told("docs")))) == {"kb_again": "docs"}
    assert pressed(message(replace(ANSWER, trace=told())))["kb_again"] == "*"
    assert pressed(message(NotFound("x", told("docs"))))["kb_again"] == "docs"
    assert "kb_again" not in pressed(message(replace(ANSWER, trace=told("docs", note="", error="There is none"))))
    status = Trace(tool_calls=(ToolCall("index_command", {"command": "status"}, 1.0, 0, note="Fresh."),))
    assert pressed(message(Answer("Fresh.", (), 1.0, trace=status))) == {}


@pytest.mark.parametrize(("confidence", "word"), [(0.75, "high"), (0.74, "medium"), (0.45, "medium"), (0.44, "low")])
def test_confidence_in_words(confidence: float, word: str) -> None:
    assert f"Confidence: {word}" in small_print(message(replace(ANSWER, confidence=confidence)))


def test_a_source_without_a_web_address_shows_its_path() -> None:
    citation = replace(CITATION, url="file:///docs/leave.md", section="", place="", updated_at=None)
    assert sections(message(replace(ANSWER, citations=(citation,))))[1] == "*[1]* Leave (leave.md)"


def test_titles_are_escaped() -> None:
    citation = replace(CITATION, title="<!channel>|x", section="<@U1>", url="https://wiki.example/|<!here>")
    text = sections(message(replace(ANSWER, citations=(citation,))))[1]
    assert text.startswith("*[1]* <https://wiki.example/%7C%3C!here%3E|‹!channel›¦x> — &lt;@U1&gt;")


def test_a_question_that_fits_into_no_button_is_not_offered() -> None:
    shown = message(replace(ANSWER, follow_ups=("x" * 2_001, " ", "Short?", "y" * 100)))
    assert [value for action, value in pressed(shown).items() if action.startswith("kb_ask")] == ["Short?", "y" * 100]


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "#"])
def test_an_empty_reply_is_a_message(text: str) -> None:
    shown = message(Answer(text, (), 0.0))
    assert wrong_with_message(shown.text, shown.blocks) == []


@pytest.mark.parametrize(
    "text", ["A paragraph of words. " * 50 + "\n\n", "# Heading\n\nText\n\n", "| a | b |\n|---|---|\n| 1 | 2 |\n\n"]
)
def test_a_long_answer_is_several_messages(text: str) -> None:
    shown = messages(replace(ANSWER, text=text * (60 if len(text) > 100 else 300)))
    assert len(shown) > 1
    for each in shown:
        assert wrong_with_message(each.text, each.blocks, [CITATION.url]) == []
    assert [bool(pressed(each)) for each in shown] == [*[False] * (len(shown) - 1), True]


def test_many_sources_fit_into_one_message() -> None:
    citations = tuple(
        replace(CITATION, n=n, title="A title " * 30, url=f"https://wiki.example/{'x' * 900}{n}") for n in range(1, 80)
    )
    shown = messages(replace(ANSWER, citations=citations))[-1]
    assert wrong_with_message(shown.text, shown.blocks, [each.url for each in citations]) == []
    assert small_print(shown)[0].startswith("… and ")


def test_progress_on_one_line() -> None:
    doing = Progress(MASKER.mask("looking for\n<!here>"), 40, iteration=2)
    line = ":hourglass_flowing_sand: ▓▓▓▓░░░░░░ 40 % — looking for &lt;!here&gt;"
    assert status_messages.progress(doing).text == line
    assert sections(status_messages.progress(doing)) == [line]
    (above, _) = status_messages.with_question(
        status_messages.progress(doing), MASKER.mask("Who <@U1>?\u202e " + "🙂" * 900)
    ).blocks
    assert above["elements"][0]["text"].startswith("Question: Who < @U1>? 🙂")
    assert len(above["elements"][0]["text"].encode("utf-16-le")) // 2 <= 400


@pytest.mark.parametrize(
    ("percent", "bar"), [(-5, "░" * 10), (0, "░" * 10), (99, "▓" * 9 + "░"), (100, "▓" * 10), (120, "▓" * 10)]
)
def test_the_bar(percent: int, bar: str) -> None:
    assert bar in status_messages.progress(Progress(MASKER.mask("x"), percent)).text


def test_tasks_of_a_stream() -> None:
    doing = Progress(MASKER.mask("grading <@U1> " + "x" * 300), 60, "grade", 2)
    task = status_messages.task(doing)
    assert (task["id"], task["status"], len(task["title"])) == ("grade-2", "in_progress", 256)
    assert task["title"].startswith("60 % — grading < @U1>")
    assert status_messages.task(replace(doing, percent=100))["status"] == "complete"


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=5), "5 hours ago"),
        (timedelta(days=1), "1 day ago"),
        (timedelta(days=13), "1 week ago"),
        (timedelta(days=60), "1 month ago"),
        (timedelta(days=800), "2 years ago"),
    ],
)
def test_ages(passed: timedelta, words: str) -> None:
    assert age(NOW - passed, NOW) == words


def test_a_moment_without_a_time_zone_is_taken_for_that_of_now() -> None:
    assert age(datetime(2026, 6, 4, 11), NOW) == "1 hour ago"  # noqa: DTZ001 # some sources give no time zone
