"""A sentence read for comparison: its words with their stems, each negated or not, its modality, quantities. Pure."""

import re
from dataclasses import replace
from functools import lru_cache
from itertools import islice, pairwise

from agent.checking.lexicon import SEPARABLE, Bound, Force, Language, Lexicon, Order, infinitive, lexicon, stemmed
from agent.checking.quantities import NUMBER_WORDS, PERIODS, TOKEN, Quantity, quantity
from agent.checking.read_sentence import Reading
from agent.checking.read_words import ReadWord

_OR_MORE = re.compile(r"\bor (?:more|longer|higher|later|older|above)|oder (?:mehr|länger|höher)")
_OR_LESS = re.compile(r"\bor (?:less|fewer|shorter|lower|below)|oder (?:weniger|kürzer)")
_MARKUP = re.compile(r"\[([^\]\n]{1,300})\]\([^)\s]{1,1000}\)|[*`_]{1,3}(?=\S)|(?<=\S)[*`_]{1,3}(?!\w)|^#{1,6} ")


ALSO = {"also", "even", "additionally", "auch", "sogar", "zusätzlich", "ebenfalls"}
_VERB_FIRST = re.compile(
    r"\s{0,3}(?:[-*] )?(?:(?:[A-ZÄÖÜ][a-zäöüß]{1,40}(?:t|en|st)|Soll|Will|Darf|Muss|Kann|Ist|Hat|Wird) "
    r"(?:[^,]|,\d){3,160}, (?:wird|[a-zäöüß]{1,40}(?:t|en)|ist|muss|darf|kann|soll) "
    r"|Wer |Whoever |Anyone (?:who|with) |Those who )"
)
"""A condition without a word for it: `Fällt der Strom aus, …`, `Wer …`."""
_LITERAL = re.compile(r"`([^`\n]{1,200})`")

_SMALL_NUMBERS = {*NUMBER_WORDS, "ein", "eine", "einen", "einem", "einer"}
_VALUES = {"iso", "dotted", "day_month", "month_day", "month_year", "time", "number"}
_RANGES = {"to", "bis", "until", "-", "–", "—"}
_RELATIVE = frozenset({"that", "which", "who", "if", "when"})
MIN_CLAUSE_WORDS = 3
"""Words that say something behind an `and` from which they are a clause."""

MAX_TOKENS = 200
"""Tokens of a sentence that are read: comparing takes time with the square of them."""

WITHOUT_REACH = 3
"""Tokens behind `without` that it denies."""


@lru_cache(maxsize=4_096)
def read(text: str, language: Language) -> Reading:
    """Reads one sentence."""
    plain = _MARKUP.sub(lambda found: f"{found[1]} " if found[1] else "", text)  # a word may follow a link at once
    tables = lexicon(language)
    return _Reader(tables.phrases.replaced(plain), tables).read(text)


def values_in(text: str) -> list[Quantity]:
    """All numbers, dates, times and codes of a text of any length."""
    found = (quantity(*_surrounded(match, text)) for match in TOKEN.finditer(text))
    return [each for each in found if each]


def _surrounded(match: re.Match[str], text: str) -> tuple[re.Match[str], str, str]:
    before = text[max(0, match.start() - 12) : match.start()].split()
    return match, text[match.end() : match.end() + 40].casefold(), before[-1].casefold() if before else ""


