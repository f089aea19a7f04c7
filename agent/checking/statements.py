"""What each part of a sentence states: who does what to whom, where, when, how much. A light parse by tables. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent.checking.lexicon import Lexicon
from agent.checking.quantities import Quantity
from agent.checking.read_words import ReadWord
from agent.checking.word_tags import INFLECTED, Tagger, is_past

NEIGHBOUR_SLOTS = ("m:", "a:")
"""How the slots begin that a word has by its neighbours."""
_ONES = frozenset({"one", "ones"})
_APART = frozenset({";", ":", "if", "when", "wenn", "falls", "because", "weil"})
"""Marks and words behind which a piece does not stand for the one before it."""
_JOINING = frozenset({",", "and", "or", "und", "oder", "sowie"})


@dataclass(frozen=True, slots=True)
class Portion:
    """A word or a value in its place in a statement."""

    said: ReadWord | Quantity
    place: int
    slots: frozenset[str]
    """What it plays: `agent`, `patient`, `p:in` behind a preposition, `m:archive` before the noun archive, `a:level`
    behind the noun level, `v:money` for a value, `c:2` in a cell of a table."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A clause, or what stands for one: `contracts for six years` behind `invoices are kept for ten years`."""

    parts: tuple[Portion, ...]
    verb: ReadWord | None
    open: bool
    """Whether a pronoun stands for somebody or something in it."""
    replaced: tuple[Portion, ...] = ()
    """What the statement that it stands for has in places where it has something else."""
    passive: bool = False
    only: bool = False
    """Whether an `only` limits it."""
    contrast: bool = False
    """Whether it only says what something is not: `not in the repository`."""

    def of(self, slot: str) -> list[Portion]:
        """The parts in a slot."""
        return [each for each in self.parts if slot in each.slots]


@dataclass(slots=True)
class _Chunk:
    """Words that belong together: a noun with what stands before it."""

    preposition: str = ""
    case: str = ""
    before: bool = True
    """Whether it stands before the verb."""
    said: list[tuple[ReadWord | Quantity, int]] = field(default_factory=list)
    """With the places."""


@dataclass(slots=True)
class _Piece:
    """A piece of a sentence between two marks or conjunctions."""

    start: int
    end: int
    mark: str
    """The mark or conjunction in front of it."""


