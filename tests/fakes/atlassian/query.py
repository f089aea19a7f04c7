"""The part of JQL and CQL that connectors use: comparisons joined by AND and OR, brackets, an order."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NoReturn
from zoneinfo import ZoneInfo

from tests.fakes.atlassian.records import AtlassianError

_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<op><=|>=|!=|!~|[=<>~])|(?P<mark>[(),])|(?P<word>[^\s"'()=<>!~,]+))"""
)
_RELATIVE = re.compile(r"-(\d+)([wdhm])")
_FORMS = ("%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M", "%Y-%m-%d", "%Y/%m/%d")
_SPANS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}


@dataclass(frozen=True)
class Clause:
    """A comparison. op: = != ~ < <= > >= in, not in, is or is not. quoted: whether its value was in quotation marks."""

    field: str
    op: str
    values: tuple[str, ...]
    quoted: bool = False


Test = Callable[[Clause], bool]


@dataclass
class Query:
    """A query. holds: whether it does, given how one clause does. order: fields, each with whether it descends."""

    clauses: list[Clause]
    holds: Callable[[Test], bool]
    order: list[tuple[str, bool]] = field(default_factory=list)


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

    def either(self) -> Callable[[Test], bool]:
        """Clauses joined by OR."""
        rows = [self.both()]
        while self.skip("OR"):
            rows.append(self.both())
        return lambda test: any(each(test) for each in rows)

    def both(self) -> Callable[[Test], bool]:
        """Clauses joined by AND."""
        rows = [self.term()]
        while self.skip("AND"):
            rows.append(self.term())
        return lambda test: all(each(test) for each in rows)

    def term(self) -> Callable[[Test], bool]:
        """A clause, or several in brackets."""
        if self.skip("("):
            inner = self.either()
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
        if operator in {"is", "not"} and self.peek() in {"NOT", "IN"}:
            operator += f" {self.take()[1].lower()}"
        if operator not in {"=", "!=", "~", "!~", "<", "<=", ">", ">=", "in", "not in", "is", "is not"}:
            self.fail()
        if not operator.endswith("in"):
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
        """A value; functions keep their brackets."""
        kind, found = self.take()
        if kind in {"op", "mark"}:
            self.fail()
        if kind == "word" and self.skip("("):
            inner = "" if self.peek() == ")" else self.take()[1]
            if not self.skip(")"):
                self.fail()
            return "word", f"{found}({inner})"
        return kind, found

    def ordered(self) -> list[tuple[str, bool]]:
        """What stands behind ORDER BY."""
        rows = []
        while True:
            name = self.take()[1].lower()
            rows.append((name, self.skip("DESC")))
            self.skip("ASC")
            if not self.skip(","):
                return rows


def parse(text: str) -> Query:
    """Reads a query. Raises AtlassianError with 400."""
    reader = _Reader(text)
    holds: Callable[[Test], bool] = lambda _test: True  # noqa: E731 - the other branch gives a lambda as well
    if reader.tokens and reader.peek() != "ORDER":
        holds = reader.either()
    order: list[tuple[str, bool]] = []
    if reader.skip("ORDER"):
        if not reader.skip("BY"):
            reader.fail()
        order = reader.ordered()
    if reader.at != len(reader.tokens):
        reader.fail()
    return Query(reader.clauses, holds, order)


@lru_cache(maxsize=256)
def moment(value: str, now: datetime, zone: str) -> datetime | None:
    """What a written time means: in a zone, or so long before now. None when it is no time."""
    inner = re.fullmatch(r"now\((.*)\)", value)
    if inner and not inner.group(1):
        return now
    if found := _RELATIVE.fullmatch(inner.group(1) if inner else value):
        return now - timedelta(**{_SPANS[found.group(2)]: int(found.group(1))})
    for form in _FORMS:
        try:
            return datetime.strptime(value, form).replace(tzinfo=ZoneInfo(zone))
        except ValueError:
            continue
    return None


def compared(clause: Clause, at: datetime | None, limit: datetime) -> bool:
    """A time beside the limit of a clause, in whole minutes, as both languages do."""
    if at is None:
        return False
    left = at.replace(second=0, microsecond=0)
    found = {"<": left < limit, "<=": left <= limit, ">": left > limit, ">=": left >= limit, "=": left == limit}
    return found.get(clause.op, left != limit)


def matches(clause: Clause, *values: str) -> bool:
    """Whether one of a thing's values fits a clause that compares words, whatever their case."""
    own, wanted = {each.lower() for each in values if each}, {each.lower() for each in clause.values}
    match clause.op:
        case "=" | "in":
            return bool(own & wanted)
        case "!=" | "not in":
            return bool(own) and not own & wanted
        case "is":
            return not own
        case "is not":
            return bool(own)
        case "~":
            return any(each in one for each in wanted for one in own)
    raise AtlassianError(400, f"The operator '{clause.op}' is not supported by the '{clause.field}' field.")
