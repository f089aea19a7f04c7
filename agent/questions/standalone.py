"""Follow-up questions made so that they can be searched by themselves. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agent.questions.antecedents import with_the_person, with_the_thing
from agent.questions.follow_up_substitution import asks, exchanged, thing_of
from agent.questions.patterns import talk
from domain.answers import Turn
from domain.patterns import LinearRegex
from domain.text.tokens import ENGLISH_STOP_WORDS, Analyzer

_ANALYZER = Analyzer()
_ENOUGH = 3
"""Words of a question, but for small ones, from which a follow-up may lean on it though it has a pronoun."""
_LEANS_BACK = LinearRegex(
    r"[Ii]ts?|(?i:they|them|theirs?|he|she|him|his|hers?|these|those)"
    r"|dort|dessen|deren|da(?:für|von|zu|mit|bei|nach|rüber)|er|ihn|ihm|sie|ihre[mnrs]?|seine[mnrs]?"
    r"|celles?|ceux|ella|ellos|ellas|eso",
    before=r"^|\W",
    after=r"\W|\Z",
)
"""Pronouns that stand for what was spoken of; IT is none. German ones with a capital (`Sie`) address the reader."""
_POINTS_BACK = LinearRegex(
    r"\A\W*(?:[\w'’-]{1,20} ){0,6}(?:(?:is|was|does|did|can|will|would|about|of|for|with|to) that(?: [a-z]{2,20})?"
    r"|there|then|the same|das|dies)\W*\Z",
    ignore_case=True,
)
"""A short question that ends with what points back."""
_DUMMY_IT = LinearRegex(
    r"(?:is|was) it (?:possible|allowed|permitted|necessary|mandatory|required|ok|okay|true)"
    r"|(?:is|was|does|did|will|would) it(?: [\w-]{1,20}){1,3} to [a-z]{2,}",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_FILTER = LinearRegex(r"[\w)\"”]:\S|#\w")
_ABOUT = (
    r"(?:what|how) about|was ist mit|wie (?:ist|steht|sieht) es (?:mit|bei)|was gilt für"
    r"|qu['’]en est-il (?:de|du|des)|qué (?:hay|pasa) (?:de|con)"
)
_AND = r"and|or|but|also|und|oder|aber|et|ou|mais|y|pero"
_OPENS = LinearRegex(rf"\A\W*(?:(?:{_AND})[\s,]+)?(?:(?:{_ABOUT})\s+)?", ignore_case=True)
_CONTINUES = LinearRegex(rf"\W*(?:{_AND}|{_ABOUT}|では|じゃあ|那)(?:\W|\Z)|那么?[^\s\w]*.{{1,20}}呢", ignore_case=True)
_WHY = LinearRegex(r"\W*(?:why|warum|wieso|weshalb|pourquoi|por qué)(?:\W|\Z)", ignore_case=True)
_BEFORE_IT = "since|until|till|from|by|for|with|to|at|on|in|of|seit|bis|ab|von|mit|für|an|zu|durch"
_BARE = LinearRegex(
    rf"\A\W*(?:(?:{_AND}) )?(?:(?:{_BEFORE_IT}) )?"
    r"(?:(?:when|whom?|whose|what|where|why|which|how (?:long|often|much|many|far)|how"
    r"|wann|wem|wen|wer|was|wo|wie (?:lange?|oft|viele?|weit|hoch)|wie)(?: not| nicht)?"
    r"|(?:which|what) (?:one|of (?:them|these|those|the two|both))(?: \w+){0,3}"
    r"|welche[rsnm]? (?:davon|von (?:ihnen|beiden|diesen))(?: \w+){0,3})\W*\Z",
    ignore_case=True,
)
"""A question word alone, or one for which of the things that were spoken of."""
_NO = (
    r"(?:(?:no|nope|sorry|oops|oh|ah|wait|actually|nein|nee|ach|pardon|entschuldigung|verzeihung|moment)"
    r"[\s,.;:!–-]+)"
)
_MEANT = (
    r"(?:(?:what )?i (?:really |actually )?(?:meant|mean)(?: (?:was|is|to (?:say|ask|write)))?"
    r"|ich (?:meinte|meine)|gemeint (?:war|ist))"
)
_INSTEAD = LinearRegex(
    rf"\A\W*(?:{_NO}{{0,3}}{_MEANT}[\s,:]+(?P<behind>[^?!]{{1,200}})"
    rf"|{_NO}{{1,3}}(?P<before>[^?!]{{1,80}}?),? (?:i (?:meant|mean)|(?:meinte|meine) ich)"
    r"|(?:no|nope|nein|nee)[\s,.;:!–-]+(?P<named>(?:[a-zäöüß]{1,8} ){0,2}(?-i:[A-ZÄÖÜ])[\w-]+))\W*\Z",
    ignore_case=True,
)
"""A correction: what it names is what the question before was meant to name."""


class Standalone(NamedTuple):
    """A question that can be searched by itself."""

    text: str
    own: str = ""
    """The asker's words where the text takes words of an earlier question along; empty where it takes none."""
    follows: str = ""
    """The earlier question that it follows, where the text does not hold it: its filters hold for this one, too."""


