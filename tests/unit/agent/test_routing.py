"""Every edge decision of the graph, as tables."""

import pytest

from agent.routing import (
    AfterAnalysis,
    AfterVerification,
    SearchLimits,
    after_analysis,
    after_verification,
    decide,
)
from agent.state import Analysis, Decision, Grading, MessageKind, ReplyDraft

THREE = SearchLimits(max_iterations=3, generate=0.7, refine=0.3)
PATIENT = SearchLimits(max_iterations=3, generate=0.7, refine=0.3, early_stop=False)
ONE = SearchLimits(max_iterations=1)


@pytest.mark.parametrize(
    ("talk", "following"),
    [
        ("question", "plan"),
        ("greeting", "build_outcome"),
        ("thanks", "build_outcome"),
        ("capabilities", "build_outcome"),
    ],
)
def test_only_questions_are_searched_for(talk: MessageKind, following: AfterAnalysis) -> None:
    assert after_analysis(Analysis("x", talk=talk)) == following


@pytest.mark.parametrize(
    ("grading", "iteration", "limits", "decision"),
    [
        (Grading(0.7), 1, THREE, "generate"),
        (Grading(0.69), 1, THREE, "refine"),
        (Grading(0.3), 1, THREE, "refine"),
        (Grading(0.29), 1, THREE, "re_retrieve"),
        (Grading(0.0, skipped=True), 1, THREE, "generate"),
        (Grading(0.0), 3, THREE, "generate"),
        (Grading(0.0), 4, THREE, "generate"),
        (Grading(0.0), 1, ONE, "generate"),
        (Grading(0.0, gained=False), 1, THREE, "re_retrieve"),
        (Grading(0.0, gained=False), 2, THREE, "generate"),
        (Grading(0.0, gained=False), 2, PATIENT, "re_retrieve"),
        (Grading(0.49), 1, SearchLimits(generate=0.5, refine=0.5), "re_retrieve"),
        (Grading(0.0), 1, SearchLimits(generate=0.0, refine=0.0), "generate"),
        (Grading(0.9, confidence=0.3), 1, THREE, "generate"),
        (Grading(0.9, confidence=0.29), 1, THREE, "refine"),
        (Grading(0.9, confidence=0.0), 3, THREE, "generate"),
        (Grading(0.9, confidence=0.0, skipped=True), 1, THREE, "generate"),
        (Grading(0.1, confidence=1.0), 1, THREE, "re_retrieve"),
        (Grading(0.5, confidence=0.9), 1, THREE, "generate"),
        (Grading(0.5, confidence=0.89), 1, THREE, "refine"),
        (Grading(0.5, missing=("a part",), confidence=0.95), 1, THREE, "refine"),
    ],
)
def test_quality_and_passes_decide(grading: Grading, iteration: int, limits: SearchLimits, decision: Decision) -> None:
    assert decide(grading, iteration, limits) == decision


@pytest.mark.parametrize(
    ("draft", "iteration", "limits", "following"),
    [
        (ReplyDraft(text="a [1]", found=True), 1, THREE, "check_rights"),
        (ReplyDraft(found=False, left_out=("b",)), 2, THREE, "plan"),
        (ReplyDraft(found=False, left_out=("b",)), 3, THREE, "check_rights"),
        (ReplyDraft(found=False, left_out=("b",)), 1, ONE, "check_rights"),
        (ReplyDraft(found=False, left_out=("b",)), 1, SearchLimits(verify_again=False), "check_rights"),
        (ReplyDraft(found=False, left_out=()), 1, THREE, "check_rights"),
    ],
)
def test_an_answer_of_which_nothing_survived_is_searched_anew(
    draft: ReplyDraft, iteration: int, limits: SearchLimits, following: AfterVerification
) -> None:
    assert after_verification(draft, iteration, limits) == following


def test_where_nothing_is_left_to_search_it_is_not() -> None:
    assert after_verification(ReplyDraft(left_out=("b",)), 1, THREE, searchable=False) == "check_rights"
