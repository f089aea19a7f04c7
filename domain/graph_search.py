"""What the knowledge graph leads to, as values: the ways there, and what lies around a thing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from domain.knowledge_graph import EntityType, RelationOrigin
from domain.search import Filters

MENTIONED = 0.6
"""Score of a passage that speaks of what is named, as surely as can be: less than one that is about it."""

STARTS = 5
"""Passages that speak of what is named from which a loose walk starts, too."""

Direction = Literal["out", "in"]
"""Whether a thing is the subject of a relation, or its object."""


@dataclass(frozen=True, slots=True)
class GraphRequest:
    """One walk through the graph."""

    text: str
    """Names the things to start from."""
    hits: Mapping[str, float] = field(default_factory=dict)
    """Chunks to start from as well, by id, with how good they are, 0 to 1."""
    vector: NDArray[np.float32] | None = None
    """The question's vector, by which a chunk of a reached document is chosen. None: its first chunk is taken."""
    filters: Filters = field(default_factory=Filters)
    hops: int = 2
    """How many steps the walk goes, 0 to 2."""
    limit: int = 20
    """How many chunks are wanted."""
    loose: bool = False
    """Whether names that are only similar count as well, and beside documents the chunks that speak of what is named or
    show relations of it: for a question about how things hang together."""


@dataclass(frozen=True, slots=True)
class GraphStep:
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
class RelatedChunk:
    """A chunk that the knowledge graph leads to."""

    chunk_id: str
    document_id: str
    score: float
    """How well it is reached, 0 to 1."""
    way: tuple[GraphStep, ...] = ()
    """The steps that lead there; none for what the text itself names."""
    cosine: float | None = None
    """Cosine of the chunk with the question's vector, where there is one."""
    stated_relations: tuple[GraphStep, ...] = ()
    """Relations that the chunk shows and that answer the text by themselves."""

    @property
    def how(self) -> str:
        """The way there, in words."""
        return ", ".join(map(str, self.way))


@dataclass(frozen=True, slots=True)
class StatedOwner:
    """Whom the metadata of a document names as its owner, author or the like."""

    name: str
    """As it stands there; it may be several names."""
    chunk_id: str
    document_id: str


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A thing at the other end of a relation."""

    key: str
    kind: EntityType
    name: str
    """Name as the chunk that shows the relation has it; of a document, its title where the reader may see it."""
    predicate: str
    direction: Direction
    confidence: float
    pattern: RelationOrigin
    chunk_id: str
    document_id: str
    title: str
    url: str
    source: str
    """Source of the document that shows it; so are `document_id`, `title` and `url`."""
    sources: int = 1
    """How many chunks show the relation."""


@dataclass(frozen=True, slots=True)
class EntityNeighbourhood:
    """A thing and what lies around it, as far as the reader may see it."""

    key: str
    kind: EntityType
    name: str
    """Name of the thing as a chunk has it."""
    documents: int
    """How many documents speak of it."""
    neighbours: tuple[Neighbour, ...]
    """Relations, the surest first."""
    complete: bool = True
    """Whether these are all neighbours."""
