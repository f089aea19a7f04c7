"""Units that tell something else than is asked: how, where the question is when not; fail back for fail over."""

import re
from collections.abc import Collection, Mapping, Set

from agent.questions.patterns import kind
from agent.reasoners.offline.quotable_units import QuotableUnit
from domain.patterns import LinearRegex
from domain.text.days import day_spans, named_days, within_span
from domain.text.feasts import feasts_named
from domain.text.months import months_named, months_within
from domain.text.tokens import Analyzer
from domain.text.weekdays import days_named

Pairs = Set[tuple[str, str]]
"""Something that is spoken of, with a word that tells how or when."""

_OTHER = {
    "over": ("back",),
    "back": ("over", "out", "up"),
    "up": ("down", "back"),
    "down": ("up",),
    "in": ("out",),
    "out": ("in", "back"),
    "on": ("off",),
    "off": ("on",),
}
"""Words behind a verb, and those that turn what it says round: fail over and fail back, roll out and roll back."""

_PHRASAL = LinearRegex(
    r"(?P<verb>[a-z]{2,20})[ -](?P<particle>over|back|up|down|in|out|on|off)",
    before=r"^|[^\w-]",
    after=r"[^\w-]|\Z",
    ignore_case=True,
)
_TIMES = {
    "during": ("after", "before"),
    "after": ("during", "before"),
    "before": ("after", "during"),
    "während": ("nach", "vor"),
    "nach": ("während", "vor"),
    "vor": ("nach", "während"),
}
"""Words for when something holds, and those for other times."""

