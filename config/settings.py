"""Every setting as a frozen value, one slice a room.

A field's name in capitals behind `KB_AGENT_` is its environment variable; in lower case it is its key in
`kb.toml`. Its meaning, unit and default stand in `default.toml`, which is complete: the product runs from that
file alone.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from config.bounds import Bounds, Count, NamedSecrets, Secret, Share
from config.chat import ConversationSettings, ServeSettings, SlackSettings, TeamsSettings
from config.schedule import ScheduleSettings


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where everything is kept."""

    data_dir: Path | None
    """Folder for the embedded database, caches and logs; None: the platform's data folder."""
    database_url: Secret | None
    """PostgreSQL 15+ with pgvector 0.8+; None: the embedded server."""
    database_direct_url: Secret | None
    """The same database without the pooler that `database_url` leads through, where that lends connections by the
    transaction; for LISTEN, locks of sessions and migrations. None: there is no such pooler."""
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
    fusion_graph_share: Share
    """Share of the knowledge graph, 0 to 1; the rankings have the rest, and all where it leads nowhere."""
    graph_walk: Literal["breadth_first", "page_rank"]
    """Decay with every hop, or personalised PageRank on the neighbourhood."""
    graph_common: Count
    """Names that more documents speak of lead nowhere."""
    graph_similar: int
    """Chunks nearest in meaning to each of the first results that count as its neighbours."""
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
    index_propositions: bool
    """Index single sentences too, for proposition_search."""
    index_graph: bool
    """Make a knowledge graph of what documents speak of."""
    graph_pipeline: str | None
    """spaCy pipeline that reads texts for the graph; None: rules of our own."""
    atlassian_patience: Annotated[float, Bounds(1, 3600)]
    """Seconds that Confluence or Jira have for one request, its repetitions included."""
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
    golden: Path | None
    """File of golden questions that a whole new index has to answer as well as the old one; None: none are asked."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which language model thinks and writes; none: the offline reasoner."""

    llm_base_url: str | None
    """Base of an OpenAI-compatible API; None: OpenAI's own, once a model is named."""
    llm_api_key: Secret | None
    """Key of that API."""
    llm_model: str | None
    """Model that writes; None: no model at all."""
    llm_small_model: str | None
    """Model that analyses, plans and grades; None: the same."""
    llm_timeout: Annotated[float, Bounds(0.1)]
    """Seconds for one reply, its first word included. After one that takes longer, no other is asked for in the same
    answer."""
    llm_patience: float
    """Seconds of one answer that failing requests, and tries again, may take."""
    llm_temperature: Annotated[float, Bounds(0, 2)]
    """Of what is written; everything else is asked at 0."""
    model_call_budget: Annotated[int, Bounds(1, 50)]
    """Requests to the model in one answer, retries included."""
    model_cache_entries: int
    """Replies of the model that are kept; 0 keeps none."""
    model_cache_days: Annotated[float, Bounds(0)]
    """Days for which they are kept."""


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """How the agent works; docs/agent.md lists what each switch costs."""

    mode: Literal["agentic", "direct"] | None
    """Search until the evidence is good enough, or once; None: as use_adaptive_rag says."""
    use_adaptive_rag: bool
    """False means direct; `mode` wins where both are set."""
    max_iterations: Annotated[int, Bounds(1, 8)]
    """Passes of search, never exceeded."""
    grade_generate: Share
    """Average grade of the evidence from which an answer is written."""
    grade_refine: Share
    """Average grade below which another strategy is tried."""
    early_stop: bool
    """A pass that brought nothing of use is the last."""
    decomposition: bool
    """Take questions apart."""
    hyde: bool
    """Embed a hypothetical answer of vague questions."""
    graph_search: bool
    """Search through the knowledge graph, in every search and as a tool."""
    verification: bool
    """Let the reasoner check cited sentences."""
    grading_skip: bool
    """Do not grade evidence that is conclusive."""
    expansion: bool
    """Search on from the names in what was found."""
    expansion_depth: Annotated[int, Bounds(0, 3)]
    """How often."""
    expansion_threshold: Share
    """Grade that evidence needs for that."""
    tool_calls: Annotated[int, Bounds(1, 50)]
    """Calls of tools in one answer."""
    evidence_tokens: Annotated[int, Bounds(200)]
    """Tokens of evidence in one prompt."""
    otel: bool
    """Report stages as OpenTelemetry spans."""


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """What tools may reach beyond the index."""

    rerank: bool
    """Rank candidates a second time."""
    rerank_url: str | None
    """A `/rerank` endpoint; None: the local model's token vectors."""
    rerank_api_key: Secret | None
    """Key of that endpoint."""
    rerank_model: str | None
    """Model at that endpoint."""
    rerank_candidates: Count
    """Candidates looked at twice."""
    rerank_minimum: Count
    """Fewer candidates are not reranked."""
    rerank_blend: Share
    """Weight of the reranker's score against retrieval's."""
    web_fetch_hosts: tuple[str, ...]
    """Hosts whose pages may be fetched while answering."""
    web_search_url: str | None
    """Search endpoint with a JSON API."""
    web_search_api_key: Secret | None
    """Key of that endpoint."""
    read_folders: tuple[str, ...]
    """Folders whose files may be read while answering."""


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
    """Kinds that are left alone; `kb mask --kinds` lists them."""
    mask_mailboxes: tuple[str, ...]
    """Local parts of addresses that may be shown, beside those of offices that always may."""
    mask_domains: tuple[str, ...]
    """Domains whose e-mail addresses may be shown."""
    mask_values: tuple[str, ...]
    """Values that may be shown wherever they stand."""
    masking_rules: tuple[MaskingRule, ...]
    """Further rules, for secrets of the operator's own."""


@dataclass(frozen=True, slots=True)
class AccessSettings:
    """Who counts as a member."""

    email_domains: tuple[str, ...]
    """Domains whose addresses belong to the organisation; empty: any."""
    acl_max_age: Annotated[float, Bounds(0.1, 8760)]
    """Hours after which permissions that could not be read again hide the documents of a source; such as Confluence."""
    acl_alert_age: Annotated[float, Bounds(0.1, 8760)]
    """Hours after which kb status warns of them."""


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
    secrets: NamedSecrets = field(default_factory=NamedSecrets, compare=False)
    """Secrets of sources, by the names that their options use."""
