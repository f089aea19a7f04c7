"""Sentences that say what the sources do not say. No source can be cited for them. Pure; English and German."""

import re

from agent.checking.claim_comparison import source_text
from agent.checking.language import rule_language_of
from agent.checking.readings import read
from domain.patterns import LinearRegex

MAX_CHARACTERS = 300
"""Characters; a longer sentence says more than that."""

_SOURCE = r"(?:passages?|sources?|documents?|documentation|texts?|excerpts?|pages?|evidence|material|context)"
_THE = r"(?:the|these|those|this|any of the|all) (?:\w+ ){0,2}?"
_SAY = (
    r"(?:say|state|mention|specify|describe|name|indicate|answer|explain|tell|address|define|note|discuss|clarify"
    r"|identify|detail)"
)
_SAID = r"(?:said|stated|mentioned|specified|described|named|given|answered|found|explained|defined|listed|documented)"
_GIVE = r"(?:give|contain|provide|include|offer|hold)"
_INFO = (
    r"(?:information|details?|answers?|mention|statements?|indication|figures?|data|dates?|names?|reasons?|guidance)"
)
_NOT = r"(?: not|n't)"
_CANNOT = r"(?: cannot| can't| can not| could not| couldn't)"
_CANNOT_DO = rf"(?:{_CANNOT}|(?: am| are|'m|'re) (?:unable|not able) to)"
_LEARN = r"(?:determine|tell|say|infer|identify|establish|derive|deduce|answer|confirm)"
_LEARNED = r"(?:determined|told|inferred|identified|established|derived|deduced|answered|confirmed)"
_FROM = rf"(?:from|based on|with|by|using) {_THE}{_SOURCE}"

_QUELLE = (
    r"(?:passagen?|quellen?|dokumente?n?|dokumentation|unterlagen|texte?n?|auszüge?n?|auszug|abschnitte?n?|seiten?"
    r"|textstellen?|belege?n?)"
)
_QUELLEN = r"(?:passagen|quellen|dokumente|unterlagen|texte|auszüge|abschnitte|seiten|textstellen|belege)"
_OBJEKT = r"(?:eine?n?|de[nr]|die|das|seine?n?|ihre?n?|weitere|nähere|genaue) (?:\w+ ){1,7}?"
"""What stands before the verb without being its subject, which is the sources."""
_DIE = r"(?:die|diese|der|das|dieses|den|diesen|dem|keine|keine der) (?:\w+ ){0,2}?"
_NENNT = (
    r"(?:sag(?:en|t)|nenn(?:en|t)|erwähn(?:en|t)|beschreib(?:en|t)|beantwort(?:en|et)|erklär(?:en|t)|erläuter(?:n|t))"
)
_GENANNT = (
    r"(?:genannt|erwähnt|beschrieben|angegeben|gesagt|erklärt|beantwortet|aufgeführt|erläutert|hervor|zu entnehmen)"
)
_LERNEN = r"(?:ermitteln|entnehmen|bestimmen|ableiten|feststellen|sagen|beantworten|erkennen|erschließen)"
_LERNT = r"(?:ermittelt|entnommen|bestimmt|abgeleitet|festgestellt|gesagt|beantwortet|erkannt|erschlossen)"
_AUS = rf"(?:aus|anhand|mit|aufgrund|auf (?:der )?(?:basis|grundlage)) {_DIE}{_QUELLE}"
_NICHT_AUS = rf"(?:nicht {_AUS}|{_AUS} (?:\w+ )?nicht) (?:\w+ )?"
_ANGABE = r"(?:angaben?|informationen|auskunft|aussagen?|hinweise?|antworten?|einzelheiten)"
_GIBT = r"(?:enthalten|enthält|geben|gibt|machen|macht|liefern|liefert|bieten|bietet)"

