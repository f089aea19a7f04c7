"""Numbers, dates, times and codes of a sentence as values that can be compared, however they are written. Pure."""

import re
from dataclasses import dataclass, replace
from typing import Literal

from agent.checking.lexicon import Bound
from domain.text.months import MONTHS, any_of, month_numbers

QuantityKind = Literal["number", "date", "time", "weekday", "code"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, a date, a time of day, or a code of letters and digits."""

    kind: QuantityKind
    value: tuple[float, ...] | str
    """A number in the unit's base (days are seconds); a date as year, month, day, 0 where not said; minutes of a day; a
    folded code."""
    unit: str = ""
    """`second`, `month`, `percent`, `money:€`, `byte`; empty where none is known."""
    bound: Bound = ""
    text: str = ""
    """As it is written, folded."""
    raw: float = -1.0
    """A number as it is written, without its unit."""

    def equals(self, other: "Quantity") -> bool:
        """Whether both may say the same value. Where one leaves out a year or a unit, the other may have any. A year or
        a month alone, in `other`, backs no day of it; a day backs its month and its year."""
        if self.kind == "date" == other.kind:
            if self.value[2] and not other.value[2]:
                return False
            return all(one == two or not one or not two for one, two in zip(self.value, other.value, strict=True))
        if {self.kind, other.kind} == {"date", "number"}:
            return self.year == other.year != 0 and (self.kind == "number" or not any(list(self.value)[1:]))
        if self.kind == "time" == other.kind and "half day" in {self.unit, other.unit}:
            return (self.minutes - other.minutes) % (12 * 60) == 0
        if self.kind == "number" == other.kind and not (self.unit and other.unit):
            return self.raw == other.raw
        same = self.kind == other.kind and self.unit == other.unit and self.value == other.value
        return same or {(self.unit, self.value), (other.unit, other.value)} == _IN_A_YEAR

    @property
    def year(self) -> float | str:
        """Of a date, or of a number that may be one."""
        return self.raw if self.kind == "number" else self.value[0]

    @property
    def minutes(self) -> float:
        """Of a time of day: since midnight, or since noon where it is told by half a day."""
        return float(self.value[0])


_IN_A_YEAR = {("month", (12.0,)), ("second", (365 * 86_400.0,))}
"""A year in months and in days; otherwise months and days are not compared."""

_MONTHS = month_numbers("en", "de")
_WEEKDAYS = {
    word: float(number)
    for number, words in enumerate(
        (
            "monday mondays montag montags",
            "tuesday tuesdays dienstag dienstags",
            "wednesday wednesdays mittwoch mittwochs",
            "thursday thursdays donnerstag donnerstags",
            "friday fridays freitag freitags",
            "saturday saturdays samstag samstags sonnabend",
            "sunday sundays sonntag sonntags",
        )
    )
    for word in words.split()
}  # fmt: skip - a day a string
_LONG_MONTHS = {*MONTHS["en"], *MONTHS["de"]}
_MONTH = any_of(_MONTHS)

NUMBER_WORDS = {
    word: value
    for value, words in {
        0: "zero null",
        2: "two zwei",
        3: "three drei",
        4: "four vier",
        5: "five fünf",
        6: "six sechs",
        7: "seven sieben",
        8: "eight acht",
        9: "nine neun",
        10: "ten zehn",
        11: "eleven elf",
        12: "twelve zwölf dozen dutzend",
        13: "thirteen dreizehn",
        14: "fourteen vierzehn",
        15: "fifteen fünfzehn",
        16: "sixteen sechzehn",
        17: "seventeen siebzehn",
        18: "eighteen achtzehn",
        19: "nineteen neunzehn",
        20: "twenty zwanzig",
        21: "einundzwanzig",
        24: "vierundzwanzig",
        25: "fünfundzwanzig",
        28: "achtundzwanzig",
        30: "thirty dreißig",
        40: "forty vierzig",
        45: "fünfundvierzig",
        50: "fifty fünfzig",
        60: "sixty sechzig",
        70: "seventy siebzig",
        80: "eighty achtzig",
        90: "ninety neunzig",
        100: "hundred hundert einhundert",
        1000: "thousand tausend",
    }.items()
    for word in words.split()
}  # fmt: skip - one value a word
PERIODS = {
    *("minute", "hour", "day", "week", "month", "quarter", "year"),
    *("stunde", "tag", "woche", "monat", "quartal", "jahr"),
}
"""Times in which something happens again."""

_FRACTIONS = {
    "half": 0.5,
    "halbe": 0.5,
    "halben": 0.5,
    "halbes": 0.5,
    "halber": 0.5,
    "anderthalb": 1.5,
    "eineinhalb": 1.5,
}  # fmt: skip - one line
_WHOLES: dict[str, tuple[float, str]] = {
    "viertelstunde": (900.0, "second"),
    "dreiviertelstunde": (2_700.0, "second"),
    "halbjahr": (6.0, "month"),
    "vierteljahr": (3.0, "month"),
    "fortnight": (1_209_600.0, "second"),
}  # fmt: skip - one line
_LABELS = {
    *("severity", "level", "stage", "phase", "tier", "priority", "class", "type", "option", "step", "floor", "grade"),
    *("stufe", "phase", "schweregrad", "priorität", "klasse", "typ", "option", "schritt", "ebene", "etage"),
}
"""Words that a number behind them tells apart."""

_ONE = {"one", "ein", "eine", "einem", "einen", "einer", "eines", "single"}
_ORDINALS = {
    word: value
    for value, words in {
        1: "first erste ersten erster erstes erstem",
        2: "second zweite zweiten zweiter zweites zweitem",
        3: "third dritte dritten dritter drittes drittem",
        4: "fourth vierte vierten vierter viertes vierten",
        5: "fifth fünfte fünften fünfter",
        6: "sixth sechste sechsten sechster",
        7: "seventh siebte siebten siebter",
        8: "eighth achte achten achter",
        9: "ninth neunte neunten neunter",
        10: "tenth zehnte zehnten zehnter",
    }.items()
    for word in words.split()
}  # fmt: skip - one value a word

_UNITS: dict[str, tuple[str, float]] = {
    word: (unit, factor)
    for unit, factor, words in (
        ("second", 1.0, "second seconds sec s sekunde sekunden"),
        ("second", 0.001, "millisecond milliseconds ms millisekunde millisekunden"),
        ("second", 60.0, "minute minutes min mins minuten"),
        ("second", 3_600.0, "hour hours hr hrs h stunde stunden"),
        (
            "second",
            86_400.0,
            "day days tag tage tagen workday workdays arbeitstag arbeitstage arbeitstagen werktag werktage werktagen",
        ),
        ("second", 604_800.0, "week weeks woche wochen"),
        ("month", 1.0, "month months monat monate monaten"),
        ("month", 3.0, "quarter quarters quartal quartale quartalen"),
        ("month", 12.0, "year years yr jahr jahre jahren"),
        ("times", 1.0, "times mal"),
        ("percent", 1.0, "% percent prozent"),
        ("byte", 1e3, "kb kib"),
        ("byte", 1e6, "mb mib"),
        ("byte", 1e9, "gb gib"),
        ("byte", 1e12, "tb tib"),
        ("metre", 1.0, "m metre metres meter metern"),
        ("metre", 0.001, "mm"),
        ("metre", 0.01, "cm"),
        ("metre", 1000.0, "km kilometre kilometres kilometer kilometern"),
        ("money:€", 1.0, "€ eur euro euros"),
        ("money:$", 1.0, "$ usd dollar dollars"),
        ("money:€", 0.01, "cent cents"),
        ("money:£", 1.0, "£ gbp pounds"),
        ("money:¥", 1.0, "¥ jpy yen"),
        ("degree", 1.0, "°c °"),
        ("volt", 1.0, "v volt"),
        ("ampere", 0.001, "ma"),
        ("watt", 1.0, "w watt"),
    )
    for word in words.split()
}  # fmt: skip - one unit a line
_ADJECTIVES = {"working", "business", "calendar", "full", "consecutive", "more", "paid", "volle", "vollen", "weitere"}

_NUM = r"\d{1,3}(?:[,.  ’]\d{3}){1,5}(?!\d)(?:[.,]\d{1,2})?|\d{1,18}(?:[.,]\d{1,9})?"
_SUFFIXES = "k|ms|s|h|min|gb|mb|kb|tb|v|w|mm|cm|km|m|ma"
"""Units that stand at their number without a blank."""
_END = r"[^\s<>()\[\].,;:!?'\"“”’*_]"
_CODES = (
    rf"(?:[a-z][a-z0-9+.-]{{1,20}}://|www\.)[^\s<>()\[\]]{{0,400}}{_END}",  # URL
    r"[\w.+-]{1,64}@[\w.-]{1,200}\w",  # e-mail address
    rf"(?<![\w.-])[a-z0-9][a-z0-9.-]{{0,200}}\.[a-z]{{2,24}}(?![\w-])(?:[/:][^\s<>()\[\]]{{0,400}}{_END})?",  # host
    r"(?<!\w)--?[a-z][\w-]{1,60}",  # option
    r"(?<!\w)/[\w./<>{}:-]{1,200}",  # path
    r"(?<![\w.-])[\w.-]{1,60}/[\w./<>{}:-]{1,200}",
    r"\b\w{1,60}=[\w./:-]{1,100}",
    r"\b\w{0,60}_\w{1,200}",
    # letters and digits, but no number with its unit
    rf"\b(?!\d{{1,18}}(?:st|nd|rd|th|x|er|-?mal|{_SUFFIXES})\b)(?=[a-z-]{{0,60}}\d)(?=[\d-]{{0,60}}[a-z])[a-z0-9][a-z0-9.-]{{0,99}}\b",
    r"\bv?\d{1,9}(?:\.(?:\d{1,9}|x)){2,6}\b",  # version
    r"\bv\d{1,9}(?:\.\d{1,9}){0,6}\b",
)
_CLOCK = r"[ap]\.?m\b\.?|uhr\b"
_TOKENS = {
    "iso": r"\b\d{4}-\d{2}-\d{2}\b",
    "dotted": r"(?<![€$£¥])\b\d{1,2}\.(?:0?[1-9]|1[0-2])\.(?:\d{4}|\d{2})?(?!\d)",
    "day_month": rf"\b\d{{1,2}}(?:\.|st|nd|rd|th)? ?(?:of )?(?:{_MONTH})\b\.?(?:,? ?\d{{4}}\b)?",
    "month_day": rf"\b(?:{_MONTH})\b\.? ?\d{{1,2}}(?:st|nd|rd|th)?\b(?!\d|:)(?:,? ?\d{{4}}\b)?",
    "monthyear": rf"\b(?:{_MONTH}) \d{{4}}\b",
    "time": rf"\b\d{{1,2}}[:.]\d{{2}} ?(?:{_CLOCK})|\b\d{{1,2}}:\d{{2}}\b|\b\d{{1,2}} ?(?:{_CLOCK})",
    "code": "|".join(_CODES),
    "number": rf"(?<![\w.])[-−]?(?:{_NUM})(?!\w)|(?<![\w.])(?:{_NUM})(?=\.?(?:\W|\Z)|(?:{_SUFFIXES})\b)",
    "word": r"[^\W\d_]{1,60}(?:[-'’][^\W\d_]{1,60}){0,8}|_",
    "sign": r"[€$£¥%°]",
    "stop": r"[,;:()\[\]|–—.!?]",
}
TOKEN = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _TOKENS.items()), re.IGNORECASE)
"""One pass over a sentence. Every alternative begins with a fixed or bounded part, so that the time is linear."""


def quantity(match: re.Match[str], following: str, before: str) -> Quantity | None:
    """The value of a token of `TOKEN`, or None. following, before: the folded words behind and in front of it."""
    kind, text = match.lastgroup, match.group().casefold()
    found = None
    if kind in {"iso", "dotted", "day_month", "month_day", "monthyear"}:
        found = Quantity("date", _date(kind, text))
    elif kind == "time":
        found = Quantity("time", (_minutes(text),))
    elif kind == "code":
        plain = text.strip("/.-").removeprefix("https://").removeprefix("http://")
        found = None if _EITHER_OR.fullmatch(plain) else Quantity("code", plain)
    elif kind == "number":
        found = _measured(_value(text), following, before)
    elif kind == "word":
        found = _in_words(text, following, before, capital=match.group()[:1].isupper())
    return replace(found, text=text) if found else None


def _in_words(text: str, following: str, before: str, *, capital: bool) -> Quantity | None:
    """A value that is written as a word."""
    found = None
    if text in _WEEKDAYS:
        found = Quantity("weekday", (_WEEKDAYS[text],))
    elif text in _WHOLES:
        found = Quantity("number", (_WHOLES[text][0],), _WHOLES[text][1], raw=1.0)
    elif text in _FRACTIONS and _unit(following):
        found = _measured(_FRACTIONS[text], following, before)
    elif text == "half" and (unit := _HALF_OF.match(following)) and _unit(unit[1]):
        found = _measured(0.5, unit[1], before)
    elif text in {"half", "hälfte"} and not following.lstrip().startswith("past"):
        found = Quantity("number", (0.5,), "share", raw=0.5)
    elif capital and text in _LONG_MONTHS:
        found = Quantity("date", (0.0, float(_MONTHS[text]), 0.0))
    elif before == "past" and (text in NUMBER_WORDS or text == "one"):
        found = Quantity("time", (60.0 * NUMBER_WORDS.get(text, 1) + 30,), "half day")
    elif before == "halb" and NUMBER_WORDS.get(text, 99) <= 12:
        found = Quantity("time", (60.0 * NUMBER_WORDS[text] - 30,), "half day")
    elif text in {"one", "eins"} and before in _LABELS:
        found = Quantity("number", (1.0,), raw=1.0)
    elif text in {"hundred", "thousand"} and before in NUMBER_WORDS:
        found = None  # counted with the word before it
    elif text in NUMBER_WORDS or (text in _ONE and (_unit(following) or _O_CLOCK.match(following))):
        found = _measured(float(NUMBER_WORDS.get(text, 1)), following, before)
    elif text in _ORDINALS:
        found = Quantity("number", (float(_ORDINALS[text]),), "ordinal", raw=float(_ORDINALS[text]))
    return found


def _measured(value: float, following: str, before: str) -> Quantity:
    if (day := _DAY_TO.match(following)) and value <= 31:
        return Quantity("date", (0.0, float(_MONTHS[day[1]]), value))
    if scale := _SCALE.match(following):
        value *= NUMBER_WORDS[scale[1]]
        following = following[scale.end() :]
    if _O_CLOCK.match(following):
        return Quantity("time", (60.0 * value,), "half day")
    if _RANGE_TO_TIME.match(following):
        return Quantity("time", (60.0 * value,))
    unit = _unit(following) or (_UNITS[before] if before in {"€", "$", "£", "¥", "eur", "usd"} else None)
    if following[:1] == "k" and not following[1:2].isalpha():
        value *= 1_000
    if unit is None:
        return Quantity("number", (value,), raw=value)
    return Quantity("number", (round(value * unit[1], 6),), unit[0], raw=value)


_HALF_OF = re.compile(r"\s{1,3}an?\s{1,3}(\w{1,20})")
_O_CLOCK = re.compile(r"\s{0,3}o['’]clock\b")
_DAY_TO = re.compile(
    rf"\.?\s{{0,3}}(?:and|und|to|bis|–|-)\s{{0,3}}(?:(?:the|dem|den|zum)\s{{1,3}})?\d{{1,2}}\.?\s{{1,3}}({_MONTH})\b"
)
"""Behind the first day of `27 and 31 December`."""
_EITHER_OR = re.compile(r"[^\W\d_]{1,60}/[^\W\d_]{1,200}")
"""Two words with a stroke between them, as in `and/or`, are no path."""
_SCALE = re.compile(r"\s{1,3}(hundred|thousand|hundert|tausend)\b")
_RANGE = re.compile(r"\s{0,3}(?:and|und|to|bis|or|oder|–|-)\s{0,3}(?:\d[\d.,:]{0,20}|\w{1,20})\s{0,3}")
_RANGE_TO_TIME = re.compile(r"\s{0,3}(?:(?:and|und|to|bis|–|-)\s{0,3}\d{1,2}(?::\d\d)?\s{0,3}(?:uhr|[ap]\.?m)|uhr)\b")
_UNIT = re.compile(r"[€$£¥%°]c?|[^\W\d_]{1,40}")
_GROUPED = re.compile(r"(-?\d{1,3}(?:[,. ’]\d{3}){1,5})([.,]\d{1,2})?")
_BLANK = re.compile(r"[,. ’]")
_DIGITS = re.compile(r"\d+")
_MONTH_NAME = re.compile(_MONTH)


def _unit(following: str) -> tuple[str, float] | None:
    """The unit behind a number; of `2 to 3 days`, that of the second; `2 × €75` are two times."""
    following = following.partition(";")[0].partition("|\n")[0]  # in another clause or row stands no unit of it
    if following.lstrip().startswith("×"):
        return _UNITS["times"]
    if found := _RANGE.match(following):
        following = following[found.end() :]
    for word in _UNIT.findall(following)[:2]:
        if word in _UNITS:
            return _UNITS[word]
        if word not in _ADJECTIVES:
            return None
    return None


def _value(text: str) -> float:
    plain = text.replace("−", "-")
    if grouped := _GROUPED.fullmatch(plain):
        return float(_BLANK.sub("", grouped[1]) + (grouped[2] or "").replace(",", "."))
    return float(plain.replace(",", "."))


def _date(kind: str, text: str) -> tuple[float, ...]:
    numbers = [int(each) for each in _DIGITS.findall(text)]
    if kind == "iso":
        return tuple(map(float, numbers))
    if kind == "dotted":
        year = numbers[2] if len(numbers) > 2 else 0
        return (float(year + 2000 if 0 < year < 100 else year), float(numbers[1]), float(numbers[0]))
    found = _MONTH_NAME.search(text)
    month = float(_MONTHS[found.group()]) if found else 0.0
    years = [each for each in numbers if each > 31]
    days = [each for each in numbers if each <= 31]
    return (float(years[0]) if years else 0.0, month, float(days[0]) if days else 0.0)


def _minutes(text: str) -> float:
    numbers = [int(each) for each in _DIGITS.findall(text)]
    hour, minute = numbers[0], numbers[1] if len(numbers) > 1 else 0
    if "p" in text and hour < 12:
        hour += 12
    elif "a" in text and hour == 12:
        hour = 0
    return 60.0 * hour + minute
