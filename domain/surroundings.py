"""What the knowledge graph leads to, as values: the ways there, and what lies around a thing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from domain.graph import Kind, Pattern
from domain.search import Filters

Direction = Literal["out", "in"]
"""Whether a thing is the subject of a relation, or its object."""


@dataclass(frozen=True, slots=True)
class GraphRequest:
    """One walk through the graph.

    text: names the things to start from. hits: chunks to start from as well, by id, with how good they are, 0 to 1.
    vector: the question's, which chooses among the chunks of a document that is reached; None takes its first one.
    hops: how far, 0 to 2. limit: chunks wanted. loose: whether names that are only similar count as well, and beside
    documents the chunks that show relations of what is named: for a question about how things hang together.
    """

    text: str
    hits: Mapping[str, float] = field(default_factory=dict)
    vector: NDArray[np.float32] | None = None
    filters: Filters = field(default_factory=Filters)
    hops: int = 2
    limit: int = 20
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a way: words for both ends, as the reader may see them, and the chunk that shows it."""

    subject: str
    predicate: str
    object: str
    chunk_id: str

    def __str__(self) -> str:
        return f"{self.subject} —{self.predicate}→ {self.object}"

    @property
    def sentence(self) -> str:
        """The step as it is said."""
        return f"{self.subject} {self.predicate} {self.object}"


@dataclass(frozen=True, slots=True)
class Related:
    """A chunk that the knowledge graph leads to.

    score: 0 to 1. way: the steps there, none for what the text itself names. cosine: of the chunk with the question's
    vector, where there was one. states: relations that the chunk shows and that answer the text by themselves.
    """

    chunk_id: str
    document_id: str
    score: float
    way: tuple[Step, ...] = ()
    cosine: float | None = None
    states: tuple[Step, ...] = ()

    @property
    def how(self) -> str:
        """The way there, in words."""
        return ", ".join(map(str, self.way))


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A thing at the other end of a relation.

    name: as the chunk that shows the relation has it; of a document, its title where the reader may see it.
    document_id, title, url, source: of the document that shows it. sources: chunks that show it, in all.
    """

    key: str
    kind: Kind
    name: str
    predicate: str
    direction: Direction
    confidence: float
    pattern: Pattern
    chunk_id: str
    document_id: str
    title: str
    url: str
    source: str
    sources: int = 1


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A thing and what lies around it, as far as the reader may see it.

    name: as a chunk has it. documents: how many speak of it. neighbours: surest first. complete: whether these are all.
    """

    key: str
    kind: Kind
    name: str
    documents: int
    neighbours: tuple[Neighbour, ...]
    complete: bool = True