class _Reader:
    """Goes over the tokens of a sentence once."""

    def __init__(self, text: str, tables: Lexicon) -> None:
        self._text = text
        self._tables = tables
        self._tokens = list(islice(TOKEN.finditer(text), MAX_TOKENS))
        self._folded = [found.group().casefold() for found in self._tokens]
        self._clause = 0
        self._clauses: list[int] = []
        self._words: list[ReadWord] = []
        self._quantities: list[tuple[Quantity, int]] = []
        self._forces: dict[int, Force] = {}
        self._cues: dict[int, list[int]] = {}
        self._quantifiers: set[str] = set()
        self._orders: list[tuple[Order, int]] = []
        self._without: list[int] = []
        self._than = -1
        self._agents: list[int] = []
        self._denying: list[int] = []
        self._fronted: set[int] = set()
        self._condition_clauses: list[int] = []
        self._exception_clauses: list[int] = []

    def read(self, original: str) -> Reading:
        for place in range(len(self._tokens)):
            self._take(place)
            self._clauses.append(self._clause)
        count = self._clause + 1
        self._settle_bounds()
        self._join_particles()
        negated = [self._denied(clause) for clause in range(count)]
        words = tuple(replace(word, negative=True) if self._is_negative(word) else word for word in self._words)
        return Reading(
            original,
            self._tables.language,
            words,
            tuple(each for each, _ in self._quantities),
            tuple(place for _, place in self._quantities),
            tuple(self._clauses[place] for _, place in self._quantities),
            tuple(self._force(clause) for clause in range(count)),
            tuple(negated),
            frozenset(self._quantifiers),
            next((place for place, word in enumerate(self._folded) if word in ALSO), -1),
            tuple(" ".join(each.split()) for each in _LITERAL.findall(original)),
            tuple(self._clauses),
            tuple(self._orders),
            bool(self._condition_clauses) or bool(_VERB_FIRST.match(original)),
            any(word in self._tables.circumstances for word in self._folded),
            len(self._tokens) < MAX_TOKENS,
            original.lstrip().startswith("|"),
            self._than,
            tuple(self._denying),
            tuple(self._agents),
            tuple((word, place) for place, word in enumerate(self._folded) if word in self._tables.prepositions),
            tuple(place for place, word in enumerate(self._folded) if word in _RANGES),
            frozenset(word for per, word in pairwise(self._folded) if per in {"per", "pro"} and word in PERIODS),
            tuple(self._folded),
            tuple(self._condition_clauses),
            tuple(self._exception_clauses),
            tuple(token.group()[:1].isupper() for token in self._tokens),
        )

    def _take(self, place: int) -> None:
        token, word = self._tokens[place], self._folded[place]
        if token.lastgroup == "stop":
            if word == "," and self._is_fronted(place):
                self._fronted.add(self._clause)
            if word not in {"[", "]", "."}:
                self._break()
            return
        tables = self._tables
        following = self._text[token.end() : token.end() + 40].casefold()
        before = self._folded[place - 1] if place else ""
        special = self._special(word, place)
        if not special and word not in tables.forces and (found := quantity(token, following, before)):
            self._quantities.append((replace(found, bound=self._bound(place, found.kind)), place))
            if found.kind != "code":
                return
        if special or word in tables.stop or token.lastgroup in {"sign", "number"}:
            return
        if token.lastgroup == "word" and self._unit_of_number(place):
            return
        stem = stemmed(word, tables.language)
        name = token.group()[:1].isupper() and place > 0 and token.lastgroup == "word" and self._is_name(place)
        self._words.append(
            ReadWord(
                word,
                stem,
                tables.concepts.get(stem, ()),
                self._clause,
                place,
                name=name,
                code=token.lastgroup == "code",
            )
        )

    def _special(self, word: str, place: int) -> bool:
        """Words that say how, not what."""
        tables, known = self._tables, False
        if word in tables.breaks:
            if word not in {"and", "und"} or self._goes_on(place):
                self._break()
            known = True
        known = self._takes_condition(word) or known
        if word in tables.negations:
            self._cues.setdefault(self._clause, []).append(place)
            self._denying.append(place)
            known = True
        if word in tables.without:
            self._without.append(place)
            known = True
        if (force := tables.forces.get(word)) and not (place == 0 and word in {"soll", "sollte", "should"}):
            if force in {"must not", "need not"}:
                self._denying.append(place)
            self._forces[self._clause] = _stronger(self._forces.get(self._clause, ""), force)
            known = True
        if kind := tables.quantifiers.get(word):
            if kind not in {"only", "all"} or not self._limits_a_number(place):
                self._quantifiers.add(kind)
            known = True
        if (order := tables.orders.get(word)) and self._goes_on_at(place):
            self._orders.append((order, place))
            known = known or order not in {"then", "at once"}
        if word in {"than", "als"} or (word in {"more_than", "less_than"} and not self._limits_a_number(place)):
            self._than = place
        if word in {"by", "von", "durch", "vom"}:
            self._agents.append(place)
            known = known or word in {"von", "durch", "vom"}
        return known or word in tables.bounds

    def _is_fronted(self, place: int) -> bool:
        """Whether what stands before a comma is no clause, but moved to the front of one: `In such tickets, …`."""
        start = next((n for n, clause in enumerate(self._clauses) if clause == self._clause), place)
        tags = [self._tables.tags.get(word, "") for word in self._folded[start:place]]
        return tags[:1] == ["p"] and "x" not in tags and not any(start <= cue for cue in self._denying)

    def _takes_condition(self, word: str) -> bool:
        if word not in self._tables.conditions:
            return False
        self._condition_clauses.append(self._clause)
        if self._tables.quantifiers.get(word) == "except":
            self._exception_clauses.append(self._clause)
        return True

    def _limits_a_number(self, place: int) -> bool:
        """Whether a word stands before a number: that says how much, not who alone."""
        for token, word in islice(zip(self._tokens, self._folded, strict=True), place + 1, place + 3):
            if token.lastgroup in {"number", "time"} or word in _SMALL_NUMBERS or word in {"as", "als"}:
                return True
            if word == "one" and self._folded[place] == "only":
                return True
        return False

    def _is_name(self, place: int) -> bool:
        """Whether a word with a capital is a name. In German all nouns have one; a name stands without an article, a
        number or an adjective before it."""
        if self._tables.language != "german":
            return True
        token, before = self._tokens[place - 1], self._folded[place - 1]
        if token.lastgroup == "stop":
            return True
        if before in self._tables.articles or token.lastgroup == "number" or before in _SMALL_NUMBERS:
            return False
        return (
            token.group()[:1].isupper()
            or before in self._tables.stop
            or not before.endswith(("e", "en", "er", "es", "em"))
        )

    def _goes_on_at(self, place: int) -> bool:
        """Whether a word orders in time: `from` and `by` only before a date or a number, and not a German prefix at the
        end of its clause."""
        if self._tables.language == "english" and self._folded[place] in {"from", "by"}:
            following = self._tokens[place + 1 : place + 3]
            values = _VALUES - {"number"} if self._folded[place] == "by" else _VALUES
            return any(token.lastgroup in values or _is_day(token) for token in following)
        if self._folded[place] in {"first", "last", "next"} and self._folded[place - 1 : place] in (
            ["the"],
            ["its"],
            ["our"],
        ):
            return False  # `the first page`
        if self._tables.language != "german" or self._folded[place] not in {"ab", "vor", "nach", "bis"}:
            return True
        return place + 1 < len(self._tokens) and self._tokens[place + 1].lastgroup != "stop"

    def _goes_on(self, place: int) -> bool:
        """Whether what follows an `and` is long enough for a clause of its own."""
        said = 0
        for token, word in zip(self._tokens[place + 1 :], self._folded[place + 1 :], strict=True):
            if token.lastgroup == "stop" or word in self._tables.breaks:
                break
            said += word not in self._tables.stop
        near = self._folded[place + 1 : place + 3]
        return said >= MIN_CLAUSE_WORDS or any(word in self._tables.forces for word in near)

    def _break(self) -> None:
        self._clause += 1

    def _unit_of_number(self, place: int) -> bool:
        """Whether a word is the unit of the number before it: it is compared with the number."""
        if not self._quantities or self._quantities[-1][1] != place - 1:
            return False
        return bool(self._quantities[-1][0].unit)

    def _bound(self, place: int, kind: str) -> Bound:
        before = [
            word
            for word in self._folded[max(0, place - 3) : place]
            if word not in {"the", "a", "€", "$", "of", "den", "der", "dem", "die", "das"}
        ]
        for word in reversed(before[-2:]):
            if word in self._tables.bounds:
                return self._tables.bounds[word]
        if (
            before
            and before[-1] in {"from", "ab"}
            and before[-2:-1] not in (["up"], ["down"])
            and kind == "number"
            and "to" not in self._folded[place : place + 5]
        ):
            return "at least"
        for word in self._folded[place + 1 : place + 4]:
            if word in self._tables.bounds_after:
                return self._tables.bounds_after[word]
        after = " ".join(self._folded[place + 1 : place + 5])
        if _OR_MORE.search(after):
            return "at least"
        if _OR_LESS.search(after):
            return "at most"
        return ""

    def _settle_bounds(self) -> None:
        """`Nobody … for more than ten` is `at most ten`: the denial goes into the bound."""
        turned: dict[Bound, Bound] = {"more than": "at most", "less than": "at least"}
        for number, (found, place) in enumerate(self._quantities):
            clause = self._clauses[place]
            if found.bound == "more than" and self._forces.get(clause) == "must not":
                self._quantities[number] = (replace(found, bound="at most"), place)
            elif found.bound in turned and any(self._reaches(cue, place) for cue in self._cues.get(clause, ())):
                self._quantities[number] = (replace(found, bound=turned[found.bound]), place)
                self._cues[clause] = self._cues[clause][1:]
                if "none" in self._quantifiers:
                    self._quantifiers = self._quantifiers - {"none"} | {"all"}

    def _reaches(self, cue: int, place: int) -> bool:
        """Whether a denial denies a number behind it: not in `never for an event that is older than 30 minutes`."""
        return cue < place and _RELATIVE.isdisjoint(self._folded[cue:place])

    def _join_particles(self) -> None:
        """`Nimmt … an` is `annehmen`, where that has a concept: a German clause may end with the prefix of its verb."""
        if self._tables.language != "german":
            return
        ends = {clause: word for clause, word in zip(self._clauses, self._folded, strict=True) if word[:1].isalpha()}
        for number, word in enumerate(self._words):
            particle = ends.get(word.clause, "")
            if particle in SEPARABLE and word.place < len(self._folded) - 1:
                stem = stemmed(particle + infinitive(word.text, "german"), "german")
                if concepts := self._tables.concepts.get(stem, ()):
                    self._words[number] = replace(word, stem=stem, concepts=concepts)

    def _denied(self, clause: int) -> bool:
        if clause in self._fronted and clause < self._clause:
            return self._denied(clause + 1)
        cued = bool(self._cues.get(clause))
        force = self._forces.get(clause)
        if self._needs(clause):
            return False
        return cued or (force in {"must not", "need not"})

    def _needs(self, clause: int) -> bool:
        """Whether a clause denies something without something else: `not allowed without X`. X is a must."""
        denied = bool(self._cues.get(clause)) or self._forces.get(clause) == "must not"
        return denied and any(self._clauses[place] == clause for place in self._without)

    def _force(self, clause: int) -> Force:
        force = self._forces.get(clause, "")
        if self._needs(clause):
            return "must"
        if not self._cues.get(clause):
            return force
        return {"must": "need not", "may": "must not", "should": "must not"}.get(force, force)  # type: ignore[return-value] # values of Force

    def _is_negative(self, word: ReadWord) -> bool:
        without = any(0 < word.place - place <= WITHOUT_REACH for place in self._without)
        if without and self._needs(word.clause):
            return False
        return self._denied(word.clause) != without


def _is_day(token: re.Match[str]) -> bool:
    found = quantity(token, "", "") if token.lastgroup == "word" else None
    return found is not None and found.kind in {"date", "weekday"}


def _stronger(one: Force, other: Force) -> Force:
    ranks: tuple[Force, ...] = ("", "may", "should", "must", "need not", "must not")
    return max(one, other, key=ranks.index)
