"""Whether quoted units bear what a question names: its weighty words, its identifiers, its numbered things. Pure."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from agent.questions.expected import Expected
from agent.reasoners.offline.quotable_units import QuotableUnit
from agent.retrieval.relevance import LEAST_WEIGHT
from agent.retrieval.retriever import Retrieved
from domain.patterns import LinearRegex
from domain.search import Passage
from domain.text.codes import code_keys
from domain.text.months import MONTHS
from domain.text.tokens import Analyzer, Stemming

MAX_PLAIN_WORDS = 24
"""Words of a question beyond which it tells a story, of which no page speaks word by word."""

LACK_HELD_NEARBY = 0.5
"""What a word counts as missing that another sentence of the same passage holds."""

NAMED_NEAR = 0.2
"""The same of a name that another sentence of the passage, or of its document, holds."""

IDENTIFIER_FACTOR = 0.5
"""Which share of it counts where the unit holds an identifier that the question names."""

_UNSPACED = "\u2e80"
"""Chinese, Japanese and Korean words are above it: how a text is cut into them depends on what stands beside, and which
of them are light is not known."""

_LIGHT = """
take takes took taken give gives gave given get gets got make makes made do does put puts keep kept go goes went come
comes came hold holds look looks looked use uses used using work works run runs happen happens happened allow allows
let must may might shall need needs want wants like likes know knows tell tells told say says said mean means meant show
shows see ask asks contain contains exist exists stay stays stand stands apply applies hit now today currently
nowadays still yet later ever exactly actually really roughly about usually normally already again list name names
thing things kind kinds sort type types way ways number numbers amount amounts value values date dates time times
share percentage length size level part parts case example company companies people person anyone anybody somebody
someone everybody team page pages document documents much many big large small long high low fast quick quickly short
old new good bad best main different other another step steps procedure instructions same whole full single own
several first second next last per each every max maximum min minimum most least one two whose written month months
week weeks day days year years hour hours minute minutes back down off care sorry question please compare compared
comparison difference differences between both euro euros dollar dollars yen cent cents period instead plan plans
planned schedule scheduled occur occurs occurred done doing update updates updated send sends sent notice noticed
ticket tickets issue issues version versions rule rules fix fixed fixes longer shorter more less yesterday tomorrow
change changes changed end ends ended begin begins start starts started add added call called place places whats
suggest suggests suggested suggestion suggestions mention mentions mentioned discuss discusses discussed discussion
conversation talk talks talked propose proposes proposed recommend recommends recommended recommendation advise
advises advice feel feels felt think thinks thought believe believes remember remembers find finds found describe
describes described express expresses expressed explain explains explained agree agrees agreed invite invites invited
planning consider considers considered according regarding concerning specific specifically particular focus aspect
charge responsible responsibility contact contacts lead leads leading run job owner owns owned own listen listens
held answers answered enter enters entered receive receives received
aspects event events reason reasons previous previously recent recently initially finally eventually
machen macht mache gemacht tun tut getan nehmen nimmt nehme genommen geben gibt gebe gegeben bekommen bekommt bekomme
kommen kommt komme gehen geht gehe brauchen braucht brauche lassen lässt stehen steht finden finde findet gefunden
nutzen nutzt nutze verwenden verwendet verwende sorgen sorge heißt nennen nennt zeigen zeigt fragen frage wissen weiß
gelten gilt passieren passiert dauern dauert anzahl zahl datum zeit tage tagen woche wochen monat monate jahr jahre
jahren stunde stunden minute minuten person personen leute firma unternehmen dokument seite seiten heute morgen
gestern aktuell genau
"""
_NUMBERED = LinearRegex(
    r"(?P<word>[A-Za-z]{3,20}) (?P<number>\d{1,4})", before=r"^|[^\w.-]", after=r"[^\w.,:%€$£-]|[?.!,]?\Z"
)
_SENTENCE = LinearRegex(r"[A-Za-zÀ-ÿ][.!]\s+[A-ZÄÖÜ]")
_THING = r"(?:the |our )?(?P<{}>[\w.-]{{2,40}})"
_BECOMES = tuple(
    LinearRegex(pattern, before=r"^|\W", after=r"\W|\Z", ignore_case=True)
    for pattern in (
        rf"(?:replac(?:e|ed|ing)|swap|exchanged?) {_THING.format('old')} (?:with|by|for) {_THING.format('new')}",
        rf"from {_THING.format('old')} (?:back )?to {_THING.format('new')}",
    )
)
_MONTHS = frozenset(
    """
    than over above under below least most about after before since until within every the for per and with from
    """.split()  # noqa: SIM905 - a list of words reads best as one
).union(MONTHS["en"])


@cache
def _light(stemming: Stemming) -> frozenset[str]:
    return frozenset(Analyzer(stemming).tokens(_LIGHT))


def tells_a_story(question: str) -> bool:
    """Whether a question has so many words, or a sentence before it, that not each of them is asked about."""
    return len(question.split()) > MAX_PLAIN_WORDS or _SENTENCE.search(question) is not None


def without_light_words(measure: Retrieved) -> Retrieved:
    """A measure in which light words weigh least: whether a page holds them tells little."""
    light = _light(measure.stemming)
    weights = {term: min(LEAST_WEIGHT, idf) if term in light else idf for term, idf in measure.term_idf.items()}
    return replace(measure, term_idf=weights)


def without_the_story(idf: Mapping[str, float], held: Collection[str]) -> dict[str, float]:
    """The weights of a story's words without those that nothing indexed holds: they have the highest weight there is.
    held: the words of the evidence."""
    highest = max(idf.values(), default=0.0)
    return {term: weight for term, weight in idf.items() if term in held or weight < highest}


def asks_for_several(wanted: Expected) -> bool:
    """Whether a question is for several things, or whether something holds, so that one unit alone answers nothing."""
    return wanted.wants_list or wanted.kind in {"comparison", "yes_no"} or len(wanted.codes) > 1


class Bearing:
    """Which share of a question's weighty words quoted units bear. Light words (take, get, company) count for nothing;
    of a follow-up, its own words alone do.

    measure: of the question. wanted: what its answer has to hold.
    """

    def __init__(self, passages: Sequence[Passage], measure: Retrieved, wanted: Expected) -> None:
        self._passages = passages
        self._measure = measure
        self._analyzer = Analyzer(measure.stemming)
        self._together = asks_for_several(wanted)
        self._codes = wanted.codes
        self._names = frozenset(self._analyzer.tokens(" ".join(wanted.names)))
        self._weights = {
            term: max(LEAST_WEIGHT, weight)
            for term, weight in measure.term_idf.items()
            if term not in _light(measure.stemming)
            and not term.isdigit()
            and (not wanted.own or term in wanted.own)
            and term < _UNSPACED
        }
        self._held: dict[str, frozenset[str]] = {}

    def missing(self, units: Sequence[QuotableUnit]) -> float:
        """The share, 0 to 1, of their weight of which these units and the headings above them hold none; half of it
        where they hold an identifier of the question."""
        if not self._weights:
            return 0.0
        held = frozenset[str]().union(*map(self._context, units))
        lacking = [term for term in self._weights if term not in held and term.removeprefix("un") not in held]
        share = sum(self._weights[term] * self._lack(term, units) for term in lacking) / sum(self._weights.values())
        return share * (IDENTIFIER_FACTOR if self._pinned(units) else 1.0)

    def _pinned(self, units: Sequence[QuotableUnit]) -> bool:
        return not self._codes.isdisjoint(code_keys(f"{unit.heading} {unit.words}" for unit in units))

    def _lack(self, term: str, units: Sequence[QuotableUnit]) -> float:
        """What a word counts as missing that none of the units holds."""
        near = [self._passages[unit.passage] for unit in units]
        if term in self._names:
            documents = {each.document_id for each in near}
            near = [each for each in self._passages if each.document_id in documents]
        if any(term in self._terms(each) for each in near):
            return NAMED_NEAR if term in self._names else LACK_HELD_NEARBY
        return 1.0

    def bearing(self, units: Sequence[QuotableUnit], spare: float) -> list[bool]:
        """Which of the units lack no more than `spare`; where the question is for several things, all or none."""
        if self._together:
            return [self.missing(units) <= spare] * len(units)
        return [self.missing([unit]) <= spare for unit in units]

    def _context(self, unit: QuotableUnit) -> frozenset[str]:
        passage = self._passages[unit.passage]
        above = " ".join((passage.title, *passage.heading_path, unit.heading))
        return unit.terms | self._measure.widened(self._analyzer.tokens(above))

    def _terms(self, passage: Passage) -> frozenset[str]:
        if passage.chunk_id not in self._held:
            self._held[passage.chunk_id] = self._measure.widened(self._analyzer.tokens(passage.text))
        return self._held[passage.chunk_id]


def holds_codes(unit: QuotableUnit, passage: Passage, wanted: Expected) -> bool:
    """Whether a unit, or what stands above it, holds one of the identifiers that the question names, if any."""
    around = (passage.title, *passage.heading_path, passage.path, passage.url, unit.heading, unit.words)
    return not wanted.codes or not wanted.codes.isdisjoint(code_keys(around))


def asks_for_other(question: str, texts: Sequence[str]) -> bool:
    """Whether a question is for another number of a thing, or for another change, than the texts tell."""
    return other_number(question, texts) or turned_round(question, texts)


def turned_round(question: str, texts: Iterable[str]) -> bool:
    """Whether a question has one thing become another (`replace A with B`, `from A to B`) of which the texts say only
    that the second became the first."""
    asked = next((match.named() for pattern in _BECOMES if (match := pattern.search(question))), None)
    if asked is None:
        return False
    whole = "\n".join(texts)
    old, new = re.escape(asked["old"]), re.escape(asked["new"])
    return _became(new, old, whole) and not _became(old, new, whole)


def _became(old: str, new: str, text: str) -> bool:
    by = rf"(?:with|by) {new}"
    passive = rf"{old} (?:is|was|are|were) replaced {by}"
    said = rf"from {old} to {new}|{new} replace[sd] {old}|replac(?:e|ed|ing) {old} {by}|{passive}"
    return LinearRegex(said, before=r"^|\W", after=r"\W|\Z", ignore_case=True).search(text) is not None


def other_number(question: str, texts: Iterable[str]) -> bool:
    """Whether a question names something by a number (`version 6`) that the texts name by other numbers alone."""
    whole = "\n".join(texts)
    for match in _NUMBERED.finditer(question):
        word, number = match.named()["word"].lower(), match.named()["number"]
        if word in _MONTHS:
            continue
        found = set(LinearRegex(rf"{word}s?\W{{1,3}}(\d+)", before=r"^|\W", ignore_case=True).findall(whole))
        if found and number not in found:
            return True
    return False
