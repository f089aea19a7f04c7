from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.conversation.render_context import RenderContext
from bot.teams import render
from bot.teams.button_data import ButtonData, read_button_data
from bot.teams.limits import Json
from bot.teams.outgoing_activities import text_message
from domain.answers import (
    Answer,
    Citation,
    NotFound,
    Outcome,
    ToolCall,
    Trace,
)
from domain.masked_answer import masked_answer
from domain.masking import Masker
from tests.fakes.teams_limits import length, nodes, seen, wrong_with

MASKER = Masker()
NOW = datetime(2026, 6, 4, 12, tzinfo=UTC)
CHANNEL = RenderContext(7, NOW, private=False)
PRIVATE = RenderContext(7, NOW, private=True, share=True)
CITATION = Citation(
    1, "Leave", "https://wiki.example/leave", "leave.md", "wiki", "0f", "Vacation", "line 3", "Thirty days.", NOW, "c1"
)
ANSWER = Answer("Thirty days. [1]", (CITATION,), 0.8, "A notice.", follow_ups=("And now?", "And then?"))


def bodies(outcome: Outcome, frame: RenderContext = CHANNEL) -> list[Json]:
    return [each.serialize() for each in render.messages(masked_answer(outcome, MASKER), frame)]


def body(outcome: Outcome, frame: RenderContext = CHANNEL) -> Json:
    """The text of an outcome that takes one message, whatever is to be pressed below it."""
    (only, *more) = bodies(outcome, frame)
    assert not any("text" in each for each in more)
    return only


def below(outcome: Outcome, frame: RenderContext = CHANNEL) -> Json:
    """The card below it."""
    return bodies(outcome, frame)[-1]


def card(shown: Json) -> Json:
    (attached,) = shown["attachments"]
    content: Json = attached["content"]
    return content


def buttons(shown: Json) -> dict[str, Any]:
    """What each button of a message's card does, by its label."""
    found: dict[str, Any] = {}
    for node in nodes(shown):
        if node["type"].startswith("Action.") and node["title"] not in found:
            found[node["title"]] = node.get("targetElements") or node.get("url") or sent(node["data"])
    return found


def sent(data: Json) -> ButtonData | None:
    """What comes back when a button is pressed."""
    back = data.get("msteams", {}).get("value")
    return read_button_data(back if back is not None else data)


def lines(shown: Json) -> list[str]:
    """The lines of a message's text, as a reader sees them."""
    return [each for each in seen(shown).split("\n") if each]


def test_what_can_be_read_again_has_a_button_that_asks() -> None:
    def told(source: str = "", **more: Any) -> Trace:
        args = {"command": "reindex"} | ({"source": source} if source else {})
        return Trace(tool_calls=(ToolCall("index_command", args, 1.0, 0, **{"note": "Confirm it."} | more),))

    shown = below(Answer("Confirm it.", (), 1.0, trace=told("docs")))
    assert buttons(shown) == {"Read docs again": ButtonData("again", text="docs")}
    assert buttons(below(NotFound("x", told())))["Read all again"] == ButtonData("again", text="*")
    assert len(bodies(replace(ANSWER, trace=told("docs", note="", error="There is none")))) == 1


def test_labels_can_be_told_apart() -> None:
    title = "Runbook: notification backlog and SMS provider failover"
    sections = (
        "Providers",
        "Is it the provider or is it us?",
        "What a section of a runbook can be called at worst, with " * 2,
    )
    asked = tuple(f"“{each}” – what does “{title}” say about it?" for each in sections)
    offered = body(replace(ANSWER, citations=(), follow_ups=asked), PRIVATE)["suggestedActions"]["actions"]
    labels = [each["title"] for each in offered]
    assert len(set(labels)) == 3
    assert [each["value"] for each in offered] == [" ".join(each.split()) for each in asked]
    for label, question in zip(labels, asked, strict=True):
        assert length(label) <= 60
        assert f"{question} ".startswith(f"{label[:-1]} ") or question.startswith(f"{label[:-1]}")
        assert " ".join(question.split())[len(label) - 1] in " –-:,;“(", "no word is cut"
    same = body(replace(ANSWER, citations=(), follow_ups=("x " * 40 + "1", "x " * 40 + "2")), PRIVATE)[
        "suggestedActions"
    ]["actions"]
    assert len(same) == 1, "two that look the same are one"


