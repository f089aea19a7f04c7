"""Ranges of amounts as tables name them: `€500 to €5,000`, `up to 25`, `above €25,000`. Pure."""

from domain.patterns import LinearRegex

_AMOUNT = LinearRegex(
    r"(?P<whole>\d{1,3}(?:[,.\u202f ]\d{3})+|\d+)(?:\.\d+)?", before=r"^|[^\w.,:-]", after=r"[^\w:-]|\Z"
)
_UP_TO = LinearRegex(
    r"up to|below|under|less than|at most|maximum|bis|unter|[<≤]", before=r"^|\W", after=r"\W|\Z|\d", ignore_case=True
)
_FROM = LinearRegex(
    r"above|over|more than|from|at least|beyond|ab|über|mehr als|[>≥]",
    before=r"^|\W",
    after=r"\W|\Z|\d",
    ignore_case=True,
)
_BETWEEN = LinearRegex(r" (?:to|and|until|bis|und) |[-–]", ignore_case=True)
_YEAR = LinearRegex(r"(?:19|20)\d\d")
_SEPARATORS = str.maketrans("", "", ",. \u202f")


def amounts(text: str) -> list[float]:
    """The amounts in a text, without what belongs to a word or a time, and without what looks like a year."""
    found = [match.named()["whole"] for match in _AMOUNT.finditer(text)]
    return [float(each.translate(_SEPARATORS)) for each in found if not _YEAR.fullmatch(each)]


def covers(cell: str, amount: float) -> bool | None:
    """Whether an amount lies in the range that a cell names; None where it names none."""
    found = amounts(cell)
    if len(found) == 2 and found[0] < found[1] and _BETWEEN.search(cell):
        return found[0] <= amount <= found[1]
    if len(found) == 1 and _UP_TO.search(cell):
        return amount <= found[0]
    if len(found) == 1 and _FROM.search(cell):
        return amount > found[0]
    return None
