"""Which of the chosen units count where sources differ, or where one document replaces another. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from agent.checking.conflicts import Conflict
from agent.questions import patterns
from agent.reasoner import AnswerPart, SynthesisInput
from agent.reasoners.offline.quoting import ScoredUnit
from domain.patterns import LinearRegex
from domain.search import Passage

REPLACES = 0.7
"""Share of the score of a unit of a replaced document from which one of the replacing document stands in its place."""

_UP_TO = LinearRegex(
    r"(?:before|until|till|prior to|vor|bis)(?: [^\W\d_]{1,12}){0,2} (?:19|20)\d\d",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_YEAR = LinearRegex(r"(?:19|20)\d\d", before=r"^|[^\w.,/-]", after=r"[^\w,/-]|\Z")


def units_that_count(
    chosen: Sequence[ScoredUnit],
    scored: Sequence[ScoredUnit],
    inputs: SynthesisInput,
    part: AnswerPart,
    passages: Sequence[Passage],
) -> list[ScoredUnit]:
    """The units that count, and both sides of a conflict where nothing tells which of them does, or where the question
    is for what was before."""
    conflicts = _within(inputs, part)
    if patterns.about_the_past(inputs.analysis.standalone):
        both = with_both_sides(chosen, scored, conflicts)
        return of_the_year(inputs.analysis.standalone, replaced_last(both, passages, inputs.precedence), passages)
    both = with_both_sides(chosen, scored, [each for each in conflicts if not each.reason])
    return what_counts(both, scored, [each for each in conflicts if each.reason], passages, inputs.precedence)


def _within(inputs: SynthesisInput, part: AnswerPart) -> list[Conflict]:
    """The conflicts between passages of a part, with positions among these."""
    place = {position: number for number, position in enumerate(part.items)}
    return [
        replace(each, first=place[each.first], second=place[each.second])
        for each in inputs.conflicts
        if each.first in place and each.second in place
    ]


def with_both_sides(
    chosen: Sequence[ScoredUnit], scored: Sequence[ScoredUnit], conflicts: Sequence[Conflict]
) -> list[ScoredUnit]:
    """The chosen units, and beside each that tells one side of a conflict the unit that tells the other, the one that
    counts first. conflicts: with positions among the passages."""
    ordered = list(chosen)
    for conflict in conflicts:
        pair = [each for each in _sides(conflict, (*ordered, *scored)) if each]
        places = [place for place, unit in enumerate(ordered) if any(unit is each for each in pair)]
        if len(pair) == 2 and places:
            rest = [unit for unit in ordered if not any(unit is each for each in pair)]
            ordered = [*rest[: places[0]], *pair, *rest[places[0] :]]
    return ordered


def what_counts(
    chosen: Sequence[ScoredUnit],
    scored: Sequence[ScoredUnit],
    conflicts: Sequence[Conflict],
    passages: Sequence[Passage],
    precedence: Collection[tuple[str, str]],
) -> list[ScoredUnit]:
    """The chosen units without those that no longer count: in the place of the side of a conflict that another one
    comes before stands that one, and what documents say that are replaced is left out where the others answer.

    conflicts: those with a reason why one counts first, with positions among the passages. precedence: as GraphSearch
    gives it.
    """
    ordered = list(chosen)
    for conflict in conflicts:
        first, _ = _sides(conflict, (*ordered, *scored))
        older = [unit for unit in ordered if _tells(unit, conflict.second, conflict.second_sentence)]
        if first and older:
            place = min(ordered.index(older[0]), ordered.index(first) if first in ordered else len(ordered))
            rest = [unit for unit in ordered if unit not in older and unit is not first]
            ordered = [*rest[:place], first, *rest[place:]]
    ordered = [_replacing(unit, scored, passages, precedence) or unit for unit in ordered]
    replaced = replaced_last([*dict.fromkeys(ordered)], passages, precedence)
    documents = [passages[each.unit.passage].document_id for each in replaced]
    gone = {second for first, second in precedence if first in documents}
    return [unit for document, unit in zip(documents, replaced, strict=True) if document not in gone]


def _replacing(
    unit: ScoredUnit,
    scored: Sequence[ScoredUnit],
    passages: Sequence[Passage],
    precedence: Collection[tuple[str, str]],
) -> ScoredUnit | None:
    """The best unit of a document that replaces that of a unit, where it is nearly as good."""
    document = passages[unit.unit.passage].document_id
    counts = {first for first, second in precedence if second == document}
    found = (each for each in scored if passages[each.unit.passage].document_id in counts)
    best = next(found, None)
    return best if best and best.score >= REPLACES * unit.score else None


def _sides(conflict: Conflict, units: Sequence[ScoredUnit]) -> tuple[ScoredUnit | None, ScoredUnit | None]:
    """The first unit that tells each side of a conflict."""
    first = next((each for each in units if _tells(each, conflict.first, conflict.first_sentence)), None)
    second = next((each for each in units if _tells(each, conflict.second, conflict.second_sentence)), None)
    return first, second


def _tells(scored: ScoredUnit, passage: int, sentence: str) -> bool:
    return scored.unit.passage == passage and sentence in scored.unit.text


def replaced_last(
    chosen: Sequence[ScoredUnit], passages: Sequence[Passage], precedence: Collection[tuple[str, str]]
) -> list[ScoredUnit]:
    """The units, those of documents last before which another of theirs counts. precedence: as GraphSearch gives it."""
    documents = [passages[each.unit.passage].document_id for each in chosen]
    last = {second for first, second in precedence if first in documents}
    return [unit for _, unit in sorted(zip(documents, chosen, strict=True), key=lambda each: each[0] in last)]


def of_the_year(question: str, units: Sequence[ScoredUnit], passages: Sequence[Passage]) -> list[ScoredUnit]:
    """The units of documents that name a year of the question, where there are some; else all. What was before a year
    may stand in any."""
    years = _YEAR.findall(question) if not _UP_TO.search(question) else []

    def named(passage: Passage) -> bool:
        around = " ".join((passage.title, *passage.heading_path, passage.path, passage.text))
        return any(year in around for year in years)

    return [each for each in units if named(passages[each.unit.passage])] or list(units)
