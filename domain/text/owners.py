"""Whom a line, or a value of metadata, names as the owners of a document: `Owner: Data, together with Security`.
Pure."""

from collections.abc import Iterator

from domain.patterns import LinearRegex
from domain.text.tokens import Analyzer

OWNING_WORDS = (
    "owners?|owned by|owning teams?|authors?|written by|maintained by|maintainers?|responsible"
    "|eigentümer|eigentümerin|verantwortlich|zuständig|autor|autorin|gepflegt von|betreut von|verfasst von"
)
"""What stands before the owners in a line, as alternatives of a pattern."""

OWN_THIS = "(?:owns?|maintains?|wrote|keeps?|looks? after) (?:this|these)"
"""What stands behind them."""

_OWN_THIS = LinearRegex(rf"(?:\s(?:team|department|group))?\s{OWN_THIS}", after=r"\W|\Z", ignore_case=True)
_OWNING = LinearRegex(rf"(?:{OWNING_WORDS})[\s:*|]*", before=r"^|\W|_", after=r"[^\s:*|]", ignore_case=True)
_END = LinearRegex(r"[·|_*\n]|[.!?](?:\s|\Z)|\s[–—-]\s")
_JOINED = LinearRegex(
    r"\s*(?:[,;/&+]|\s(?:and|und|sowie|or|oder)\s)"
    r"(?:\s*(?:and|und|together with|jointly with|zusammen mit|gemeinsam mit)\s)?\s*",
    ignore_case=True,
)
_WITH = LinearRegex(r"\s(?:(?:together|jointly|zusammen|gemeinsam)\s)?(?:with|mit)\s", ignore_case=True)
_ASIDE = LinearRegex(r"\s*\([^()]{0,80}\)")
_TEAM = LinearRegex(r"\A(?:the|der|die|das|dem)\s|[\s-](?:team|department|group|abteilung|gruppe)\Z", ignore_case=True)
_TOKENS = Analyzer("none").tokens


def names_owner(line: str, owner: str, *, whole: bool) -> bool:
    """Whether a line says that something belongs to somebody, alone or with others.

    whole: whether the name is all of it, as of a team: `Data` is not `Data Science`, but `Ada` may be `Ada Lovelace`.
    """
    if any(is_among(line[match.end() :], owner, whole=whole) for match in _OWNING.finditer(line)):
        return True
    wanted = _TOKENS(owner)
    return any(_TOKENS(line[: match.start()])[-len(wanted) :] == wanted for match in _OWN_THIS.finditer(line))


def is_among(named: str, owner: str, *, whole: bool = True) -> bool:
    """Whether a text that begins with the names of owners has one of this name. whole: see `names_owner`."""
    wanted, words = _TOKENS(owner), len(owner.split())
    if not wanted or _TOKENS(named) == wanted:
        return bool(wanted)
    names = (each.split() for each in _names(named))
    return any(
        _TOKENS(" ".join(each[:words])) == wanted and not (whole and _goes_on("".join(each[words : words + 1])))
        for each in names
    )


def _goes_on(word: str) -> bool:
    """Whether a name goes on with a word behind it: `Data Science` does, `Data since May` and `Data team` do not."""
    return word[:1].isupper() and not _TEAM.search(f" {word}")


def _names(text: str) -> Iterator[str]:
    """The names at the beginning of a text, up to words that are none."""
    end = _END.search(text)
    rest = _ASIDE.sub("", text[: end.start()] if end else text)
    for number, each in enumerate(_JOINED.split(rest)):
        if number and " " in each.strip() and not _TEAM.sub("", each.strip())[:1].isupper():
            return  # as in `People, agreed with Platform`
        for name in _WITH.split(each):
            yield _TEAM.sub("", _TEAM.sub("", name.strip()))
