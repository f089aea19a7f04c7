"""What the pages to operate show, as types."""

from datetime import datetime

from bot.web.administering_models import RunBody
from bot.web.models import Body


class NextRun(Body):
    """When a source is read by the schedule."""

    job: str
    at: datetime
    why: str


class SourceCard(Body):
    """A source, how fresh it is, and when it is read next."""

    name: str
    kind: str
    documents: int
    hidden: int
    chunks: int
    state: str
    """Of the last reading of its content; empty where there was none."""
    ended_at: datetime | None
    done_at: datetime | None
    """When such a reading came to its end last."""
    reason: str
    """What is to be said of that reading."""
    held_back: int
    """Documents that were missing in it all at once, and stay."""
    permissions: str
    """How old is what the source says of rights; empty where it says nothing of them."""
    next_runs: tuple[NextRun, ...]


class VersionCard(Body):
    """An index version."""

    number: int
    embedder: str


class IndexCard(Body):
    """The index that answers now."""

    live: VersionCard
    documents: int
    chunks: int
    database_bytes: int
    previous: VersionCard | None
    held: VersionCard | None
    """The copy that a scheduled run was held back in."""
    golden_asked: int
    golden_failing: int
    golden_at: datetime | None


class Overview(Body):
    """How the index is."""

    index: IndexCard | None
    sources: tuple[SourceCard, ...]
    runs: tuple[RunBody, ...]
    jobs: tuple[str, ...]
    """Those of the schedule that can be started by hand."""
    takes_part: bool
    """Whether this process follows the schedule."""
    problems: tuple[str, ...]


class RunNote(Body):
    """All about one run that names no document."""

    run: RunBody
    seconds: float
    requests: int
    embedder: str
    tokens: int
    chunks: int
    stages: dict[str, float]


class DocumentChoice(Body):
    """A document that the administrator may read."""

    document_id: str
    title: str
    path: str
    source: str


class ClauseCard(Body):
    """A clause of an ACL: who reads the document is one of its principals."""

    principals: tuple[str, ...]
    met_by: tuple[str, ...]
    origin: str


class RightsCard(Body):
    """What somebody may see of a document, and why."""

    document: DocumentChoice
    person: str
    member: bool
    """Whether the address counts as the organisation's."""
    may_see: bool
    shown: bool
    """Whether the document is in the index, and not hidden."""
    known_as: tuple[str, ...]
    clauses: tuple[ClauseCard, ...]
    parts: int
    parts_met: int
    acl_at: datetime | None


class NeighbourCard(Body):
    """A thing at the other end of a relation, and the document that says so."""

    key: str
    kind: str
    name: str
    predicate: str
    leads_to: bool
    """Whether the relation leads from the thing in the middle to this one."""
    confidence: float
    passages: int
    title: str
    url: str
    source: str


class ThingCard(Body):
    """A thing of the knowledge graph, and what lies around it."""

    key: str
    kind: str
    name: str
    documents: int
    complete: bool
    neighbours: tuple[NeighbourCard, ...]


class SettingCard(Body):
    """A setting in force."""

    heading: str
    key: str
    variable: str
    meaning: str
    value: str
    origin: str
