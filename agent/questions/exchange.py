"""A follow-up that names one thing more: it stands in place of what the question before it named. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.patterns import Linear
from domain.text.languages import language_of

_MOST_WORDS = 6
_ASKS = Linear(
    r"who|whom|whose|what|when|where|why|which|how|is|are|do|does|did|can|may|must|should|will"
    r"|wer|wem|wen|was|wann|wo|wie|warum|welche[mnrs]?|ist|sind|darf|kann|muss|gibt"
    r"|qui|que|quoi|quand|où|comment|combien|quel(?:le)?s?|quién|qué|cuándo|dónde|cómo|cuánt[ao]s?|cuál(?:es)?",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
"""Words of a question that says by itself what it asks for."""
_WORDS = Linear(r"[^\W_]+(?:['’.&-][^\W_]+)*")
_BASES = {"im": "in", "am": "an", "zum": "zu", "zur": "zu", "beim": "bei", "vom": "von", "au": "à", "aux": "à"}
"""Prepositions that are one with an article, and the one in them."""
_PREPOSITIONS = frozenset(
    """
    in on at for from to with by during without per under over after before until since
    an auf für bei mit von nach vor zu aus ohne während bis ab seit à en dans pour avec sans chez para con sin desde
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
_BETWEEN = frozenset(
    """
    the a an my your our this that of and or der die das den dem des ein eine einen einem einer meine meinen
    le la les un une des el los las una
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
_NAMING = frozenset({"the", "a", "an", "our", "this", "der", "die", "das", "den", "dem", "ein", "eine", "einen"})
"""Articles of what a question is about."""
_ARTICLES = (
    frozenset({"the"}),
    frozenset({"a", "an"}),
    frozenset({"der", "die", "das", "den", "dem"}),
    frozenset({"ein", "eine", "einen", "einem", "einer"}),
)
_AFTERWARDS = frozenset(
    """
    cost costs get have need take last open close start begin end work apply pay allowed possible kosten öffnen gelten
    bekommen haben brauchen live lives stay come go run lie stand belong happen mean look include contain cover require
    offer provide allow support expire be i we you they it do does is are
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
"""Words with which a question may end behind a thing that it names."""
_DAYS = Linear(
    r"(?:(?:on|at|during|am|an|zu|im|in) (?:the )?)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun|week)days?|weekends?"
    r"|(?:public |bank )?holidays?"
    r"|(?:mon|diens|donners|frei|sams|sonn|werk|feier)tage?n?s?|mittwochs?|sonnabends?|wochenenden?|wochentagen?)",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_OPPOSITES = tuple(
    frozenset(each.split())
    for each in (
        "primary secondary",
        "first second third",
        "adults children seniors students pensioners",
        "adult child senior student",
        "summer winter",
        "inbound outbound",
        "internal external",
        "minimum maximum",
        "breakfast lunch dinner",
        "day night",
        "early late",
        "erwachsene kinder senioren schüler studierende",
        "sommer winter",
    )
)
"""Words of which one may stand where another stood."""
_ENDINGS = frozenset(
    "ung gen ten ren hen ben den ken sen nen len ter ner ler ion eit tät ing nis tum".split()  # noqa: SIM905 - a list of words reads best as one
)
"""Ends of German nouns that tell nothing of what they name."""


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int

    @property
    def plain(self) -> str:
        """In small letters, without an article that is one with a preposition."""
        return _BASES.get(self.text.casefold(), self.text.casefold())

    @property
    def is_name(self) -> bool:
        """Whether it is written like a name; the first word of a question is none."""
        return self.text[:1].isupper() and self.start > 0 and self.text.partition("'")[0] != "I"


@dataclass(frozen=True, slots=True)
class _Exchange:
    """From where to where what stands in its place."""

    start: int
    end: int
    new: str


def exchanged(rest: str, before: str) -> str:
    """The earlier question with what the follow-up names in place of what it named: of "What does a hotel cost in
    Berlin?" and "in Rotterdam?", "What does a hotel cost in Rotterdam?". Empty where no place for it is found.

    rest: the follow-up without `and` or `what about` before it.
    """
    named, words = _words(rest), _words(before)
    if not named or not words or len(named) > _MOST_WORDS or _ASKS.search(rest):
        return ""
    new = rest.strip(" ?!.,")
    thing = new[_skip(named) :].strip()
    found = (
        _day(rest, before, new)
        or _phrase(named, words, new)
        or _name(named, words, before, thing)
        or _number(named, words)
        or _alike(named, words, before, thing)
        or _only_thing(named, words, new)
    )
    if found is None:
        added = named[0].plain in _PREPOSITIONS and len(named) > 1
        return f"{before.rstrip(' ?!.')} {new}?" if added else ""
    return f"{before[: found.start]}{found.new}{before[found.end :]}"


def thing_of(question: str) -> str:
    """What a question is about, for an `it` of the next one: what it names with an article, rather not behind a
    preposition, with where or for whom it is; else its last name. Empty where it names neither."""
    words = _words(question)
    things = [
        (number > 0 and words[number - 1].plain in _PREPOSITIONS, number, _end_of_thing(words, number))
        for number, word in enumerate(words)
        if word.plain in _NAMING
    ]
    things = [each for each in things if each[2] > each[1]]
    if things:
        _, first, last = min(things)
        while last + 1 < len(words) and words[last + 1].plain in _PREPOSITIONS:
            further = _end_of_thing(words, last + 2)
            if further <= last + 1:
                break
            last = further
        article = "" if words[first].plain == "the" else "the "
        begins = words[first + 1].start if article else words[first].start
        return f"{article}{question[begins : words[last].end]}"
    return _last_name(words, question)


def _last_name(words: Sequence[_Word], text: str) -> str:
    names = [number for number, word in enumerate(words) if word.is_name]
    if not names or language_of(text) == "de":
        return ""
    return text[words[_first_of_run(names)].start : words[names[-1]].end]


def _first_of_run(numbers: Sequence[int]) -> int:
    """The first of the consecutive numbers at the end."""
    first = numbers[-1]
    while first - 1 in numbers:
        first -= 1
    return first


def _words(text: str) -> list[_Word]:
    return [_Word(match[0], match.start(), match.end()) for match in _WORDS.finditer(text)]


def _skip(named: Sequence[_Word]) -> int:
    """Where what is named begins, behind a preposition and articles."""
    begins = next((w for w in named if w.plain not in _PREPOSITIONS | _BETWEEN), named[-1])
    return begins.start


def _day(rest: str, before: str, new: str) -> _Exchange | None:
    """Another day."""
    found = list(_DAYS.finditer(before)) if _DAYS.search(rest) else []
    return _Exchange(found[-1].start(), found[-1].end(), new) if found else None


def _phrase(named: Sequence[_Word], words: Sequence[_Word], new: str) -> _Exchange | None:
    """What stands behind the same preposition."""
    begins = named[0].plain
    found = [number for number, word in enumerate(words) if word.plain == begins] if begins in _PREPOSITIONS else []
    if not found or len(named) < 2 or found[-1] + 1 >= len(words):
        return None
    last = _end_of_thing(words, found[-1] + 1)
    return _Exchange(words[found[-1]].start, words[last].end, new) if last > found[-1] else None


def _number(named: Sequence[_Word], words: Sequence[_Word]) -> _Exchange | None:
    """Another number of the same: the 5 m platform for the 10 m platform."""
    new = [word.text for word in named if word.text.isdecimal()]
    old = [word for word in words if word.text.isdecimal()]
    return _Exchange(old[-1].start, old[-1].end, new[0]) if len(new) == 1 and old else None


def _only_thing(named: Sequence[_Word], words: Sequence[_Word], new: str) -> _Exchange | None:
    """What has the same sort of article, where only one thing has it."""
    sort = next((each for each in _ARTICLES if named[0].plain in each), frozenset[str]())
    found = [number for number, word in enumerate(words) if word.plain in sort]
    if len(found) != 1 or len(named) < 2 or (found[0] and words[found[0] - 1].plain in _PREPOSITIONS):
        return None
    last = _end_of_thing(words, found[0])
    return _Exchange(words[found[0]].start, words[last].end, new) if last > found[0] else None


def _end_of_thing(words: Sequence[_Word], first: int) -> int:
    """The number of the last word of the thing that begins with the first one, behind articles."""
    last = first - 1
    capital = False
    for number in range(first, len(words)):
        word = words[number]
        if word.plain in _BETWEEN and last < first:
            continue
        stops = word.plain in _PREPOSITIONS | _AFTERWARDS | _BETWEEN or (last >= first and word.plain.endswith("ed"))
        if stops or (capital and not word.is_name):
            break
        capital = word.is_name
        last = number
    return last


def _name(named: Sequence[_Word], words: Sequence[_Word], before: str, thing: str) -> _Exchange | None:
    """A name for a name, or anything for a person. In German all nouns are written like names."""
    own = [word for word in named if word.plain not in _PREPOSITIONS | _BETWEEN]
    names = [number for number, word in enumerate(words) if word.is_name]
    if language_of(before) == "de" or not own or not names:
        return None
    first = _first_of_run(names)
    if not own[0].text[:1].isupper() and first == names[-1]:
        return None
    return _Exchange(words[first].start, words[names[-1]].end, thing)


def _alike(named: Sequence[_Word], words: Sequence[_Word], before: str, thing: str) -> _Exchange | None:
    """Another one of its kind: the night shift for the day shift, the secondary for the primary."""
    last = named[-1].plain
    for group in _OPPOSITES:
        if last in group or named[0].plain in group:
            for word in reversed(words):
                if word.plain in group:
                    return _Exchange(word.start, word.end, thing)
    own = [word for word in named if word.plain not in _PREPOSITIONS | _BETWEEN]
    for number in range(len(words) - 1, 0, -1):
        word = words[number]
        if len(own) > 1 and word.plain == last and words[number - 1].plain not in _PREPOSITIONS | _BETWEEN:
            return _Exchange(words[number - 1].start, word.end, thing)
        if language_of(before) == "de" and word.is_name and _same_end(word.plain, last):
            return _Exchange(word.start, word.end, thing)
    return None


def _same_end(one: str, other: str) -> bool:
    """Whether two compounds name kinds of one thing: day ticket and season ticket are one word each in German."""
    return one != other and min(len(one), len(other)) > 6 and one[-3:] == other[-3:] and one[-3:] not in _ENDINGS
