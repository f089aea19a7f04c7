"""Follow-up questions made so that they can be searched by themselves. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from agent.questions.antecedents import with_the_person, with_the_thing
from agent.questions.exchange import exchanged
from domain.answers import Turn
from domain.patterns import Linear
from domain.text.tokens import ENGLISH_STOP_WORDS, Analyzer

_ANALYZER = Analyzer()
_ENOUGH = 3
"""Words of a question, but for small ones, from which a follow-up may lean on it though it has a pronoun."""
_LEANS_BACK = Linear(
    r"(?i:it|its|they|them|theirs?|he|she|him|his|hers?|these|those)"
    r"|dort|dessen|deren|da(?:für|von|zu|mit|bei|nach|rüber)|er|ihn|ihm|sie|ihre[mnrs]?|seine[mnrs]?"
    r"|elles?|celles?|ceux|ella|ellos|ellas|eso|sus?",
    before=r"^|\W",
    after=r"\W|\Z",
)
"""Pronouns that stand for what was spoken of. German ones with a capital (`Sie`) address the reader."""
_POINTS_BACK = Linear(
    r"(?:is|was|does|did|can|will|would|about|of|for|with|to) that(?: [a-z]{2,20})?\W*\Z"
    r"|(?:there|then|the same|das|dies)\W*\Z",
    before=r"^|\W",
    ignore_case=True,
)
_DUMMY_IT = Linear(
    r"(?:is|was) it (?:possible|allowed|permitted|necessary|mandatory|required|ok|okay|true)"
    r"|(?:does|did|will|would) it (?:cost|take|matter|hurt|help) [^?.!]{1,60} to [a-z]{2,}",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_ABOUT = (
    r"(?:what|how) about|was ist mit|wie (?:ist|steht|sieht) es (?:mit|bei)|was gilt für"
    r"|qu['’]en est-il (?:de|du|des)|qué (?:hay|pasa) (?:de|con)"
)
_AND = r"and|or|but|also|und|oder|aber|et|ou|mais|y|pero"
_OPENS = Linear(rf"\A\W*(?:(?:{_AND})[\s,]+)?(?:(?:{_ABOUT})\s+)?", ignore_case=True)
_CONTINUES = Linear(rf"\W*(?:{_AND}|{_ABOUT}|では|じゃあ|那)(?:\W|\Z)|那么?[^\s\w]*.{{1,20}}呢", ignore_case=True)
_WHY = Linear(r"\W*(?:why|warum|wieso|weshalb|pourquoi|por qué)(?:\W|\Z)", ignore_case=True)


class Standalone(NamedTuple):
    """A question that can be searched by itself."""

    text: str
    own: str = ""
    """The asker's words where the text takes words of an earlier question along; empty where it takes none."""
    follows: str = ""
    """The earlier question of which a person or thing was taken: its filters hold for this one, too."""


def standalone(text: str, history: Sequence[Turn]) -> Standalone:
    """The question so that it can be searched by itself: in one that leans on earlier turns a person or thing that was
    named stands for a pronoun, or what it names stands in place of what the earlier question named ("and in Berlin?"),
    or it takes along the nearest question that stands alone."""
    subject, reply = "", ""
    for turn in history:
        whole = _whole(turn.question, subject, reply).text
        subject, reply = whole or subject or _says_enough(turn.question), turn.reply
    found = _whole(text, subject, reply)
    if found.text or not subject:
        return found if found.text else Standalone(text)
    return Standalone(f"{subject.rstrip(' ?!.？')}: {_OPENS.sub('', text)}", text)


def _whole(text: str, subject: str, reply: str) -> Standalone:
    """The question, complete; without a text where it leans on the one before it and nothing can be put in its
    place."""
    if not leans(text):
        return Standalone(text)
    rest = _OPENS.sub("", text)
    if named := with_the_person(rest, subject, reply) or with_the_thing(rest, subject):
        return Standalone(named, follows=subject)
    return Standalone(exchanged(rest, subject), text)


def _says_enough(text: str) -> str:
    """A first question, though it has a pronoun, as "My son is twelve, may he swim alone?" has; else empty."""
    return text if len(_ANALYZER.tokens(text)) >= _ENOUGH else ""


def leans(text: str) -> bool:
    """Whether a question says little without the one before: it points back, goes on, or has no word of its own."""
    own = _ANALYZER.tokens(text)
    if not own or _CONTINUES.match(text) or _POINTS_BACK.search(text):
        return True
    if _WHY.match(text) and len([word for word in own if word not in ENGLISH_STOP_WORDS]) < 2:
        return True
    return _LEANS_BACK.search(_DUMMY_IT.sub("", text)) is not None
