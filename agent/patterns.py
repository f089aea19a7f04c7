"""What a question's words show by themselves: small talk, ids, filters, intent. Pure, and no model is asked."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from agent.state import Intent, Kind, Reference, Talk
from domain.search import Filters
from domain.text.tokens import ENGLISH_STOP_WORDS, Analyzer

_GREETING = re.compile(
    r"(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening|day)|greetings|hallo|moin|guten (?:tag|morgen|abend)"
    r"|bonjour|salut|hola|buenos d[ií]as|ciao|ol[áa])(?: (?:there|all|everyone|team|bot|kb|zusammen|again))*"
)
_THANKS = re.compile(
    r"(?:(?:ok|okay|great|perfect|cool|nice|awesome)[, ]*)?"
    r"(?:thanks|thank you|thx|ty|cheers|danke(?: sch[öo]n)?|vielen dank|merci(?: beaucoup)?|gracias|grazie|obrigad[oa])"
    r"(?: (?:a lot|so much|very much|again|all|bot|kb|that helped?|for (?:the|your) help))*"
)
_CAPABILITIES = re.compile(
    r"(?:what (?:can|do) you do|what can (?:i|we) ask(?: you)?|who are you|what are you|how do you work|help(?: me)?"
    r"|how (?:can|do) (?:i|we) use (?:you|this|the bot)|was kannst du|hilfe)(?: (?:exactly|here|please))?"
)

_FRESHNESS = re.compile(
    r"(?:how (?:fresh|current|up[ -]to[ -]date) is (?:the|your) index"
    r"|when was (?:the|your) index (?:last )?(?:read|updated)"
    r"|(?:what is the )?(?:status|state) of (?:the|your) index)",
    re.IGNORECASE,
)
_READ_AGAIN = re.compile(
    r"(?:please |kb )*(?:re-?index|(?:read|index) (?=.{1,100} again\b))(?: ?(?:the )?(?:source )?([\w.-]{1,100}?))??"
    r"(?: again)?(?:,? please)?",
    re.IGNORECASE,
)

_PLAIN = Analyzer("none")

_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}]{1,1000}")
_KEY = re.compile(r"(?<![\w-])[A-Z][A-Z0-9_]{1,15}-\d{1,7}(?![\w-])")
_NOT_KEYS = frozenset("UTF ISO SHA HTTP TLS AES RSA MD COVID UTC GMT EN IEC DIN".split())  # noqa: SIM905 - a list of words reads best as one
_PAGE = re.compile(r"\b(?:page(?:[ _]?id)?|pageId)[ :=#]{1,2}(\d{4,18})\b", re.IGNORECASE)
_PATH = re.compile(
    r"(?<![\w/:@])(?:[\w.-]{1,64}/){0,12}[\w-][\w.-]{0,63}"
    r"\.(?:md|rst|txt|pdf|docx?|html?|csv|ya?ml|toml|json|py|sql|sh|tf)\b"
)

_LABEL = re.compile(r"(?<![\w&/#])#([^\W\d_][\w-]{1,40})\b(?!\w)")
_FIELD = re.compile(
    r"(?<![\w/])(label|space|project|source|before|after|since|until):\s?(?:\"([^\"]{1,100})\"|([^\s,;?!\"]{1,100}))",
    re.IGNORECASE,
)
_IN_DOCUMENT = re.compile(
    r"\bin (?:the )?(?:document|doc|page|file)(?: (?:named|called|titled))? "
    r"(?:[\"“”]([^\"“”]{2,120})[\"“”]|['‘’]([^\"“”]{2,120}?)['‘’](?!\w)|([\w./-]+\.\w{2,5})\b)",
    re.IGNORECASE,
)
_MONTHS = "january february march april may june july august september october november december".split()  # noqa: SIM905
_DATE = rf"(\d{{4}}-\d{{2}}-\d{{2}}|(?:{'|'.join(_MONTHS)}) \d{{4}}|\d{{4}})"
_DATED = re.compile(
    rf"\b(?:updated|changed|modified|edited|written|published|created|dated)\s+(before|after|since|until)\s+{_DATE}\b",
    re.IGNORECASE,
)
_FULL_DATE = re.compile(rf"{_DATE}\Z", re.IGNORECASE)

_QUOTED = re.compile(r"[\"“”„]([^\"“”„]{2,120})[\"“”]|`([^`]{2,120})`")
_IDENTIFIER = re.compile(
    r"(?<![\w.-])(?:--?[a-z][\w-]{2,40}|[^\W\d_][^\W_]{0,40}(?:_{1,2}[^\W_]{1,40}){1,8}|[A-Z]{1,8}\d{2,8}"
    r"|[a-z]{2,}(?:[A-Z][a-z0-9]+){1,6}"
    r"|0x[0-9a-fA-F]{2,16}|[a-z][\w-]{1,40}(?:\.[a-z_][\w-]{1,40}){2,6})(?![\w-])"
)
_DISCOVERY = re.compile(
    r"\b(?:which|what) (?:document|doc|file|page|runbook|policy|guide)s?\b"
    r"|\bwhere (?:is|are|can (?:i|we) find) (?:the |our |a |an )?"
    r"(?:[\w-]+ ){0,4}(?:document|doc|file|page|runbook|policy|guide|template|spreadsheet|readme|handbook)s?\b"
    r"|\b(?:find|list|show)(?: me)? (?:the |all |our |every )*"
    r"(?:[\w-]+ ){0,3}(?:document|doc|file|page|runbook|guide)s?\b",
    re.IGNORECASE,
)
_RELATIONAL = re.compile(
    r"\b(?:related to|relat(?:es?|ion(?:ship)?s?) (?:to|of|between)|depend(?:s|encies|ency|ent)?(?: on| of)"
    r"|linked (?:to|with)|links? to|connected (?:to|with)|refers? to"
    r"|belongs? to|(?:in|under|within) (?:the )?(?:epic|parent)|(?:sub-?tasks?|epic) of|(?:reporter|assignee|author) of"
    r"|who (?:owns|maintains|manages|reported|raised|filed|opened|created|wrote)|owner of"
    r"|reports? to|block(?:s|ed by)|impacts?|affected by|used by|part of"
    r"|assigned to|reported by|caused by|duplicates?|(?:child|parent|children) of)\b"
    r"|\b(?:does|do|did) .{2,80}? (?:block|cause|use|own|clone|report|have)\b",
    re.IGNORECASE,
)
_KINDS: tuple[tuple[Kind, str], ...] = (
    ("comparison", r"\b(?:compare|compared|comparison|differences?|differ|versus|vs\.?)\b"),
    (
        "number",
        r"\bhow (?:many|much|long|often|far|high|large|big|old)\b|\bwhat (?:number|percentage|amount|rate)\b",
    ),
    ("date", r"\bwhen\b|\bwhat (?:date|day|year|time)\b"),
    ("person", r"\bwho(?:m|se)?\b"),
    ("procedure", r"\bhow (?:do|to|can|should|would|must)\b|\b(?:steps|procedure|instructions)\b"),
    ("explanation", r"\bwhy\b|\bexplain\b|\bhow (?:does|did|is|are)\b"),
    ("list", r"\b(?:list|which|what are|name (?:all|the))\b"),
    ("yes_no", r"\A(?:is|are|was|were|do|does|did|can|could|may|must|should|has|have|will)\b"),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question without the filters that stood in it. dropped: the fragments taken out, as they stood."""

    text: str
    filters: Filters
    dropped: tuple[str, ...] = ()


