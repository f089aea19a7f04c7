"""A text with its words and the names in it. Our own rules or a language pipeline make it; indexer.graph.relations
reads it."""

from dataclasses import dataclass
from typing import Literal, Protocol

from domain.knowledge_graph import RelationOrigin, name_key
from domain.text.name_candidates import NameCandidate
from domain.text_references import TextReference

WordClass = Literal[
    "AUX", "VERB", "NOUN", "ADJ", "ADV", "ADP", "DET", "PRON", "PART", "CONJ", "NUM", "END", "POSS", "COMMA", "X"
]
"""The class of a word. END: the end of a sentence, or a mark that separates as much. POSS: 's. X: anything else, such
as a bracket."""


@dataclass(frozen=True, slots=True)
class WordToken:
    """Characters [start, end) of a text. lemma: its dictionary form in lower case."""

    start: int
    end: int
    lemma: str
    part: WordClass


@dataclass(frozen=True, slots=True)
class NamedSpan:
    """A name, a key or an address in a text. confidence: that it is one, 0 to 1."""

    start: int
    end: int
    key: str
    surface: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Field:
    """A relation that a label or a table states. subject: None for the document itself."""

    subject: NamedSpan | None
    predicate: str
    object: NamedSpan
    origin: RelationOrigin


@dataclass(frozen=True, slots=True)
class Annotation:
    """A text, its words and the names in it; one name may lie within another."""

    text: str
    tokens: tuple[WordToken, ...]
    names: tuple[NamedSpan, ...]
    fields: tuple[Field, ...] = ()
    """What labels and tables state; see indexer.graph.fields."""


class Annotator(Protocol):
    """Annotates texts. The same text always gives the same annotation."""

    @property
    def name(self) -> str:
        """Identifies the annotator and its version. When it changes, the graph is made anew."""

    def annotate(self, text: str, names: tuple[NamedSpan, ...]) -> Annotation:
        """The annotation of `text`. names: those that our own rules found; an annotator may add more."""


def named_spans(found: list[NameCandidate], references: list[TextReference]) -> tuple[NamedSpan, ...]:
    """The references, and the candidates that do not overlap them, in the order of their first characters."""
    taken = [(each.start, each.end) for each in references]
    names = [NamedSpan(each.start, each.end, each.key, each.surface, REFERENCE) for each in references]
    for each in found:
        key = name_key(each.surface)
        if len(key) > SHORTEST and not any(start < each.end and each.start < end for start, end in taken):
            names.append(NamedSpan(each.start, each.end, key, each.surface, each.confidence))
    return tuple(sorted(names, key=lambda each: (each.start, -each.end)))


REFERENCE = 0.95
"""Confidence of a key or an address."""
SHORTEST = len("name:") + 1
"""Characters. A key of so many or fewer says too little and is left out."""