@dataclass(frozen=True, slots=True)
class _Topic:
    """What was spoken of so far."""

    question: str = ""
    """The last question that is whole."""
    asked: str = ""
    """The last one that was whole in the asker's words, with its filters."""
    thing: str = ""
    """What `it` means."""
    reply: str = ""
    """To the last question."""


def standalone(text: str, history: Sequence[Turn]) -> Standalone:
    """The question so that it can be searched by itself: in one that leans on earlier turns a person or thing that was
    named stands for a pronoun, or what it names stands in place of what the earlier question named ("and in Berlin?"),
    or it takes along the nearest question that is whole."""
    topic = _Topic()
    for turn in history:
        found, _, thing = _whole(turn.question, topic)
        question = found or topic.question or _says_enough(turn.question)
        asked = topic.asked if topic.asked and leans(turn.question) else question
        topic = _Topic(question, asked, thing or topic.thing if found else topic.thing, turn.reply)
    if not topic.question or not leans(text):
        return Standalone(text)
    follows = topic.asked if topic.asked != topic.question else ""
    found, own, _ = _whole(text, topic)
    if found:
        return Standalone(found, own, follows if own else topic.asked)
    joint = " –" if _FILTER.search(topic.question) else ":"
    named = _corrected(text)
    return Standalone(
        f"{topic.question.rstrip(' ?!.？')}{joint} {named or _OPENS.sub('', text)}", named or text, follows
    )


def _corrected(text: str) -> str:
    """What is named in place of something that was said before; empty where a text corrects nothing."""
    match = _INSTEAD.match(text)
    named = next(filter(None, match.named().values()), "").strip() if match else ""
    return named if talk(named) == "question" else ""


def _whole(text: str, topic: _Topic) -> tuple[str, str, str]:
    """The question, complete, the asker's words where they are added to others, and what it is about; three times
    nothing where it leans on the one before it and nothing can be put in its place."""
    if not leans(text):
        return text, "", thing_of(text)
    corrected = _corrected(text)
    rest = corrected or _OPENS.sub("", text)
    if corrected and asks(corrected) and not leans(corrected):
        return corrected, "", thing_of(corrected)
    if not topic.question:
        return "", "", ""
    if named := with_the_person(rest, topic.question, topic.reply):
        return named, "", ""
    if named := with_the_thing(rest, topic.thing):
        return named, "", topic.thing
    other = exchanged(rest, topic.question)
    return other, text if other and not corrected else "", thing_of(other)


def _says_enough(text: str) -> str:
    """A first question, though it has a pronoun, as "My son is twelve, may he swim alone?" has; else empty."""
    return text if len(_ANALYZER.tokens(text)) >= _ENOUGH else ""


def leans(text: str) -> bool:
    """Whether a question says little without the one before: it points back, goes on, or has no word of its own."""
    own = _ANALYZER.tokens(text)
    if not own or _CONTINUES.match(text) or _POINTS_BACK.search(text) or _BARE.match(text) or _corrected(text):
        return True
    if _WHY.match(text) and len([word for word in own if word not in ENGLISH_STOP_WORDS]) < 2:
        return True
    return _LEANS_BACK.search(_DUMMY_IT.sub("", text)) is not None