_GAP = LinearRegex(
    "(?:"
    + "|".join(
        (
            rf"{_THE}{_SOURCE} (?:\w+ ){{0,4}}?(?:do|does|did){_NOT} (?:\w+ )?{_SAY}[ ,]",
            rf"{_THE}{_SOURCE} (?:\w+ ){{0,4}}?(?:do|does|did){_NOT} {_GIVE} (?:\w+ ){{0,2}}?{_INFO}[ ,]",
            rf"(?:none of (?:the|these)|no) (?:\w+ ){{0,2}}?{_SOURCE} {_SAY}s?[ ,]",
            rf"nothing in {_THE}{_SOURCE} {_SAY}s?[ ,]",
            rf".{{1,160}} (?:is|are|was|were){_NOT} (?:\w+ )?{_SAID} (?:\w+ )?(?:in|by) {_THE}{_SOURCE}[ ,]",
            rf"{_THE}{_SOURCE} (?:\w+ ){{0,4}}?(?:says?|states?|{_GIVE}s?) (?:nothing|no (?:\w+ )?{_INFO})[ ,]",
            rf"(?:there (?:is|are) )?no (?:\w+ )?{_INFO} .{{0,160}}in {_THE}{_SOURCE}[ ,]",
            rf"(?:i|we) (?:could not|couldn't|cannot|can't|did not|didn't) find .{{1,160}} in {_THE}{_SOURCE}[ ,]",
            rf"(?:i|we){_CANNOT_DO} (?:\w+ )?{_LEARN} .{{0,160}}{_FROM}[ ,]",
            rf"{_FROM},? (?:i|we){_CANNOT_DO} (?:\w+ )?{_LEARN}[ ,]",
            rf"{_FROM},? .{{1,160}}{_CANNOT} (?:\w+ )?be {_LEARNED}[ ,]",
            rf".{{1,160}}{_CANNOT} (?:\w+ )?be {_LEARNED} (?:\w+ )?{_FROM}[ ,]",
            rf"it is(?:{_NOT} possible| impossible) to {_LEARN} .{{0,160}}{_FROM}[ ,]",
            rf"{_DIE}{_QUELLE} (?:\w+ ){{0,4}}?{_NENNT} (?:\w+ ){{0,2}}?(?:nicht|nichts|kein\w*)[ ,]",
            rf"{_DIE}{_QUELLE} (?:\w+ ){{0,4}}?{_GIBT} (?:\w+ ){{0,3}}?(?:nichts|kein\w* (?:\w+ )?{_ANGABE})[ ,]",
            rf"{_DIE}{_QUELLE} (?:\w+ ){{0,4}}?(?:geben|gibt) (?:\w+ )?nicht an[ ,]",
            rf"(?:geben|gibt|{_NENNT}) {_DIE}{_QUELLE} (?:\w+ ){{0,3}}?nicht(?:s| an)?[ ,]",
            rf"{_OBJEKT}(?:nennen|erwähnen|beschreiben) die {_QUELLEN} (?:\w+ )?nicht[ ,]",
            rf"{_OBJEKT}geben die {_QUELLEN} (?:\w+ )?nicht an[ ,]",
            rf"(?:in|aus) {_DIE}{_QUELLE} (?:steht|stehen|geht|gehen) (?:\w+ ){{0,3}}?(?:nicht|nichts)[ ,]",
            rf"(?:in|aus) {_DIE}{_QUELLE} (?:wird|werden|ist|sind) (?:\w+ ){{0,6}}?nicht {_GENANNT}[ ,]",
            rf"(?:in|aus) {_DIE}{_QUELLE} (?:findet sich|finden sich|gibt es) kein\w* (?:\w+ )?{_ANGABE}[ ,]",
            rf".{{1,160}} (?:steht|stehen|geht|gehen) (?:\w+ )?nicht (?:\w+ )?(?:in|aus) {_DIE}{_QUELLE}[ ,]",
            rf".{{1,160}} (?:wird|werden|ist|sind) in {_DIE}{_QUELLE} (?:\w+ )?nicht {_GENANNT}[ ,]",
            rf"{_AUS} (?:lässt sich|lassen sich|kann (?:ich|man)) (?:\w+ ){{0,6}}?nicht {_LERNEN}[ ,]",
            rf"(?:.{{1,160}} (?:lässt|lassen) sich|ich kann) (?:.{{1,160}} )?{_NICHT_AUS}{_LERNEN}[ ,]",
            rf"{_AUS} (?:kann|können) (?:\w+ ){{0,6}}?nicht {_LERNT} werden[ ,]",
            rf".{{1,160}} (?:kann|können) {_NICHT_AUS}{_LERNT} werden[ ,]",
        )
    )
    + ")"
)
_OF_GAPS = LinearRegex(
    rf"(?:{_SOURCE}|{_SAY}|{_SAID}|{_GIVE}|{_INFO}|{_QUELLE}|{_NENNT}|{_GENANNT}|{_ANGABE}|{_GIBT}|{_LEARN}"
    rf"|{_LEARNED}|{_LERNEN}|{_LERNT}|unable|possible|impossible|lässt|lassen|anhand|whether|ob|unfortunately|leider)s?"
)
"""Words of which any such sentence is made."""

