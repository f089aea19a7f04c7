"""Names of months, and the months that a text names, and those within its ranges, in English and German. Pure."""

from collections.abc import Iterable

from domain.patterns import LinearRegex

_NAMES = {
    "en": (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
    ),
    "de": (
        "januar februar märz april mai juni juli august september oktober november dezember",
        "jän feb mär apr mai jun jul aug sept okt nov dez",
        "jänner feb mrz apr mai jun jul aug sept okt nov dez",
    ),
    "fr": ("janvier février mars avril mai juin juillet août septembre octobre novembre décembre",),
    "es": ("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",),
}
MONTHS = {language: tuple(names[0].split()) for language, names in _NAMES.items()}
"""The full names of the months, from the first to the last, by language."""


def month_numbers(*languages: str) -> dict[str, int]:
    """The number of the month, 1 to 12, by its full and short names in these languages."""
    named = (names for language in languages for names in _NAMES[language])
    return {name: number for names in named for number, name in enumerate(names.split(), start=1)}


def any_of(names: Iterable[str]) -> str:
    """A pattern for one of these names, the longest that fits."""
    return "|".join(sorted(names, key=len, reverse=True))


_ENGLISH, _GERMAN = MONTHS["en"], MONTHS["de"]
_NUMBERS = month_numbers("en", "de")
_ANY = any_of(_NUMBERS)
_FULL = any_of({*_ENGLISH, *_GERMAN} - {"may"})
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
