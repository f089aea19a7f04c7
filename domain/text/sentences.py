"""Sentences of running text, by rules that hold for many languages and cost linear time."""

import re
from collections.abc import Iterator

from domain.text.months import MONTHS

LIST_ITEM = re.compile(r"[ \t]*(?:[-*+•‣◦▪●]|\d{1,3}[.)]|\(?[a-z\d]{1,3}\))[ \t]+(?=\S)")
"""The indentation and marker that begin a list item, matched at the start of a line."""

# Every pattern either consumes what it looks at or looks at a bounded number of characters: a hostile text of
# any length costs linear time.
_LINE_OF_ITS_OWN = re.compile(r"[ \t]*(?:#{1,6}[ \t]|\|)")
_RULE = re.compile(r"[ \t]*(?:={3,}|-{3,}|_{3,}|\*{3,})[ \t\r]*\Z")
_WIDE_STOPS = "。｡！？؟۔।॥։።។။"
_STOP = re.compile(
    r"`[^`\n]{1,200}`"  # inline code is one word, whatever stops it holds
    rf"|(?P<stop>(?:[.!?…‥{_WIDE_STOPS}]|．(?!\d))+)"
    r"(?P<closing>(?:[\"'”’»›)\]}」』）】》〉*_]|\[\d{1,4}\])*)"
)
_WORD_AFTER = re.compile(r"\s*[\"'“„‘«‹(\[{*_¿¡「『（【]*(\w{0,24})")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*\Z")
_BEFORE = 24  # characters looked at before a full stop; longer words are no abbreviations


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


# always followed by what they abbreviate
_NEVER_LAST = _words(
    "dr mr mrs ms prof rev hon gen capt sgt messrs mme mlle st mt vs viz cf approx e.g i.e eg ie",
    "z.b d.h u.a i.d.r o.ä bzw vgl ggf evtl inkl exkl bspw sog hr fr p.ex sra sig",
    "т.е т.к т.н т.о им ул напр см ср акад проф гр",
)
# abbreviations before a number or a word in lower case, else words like any other: "No. 5", but "He said no."
_BEFORE_NUMBER = _words(
    "no nos nr fig figs sec ch vol vols pp art abs eq ex tab abb ref ver min max ca ed bd núm pág",
    "avg num incl excl resp misc temp govt univ spec orig prev bldg ext tel",
    "jan feb mar apr jun jul aug sep sept oct nov dec рис стр гл ст табл № n°",
)
# last in the sentence when the next word has a capital
_MAY_BE_LAST = _words(
    "etc inc ltd co corp bros jr sr al dept est a.m p.m ph.d u.s.a usw ecc gmbh",
    "т.д т.п др пр руб тыс млн",
)
# words that show by their capital that a sentence began
_OPENERS = _words(
    "The This That These Those There It We You They He She I In If When For But And Then A An As At On To",
    "Please Der Die Das Es Wir Sie Le La Les Il El Los Это Он Она Они Мы Вы В На",
)
_MONTHS = frozenset(map(str.capitalize, MONTHS["de"]))
# German words before an ordinal: "ab der 11. Stunde", "im 3. Lehrjahr"
_BEFORE_ORDINAL = _words("der die das den dem des im jeder jede jedes jedem jeden")
# words that no heading ends with
_JOINING_WORDS = _words("a an and at by for from in is of on or the to with und der die das de la и в на с")


def sentences(text: str) -> list[tuple[int, int]]:
    """The [start, end) character ranges of the sentences of `text`, in order.

    The ranges do not overlap, begin and end with a character that is not blank, and hold every such character.
    A list item, a heading and a table row are sentences of their own (an item may hold several); the lines of a
    hard-wrapped paragraph are joined.
    """
    found: list[tuple[int, int]] = []
    for start, end in _paragraphs(text):
        found.extend(_trimmed(text, start, end))
    return found


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of one paragraph, without the blanks around them."""
    stops = () if _LINE_OF_ITS_OWN.match(text, start) else _stops(text, start, end)
    for stop in (*stops, end):
        piece = text[start:stop].rstrip()
        last = start + len(piece)
        first = last - len(piece.lstrip())
        if first < last:
            yield first, last
        start = stop


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """The range of each paragraph, list item, heading and table row, with blanks around some."""
    start = end = 0
    opening = ""  # the paragraph's first line, while it is the only one
    for first, last in _lines(text):
        line = text[first:last]
        if not line.strip():
            if start < end:
                yield start, end
            start, end, opening = last, last, ""
            continue
        alone = _LINE_OF_ITS_OWN.match(line)
        if alone or LIST_ITEM.match(line) or _announces(opening, line):
            if start < end:
                yield start, end
            start = end = first
        opening = line if start == end else ""
        end = last
        if alone or _RULE.match(line):
            yield start, end
            start, end, opening = last, last, ""
    yield start, end


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """The range of each line, without its line break."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield start, end
        start = end + 1
    yield start, len(text)