_MEASURES = frozenset(
    """limit maximum minimum deadline date number amount price cost costs fee duration period length value many much
    long grenze obergrenze höhe frist datum dauer anzahl zahl preis kosten betrag wert termin""".split()  # noqa: SIM905
)
"""Words for what a number or a date says without them."""

_PREFACE = LinearRegex(r"(?:unfortunately|however|note that|in addition|leider|allerdings|jedoch)[, ]+")
_GOES_ON = frozenset(
    """but however therefore thus hence instead because since although though yet while whereas unless
    aber jedoch sondern daher deshalb weil obwohl während dennoch doch denn""".split()  # noqa: SIM905 - as read
)
_AND_WHETHER = LinearRegex(r", and (whether|what|when|where|which|who|how|if) ")
"""What joins two things that are not said, and begins no second half."""
_WORD = re.compile(r"\w+")
_PARTS = (";", ":", "–", "—", ", and ", ", und ", ", so ", " - ", "(")


def is_gap_statement(sentence: str) -> bool:
    """Whether a sentence says that the sources do not say something, and nothing else: it has no second half."""
    plain = " ".join(sentence.replace("’", "'").replace("*", "").casefold().split()).lstrip("-•> ").rstrip(".! ")
    if len(plain) > MAX_CHARACTERS:
        return False
    preface = _PREFACE.match(plain)
    plain = _AND_WHETHER.sub(r" and \1", plain[preface.end() :] if preface else plain)
    if any(part in plain for part in _PARTS) or _GOES_ON.intersection(_WORD.findall(plain)):
        return False
    return _GAP.match(f"{plain} ") is not None


_WHAT_WAS_GIVEN = LinearRegex(
    r"passages?|sources?|excerpts?|context|provided|passagen?|quellen?|auszüge?n?|auszug|textstellen?"
    r"|vorliegenden|bereitgestellten|(?:i|we|ich) (?:am|are|can|could|can't|couldn't|kann|cannot)",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_SECOND_CLAUSE = LinearRegex(
    r", (?:it|he|she|they|this|that|these|the|a|an|er|sie|es|das|dies|der|die|dort) ", ignore_case=True
)


def denies_an_answer(sentence: str) -> bool:
    """Whether a gap statement says what a model was not given, for which it may cite a source all the same: of
    documents and pages, a source may itself say what does not stand in them."""
    return _WHAT_WAS_GIVEN.search(sentence) is not None and _SECOND_CLAUSE.search(sentence) is None


def speaks_of_it(gap: str, text: str, question: str) -> bool:
    """Whether a sentence of a text holds all that a gap statement says to be missing there. Of less than two words, the
    question says what is meant; a number or a date stands for words such as limit and deadline."""
    language = rule_language_of(gap, question)
    words = [each for each in read(gap, language).words if not _OF_GAPS.fullmatch(each.text)]
    measured = any(each.text in _MEASURES for each in words)
    topic = [each for each in words if each.text not in _MEASURES]
    if len(topic) + measured < 2:
        topic += read(question, language).words
    source = source_text((text,), language)
    if len(topic) + measured < 2:
        return False
    places = [source.words.found(each).by_sentence.keys() for each in topic]
    holding = set(range(len(source.sentences))).intersection(*places)
    return any(source.sentences[number].quantities or not measured for number in holding)
