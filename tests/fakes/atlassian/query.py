"""The part of JQL and CQL that connectors use: comparisons joined by AND, brackets, an order."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import NoReturn
from zoneinfo import ZoneInfo

from tests.fakes.atlassian.records import AtlassianError

_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<op><=|>=|!=|!~|[=<>~])|(?P<mark>[(),])|(?P<word>[^\s"'()=<>!~,]+))"""
)
_FORMS = ("%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M", "%Y-%m-%d", "%Y/%m/%d")


@dataclass(frozen=True)
class Clause:
    """A comparison. op: = > >= or in. quoted: whether its value was in quotation marks."""

    field: str
    op: str
    values: tuple[str, ...]
    quoted: bool = False


Test = Callable[[Clause], bool]


@dataclass
class Query:
    """A query. holds: whether it does, given how one clause does. order: fields, ascending."""

    clauses: list[Clause]
    holds: Callable[[Test], bool]
    order: list[str] = field(default_factory=list)


@dataclass
class _Reader:
    text: str
    tokens: list[tuple[str, str]] = field(default_factory=list)
    at: int = 0
    clauses: list[Clause] = field(default_factory=list)

    def __post_init__(self) -> None:
        place = 0
        while place < len(self.text.rstrip()):
            found = _TOKEN.match(self.text, place)
            if found is None:
                self.fail()
            kind = found.lastgroup or ""
            raw = found.group(kind)
            self.tokens.append((kind, re.sub(r"\\(.)", r"\1", raw[1:-1]) if kind == "text" else raw))
            place = found.end()

    def fail(self) -> NoReturn:
        """The query is not understood."""
        raise AtlassianError(400, f"Could not parse query: {self.text}")

    def peek(self) -> str:
        """The next token as an upper-case word; empty for a text or at the end."""
        if self.at >= len(self.tokens) or self.tokens[self.at][0] == "text":
            return ""
        return self.tokens[self.at][1].upper()

    def take(self) -> tuple[str, str]:
        """The next token."""
        if self.at >= len(self.tokens):
            self.fail()
        self.at += 1
        return self.tokens[self.at - 1]

    def skip(self, word: str) -> bool:
        """Goes past a word if it is there."""
        found = self.peek() == word
        self.at += found
        return found

    def both(self) -> Callable[[Test], bool]:
        """Clauses joined by AND."""
        rows = [self.term()]
        while self.skip("AND"):
            rows.append(self.term())
        return lambda test: all(each(test) for each in rows)

    def term(self) -> Callable[[Test], bool]:
        """A clause, or several in brackets."""
        if self.skip("("):
            inner = self.both()
            if not self.skip(")"):
                self.fail()
            return inner
        clause = self.clause()
        self.clauses.append(clause)
        return lambda test: test(clause)

    def clause(self) -> Clause:
        """A comparison."""
        name = self.take()[1].lower()
        operator = self.take()[1].lower()
        if operator not in {"=", ">", ">=", "in"}:
            self.fail()
        if operator != "in":
            kind, value = self.value()
            return Clause(name, operator, (value,), kind == "text")
        if not self.skip("("):
            self.fail()
        rows = [self.value()[1]]
        while self.skip(","):
            rows.append(self.value()[1])
        if not self.skip(")"):
            self.fail()
        return Clause(name, operator, tuple(rows))

    def value(self) -> tuple[str, str]:
        """A value."""
        kind, found = self.take()
        if kind in {"op", "mark"}:
            self.fail()
        return kind, found

    def ordered(self) -> list[str]:
        """What stands behind ORDER BY."""
        rows = []
        while True:
            rows.append(self.take()[1].lower())
            self.skip("ASC")
            if not self.skip(","):
                return rows


def parse(text: str) -> Query:
    """Reads a query. Raises AtlassianError with 400."""
    reader = _Reader(text)
    holds: Callable[[Test], bool] = lambda _test: True  # noqa: E731 - the other branch gives a lambda as well
    if reader.tokens and reader.peek() != "ORDER":
        holds = reader.both()
    order: list[str] = []
    if reader.skip("ORDER"):
        if not reader.skip("BY"):
            reader.fail()
        order = reader.ordered()
    if reader.at != len(reader.tokens):
        reader.fail()
    return Query(reader.clauses, holds, order)


@lru_cache(maxsize=256)
def moment(value: str, zone: str) -> datetime | None:
    """What a written time means in a zone. None when it is no time."""
    for form in _FORMS:
        try:
            return datetime.strptime(value, form).replace(tzinfo=ZoneInfo(zone))
        except ValueError:
            continue
    return None


def compared(clause: Clause, at: datetime, limit: datetime) -> bool:
    """A time beside the limit of a clause, in whole minutes, as both languages do."""
    left = at.replace(second=0, microsecond=0)
    return {">": left > limit, ">=": left >= limit}.get(clause.op, left == limit)


def matches(clause: Clause, *values: str) -> bool:
    """Whether one of a thing's values is one of a clause's, whatever their case."""
    if clause.op not in {"=", "in"}:
        raise AtlassianError(400, f"The operator '{clause.op}' is not supported by the '{clause.field}' field.")
    return bool({each.lower() for each in values if each} & {each.lower() for each in clause.values})
