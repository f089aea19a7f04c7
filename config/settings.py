"""Every setting as a frozen value, one slice a room.

A field's name in capitals behind `KB_AGENT_` is its environment variable; in lower case it is its key in
`kb.toml`. Its meaning, unit and default stand in `default.toml`, which is complete: the product runs from that
file alone.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

NO_LIMIT = 1e18


@dataclass(frozen=True, slots=True)
class Bounds:
    """What numbers a setting takes, both ends included; never an infinite one."""

    low: float
    high: float = NO_LIMIT

    def __str__(self) -> str:
        return f"of {self.low:g} or more" if self.high == NO_LIMIT else f"from {self.low:g} to {self.high:g}"


AT_LEAST_0 = Bounds(0)
Share = Annotated[float, Bounds(0, 1)]
Count = Annotated[int, Bounds(1)]


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that must not be shown: `reveal` is the only way to it."""

    _value: str

    def reveal(self) -> str:
        """The value itself, for the one call that needs it."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(…)"

    __str__ = __repr__


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where everything is kept."""

    data_dir: Path | None
    """Folder for the embedded database, caches and logs; None: the platform's data folder."""
    database_url: Secret | None
    """PostgreSQL 15+ with pgvector 0.8+; None: the embedded server."""
    database_pool: Count
    """Connections a process keeps open."""
    database_connect_seconds: float
    """How long to wait for a connection."""


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Which model turns text into vectors."""

    embedding_base_url: str | None
    """Base of an OpenAI-compatible API; None: the local MiniLM."""
    embedding_api_key: Secret | None
    """Key of that API."""
    embedding_model: str | None
    """Model name at that API."""
    embedding_threads: int
    """Threads of the local model; 0: as many as there are cores."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How chunks are found and ranked."""

    lexical_stemming: Literal["english", "none"]
    """Language whose word endings and stop words lexical search drops."""
    search_candidates: Count
    """Hits taken from each ranking before fusion."""
    fusion: Literal["normalised", "rrf"]
    """Convex sum of min-max normalised scores, or weighted reciprocal rank fusion."""
    fusion_lexical_weight: Share
    """Weight of the lexical ranking, 0 to 1; dense has the rest."""
    rrf_k: int
    """The k of reciprocal rank fusion."""
    diversity: Share
    """Maximal marginal relevance: 0 off, up to 1 for diversity alone."""
    vector_exact_max: int
    """Up to this many permitted chunks, every vector is compared; above, the HNSW index is used."""
    vector_ef_search: Annotated[int, Bounds(1, 1000)]
    """Size of HNSW's candidate list."""
    vector_max_scan: Count
    """Index entries that a filtered HNSW search may visit."""


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """How documents are read and cut."""

    chunk_target_tokens: Count
    """Length that chunks aim at, in the embedding model's tokens."""
    chunk_overlap_tokens: int
    """Tokens that neighbouring chunks of one section share at most."""
    max_file_mb: float
    """Larger files are reported and skipped, in megabytes."""
    parse_memory_mb: Count
    """Memory of the parsing child process, in megabytes."""
    parse_seconds: float
    """Time to parse one file."""
    prune_max_share: Share
    """Share of a source's documents that may vanish in one run before pruning stops and asks, 0 to 1."""
    fetch_allow: tuple[str, ...]
    """Hosts and networks that may be fetched although they are private, or on another port."""
    fetch_max_mb: float
    """Largest page that is fetched, in megabytes."""
    fetch_seconds: float
    """Time to fetch one page."""
    fetch_max_pages: Count
    """Pages taken from one sitemap."""
    fetch_delay: float
    """Seconds between two pages of one site."""


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """What an answer is made of."""

    answer_passages: Count
    """Passages that an answer is drawn from."""
    answer_sentences: Count
    """Sentences quoted at most."""
    answer_min_relevance: Share
    """Below this relevance of the best passage, 0 to 1, the reply is "not found"."""


@dataclass(frozen=True, slots=True)
class AccessSettings:
    """Who counts as a member."""

    email_domains: tuple[str, ...]
    """Domains whose addresses belong to the organisation; empty: any."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All slices."""

    storage: StorageSettings
    embedding: EmbeddingSettings
    search: SearchSettings
    index: IndexSettings
    answer: AnswerSettings
    access: AccessSettings
