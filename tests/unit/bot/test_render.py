import json
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.app.run_reports import report_text
from bot.markup.plain_text import counted, escaped, one_line, plain
from bot.terminal import render
from domain.answers import (
    Answer,
    Citation,
    Declined,
    EvidenceNote,
    Failed,
    NearestDocument,
    NearQuote,
    NotFound,
    Outcome,
    StageTime,
    ToolCall,
    Trace,
)
from domain.masked_answer import masked_answer
from domain.masking import Masker
from indexer.run.report import RunReport

CITATION = Citation(
    n=1,
    title="Handbook",
    url="file:///docs/leave.md",
    path="leave.md",
    source="docs",
    document_id="0f",
    section="Leave > Vacation",
    place="lines 3-4",
    quote="Thirty days.\nA year.",
    updated_at=datetime(2026, 3, 31, 12, tzinfo=UTC),
)
TRACE = Trace(
    iterations=1,
    tool_calls=(
        ToolCall("hybrid_search", {"query": "q"}, 12.5, 1),
        ToolCall("read", {}, 3.0, 2, iteration=2, note="indexed"),
        ToolCall("web_fetch", {}, 1.0, 0, iteration=2, error="no result within 20 s"),
    ),
    reasoning=("searched for: q",),
    timings_ms={"search": 12, "total": 15.5},
    evidence=(
        EvidenceNote("c1", "0f", "leave.md", ("hybrid_search", "grep_search"), 0.5, 0.875, 1),
        EvidenceNote("c2", "0f", "vpn.md", ("hybrid_search",), 0.25, None, 2),
    ),
    stages=(StageTime("search", 1, 12.0),),
    mode="agentic",
)
ANSWER = Answer("Thirty days. [1]", (CITATION,), 0.8, "A notice.", TRACE)
NEAREST = (
    NearestDocument(
        "VPN",
        "https://x/vpn",
        "vpn.md",
        "Ada",
        datetime(2026, 1, 2, tzinfo=UTC),
        quotes=(NearQuote("It is slow.", "c"),),
    ),
    NearestDocument("Old", "https://x/old", "old.md", "", None),
)
OUTCOMES = (ANSWER, NotFound("3 documents", TRACE), Declined("no", TRACE), Failed("broken\n  next: wait", TRACE))

MASKER = Masker()


def text_of(outcome: Outcome, *, show_sources: bool = False, trace: bool = False) -> str:
    """The outcome as a person reads it, masked before."""
    return render.text_of(masked_answer(outcome, MASKER), show_sources=show_sources, trace=trace)


def json_of(outcome: Outcome) -> dict[str, object]:
    """The outcome as JSON, masked before."""
    return dict(json.loads(json.dumps(render.json_of(masked_answer(outcome, MASKER)), default=datetime.isoformat)))


@pytest.mark.parametrize(
    ("shown", "rest"),
    [
        ("", "Thirty days."),
        ("Thirty", " days."),
        ("Forty", "\n\nWhat stands above does not hold any more. The reply is:\n\nThirty days."),
    ],
)
def test_what_was_printed_is_gone_on_with_or_replaced(shown: str, rest: str) -> None:
    assert render.rest_of("Thirty days.", shown) == rest


STEERING = "\x00\x07\x08\x0e\x1b\x7f\x80\x9b\x9f\u061c\u200e\u200f\u202a\u202e\u2066\u2069\ud800\udfff"


@pytest.mark.parametrize("char", STEERING)
def test_what_steers_a_terminal_is_dropped(char: str) -> None:
    assert plain(f"a{char}b") == "ab"
    assert one_line(f"a{char}b") == "ab"


