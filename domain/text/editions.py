"""Editions of one document: which one a text says that it replaces, and which of several documents that is. Pure."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from domain.patterns import LinearRegex
from domain.text.days import MONTH_NUMBERS
from domain.text.months import any_of

_CALLED = "version|edition|fassung|ausgabe"
_NUMBER = r"(?P<version>\d{1,3}(?:\.\d{1,3}){0,2})"
_ITSELF = r"(?:it|this(?: [\w-]{1,30}){0,3}|diese[rs]?(?: [\w-]{1,30}){0,2}|sie)"
_MONTH = any_of(MONTH_NUMBERS)
_DATE = (
    rf"(?:(?:\d{{1,2}}\.? )?(?P<name>{_MONTH}) )?(?:\d{{1,2}}\.(?P<number>\d{{1,2}})\.)?"
    r"(?P<year>(?:19|20)\d\d)(?:-(?P<iso>\d\d)-\d\d)?"
)
"""`March 2026`, `1. März 2026`, `01.03.2026` or `2026-03-01`."""
_PLAIN_DATE = (
    rf"(?:\d{{1,2}}[./]\s?\d{{1,2}}[./]|\d{{1,2}}\.? (?:{_MONTH}) |(?:{_MONTH}) (?:\d{{1,2}}, )?)?"
    r"\d{4}(?:-\d\d-\d\d)?"
)
_AND = r"(?:(?:applies|is valid|is in force|gilt) (?:[^;:.\n]|\.\d){1,80} (?:and|und) )?"
"""`This page applies from May on and` replaces another one."""
_STARTS = r"^|[.!:\n>*_]\s*"
_SINCE = r"(?:on|in|as of|since|am|im|seit|zum) [\w. ]{3,24}?"
_VERBS = ("replaces", "supersedes", "takes the place of", "ersetzt", "tritt an die stelle von")
_REPLACES = LinearRegex(
    rf"{_ITSELF} {_AND}(?:(?:also|now|hereby|completely) )?(?:{'|'.join(_VERBS)}) (?:the |die )?(?:{_CALLED})"
    rf"(?: {_NUMBER})?(?:,? (?:of|from|dated|von|vom) {_DATE})?",
    before=r"^|\W",
    after=r"\s*(?:[.,;:()\n]|\z)",  # "version 2 of the handbook" is another document
    ignore_case=True,
)
_REPLACES_YEAR = LinearRegex(
    rf"(?:{_ITSELF} {_AND})?(?:(?:also|now|hereby|completely) )?(?:{'|'.join(_VERBS)}) (?:(?:the|our|die|das|den) )?"
    r"(?:(?P<before>(?:19|20)\d\d) [\w -]{2,40}|[\w-]{2,30}(?: [\w-]{2,30}){0,3} (?P<year>(?:19|20)\d\d))",
    before=_STARTS,
    after=r"\s*(?:[.,;:()\n]|\z)",
    ignore_case=True,
)
"""`Replaces the 2025 price list`: which of its own editions, the title tells."""
_REPLACED_BY = ("replaced", "superseded", "obsolete", "outdated", "deprecated", "ersetzt", "abgelöst", "veraltet")
_DOCUMENT = (
    r"(?:page|document|policy|guide(?:line)?|version|edition|seite|dokument|richtlinie|leitfaden|fassung|ausgabe)"
)
_NEWER = ("in force", "current", "successor", "es gilt", "nachfolger", "aktuelle")
_IS_VALID = (
    r"(?:the )?(?:current (?:version|edition|page|policy)|(?:version|edition|page|policy) in force)(?: is:?|:)"
    r"|(?:the |its )?successor(?: is:?|:)|es gilt(?: (?:jetzt|nun|nur|stattdessen))? (?:die|das|der) (?:aktuelle|neue)"
    r"|(?:die )?aktuelle (?:fassung|version|seite)(?: ist:?|:)|nachfolger(?:in|dokument|seite)?(?: ist:?|:)"
)
"""What stands before the title of the document that counts."""
_TITLE = (
    r"(?:(?:the|our|a|die|der|das|den|dem) )?"
    rf"(?:(?P<document>{_DOCUMENT}):? )?"
    r"[\"'“„«‘]?(?P<title>[^\s.,;:()\"'“„«‘][^.,;:()\n\"”“»’]{1,78}?)[\"'”“»’]?"
    rf"(?:,? (?:of|from|dated|von|vom) {_DATE})?"
)
_ENDS = r"\s*(?:[.,;:()\n]|\z)"
_REPLACED = LinearRegex(
    rf"(?:{_ITSELF} (?:is|was|has been|wird|wurde|ist) (?:(?:now|since) )?)?(?:{'|'.join(_REPLACED_BY)})(?: {_SINCE})?"
    rf"(?: (?:by|durch|von)|[,;:.]? (?:please )?(?:see|siehe)) {_TITLE}",
    before=_STARTS,  # "The old printer was replaced by the new one" is no word of the page about itself
    after=_ENDS,
    ignore_case=True,
)
_VALID = LinearRegex(rf"(?:{_IS_VALID}) {_TITLE}", before=_STARTS, after=_ENDS, ignore_case=True)
"""Such words alone say nothing of their own page: `Current version: Python 3.12`."""
_MARK = (
    r"superseded|replaced|obsolete|outdated|deprecated|withdrawn|no longer (?:valid|in force|current|applicable)"
    r"|not (?:valid|in force) any ?(?:more|longer)"
    r"|veraltet|überholt|abgelöst|ersetzt|nicht mehr (?:gültig|aktuell)"
    r"|nicht mehr (?:[\w ]{1,30} )?(?:verwenden|benutzen)|(?:außer|ausser) kraft"
)
_MARKED_TITLE = LinearRegex(
    rf"(?:{_MARK})", before=r"^[(\[]?|[(\[]\s*|[:–—-]\s+", after=r"[)\]:]|\s+[–—-]|\s*\z", ignore_case=True
)
_MARKED = LinearRegex(
    rf"(?:{_ITSELF} (?:is|was|has been|wird|wurde|ist) )?(?:(?:now|since) )?(?:{_MARK})(?: {_SINCE})?",
    before=_STARTS,
    after=r"\s*(?:[.,;:!()\n*_]|\z)",
    ignore_case=True,
)
"""What says that a document counts no longer, and not which one does."""
_UNTIL = LinearRegex(
    r"(?:gültig|valid|in force|in kraft|gilt|fassung|version|edition|stand)\s+(?:zum )?"
    rf"(?:bis|ab|until|till|up to|from|of|since|seit|vom|von)\s+{_PLAIN_DATE}",
    before=r"[(\[]",
    after=r"[)\]]",
    ignore_case=True,
)
"""In a title: `(valid until 31 December 2024)`."""
_FIRST_LINES = 300
"""Characters of a text in which it says so."""
_NUMBERED = LinearRegex(rf"(?:{_CALLED}|v) ?{_NUMBER}", before=r"^|\W", after=r"\W|\z", ignore_case=True)
_BEGINS = 40
"""Characters of a text in which it says which version it is."""
_WORD = LinearRegex(r"\w+")


@dataclass(frozen=True, slots=True)
class Edition:
    """What tells one edition of a document from the others."""

    version: str = ""
    """Such as `2` or `4.1`; empty where it is not said."""
    year: int = 0
    month: int = 0
    """1 to 12; year and month are 0 where they are not said."""


@dataclass(frozen=True, slots=True)
class Opening:
    """How a document begins."""

    document_id: str
    source: object
    title: str
    headings: str
    text: str
    """Of its first part."""
    dated: datetime | None

    @property
    def subject(self) -> tuple[str, ...]:
        """The words of the title, without what tells its editions apart."""
        return _subject(self.plain_title)

    @property
    def plain_title(self) -> str:
        """The title without the mark that it counts no longer."""
        return _UNTIL.sub("", _MARKED_TITLE.sub("", self.title)).strip(" -–—:()[]")

    @property
    def first_word(self) -> str:
        """Of the title up to its first space, in small letters: editions share it."""
        return first_word(self.plain_title)

    @property
    def counts_no_longer(self) -> bool:
        """Whether its title or its first lines say that it is superseded, obsolete or no longer valid."""
        return bool(_MARKED_TITLE.search(self.title) or _MARKED.search(self.text[:_FIRST_LINES]))

    def may_be(self, said: Edition) -> bool:
        """Whether it is this edition: its version, or its month where it has no version."""
        found = (_NUMBERED.search(each) for each in (self.title, self.headings, self.text[:_BEGINS]))
        version = next((match["version"] for match in found if match), "")
        if said.version and version:
            return said.version == version
        day = (self.dated.year, self.dated.month) if self.dated else (0, 0)
        if said.year and not said.month and str(said.year) in _WORD.findall(self.title):
            return True
        return bool(said.year) and day in ((said.year, said.month), (said.year, said.month or day[1]))

    def may_replace(self, said: Edition) -> bool:
        """Whether it is the edition by which another says that it is replaced; any, where no month is known of both."""
        return not said.year or self.dated is None or self.may_be(said)


def first_word(title: str) -> str:
    """What stands before its first space, in small letters."""
    return title.partition(" ")[0].lower()


def _subject(title: str) -> tuple[str, ...]:
    words = _WORD.findall(title.casefold())
    return tuple(each for each in words if not each.strip("v").isdigit() and each not in _CALLED.split("|"))


def replacing_titles(text: str) -> tuple[tuple[str, ...], Edition] | None:
    """What the document may be titled by which a text says that its own is replaced ("Superseded by the page Travel of
    March 2026": `page Travel`, else `Travel`), and which edition of that; None where it says nothing of the kind."""
    folded = text.casefold()
    match = None
    if any(each in folded for each in _REPLACED_BY):
        match = next(_REPLACED.finditer(text), None)
    if match is None and any(each in folded for each in _NEWER):
        match = next(_VALID.finditer(text), None)
    if match is None:
        return None
    said = match.named()
    edition = Edition("", int(said["year"] or 0), _month(said))
    whole = " ".join(filter(None, (said["document"], said["title"])))
    return tuple(dict.fromkeys((whole, said["title"]))), edition


def replaced_edition(text: str) -> Edition | None:
    """The edition that a text says its document replaces ("This version replaces version 2 of February 2024"); None
    where it says nothing of the kind."""
    folded = text.casefold()  # ſ is an s
    if not any(verb in folded for verb in _VERBS):
        return None  # most texts; the pattern takes a tenth of a second to compile
    for match in _REPLACES.finditer(text):
        said = match.named()
        if said["version"] or said["year"]:
            return Edition(said["version"] or "", int(said["year"] or 0), _month(said))
    dated = _REPLACES_YEAR.search(text)
    return Edition("", int(dated["before"] or dated["year"])) if dated else None


def _month(said: Mapping[str, str | None]) -> int:
    number = said["number"] or said["iso"]
    return int(number) if number else MONTH_NUMBERS.get((said["name"] or "").lower(), 0)


def replaced_editions(openings: Iterable[Opening], among: Collection[Opening]) -> set[tuple[str, str]]:
    """Ids of documents with those of the documents that they replace, as either of the two says: only where `among` has
    exactly one other of that title, source and edition. One that counts no longer is replaced by the one that does."""
    found = set()
    for one in openings:
        rest = [each for each in among if each.document_id != one.document_id and each.source == one.source]
        if said := replaced_edition(one.text):
            others = [each for each in rest if each.subject == one.subject and each.may_be(said)]
            if len(others) == 1:
                found.add((one.document_id, others[0].document_id))
        others = _named_as_replacing(one, rest)
        if not others and one.counts_no_longer:
            others = [each for each in rest if each.subject == one.subject and not each.counts_no_longer]
        if len(others) == 1:
            found.add((others[0].document_id, one.document_id))
    return found


def _named_as_replacing(one: Opening, rest: Collection[Opening]) -> list[Opening]:
    """Those of the rest by which a document says that it is replaced. What only says which one counts says so of a page
    of the same subject, or of one that counts no longer."""
    titles, edition = replacing_titles(one.text) or ((), Edition())
    of_itself = one.counts_no_longer or _REPLACED.search(one.text) is not None
    for title in titles:
        others = [each for each in rest if each.subject == _subject(title) and each.may_replace(edition)]
        others = [each for each in others if of_itself or each.subject == one.subject]
        if any(letter.isdigit() for letter in title):  # that names one of several editions
            others = [each for each in others if each.title.casefold() == title.casefold()] or others
        if others:
            return others
    return []
