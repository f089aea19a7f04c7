"""Taking a question apart without a model: comparisons, several questions in one. Pure."""

import re
from dataclasses import replace

from agent.questions.patterns import content_words, kind
from agent.questions.standalone import leans
from agent.state import Complexity, SubQuestion
from domain.patterns import LinearRegex
from domain.text.languages import language_of

MAX_SUB_QUESTIONS = 4
"""Sub-questions of one question."""

NAMED = 120
"""Characters up to which a part is named by its words. They are not cut: what is personal in them is masked whole."""

_QUESTION_END = LinearRegex(r"\s+", before=r"[?？]")
_WH = (
    r"(?:(?:in|on|at|by|for|from|to|with|since|until) )?(?:what|who|whom|whose|when|where|why|which|how"
    r"|wann|warum|welche[rsmn]?|wie|wieviele?|combien|comment|pourquoi|quand|quel(?:le)?s?"
    r"|[¿]?(?:qué|quién(?:es)?|cuándo|dónde|cómo|cuál(?:es)?|cuánt[oa]s?))(?:\W|\Z)"
)
_AND_ASKS = LinearRegex(r"[,;]?\s+(?:and|und|et|y)\s+", after=_WH, ignore_case=True)
_ASKS = LinearRegex(_WH, ignore_case=True)
_THEN_ASKS = LinearRegex(r"[,;]\s+", after=_WH, ignore_case=True)
"""A comma that parts questions, in a sentence that goes on with `and` and another one; alone it may as well open a
relative clause."""
_DIFFERENCE = r"(?:differences?|comparison|distinction)"
_TWO = r"(?P<a>[^,;?]{2,80}?)\s+(?:and|with|to|versus|vs\.?|from)\s+(?P<b>[^,;?]{2,80}?)"
_ENDS = r"(?:\s+(?P<rest>(?:in|on|for|with respect|regarding|when|at|during|under|as to)[^\w\n].{1,119}))?[?.!]*\Z"
_COMPARISONS = tuple(
    LinearRegex(pattern, ignore_case=True)
    for pattern in (
        rf"\A(?:please )?compare\s+{_TWO}{_ENDS}",
        rf"\A(?:.{{0,59}}[^\w\n])?{_DIFFERENCE}\s+(?P<what>in .{{2,60}} )?between\s+{_TWO}{_ENDS}",
        rf"\Ahow (?:do|does|did) (?P<a>.{{2,80}}?) (?:differ from|compare (?:to|with)) (?P<b>.{{2,80}}?){_ENDS}",
        r"\A(?P<a>[^,;?]{2,80}?)\s+(?:vs\.?|versus)\s+(?P<b>[^,;?]{2,80}?)(?:[:,]\s*(?P<rest>.{2,120}))?[?.!]*\Z",
        (
            r"\A(?P<what>(?:which|who|what)[^\w,?][^,?]{2,119}),\s*(?P<a>[^,?]{2,80}?),?"
            r"\s+or\s+(?P<b>[^,?]{2,80}?)[?.!]*\Z"
        ),
        (
            r"\A(?:are|were|is|did|do|have|had) (?:both )?(?P<a>(?-i:[A-Z])[^,?]{1,70}?)"
            r" and (?P<b>(?-i:[A-Z])[^,?]{1,70}?)"
            r" (?P<rest>(?:both|each|the same|located|from|members?|in|of|known|born|made)"
            r"(?:[^\w?][^?]{0,119})?)[?.!]*\Z"
        ),
    )
)
_NESTED = re.compile(
    r"\b(?:that|which|who|whose|where|whom|when)\b|'s\b|’s\b|\bof (?:the|a|an)\b|\bin which\b|\bsame\b", re.IGNORECASE
)


_WHAT_OF = LinearRegex(r"((?:[\w-]+ ){1,5}(?:of|for) (?:(?:the|a|an|our) )?)[\w-]+(?: [\w-]+){0,2}")
"""What of something is compared."""
_BEGINS = LinearRegex(r"(?:in|on|at|by|for|from|to|with|of|during|under) ", ignore_case=True)
MAX_NAME = 3
"""Words of what may be the other thing."""

