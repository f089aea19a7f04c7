"""Adds to a quotation what it cannot do without: the warnings above steps, and the sentence that continues it. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from agent.questions.expected import Expected
from agent.reasoners.offline.quotable_units import MAX_UNIT, QuotableUnit, quotable_units
from agent.reasoners.offline.quoting import ScoredUnit
from agent.retrieval.retriever import Retrieved
from domain.patterns import LinearRegex
from domain.search import Passage
from domain.text.sentences import LIST_ITEM
from domain.text.tokens import Analyzer

_WARNS = LinearRegex(
    r"[^\w\n]{0,4}[⚠❗🚫☠⛔]"
    r"|[^\w\n]{0,6}(?:warning|caution|danger|attention|important|achtung|vorsicht|warnung|gefahr|wichtig"
    r"|you need|requirements?|prerequisites?|voraussetzung(?:en)?)[*_]{0,2} ?[:!]"
    r"|[^\w\n]{0,6}(?:never|do not|don['’]t|niemals) [a-z]",
    ignore_case=True,
)
_NO_WARNING = LinearRegex(r"[^\w\n]{0,6}(?:never mind|(?:do not|don['’]t) (?:worry|hesitate|forget))", ignore_case=True)


def with_warnings(chosen: Sequence[ScoredUnit], passages: Sequence[Passage], retrieved: Retrieved) -> list[ScoredUnit]:
    """The chosen units, and before steps the warnings, and what is needed, that stand above them in their section or at
    the beginning of their document."""
    found: dict[ScoredUnit, None] = {}
    for each in chosen:
        if each.unit.form == "list" and each.unit.tells_steps:
            above = list(_warnings(each.unit, passages, retrieved))
            whole = [unit for unit in above if sum(unit.text in other.text for other in above) == 1]
            told = {other.unit.text for other in chosen}
            found |= {
                ScoredUnit(unit, each.score, np.zeros_like(each.vector)): None
                for unit in whole
                if unit.text not in told
            }
        found[each] = None
    return list(found)


def _warnings(steps: QuotableUnit, passages: Sequence[Passage], retrieved: Retrieved) -> Iterator[QuotableUnit]:
    """The warnings above steps, in the order in which they stand."""
    here = passages[steps.passage]
    for number, passage in sorted(enumerate(passages), key=lambda each: each[1].ordinal):
        if passage.document_id != here.document_id or passage.ordinal > here.ordinal:
            continue
        for unit in quotable_units([passage], retrieved):
            above = unit.start < steps.start if passage is here else passage.ordinal in {0, here.ordinal - 1}
            first = unit.heading in {"", here.title}
            same = first or (unit.heading == steps.heading and passage.heading_path == here.heading_path)
            warns = _WARNS.match(unit.text) is not None and _NO_WARNING.match(unit.text) is None
            if above and same and warns and unit.form == "sentence" and unit.text not in steps.text:
                yield replace(unit, passage=number)


def with_what_follows(
    chosen: Sequence[ScoredUnit],
    scored: Sequence[ScoredUnit],
    passages: Sequence[Passage],
    retrieved: Retrieved,
    wanted: Expected,
) -> list[ScoredUnit]:
    """The chosen units, each sentence with the next one of its paragraph where that holds a word of the question, or a
    value as is asked for, that it lacks itself ("Probation is six months. Notice in that time is two weeks."), or where
    it says no more than the question.

    scored: the next ones are among them.
    """
    analyzer = Analyzer(retrieved.stemming)
    found: list[ScoredUnit] = []
    for each in chosen:
        unit, passage = each.unit, passages[each.unit.passage]
        after = next_sentence(unit, [other.unit for other in scored], passage) if unit.form == "sentence" else None
        taken = after is not None and any(_holds(other.unit, after) for other in chosen)
        if after is not None and not taken:
            above = " ".join((passage.title, *passage.heading_path, unit.heading))
            lacks = retrieved.term_idf.keys() - unit.terms - retrieved.widened(analyzer.tokens(above))
            valued = not wanted.holds_value(unit.words) and wanted.holds_value(after.words)
            repeats = unit.terms <= retrieved.term_idf.keys()
            if repeats or valued or lacks & after.terms:
                both = passage.text[unit.start : after.start + len(after.text)]
                unit = replace(unit, text=both, shown="", terms=unit.terms | after.terms)
        if not any(unit.passage == other.unit.passage and unit.text in other.unit.text for other in found):
            found.append(replace(each, unit=unit))
    return found


def _holds(unit: QuotableUnit, other: QuotableUnit) -> bool:
    """Whether a unit holds a place where another one ends."""
    end = other.start + len(other.text)
    return unit.passage == other.passage and unit.start < end <= unit.start + len(unit.text)


def next_sentence(unit: QuotableUnit, units: Sequence[QuotableUnit], passage: Passage) -> QuotableUnit | None:
    """The sentence that follows a unit in its paragraph, where both are short enough to be quoted together."""
    end = unit.start + len(unit.text)
    behind = [each for each in units if each.passage == unit.passage and each.form == "sentence" and each.start >= end]
    after = min(behind, key=lambda each: each.start, default=None)
    if after is None or passage.text[end : after.start].strip() or LIST_ITEM.match(after.text):
        return None
    fits = after.start + len(after.text) - unit.start <= MAX_UNIT
    same = passage.text.count("\n", end, after.start) < 2
    return after if fits and same else None
