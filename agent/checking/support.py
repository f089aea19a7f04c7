"""What of a sentence must stand in its source word for word. Pure."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from agent.checking.arithmetic_checks import worked_out
from agent.checking.language import rule_language_of
from agent.checking.lexicon import lexicon
from agent.checking.markers import without_markers
from agent.checking.quantities import Quantity
from agent.checking.readings import values_in
from domain.patterns import LinearRegex
from domain.search import Passage
from domain.text.months import MONTHS

_NUMBER = LinearRegex(r"[-−]?\d+(?:[.,:/\-]\d+)*", before=r"^|[^\w.]", after=r"[\pL\p{Nl}\p{No}_]*(?:\W|\Z)")
_IDENTIFIER = re.compile(
    r"(?<![\w:/])//\w[^\s<>()\[\]/]*\.[^\s<>()\[\]]+"
    r"|\b(?:[A-Za-z][A-Za-z0-9+.-]{1,20}://|www\.)[^\s<>()\[\]]*[^\s<>()\[\].,;:!?'\"“”’*_]"
    r"|\b[A-Z][A-Z0-9]+(?:-\d+)+\b|\b\w+(?:_\w+)+\b"
    r"|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|(?<!\w)--[a-z][\w-]+"
)
_NAME = LinearRegex(r"[A-Z][\w’'-]+(?:\s+(?:of\s+|the\s+|de\s+|van\s+|von\s+)?[A-Z][\w’'-]+)+", before=r"^|\W")
_MONTHS_AND_DAYS = (*MONTHS["en"], "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NO_NAMES = {*_MONTHS_AND_DAYS, *(f"{each}s" for each in _MONTHS_AND_DAYS)}
"""`In July` is no name."""
_ITEM = LinearRegex(r"(?m)^\s*(?:\d{1,3}[.)]|[-*•])\s+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_SPELT = """0 no zero none / 1 one first single once / 2 two second both twice / 3 three third / 4 four fourth
5 five fifth / 6 six sixth / 7 seven seventh / 8 eight eighth / 9 nine ninth / 10 ten tenth / 11 eleven
12 twelve dozen / 15 fifteen / 20 twenty / 30 thirty / 50 fifty / 60 sixty / 90 ninety / 100 hundred"""
_WORDS_FOR = {row.split()[0]: tuple(row.split()[1:]) for row in _SPELT.replace("\n", " / ").split(" / ")}


def verbatim(sentence: str) -> list[str]:
    """What of a sentence has to stand in its source as it is: numbers and dates, identifiers and URLs, names of
    several words, but not in German, where all nouns have a capital."""
    text = _ITEM.sub("", without_markers(sentence))
    names = (
        []
        if rule_language_of(text) == "german"
        else [name for each in _NAME.findall(text) if (name := _own_name(each))]
    )
    found = [*_IDENTIFIER.findall(text), *_NUMBER.findall(_IDENTIFIER.sub(" ", text)), *names]
    return list(dict.fromkeys(found))


def _own_name(name: str) -> str:
    """A name of several words without small words and days before it, which have a capital where a sentence begins, and
    without the 's of what is theirs; empty where less than two words are left."""
    words = name.removesuffix("'s").removesuffix("’s").split()
    small = lexicon("english").small_words
    while words and (words[0].casefold() in small or words[0].casefold() in _NO_NAMES):
        words = words[1:]
    own = [word for word in words if word[:1].isupper() and word.casefold() not in _NO_NAMES]
    return " ".join(words) if len(own) > 1 else ""


