from dataclasses import replace

import numpy as np
import pytest

from agent.retrieval.selection import average, best_first, kept, select
from agent.state import Complexity, Evidence
from agent.tools.live_pages import passage_of
from domain.tool_ports import LivePage
from tests.fakes.agent import a_passage, an_analysis, an_evidence


def item(
    name: str, score: float = 0.5, *, grade: float | None = 0.5, found_for: int = 1, iteration: int = 1
) -> Evidence:
    grades = {} if grade is None else {found_for: grade}
    return an_evidence(a_passage(name, name), scores={iteration: score}, found_for=(found_for,), grades=grades)


def keys(items: list[Evidence]) -> list[str]:
    return [each.key.removesuffix("-0") for each in items]


def test_what_was_graded_and_says_nothing_is_left_out() -> None:
    assert keys(kept([item("a", grade=0.29), item("b", grade=0.3), item("c", grade=None)])) == ["b", "c"]


def test_what_was_read_now_takes_the_place_of_what_was_indexed() -> None:
    url = "https://desk.example.com/browse/PAY-8"
    page = LivePage(url, "PAY-8", "Status: Done")
    now = an_evidence(passage_of(page, 0, 1, page.text, np.zeros(4, np.float32)), grades={1: 0.4})
    indexed = replace(item("indexed", grade=0.9), passage=replace(a_passage("indexed", "indexed"), url=url))
    assert keys(kept([indexed, now, item("other")])) == keys([now, item("other")])
    silent = replace(now, grades={1: 0.0})
    assert keys(kept([indexed, silent, item("other")])) == ["other"]
    assert keys(kept([indexed, item("other")])) == ["indexed", "other"]


def test_grade_comes_before_score_and_score_before_pass() -> None:
    items = [
        item("later", 0.5, iteration=2),
        item("low", 0.9, grade=0.3),
        item("first", 0.5),
        item("high", 0.6),
        item("same", 0.5, grade=0.52),
    ]
    assert keys(best_first(items)) == ["high", "first", "same", "later", "low"]


def test_few_items_are_all_taken() -> None:
    assert keys(select([item("b", 0.1), item("a", 0.2), item("x", grade=0.1)], an_analysis(), 2)) == ["a", "b"]


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_never_more_than_the_limit(limit: int) -> None:
    items = [item(f"{n}", n / 20, found_for=n % 4 + 1, iteration=n % 3 + 1) for n in range(20)]
    assert len(select(items, an_analysis("x", "a", "b", "c", "d"), limit)) == limit


def test_every_sub_question_gets_its_share() -> None:
    strong = [item(f"s{n}", 0.9, found_for=1) for n in range(10)]
    weak = [item(f"w{n}", 0.1, grade=0.3, found_for=2) for n in range(3)]
    chosen = keys(select([*strong, *weak], an_analysis("x", "a", "b"), 8))
    assert {"w0", "w1"} <= set(chosen)
    assert "w2" not in chosen
    assert len(chosen) == 8


def test_half_goes_to_the_first_pass_and_half_to_later_ones() -> None:
    first = [item(f"f{n}", 0.9) for n in range(6)]
    later = [item(f"l{n}", 0.1 + n / 100, grade=0.3, iteration=2) for n in range(6)]
    chosen = keys(select([*first, *later], an_analysis(), 4))
    assert sorted(chosen) == ["f0", "f1", "l4", "l5"]


def test_what_one_pass_leaves_open_the_other_fills() -> None:
    first = [item(f"f{n}", 0.9) for n in range(6)]
    assert len(select([*first, item("l", iteration=2)], an_analysis(), 4)) == 4
    assert len(select([*first], an_analysis(), 4)) == 4
    later = [item(f"l{n}", iteration=3) for n in range(6)]
    assert len(select(later, an_analysis(), 4)) == 4


def test_the_average_is_over_sub_questions() -> None:
    analysis = an_analysis("x", "a", "b")
    good, poor = item("a", grade=0.8, found_for=1), item("b", grade=0.4, found_for=2)
    assert average([good, poor], analysis) == pytest.approx(0.6)
    assert average([good], analysis) == pytest.approx(0.4)
    assert average([], analysis) == 0.0


def test_what_is_dropped_does_not_pull_the_average_down_but_alone_counts_as_nothing() -> None:
    analysis = an_analysis("x", "a")
    assert average([item("a", grade=0.8), item("b", grade=0.2)], analysis) == pytest.approx(0.8)
    assert average([item("b", grade=0.2)], analysis) == 0.0


@pytest.mark.parametrize(("complexity", "expected"), [("simple", 0.8), ("moderate", 0.6)])
def test_a_chain_of_facts_needs_several_good_passages(complexity: Complexity, expected: float) -> None:
    items = [item(f"{grade}", grade=grade) for grade in (0.9, 0.7, 0.6, 0.5, 0.3, 0.3)]
    assert average(items, replace(an_analysis("x", "a"), complexity=complexity)) == pytest.approx(expected)
