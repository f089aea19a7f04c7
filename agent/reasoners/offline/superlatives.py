"""Which row of a table has the largest or the smallest value, where a question is for it."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from agent.reasoners.offline.quoting import WORTH_ADDING, ScoredUnit
from agent.reasoners.offline.whole_tables import table_of
from agent.retrieval.relevance import LEAST_WEIGHT
from agent.retrieval.retriever import Retrieved, Retriever
from domain.access import Scope
from domain.patterns import LinearRegex
from domain.search import Passage
from domain.text.tables import cells_of
from domain.text.tokens import Analyzer

_LENGTH = "length long duration distance länge dauer strecke"
_PRICE = "price cost fee rate charge amount preis kosten gebühr betrag"
_SUPERLATIVES = tuple(
    (LinearRegex(rf"(?:{words})[nrsm]?", before=r"^|\W", after=r"\W|\Z", ignore_case=True), sign, dimension, units)
    for words, sign, dimension, units in (
        ("most expensive|dearest|priciest|teuerste", 1, _PRICE, "€$£"),
        ("cheapest|least expensive|günstigste|billigste", -1, _PRICE, "€$£"),
        ("longest|längste", 1, _LENGTH, ""),
        ("shortest|kürzeste", -1, _LENGTH, ""),
        ("heaviest|schwerste", 1, "weight gewicht", ""),
        ("lightest|leichteste", -1, "weight gewicht", ""),
        ("warmest|hottest|wärmste|heißeste", 1, "temperature temperatur", "°"),
        ("coldest|kälteste", -1, "temperature temperatur", "°"),
        ("deepest|tiefste", 1, "depth tiefe", ""),
        ("fastest|schnellste", 1, "speed geschwindigkeit", ""),
        ("slowest|langsamste", -1, "speed geschwindigkeit", ""),
        ("largest|biggest|highest|greatest|most|größte|höchste|meiste", 1, "", ""),
        ("smallest|lowest|fewest|kleinste|niedrigste|wenigste|geringste", -1, "", ""),
    )
)
"""Words for the end of an order, which end it is, words for what is ordered, and signs of its units."""

_BOUNDS = (" at", " am")
"""What makes a bound of a word for the end of an order: `at most`."""
_WHICH = LinearRegex(r"\W*(?:(?:in|at|on|by|for) )?(?:which|welche[rsnm]?) ", ignore_case=True)
_NUMBER = LinearRegex(r"\d{1,3}(?:,\d{3})+|\d+(?:[.,]\d{1,2})?", before=r"^|[^\w.,-]|[€$£]", after=r"[^\d.,]|\Z")
_SIGNS = frozenset("-−–~<>≤≥±/")
"""What makes more of a number than its digits say: a sign, a range, a date."""
_FREE = frozenset({"free", "free of charge", "kostenlos", "frei", "gratis"})
_TOTALS = LinearRegex(
    r"\W*(?:total|sum|average|mean|all|overall|gesamt|summe|durchschnitt|alle)", after=r"\W|\Z", ignore_case=True
)
_ORDERED = LinearRegex(
    r"rank|priority|severity|level|grade|class|version|release|rule|number|no|nr|id|year|floor|phone|ext|extension|port"
    r"|rang|priorität|stufe|klasse|nummer|jahr|etage",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
"""Names of columns whose numbers are no amounts."""

Tokens = Callable[[str], Iterable[str]]
"""Gives the terms of a text."""


@dataclass(frozen=True, slots=True)
class Extreme:
    """A question for what has the largest or the smallest value."""

    sign: int
    """1 for the largest, -1 for the smallest."""
    dimension: str
    """Words for the name of the column; empty where the question names it by itself."""
    units: str
    """Signs in the cells of such a column."""
    rest: str
    """The question without the superlative."""


async def extreme_units(
    retriever: Retriever,
    scope: Scope,
    question: str,
    scored: Sequence[ScoredUnit],
    passages: Sequence[Passage],
    measure: Retrieved,
) -> list[ScoredUnit]:
    """The rows with the largest or smallest value, where the question is for it and the first table that is found
    tells; else none. scored: best first. Raises Transient where the index does not say whether the table goes on."""
    asked = extreme_of(question)
    rows_found = [each for each in scored if each.unit.form == "row"] if asked else []
    if asked is None or not rows_found or scored[0].unit.passage != rows_found[0].unit.passage:
        return []
    first = rows_found[0].unit
    passage = passages[first.passage]
    beside = (await retriever.beside([passage], scope)).get(passage.chunk_id)
    table = table_of(first, passage, beside) if beside else None
    if table is None:
        return []
    around = " ".join((passage.title, *passage.heading_path, first.heading, passage.text[: table.start]))
    weighty = {term for term, weight in measure.term_idf.items() if weight > LEAST_WEIGHT}
    good = [each.unit for each in rows_found if each.score >= WORTH_ADDING * rows_found[0].score]
    if any(unit.passage != first.passage or unit.text not in table.rows for unit in good):
        return []  # another table may have more
    rows = extreme_rows(asked, table.columns, table.rows, around, weighty, Analyzer(measure.stemming).tokens)
    return [each for each in scored if each.unit.passage == first.passage and each.unit.text in rows]


def extreme_of(question: str) -> Extreme | None:
    """What a question asks for the largest or smallest of; None where it asks for neither."""
    for pattern, sign, dimension, units in _SUPERLATIVES:
        match = pattern.search(question)
        if match and not dimension and not _WHICH.match(question):
            return None  # "the highest number of guests" may stand in a sentence
        if match and not question[: match.start()].casefold().rstrip().endswith(_BOUNDS):
            return Extreme(sign, dimension, units, f"{question[: match.start()]} {question[match.end() :]}")
    return None


def extreme_rows(
    asked: Extreme, columns: str, rows: Sequence[str], around: str, weighty: Collection[str], tokens: Tokens
) -> list[str]:
    """The rows with the largest or smallest value of the column that is asked about: one, or several of one value.

    None where the table does not tell: no column, or two of them, fits; a row that counts has no number there; a word
    of the question stands neither in the table nor around it.

    columns: the row with their names. around: what stands above the table. weighty: terms of the question
    that say what it is about. tokens: gives the terms of a text.
    """
    named = [frozenset(tokens(name)) for name in cells_of(columns)]
    wanted = frozenset(tokens(asked.rest))
    cells = [row for row in map(cells_of, rows) if len(row) == len(named)]
    place = _column(asked, named, wanted, cells, frozenset(tokens(asked.dimension)))
    if place is None or len(cells) < 2 or len(cells) < len(rows) or _ORDERED.search(cells_of(columns)[place]):
        return []
    if any(_TOTALS.match(row[0]) for row in cells):
        return []
    held = frozenset(tokens(around)).union(*named)
    narrower = wanted.intersection(weighty) - held
    counting = [number for number, row in enumerate(cells) if narrower <= frozenset(tokens(" ".join(row)))]
    values = {number: _value(cells[number][place]) for number in counting}
    known = {number: found[0] for number, found in values.items() if found is not None}
    units = {found[1] for found in values.values() if found is not None and found[1] is not None}
    if len(known) < len(values) or not known or len(units) > 1:
        return []
    best = max(asked.sign * value for value in known.values())
    return [rows[number] for number, value in known.items() if asked.sign * value == best]


def _column(
    asked: Extreme,
    named: Sequence[frozenset[str]],
    wanted: frozenset[str],
    cells: Sequence[Sequence[str]],
    dimension: frozenset[str],
) -> int | None:
    """The one column, behind the first, that fits best: by its name in the question, by a word for the dimension, by
    the unit of its values."""
    fits = []
    for place in range(1, len(named)):
        by_unit = bool(asked.units) and any(sign in row[place] for sign in asked.units for row in cells)
        fits.append((len(named[place] & wanted), bool(named[place] & dimension), by_unit, place))
    best = max(fits, default=(0, False, False, 0))
    ties = [each for each in fits if each[:3] == best[:3]]
    return best[3] if any(best[:3]) and len(ties) == 1 else None


def _value(cell: str) -> tuple[float, str | None] | None:
    """The number in a cell, and what stands around it, which is its unit; None where it holds none, or several, or
    signs that make more of it. What is free has no unit."""
    if cell.strip(" .").casefold() in _FREE:
        return 0.0, None
    found = list(_NUMBER.finditer(cell))
    if len(found) != 1 or not _SIGNS.isdisjoint(cell) or cell.casefold().lstrip().startswith("minus"):
        return None
    text = found[0][0]
    around = f"{cell[: found[0].start()]}{cell[found[0].end() :]}"
    if any(letter.isdigit() for letter in around):
        return None
    grouped = text.replace(",", "") if "," in text and len(text.rpartition(",")[2]) == 3 else text.replace(",", ".")
    return float(grouped), " ".join(around.split()).casefold()
