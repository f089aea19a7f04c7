"""Candidate names in a text: cased words and runs of them, acronyms, identifiers, quoted titles, and terms with a
telling last word. The same for documents and questions. No model is asked, and no list of known names: what a text
gives does not depend on what else there is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from domain.text.months import MONTHS
from domain.text.tokens import ENGLISH_STOP_WORDS

LONGEST_RUN = 8
"""Words of a name; a longer run of cased words is a heading or a shout, and only its parts are looked at."""

_TOKEN = re.compile(r"[^\W_]\w*(?:[.\-'’&@][^\W_]\w*)*[+#]*|[^\w\s]|_+")
_QUOTES = frozenset("\"“„«'`")
_SENTENCE_END = frozenset('.!?:;…|•*–—>"“”„«»()[]{}-#')  # behind these and on a new line a capital tells little


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_OF = _set("of de del della di da do dos du des der den von van zu zum zur le la las los el al ibn bin af av")
_AND = _set("and & in on at for to from with by und et y e für im the a an")
_BETWEEN = _set("in at on to for from with by für im")
_TWO_NAMES = 0.55
_CALENDAR = _set(
    """
    monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
    today yesterday tomorrow
    """
).union(MONTHS["en"], MONTHS["de"])
_OPENERS = _set(
    """
    additionally afterwards although already alternatively among another anyone around as because besides both
    consequently currently despite due each either else even ever every everyone except finally first firstly
    following furthermore given hence hello however indeed instead lastly later least let like likewise many
    meanwhile moreover much neither nevertheless next none note often one otherwise please previously rather second
    secondly see several similarly since sometimes soon still subsequently therefore third thus today two three
    together unless unlike upon us use using via whereas whether within without yes yet also according among based
    click add ask build call change check choose configure contact copy create define delete disable do edit enable
    ensure enter find follow get give go help include install keep list make move never open provide put read remove
    replace run select send set show start stop take tell test try update verify view visit wait write der die das
    ein eine und oder wenn ist sind bei mit auf für von zu im in am es wir sie er nach vor seit durch
    """
)
_UNITS = _set("kb mb gb tb kib mib gib tib ms hz khz mhz ghz kw kwh warning caution attention danger todo fixme")
_SHORTENED = _set("mr mrs ms dr prof st ste mt ft gen lt col sgt capt gov sen rep rev hon jr sr no inc co corp ltd vs")
_SMALL = _OF | _AND
_DATES = _CALENDAR | _SMALL
_FUNCTION = ENGLISH_STOP_WORDS | _OPENERS | _AND
_ACTS = re.compile(
    r"(?:['’]s)? (?:is|was|has|had|does|did|will|can|could|should|must|may|bought|built|made|ran|took|wrote|won|led"
    r"|held|kept|left|gave|became|began|met|paid|sold|sent|set|[a-z]{3,20}(?:[b-hj-rt-z]s|ed|es))(?= )|['’]s "
)
"""What follows a name that opens a sentence: a verb in the third person or in the past, or what it has."""
_COMMON = re.compile(r"(?:ing|[ts]ion|ment|ness|ity|ship|ance|ence|ism|ogy|ics|[^su]s|ed|ly)\Z")
"""How words end that open sentences without an article and are no names."""
_HEADS = (
    "agreement|algorithm|api|application|architecture|assessment|audit|board|budget|calendar|catalogue|catalog|chart"
    "|checklist|cluster|committee|contract|controller|council|dashboard|database|deployment|directory|engine|environment"
    "|form|framework|gateway|guide|guideline|guidelines|handbook|integration|interface|inventory|ledger|library|manual"
    "|matrix|module|network|option|package|pipeline|plan|platform|playbook|plugin|policy|portal|procedure|process|program"
    "|programme|project|protocol|proxy|queue|registry|release|report|repository|roadmap|rota|runbook|scheduler|schema"
    "|server|service|stack|standard|strategy|survey|system|team|template|tool|toolkit|warehouse|workflow|workshop"
)
_HEAD = re.compile(rf"(?<= )(?:{_HEADS})s?(?![\w-])")
_BEFORE_HEAD = re.compile(r"(?<![\w-])(?:[a-z][a-z0-9]+(?:-[a-z0-9]+)* ){1,3}\Z")
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»\n]{3,80})[\"”“»]|[「『《]([^「」『』《》\n]{2,40})[」』》]")
_CODE = re.compile(r"`([^`\n]{3,60})`")
_DISTINCT = re.compile(r"[A-Z].*[A-Z]|[a-z][A-Z]|\d")
LONGEST_WORD = 100
"""Characters of a word that may be an identifier."""
_IDENTIFIER = re.compile(r"[^\W\d]\w*_\w+|[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|\w+(?:[.-]\w+)*[.-]\w*\d\w*")


@dataclass(frozen=True, slots=True)
class NameCandidate:
    """A candidate name."""

    start: int
    end: int
    """Where it ends in the text, exclusive."""
    surface: str
    """As it stands there."""
    confidence: float
    """0 to 1, from its length, its place in the sentence and how it is written. Below `SURE` it is one only if the same
    name is met elsewhere as well."""


ALONE = _set(
    """
    yes no none true false open closed done draft active inactive enabled disabled high low medium critical normal
    unknown pending optional required public private internal always never daily weekly monthly yearly hourly default
    """
)
"""Words that are values and not names, even where they stand alone with a capital."""

SURE = 0.35
"""From this confidence on, a candidate is a name by itself."""


@dataclass(slots=True)
class _Word:
    start: int
    end: int
    text: str
    first: bool  # in its sentence, as far as that can be told


def name_candidates(text: str) -> list[NameCandidate]:
    """The candidates in `text`, in the order of their beginnings, longer ones first; they may lie within each other."""
    found: dict[tuple[int, int], NameCandidate] = {}
    for spotted in _candidates(text):
        place = (spotted.start, spotted.end)
        if place not in found or found[place].confidence < spotted.confidence:
            found[place] = spotted
    return sorted(found.values(), key=lambda each: (each.start, -each.end))


def is_name(text: str) -> bool:
    """Whether a text that stands alone, as behind a label, is written as one name: all its words are cased or join
    others, and it says more than a day or a number."""
    words = [match.group() for match in _TOKEN.finditer(text)]
    if not words or not all(word[0].isalnum() or word in "&./-'’" for word in words):
        return False
    plain = [word.lower() for word in words if word[0].isalnum()]
    if not plain or not _cased(words[0]) or (len(plain) == 1 and (plain[0] in _FUNCTION or len(plain[0]) < 2)):
        return False
    if all(word in _DATES or word[0].isdigit() for word in plain):
        return False
    return all(_cased(word) or word[0].isdigit() or word.lower() in _SMALL for word in words if word[0].isalnum())


def _candidates(text: str) -> Iterator[NameCandidate]:
    runs = list(_runs(text))
    for run in runs:
        yield from _of_run(text, run)
    yield from _places(text, runs)
    for match in _QUOTED.finditer(text):
        group = 1 if match[1] else 2
        if group == 2 or (1 < len(match[1].split()) <= LONGEST_RUN and match[1][0].isupper()):
            yield NameCandidate(match.start(group), match.end(group), match[group], 0.6)
    for match in _CODE.finditer(text):
        if " " not in match[1] and match[1].lower() not in _FUNCTION:
            yield NameCandidate(match.start(1), match.end(1), match[1], 0.5)
    for match in _HEAD.finditer(text):
        yield from _term(match)


def _runs(text: str) -> Iterator[list[_Word]]:
    """Cased words that follow each other, with the small words between them."""
    run: list[_Word] = []
    end, first, joined = 0, True, False
    for match in _TOKEN.finditer(text):
        start, word = match.start(), match.group()
        between = text[end:start]
        if "\n" in between:
            first = True
        if word == "." and run and not between:
            last = run[-1].text
            if (len(last) == 1 and last.isupper()) or last.lower() in _SHORTENED:  # as in `Ann B. Davis`
                end = match.end()
                continue
        if run and between != " " and not (word == "&" and between == " "):
            yield run
            run = []
        end = match.end()
        if not (word[0].isalnum() or word == "&"):
            if run:
                yield run
                run = []
            first = first or word in _SENTENCE_END
            if word == "," or word in "'’`":
                first = joined
            continue
        owned = word[-2:] in {"'s", "’s", "'S", "’S"}  # says whose something is
        kept = word[:-2] if owned else word
        numbered = bool(run) and kept[0].isdigit() and run[-1].text.lower() not in _SMALL and not run[-1].text.isdigit()
        if _cased(kept) or numbered or (run and (kept.lower() in _OF or kept.lower() in _AND)):
            run.append(_Word(start, start + len(kept), kept, first))
            if owned:
                yield run
                run = []
        elif run:
            yield run
            run = []
        first = False
    if run:
        yield run


@lru_cache(maxsize=20_000)
def _cased(word: str) -> bool:
    return word[0].isupper() or (len(word) <= LONGEST_WORD and _IDENTIFIER.fullmatch(word) is not None)


def _of_run(text: str, run: list[_Word]) -> Iterator[NameCandidate]:
    """The names that a run can be read as: the whole, and its parts between small words."""
    words = _trimmed(run)
    shouted = len(run) > 2 and all(word.text.isupper() for word in run if word.text.isalpha() and len(word.text) > 1)
    if not words or shouted:
        return
    parts = _parts(words, _SMALL)
    if len(words) <= LONGEST_RUN:
        yield from _name(text, words, joined=_joined(words))
    if len(parts) > 1:
        loose = _parts(words, _AND)
        quoted = text[max(0, words[0].start - 1) : words[0].start] in _QUOTES
        beside = not quoted and any(not part[0].first for part in loose)
        for part in [*loose, *(each for each in parts if len(each) > 1)]:
            if len(part) <= LONGEST_RUN and len(part) < len(words):
                yield from _name(text, part, beside=beside)


def _joined(words: list[_Word]) -> float:
    """How much less likely these words are one name for the small words between them: `Leipzig with Bartek` and `Ann
    Bell and Ed Wood` are two, `Health and Human Services` may be one."""
    parts = _parts(words, _AND)
    if len(parts) == 1:
        return 0.0
    small = {word.text for word in words if word.text in _AND}
    if small & _BETWEEN:
        return _TWO_NAMES
    if any(word.text in _OF for word in words):
        return 0.25
    alike = len({min(len(part), 2) for part in parts}) == 1
    return _TWO_NAMES if alike and "&" not in small else 0.25


def _trimmed(run: list[_Word]) -> list[_Word]:
    """A run without what opens a sentence, and without small words at its ends."""
    words = list(run)
    while words and ((words[0].first and words[0].text.lower() in _FUNCTION) or words[0].text.lower() in _SMALL):
        opened = words.pop(0)
        if words and opened.first and words[0].text.lower() in _FUNCTION:
            words[0].first = True
    while len(words) > 1 and words[0].text.lower() in _CALENDAR and words[1].text.lower() in _SMALL:
        words = words[2:]  # `Since May the Price Engine`
    while words and words[-1].text.lower() in _SMALL:
        words.pop()
    return words


def _parts(words: list[_Word], small: frozenset[str]) -> list[list[_Word]]:
    parts: list[list[_Word]] = [[]]
    for word in words:
        if word.text in small:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _name(text: str, words: list[_Word], *, joined: float = 0.0, beside: bool = False) -> Iterator[NameCandidate]:
    """A name of these words; what is left without the first where that opens a sentence; and the last two. joined: what
    the small words between them take from its confidence. beside: whether a sure name is joined to it."""
    first = words[0]
    if len(words) == 1:
        yield from _single(text, first, beside=beside)
        return
    if all(word.text.lower() in _DATES or word.text[0].isdigit() for word in words):
        return
    confidence = 0.65 + (0.1 if len(words) > 2 else 0) + (0 if first.first else 0.1) - joined
    yield NameCandidate(first.start, words[-1].end, text[first.start : words[-1].end], round(confidence, 2))
    if len(words) < 3 or any(word.text in _SMALL for word in words):
        return
    if first.first and first.text.isalpha():
        yield NameCandidate(words[1].start, words[-1].end, text[words[1].start : words[-1].end], 0.45)
    yield NameCandidate(words[-2].start, words[-1].end, text[words[-2].start : words[-1].end], 0.4)  # behind an office


def _single(text: str, word: _Word, *, beside: bool = False) -> Iterator[NameCandidate]:
    """beside: whether a sure name is joined to it."""
    plain = word.text.lower()
    if (
        len(plain) < 2
        or plain in _FUNCTION
        or plain in _CALENDAR
        or plain in _UNITS
        or not any(map(str.isalpha, plain))
    ):
        return
    distinct = 0.6 if len(plain) > 2 else 0.45
    if _DISTINCT.search(word.text):
        confidence = distinct
    else:
        told = word.first and not _COMMON.search(plain) and (beside or _ACTS.match(text, word.end) is not None)
        confidence = 0.4 if told else 0.2 if word.first else 0.5
    yield NameCandidate(word.start, word.end, word.text, confidence)


def _term(head: re.Match[str]) -> Iterator[NameCandidate]:
    """A term without capitals, from its last small word on: `the release approval process`."""
    text, start = head.string, head.start()
    before = _BEFORE_HEAD.search(text, max(0, start - 60), start)
    for word in reversed(before.group().split() if before else []):
        if word in _FUNCTION or word.endswith("ly") or len(word) < 3:
            break
        start -= len(word) + 1
    if start < head.start():
        yield NameCandidate(start, head.end(), text[start : head.end()], 0.4)


def _places(text: str, runs: list[list[_Word]]) -> Iterator[NameCandidate]:
    """Two runs with a comma between them and none around them, as places are written: `Austin, Texas`."""
    after = [text[one[-1].end : other[0].start] == ", " for one, other in pairwise(runs)]
    for at, joined in enumerate(after):
        if joined and not any(after[max(0, at - 1) : at]) and not any(after[at + 1 : at + 2]):
            first, last = _trimmed(runs[at]), runs[at + 1]
            if first and len(first) + len(last) <= LONGEST_RUN:
                yield NameCandidate(first[0].start, last[-1].end, text[first[0].start : last[-1].end], 0.4)
