"""Quoting: which units of passages answer a question, and in what order. No model writes anything here."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from agent.questions.expected import NUMBERS, Expected
from agent.reasoners.offline.judging import titled_as_asked
from agent.reasoners.offline.quotable_units import (
    COLONS,
    QUESTIONS,
    SHORT,
    QuotableUnit,
    item_around,
    likely,
    paragraph_around,
    paragraph_from,
    quotable_units,
)
from agent.reasoners.offline.whole_tables import WholeTable, table_of, whole_table
from agent.retrieval.relevance import coverage
from agent.retrieval.retriever import Retrieved
from agent.wording import quoted_by_words
from domain.cosine_scale import COMMON_SCALE, CosineScale
from domain.errors import Transient
from domain.model_ports import Embedder, Vectors
from domain.patterns import LinearRegex
from domain.search import Passage
from domain.text.codes import code_keys
from domain.text.months import with_months
from domain.text.ranges import covers
from domain.text.sentences import LIST_ITEM
from domain.text.tables import cells_of, with_units
from domain.text.tokens import Analyzer
from domain.text.weekdays import days_named

CLOSE_LOOK = 3_000
"""Characters of units that are embedded for one question: about 750 tokens, some 0.1 s on two cores."""

LONG_LOOK = 9_000
"""The same where nothing answers, and what comes near is to be told."""

NEAR, NEAR_SCORE = 5, 0.3
"""Units that are told then, and the score from which one is."""

LOOKED_AT = 2
"""Best units of which one must hold a value where nothing answers without one."""

SAME_COSINE = 0.9
"""Cosine from which two units say the same."""

WORTH_ADDING = 0.85
"""Share of the best unit's score that a further one must reach."""

VALUE_BONUS = 0.12
"""Added to a unit's score if it holds a value of the kind that is asked for."""
PERSON_BONUS = 0.1
"""Added to a unit's score if a person is asked for and it names one with what they are or do."""
COUNT_BONUS = 0.06
"""Added to a unit's score if it has a number before the word for what is counted."""
HEADING_BONUS = 0.1
"""Added to a unit's score if the question has every word of the heading above the unit; once more if it has every word
of a row's first cell; and once more if it is the document's title."""
WHOLE_LIST_BONUS = 0.1
"""Added to a unit's score if it is a whole list and one is asked for."""
RANGE_BONUS = 0.2
"""Added to a row's score if an amount of the question lies in its range, and subtracted if none does."""
FOLLOW_UP_BONUS = 0.3
"""Added to a unit's score if it or its headings hold the words that a follow-up adds to the question before it; of some
of them, their share."""
OFF_TOPIC_PENALTY = 0.3
"""Subtracted from a unit's score if nothing around it speaks of what the question names; of some of it, its share."""
NO_REASON_PENALTY = 0.1
"""Subtracted from a row's score if a reason is asked for."""
HOURS_BONUS = 0.2
"""Added to a unit's score if opening hours are asked for, and it names a day of the week and a span of hours."""
LONG_LIST_PENALTY, SHORT_LIST_LINES = 0.1, 4
"""Subtracted from a list's score if it has more lines than that and a person is asked for: it names many."""
WAIVED_SHARE = 0.5
"""How much of OFF_TOPIC_PENALTY is waived for a name that another sentence of the passage holds."""