@pytest.mark.parametrize("char", ["\n", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_every_kind_of_line_break_is_one_line_break(char: str) -> None:
    assert plain(f"a{char}b") == "a\nb"
    assert one_line(f"a{char}b") == "a b"


def test_ordinary_text_stays_as_it_is() -> None:
    text = "Größe: 5 €, 名前, naïve, 😀 – “quoted” [1]\n  * item"
    assert plain(text) == text
    assert plain("a\tb") == "a    b"


@pytest.mark.parametrize("char", [*STEERING, "\u2028", "\x85"])
def test_json_keeps_its_meaning_and_steers_nothing(char: str) -> None:
    written = escaped(json.dumps({"text": f"ü{char}"}, ensure_ascii=False))
    assert json.loads(written) == {"text": f"ü{char}"}
    assert char not in written
    assert "ü" in written
    written.encode()


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 documents"), (1, "1 document"), (2, "2 documents"), (1234, "1,234 documents")]
)
def test_counts(number: int, text: str) -> None:
    assert counted(number, "document") == text


def test_an_answer_with_its_references() -> None:
    assert text_of(ANSWER) == (
        "Thirty days. [1]\n\n"
        "References\n"
        "  [1] Handbook — Leave > Vacation — lines 3-4 (leave.md, 2026-03-31)\n"
        "      file:///docs/leave.md\n\n"
        "A notice."
    )


def test_quotes_and_trace_on_request() -> None:
    text = text_of(ANSWER, show_sources=True, trace=True)
    assert "      | Thirty days.\n      | A year.\n" in text
    assert text.endswith(
        "Trace\n"
        "  searched for: q\n"
        "  1. hybrid_search {'query': 'q'}: 1 result, 12.5 ms\n"
        "  2. read {}: 2 results (indexed), 3 ms\n"
        "  2. web_fetch {}: no result within 20 s, 1 ms\n"
        "  evidence 1: leave.md, score 0.50, grade 0.88, hybrid_search, grep_search\n"
        "  evidence 2: vpn.md, score 0.25, not graded, hybrid_search\n"
        "  ms: search 12, total 15.5\n"
        "  agentic mode, iterations: 1, model calls: 0"
    )


def test_a_reference_without_section_place_and_date() -> None:
    bare = Citation(2, "T", "u", "p", "s", "d", "", "", "q", None)
    assert text_of(Answer("x", (bare,), 1.0)) == "x\n\nReferences\n  [2] T (p)\n      u"


def test_nothing_found_says_what_to_do() -> None:
    text = text_of(NotFound("3 documents"))
    assert text == "Not found. Searched 3 documents.\n\nTry other words, or index more: kb index PATH_OR_URL"


def test_nothing_found_names_what_came_nearest() -> None:
    assert text_of(NotFound("3 documents", nearest=NEAREST, notice="A notice.")) == (
        "Not found. Searched 3 documents.\n\n"
        "Closest documents (they may not answer it)\n"
        "  - VPN (vpn.md, 2026-01-02, Ada)\n"
        "    https://x/vpn\n"
        "    “It is slow.”\n"
        "  - Old (old.md)\n"
        "    https://x/old\n\n"
        "A notice.\n\n"
        "Try other words, or index more: kb index PATH_OR_URL"
    )


def test_questions_that_may_come_next_stand_at_the_end() -> None:
    text = text_of(Answer("Hello.", (), 1.0, follow_ups=("What about leave?", "And\nthen?")))
    assert text == "Hello.\n\nYou may go on with\n  - What about leave?\n  - And then?"


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("trace", [True, False])
def test_a_trace_only_where_one_is_wanted(outcome: Outcome, *, trace: bool) -> None:
    assert ("Trace" in text_of(outcome, trace=trace)) == trace


@pytest.mark.parametrize(
    ("outcome", "status"), [*zip(OUTCOMES, ["answered", "not_found", "declined", "failed"], strict=True)]
)
def test_every_outcome_has_the_same_shape_as_json(outcome: Outcome, status: str) -> None:
    found: Any = json_of(outcome)
    assert found.keys() == json_of(ANSWER).keys()
    assert found["status"] == status
    assert found["tool_calls"] == [
        a_call("hybrid_search", {"query": "q"}, 12.5, 1),
        a_call("read", {}, 3.0, 2, iteration=2, note="indexed"),
        a_call("web_fetch", {}, 1.0, 0, iteration=2, error="no result within 20 s"),
    ]
    assert found["stages"] == [{"stage": "search", "iteration": 1, "ms": 12.0}]
    assert [(item["path"], item["grade"]) for item in found["evidence"]] == [("leave.md", 0.875), ("vpn.md", None)]
    assert (found["mode"], found["iterations"], found["nearest"]) == ("agentic", 1, [])
    assert bool(found["citations"]) == (status == "answered")


def a_call(name: str, args: dict[str, str], ms: float, results: int, **rest: object) -> dict[str, object]:
    plain = {"iteration": 1, "error": "", "note": ""}
    return {"name": name, "args": args, "ms": ms, "results": results, **plain, **rest}


def test_what_came_nearest_as_json() -> None:
    found: Any = json_of(NotFound("3 documents", nearest=NEAREST))
    first, second = found["nearest"]
    assert first == {
        "title": "VPN",
        "url": "https://x/vpn",
        "path": "vpn.md",
        "owner": "Ada",
        "updated_at": "2026-01-02T00:00:00+00:00",
        "document_id": "",
        "addressed": False,
        "chunk_id": "",
        "quotes": [{"words": "It is slow.", "chunk_id": "c"}],
    }
    assert (second["owner"], second["updated_at"]) == ("", None)


def test_a_date_is_written_with_its_zone() -> None:
    citations: Any = json_of(ANSWER)["citations"]
    assert [each["updated_at"] for each in citations] == ["2026-03-31T12:00:00+00:00"]


@pytest.mark.parametrize("place", ["title", "url", "path", "section", "quote"])
def test_no_field_of_a_reference_steers_or_forges(place: str) -> None:
    hostile = Citation(**{**_fields(), place: "a\x1b[31mb\u202e\n  [9] forged"})  # type: ignore[arg-type]
    text = text_of(Answer("x", (hostile,), 1.0), show_sources=True)
    assert not any(char in text for char in STEERING)
    assert "\n  [9]" not in text


def _fields() -> dict[str, object]:
    return {name: getattr(CITATION, name) for name in Citation.__dataclass_fields__}


HOSTILE = Trace(
    reasoning=("\x1b",),
    tool_calls=(ToolCall("x", {"q": "\x1b"}, 0, 0, error="\x1b", note="\x1b"),),
    evidence=(EvidenceNote("c", "d", "\x1b", ("x",), 0, None, 1),),
)


@pytest.mark.parametrize(
    "outcome",
    [
        NotFound(
            "\x1b[2J",
            HOSTILE,
            (NearestDocument("\x1b", "\x1b", "\x1b", "\x1b", None, quotes=(NearQuote("\x1b", "c"),)),),
            "\x1b",
        ),
        Declined("\x1b[2J"),
        Failed("\x1b", HOSTILE),
        Answer("\x1b", (), 0, "\x1b", follow_ups=("\x1b",)),
    ],
)
def test_no_outcome_steers(outcome: Outcome) -> None:
    assert "\x1b" not in text_of(outcome, trace=True)


def test_a_report_counts_what_there_is() -> None:
    report = RunReport("docs", listed=3, added=1, unchanged=2, chunks=1, embedded=1, seconds=0.26)
    assert report_text(report) == (
        "docs: 3 documents in 0.3 s\n  1 added, 2 unchanged\n  1 chunk written, 1 embedded now"
    )


def test_a_report_names_what_was_skipped_failed_and_held_back() -> None:
    report = RunReport("my docs", listed=1, dry_run=True, held_back=12)
    report.skipped = [(f"f{n}", "empty") for n in range(25)]
    report.failed = [("bad\nname\x1b[31m", "vanished")]
    lines = report_text(report).split("\n")
    assert lines[0] == "my docs: 26 documents in 0.0 s (dry run: nothing was written)"
    assert lines[1] == "  25 skipped, 1 failed; 12 held back"
    assert lines[2] == "  skipped: f0 (empty)"
    assert lines[22] == "  … and 5 more; kb runs ID --json lists them all"
    assert lines[23] == "  failed, tried again by the next run: bad name[31m (vanished)"
    assert lines[24].startswith("  12 documents missing all at once")
    assert lines[24].endswith("kb reindex --source 'my docs' --prune=confirm")


def test_a_report_says_what_hidden_means() -> None:
    lines = report_text(RunReport("docs", listed=1, unchanged=1, hidden=1)).split("\n")
    assert lines[1] == "  1 unchanged; 1 hidden"
    assert lines[2].startswith("  hidden: 1 document no longer found in the source")
    assert lines[2].endswith("removed by the next complete run that does not find it either")


def test_a_report_of_another_release_is_read() -> None:
    kept = RunReport.from_json({"source": "docs", "added": 2, "of_a_later_release": 5})
    assert (kept.source, kept.added, kept.skipped) == ("docs", 2, [])
    assert RunReport.from_json(kept.as_json()) == kept
