"""The question sets over the example company. What fails is named by the question's id, never by its text."""

import html
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from indexer.parse.formats import parse
from indexer.parse.limits import ParseLimits

EXAMPLES = Path(__file__).parents[3] / "examples"
PAGES = EXAMPLES / "knowledge-base"
HALVES = ("development", "held-out")
SETS = (*HALVES, "further", "other-words", "how-to")
ELSEWHERE = ("handbook-development", "handbook-held-out")
"""Sets over pages that are not here."""
COMPUTED = {"count", "follow-up"}
"""Kinds whose facts need not stand on a page word by word: numbers of documents, and their titles."""

Question = dict[str, Any]


@cache
def questions(half: str) -> list[Question]:
    """The questions of one set."""
    folder = EXAMPLES.parent / "benchmarks" if half in ELSEWHERE else EXAMPLES
    loaded: list[Question] = yaml.safe_load((folder / "questions" / f"{half}.yaml").read_text(encoding="utf-8"))
    return loaded


def plain(text: str) -> str:
    """The text as facts are compared: without case, marks of formatting and repeated spaces."""
    return " ".join(text.casefold().replace("*", "").replace("`", "").split())


def holds(text: str, wording: str) -> bool:
    """Whether a plain text holds a wording in whole words."""
    return re.search(rf"(?<!\w){re.escape(plain(wording))}(?!\w)", text) is not None


@cache
def page(path: str) -> str:
    """What stands on a page, with its table rows and front matter."""
    raw = (PAGES / path).read_bytes()
    if Path(path).suffix in {".docx", ".pdf"}:
        return plain("\n".join(block.text for block in parse(raw, path, "", ParseLimits()).blocks))
    return plain(html.unescape(raw.decode("utf-8")))


@pytest.mark.parametrize("half", HALVES)
def test_each_half_has_55_questions_with_an_answer_and_20_without(half: str) -> None:
    assert Counter(question["answerable"] for question in questions(half)) == {True: 55, False: 20}


@pytest.mark.parametrize("half", [*SETS, *ELSEWHERE])
def test_each_question_has_all_its_fields(half: str) -> None:
    fields = {"id", "question", "kind", "language", "facts", "wrong", "sources", "answerable"}
    incomplete = [
        question["id"]
        for question in questions(half)
        if set(question) - {"before"} != fields
        or ("before" in question) != (question["kind"] == "follow-up")
        or bool(question["facts"]) != question["answerable"]
        or bool(question["sources"]) != question["answerable"]
        or not all(wordings and all(map(plain, wordings)) for wordings in question["facts"])
    ]
    assert incomplete == []


def test_both_halves_have_the_same_mix_of_kinds() -> None:
    kinds = [Counter(question["kind"] for question in questions(half)) for half in HALVES]
    assert kinds[0] == kinds[1]


def test_no_set_has_a_question_of_another() -> None:
    both = [question for half in (*SETS, *ELSEWHERE) for question in questions(half)]
    for field in ("id", "question"):
        asked = Counter(
            plain(f"{question.get('before', '') if field != 'id' else ''} {question[field]}") for question in both
        )
        assert max(asked.values()) == 1


@pytest.mark.parametrize("half", SETS)
def test_each_source_is_a_page(half: str) -> None:
    sources = [(question["id"], source) for question in questions(half) for source in question["sources"]]
    assert [asked for asked, source in sources if not (PAGES / source).is_file()] == []


@pytest.mark.parametrize("half", SETS)
def test_each_fact_stands_in_one_of_its_sources(half: str) -> None:
    missing = [
        f"{question['id']}: fact {number}"
        for question in questions(half)
        if question["kind"] not in COMPUTED
        for number, wordings in enumerate(question["facts"], 1)
        if not any(holds(page(source), wording) for wording in wordings for source in question["sources"])
    ]
    assert missing == []


@pytest.mark.parametrize("half", SETS)
def test_no_right_answer_holds_a_wrong_wording(half: str) -> None:
    contradictory = [
        question["id"]
        for question in questions(half)
        for wrong in question["wrong"]
        if any(holds(plain(wording), wrong) for wordings in question["facts"] for wording in wordings)
    ]
    assert contradictory == []
