"""A search as values: what is asked, what comes back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from domain.documents import BlockKind, Span
from domain.text.tokens import Stemming

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
    """Narrows a search to some documents; empty fields do not narrow. Values within a field are alternatives.

    sources: names of sources. labels: any of them. spaces: spaces or projects.
    documents: document ids. titles: part of a title or path, case-insensitive.
    since, until: bounds on the documents' own dates, both included.
    """

    sources: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None

    def __bool__(self) -> bool:
        return self != Filters()

    @staticmethod
    def naming(names: Mapping[NameField, Sequence[str]]) -> "Filters":
        """Filters with names alone, by field."""
        sources, labels, spaces, documents, titles = (tuple(names.get(each, ())) for each in get_args(NameField))
        return Filters(sources, labels, spaces, documents, titles)

    @property
    def names(self) -> Mapping[NameField, tuple[str, ...]]:
        """The names in it, by field."""
        return {
            "sources": self.sources,
            "labels": self.labels,
            "spaces": self.spaces,
            "documents": self.documents,
            "titles": self.titles,
        }


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search.

    text: the question's words, for lexical retrieval.
    vector: the question's vector, for dense retrieval, shape (dimensions,); None leaves dense out.
    embedder: name of the model that made `vector`.
    retrievals: the rankings wanted.
    limit: hits in each ranking, at most.
    """

    text: str
    vector: NDArray[np.float32] | None = None
    embedder: str = ""
    retrievals: tuple[Retrieval, ...] = ("lexical", "dense")
    limit: int = 100
    filters: Filters = Filters()


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk in one ranking. score: BM25 for lexical, cosine for dense; higher is better."""

    chunk_id: str
    document_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Hits:
    """What each retrieval found.

    rankings: best first. scores: what each retrieval makes of every chunk in any ranking, by chunk id: also of those
    that another retrieval brought in (0 for lexical means that no word is shared).
    term_idf: the weight of each of the question's terms in this index (BM25's idf); a term that no chunk holds
    has the highest weight possible. stemming: how those terms were made.
    """

    rankings: Mapping[Retrieval, tuple[Hit, ...]]
    scores: Mapping[Retrieval, Mapping[str, float]] = field(default_factory=dict)
    term_idf: Mapping[str, float] = field(default_factory=dict)
    stemming: Stemming = "english"


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as a reader gets it, with what is needed to cite it.

    before, after: the neighbouring chunks' texts in the same document, nearest to the chunk last and first.
    vector: the chunk's own vector, L2-normalised.
    """

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
    vector: NDArray[np.float32] = field(repr=False, compare=False)
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    author: str = ""


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document as a reader may see it listed.

    chunks: how many parts of it the reader may see. score: how well it fits what was looked for, 0 to 1.
    """

    document_id: str
    title: str
    url: str
    path: str
    source: str
    author: str
    updated_at: datetime | None
    chunks: int
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class GrepRequest:
    """A search by pattern.

    pattern: a regular expression in RE2's syntax, of 1 to MAX_PATTERN characters; `^` and `$` mean lines.
    ignore_case: of letters. limit: matching lines wanted at most. filters: which documents.
    """

    pattern: str
    ignore_case: bool = False
    limit: int = 50
    filters: Filters = Filters()


MAX_PATTERN = 512
"""Characters of a pattern."""


@dataclass(frozen=True, slots=True)
class GrepHit:
    """A matching line.

    line: its number in the document, from 1; 0 where the format has none. text: the line itself.
    start, end: the match within `text`, in characters, end exclusive.
    """

    chunk_id: str
    document_id: str
    path: str
    line: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class GrepResult:
    """What a pattern found.

    hits: by document path, then line. read: chunks whose text was looked at. complete: whether nothing was left out
    by a limit on matches, chunks or bytes.
    """

    hits: tuple[GrepHit, ...]
    read: int
    complete: bool


@dataclass(frozen=True, slots=True)
class Proposition:
    """A sentence-level unit that matches. start, end: where in its chunk's text it stands; score: cosine."""

    chunk_id: str
    document_id: str
    start: int
    end: int
    score: float
