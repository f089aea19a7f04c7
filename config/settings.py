"""Every setting as a frozen value, one slice a package.

A field is named as its key in `kb.toml`; its environment variable is `KB_AGENT_` and that name in capitals. Meaning,
unit and default stand once, at the key in `default.toml`, which is complete: the product runs from that file alone.
None means "not set": an empty text in the file. docs/settings.md shows it all in one table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from config.bounds import Bounds, Count, NamedSecrets, Secret, Share
from config.chat import ConversationSettings, ServeSettings, SlackSettings, TeamsSettings, WebSettings
from config.schedule import ScheduleSettings


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where everything is kept."""

    data_dir: Path | None
    database_url: Secret | None
    database_direct_url: Secret | None
    database_owner_url: Secret | None
    database_read_url: Secret | None
    database_read_lag: Annotated[float, Bounds(0.5, 300)]
    database_pool: Count
    database_connect_seconds: float


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Which model turns text into vectors."""

    embedding_base_url: str | None
    embedding_api_key: Secret | None
    embedding_model: str | None
    embedding_query_prefix: str
    embedding_passage_prefix: str
    embedding_input_types: tuple[str, ...]
    embedding_threads: int


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How chunks are found and ranked."""

    lexical_stemming: Literal["english", "none"]
    search_candidates: Count
    fusion: Literal["learned", "normalised", "rrf"]
    fusion_lexical_weight: Share
    rrf_k: int
    fusion_graph_share: Share
    graph_walk: Literal["breadth_first", "page_rank"]
    graph_common: Count
    graph_similar: int
    diversity: Share
    posting_cache_mb: Annotated[int, Bounds(0, 100_000)]
    vector_exact_max: int
    vector_ef_search: Annotated[int, Bounds(1, 1000)]
    vector_max_scan: Count
    synonyms: Path | None


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """How documents are read and cut."""

    chunk_target_tokens: Count
    chunk_overlap_tokens: int
    index_propositions: bool
    index_graph: bool
    index_shared: bool
    graph_pipeline: str | None
    atlassian_patience: Annotated[float, Bounds(1, 3600)]
    max_file_mb: float
    parse_memory_mb: Count
    parse_seconds: float
    prune_max_share: Share
    fetch_allow: tuple[str, ...]
    fetch_max_mb: float
    fetch_seconds: float
    fetch_max_pages: Count
    fetch_delay: float
    golden: Path | None


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which language model thinks and writes; none: the offline reasoner."""

    llm_base_url: str | None
    llm_api_key: Secret | None
    llm_model: str | None
    llm_small_model: str | None
    llm_timeout: Annotated[float, Bounds(0.1)]
    llm_patience: float
    llm_temperature: Annotated[float, Bounds(0, 2)]
    llm_reasoning_effort: Literal["auto", "none", "minimal", "low", "medium", "high"]
    llm_reading_test: bool
    model_call_budget: Annotated[int, Bounds(1, 50)]
    model_cache_entries: int
    model_cache_days: Annotated[float, Bounds(0, 36_500)]


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """How the agent works; docs/agent.md lists what each switch costs."""

    mode: Literal["agentic", "direct"] | None
    use_adaptive_rag: bool
    max_iterations: Annotated[int, Bounds(1, 8)]
    grade_generate: Share
    grade_refine: Share
    early_stop: bool
    decomposition: bool
    hyde: bool
    graph_search: bool
    verification: bool
    grading_skip: bool
    expansion: bool
    expansion_depth: Annotated[int, Bounds(0, 3)]
    expansion_threshold: Share
    tool_calls: Annotated[int, Bounds(1, 50)]
    evidence_tokens: Annotated[int, Bounds(200)]
    otel: bool


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """What tools may reach beyond the index."""

    rerank: bool
    rerank_url: str | None
    rerank_api_key: Secret | None
    rerank_model: str | None
    rerank_candidates: Count
    rerank_minimum: Count
    rerank_blend: Share
    web_fetch_hosts: tuple[str, ...]
    web_search_url: str | None
    web_search_api_key: Secret | None
    read_folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """What an answer is made of."""

    answer_passages: Count
    answer_sentences: Count
    answer_min_relevance: Share


@dataclass(frozen=True, slots=True)
class MaskingRule:
    """A rule of the operator's own for what is masked; docs/security.md says how they are written."""

    name: str
    """Of the kind, as the mask shows it."""
    pattern: str
    """What is masked, in RE2's syntax: group 1 where there is one, else the whole match."""
    keywords: tuple[str, ...] = ()
    """One of them must occur before the pattern is tried; none: it is always tried."""


@dataclass(frozen=True, slots=True)
class MaskingSettings:
    """What is masked before it leaves, beside what always is."""

    mask_off: tuple[str, ...]
    mask_mailboxes: tuple[str, ...]
    mask_domains: tuple[str, ...]
    mask_values: tuple[str, ...]
    masking_rules: tuple[MaskingRule, ...]


@dataclass(frozen=True, slots=True)
class AccessSettings:
    """Who counts as a member."""

    email_domains: tuple[str, ...]
    acl_max_age: Annotated[float, Bounds(0.1, 8760)]
    acl_alert_age: Annotated[float, Bounds(0.1, 8760)]


@dataclass(frozen=True, slots=True)
class Settings:
    """All slices."""

    storage: StorageSettings
    embedding: EmbeddingSettings
    search: SearchSettings
    index: IndexSettings
    answer: AnswerSettings
    model: ModelSettings
    agent: AgentSettings
    tools: ToolSettings
    masking: MaskingSettings
    access: AccessSettings
    conversation: ConversationSettings
    serve: ServeSettings
    schedule: ScheduleSettings
    slack: SlackSettings
    teams: TeamsSettings
    web: WebSettings
    secrets: NamedSecrets = field(default_factory=NamedSecrets, compare=False)
    """Secrets of sources, by the names that their options use."""
    origins: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Where each setting comes from, by its key: a variable, or the key in a file."""
