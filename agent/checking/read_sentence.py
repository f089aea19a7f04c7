"""A sentence as it is read for comparison. Pure."""

from dataclasses import dataclass
from functools import cached_property

from agent.checking.lexicon import Force, Language, Order, lexicon
from agent.checking.quantities import Quantity
from agent.checking.read_words import ReadWord
from agent.checking.statements import Statement, StatementParser


@dataclass(frozen=True)
class Reading:
    """A sentence."""

    text: str
    language: Language
    words: tuple[ReadWord, ...]
    quantities: tuple[Quantity, ...]
    places: tuple[int, ...]
    """Of each quantity, the number of its token."""
    value_clauses: tuple[int, ...]
    """Of each quantity, the number of its clause."""
    forces: tuple[Force, ...]
    """Of each clause."""
    negated: tuple[bool, ...]
    """Whether each clause is denied."""
    quantifiers: frozenset[str]
    also: int
    """The token of an `also`, which says that something holds in addition; -1 without one."""
    literals: tuple[str, ...]
    """What stands between backticks, word for word."""
    clauses: tuple[int, ...]
    """Of each token, the number of its clause."""
    orders: tuple[tuple[Order, int], ...]
    """Words of order, with the number of their token."""
    conditional: bool
    circumstance: bool
    """Whether it names a circumstance, such as `during …`, which may stand for a condition."""
    whole: bool
    """Whether all of it was read."""
    row: bool
    """Whether it is a row of a table."""
    than: int = -1
    """The token of a comparison's `than`; -1 without one."""
    denials: tuple[int, ...] = ()
    """The tokens that deny what stands behind them."""
    agents: tuple[int, ...] = ()
    """The tokens `by`, `von`, `durch`, behind which stands who does it."""
    prepositions: tuple[tuple[str, int], ...] = ()
    """Each with the number of its token."""
    ranges: tuple[int, ...] = ()
    """The tokens `to`, `bis` and the dashes, which may stand between the ends of a range."""

    periods: frozenset[str] = frozenset()
    """What stands behind a `per`: how often, or how much in which time."""
    tokens: tuple[str, ...] = ()
    """All tokens, folded."""
    conditions: tuple[int, ...] = ()
    """The clauses that name a condition or an exception."""
    exceptions: tuple[int, ...] = ()
    """Those of them that name an exception."""
    capitals: tuple[bool, ...] = ()
    """Of each token, whether it begins with a capital."""

    @cached_property
    def waits(self) -> bool:
        """Whether it forbids something `before` something else: that obliges to the other first."""
        return any(
            order in {"before", "until"} and cue < place and self.clauses[cue] == self.clauses[place]
            for order, place in self.orders
            for cue in self.denials
        )

    @property
    def has_verb(self) -> bool:
        """Whether it has a verb or an auxiliary."""
        return self._parser.has_verb

    @cached_property
    def _parser(self) -> StatementParser:
        values = dict(zip(self.places, self.quantities, strict=True))
        return StatementParser(lexicon(self.language), self.tokens, self.capitals, self.words, values)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """What each part of it states."""
        return self._parser.row() if self.row else self._parser.statements()

    @cached_property
    def by_stem(self) -> dict[str, ReadWord]:
        """The first word of each stem."""
        return {word.stem: word for word in reversed(self.words)}
