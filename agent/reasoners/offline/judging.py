"""How well passages answer a text, by words and vectors. Pure."""

from collections.abc import Sequence
from math import sqrt

from agent.retrieval.relevance import joint_coverage, relevance
from agent.retrieval.retriever import Retrieved
from domain.search import Passage
from domain.text.months import with_months
from domain.text.tokens import Analyzer, Stemming


def judge(measure: Retrieved, passages: Sequence[Passage]) -> float:
    """How likely, 0 to 1, the passages answer the text that was measured. passages: best first."""
    covered = joint_coverage([terms_of(passage, measure) for passage in passages], measure.term_idf)
    if measure.vector is None:
        return covered  # words alone: the share of the question that the best passages hold
    return relevance(covered, max((measure.likeness(passage.vector) for passage in passages), default=0.0))


def grade_of(relevance_alone: float) -> float:
    """The grade of an item whose relevance, taken alone, is so high.

    Relevance is fitted to whether evidence answers; a single passage that only helps has 0.1 to 0.3. The square root
    puts those above the grade from which evidence is kept.
    """
    return sqrt(relevance_alone)


def relevance_of(passage: Passage, covered: float, measure: Retrieved) -> float:
    """How likely, 0 to 1, one passage answers the text that was measured. covered: share of that text it holds."""
    if measure.vector is None or not passage.vector.any():
        return covered
    return relevance(covered, measure.likeness(passage.vector))


class PassageTerms:
    """Remembers the tokens of the passages of one question, by chunk id."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, Stemming], frozenset[str]] = {}

    def of(self, passage: Passage, measure: Retrieved) -> frozenset[str]:
        """The tokens of a passage with its title and headings, made and widened as a question was measured."""
        key = (passage.chunk_id, measure.stemming)
        if key not in self._held:
            self._held[key] = terms_of(passage, measure)
        return self._held[key]


def terms_of(passage: Passage, measure: Retrieved) -> frozenset[str]:
    """The tokens of a passage with its title and headings, and what means the same as one of them."""
    text = with_months("\n".join((passage.title, *passage.heading_path, passage.text)))
    return measure.widened(Analyzer(measure.stemming).tokens(text))


def titled_as_asked(passage: Passage, measure: Retrieved) -> bool:
    """Whether a passage's title, without a label such as `Runbook:` before it, has the words of the question that was
    measured, and no others; never of one word alone, which many pages speak of."""
    named = frozenset(Analyzer(measure.stemming).tokens(passage.title.rpartition(": ")[2]))
    return len(named) > 1 and named == measure.term_idf.keys()