class StatementParser:
    """Goes over the tokens of one sentence.

    tokens: folded. capitals: of each token, whether it begins with one. values: by the place of their token.
    """

    def __init__(
        self,
        tables: Lexicon,
        tokens: Sequence[str],
        capitals: Sequence[bool],
        words: Sequence[ReadWord],
        values: Mapping[int, Quantity],
    ) -> None:
        self._tables = tables
        self._folded = tokens
        self._capitals = capitals
        self._words = {word.place: word for word in words}
        self._values = values
        self._tags = Tagger(tables, tokens, capitals, self._words, values).tags()

    @property
    def has_verb(self) -> bool:
        """Whether there is a verb or an auxiliary."""
        return "v" in self._tags or "x" in self._tags

    def row(self) -> tuple[Statement, ...]:
        """A row of a table, which is one statement: each cell has a place of its own, `c:2`."""
        parts: list[Portion] = []
        cell = 0
        for place, sign in enumerate(self._folded):
            cell += sign == "|"
            if said := self._words.get(place) or self._values.get(place):
                parts.append(Portion(said, place, frozenset(self._slots(place, f"c:{cell}"))))
        return (Statement(tuple(parts), None, open=False),) if parts else ()

    def statements(self) -> tuple[Statement, ...]:
        """The statements, in order."""
        found: list[Statement] = []
        for piece in self._pieces():
            found.append(self._statement(piece, found[-1] if found else None))
        return tuple(each for each in found if each.parts)

    def _pieces(self) -> list[_Piece]:
        pieces: list[_Piece] = []
        start, mark = 0, ""
        for place, tag in enumerate(self._tags + "."):
            if tag not in ".c" and place < len(self._tags):
                continue
            if any(each in self._words or each in self._values for each in range(start, place)):
                self._add(pieces, _Piece(start, place, mark))
            start, mark = place + 1, self._folded[place] if place < len(self._folded) else ""
        return pieces

    def _add(self, pieces: list[_Piece], piece: _Piece) -> None:
        """Adds a piece, or makes the last one longer by it where it states nothing by itself."""
        beside = self._stands_for_one(piece) or self._is_beside(piece) or self._contrasts(piece)
        alone = self._states(piece) or (bool(pieces) and beside)
        label = piece.mark == ":" and len(pieces) == 1 and not self._states(pieces[0])  # `Moving home: 1 day`
        if label or (pieces and (not alone or not self._states(pieces[-1])) and piece.mark in _JOINING):
            pieces[-1].end = piece.end
        else:
            pieces.append(piece)

    def _states(self, piece: _Piece) -> bool:
        return "v" in self._tags[piece.start : piece.end] or "x" in self._tags[piece.start : piece.end]

    def _is_beside(self, piece: _Piece) -> bool:
        """Whether a piece only adds something: `, with an hour of rest`."""
        return piece.mark == "," and self._tags[piece.start : piece.end].lstrip("o")[:1] == "p"

    def _stands_for_one(self, piece: _Piece) -> bool:
        """Whether a piece without a verb says another thing of something else: `contracts for six years`."""
        tags = self._tags[piece.start : piece.end].replace("o", "")
        bare = tags.lstrip("d")
        named = len(bare) - len(bare.lstrip("nr"))
        if bare[:2] == "qp":  # `7 euros for children`
            return True
        return named > 0 and bare[named : named + 1] in {"p", "d", "q"} and len(bare) > named + 1

    def _statement(self, piece: _Piece, previous: Statement | None) -> Statement:
        tags = self._tags[piece.start : piece.end]
        verbs = [piece.start + n for n, tag in enumerate(tags) if tag == "v"]
        stands = [piece.start + n for n, tag in enumerate(tags) if tag in "vx"]
        verb = self._words.get(verbs[-1]) if verbs else None
        passive = self._is_passive(piece, verbs)
        chunks = list(self._chunks(piece, stands[0] if stands else piece.end))
        for_one = previous is not None and self._goes_on(piece, stands)
        if previous and for_one:
            verb, passive = previous.verb, previous.passive
        parts = self._placed(chunks, passive=passive, stands=stands, for_one=for_one)
        is_open = "r" in tags
        if verb:
            parts.append(Portion(verb, verb.place, frozenset({"verb"})))
        only = any(self._tables.quantifiers.get(word) == "only" for word in self._folded[piece.start : piece.end])
        own = Statement(tuple(parts), verb, is_open, passive=passive, only=only, contrast=self._contrasts(piece))
        if previous is None:
            return own
        if for_one:
            taken = frozenset(slot for each in parts for slot in each.slots if not slot.startswith(NEIGHBOUR_SLOTS))
            if any(slot.startswith("p:") and not previous.of(slot) for slot in taken):
                taken |= {"how"}  # `at once` makes room for `at the end of the month`
            german = self._tables.language == "german"
            ones = any(
                self._folded[n] in _ONES or (german and self._is_elliptic(n)) for n in range(piece.start, piece.end)
            )
            heirs, replaced = _inherited(previous.parts, taken, heads=ones)
            return replace(own, parts=(*parts, *heirs), replaced=tuple(replaced))
        named = any(not each.preposition and each.before for each in chunks)
        if stands and not named and not is_open and piece.mark in {*_JOINING, "but", "aber", "sondern", "who", "which"}:
            role = "patient" if previous.passive else "agent"
            heirs = [
                Portion(each.said, each.place, frozenset({"patient" if passive else "agent"}))
                for each in previous.parts
                if role in each.slots
            ]
            return replace(own, parts=(*parts, *heirs))
        return own

    def _goes_on(self, piece: _Piece, stands: Sequence[int]) -> bool:
        """Whether a piece says another thing with what the piece before it says."""
        if stands or piece.mark in _APART:
            return False
        return self._stands_for_one(piece) or self._contrasts(piece)

    def _contrasts(self, piece: _Piece) -> bool:
        return self._folded[piece.start] in {"not", "nicht"} and not self._states(piece)

    def _is_passive(self, piece: _Piece, verbs: Sequence[int]) -> bool:
        if not verbs:
            return False
        word = self._folded[verbs[-1]]
        auxiliaries = {self._folded[n] for n in range(piece.start, piece.end) if self._tags[n] == "x"}
        if self._tables.language == "german":
            return bool(auxiliaries & self._tables.passives) and (word.endswith("t") or "ge" in word[:6])
        by = any(self._folded[n] == "by" for n in range(verbs[-1], piece.end))
        return is_past(word) and (bool(auxiliaries & self._tables.passives) or by)

    def _chunks(self, piece: _Piece, verb: int) -> Iterator[_Chunk]:
        chunk = _Chunk()
        joined = False
        for place in range(piece.start, piece.end):
            tag, word = self._tags[place], self._folded[place]
            if tag == "p":
                if word in {"of", "des"} and chunk.said:
                    continue
                yield chunk
                chunk = _Chunk(word, "", place < verb)
            elif tag in "drxv.":
                after_preposition = tag in "dr" and place and (self._tags[place - 1] == "p" or joined)
                genitive = word in {"der", "des"} and chunk.said and self._tags[place - 1] == "n"
                if after_preposition or genitive:
                    joined = False
                    continue
                yield chunk
                chunk = _Chunk("", self._tables.cases.get(word, ""), place < verb)
                joined = False
            elif tag == "c":
                joined = bool(chunk.preposition)  # `without a gateway or the hub`
            elif tag in "nq":
                joined = False
                chunk.said.append((self._words.get(place) or self._values[place], place))
        yield chunk

    def _slots(self, place: int, role: str) -> Iterator[str]:
        """The slots that a word has by its part in the statement and by its neighbours."""
        yield "how" if self._is_adverb(place) else role
        if place + 1 in self._words and self._tags[place + 1] == "n":
            yield f"m:{self._words[place + 1].stem}"
        if place - 1 in self._words and self._tags[place - 1] == "n":
            yield f"a:{self._words[place - 1].stem}"
        value = self._values.get(place)
        if value and place not in self._words:
            yield f"v:{_dimension(value)}"

    def _is_adverb(self, place: int) -> bool:
        if place not in self._words or self._words[place].code:
            return False
        if self._tables.language == "german":
            before_a_noun = place + 1 < len(self._folded) and self._capitals[place + 1]
            if self._is_elliptic(place):
                return False
            return not self._capitals[place] and not before_a_noun
        return self._folded[place].endswith("ly")

    def _is_elliptic(self, place: int) -> bool:
        """Whether a German adjective stands for a noun that is said before: `einen roten`."""
        adjective = not self._capitals[place] and self._folded[place].endswith(INFLECTED)
        last = place + 1 >= len(self._tags) or self._tags[place + 1] in ".co"
        return adjective and last and self._tags[place - 1 : place] == "d"

    def _placed(self, chunks: list[_Chunk], *, passive: bool, stands: Sequence[int], for_one: bool) -> list[Portion]:
        plain = [each for each in chunks if each.said and not each.preposition]
        subject = self._subject(plain, for_one=for_one, stands=bool(stands))
        tables, agents = self._tables, self._tables.by
        by = any(each.preposition in agents for each in chunks)
        parts = []
        for chunk in chunks:
            if chunk.preposition:
                means = all(isinstance(said, Quantity) or said.text in tables.means for said, _ in chunk.said)
                role = "agent" if passive and chunk.preposition in agents and not means else f"p:{chunk.preposition}"
            elif chunk is subject:
                role = "patient" if passive else "agent"
            else:
                role = "patient" if not passive or by else "object"
            parts += [Portion(said, place, frozenset(self._slots(place, role))) for said, place in chunk.said]
        return parts

    def _subject(self, plain: Sequence[_Chunk], *, for_one: bool, stands: bool) -> _Chunk | None:
        if not plain or not (stands or for_one):
            return None
        if self._tables.language == "english":
            return plain[0] if plain[0].before else None
        named = [each for each in plain if each.case not in {"acc", "dat"}]
        return next((each for each in named if each.case == "nom"), named[0] if named else None)


def _inherited(parts: Sequence[Portion], taken: frozenset[str], *, heads: bool) -> tuple[list[Portion], list[Portion]]:
    """What of a statement holds in one that stands for it, too, and what does not. heads: whether a `ones` stands for
    nouns of it."""
    heirs: list[Portion] = []
    replaced: list[Portion] = []
    for each in parts:
        free = taken.isdisjoint(slot for slot in each.slots if not slot.startswith(NEIGHBOUR_SLOTS))
        head = heads and isinstance(each.said, ReadWord) and not any(slot.startswith("m:") for slot in each.slots)
        if free or head:
            heirs.append(each)
        else:
            replaced.append(each)
    return heirs, replaced


def _dimension(value: Quantity) -> str:
    if value.kind == "number" and value.unit in {"second", "month"}:
        return "duration"
    return f"{value.kind}:{value.unit}"
