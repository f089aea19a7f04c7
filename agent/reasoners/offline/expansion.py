"""Names in what was found, to search on from there. Pure.

A question of several hops names its answer's document only through another one: the first evidence holds the name
that the second search needs.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from agent.state import Evidence
from domain.search import Passage
from domain.text.tokens import Analyzer

NAMES = 6
"""Names taken from one passage."""

_NAME = re.compile(
    r"\b[A-Z][\w'’.-]*(?:[ \t](?:of|the|and|de|von|van|in|for|&)[ \t][A-Z][\w'’.-]*|[ \t][A-Z][\w'’.-]*){0,7}"
)
_STARTS = (". ", ".\n", "? ", "! ", ": ", "- ", "* ", "| ")


def names(text: str, known: Collection[str], analyzer: Analyzer) -> list[str]:
    """The names in a text, most frequent first, but for those whose every token is `known`. A single capitalised word
    at the beginning of a sentence is no name."""
    found: Counter[str] = Counter()
    for match in _NAME.finditer(text):
        name = match.group().strip(" .,'’-")
        tokens = analyzer.tokens(name)
        if len(name) < 3 or not tokens or set(tokens) <= set(known):
            continue
        start = match.start()
        opening = start == 0 or text[max(0, start - 2) : start] in _STARTS or text[start - 1] == "\n"
        if " " in name or not opening:
            found[name] += 1
    return [name for name, _ in found.most_common(NAMES)]


def expansion_query(question: str, passage: Passage, analyzer: Analyzer) -> str:
    """A search that goes on from `passage`: the question, its title, and the names it holds beside the question's."""
    known = set(analyzer.tokens(question))
    return " ".join([question, passage.title, *names(passage.text, known, analyzer)])


def expansion_seeds(
    evidence: Sequence[Evidence], used: Collection[str], threshold: float, count: int = 3
) -> list[Evidence]:
    """The best evidence to go on from, one passage a document: graded `threshold` or more, not gone on from before.
    used: keys of what was."""
    best: dict[str, Evidence] = {}
    for item in evidence:
        if item.key not in used and item.grade >= threshold:
            best.setdefault(item.passage.document_id, item)
    return list(best.values())[:count]