def _announces(line: str, following: str) -> bool:
    """Whether `line` is a heading-like first line before a full line of prose.

    A line of hard-wrapped prose breaks where the next word has no room. One that breaks long before, has no
    stop and is followed by a capital was broken on purpose.
    """
    line, following = line.strip(), following.strip()
    if not 0 < len(line) <= 50 or len(following) < 60 or not line[-1].isalnum():
        return False
    words = line.split()
    opening = following.split(maxsplit=1)[0]
    return (
        len(words) <= 8
        and words[-1].lower() not in _JOINING_WORDS
        and not line[0].islower()
        and not following[0].islower()
        and len(line) + 1 + len(opening) < len(following)
    )


def _stops(text: str, start: int, end: int) -> Iterator[int]:
    """Where sentences end between `start` and `end`, quotes and brackets after the stop included."""
    for match in _STOP.finditer(text, start, end):
        if match.lastgroup and _ends_sentence(text, match, start, end):
            start = match.end()
            yield start


def _ends_sentence(text: str, match: re.Match[str], start: int, end: int) -> bool:
    """Whether the stop found by `_STOP` ends the sentence that begins at `start` in a paragraph up to `end`."""
    stop, closing = match.groups()
    after = match.end()
    if after >= end:
        return False  # the paragraph ends here anyway
    if not stop.isascii() and any(mark in _WIDE_STOPS or mark == "．" for mark in stop):
        return not (closing and text[after] in "とっ")  # 「…。」と: speech inside a Japanese sentence
    if not text[after].isspace():
        return stop[-1] in "!?" and not closing and bool(_CJK.match(text, after))
    following = _WORD_AFTER.match(text, after, end)
    word = following[1] if following else ""
    if stop == ".":
        window = text[max(start, match.start() - _BEFORE) : match.start()]
        return _full_stop_ends(window, word, quoted=bool(closing))
    if stop[-1] in "!?":
        return not (closing and word[:1].islower())  # "Really?" she asked
    return not word[:1].islower()  # an ellipsis


def _full_stop_ends(before: str, word: str, *, quoted: bool) -> bool:
    """Whether a full stop between `before` and the next `word` ends a sentence.

    before: the end of the sentence so far.
    quoted: closing quotes or brackets stand after the full stop.
    """
    token, initial = _last_word(before), word[:1]
    if not token:
        return not initial.islower()
    name = token.lower()
    if name in _NEVER_LAST or (name in _BEFORE_NUMBER and (initial.isdecimal() or initial.islower())):
        return False
    if name in _MAY_BE_LAST:
        return not word or initial.isupper()
    if _INITIALS.match(token) or (quoted and _is_day(token)):
        return word in _OPENERS  # J. R. R. Tolkien, in KW 49 (30.11.–04.12.) Spätschicht, but: plan B. The
    if token.isdecimal() and len(token) <= 3:
        ordinal = _last_word(before[: -len(token)].rstrip()).lower() in _BEFORE_ORDINAL and word not in _OPENERS
        return not (
            initial.islower() or word in _MONTHS or ordinal or before.strip() == token
        )  # 3. Mai; an item's number: "1. First. 2. Second."
    return not initial.islower() or (not quoted and len(token) >= 4 and token.isalpha() and token.islower())


def _is_day(token: str) -> bool:
    """Whether a word is a day of a month, or ends with one: `04.12`, `30.11.–04.12`."""
    day = token.replace("–", "-").rpartition("-")[2].split(".")
    return len(day) == 2 and all(each.isdecimal() and len(each) == 2 for each in day)


def _last_word(before: str) -> str:
    """The word that `before` ends with, without quotes and brackets in front of it."""
    if not before or before[-1].isspace():
        return ""
    return before.rsplit(maxsplit=1)[-1].lstrip("([{\"'“„«‘*_<|/")
