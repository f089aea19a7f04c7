"""Whom a line, or a value of metadata, names as the owners of a document: `Owner: Data, together with Security`.
Pure."""

from enum import IntEnum
from itertools import islice

from domain.patterns import LinearRegex
from domain.text.tokens import Analyzer

OWNING_WORDS = (
    "owners?|owned(?: jointly| together)? by|owning teams?|authors?|(?:written|authored|maintained) by|maintainers?"
    "|responsible|eigentümer(?:in|innen|s)?|verantwortlich(?:e[rns]?)?|zuständig(?:keit|e[rns]?)?|autor(?:in|innen|en)?"
    "|gepflegt von|betreut von|verfasst von"
)
"""What stands before the owners in a line, as alternatives of a pattern."""

OWN_THIS = "(?:owns?|maintains?|wrote|keeps?|looks? after) (?:this|these)"
"""What stands behind them."""

LONGEST_LINE = 2_000
"""Characters of a line that are looked at."""

REACH = 200
"""Characters beside such words that may hold the names."""

OWNING_PLACES = 5
"""Such words in a line behind which names are looked for."""


class Said(IntEnum):
    """What a text says of somebody as an owner; the highest counts."""

    NO = 0
    UNCLEAR = 1
    """The name is there, and nobody can tell what for."""
    LONGER = 2
    """A name that goes on is: `Data Science` for `Data`, `Ada Lovelace` for `Ada`."""
    YES = 3


