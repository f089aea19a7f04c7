"""Where the graph goes next. Pure: every decision is a function of a few values."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from agent.state import AfterRights, Analysis, Decision, Grading, ReplyDraft

AfterAnalysis = Literal["plan", "build_outcome"]
AfterVerification = Literal["plan", "check_rights"]


CERTAIN = 0.9
"""Confidence of a grader to which nothing is missing, from which evidence is enough whatever single passages are worth:
what two passages answer together, such as a comparison, none of them answers outright."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """When to go on and when to end."""

    max_iterations: int = 3
    """Passes of search, never exceeded."""
    generate: float = 0.7
    """Average grade from which evidence is enough."""
    refine: float = 0.3
    """Average below which another strategy is tried instead of a closer look."""
    early_stop: bool = True
    """Whether a pass that brought nothing of use is the last."""
    verify_again: bool = True
    """Whether an answer of which nothing survived is searched anew."""


def after_analysis(analysis: Analysis) -> AfterAnalysis:
    """Anything that asks is searched for; a greeting has its own reply."""
    return "plan" if analysis.talk == "question" else "build_outcome"


def decide(grading: Grading, iteration: int, limits: SearchLimits) -> Decision:
    """What to do with evidence of that quality after that many passes. Good passages are enough where the one who
    graded them is sure that together they answer."""
    good = grading.average >= limits.generate and (grading.confidence is None or grading.confidence >= limits.refine)
    certain = (grading.confidence or 0.0) >= CERTAIN and not grading.missing and grading.average >= limits.refine
    if grading.skipped or good or certain or iteration >= limits.max_iterations:
        return "generate"
    if limits.early_stop and iteration > 1 and not grading.gained:
        return "generate"
    return "refine" if grading.average >= limits.refine else "re_retrieve"


def after_rights(*, affected: bool, found: bool, left: bool, anew: bool) -> AfterRights:
    """A reply that lost a source is looked at once more; one of which nothing is left is written anew, once, where
    there is other evidence. affected: whether it was made from what is closed. anew: whether that was done already."""
    if not affected:
        return "build_outcome"
    if found:
        return "verify"
    return "synthesize" if left and not anew else "build_outcome"


AFTER_GRADING: Mapping[Hashable, str] = {
    "generate": "synthesize",
    "refine": "plan",
    "re_retrieve": "analyze_and_route",
}
"""The node that follows a decision: refining plans anew with what is missing; changing strategy routes anew."""


def after_verification(
    draft: ReplyDraft, iteration: int, limits: SearchLimits, *, searchable: bool = True
) -> AfterVerification:
    """An answer whose every sentence failed its check was never shown, so that another search can still be made.
    searchable: whether the last plan still found something to search."""
    failed = not draft.found and bool(draft.left_out)
    again = failed and searchable and limits.verify_again and iteration < limits.max_iterations
    return "plan" if again else "check_rights"


def rerouted(analysis: Analysis) -> Analysis:
    """The same question for another strategy: by meaning instead of words, and no longer held to be simple."""
    return replace(analysis, intent="conceptual", vague=True, complexity="moderate")
