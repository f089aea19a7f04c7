"""How good an answer is that was shown, computed without a language model. Pure; meant for the background.

supported: the mean over the answer's statements of 1 where the quoted words of its sources say it, DOUBTFUL where it is
not clear, and 0 where they do not, or where it cites none. An item of a list of documents is supported by the document
that it names and cites, a count above a list by as many items. relevance: the share of the question's words, by their
stems, that answer and sources have. score: supported * (1 + relevance) / 2, so that an answer whose statements hold has
0.5 at least. An answer that only says what the sources do not say has no statement, and the score 0.
"""

from collections.abc import Sequence

from agent.checking.claim_comparison import compare_texts
from agent.checking.markers import cited_numbers, without_markers
from agent.questions.patterns import content_words
from agent.replies.gap_statements import is_gap_statement
from agent.replies.units import is_header, units
from domain.answer_ports import AnswerQuality
from domain.answers import Citation
from domain.patterns import LinearRegex
from domain.text.tokens import Analyzer

DOUBTFUL = 0.5
"""What a statement counts that the sources do not clearly say."""

MAX_UNITS = 60
"""Statements that are looked at."""

_BULLETS = ("- ", "* ", "• ")
_COUNT = LinearRegex(r"(\d{1,6}) [^\d:：]{1,40} ?[:：]\Z")
_MORE = LinearRegex(r"… \D{0,20}(\d{1,6})")
_ANALYZER = Analyzer()


def answer_quality(question: str, reply: str, citations: Sequence[Citation]) -> AnswerQuality:
    """The quality of a reply with markers `[n]`. citations: what the markers refer to, with the quoted words."""
    by_number = {each.n: each for each in citations}
    around = [question, *(f"{each.title} {each.section}" for each in citations)]
    stated = list(units(reply))[:MAX_UNITS]
    found = [_support(unit, by_number, around) for unit in stated if _states(unit)] + _counts(stated)
    supported = sum(found) / len(found) if found else 0.0
    relevance = _relevance(question, reply, citations)
    return AnswerQuality(round(supported * (1 + relevance) / 2, 3), round(supported, 3), round(relevance, 3))


def _states(unit: str) -> bool:
    """Whether a unit states something: it is no heading, nothing that leads in, and does not say what is missing, or
    left out of a list."""
    bare = without_markers(unit).strip()
    if not any(map(str.isalnum, bare)) or is_header(unit) or bare.startswith(("#", "```", "~~~")):
        return False
    return not (bare.rstrip("*_ ").endswith((":", "：")) or is_gap_statement(bare) or _MORE.match(bare.lstrip("-*• ")))


def _support(unit: str, citations: dict[int, Citation], around: Sequence[str]) -> float:
    cited = [citations[n] for n in cited_numbers(unit) if n in citations]
    quotes = [part for each in cited for part in each.quote.split(" … ") if part]
    if not quotes:
        return 0.0
    bare = without_markers(unit).strip()
    words = " ".join(bare.lstrip("-*• ").split())
    if any(words in " ".join(quote.split()) for quote in quotes):
        return 1.0
    if any(words.startswith((f"{each.title} ({each.path},", f"{each.title} ({each.path})")) for each in cited):
        return 1.0  # an item of a list of documents names the document that it cites
    verdict = compare_texts(bare, quotes, around).verdict
    return {"agrees": 1.0, "doubtful": DOUBTFUL, "disagrees": 0.0}[verdict]


def _counts(stated: Sequence[str]) -> list[float]:
    """Of each line that says how many there are, above a list: 1 where as many are listed, with those that the list
    says it leaves out, else 0."""
    found: list[float] = []
    for place, unit in enumerate(stated):
        if count := _COUNT.match(without_markers(unit).strip()):
            items = 0
            for each in stated[place + 1 :]:
                bare = without_markers(each).strip().lstrip("-*• ")
                more = _MORE.match(bare)
                if not more and not each.strip().startswith(_BULLETS):
                    break
                items += int(more[1]) if more else 1
            found += [float(items == int(count[1]))] if items else []
    return found


def _relevance(question: str, reply: str, citations: Sequence[Citation]) -> float:
    asked = set(_ANALYZER.tokens(" ".join(content_words(question))))
    said = " ".join([reply, *(f"{each.title} {each.section} {each.quote}" for each in citations)])
    return len(asked & set(_ANALYZER.tokens(said))) / len(asked) if asked else 1.0