_OWN_THIS = LinearRegex(rf"(?:\s(?:team|department|group))?\s{OWN_THIS}", after=r"\W|\Z", ignore_case=True)
_OWNING = LinearRegex(
    rf"(?:{OWNING_WORDS})(?:[\s_]team)?"
    r"(?:\s(?:of|for|von|für)\s(?:this|the|diese[rsnm]?|der|des|die|das)\s[\w-]{1,30}|\s\([^()]{1,40}\))?"
    r"(?:\s(?:is|are|ist|sind|[–—-])\s|[\s:*|_])[\s:*|]*",
    before=r"^|\W|_",
    after=r"[^\s:*|]",
    ignore_case=True,
)
_NO_LONGER = LinearRegex(
    r"(?:previous(?:ly)?|former(?:ly)?|ex|old|past|not|never|no longer|until \d{4}"
    r"|(?:ehemalig|früher|vorherig|vorig|bisherig|alt)(?:e[rnms]?)?|ehemals|nicht|nicht mehr)[\s-]+(?:the\s|der\s)?\Z",
    before=r"^|\W",
    ignore_case=True,
)
_LABEL = LinearRegex(r"\s(?:[A-ZÄÖÜ][\w-]*\s[a-zäöüß][\w-]*|[\w-]+):(?:\s|\Z)")
_PLAIN_LABEL = LinearRegex(
    r"\A\s\S+\s\S|(?:authors?|owners?|reviewers?|approvers?|status|updated|version|labels|tags):", ignore_case=True
)
"""Labels of which no word before them is a part."""
_END = LinearRegex(r"[·|_*\n]|[.!?](?:\s|\Z)|\s[–—-]\s")
_JOINED = LinearRegex(
    r"\s*(?:[,;/&+]|\s(?:and|und|sowie|or|oder)\s)"
    r"(?:\s*(?:and|und|together with|jointly with|zusammen mit|gemeinsam mit)\s)?\s*",
    ignore_case=True,
)
_WITH = LinearRegex(r"\s(?:(?:together|jointly|zusammen|gemeinsam)\s)?(?:with|mit)\s", ignore_case=True)
_ASIDE = LinearRegex(r"\s*\([^()]{0,80}\)")
_UNTIL = LinearRegex(r"\s*\((?:until|till|bis)\s[^()]{0,80}\)", ignore_case=True)
_SHORTENED = LinearRegex(r"(?:dr|prof|mrs?|ms|dipl|ing|hr|fr)\.\s", before=r"^|\W", ignore_case=True)
_INITIAL = LinearRegex(r"(?:[A-ZÄÖÜ]|St)\.", before=r"^|\s", after=r"\s[A-ZÄÖÜ]")
_TEAM = LinearRegex(
    r"\A(?:the|der|die|das|dem)\s|\Ateam\s|[\s-](?:team|department|group|abteilung|gruppe)\Z", ignore_case=True
)
_ASKED_ONLY = LinearRegex(
    r"\A(?:agreed|reviewed|approved|checked|formerly|previously|ehemals|früher|geprüft|freigegeben|abgestimmt)\s",
    ignore_case=True,
)
"""What others than the owners do."""
_ONE_NAME = LinearRegex(
    r"(?:research|learning|training|health|sales|trust|people|legal|forschung|vertrieb|recht)\s(?:and|und|&)\s"
    r"(?:development|safety|marketing|culture|compliance|entwicklung)",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
"""One team, and not two."""
_BEHIND_NAMES = frozenset(
    ("since", "for", "from", "in", "at", "on", "as", "of", "seit", "für", "ab", "im", "am", "von", "als")
)
"""Words that may follow a name and are no more of it."""
_TOKENS = Analyzer("none").tokens


def names_owner(line: str, owner: str) -> Said:
    """What a line says of somebody as the owner of something, alone or with others."""
    looked_at = line[:LONGEST_LINE]
    places = list(islice(_OWNING.finditer(looked_at), OWNING_PLACES + 1))
    found = [_behind(looked_at, match.start(), match.end(), owner) for match in places[:OWNING_PLACES]]
    found += [
        _before(looked_at[max(0, match.start() - REACH) : match.start()], owner)
        for match in islice(_OWN_THIS.finditer(looked_at), OWNING_PLACES)
    ]
    cut = len(line) > LONGEST_LINE or len(places) > OWNING_PLACES
    unclear = (cut or not found) and owner.casefold() in line.casefold()
    return max([*found, Said.UNCLEAR if unclear else Said.NO])


def _before(text: str, owner: str) -> Said:
    """What stands before `owns this page`: the last name is an owner's, others may be."""
    start = max((each.end() for each in _END.finditer(text)), default=0)
    *_, last = _JOINED.split(text[start:])
    wanted = _TOKENS(_bare(owner))
    if _TOKENS(_bare(last)) == wanted:
        return Said.YES if wanted else Said.NO
    return Said.UNCLEAR if _holds(text[start:], wanted) else Said.NO


def _behind(line: str, start: int, end: int, owner: str) -> Said:
    """What stands behind an owning word."""
    if _NO_LONGER.search(line[max(0, start - 30) : start]):
        return Said.NO
    near, far = line[end : end + REACH], line[end + REACH - len(owner) :]
    said = is_among(near, owner)
    return max(said, Said.UNCLEAR) if not _END.search(near) and _holds(far, _TOKENS(owner)) else said


def is_among(named: str, owner: str) -> Said:
    """What a text that begins with the names of owners says of somebody."""
    owner = _bare(_SHORTENED.sub("", owner))
    wanted = _TOKENS(owner)
    if not wanted or _TOKENS(named) == wanted:
        return Said.YES if wanted else Said.NO
    names, behind, labelled = _names(named)
    found = [_named_so(each.split(), len(owner.split()), wanted) for each in names]
    if names and names[0][:1].islower() and " " in names[0]:  # as in `can invite Data and Security`
        found[1:] = [min(each, Said.UNCLEAR) for each in found[1:]]
    if labelled and Said.LONGER in found[-1:]:
        found[-1] = Said.UNCLEAR  # `Data Review Date: May`: whose name is longer?
    if not _ASKED_ONLY.search(behind):
        found.append(Said.UNCLEAR if _holds(behind, wanted) else Said.NO)
    return max(found, default=Said.NO)


def _named_so(name: list[str], words: int, wanted: list[str]) -> Said:
    """Whether words that should be a name are that name."""
    if _TOKENS(" ".join(name[:words])) != wanted:
        is_name = name and not name[0][:1].islower()
        return Said.NO if is_name or not _holds(" ".join(name), wanted) else Said.UNCLEAR
    behind = name[words] if len(name) > words else ""
    if behind.lower() in {"until", "till", "bis"}:
        return Said.NO
    if not behind[:1].isalpha() or behind.lower() in _BEHIND_NAMES or _TEAM.search(f" {behind}"):
        return Said.YES  # `Data since May`, `Data team`
    return Said.LONGER if behind[:1].isupper() else Said.UNCLEAR  # `Ada Lovelace`; `Ada approved`, `data science`


def _holds(text: str, wanted: list[str]) -> bool:
    return bool(wanted) and f" {' '.join(wanted)} " in f" {' '.join(_TOKENS(text))} "


def _bare(name: str) -> str:
    """A name without its article, and without `team`."""
    return _TEAM.sub("", _TEAM.sub("", name.strip()))


def _names(text: str) -> tuple[list[str], str, bool]:
    """The names at the beginning of a text; what follows and is none; and whether a label ends them."""
    text = _ONE_NAME.sub(lambda match: "~".join(match.group().split()), text)
    rest = _INITIAL.sub(lambda match: match.group()[:-1], _SHORTENED.sub("", text))
    end, label = _END.search(rest), _LABEL.search(rest)
    labelled = bool(label and not (end and end.start() < label.start()) and not _PLAIN_LABEL.search(label.group()))
    stop = min((each.start() for each in (end, label) if each), default=len(rest))
    rest = _ASIDE.sub("", _UNTIL.sub(" until", rest[:stop]))
    names: list[str] = []
    parts = _JOINED.split(rest)
    for number, each in enumerate(parts):
        if number and " " in each.strip() and not _bare(each)[:1].isupper():
            return names, ", ".join(part.strip() for part in parts[number:]), False  # as in `agreed with Platform`
        names += (_bare(name.replace("~", " ")) for name in _WITH.split(each))
    return names, "", labelled