# an amount with two decimals, and what says that such amounts are prices
_AMOUNT = LinearRegex(r"\d{1,3}(?:[.,' ]\d{3})*[.,]\d\d", before=r"^|[^\w.,:]", after=r"[^\w.,:%]|\Z")
_PRICES = LinearRegex(
    r"prices?|pricing|fees?|costs?|tariffs?|charges?|\w{0,20}preis(?:e|liste)?|\w{0,20}gebühr(?:en)?|\w{0,20}kosten|tarife?"
    r"|entgelte?",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_HOURS = LinearRegex(r"\d{1,2}[:.]\d\d ?(?:[-–—]|to|bis|until|and|und) ?\d{1,2}[:.]\d\d")
_EXCEPTION = LinearRegex(
    r"when|if|unless|except|only|holidays?|wenn|falls|außer|nur|feiertag\w{0,2}|ferien",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_YES_NO = LinearRegex(r"(?:yes|no|ja|nein)", after=r"\W|\Z", ignore_case=True)
_NUMBER = re.compile(rf"\b(?:{NUMBERS})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredUnit:
    """A unit, its score for the question, and its vector."""

    unit: QuotableUnit
    score: float
    vector: NDArray[np.float32]
    scale: CosineScale = COMMON_SCALE
    """What cosines with its vector mean."""


async def score_units(
    embedder: Embedder,
    retrieved: Retrieved,
    passages: Sequence[Passage],
    wanted: Expected,
    characters: int = CLOSE_LOOK,
) -> tuple[list[ScoredUnit], str]:
    """The most promising units, so many characters of them, with their scores, best first; and what was missing to
    judge them."""
    units = quotable_units(passages, retrieved)
    found = likely(units, passages, retrieved.term_idf, characters, lambda unit: wanted.hours and _tells_hours(unit))
    vectors, missing = None, retrieved.degraded
    if retrieved.vector is not None:
        try:
            vectors = await embedder.embed([_in_context(unit, passages) for unit in found])
        except Transient as error:
            missing = quoted_by_words(error)
    scores = _scores(found, vectors, retrieved, passages, wanted)
    order = sorted(range(len(found)), key=lambda i: (-scores[i], found[i].passage, found[i].start))
    none = np.zeros(1 if retrieved.vector is None else len(retrieved.vector), np.float32)
    made = [none] * len(found) if vectors is None else vectors
    return [ScoredUnit(found[i], scores[i], made[i], retrieved.scale) for i in order], missing


def _in_context(unit: QuotableUnit, passages: Sequence[Passage]) -> str:
    return f"{passages[unit.passage].title} > {unit.heading}\n{unit.words}"


def _scores(
    found: Sequence[QuotableUnit],
    vectors: Vectors | None,
    retrieved: Retrieved,
    passages: Sequence[Passage],
    wanted: Expected,
) -> list[float]:
    """The score of each unit: how near it is to the question, how many of the question's words it holds by itself and
    with its title and headings, its passage's rank, and whether it holds what an answer must."""
    analyzer = Analyzer(retrieved.stemming)
    cosines = [0.0] * len(found)
    if vectors is not None and retrieved.vector is not None:
        cosines = [retrieved.likeness(each) for each in vectors]
    scores = []
    for unit, cosine in zip(found, cosines, strict=True):
        passage = passages[unit.passage]
        above = " ".join((passage.title, *passage.heading_path, unit.heading))
        own = unit.terms | retrieved.widened(analyzer.tokens("price" if price_of(unit, passage) else ""))
        around = own | retrieved.widened(analyzer.tokens(above))
        below = own | retrieved.widened(analyzer.tokens(unit.heading))
        words = sum(coverage(each, retrieved.term_idf) for each in (own, below, around)) / 3
        rank = 1 - unit.passage / len(passages)
        score = 0.5 * cosine + 0.35 * words + 0.15 * rank
        if wanted.value is not None and _holds_value(unit, passage, wanted):
            score += VALUE_BONUS
        score += _form_bonus(unit, wanted) + HEADING_BONUS * titled_as_asked(passage, retrieved)
        if wanted.own:
            score += FOLLOW_UP_BONUS * len(wanted.own & around) / len(wanted.own)
        heads = frozenset(analyzer.tokens(unit.heading))
        if heads and heads <= retrieved.term_idf.keys():
            score += HEADING_BONUS
        if unit.form == "row" and _subject(unit, analyzer) <= retrieved.term_idf.keys():
            score += HEADING_BONUS
        score -= OFF_TOPIC_PENALTY * _share_elsewhere(unit, passage, wanted)
        scores.append(score)
    return scores


def _form_bonus(unit: QuotableUnit, wanted: Expected) -> float:
    """The sum of a unit's bonuses and penalties for its form (sentence, list, row) and for naming what is asked for."""
    score = PERSON_BONUS if wanted.names_somebody(unit.words) else 0.0
    if wanted.count and wanted.count.search(unit.words):
        score += COUNT_BONUS
    if wanted.hours and _tells_hours(unit):
        score += HOURS_BONUS
    if unit.form == "list":
        whole = wanted.wants_list and (wanted.kind == "list" or unit.tells_steps)
        names_many = wanted.kind == "person" and unit.lines > SHORT_LIST_LINES
        return score + WHOLE_LIST_BONUS * whole - LONG_LIST_PENALTY * names_many
    if unit.form == "row":
        fits = _in_range(unit, wanted.amounts)
        score += 0.0 if fits is None else RANGE_BONUS if fits else -RANGE_BONUS
        return score - NO_REASON_PENALTY * (wanted.kind == "explanation")
    return score


def _tells_hours(unit: QuotableUnit) -> bool:
    """Whether a unit names days of the week with hours, and no exception."""
    said = f"{unit.heading}\n{unit.words}"
    return bool(days_named(unit.words)) and bool(_HOURS.search(unit.words)) and not _EXCEPTION.search(said)


def price_of(unit: QuotableUnit, passage: Passage) -> str:
    """The first amount without a currency in a row of a table whose title, headings or columns speak of prices; empty
    without one."""
    if unit.form != "row" or not (amount := _AMOUNT.search(unit.text)):
        return ""
    above = " ".join((passage.title, *passage.heading_path, unit.heading, unit.columns, unit.words))
    return amount[0] if _PRICES.search(above) else ""


def _holds_value(unit: QuotableUnit, passage: Passage, wanted: Expected) -> bool:
    """Whether a unit or its heading holds a value of the kind that is asked for."""
    price = price_of(unit, passage)
    said = (
        unit.heading,
        with_context(unit, passage, wanted),
        price and f"{price} €",
        with_units(unit.columns, unit.text),
    )
    return wanted.holds_value("\n".join(said))


def _subject(unit: QuotableUnit, analyzer: Analyzer) -> frozenset[str]:
    """The tokens of a row's first cell, without what stands in brackets there; of an empty one a token that is none."""
    return frozenset(analyzer.tokens(cells_of(unit.text)[0].partition("(")[0])) or frozenset([""])


def _in_range(unit: QuotableUnit, amounts: Sequence[float]) -> bool | None:
    """Whether an amount that the question names lies in the range that the row's first cell names; None without one."""
    cell = cells_of(unit.text)[0]
    fits = [covers(cell, amount) for amount in amounts]
    return any(fits) if any(each is not None for each in fits) else None


def _share_elsewhere(unit: QuotableUnit, passage: Passage, wanted: Expected) -> float:
    """Which share of the names and identifiers that the question names the unit's surroundings do not hold."""
    named = len(wanted.codes) + len(wanted.names)
    if not named:
        return 0.0
    around = (passage.title, *passage.heading_path, passage.path, passage.url, unit.heading, unit.words)
    held, beside = code_keys(around), passage.text.casefold()
    text = " ".join(around).casefold()
    missing: float = sum(code not in held for code in wanted.codes)
    missing += sum((1 - WAIVED_SHARE * (name in beside)) for name in wanted.names if name not in text)
    return missing / named


def can_answer(wanted: Expected, scored: Sequence[ScoredUnit], passages: Sequence[Passage]) -> bool:
    """Whether the evidence holds what an answer must: every identifier and name of the question, and a value where
    nothing answers without one."""
    best = scored[:LOOKED_AT]
    if wanted.strict and not any(_holds_value(each.unit, passages[each.unit.passage], wanted) for each in best):
        return False
    held, texts = set[str](), list[str]()
    for passage in passages:
        around = (passage.title, *passage.heading_path, passage.path, passage.url, passage.text)
        held |= code_keys(around)
        texts += around
    text = " ".join(texts).casefold()
    return wanted.codes <= held and all(name in text for name in wanted.names)


def choose(scored: Sequence[ScoredUnit], limit: int) -> list[ScoredUnit]:
    """The best unit and those nearly as good that add something. scored: best first."""
    chosen: list[ScoredUnit] = []
    for candidate in scored:
        if len(chosen) == limit or (chosen and candidate.score < WORTH_ADDING * chosen[0].score):
            break
        if not any(_repeats(candidate, other) for other in chosen):
            chosen.append(candidate)
    return chosen


def nearest_units(scored: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """The few best units that do not repeat each other, though they answer nothing. scored: best first."""
    found: list[ScoredUnit] = []
    for candidate in scored:
        if len(found) == NEAR or candidate.score < NEAR_SCORE:
            break
        if not any(_repeats(candidate, other) for other in found):
            found.append(candidate)
    return found


def of_persons(scored: Sequence[ScoredUnit], wanted: Expected) -> list[ScoredUnit]:
    """Where a person is asked for and units nearly as good as the best name one with what they are or do, these alone;
    else all. scored: best first."""
    good = [each for each in scored if each.score >= WORTH_ADDING * scored[0].score]
    return [each for each in good if wanted.names_somebody(each.unit.words)] or list(scored)


def of_the_kind(chosen: Sequence[ScoredUnit], passages: Sequence[Passage], wanted: Expected) -> list[ScoredUnit]:
    """The units that hold a value of the kind that is asked for, where one does; else all."""
    return [each for each in chosen if _holds_value(each.unit, passages[each.unit.passage], wanted)] or list(chosen)


def with_whole_lists(chosen: Sequence[ScoredUnit], scored: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """The chosen units, and in place of several items of one list that list: some of its items, in another order, would
    look like all of it. scored: the lists are among them."""
    lists = [each for each in scored if each.unit.form == "list"]
    found: dict[ScoredUnit, None] = {}
    for each in chosen:
        whole = next((one for one in lists if _is_item(each.unit, one.unit)), None)
        several = whole is not None and sum(_is_item(other.unit, whole.unit) for other in chosen) > 1
        found[whole if whole is not None and several else each] = None
    return list(found)


def _is_item(unit: QuotableUnit, whole: QuotableUnit) -> bool:
    """Whether a unit is an item of a list."""
    within = whole.start <= unit.start and unit.start + len(unit.text) <= whole.start + len(whole.text)
    return unit.passage == whole.passage and unit.form == "sentence" and within and bool(LIST_ITEM.match(unit.text))


def with_whole_tables(
    units: Sequence[QuotableUnit],
    passages: Sequence[Passage],
    retrieved: Retrieved,
    wanted: Expected,
    beside: Mapping[str, Passage] = MappingProxyType({}),
) -> list[QuotableUnit]:
    """The units, and in place of a row that the question does not tell from the others of its table all of them: who
    asks for the days of vacation, and names no office, is told those of every office.

    beside: passages by the id of their chunk, with those before and after them, as far as they are known.
    """
    found: dict[tuple[int, int], QuotableUnit] = {}
    for each in units:
        passage = passages[each.passage]
        table = table_of(each, passage, beside.get(passage.chunk_id)) if each.form == "row" else None
        alone = table is None or _is_told_apart(each, table, retrieved, wanted)
        unit = each if table is None or alone else whole_table(each, passage, table) or each
        found.setdefault((unit.passage, unit.start), unit)
    tables = [unit for unit in found.values() if unit.form == "list"]
    return [unit for unit in found.values() if not any(_stands_in(unit, table) for table in tables)]


def _stands_in(unit: QuotableUnit, whole: QuotableUnit) -> bool:
    """Whether a row is one of a table that is quoted whole."""
    within = whole.start <= unit.start < whole.start + len(whole.text)
    return unit.passage == whole.passage and unit.form == "row" and within


def _is_told_apart(row: QuotableUnit, table: WholeTable, retrieved: Retrieved, wanted: Expected) -> bool:
    """Whether the cells of a row hold a word or an amount of the question that another row of its table lacks."""
    if wanted.hours and days_named(row.text):
        return False
    analyzer = Analyzer(retrieved.stemming)
    others = [retrieved.widened(analyzer.tokens(with_months(each))) for each in table.rows]
    own = retrieved.widened(analyzer.tokens(with_months(row.text))) & retrieved.term_idf.keys()
    return bool(_in_range(row, wanted.amounts)) or not own <= frozenset.intersection(*map(frozenset, others))


def _repeats(one: ScoredUnit, other: ScoredUnit) -> bool:
    if one.unit.words in other.unit.words or other.unit.words in one.unit.words:
        return True
    return one.scale.common(float(one.vector @ other.vector)) > SAME_COSINE and _numbers(one) == _numbers(other)


def _numbers(scored: ScoredUnit) -> frozenset[str]:
    return frozenset(found.lower() for found in _NUMBER.findall(scored.unit.text))


def with_context(unit: QuotableUnit, passage: Passage, wanted: Expected) -> str:
    """The words of a unit; of a sentence that tells no reason where one is asked for, with those of its paragraph; of
    one in an item of a list where yes or no is asked for, with those of its item: it may be the exception alone."""
    if wanted.kind == "yes_no" and unit.form == "sentence":
        item = item_around(passage.text, unit.start)
        return item if len(unit.words) < len(item) <= SHORT else unit.words
    if wanted.kind != "explanation" or unit.form != "sentence" or wanted.holds_value(unit.words):
        return unit.words
    below = paragraph_from(passage.text, unit.start)
    return below if len(below) > len(unit.words) else paragraph_around(passage.text, unit.start) or unit.words


def with_heading(unit: QuotableUnit, passage: Passage, wanted: Expected, retrieved: Retrieved) -> str:
    """The unit as it is shown: below its heading where that says what the unit is about, and the unit does not."""
    heading, words = unit.heading, with_context(unit, passage, wanted)
    if not heading or heading == passage.title or heading.casefold() in words.casefold():
        return words
    analyzer = Analyzer(retrieved.stemming)
    above = retrieved.widened(analyzer.tokens(heading))
    asked = {term for term in retrieved.term_idf if term in above}
    told = unit.terms | frozenset(analyzer.tokens(passage.title))
    dated = wanted.value is not None and wanted.holds_value(heading) and not wanted.holds_value(words)
    coded = code_keys([heading]) - code_keys([words])
    colon = "" if heading.endswith(QUESTIONS) else ":"
    if unit.form == "list" and (LIST_ITEM.match(words) or not words.partition("\n")[0].endswith(COLONS)):
        return f"{heading}{colon}\n{words}"
    if not (asked - told or dated or coded or wanted.hours or (not colon and _YES_NO.match(words))):
        return words
    item = LIST_ITEM.match(words)  # a mark of a list says nothing behind a heading
    return f"{heading}{colon} {words[item.end() :] if item else words}"
