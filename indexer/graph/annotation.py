"""A text with what is known of its words: who annotates may be our own rules or a language pipeline, what reads it is
the same code (indexer.graph.relations)."""

from dataclasses import dataclass
from typing import Literal, Protocol

from domain.knowledge_graph import name_key
from domain.text.name_candidates import NameCandidate
from domain.text_references import TextReference

WordClass = Literal[
    "AUX", "VERB", "NOUN", "ADJ", "ADV", "ADP", "DET", "PRON", "PART", "CONJ", "NUM", "END", "POSS", "COMMA", "X"
]
"""What a word is. END: of a sentence, or what separates as much. POSS: 's. X: anything else, such as a bracket."""


@dataclass(frozen=True, slots=True)
class WordToken:
    """Characters [start, end) of a text. lemma: its dictionary form in lower case."""

    start: int
    end: int
    lemma: str
    part: WordClass


@dataclass(frozen=True, slots=True)
class NamedSpan:
    """What a text speaks of by a name, a key or an address. confidence: that it is one, 0 to 1."""

    start: int
    end: int
    key: str
    surface: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Annotation:
    """A text, its words, and everything in it that is named; names may lie within each other."""

    text: str
    tokens: tuple[WordToken, ...]
    names: tuple[NamedSpan, ...]


class Annotator(Protocol):
    """Annotates texts. The same text always gives the same annotation."""

    @property
    def name(self) -> str:
        """Another one wherever annotations may differ, so that the graph is made anew."""

    def annotate(self, text: str, names: tuple[NamedSpan, ...]) -> Annotation:
        """`text` with its words. names: what our own rules found in it, to which more may be added."""


def named_spans(found: list[NameCandidate], references: list[TextReference]) -> tuple[NamedSpan, ...]:
    """References, and the candidates that do not touch them, in the order of their beginnings."""
    taken = [(each.start, each.end) for each in references]
    names = [NamedSpan(each.start, each.end, each.key, each.surface, REFERENCE) for each in references]
    for each in found:
        key = name_key(each.surface)
        if len(key) > SHORTEST and not any(start < each.end and each.start < end for start, end in taken):
            names.append(NamedSpan(each.start, each.end, key, each.surface, each.confidence))
    return tuple(sorted(names, key=lambda each: (each.start, -each.end)))


REFERENCE = 0.95
"""Confidence of what is named by a key or an address."""
SHORTEST = len("name:") + 1
"""Characters of a key that says too little."""