def test_a_greeting_suggests_questions_and_has_no_card() -> None:
    shown = body(Answer("Hello!", (), 1.0, follow_ups=("What do you know?", "b", "c", "d")), PRIVATE)
    assert [each["value"] for each in shown["suggestedActions"]["actions"]] == ["What do you know?", "b", "c"]
    assert "attachments" not in shown
    assert "channelData" not in shown


def test_only_citations_whose_marker_stands_in_a_message_are_claimed_there() -> None:
    second = replace(CITATION, n=2, title="Other")
    text = "\n\n".join(["First. [1]", *["A long paragraph of words. " * 60] * 10, "Last. [2]"])
    shown = bodies(replace(ANSWER, text=text, citations=(CITATION, second)))
    assert len(shown) > 1
    claimed = [[claim["position"] for claim in each["entities"][0].get("citation", ())] for each in shown]
    assert claimed == [[1], *[[]] * (len(shown) - 2), [1, 2]], "the last one names all sources"
    assert "channelData" in shown[0], "a vote comes with the id of the first one"
    assert not any("channelData" in each for each in shown[1:])


def test_at_most_twenty_citations_are_claimed_and_all_sources_are_named() -> None:
    many = tuple(replace(CITATION, n=n, url=f"https://wiki.example/{n}") for n in range(1, 26))
    shown = body(replace(ANSWER, text="".join(f"[{n}] " for n in range(1, 26)), citations=many))
    assert [claim["position"] for claim in shown["entities"][0]["citation"]] == list(range(1, 21))
    assert wrong_with(shown, [each.url for each in many]) == []
    assert any(each.startswith("[25] Leave") for each in lines(shown))


def test_many_large_sources_go_into_further_messages() -> None:
    many = tuple(
        replace(CITATION, n=n, title="A title " * 30, url=f"https://wiki.example/{'x' * 900}{n}", quote="So. " * 500)
        for n in range(1, 80)
    )
    shown = bodies(replace(ANSWER, text="".join(f"[{n}]" for n in range(1, 80)), citations=many))
    assert [found for each in shown for found in wrong_with(each, [each.url for each in many])] == []
    named = [each.partition("]")[0] for body in shown for each in lines(body) if "] A title" in each]
    assert named == [f"[{n}" for n in range(1, 80)]


def test_a_source_without_a_web_address_cannot_be_opened() -> None:
    shown = body(replace(ANSWER, citations=(replace(CITATION, url="file:///docs/leave.md"),)))
    assert "](" not in shown["text"]
    assert "[1] Leave (leave.md) — Vacation, line 3 · updated just now" in lines(shown)


def test_what_is_cited_is_literal() -> None:
    odd = replace(CITATION, title="<at>Ada</at> **x**", section="[y](https://evil.example)", quote="<at>Bob</at>")
    shown = body(replace(ANSWER, citations=(odd,)))
    assert "[1] < at>Ada< /at> **x** — [y](https://evil.example) , line 3" in seen(shown).replace(
        ", line", " , line"
    ).replace("  ", " ")
    assert wrong_with(shown, [CITATION.url]) == []


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "#"])
def test_an_empty_reply_is_a_message(text: str) -> None:
    assert wrong_with(body(Answer(text, (), 0.0))) == []


def test_a_question_that_fits_into_no_button_is_not_offered() -> None:
    shown = body(replace(ANSWER, citations=(), follow_ups=("x" * 1_001, " ", "Short?")), PRIVATE)
    assert [each["value"] for each in shown["suggestedActions"]["actions"]] == ["Short?"]


def test_a_message_below_its_question() -> None:
    shown = render.with_question(text_message("Thirty."), MASKER.mask("Who is <at>Ada</at>?\n# and " + "🙂" * 900))
    assert shown.text.startswith("> Question: Who is &lt;at&gt;Ada&lt;/at&gt;? # and 🙂")
    assert shown.text.endswith("…\n\nThirty.")
    assert length(shown.text) <= 420
