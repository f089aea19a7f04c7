"""Golden questions in the live index beside a new one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agent.evaluation.golden_questions import GoldenQuestion, Verdict
from domain.access import Scope

AskedQuestions = Sequence[tuple[GoldenQuestion, Scope]]
"""Questions, and as whom each is asked."""


@dataclass(frozen=True, slots=True)
class GoldenComparison:
    """A question before and after."""

    question: GoldenQuestion
    before: bool | None
    """Whether it held; None where that is not known."""
    after: Verdict

    @property
    def worse(self) -> bool:
        """Whether it held, or may have held, and fails now."""
        return self.before is not False and not self.after.holds


def compare(
    questions: Sequence[GoldenQuestion], before: Mapping[str, bool], after: Sequence[Verdict]
) -> list[GoldenComparison]:
    """Each question with how it fared. before: by key, as far as that is known. after: in the order of `questions`."""
    return [
        GoldenComparison(each, before.get(each.key), verdict) for each, verdict in zip(questions, after, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class LiveResults:
    """How the live index fares."""

    held: Mapping[str, bool]
    """Whether each question holds, by its key, as far as that is known."""
    how: Literal["asked", "recorded", "unknown", "none"]
    """The index was asked now; results are those recorded last; nothing is known; there is no live index."""
    why: str = ""
    """Why it could not be asked."""
    at: datetime | None = None
    """When the results were recorded."""


@dataclass(frozen=True, slots=True)
class IndexComparison:
    """The live index beside the new one."""

    rows: tuple[GoldenComparison, ...]
    before: LiveResults
    version: int
    """Number of the new index."""

    @property
    def worse(self) -> tuple[GoldenComparison, ...]:
        """The questions that fail now and held before, or may have held."""
        return tuple(row for row in self.rows if row.worse)


def held_by_key(asked: AskedQuestions, verdicts: Sequence[Verdict]) -> dict[str, bool]:
    """Whether each question holds, by its key."""
    return {question.key: verdict.holds for (question, _), verdict in zip(asked, verdicts, strict=True)}