_WHEN = LinearRegex(
    r"(?P<when>during|after|before|während|nach|vor)"
    r"(?: (?:the|a|an|my|your|our|this|that|der|die|das|den|dem|des|einer|eines|einem|meiner|meines|ihrer))?"
    r" (?P<thing>[^\W\d_]{3,30})",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_ENDING = re.compile(r"(?:ing|ed|s|e)$")
_DOUBLED = re.compile(r"([bdgmnprt])\1$")

_WHEN_NOT = LinearRegex(
    r"(?:must|may|should|shall|allowed|supposed|darf|d[üu]rfen|soll(?:te)?n?)"
    r"(?:n't|n\u2019t|(?: [\w-]{1,20}){0,2} (?:not|never|nicht|nie|kein\w{0,2}))",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_WHAT_NOT = LinearRegex(
    r"\W*(?:what|which|who)(?: [\w'’-]{1,20}){0,3}? (?:is|are|was|were|does|do|did|has|have)(?:n't|n\u2019t"
    r"|(?: (?:i|you|we|they|it|he|she|one))? not) (?P<said>[^\W\d_]{3,30})",
    ignore_case=True,
)
_EXCEPTS = LinearRegex(r"exclu\w+|exempt\w*|except", before=r"^|\W", ignore_case=True)
_CONDITION = LinearRegex(r"if|when|unless|because", before=r"^|\W", after=r"\W|\Z", ignore_case=True)
_DENIES = LinearRegex(
    r"not|never|no|nobody|none|without|only|except|unless|cannot|[a-z]{2,8}n['\u2019]t|forbidden|prohibited|banned|avoid|exclu\w+|exempt\w*"
    r"|nicht|nie|niemals|niemand|kein\w{0,2}|ohne|nur|au[ßs]er|verboten|untersagt",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_NOT_SO = LinearRegex(r"\W{0,6}(?:not|no|nicht|kein\w{0,2}) (?P<word>[^\W\d_]{3,30})", ignore_case=True)
"""At the start of a heading or a label: that something is not so."""
_MAY = LinearRegex(
    r"\W*(?:may (?:i|we|one)|(?:am i|are we|is it) allowed|darf (?:ich|man)|d[üu]rfen wir)", ignore_case=True
)
_BEFORE = LinearRegex(
    r"(?:must|should|need|have|has|muss|m[üu]ssen|soll(?:te)?n?)(?: [\w'\u2019-]{1,20}){0,5} (?:before|bevor)",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_EARLIER = LinearRegex(
    r"before\w{0,4}|first|prior|until|in advance|bevor|vor|vorher|zuvor|zuerst",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)

_OPENS = LinearRegex(
    r"open(?:s|ed|ing)?|clos(?:e[sd]?|ing)|hours|öffne\w{0,3}|geöffnet|offen|öffnungszeiten|geschlossen|schlie[ßs]\w{1,3}",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_AUF = LinearRegex(r"\W*(?:wann|bis wann|wie lange) hat .{1,60} (?:auf|zu)\W*\Z", ignore_case=True)
_LIMITS = LinearRegex(
    r"only|but|except|not|other|others|nur|aber|außer|nicht|andere\w?|\(", before=r"^|\W", ignore_case=True
)
"""What says in a sentence about some days that others are meant, too."""
_DAY_FIRST = 16
"""Characters within which a sentence names the days that it is about."""

_MONTHS_FIRST = 40
"""The same, the months."""


def answers_something_else(question: str, unit: QuotableUnit) -> bool:
    """Whether a unit tells something else than is asked, however many of the question's words it has:

    - what is done with the same verb in the other direction, or what holds at another time;
    - steps, where the question is whether one may, or what comes before and they name nothing that does;
    - what holds on other days or in other months than the question names;
    - what is not so by its heading or label, where the question is what is so;
    - what says neither "not" nor "only", where the question is what one must not, or what is not so.
    """
    words = f"{unit.heading}\n{unit.words}"
    if _turns_round(_phrasal(question), _phrasal(words), _OTHER) or _turns_round(_when(question), _when(words), _TIMES):
        return True
    if _on_other_days(question, unit) or _on_other_dates(question, unit) or _in_other_months(question, unit):
        return True
    if _is_denied(question, unit):
        return True
    if _WHEN_NOT.search(question):
        return not _DENIES.search(words)
    if (denied := _WHAT_NOT.match(question)) and not _CONDITION.search(question):
        return not _denies(denied.named()["said"], words)
    steps = unit.form == "list" and unit.tells_steps
    return steps and bool(_MAY.match(question) or (_BEFORE.search(question) and not _EARLIER.search(words)))


def _denies(said: str, words: str) -> bool:
    """Whether words deny what is said: they hold a "not" and the word for it, where it has one of its own (`have` has
    none), or name what is excepted."""
    meant = set(Analyzer().tokens(said))
    if _EXCEPTS.search(words) is not None:
        return True
    return _DENIES.search(words) is not None and (not meant or not meant.isdisjoint(Analyzer().tokens(words)))


def _is_denied(question: str, unit: QuotableUnit) -> bool:
    """Whether the heading or the label of a unit denies a word of a question that denies none; never where it asks for
    yes or no."""
    if _DENIES.search(question) or kind(question) == "yes_no":
        return False
    label, colon, _ = unit.words.partition("\n")[0].partition(":")
    begins = [found.named()["word"] for each in (unit.heading, label * bool(colon)) if (found := _NOT_SO.match(each))]
    analyzer = Analyzer()
    return not set(analyzer.tokens(" ".join(begins))).isdisjoint(analyzer.tokens(question))


def _on_other_days(question: str, unit: QuotableUnit) -> bool:
    """Whether a unit begins with the days when something is open, and none of those that are asked about is among
    them."""
    if not (_OPENS.search(question) or _AUF.match(question)):
        return False
    asked = days_named(question)
    if not asked:
        return False
    said = days_named(f"{unit.heading}\n{unit.words}")
    begins = bool(days_named(unit.words[:_DAY_FIRST]) or days_named(unit.heading))
    return begins and asked.isdisjoint(said) and not _LIMITS.search(unit.words)


def _on_other_dates(question: str, unit: QuotableUnit) -> bool:
    """Whether a unit says on which days of the year something is open, and none that is asked about is among them."""
    if not _OPENS.search(question):
        return False
    asked = named_days(f"{question}; {feasts_named(question)}")
    said = day_spans(f"{unit.heading}\n{unit.words}") if asked else []
    return bool(said) and not any(within_span(day, span) for day in asked for span in said)


def _in_other_months(question: str, unit: QuotableUnit) -> bool:
    """Whether a unit begins with a range of months, and none of those that are asked about is in it."""
    asked = months_named(question)
    begins = unit.words if unit.form == "list" else unit.words[:_MONTHS_FIRST]
    said = months_within(begins) if asked else frozenset()
    return bool(said) and asked.isdisjoint(said)


def _turns_round(asked: Pairs, said: Pairs, others: Mapping[str, Collection[str]]) -> bool:
    """Whether of something that is asked about only the opposite is said."""
    return any((each, other) in said and (each, own) not in said for each, own in asked for other in others[own])


def _phrasal(text: str) -> Pairs:
    """Verbs without their endings, each with the word behind it."""
    found = (match.named() for match in _PHRASAL.finditer(text))
    return {(_stem(each["verb"].lower()), each["particle"].lower()) for each in found}


def _when(text: str) -> Pairs:
    """What names a time, each with the word before it."""
    found = (match.named() for match in _WHEN.finditer(text))
    return {(each["thing"].lower(), each["when"].lower()) for each in found}


def _stem(verb: str) -> str:
    return _DOUBLED.sub(r"\1", _ENDING.sub("", verb))