_EACH, _ARTICLE = LinearRegex(r"\A(?:both|each)\s+"), LinearRegex(r"\A(?:[Bb]oth|[Tt]he|[Oo]ur|an?)\s+")
_ASKED = LinearRegex(
    r"is|are|was|were|do|does|did|has|have|had|can|could|may|must|should|will|would|[a-z]{3,}s",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
"""What may be a verb."""


def sub_questions(text: str) -> tuple[SubQuestion, ...]:
    """The question's parts, two to four; one, the question itself, when it has none."""
    parts = _compared(text) or _several(text)
    if not 2 <= len(parts) <= MAX_SUB_QUESTIONS:
        return (SubQuestion(1, text, kind(text)),)
    return tuple(
        SubQuestion(number, part, kind(part), asked=asked if len(asked) <= NAMED else "")
        for number, (part, asked) in enumerate(parts, start=1)
    )


def _compared(text: str) -> list[tuple[str, str]]:
    """One question for each of the two things that are compared, and the thing."""
    for pattern in _COMPARISONS:
        match = pattern.match(text)
        groups = match.named() if match else {}
        what = groups.get("what", "")
        if groups and not what.lower().startswith("what if"):
            around = " ".join(part for part in (what, groups.get("rest")) if part).strip()
            around = _EACH.sub("", around)
            # a capital A between words is a name: A records and AAAA records
            things = [_ARTICLE.sub("", groups[name].strip(" \"'")) for name in ("a", "b")]
            if any(not content_words(thing) or leans(thing) for thing in things):
                return []
            asks_first = around if what and around[:1].isupper() else ""
            whole = [things[0], _as_part(things[1], things[0])]
            return [
                (f"{asks_first} {each}" if asks_first else f"{each} {around}".strip(), thing)
                for each, thing in zip(whole, things, strict=True)
            ]
    return []


def _as_part(other: str, thing: str) -> str:
    """What is compared of two things, said of the other one, too: of "the price of tea" and "coffee", "the price of
    coffee"."""
    said = _WHAT_OF.fullmatch(thing)
    whole = _WHAT_OF.match(other) or _BEGINS.match(other) or len(other.split()) > MAX_NAME
    return other if said is None or whole else f"{said[1]}{other}"


def _several(text: str) -> list[tuple[str, str]]:
    """Several questions in a row, and their words where they begin with one that asks; one that leans on those before
    takes the first along."""
    parts = []
    # no space follows the mark of a Chinese or Japanese question
    for sentence in _QUESTION_END.split(text.replace("？", "？ ").strip()):
        *asked, last = _AND_ASKS.split(sentence)
        parts += [part for each in asked for part in _THEN_ASKS.split(each)] + [last]
    parts = [part.strip(" ,;") for part in parts]
    if any(len(content_words(part)) < 1 or _short(part) for part in parts):
        return []
    alone = [number == 0 or not (leans(part) or _lacks_verb(part)) for number, part in enumerate(parts)]
    return [
        (part if stands else f"{parts[0]} {part}", part if _ASKS.match(part) else "")
        for part, stands in zip(parts, alone, strict=True)
    ]


def _short(part: str) -> bool:
    """Whether a part has too few words for a question; Chinese and Japanese part none by spaces."""
    return len(part.split()) < 3 and not (len(part) > 3 and language_of(part) in {"zh", "ja"})


def _lacks_verb(part: str) -> bool:
    """Whether a part is too short to say what it is about, such as `in which year`."""
    return part.isascii() and len(part.split()) <= 3 and not _ASKED.search(part)


def complexity(text: str, parts: tuple[SubQuestion, ...]) -> Complexity:
    """How much work a question promises: one fact, a chain of them, or several."""
    if len(parts) > 1:
        return "complex"
    words = text.split()
    nested = len(_NESTED.findall(" ".join(words[2:])))
    return "moderate" if nested >= 2 or (nested and len(words) > 14) else "simple"


def prioritised(parts: tuple[SubQuestion, ...]) -> tuple[SubQuestion, ...]:
    """Numbered anew from 1 in the order of their priority."""
    ordered = sorted(parts[:MAX_SUB_QUESTIONS], key=lambda part: part.priority)
    return tuple(replace(part, number=number) for number, part in enumerate(ordered, start=1))
