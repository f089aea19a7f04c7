"""Passages of the day that a question names come first: "What did Ada report on 10 August?" is answered by what bears
that date, in whatever form. Words and vectors do not see that two dates are the same. Pure."""

from collections.abc import Collection, Iterable, Mapping

from agent.retrieval.fusion import best_first
from domain.search import Passage
from domain.text.days import Day, named_days

DAY_SHARE = 0.25
"""Of the day in the score of a candidate, where the question names one; see docs/decisions/fusion.md."""

IN_TEXT = 0.7
"""What a passage gets that names the day in its text, not in its title or headings."""


def with_days(fused: Mapping[str, float], passages: Iterable[Passage], days: Collection[Day]) -> dict[str, float]:
    """The fused scores by chunk id, each with its share of the day, best first; as they were where no passage is of
    such a day. passages: of the candidates. days: that the question names."""
    found = {each.chunk_id: score for each in passages if (score := _of(each, days))}
    if not found:
        return dict(fused)
    return best_first(
        {name: (1 - DAY_SHARE) * score + DAY_SHARE * found.get(name, 0.0) for name, score in fused.items()}
    )


def _of(passage: Passage, days: Collection[Day]) -> float:
    if _names(" \n".join([passage.title, *passage.heading_path]), days):
        return 1.0
    return IN_TEXT if _names(passage.text, days) else 0.0


def _names(text: str, days: Collection[Day]) -> bool:
    return any(each.may_be(day) for each in named_days(text) for day in days)