def talk(text: str) -> Talk:
    """Whether the whole text is small talk."""
    words = " ".join(re.sub(r"[^\w\s'’]", " ", text).lower().split())
    if _GREETING.fullmatch(words):
        return "greeting"
    if _THANKS.fullmatch(words):
        return "thanks"
    return "capabilities" if _CAPABILITIES.fullmatch(words) else "question"


def references(text: str) -> tuple[Reference, ...]:
    """Ticket keys, page ids, URLs and file paths, each once, in this order of kinds."""
    urls = [match.group().rstrip(".,;:!?)]") for match in _URL.finditer(text)]
    rest = _URL.sub(" ", text)
    keys = [key for key in _KEY.findall(rest) if key.rpartition("-")[0] not in _NOT_KEYS]
    pages, paths = _PAGE.findall(rest), _PATH.findall(rest)
    found = [("url", each) for each in urls] + [("key", each) for each in keys]
    found += [("page", each) for each in pages] + [("path", each) for each in paths]
    return tuple(Reference(kind, each) for kind, each in dict.fromkeys(found))


def routed(text: str, found: tuple[Reference, ...]) -> bool:
    """Whether the ids say all that is needed to search: little else is in the text."""
    rest = text
    for each in found:
        rest = rest.replace(each.text, " ")
    return bool(found) and len(content_words(rest)) <= 6


