"""What is read over HTTP: quotations in their passages, and traces of what may be read."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.web.reading import marks
from bot.web.trace_body import trace_body
from domain.access import Scope
from domain.answer_ports import KeptAnswer
from domain.answer_records import AnswerRecord
from domain.answers import EvidenceNote, ToolCall, Trace
from domain.conversation import CitedPassage, ConversationPlace
from domain.search_ports import NO_PATHS

TEXT = "The ferry\nleaves at  nine.\n\nThe gate opens at ten. Dogs ride free."


@pytest.mark.parametrize(
    ("quote", "marked"),
    [
        ("The ferry leaves at nine.", ["The ferry\nleaves at  nine."]),
        ("Dogs ride free. … The gate opens at ten.", ["The gate opens at ten.", "Dogs ride free."]),
        ("The gate opens … opens at ten.", ["The gate opens at ten."]),
        ("It stands elsewhere.", []),
        ("", []),
        (" … ", []),
    ],
)
def test_a_quotation_is_found_whatever_blanks_divide_its_words(quote: str, marked: list[str]) -> None:
    assert [TEXT[each.start : each.end] for each in marks(TEXT, quote)] == marked


class Readable:
    """Says that one passage may be read."""

    async def readable(
        self, passages: Mapping[str, str], scope: Scope, *, paths: Mapping[str, str] = NO_PATHS
    ) -> dict[str, str]:
        return {chunk: "1" for chunk in passages if chunk == "open"}


def kept(*chunks: str) -> KeptAnswer:
    evidence = tuple(EvidenceNote(each, "d", f"{each}.md", ("hybrid_search",), 0.5, 0.7, 1) for each in chunks)
    calls = (ToolCall("hybrid_search", {"query": "the takeover"}, 3.0, 2, note="about the takeover"),)
    trace = Trace(1, calls, ("searched for the takeover",), evidence=evidence)
    record = AnswerRecord("answered", "", "When?", 0.5, (), trace)
    place = ConversationPlace("web", "", "c", private=True)
    return KeptAnswer(1, place, "asker", "answered", record, datetime.now(UTC), 5.0, None, 0, 0, ())


async def traced(*chunks: str) -> Any:
    search: Any = Readable()
    return await trace_body(kept(*chunks), [CitedPassage(1, "open")], search, Scope.outsider())


async def test_a_trace_of_what_may_be_read_is_whole() -> None:
    found = await traced("open")
    assert not found.withheld
    assert found.searches[0].args == {"query": "the takeover"}
    assert [(each.path, each.cited) for each in found.evidence] == [("open.md", True)]


async def test_a_trace_of_what_is_closed_says_no_word_of_it() -> None:
    found = await traced("open", "closed")
    assert found.withheld
    assert "takeover" not in found.model_dump_json()
    assert [each.path for each in found.evidence] == ["open.md", None]
