"""What the knowledge graph and the listing of entries state: it is an answer in words of its own. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from agent.questions import patterns
from agent.questions.expected import Expected
from agent.reasoner import AnswerPart
from agent.reasoners.offline.quotable_units import COLONS
from agent.state import LIST_ENTRIES, Evidence, ReplyPiece
from domain.search import Passage
from domain.text.codes import code_keys
from domain.text.days import named_days
from domain.text.sentences import sentences
from domain.text.tokens import Analyzer

_BY_VALUE = frozenset({"number", "date", "explanation"})
"""Kinds of answers that a relation gives only with a value of the kind."""

MIN_SAID_SHARE = 0.75
"""Share of a relation's words from which a sentence says it."""


def stated(part: AnswerPart, items: Sequence[Evidence], wanted: Expected) -> list[ReplyPiece]:
    """The relations that answer a part of the question, each a line with where it stands; none where none does. What a
    sentence of its passage says is quoted from there, and a relation without a number, a date or a reason answers no
    question for one."""
    lines: dict[str, int] = {}
    unheld = code_keys([part.sub_question.text]) - code_keys(as_text(item.passage) for item in items)
    counted = any(
        text.endswith(COLONS) for item in items if LIST_ENTRIES in item.tools for text in item.stated_relations
    )
    for position, item in zip(part.items, items, strict=True):
        if counted and LIST_ENTRIES not in item.tools:
            continue  # it is not among what was counted
        for sentence in item.stated_relations:
            if not unheld.isdisjoint(code_keys([sentence])):
                continue  # no passage names it: the relation is of something with a name nearly like it
            if LIST_ENTRIES not in item.tools and (
                _begins_with_day(sentence) or (wanted.kind in _BY_VALUE and not wanted.holds_value(sentence))
            ):
                continue
            if LIST_ENTRIES in item.tools or not _says(item.passage, sentence):
                lines.setdefault(sentence, position)
    if not lines:
        return []
    confidence = max(item.score for item in items if item.stated_relations)
    first = next((position for text, position in lines.items() if text.endswith(COLONS)), 0)  # the passage of the count
    ordered = sorted(lines.items(), key=lambda each: (not each[0].endswith(COLONS), each[1] != first))
    shown = [text if text.endswith(COLONS) else f"- {text} [{position}]" for text, position in ordered]
    shown[0] = f"\n\n{shown[0]}"  # what is said for a part before may stand above
    return [ReplyPiece(f"{each}\n", confidence=confidence) for each in shown]


def without_lists(items: Sequence[Evidence]) -> list[Evidence]:
    """The evidence without what was counted and listed, which is for another part of the question."""
    return [replace(each, stated_relations=()) if LIST_ENTRIES in each.tools else each for each in items]


def as_text(passage: Passage) -> str:
    """All by which a passage may be named: its title, headings, path and address, and its text."""
    return "\n".join((passage.title, *passage.heading_path, passage.path, passage.url, passage.text))


def _begins_with_day(relation: str) -> bool:
    """Whether a relation is one of a date, of which nobody asks what it does."""
    return relation[:1].isdigit() and bool(named_days(" ".join(relation.split()[:3])))


def _says(passage: Passage, relation: str) -> bool:
    """Whether one sentence of a passage holds most words of a relation: then it reads better than the relation."""
    analyzer = Analyzer()
    wanted = frozenset(analyzer.tokens(relation))
    if len(wanted) < 3 or patterns.references(relation):
        return False
    return any(
        len(wanted.intersection(analyzer.tokens(passage.text[start:end]))) >= MIN_SAID_SHARE * len(wanted)
        for start, end in sentences(passage.text)
    )
