"""Rows that tell a relation the way round in which a question asks for it: the deputy of somebody, or whose deputy
somebody is. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from agent.reasoners.offline.quotable_units import QuotableUnit, quotable_units
from agent.reasoners.offline.quoting import ScoredUnit
from agent.retrieval.retriever import Retrieved
from domain.patterns import LinearRegex
from domain.search import Passage
from domain.text.languages import query_tokens
from domain.text.tables import cells_of, is_empty
from domain.text.tokens import Analyzer

_NAME = r"(?P<name>\w[\w.&/-]*(?: \w[\w.&/-]*){0,4})"
_COLUMN = r"(?P<column>[\w-]+(?: [\w-]+)?)"
_DEPUTY = "deputy stand-in substitute vertretung stellvertreter stellvertretung stellvertreterin"
_OF, _WHOSE = (
    tuple(LinearRegex(each, before=r"^|\W", after=r"\W*\Z", ignore_case=True) for each in patterns)
    for patterns in (
        (
            rf"who (?:stands in|deputi[sz]es|substitutes|covers) for {_NAME}",
            rf"wer vertritt {_NAME}",
            rf"(?:who|what|wer) (?:is|are|ist) {_NAME}['’]s? {_COLUMN}",
            rf"{_COLUMN} (?:of|for|von) {_NAME}",
        ),
        (
            rf"(?:whose|wessen) {_COLUMN} (?:is|ist) {_NAME}",
            rf"wen vertritt {_NAME}",
            rf"(?:for )?who(?:m|se)? does {_NAME} (?:stand in|deputi[sz]e|substitute|cover)(?: for)?",
        ),
    )
)


@dataclass(frozen=True, slots=True)
class Related:
    """The rows of tables that a question for a relation is about."""

    rows: tuple[QuotableUnit, ...] = ()
    """Those that tell it, an empty cell with its column."""
    turned: frozenset[tuple[int, int]] = frozenset()
    """Passages and places of those that tell it the other way round."""

    def of(self, scored: Sequence[ScoredUnit]) -> list[ScoredUnit]:
        """The units without those that tell the relation the other way round."""
        return [each for each in scored if (each.unit.passage, each.unit.start) not in self.turned]

    def scored(self, best: ScoredUnit) -> list[ScoredUnit]:
        """The rows with the score of the best unit."""
        return [ScoredUnit(each, best.score, np.zeros_like(best.vector)) for each in self.rows]


def related_rows(question: str, passages: Sequence[Passage], measure: Retrieved) -> Related:
    """Of `the deputy of A` the rows that begin with A and have such a column; of `whose deputy is A` the rows with A in
    that column."""
    of = next((match.named() for each in _OF if (match := each.search(question))), None)
    asked = next((match.named() for each in _WHOSE if (match := each.search(question))), None) or of
    if asked is None:
        return Related()
    analyzer = Analyzer(measure.stemming)
    name = frozenset(query_tokens(asked["name"] or "", analyzer))
    column = frozenset(analyzer.tokens(asked.get("column") or _DEPUTY))
    found, turned = [], set()
    for unit in quotable_units([] if not name else passages, measure):
        if unit.form != "row" or passages[unit.passage].injection:
            continue
        heads, cells = cells_of(unit.columns), cells_of(unit.text)
        place = next((n for n, head in enumerate(heads) if n and _is_called(head, column, analyzer)), 0)
        if not place or len(heads) != len(cells):
            continue
        begins, holds = (name <= set(analyzer.tokens(cells[each])) for each in (0, place))
        if begins if asked is of else holds:
            found.append(_with_cell(unit, heads[place], cells[place], frozenset(analyzer.tokens(heads[place]))))
        elif begins or holds:
            turned.add((unit.passage, unit.start))
    return Related(tuple(found), frozenset(turned))


def _is_called(head: str, column: frozenset[str], analyzer: Analyzer) -> bool:
    words = frozenset(analyzer.tokens(head))
    return bool(words) and words <= column


def _with_cell(unit: QuotableUnit, head: str, cell: str, terms: frozenset[str]) -> QuotableUnit:
    """A row with the asked cell also where that is empty, and is not shown."""
    if not is_empty(cell):
        return unit
    parts = "; " if " – " in unit.shown else " – "
    return replace(unit, shown=f"{unit.shown}{parts}{head}: {cell or '–'}", terms=unit.terms | terms)
