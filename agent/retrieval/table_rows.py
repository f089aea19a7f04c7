"""Rows of tables that fit a question for a list: `tier 1 services` are the rows of a table of services whose tier is 1.
Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from domain.patterns import LinearRegex
from domain.search import Passage
from domain.text.tables import cells_of, with_columns
from domain.text.tokens import Analyzer

_ANALYZER = Analyzer()
_ITEM = LinearRegex(r"(?:[-*•]|\d{1,2}[.)]) ")
_ASKING = frozenset(
    _ANALYZER.tokens(
        "list all which many name show give tell exist need needs require requires"
        " written run runs have use used got based located situated live"
        " work working sit sits kept came come comes out of sell sells sold offer offers offered team teams department"
        " group company we our there be been table page list schedule document kind kinds type types sort sorts"
        " welche welcher welches welchen welchem alle wie viele gibt es haben wir sind ist liste zeige nenne auf an der"
        " die das den dem des und oder in im mit von vom zu zum zur laufen läuft nutzen nutzt verwenden verwendet"
        " geschrieben tabelle seite"
    )
)
_OWNING = frozenset(
    _ANALYZER.tokens(
        "owner owned owners maintainer maintained author responsible contact lead team"
        " eigentümer verantwortlich verantwortliche zuständig autor autorin ansprechpartner"
    )
)
_NAME, _PEOPLE = (frozenset(_ANALYZER.tokens(words)) for words in ("name", "people person member colleague employee"))


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row that fits."""

    passage: Passage
    text: str
    """With the names of its columns."""


@dataclass(frozen=True, slots=True)
class _Row:
    passage: Passage
    columns: str
    line: str

    @property
    def cells(self) -> list[frozenset[str]]:
        return [frozenset(_ANALYZER.tokens(cell)) for cell in cells_of(self.line)]


def matching_rows(
    question: str, things: str, passages: Sequence[Passage], *, owner: str = "", related: bool = False
) -> list[TableRow]:
    """The rows of the first table that has what is asked for, in their order.

    A table fits where its first column bears the name of the things, or else the heading above it, or another column. A
    row fits where it has, below the column that the question names or else anywhere, every value of the table that the
    question names; what the title or a heading says already, such as the number of an incident, need not stand there.

    Args:
        question: in words.
        things: the words for what is listed, such as `tier 1 services`; the last one counts.
        passages: the parts of documents in their order.
        owner: whom they have to belong to, by a column such as `Owner`; then no other word of the question counts.
        related: the things do something to what the question names, such as `which service calls ledger`, so that the
            row of that is not meant.
    """
    last = frozenset(_ANALYZER.tokens(things.rsplit(maxsplit=1)[-1])) if things.strip() else frozenset[str]()
    tables: dict[tuple[str, str], list[_Row]] = {}
    for row in _rows(passages):
        tables.setdefault((row.passage.document_id, row.columns), []).append(row)
    all_words = frozenset(_ANALYZER.tokens(things))
    for fits, head in ((_first_column, last), (_heading, last), (_heading, all_words), (_any_column, last)):
        for (_, columns), rows in tables.items():
            names = [frozenset(_ANALYZER.tokens(name)) for name in cells_of(columns)]
            if names and head and fits(head, names, rows[0].passage) and not _is_counted(head, names, rows):
                words = f"{things} {owner}" if owner else question
                asked = frozenset(_ANALYZER.tokens(words)) - head - _ASKING - _said_above(rows[0].passage)
                own = [row for row in rows if not owner or _belongs_to(owner, names, row)]
                if found := [row for row in _fitting(asked, names, own) if not (related and row.cells[0] <= asked)]:
                    return [TableRow(row.passage, with_columns(columns, row.line)) for row in found]
    return []


def matching_items(question: str, things: str, passages: Sequence[Passage]) -> list[tuple[Passage, str]]:
    """The items of the list that stands under a heading which names the things, as `Causes` does the causes; of the
    first document that has one, in their order. Fewer than two items are no list, and so is one where the question has
    a word that neither its title nor a heading above it has: `how many tickets does one close a week` is not answered
    by what stands under `Tickets`.

    question, things, passages: see matching_rows.
    """
    head = frozenset(_ANALYZER.tokens(things))
    if not head:
        return []
    asked = frozenset(_ANALYZER.tokens(question)) - head - _ASKING
    found: list[tuple[Passage, str]] = []
    for each in passages:
        if found and each.document_id != found[0][0].document_id:
            break
        if _heading(head, (), each) and asked <= _said_above(each):
            found += ((each, item) for line in each.text.splitlines() if (item := _item(line)))
    return found if len(found) > 1 else []


def _item(line: str) -> str:
    """The text of a line that begins a list's item; empty for another line."""
    match = _ITEM.match(line)
    return line[match.end() :].strip() if match else ""


def _first_column(head: frozenset[str], names: Sequence[frozenset[str]], _passage: Passage) -> bool:
    return head <= names[0] or (names[0] == _NAME and head <= _PEOPLE)


def _heading(head: frozenset[str], _names: Sequence[frozenset[str]], passage: Passage) -> bool:
    return bool(passage.heading_path) and head == frozenset(_ANALYZER.tokens(passage.heading_path[-1]))


def _any_column(head: frozenset[str], names: Sequence[frozenset[str]], _passage: Passage) -> bool:
    return any(head == name for name in names)


def _belongs_to(owner: str, names: Sequence[frozenset[str]], row: _Row) -> bool:
    """Whether a column that names who owns what has the owner's name in a row."""
    wanted = frozenset(_ANALYZER.tokens(owner))
    return any(wanted <= cell and not _OWNING.isdisjoint(name) for name, cell in zip(names, row.cells, strict=False))


def _is_counted(head: frozenset[str], names: Sequence[frozenset[str]], rows: Sequence[_Row]) -> bool:
    """Whether the table has a number of them in each row, so that its rows are none of them."""
    place = next((place for place, name in enumerate(names) if head == name), 0)
    return place > 0 and all(
        cell and all(map(str.isdecimal, cell)) for row in rows for cell in row.cells[place : place + 1]
    )


def _said_above(passage: Passage) -> frozenset[str]:
    """The words of the title and the headings."""
    return frozenset(_ANALYZER.tokens(" ".join([passage.title, *passage.heading_path])))


def _fitting(asked: frozenset[str], names: Sequence[frozenset[str]], rows: Sequence[_Row]) -> list[_Row]:
    cells = [row.cells for row in rows]
    named = {place for place, name in enumerate(names) if name and name & asked}
    words = asked - frozenset[str]().union(*(names[place] for place in named))
    known = frozenset[str]().union(*(cell for row in cells for cell in row))
    values = words & known
    if len(values) < len(words) or (named and not values):
        return []  # it asks for something that the table does not tell, or for no value of a column
    return [row for row, own in zip(rows, cells, strict=True) if all(_holds(value, own, named) for value in values)]


def _holds(value: str, row: Sequence[frozenset[str]], named: set[int]) -> bool:
    """A number counts below a column that the question names; a word wherever it stands."""
    places = named if named and value.isdecimal() else range(len(row))
    return any(value in row[place] for place in places if place < len(row))


def _rows(passages: Sequence[Passage]) -> Iterator[_Row]:
    for passage in passages:
        columns = ""
        for line in passage.text.splitlines():
            if not line.startswith("|"):
                columns = ""
            elif not columns:
                columns = line
            elif line.strip("|-: "):
                yield _Row(passage, columns, line)
