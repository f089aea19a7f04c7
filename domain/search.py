"""A search as values: what is asked, what comes back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

from domain.cosine_scale import COMMON_SCALE, CosineScale
from domain.documents import BlockKind, Span
from domain.text.tokens import Stemming

if TYPE_CHECKING:  # who only reads what is indexed needs no vectors
    import numpy as np
    from numpy.typing import NDArray

Retrieval = Literal["lexical", "dense"]
"""A way of retrieving that gives a ranking of its own."""

Ranking = Literal["lexical", "dense", "graph"]
"""A list that a result may have a place in: of a retrieval, or what the knowledge graph leads to."""

Method = Literal["hybrid+graph", "hybrid", "lexical", "dense", "graph"]
"""What a caller may ask for: one list, the fusion of both retrievals, or of these and the knowledge graph."""


NameField = Literal["sources", "labels", "spaces", "documents", "titles"]
"""A field of `Filters` that holds names."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Narrows a search to some documents; empty fields do not narrow. Values within a field are alternatives."""

    sources: tuple[str, ...] = ()
    """Names of sources."""
    labels: tuple[str, ...] = ()
    """Any of these labels."""
    spaces: tuple[str, ...] = ()
    """Spaces or projects."""
    documents: tuple[str, ...] = ()
    """Document ids."""
    titles: tuple[str, ...] = ()
    """Parts of a title or path, case-insensitive."""
    since: datetime | None = None
    """Earliest date of the document's own, included."""
    until: datetime | None = None
    """Latest date, included."""

    def __bool__(self) -> bool:
        return self != Filters()

    @staticmethod
    def naming(
        names: Mapping[NameField, Sequence[str]], since: datetime | None = None, until: datetime | None = None
    ) -> "Filters":
        """Filters with these names, by field."""
        given: dict[str, Any] = {field: tuple(names.get(field, ())) for field in get_args(NameField)}
        return Filters(**given, since=since, until=until)

    @property
    def names(self) -> Mapping[NameField, tuple[str, ...]]:
        """The names in it, by field."""
        return {field: getattr(self, field) for field in get_args(NameField)}


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search."""

    text: str
    """The question's words, for lexical retrieval."""
    vector: "NDArray[np.float32] | None" = None
    """The question's vector, for dense retrieval, shape (dimensions,); None leaves dense out."""
    embedder: str = ""
    """Name of the model that made `vector`."""
    retrievals: tuple[Retrieval, ...] = ("lexical", "dense")
    """The rankings wanted."""
    limit: int = 100
    """Hits in each ranking, at most."""
    filters: Filters = Filters()


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk in one ranking."""

    chunk_id: str
    document_id: str
    score: float
    """BM25 for lexical, cosine for dense; higher is better."""


@dataclass(frozen=True, slots=True)
class Hits:
    """What each retrieval found."""

    rankings: Mapping[Retrieval, tuple[Hit, ...]]
    """By retrieval, best first."""
    scores: Mapping[Retrieval, Mapping[str, float]] = field(default_factory=dict)
    """By retrieval and chunk id: what it makes of every chunk in any ranking, also of those that another retrieval
    brought in. 0 for lexical means that no word is shared."""
    term_idf: Mapping[str, float] = field(default_factory=dict)
    """The weight of each of the question's terms in this index (BM25's idf). A term that no chunk holds has the highest
    weight possible."""
    stemming: Stemming = "english"
    """How the terms of `term_idf` were made."""
    coverage: Mapping[str, float] = field(default_factory=dict)
    """By chunk id, of every chunk in any ranking: the share of the weight of the question's terms, each counted once,
    that the chunk holds, 0 to 1."""
    scale: CosineScale = COMMON_SCALE
    """What the scores of `dense` mean."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as a reader gets it, with what is needed to cite it."""

    chunk_id: str
    document_id: str
    ordinal: int
    title: str
    url: str
    path: str
    source: str
    heading_path: tuple[str, ...]
    text: str
    kind: BlockKind
    span: Span
    updated_at: datetime | None
    vector: "NDArray[np.float32]" = field(repr=False, compare=False)
    """The chunk's own vector, L2-normalised."""
    before: tuple[str, ...] = ()
    """Texts of the chunks before it in the document, the nearest last."""
    after: tuple[str, ...] = ()
    """Texts of the chunks after it, the nearest first."""
    author: str = ""
    injection: str | None = None
    """What sort of text addressed to machines it holds, see domain.injection; empty: none was found; None: nobody has
    looked yet."""


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document as a reader may see it listed."""

    document_id: str
    title: str
    url: str
    path: str
    source: str
    author: str
    updated_at: datetime | None
    chunks: int
    """How many parts of it the reader may see."""
    score: float = 1.0
    """How well it fits what was looked for, 0 to 1."""


@dataclass(frozen=True, slots=True)
class GrepRequest:
    """A search by pattern."""

    pattern: str
    """A regular expression in RE2's syntax, of 1 to MAX_PATTERN characters; `^` and `$` mean lines."""
    ignore_case: bool = False
    """Whether upper and lower case letters match each other."""
    limit: int = 50
    """Matching lines wanted, at most."""
    filters: Filters = Filters()
    """Which documents are searched."""


MAX_PATTERN = 512
"""Characters of a pattern."""


@dataclass(frozen=True, slots=True)
class GrepHit:
    """A matching line."""

    chunk_id: str
    document_id: str
    path: str
    line: int
    """Its number in the document, from 1; 0 where the format has none."""
    text: str
    """The line itself."""
    start: int
    """Where the match begins in `text`, in characters."""
    end: int
    """Where it ends, exclusive."""


@dataclass(frozen=True, slots=True)
class GrepResult:
    """What a pattern found."""

    hits: tuple[GrepHit, ...]
    """By document path, then line."""
    read: int
    """How many chunks had their text looked at."""
    complete: bool
    """Whether nothing was left out by a limit on matches, chunks or bytes."""


@dataclass(frozen=True, slots=True)
class Proposition:
    """A sentence-level unit that matches."""

    chunk_id: str
    document_id: str
    start: int
    """Where it begins in its chunk's text, in characters."""
    end: int
    """Where it ends, exclusive."""
    score: float
    """Cosine with the question."""
