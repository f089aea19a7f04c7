"""Days of the week that a text names, in English and German. Pure."""

from domain.patterns import LinearRegex

WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
HOLIDAY = "holiday"
_GERMAN = {"mon": "mon", "die": "tue", "mit": "wed", "don": "thu", "fre": "fri", "sam": "sat", "son": "sun"}
_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tage?[ns]?|mittwochs?|sonnabends?"
    r"|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so"
)
_RANGE = LinearRegex(
    rf"(?P<first>{_DAY})\.?(?: ?[-–—] ?| to | through | until | till | bis )(?P<last>{_DAY})",
    before=r"^|[^\w-]",
    after=r"[^\w-]|\Z",
    ignore_case=True,
)
_ONE = LinearRegex(
    r"(?P<week>weekdays?|working days?|wochentag\w{0,2}|werktag\w{0,2})|(?P<end>weekends?|wochenenden?)"
    r"|(?P<every>daily|every ?day|each day|all days|seven days|always|täglich|jeden tag|immer)"
    r"|(?P<holiday>(?:public |bank )?holidays|(?:public|bank) holiday|feiertag\w{0,2})"
    r"|(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tage?[ns]?"
    r"|mittwochs?|sonnabends?)",
    before=r"^|[^\w-]",
    after=r"[^\w-]|\Z",
    ignore_case=True,
)

_SHORT = LinearRegex(
    r"Mon|Tues?|Wed|Thu(?:rs)?|Fri|Sat|Sun|Mo|Di|Mi|Do|Fr|Sa|So",
    before=r"^|[^\w-]",
    after=r"[.:]? ?(?:[\d&/+,|]|closed|geschlossen)|\W*\Z",
)
"""Short names of days, before a time of day or another one: `Sat 9-13`, `Sa/So`."""

_SHORT_ENGLISH = LinearRegex(
    r"Mon|Tues?|Wed|Thu(?:rs)?|Fri|Sat|Sun|(?:Mo|Di|Mi|Do|Fr|Sa|So)", before=r"^|[^\w-]", after=r"[^\w-]|\Z"
)
"""The same beside other days."""
_BOTH = LinearRegex(r"(?P<first>mon|diens|donners|frei|sams|sonn)- (?:und|oder|bis) ", before=r"^|\W", ignore_case=True)
"""`Sonn- und Feiertage`."""


def days_named(text: str) -> frozenset[str]:
    """The days that a text names, as `mon` to `sun` and `holiday`: "weekdays" and "Mon–Fri" are five of them."""
    found = set[str]()
    for match in _RANGE.finditer(text):
        first, last = (WEEK.index(_day(match.named()[end])) for end in ("first", "last"))
        found.update(WEEK[first : last + 1] if first <= last else (*WEEK[first:], *WEEK[: last + 1]))
    shorts = _SHORT_ENGLISH if found else _SHORT
    found.update(_day(match[0]) for match in shorts.finditer(text))
    found.update(_day(f"{match.named()['first']}tag") for match in _BOTH.finditer(text))
    for match in _ONE.finditer(text):
        named = match.named()
        if named["day"]:
            found.add(_day(named["day"]))
        elif named["holiday"]:
            found.add(HOLIDAY)
        else:
            every = (*WEEK, HOLIDAY)
            found.update(every if named["every"] else WEEK[:5] if named["week"] else WEEK[5:])
    return frozenset(found)


def _day(word: str) -> str:
    word = word.lower()
    if len(word) == 2 or "tag" in word or word.startswith(("mittw", "sonnab")):
        return "sat" if word.startswith("sonnab") else _GERMAN[next(day for day in _GERMAN if day.startswith(word[:2]))]
    return word[:3]