def unbacked(sentence: str, passages: Sequence[Passage], question: str = "") -> list[str]:
    """What of a sentence must stand in the passages it cites, and stands in none. A name may also come from the
    question; a number, a date or a time may be written otherwise there."""
    source = " ".join(_folded_passage(whole(passage)) for passage in passages)
    known = _folded(question)
    missing = [item for item in verbatim(sentence) if not _stands(item, source, known)]
    if rule_language_of(sentence) == "german":
        missing.extend(name for name in _NAME.findall(sentence) if _is_foreign(name, sentence, f"{source} {known}"))
    claimed = values_in(without_markers(sentence))
    codes = [each.text for each in claimed if each.kind == "code" and not _stands(each.text, source, known)]
    missing.extend(code for code in codes if not any(item.casefold() in code for item in missing))
    numbers = [each for each in missing if each[:1].isdigit() or each[:1] in "-−"]
    if not numbers:
        return missing
    said = [each for text in (*map(whole, passages), question) for each in values_in(text)]
    # a number with a point may be a release: 2.1 is not 2.10
    plain = [
        each for each in claimed if each.kind != "code" and (each.unit or each.kind != "number" or "." not in each.text)
    ]
    text = without_markers(sentence)

    def is_said(value: Quantity) -> bool:
        return any(value.equals(other) for other in said)

    equal = [each.text for each in plain if is_said(each) or worked_out(text, each, claimed, is_said)]
    return [item for item in missing if item not in numbers or not any(item.casefold() in each for each in equal)]


def _is_foreign(name: str, sentence: str, source: str) -> bool:
    """Whether words with capitals in a German sentence are a name that the source has no word of. The beginning of a
    sentence says nothing, nor does a noun behind its adjective, nor what a number counts (`5 Tage Urlaub`)."""
    words = [_folded(word) for word in name.split() if word[:1].isupper()]
    if sentence.partition(name)[0].rstrip()[-1:].isdigit():
        words = words[1:]
    return not sentence.lstrip().startswith(name) and len(words) > 1 and not any(word[:5] in source for word in words)


def _stands(item: str, source: str, question: str) -> bool:
    wanted = _folded(item)
    if item.startswith("--"):  # --dry is another option than --dry-run
        return any(stands(wanted, text, _no_option_before, _no_option_after) for text in (source, question))
    if item[:1].isdigit() or item[:1] in "-−":
        return _has_number(wanted, source) or _has_number(wanted, question)
    if _has_word(wanted, source) or _has_word(wanted, question):
        return True
    # a sentence may begin with a word that is no part of the name behind it
    rest = wanted.partition(" ")[2]
    return bool(rest) and (_has_word(rest, source) or _has_word(rest, question))


def _has_number(number: str, text: str) -> bool:
    plain = number.replace(",", "")
    bare = _THOUSANDS.sub("", text)
    for each, within in ((number, text), (plain, bare)):
        if stands(each, within, _no_number_before, _no_number_after):
            return True
    return any(_has_word(word, text) for word in _WORDS_FOR.get(plain, ()) if len(word) > 2)


def _has_word(word: str, text: str) -> bool:
    return stands(word, text, _no_sign, _no_sign)


def stands(part: str, text: str, before: Callable[[str], bool], after: Callable[[str], bool]) -> bool:
    """Whether a text holds a part at a place where `before` says so of the character in front of it, and `after` of the
    three behind it; of an empty text, where it begins or ends."""
    place = text.find(part)
    while place >= 0:
        end = place + len(part)
        if before(text[max(0, place - 1) : place]) and after(text[end : end + 3]):
            return True
        place = text.find(part, place + 1)
    return False


def _no_sign(beside: str) -> bool:
    return not (beside[:1].isalnum() or beside[:1] == "_")


def _no_option_before(sign: str) -> bool:
    return _no_sign(sign) and sign != "-"


def _no_option_after(signs: str) -> bool:
    return _no_sign(signs.removeprefix("-"))


def _no_number_before(sign: str) -> bool:
    return not sign.isdecimal() and sign not in {".", ","}


def _no_number_after(signs: str) -> bool:
    return not signs[:1].isdecimal() and not (signs[:1] in {".", ","} and signs[1:2].isdecimal())


def _folded(text: str) -> str:
    return " ".join(text.replace("’", "'").replace("−", "-").replace("\u00a0", " ").casefold().split())


@lru_cache(maxsize=64)
def _folded_passage(text: str) -> str:
    """A passage is looked at once for each sentence that cites it."""
    return _folded(text)


def whole(passage: Passage) -> str:
    """All that a passage says of itself: title, headings, text, date."""
    dated = f"{passage.updated_at:%Y-%m-%d}" if passage.updated_at else ""
    return "\n".join((passage.title, *passage.heading_path, passage.text, dated, passage.path))