def asked(text: str) -> Asked:
    """Takes the filters out of a question: `#label`, `in document "X"`, `space:`, `project:`, `source:`, `label:`,
    `before:`, `after:`, and what is said to be updated, changed, written … before or after a date."""
    filters, dropped, rest = Filters(), [], text
    fields: dict[str, list[str]] = {"labels": [], "spaces": [], "sources": []}
    title, since, until = "", None, None
    for match in _FIELD.finditer(rest):
        name, value = match[1].lower(), (match[2] or match[3]).strip()
        if name in {"before", "until", "after", "since"}:
            moment = _moment(value, end=name in {"until", "after"})
            if moment is None:
                continue
            since, until = _bounded(name, moment, since, until)
        else:
            fields[{"label": "labels", "source": "sources"}.get(name, "spaces")].append(value)
        dropped.append(match.group())
    for match in _DATED.finditer(rest):
        moment = _moment(match[2], end=match[1].lower() in {"until", "after"})
        if moment:
            since, until = _bounded(match[1].lower(), moment, since, until)
            dropped.append(match.group())
    for match in _LABEL.finditer(_URL.sub(lambda url: " " * len(url.group()), rest)):
        fields["labels"].append(match[1])
        dropped.append(match.group())
    for match in _IN_DOCUMENT.finditer(rest):
        title = (match[1] or match[2] or match[3]).strip()
        dropped.append(match.group())
    for fragment in dropped:
        rest = rest.replace(fragment, " ", 1)
    filters = Filters(
        tuple(fields["sources"]), tuple(fields["labels"]), tuple(fields["spaces"]), (), title, since, until
    )
    rest = re.sub(r"\s+([?!.,;])", r"\1", " ".join(rest.split())).strip(" ,;")
    # nothing but filters: their words are the question
    return Asked(rest if content_words(rest) else text, filters, tuple(dropped))


def _bounded(
    name: str, moment: datetime, since: datetime | None, until: datetime | None
) -> tuple[datetime | None, datetime | None]:
    """The bounds narrowed. `before` and `after` leave the moment itself out, `since` and `until` keep it."""
    if name in {"after", "since"}:
        return moment + timedelta(microseconds=name == "after"), until
    return since, moment - timedelta(microseconds=name == "before")


def _moment(text: str, *, end: bool) -> datetime | None:
    """A date such as 2026-03-31, March 2026 or 2026: its first moment, with `end` its last; None when it is none."""
    if not _FULL_DATE.match(text):
        return None
    words = text.lower().split()
    try:
        if len(words) == 2:
            first, months = datetime(int(words[1]), _MONTHS.index(words[0]) + 1, 1, tzinfo=UTC), 1
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


def relational(text: str) -> bool:
    """Whether the words ask how things hang together."""
    return bool(_RELATIONAL.search(text))


def intent(text: str, found: tuple[Reference, ...]) -> Intent:
    """What sort of search fits the words."""
    if _DISCOVERY.search(text):
        return "file_discovery"
    if found or _QUOTED.search(text) or _IDENTIFIER.search(text):
        return "exact"
    return "relational" if relational(text) else "conceptual"


def administration(text: str) -> dict[str, str] | None:
    """The arguments of index_command, for words that are about the index itself and nothing else."""
    words = " ".join(text.split()).strip("?!. ")
    if _FRESHNESS.fullmatch(words):
        return {"command": "status"}
    asked = _READ_AGAIN.fullmatch(words)
    if asked is None:
        return None
    source = asked.group(1) or ""
    return {"command": "reindex", "source": "" if source.lower() in {"all", "everything", "index"} else source}


def literals(text: str) -> list[str]:
    """What stands in quotes or looks like an identifier: to be found as it is."""
    quoted = [first or second for first, second in _QUOTED.findall(text)]
    keys = [each.text for each in references(text) if each.kind == "key"]
    return list(dict.fromkeys([*quoted, *keys, *(match.group() for match in _IDENTIFIER.finditer(text))]))


def kind(text: str) -> Kind:
    """What the answer should be."""
    return next((name for name, pattern in _KINDS if re.search(pattern, text, re.IGNORECASE)), "fact")


def content_words(text: str) -> list[str]:
    """The words that carry meaning, each once, as they stand."""
    return list(dict.fromkeys(word for word in _PLAIN.tokens(text) if word not in ENGLISH_STOP_WORDS))


def vague(text: str, meant: Intent) -> bool:
    """Whether the words are so few and general that a hypothetical answer finds more than they do. A question for
    one fact is not vague however short it is."""
    if meant != "conceptual" or kind(text) in {"number", "date", "person", "yes_no"}:
        return False
    return len(content_words(text)) <= 3 and not re.search(r"\d|(?<!^)\b[A-Z]", text)
