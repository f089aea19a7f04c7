"""Resolves elliptical follow-ups ("And for Berlin?") by replacing the matching phrase of the previous question. Only
where exactly one phrase matches. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from domain.patterns import LinearRegex
from domain.text.languages import language_of
from domain.text.months import MONTHS

_MAX_FOLLOW_UP_WORDS, _MAX_QUESTION_CHARACTERS = 6, 300
"""Words of a follow-up, and characters of the question before it, up to which something is exchanged."""
_ASKS = LinearRegex(
    r"who|whom|whose|what|when|where|why|which|how|is|are|do|does|did|can|may|must|should|will"
    r"|wer|wem|wen|was|wann|wo|wie|warum|welche[mnrs]?|ist|sind|darf|kann|muss|gibt"
    r"|qui|que|quoi|quand|où|comment|combien|quel(?:le)?s?|quién|qué|cuándo|dónde|cómo|cuánt[ao]s?|cuál(?:es)?",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
"""Words of a question that says by itself what it asks for."""
_WORDS = LinearRegex(r"[^\W_]+(?:['’.&-][^\W_]+)*")
_BASES = {"im": "in", "am": "an", "zum": "zu", "zur": "zu", "beim": "bei", "vom": "von", "au": "à", "aux": "à"}
"""Prepositions that are one with an article, and the one in them."""
_FOR = frozenset("for with without per für mit ohne pro pour avec sans para con sin".split())  # noqa: SIM905 - a list of words reads best as one
"""Prepositions behind which anything may stand in place of anything."""
_TIMES = frozenset("during before after während vor nach".split())  # noqa: SIM905 - a list of words reads best as one
_PREPOSITIONS = frozenset(
    """
    in on at from to by under over until since an auf bei von zu aus bis ab seit à en dans chez desde
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
_PREPOSITIONS |= _FOR | _TIMES
_BETWEEN = frozenset(
    """
    the a an my your our this that of and or der die das den dem des ein eine einen einem einer meine meinen
    le la les un une des el los las una
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
_ARTICLES = (frozenset({"the"}), frozenset({"a", "an"}))
_NAMING = frozenset({"the", "a", "an", "our", "this"})
"""What stands before a thing that a question is about."""
_SUBJECT = frozenset("do does did can could may might must should will would".split())  # noqa: SIM905 - a list of words reads best as one
"""Auxiliaries behind which stands who does something, and then what they do."""
_AFTERWARDS = frozenset(
    """
    cost costs get have need take last open close start begin end work apply pay allowed possible live lives stay come
    go run belong happen mean look include contain cover require offer provide expire be i we you they it do does is
    are kosten öffnen gelten bekommen haben brauchen
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
"""Words with which a question may end behind a thing that it names."""
_DAYS = LinearRegex(
    r"(?:(?:on|at|during|am|an|zu|im|in) (?:the )?)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun|week)days?|weekends?"
    r"|(?:public |bank )?holidays?"
    r"|(?:mon|diens|donners|frei|sams|sonn|werk|feier)tage?n?s?|mittwochs?|sonnabends?|wochenenden?|wochentagen?)",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday easter christmas".split()  # noqa: SIM905 - a list of words reads best as one
).union(MONTHS["en"])
_OPPOSITES = tuple(
    frozenset(each.split())
    for each in (
        "primary secondary",
        "adults children seniors students pensioners",
        "summer winter",
        "inbound outbound",
        "internal external",
        "breakfast lunch dinner",
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
        """Whether it is written like a name of no day or month; the first word of a question is none."""
        plain = self.text.partition("'")[0]
        return self.text[:1].isupper() and self.start > 0 and plain != "I" and plain.casefold() not in _CALENDAR


@dataclass(frozen=True, slots=True)
class _Exchange:
    """From where to where what stands in its place."""

    start: int
    end: int
    new: str


def exchanged(rest: str, before: str) -> str:
    """The earlier question with what the follow-up names in place of what it named: of "What does a hotel cost in
    Berlin?" and "in Rotterdam?", "What does a hotel cost in Rotterdam?". Empty where no place for it is found, or where
    the earlier question is long or has filters.

    rest: the follow-up without `and` or `what about` before it.
    """
    named = _words(rest[:_MAX_QUESTION_CHARACTERS])
    if (
        not named
        or len(named) > _MAX_FOLLOW_UP_WORDS
        or len(before) > _MAX_QUESTION_CHARACTERS
        or ":" in before
        or "#" in before
    ):
        return ""
    words = _words(before)
    if not words or _ASKS.search(rest):
        return ""
    german = language_of(before) == "de"
    new = rest.strip(" ?!.,")
    found = (
        _day(rest, before, new)
        or _phrase(named, words, new, german=german)
        or (None if german else _name(named, words, before))
        or _number(named, words)
        or _alike(named, words, rest, german=german)
        or _only_thing(named, words, new)
    )
    if found is None:
        added = named[0].plain in _PREPOSITIONS and len(named) > 1
        return f"{before.rstrip(' ?!.')} {new}?" if added else ""
    return f"{before[: found.start]}{found.new}{before[found.end :]}"


def asks(text: str) -> bool:
    """Whether a text says by itself what it asks for."""
    return _ASKS.search(text) is not None


def thing_of(question: str) -> str:
    """What a question is about, for an `it` of the next one: the only thing that it names with an article, with where
    it is, or of several the one that is not behind a preposition; where a person is asked for, only what is behind one.
    Without a thing its only name. Empty where several may be meant, and in other languages than English."""
    if len(question) > _MAX_QUESTION_CHARACTERS or language_of(question) != "en":
        return ""
    words = _words(question)
    found = [each for number in range(len(words)) if (each := _thing_at(words, number))]
    plain = [each for each in found if not each[2]]
    if words and words[0].plain in {"who", "whom", "whose"}:
        found, plain = [each for each in found if each[2]], []
        if len(found) != 1:
            return ""
    if len(found) > 1 and (len(plain) != 1 or _is_subject(words, plain[0][0]) or _goes_on(words, plain[0][1])):
        return ""
    if found:
        first, last, _ = plain[0] if plain else found[0]
        while (
            last + 2 < len(words)
            and words[last + 1].plain in _PREPOSITIONS
            and (at := _end_of_thing(words, last + 2)) > last + 1
        ):
            last = at
        begins = words[first].start if words[first].plain == "the" else words[first + 1].start
        return f"{'' if words[first].plain == 'the' else 'the '}{question[begins : words[last].end]}"
    names = [number for number, word in enumerate(words) if word.is_name]
    one = names and names[-1] - names[0] == len(names) - 1
    return question[words[names[0]].start : words[names[-1]].end] if one else ""


def _goes_on(words: Sequence[_Word], last: int) -> bool:
    """Whether a thing is one of something else, which may be meant as well: the price of the pass."""
    return last + 1 < len(words) and words[last + 1].plain == "of"


def _is_subject(words: Sequence[_Word], number: int) -> bool:
    return number > 0 and words[number - 1].plain in _SUBJECT


def _thing_at(words: Sequence[_Word], number: int) -> tuple[int, int, bool] | None:
    """First and last word of a thing with its article, and whether it stands behind a preposition. None where the word
    is no article, or a verb may be taken for a part of the thing."""
    if words[number].plain not in _NAMING:
        return None
    last = _end_of_thing(words, number)
    following = words[last + 1].plain if last + 1 < len(words) else ""
    if last == number or last - number > 3 or (following in _BETWEEN and following != "of"):
        return None
    if _is_subject(words, number) and following not in _AFTERWARDS:
        return None
    return number, last, number > 0 and words[number - 1].plain in {*_PREPOSITIONS, "of"}


def _words(text: str) -> list[_Word]:
    return [_Word(match[0], match.start(), match.end()) for match in _WORDS.finditer(text)]


def _own(named: Sequence[_Word]) -> list[_Word]:
    """What is named, without a preposition and articles."""
    return [word for word in named if word.plain not in _PREPOSITIONS | _BETWEEN]


def _day(rest: str, before: str, new: str) -> _Exchange | None:
    """Another day."""
    found = list(_DAYS.finditer(before)) if _DAYS.search(rest) else []
    return _Exchange(found[-1].start(), found[-1].end(), new) if len(found) == 1 else None


def _phrase(named: Sequence[_Word], words: Sequence[_Word], new: str, *, german: bool) -> _Exchange | None:
    """What stands behind the same preposition: anything behind `for` but a name, which a name replaces, the same time
    before for after."""
    begins = named[0].plain
    if begins in _TIMES:
        same = [
            n for n, word in enumerate(words[:-1]) if word.plain in _TIMES and words[n + 1].plain == named[-1].plain
        ]
        return _Exchange(words[same[0]].start, words[same[0] + 1].end, new) if len(same) == 1 else None
    found = [n for n, word in enumerate(words[:-1]) if word.plain == begins] if begins in _PREPOSITIONS else []
    if len(found) != 1 or len(named) < 2:
        return None
    last = _end_of_thing(words, found[0] + 1)
    whole = last + 1 == len(words) or words[last + 1].plain in _AFTERWARDS
    names = named[-1].text[:1].isupper() and words[last].is_name and (whole or not german)
    anything = begins in _FOR and (german or not words[last].is_name or named[-1].text[:1].isupper())
    fits = last > found[0] and (anything or names)
    return _Exchange(words[found[0]].start, words[last].end, new) if fits else None


def _end_of_thing(words: Sequence[_Word], first: int) -> int:
    """The number of the last word of the thing that begins with the first one, behind articles."""
    last = first - 1 if words[first].plain not in _BETWEEN else first
    begins = last + 1
    for number in range(begins, len(words)):
        word = words[number]
        if number == begins and word.plain in _BETWEEN:
            last = begins = number
            continue
        past = number > begins and word.plain.endswith("ed")
        alone = number > begins and words[begins].is_name and begins == first and not word.is_name
        if word.plain in _PREPOSITIONS | _AFTERWARDS | _BETWEEN or past or alone:
            break
        last = number
    return last


def _name(named: Sequence[_Word], words: Sequence[_Word], before: str) -> _Exchange | None:
    """A name for the only name, with the words beside it that both have; anything for a person of two names."""
    own = _own(named)
    names = [number for number, word in enumerate(words) if word.is_name]
    if not own or not names or names[-1] - names[0] != len(names) - 1:
        return None
    new = [word for word in own if word.text[:1].isupper()]
    others = {word.plain for word in own if word not in new}
    place = words[names[0]].start, words[names[-1]].end
    if not new and len(names) == 2 and before[place[0] : place[1]].endswith("'s"):
        return _Exchange(*place, " ".join(word.text for word in own))
    same = others <= {word.plain for word in words}
    return _Exchange(*place, " ".join(word.text for word in new)) if new and same else None


def _number(named: Sequence[_Word], words: Sequence[_Word]) -> _Exchange | None:
    """Another number for the only one: the 5 m platform for the 10 m platform."""
    new = [word.text for word in named if word.text.isdecimal()]
    old = [word for word in words if word.text.isdecimal()]
    return _Exchange(old[0].start, old[0].end, new[0]) if len(new) == 1 and len(old) == 1 else None


def _alike(named: Sequence[_Word], words: Sequence[_Word], rest: str, *, german: bool) -> _Exchange | None:
    """Another one of its kind: the night shift for the day shift, the secondary for the primary."""
    own = _own(named)
    if not own or any(word.text.isdecimal() for word in words):
        return None
    thing, last = rest[own[0].start : own[-1].end], own[-1].plain
    for group in _OPPOSITES:
        held = [word for word in words if word.plain in group]
        if len(own) == 1 and last in group and len(held) == 1:
            return _Exchange(held[0].start, held[0].end, thing)
    for before, word in pairwise(words):
        if len(own) == 2 and word.plain == last and before.plain not in _PREPOSITIONS | _BETWEEN:
            return _Exchange(before.start, word.end, thing)
    for word in words[1:]:
        if german and len(own) == 1 and word.is_name and _same_end(word.plain, last):
            return _Exchange(word.start, word.end, thing)
    return None


def _only_thing(named: Sequence[_Word], words: Sequence[_Word], new: str) -> _Exchange | None:
    """What has the same article, where one thing has it, at the end of the question."""
    sort = next((each for each in _ARTICLES if named[0].plain in each), frozenset[str]())
    found = [number for number, word in enumerate(words) if word.plain in sort]
    if len(found) != 1 or len(named) < 2 or (found[0] and words[found[0] - 1].plain in _PREPOSITIONS):
        return None
    last = _end_of_thing(words, found[0])
    ends = all(word.plain in _AFTERWARDS for word in words[last + 1 :])
    return _Exchange(words[found[0]].start, words[last].end, new) if last > found[0] and ends else None


def _same_end(one: str, other: str) -> bool:
    """Whether two compounds name kinds of one thing: day ticket and season ticket are one word each in German."""
    return one != other and min(len(one), len(other)) > 6 and one[-3:] == other[-3:] and one[-3:] not in _ENDINGS
