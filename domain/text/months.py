"""Months that a text names, and those within its ranges, in English and German. Pure."""

from domain.patterns import LinearRegex

_NAMES = (
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "jän feb mär apr mai jun jul aug sept okt nov dez",
)
_ENGLISH, _GERMAN, *_SHORT = (names.split() for names in _NAMES)
_NUMBERS = {name: number for names in (_ENGLISH, _GERMAN, *_SHORT) for number, name in enumerate(names, start=1)}
_ANY = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_FULL = "|".join(sorted({*_ENGLISH, *_GERMAN} - {"may"}, key=len, reverse=True))
_DAY = r"\d{1,2}(?:st|nd|rd|th)?\.?"
_RANGE = LinearRegex(
    rf"(?P<first>{_ANY})\.?(?: {_DAY})?(?: ?[-–—] ?| to | until | through | till | bis (?:zum |ende )?)"
    rf"(?:the )?(?:{_DAY} ?(?:of )?)?(?P<last>{_ANY})",
    before=r"^|[^\pL]",
    after=r"[^\pL]|\z",
    ignore_case=True,
)
_ONE = LinearRegex(
    rf"(?P<name>{_FULL})|(?:in|of|during|until|from|since|by|\d) (?P<may>may)",  # `may` is a verb, too
    before=r"^|[^\pL]",
    after=r"[^\pL]|\z",
    ignore_case=True,
)


def months_within(text: str) -> frozenset[int]:
    """The months, 1 to 12, of the ranges that a text names: `1 November - 28 February` are four of them."""
    found = set[int]()
    for match in _RANGE.finditer(text):
        first, last = (_NUMBERS[match.named()[end].lower()] for end in ("first", "last"))
        found.update(range(first, last + 1) if first <= last else (*range(first, 13), *range(1, last + 1)))
    return frozenset(found)


def months_named(text: str) -> frozenset[int]:
    """The months that a text names by themselves or within a range."""
    single = (match.named() for match in _ONE.finditer(text))
    return months_within(text).union(_NUMBERS[(each["name"] or each["may"]).lower()] for each in single)


def with_months(text: str) -> str:
    """A text and the names of the months within its ranges."""
    names = (f"{_ENGLISH[each - 1]} {_GERMAN[each - 1]}" for each in sorted(months_within(text)))
    return " ".join([text, *names])
