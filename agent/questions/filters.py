"""What the words of a question narrow the search to: labels, spaces, sources, documents, dates. Pure.

A name narrows only where something bears it that the asker may see; who knows that is asked in between:
`possible_names` says what to look up, `take_filters` takes the filters out, those that nothing bears included.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise

from agent.questions.listings import listing_of
from agent.questions.patterns import content_words
from agent.questions.relative_dates import RELATIVE, relative_span
from domain.patterns import LinearRegex, PatternMatch
from domain.search import Filters, NameField
from domain.text.months import MONTHS, any_of

_LONGEST_NAME = 41
"""Characters of a label that a question names."""
_WORD = r"[\w\pM]"
_URL = LinearRegex(r"https?://[^\s<>\"'`|\\^{}]{1,1000}", ignore_case=True)
_LABEL = LinearRegex(rf"#([^\W\d_](?:{_WORD}|-)+)")
_DOCUMENTS = r"(?:documents?|docs?|pages?|files?|articles?|entries|runbooks?|dokumente?n?|seiten?|dateien?|artikeln?)"
_ANY_DOCUMENTS = LinearRegex(_DOCUMENTS, before=r"^|\W", after=r"\W|\Z", ignore_case=True)
_ASKED = r"(?:which|what|how many|list|show|find|name|give|me|all|of|the|our|welche|wie viele|zeige?|alle|die)"
_HAVE = r"(?:with|have|has|carry|carries|bear|bears|carrying|bearing|mit|tragen|haben) (?:the |a |dem |das )?"
_DOCUMENTS_THAT = (
    rf"\A\W*(?:(?:{_ASKED} ){{1,4}}(?:(?:[^\W\d_]|-)+ )?)?{_DOCUMENTS} (?:(?:that|which|die) )?(?:(?:are|is|were) )?"
)
_LABELLED = LinearRegex(
    rf"{_DOCUMENTS_THAT}((?:labelled|labeled|tagged) (?:(?:with|as) )?|{_HAVE}(?:label|tag) )", ignore_case=True
)
"""A list of documents that bear the label that stands behind."""
_WITH_ITS_LABEL = LinearRegex(rf"{_DOCUMENTS_THAT}({_HAVE}([\w-]+) (?:label|tag))", after=r"\W|\Z", ignore_case=True)
_JOINED = LinearRegex(r"\W{0,3}(?:or|and|oder|und) ", ignore_case=True)
_FIELD = LinearRegex(
    r"(label|space|project|source|before|after|since|until):\s?(?:\"([^\"]{1,100})\"|([^\s,;?!\"]{1,100}))",
    ignore_case=True,
)
_MONTHS = {name: number for each in ("en", "de") for number, name in enumerate(MONTHS[each], start=1)}
_DATE = rf"(\d{{4}}-\d{{2}}-\d{{2}}|(?:\d{{1,2}}(?:\.|st|nd|rd|th)? )?(?:{any_of(_MONTHS)}) \d{{4}}|\d{{4}})"
_CHANGES = r"(?:last\s+)?(?:updated|changed|modified|edited|written|published|created|dated)"
_CHANGED = rf"(?:{_CHANGES} or )?{_CHANGES}"
_SAID = rf"{_CHANGED}\s+(before|after|since|until|in|during)\s+"
_DATED = LinearRegex(rf"{_SAID}{_DATE}", after=r"\W|\Z", ignore_case=True)
_MONTH = rf"(?:\d{{1,2}}(?:\.|st|nd|rd|th)? )?(?:{any_of(_MONTHS)})"
_LATELY = LinearRegex(
    rf"{_CHANGED}\s+(?:(before|after|since|until|in|during|within)\s+)?({_MONTH}|{RELATIVE})",
    after=r"\W|\Z",
    ignore_case=True,
)
"""Words that name a day only together with today: a month without a year is the last one that has begun."""
_GERMAN_DATED = LinearRegex(
    rf"(?:zuletzt\s+)?(?:(vor|nach|seit|bis|im|in|am)\s+(?:dem\s+)?)?({_DATE}|{_MONTH}|{RELATIVE})\s+(?:neu\s+)?"
    r"(?:geändert|aktualisiert|bearbeitet|geschrieben|veröffentlicht|erstellt|angelegt)",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_ONLY_MONTH = LinearRegex(_MONTH, ignore_case=True)
_IN_ENGLISH = {"vor": "before", "nach": "after", "seit": "since", "bis": "until"}
_FULL_DATE = LinearRegex(_DATE, ignore_case=True)
_IN_DOCUMENT = LinearRegex(r"in (?:the )?(?:document|doc|page|file)(?: (?:named|called|titled))? ", ignore_case=True)
_BY_NAME = LinearRegex(r"in doc(?:ument)? |.+ (?:named|called|titled) ", ignore_case=True)
_QUOTED = LinearRegex(r"[\"“”]([^\"“”]{2,120})[\"“”]", ignore_case=True)
_SINGLY = LinearRegex(r"['‘’]([^\"“”]{2,120})", ignore_case=True)
_PATH = LinearRegex(rf"((?:{_WORD}|[./-])+\.{_WORD}{{2,5}})", ignore_case=True)
_TOKEN = LinearRegex(r"\s*([^\s?!,;:()\"“”]+)([?!,;:()\"“”]?)", ignore_case=True)
_JOINS = LinearRegex(r"\s*(?:and|or|,|/|&)\s*", ignore_case=True)
_BEFORE_SIGN = LinearRegex(r"\s+([?!.,;])")

_MAX_TITLE_WORDS, _MAX_FILTERS = 8, 8  # words of a title without quotes, and filters of each kind in one question

_FIELDS: dict[str, NameField] = {"label": "labels", "source": "sources", "space": "spaces", "project": "spaces"}
_NOUNS: dict[NameField, str] = {"labels": "label", "spaces": "space", "sources": "source", "titles": "document"}


@dataclass(frozen=True, slots=True)
class NameReading:
    """A name that a piece of a question may be, and where the piece ends then."""

    name: str
    end: int


@dataclass(frozen=True, slots=True)
class FilterMention:
    """A piece of a question that may narrow the search, from `start` on."""

    start: int
    readings: tuple[NameReading, ...]
    """The likeliest first; none of a date."""
    field: NameField = "titles"
    called: str = ""
    """What to call it where nothing bears any of these names; empty where it may be no name at all."""
    bounds: tuple[datetime | None, datetime | None] = (None, None)
    """First and last moment, where the piece is a date."""


@dataclass(frozen=True, slots=True)
class FilteredQuestion:
    """A question without the filters that stood in it."""

    text: str
    filters: Filters
    dropped: tuple[str, ...] = ()
    """The fragments taken out, as they stood."""
    unknown: tuple[str, ...] = ()
    """Names that nothing bears, in words such as `label "x"`, taken out as well."""
    words: tuple[str, ...] = ()
    """Such names that stay in the text, since nothing would be left of it."""


def possible_names(text: str) -> Filters:
    """Every name in a question that may narrow the search."""
    names: dict[NameField, dict[str, None]] = {name: {} for name in _NOUNS}
    for mention in _mentions(text):
        found = (reading.name for reading in mention.readings)
        names[mention.field] |= dict.fromkeys(name for name in found if "\0" not in name)  # no name that is stored
    return Filters.naming({name: list(found) for name, found in names.items()})


def take_filters(text: str, known: Filters | None = None, today: datetime | None = None) -> FilteredQuestion:
    """Takes the filters out of a question: `#label`, `with the label NAME` and `tagged NAME` where there is such a
    label, `in document TITLE`, `space:`, `project:`, `source:`, `label:`, `before:`, `after:`, and what is said to be
    updated, changed, written … before, after or in a date.

    known: the names that count; by default, all but titles without quotes. A name that does not is taken out, too.
    today: a month without a year is the last one that has begun then, and `last week` the one before this; without it,
        such words are no filter.
    """
    names: dict[NameField, list[str]] = {name: [] for name in _NOUNS}
    spans: list[tuple[int, int]] = []
    unknown: list[str] = []
    since = until = None
    position = 0
    for mention in _mentions(text, today):
        if mention.start < position:
            continue
        reading = _read(mention, known) or next(
            (each for each in mention.readings if each.name == mention.called), None
        )
        if reading is None:
            continue
        if known is not None and reading.name and reading.name not in known.names[mention.field]:
            unknown.append(f'{_NOUNS[mention.field]} "{mention.called}"')
        elif reading.name:
            names[mention.field].append(reading.name)
        position = reading.end
        spans.append((mention.start, position))
        since, until = mention.bounds[0] or since, mention.bounds[1] or until
    filters = Filters.naming({name: list(dict.fromkeys(each)) for name, each in names.items()}, since, until)
    rest = _without(text, spans)
    dropped = tuple(text[start:end] for start, end in spans)
    strange = tuple(dict.fromkeys(unknown))
    if content_words(rest):
        return FilteredQuestion(rest, filters, dropped, strange)
    return FilteredQuestion(text, filters, dropped, (), strange)  # nothing but filters: their words are the question


def _read(mention: FilterMention, known: Filters | None) -> NameReading | None:
    """What a piece is; None where nothing bears its name."""
    if known is None:
        return next((each for each in mention.readings if mention.called or not each.name), None)
    there = known.names[mention.field]
    return next((each for each in mention.readings if not each.name or each.name in there), None)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    """The text without these pieces, and without what joins two of them."""
    cut = [*spans, *((one[1], other[0]) for one, other in pairwise(spans) if _JOINS.fullmatch(text[one[1] : other[0]]))]
    rest, position = "", 0
    for start, end in sorted(cut):
        rest += text[position:start] + " "
        position = end
    left = _BEFORE_SIGN.sub(lambda sign: sign[1], " ".join((rest + text[position:]).split()))
    return left.strip(" ,;")


def _mentions(text: str, today: datetime | None = None) -> list[FilterMention]:
    """All pieces that may narrow the search, in order; of those that begin together, the longest first."""
    found: list[FilterMention] = []
    for some in (_fields(text), _dates(text, today), _labels(text), _documents(text)):
        found += islice(some, _MAX_FILTERS)
    return sorted(found, key=lambda each: (each.start, -each.readings[0].end if each.readings else 0))


def _fields(text: str) -> Iterator[FilterMention]:
    for match in _FIELD.finditer(text):
        if _follows(text, match.start(), "/"):
            continue
        name, value = match[1].lower(), (match[2] or match[3]).strip()
        if name in _FIELDS:
            yield FilterMention(match.start(), (NameReading(value, match.end()),), _FIELDS[name], value)
        elif moment := _moment(value, end=name in {"until", "after"}):
            yield FilterMention(match.start(), (NameReading("", match.end()),), bounds=_bounds(name, moment))


def _dates(text: str, today: datetime | None) -> Iterator[FilterMention]:
    dated = [(match, match[1], match[2]) for match in _DATED.finditer(text)]
    if today is not None:
        lately = [
            match for match in _LATELY.finditer(text) if not text[match.end() : match.end() + 5].strip().isdigit()
        ]
        if not _is_about_documents(text):  # "who was paid for what was published last year" is not
            lately = [match for match in lately if _ONLY_MONTH.fullmatch(match[2]) and match[1]]
        dated += ((match, match[1], match[2]) for match in lately)
        german = _GERMAN_DATED.finditer(text) if _is_about_documents(text) else ()
        dated += ((match, _IN_ENGLISH.get(match[1].lower(), ""), match[2]) for match in german)
    for match, said, date in dated:
        if (span := _span(date, today)) and not _follows(text, match.start()):
            name = said.lower()
            at = span[name in {"until", "after"}]
            bounds = _bounds(name, at) if name in {"before", "after", "since", "until"} else span
            yield FilterMention(match.start(), (NameReading("", match.end()),), bounds=bounds)


def _is_about_documents(text: str) -> bool:
    """Whether a question is for documents, or for what has changed."""
    wanted = listing_of(text)
    return _ANY_DOCUMENTS.search(text) is not None or (wanted is not None and (wanted.documents or wanted.of_any_kind))


def _span(date: str, today: datetime | None) -> tuple[datetime, datetime] | None:
    """First and last moment of a date; None where it is none, or one only together with the day that it is today."""
    if today is not None and (relative := relative_span(date, today)):
        return relative
    if today is not None and _ONLY_MONTH.fullmatch(date):
        date = _with_year(date, today)
    first, last = _moment(date, end=False), _moment(date, end=True)
    return (first, last) if first and last else None


def _with_year(month: str, today: datetime) -> str:
    """A month, or a day of one, with the last year in which it had begun by `today`."""
    this = f"{month} {today.year}"
    begun = _moment(this, end=False)
    return this if begun is not None and begun <= today else f"{month} {today.year - 1}"


def _labels(text: str) -> Iterator[FilterMention]:
    text = _URL.sub(lambda url: " " * len(url.group()), text)
    for match in _LABEL.finditer(text):
        name = match[1].rstrip("-")
        end = match.start() + 1 + len(name)
        if (
            1 < len(name) <= _LONGEST_NAME
            and not _follows(text, match.start(), "&/#")
            and not _is_word(text[end : end + 1])
        ):
            yield FilterMention(match.start(), (NameReading(name, end),), "labels", name)
    if (labelled := _LABELLED.match(text) or _WITH_ITS_LABEL.match(text)) is not None:
        yield from _labelled(text, labelled)


def _labelled(text: str, match: PatternMatch) -> Iterator[FilterMention]:
    """The label that is named in words; none where several are: they would all have to be there."""
    start, end = match.span(1)
    if match.groups > 1:
        name = match[2] if len(match[2]) < _LONGEST_NAME else ""
        if (behind := text[end : end + 40]).startswith((" on it", " on them")):
            end += len(" on them" if behind.startswith(" on them") else " on it")
    elif said := _QUOTED.match(text[end : end + 200]) or _TOKEN.match(text[end : end + 200]):
        name = said[1].strip("#'‘’.").strip()
        end += said.end(1) + (text[end : end + 1] in {'"', "“", "”"})
    else:
        return
    if name and not _JOINED.match(text[end : end + 8]):
        yield FilterMention(start, (NameReading(name, end),), "labels")


def _documents(text: str) -> Iterator[FilterMention]:
    for match in _IN_DOCUMENT.finditer(text):
        if _follows(text, match.start()):
            continue
        named = _named(text, match.end())
        if named is not None:
            yield FilterMention(match.start(), (named,), "titles", named.name)
        else:
            readings = tuple(_titles(text, match.end(), by_name=_BY_NAME.fullmatch(match[0]) is not None))
            capitals = (
                each.name
                for each in readings
                if all(word[:1].isupper() or not content_words(word) for word in each.name.split())
            )
            yield FilterMention(match.start(), readings, "titles", next(capitals, ""))


def _named(text: str, start: int) -> NameReading | None:
    """A title in quotes, or a file, that stands there."""
    rest = text[start : start + 200]
    if match := _QUOTED.match(rest) or _PATH.match(rest):
        return NameReading(match[1].strip(), start + match.end())
    if match := _SINGLY.match(rest):
        closing = (at for at, sign in enumerate(match[1]) if sign in "'‘’" and not _is_word(match[1][at + 1 : at + 2]))
        if end := next((at for at in closing if at >= 2), 0):
            return NameReading(match[1][:end].strip(), start + end + 2)
    return None


def _titles(text: str, start: int, *, by_name: bool) -> Iterator[NameReading]:
    """What the words that stand there may be the title of, the most words first. A single word that is written small
    may as well be about files or pages in general, as in `the file system`: it is a title where nothing but a title
    fits, and where it ends what is said of the document.

    by_name: whether nothing but a title fits, as in `in document handbook`.
    """
    words: list[str] = []
    ends: list[int] = []
    position = start
    while len(words) < _MAX_TITLE_WORDS and (match := _TOKEN.match(text[position : position + 200])):
        words.append(match[1].rstrip("."))
        ends.append(position + match.start(1) + len(words[-1]))
        position += match.end()
        if match[2] or words[-1] != match[1]:
            break
    alone = by_name and (len(words) == 1 or (len(words) > 1 and words[1] in {"and", "or"}))
    for count in range(len(words), 0, -1):
        named = words[:count]
        if all(content_words(each) for each in (named[0], named[-1])) and (
            count > 1 or alone or named[0][:1].isupper()
        ):
            yield NameReading(" ".join(named), ends[count - 1])


def _follows(text: str, start: int, signs: str = "") -> bool:
    """Whether one of some words or signs stands directly before a position."""
    before = text[start - 1 : start] if start else ""
    return bool(before) and (_is_word(before) or before in signs)


def _is_word(letter: str) -> bool:
    return letter == "_" or letter.isalnum()


def _bounds(name: str, moment: datetime) -> tuple[datetime | None, datetime | None]:
    """What a date bounds. `before` and `after` leave the moment itself out, `since` and `until` keep it."""
    if name in {"after", "since"}:
        return moment + timedelta(microseconds=name == "after"), None
    return None, moment - timedelta(microseconds=name == "before")


def _moment(text: str, *, end: bool) -> datetime | None:
    """A date such as 2026-03-31, March 2026 or 2026: its first moment, with `end` its last; None when it is none."""
    if not _FULL_DATE.fullmatch(text):
        return None
    words = text.lower().split()
    try:
        if len(words) == 3:
            day = int(words[0].rstrip(".sthndr"))
            first, months = datetime(int(words[2]), _MONTHS[words[1]], day, tzinfo=UTC), 0
        elif len(words) == 2:
            first, months = datetime(int(words[1]), _MONTHS[words[0]], 1, tzinfo=UTC), 1
        elif len(text) == 4:
            first, months = datetime(int(text), 1, 1, tzinfo=UTC), 12
        else:
            first, months = datetime.fromisoformat(text).replace(tzinfo=UTC), 0
        if not end:
            return first
        after = first + timedelta(days=1) if not months else _months_later(first, months)
    except (ValueError, OverflowError):
        return None
    return after - timedelta(microseconds=1)


def _months_later(first: datetime, months: int) -> datetime:
    years, month = divmod(first.month - 1 + months, 12)
    return first.replace(year=first.year + years, month=month + 1)
