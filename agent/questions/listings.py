"""Questions for a count or a list of documents or of rows of a table: `How many runbooks are there?`, `Which documents
mention Skerry?`, `List all tier 1 services`; English and German. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from domain.patterns import LinearRegex

_ANY = frozenset(
    """
    document documents doc docs page pages file files article articles entry entries
    dokument dokumente dokumenten seite seiten datei dateien artikel artikeln eintrag einträge einträgen
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
_KINDS = tuple(
    """
    runbook playbook policy policies guide guideline handbook manual minutes report postmortem post-mortem
    specification procedure checklist form template contract agreement note newsletter faq adr rfc decision record
    instruction protocol proposal memo letter release tutorial how-to howto summary summaries review retrospective
    presentation leaflet brochure notice plan
    handbuch handbücher richtlinie anleitung protokoll bericht leitfaden leitfäden vorlage formular vertrag verträge
    verfahren entscheidung notiz checkliste merkblatt merkblätter anweisung rundschreiben brief hausordnung
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
"""Kinds of documents, in the singular, as a word ends."""
_PLURALS = ("", "s", "e", "n", "en", "es")
_MEASURES = frozenset(
    """
    seconds minutes hours days nights weeks months quarters years times percent euros dollars pounds yen cents
    characters letters digits bytes kilobytes megabytes gigabytes metres meters kilometres miles degrees
    sekunden minuten stunden tage nächte wochen monate quartale jahre mal prozent zeichen buchstaben ziffern meter
    kilometer meilen grad anfragen urlaubstage
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
_VERBS = frozenset(
    """
    changed change happened happens happen do does did is are was were can could should must may might would
    will if else made makes caused means mean has have had goes went comes came applies else about
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
"""What may stand behind `what` and is no thing."""

_LEADS = frozenset(
    """
    the all our every of any different these those your
    die der das den dem alle aller allen unsere unserer unseren verschiedene verschiedenen diese dieser eure
    """.split()  # noqa: SIM905 - a list of words reads best as one
)

_THINGS = r"(?P<things>(?:[\w'’-]+ ){0,7}?[\w'’-]+)"
_MENTIONED = (
    r"(?:mention|mentions|mentioned|speaks? (?:of|about)|talks? about|refers? to|contains?|names?|cites?|describes?"
    r"|deals? with|are about|is about) (?:the (?:word|name|term) )?(?P<mentions>[^?!,;]{2,80}?)"
    r"(?: commands?)?"
)
_OWNER = r"(?:the )?(?P<owner>[^?!,;]{2,60}?)(?P<team> (?:team|department|group))?"
_OWNED = (
    r"(?:belongs? to|(?:are |is |were |was )?(?:owned|maintained|kept|written) by|(?:are|is) the responsibility of"
    r"|(?:are|is) from)"
    rf" {_OWNER}"
)
_HAS_AS_OWNER = (
    rf"(?:have|has|list|lists|names?|gives?|shows?) {_OWNER}"
    r" as (?:(?:their|its|the|an?) )?(?:owner|maintainer|author|contact)s?"
)
_NAME_OWNS = r"(?P<owner>(?-i:[A-ZÄÖÜ])[\w'’-]{1,40}(?: [\w'’-]{1,40}){0,3}) (?:owns?|maintains?|keeps?|wrote)"
_OWN = r"(?:own|maintain|write|keep)"
_WITH_OTHERS = r"(?:together |jointly )?with (?:an)?others?(?: (?:teams?|groups?|departments?|people|owners?))?"
_OWNS = rf"(?:does|do) {_OWNER} {_OWN}(?: or (?:{_OWN}|co-own|share)(?: {_WITH_OTHERS})?)?"
_IS_OWNER_OF = rf"(?:is|are|was|were) {_OWNER} (?:an? |the )?(?:owner|maintainer|author)s? of"
_WERE = "(?: (?:were|was|are|is|have been|has been))?"
"""What is left of `were updated in May` where its date was taken out."""
_FOLDER = r"(?:folder|directory|subfolder|section|area|(?P<space>space|project))"
_PLACES = (
    rf"(?:the |our )?(?P<place>[^?!,;]{{2,60}}?) {_FOLDER}",
    rf"(?:the |our )?{_FOLDER} (?:named |called )?(?P<place>[^?!,;]{{2,60}}?)",
)
_IN_PLACE = rf"(?: (?:in|of) {_PLACES[0]})?"
_THERE = (
    r"(?:(?:that |which )?(?:are|is|lie|lies|do we have|have we got|are there|are kept|are stored) )?"
    r"(?:in|inside|within|under|below|from|belongs? to)"
)
_ENDS = (
    r"(?:, (?:and )?(?:which|who|what)(?: ones?)? (?:are|is) (?:they|it|those|these)"
    r"|, [^?,]{2,60} (?:included|counted in|together|combined))?[?!. ]*\Z"
)
_ASKS = r"(?:which|what|(?:list|show|name|give)(?: me)?(?: all| every| each| the| our| of)+|how many)"
_PLAIN = r"[^?]{2,80}"
_EXIST = r"(?:are there|is there|do we have|have we got|exist)"
_WHAT_OF = rf"(?:what|which) (?:are|were) the {_THINGS} (?:of|for|in|at|on|behind|when) [^?]{{2,80}}"
_FORMS = (
    *(rf"{_ASKS} {_THINGS} {_THERE} {place}" for place in _PLACES),
    rf"{_ASKS} {_THINGS} (?:does|do) (?:the )?(?P<place>[^?!,;]{{2,60}}?) {_FOLDER} (?:have|hold|contain)",
    rf"{_ASKS} {_THINGS}{_IN_PLACE} (?:that |which |do |does )?{_MENTIONED}",
    rf"(?:in|on) {_ASKS} {_THINGS} (?:is|are) (?P<mentions>[^?!,;]{{2,80}}?) (?:mentioned|named|described)",
    (
        rf"(?:in|on) {_ASKS} {_THINGS} (?:does|do|did) (?P<mentions>[^?!,;]{{2,80}}?)"
        r" (?:come up|appear|occur|show up|turn up|feature)"
    ),
    rf"{_ASKS} {_THINGS}{_IN_PLACE} (?:that |which )?{_OWNED}{_WERE}",
    rf"{_ASKS} {_THINGS} (?:that |which )?{_HAS_AS_OWNER}",
    rf"{_ASKS} {_THINGS}{_IN_PLACE} {_OWNS}",
    rf"{_ASKS} {_THINGS} (?:that |which )?{_NAME_OWNS}{_WERE}",
    _WHAT_OF,
    rf"{_ASKS} {_THINGS} {_IS_OWNER_OF}",
    rf"how many {_THINGS} (?:{_EXIST}|are (?:listed|indexed|known)(?: [^?]{{1,40}})?)",
    (
        rf"(?:list|show|name|give)(?: me)? (?:all |every |the |our |all the |all our )?{_THINGS}"
        r"(?: (?:that|which) (?:were|are|have been|was|is|has been))?"
    ),
    r"(?:which|what|how many) (?P<things>documents?|docs?|pages?|files?|articles?|entries)",  # without its filters
    rf"(?:which|what|how many) {_THINGS} (?:{_EXIST}|were|was|are|have been|has been)",
    (
        rf"how many {_THINGS} (?:does|do) [^?]{{2,60}}?"
        r" (?P<verb>know|list|define|contain|describe|distinguish|set|support|have)"
    ),
    (
        rf"(?:which|what|how many) {_THINGS}"
        r" (?:are|is|runs?|were|have|has|do|does|did|uses?|can|sends?|sits?|works?|came|comes?|followed|needs?)"
        r" [^?]{2,80}"
    ),
    (
        r"(?:which|what|how many) (?P<things>[\w-]+) (?:(?:of|in) (?:the )?[\w-]+ )?"
        rf"(?P<verb>listens?|needs?|requires?|offers?|speaks?|costs?|takes?) {_PLAIN}"
    ),
)
_PATTERNS = tuple(LinearRegex(rf"\A\W*{each}{_ENDS}", ignore_case=True) for each in _FORMS)
_TIMES = (
    r"(?:\d|yesterday|today|(?:last |this |past )?(?:day|week|month|quarter|year|jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun))"
)
_CHANGED = LinearRegex(
    r"\A\W*what (?:has |have |is )?(?:been )?(?:changed|updated|modified|edited|new|published)"
    rf" (?:(?:since|after|before|until|in|during|within) )?(?:[a-z]{{3,9}} ){{0,2}}{_TIMES}[^?]{{0,30}}{_ENDS}",
    ignore_case=True,
)
_GERMAN_CHANGED = LinearRegex(
    r"\A\W*was (?:hat sich|ist|wurde|wurden)(?: alles)?(?: neu)?"
    rf"(?: (?:[\w.]{{1,10}} ){{0,3}}[\w.]{{3,10}}(?: \d{{4}})? (?:geändert|aktualisiert))?{_ENDS}",
    ignore_case=True,
)
"""The same in German, also where its date was taken out."""
_ARTICLE = LinearRegex(r"\A(?:an?|any|the|our) ")
_OF_A_TEAM = LinearRegex(r"\A(?:team|abteilung|department) ", ignore_case=True)
_SHARED = LinearRegex(
    r"one of|together|jointly|alone|solely|only|with others?|zusammen|gemeinsam|allein",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
"""Words by which not all that belongs to an owner is asked for."""
_POINTING = LinearRegex(
    r"(?:\A|\Aof )(?:it|its|them|they|these|those|this|that|him|her|es|sie|ihn|ihm|ihnen|ihr|denen|diesen|davon|dazu)"
    r"(?: (?:team|department|group|folder|space|project|page|document|ones?))?\Z"
)
"""Words for what was named before; `IT` is a department."""
_BEFORE_KEY = LinearRegex(
    r"\A(?:ticket|issue|incident|bug|story|task|epic|case|change|problem|request|vorfall|vorgang|störung|fehler)s?"
    r" (?:(?:number|no\.|nr\.) )?",
    after=r"[\w-]*\d",
    ignore_case=True,
)
"""What an identifier is said to be, which need not stand before it in a document."""
_DENIED = LinearRegex(
    r"not|never|no|none|nobody|without|except|cannot", before=r"^|\W", after=r"\W|n't\W|\Z", ignore_case=True
)
_MEASURED = LinearRegex(
    r"before|after|until|since|more|less|fewer|than|over|under|but", before=r"^|\W", after=r"\W|\Z", ignore_case=True
)
"""Words by which a row that holds all others may be none of those that are asked for."""
_OF = LinearRegex(r"\s(?:of|in|on|at|for|from)\s")
_SORTS = LinearRegex(r"\A(?:different )?(?:kinds|types|sorts|categories) of ", ignore_case=True)
"""Words that name nothing by themselves: `kinds of data` are listed below `Data`."""
_LAST = 3
"""The last patterns, of questions with some other condition: `which tools need …`."""
_CONDITIONAL = {*range(len(_FORMS) - _LAST, len(_FORMS)), _FORMS.index(_WHAT_OF)}
"""These, and that of `what are the causes of …`."""

_OF_TEAM = r"(?P<team>[- ]?(?:team|abteilung|gruppe))?"
_GERMAN_MENTIONED = (
    r"(?:erwähnen|erwähnt|nennen|nennt|beschreiben|beschreibt|behandeln|behandelt|enthalten|enthält|handeln von"
    r"|handelt von|sprechen von|sprechen über) (?:(?:das|den|die|der) )?(?:(?:wort|name|namen|begriff) )?"
    r"(?P<mentions>[^?!,;]{2,80}?)"
)
_GERMAN_FOLDER = r"(?:ordner|verzeichnis|bereich|abschnitt|(?P<space>projekt))"
_GERMAN_THERE = r"(?:liegen|sind|stehen|gibt es|haben wir|gehören) (?:im|in dem|in unserem|zum)"
_GERMAN_EXIST = r"(?:gibt es|haben wir|existieren|sind vorhanden)"
_GERMAN_PATTERNS = tuple(
    LinearRegex(rf"\A\W*{pattern}{_ENDS}", ignore_case=True)
    for pattern in (
        rf"(?:welche[rsnm]?|wie viele) {_THINGS} {_GERMAN_THERE} {_GERMAN_FOLDER} (?P<place>[^?!,;]{{2,60}}?)",
        rf"(?:welche[rsnm]?|wie viele) {_THINGS} {_GERMAN_THERE} (?P<place>[^?!,;]{{2,60}}?)[- ]{_GERMAN_FOLDER}",
        rf"(?:welche[rsnm]?|wie viele) {_THINGS} {_GERMAN_MENTIONED}",
        (
            rf"in (?:welchen|welchem|welcher|wie vielen) {_THINGS} (?:wird|werden|ist|sind|kommt|steht)"
            r" (?P<mentions>[^?!,;]{2,80}?)(?: (?:erwähnt|genannt|beschrieben|behandelt|vor))?"
        ),
        (
            rf"(?:welche[rsnm]?|wie viele) {_THINGS} (?:gehören|gehört) (?:zum|zur|zu|dem|der|den)?"
            rf" ?(?P<owner>[^?!,;]{{2,60}}?){_OF_TEAM}"
        ),
        (
            rf"(?:welche[rsnm]?|wie viele) {_THINGS} (?:werden|wird|wurden|wurde) (?:von|vom) (?:der |dem )?"
            rf"(?P<owner>[^?!,;]{{2,60}}?){_OF_TEAM} (?:gepflegt|betreut|verwaltet|geschrieben|verfasst)"
        ),
        rf"wie viele {_THINGS} (?:{_GERMAN_EXIST}|sind (?:aufgeführt|bekannt|indexiert)(?: [^?]{{1,40}})?)",
        rf"(?:liste|zähle?|zeige?|nenne?|gib)(?: mir| uns)? (?:bitte )?(?:alle |die |unsere )+{_THINGS}(?: auf| an)?",
        r"(?:welche|wie viele) (?P<things>dokumente|seiten|dateien|artikel|einträge)",
        rf"welche[rsnm]? {_THINGS} (?:{_GERMAN_EXIST}|wurden|sind)",
        (
            rf"(?:welche[rsnm]?|wie viele) {_THINGS} (?:sind|ist|haben|hat|laufen|läuft|nutzen|nutzt|verwenden"
            r"|verwendet|brauchen|braucht|benötigen|benötigt|können|kann|wurden|wurde|werden|kommen|kamen) [^?]{2,80}"
        ),
    )
)
_GERMAN_CONDITIONAL = {len(_GERMAN_PATTERNS) - 1}


@dataclass(frozen=True, slots=True)
class Listing:
    """What is to be counted or listed."""

    things: str
    """The words for it, such as `tier 1 services`; empty for documents of any kind."""
    mentions: str = ""
    """What the documents have to speak of."""
    owner: str = ""
    """Whom they have to belong to."""
    team: bool = False
    """Whether that is said to be a team, so that the name is all of its name."""
    place: str = ""
    """The folder, space or project that they have to lie in, however deep."""
    space: bool = False
    """Whether that is said to be a space or project, and no folder."""
    verb: str = ""
    """What they have to do, where it is no word of a table: `which service listens on port 7040`."""
    condition: bool = False
    """Whether they have to meet another condition, which only the columns of a table can tell."""
    documents: bool = False
    """Whether documents are asked for by name, or a kind of them, and not what documents speak of: no penguins."""

    @property
    def of_any_kind(self) -> bool:
        """Whether documents are meant, of whatever kind."""
        return not self.things


_NOW = LinearRegex(
    r"[\s,]+(?:right now|at the moment|currently|at present|in total|altogether|all told|so far|in here"
    r"|in (?:the|our|your|this) (?:whole |entire )?(?:knowledge base|index|wiki|documentation)"
    rf"|(?:either )?(?:alone|solely|by (?:itself|themselves)|on (?:its|their) own) or {_WITH_OTHERS}"
    r"|gerade|derzeit|momentan|insgesamt|in (?:der|unserer) (?:ganzen )?(?:wissensdatenbank|dokumentation)"
    r"|(?:im|in unserem) (?:wiki|index)|allein(?:e)? oder (?:zusammen |gemeinsam )?mit anderen)",
    after=r"\W|\Z",
    ignore_case=True,
)
_STILL = LinearRegex(
    r" (?:still|exactly|noch|genau)",
    before=r"\W(?:is|are|do|does|has|have|sind|ist|hat|haben)",
    after=r"\W",
    ignore_case=True,
)


_ALSO_WHICH = LinearRegex(
    r",? (?:and|und) (?:(?:in|on|auf) )?(?:which|what|where|welche[mnrs]?|wo)"
    r"(?: (?:ones?|documents|pages|dokumenten?|seiten|are (?:they|those)|sind (?:das|es)))?",
    after=r"[?!. ]*\Z",
    ignore_case=True,
)


def without_now(question: str) -> str:
    """A question without words such as `right now`, `in total` and `and in which ones`, which tell nothing of what is
    listed."""
    return _ALSO_WHICH.sub("", _STILL.sub("", _NOW.sub("", question)))


def asked_once(question: str) -> str:
    """A question for documents without such words, by which it would be taken apart: a count lists them."""
    once = without_now(question)
    listing = listing_of(once) if once != question else None
    return once if listing and listing.documents and not listing.condition else question


def listing_of(question: str) -> Listing | None:
    """What a question, English or German, wants counted or listed; None where it asks for something else."""
    question = without_now(question)
    for patterns, conditional in ((_PATTERNS, _CONDITIONAL), (_GERMAN_PATTERNS, _GERMAN_CONDITIONAL)):
        for number, pattern in enumerate(patterns):
            condition = number in conditional
            if (match := pattern.match(question)) and not _is_no_list(match.named(), question, condition=condition):
                last = number >= len(patterns) - (_LAST if patterns is _PATTERNS else 1)
                listing = _listing(match.named(), condition=condition, of_measures=not last)
                if listing is None or listing.documents or not listing.place:
                    return listing
    return Listing("") if _CHANGED.match(question) or _GERMAN_CHANGED.match(question) else None


def asks_whose_documents(question: str) -> bool:
    """Whether a question is for the documents that belong to somebody."""
    listing = listing_of(question)
    return listing is not None and bool(listing.owner) and listing.documents


def _is_no_list(found: Mapping[str, str], question: str, *, condition: bool) -> bool:
    """Whether what stands behind `what` is no thing, or rows that hold all words need not be what is asked for."""
    turned = (condition or "place" in found) and _DENIED.search(question) is not None
    turned |= "verb" in found and _MEASURED.search(question) is not None
    turned |= any(_POINTING.search(found.get(each, "")) for each in ("things", "mentions", "owner", "place"))
    turned |= _SHARED.search(found.get("owner", "")) is not None
    return turned or found["things"].split()[-1].lower() in _VERBS


def _listing(found: Mapping[str, str], *, condition: bool, of_measures: bool) -> Listing | None:
    """What a pattern found. of_measures: whether a number of days or metres may be what is listed."""
    named = _SORTS.sub("", found["things"])
    *before, last = (_OF.split(named)[0] if condition else named).split()
    kind, _, noun = last.rpartition("-")  # as in Office-Seiten
    words = [word for word in (*before, *((kind, noun) if noun.lower() in _ANY else (last,))) if word]
    words = [word for word in words if word.lower() not in _LEADS]
    if (
        len(words) > 2
        and words[0].lower() in _ANY
        and words[1].lower() in {"with", "of", "mit"}
        and _is_kind(words[-1])
    ):
        words = words[2:]  # as in `pages with release notes`
    if not of_measures and _MEASURES.intersection(word.lower() for word in words[:1] + words[-1:]):
        return None
    things = "" if not words or words[-1].lower() in _ANY else " ".join(words)
    if words and words[-1].lower() in _ANY and len(words) > 1 and words[0].lower() not in _ANY:
        things = " ".join(words[:-1])
    owner = _bare(found.get("owner", ""))
    return Listing(
        things,
        _BEFORE_KEY.sub("", _bare(found.get("mentions", ""))),
        _OF_A_TEAM.sub("", owner),
        bool(found.get("team") or _OF_A_TEAM.match(owner)),
        _bare(found.get("place", "")),
        bool(found.get("space")),
        found.get("verb", ""),
        condition,
        not words or words[-1].lower() in _ANY or _is_kind(words[-1]) or _is_kind(words[0]),
    )


def _is_kind(word: str) -> bool:
    return word.lower().endswith(tuple(kind + plural for kind in _KINDS for plural in _PLURALS))


def _bare(name: str) -> str:
    return _ARTICLE.sub("", name.strip(" \"'“”‘’`."))
