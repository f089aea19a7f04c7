"""What administrators see over HTTP, as types."""

from datetime import date, datetime

from bot.web.models import Body


class SourceBody(Body):
    """A source, as far as the caller may read it."""

    name: str
    documents: int
    updated_at: datetime | None


class Sources(Body):
    """The sources of the index."""

    sources: tuple[SourceBody, ...]


class ProgressBody(Body):
    """How far a run is. total: documents to look at; 0 while it is not known."""

    doing: str
    done: int
    total: int


class RunBody(Body):
    """An index run, without names of documents."""

    id: int
    source: str
    kind: str
    state: str
    reason: str
    counts: str
    started_at: datetime
    finished_at: datetime | None
    progress: ProgressBody | None
    """While it goes, as it was noted last."""


class Runs(Body):
    """The latest index runs, newest first."""

    runs: tuple[RunBody, ...]


class Queued(Body):
    """Whether a reading was queued; false where the same one waits already."""

    queued: bool


class GapDocument(Body):
    """A document near a gap that the caller may read."""

    title: str
    url: str
    path: str
    owner: str
    document_id: str


class GapBody(Body):
    """Questions that ask for the same thing, and have no whole answer."""

    size: int
    example: str
    numbers: tuple[int, ...]
    unanswered: int
    partly: int
    badly_rated: int
    private: int
    latest: datetime
    reasons: tuple[str, ...]
    nearest: tuple[GapDocument, ...]


class Gaps(Body):
    """The largest gaps first."""

    since: datetime
    questions: int
    gaps: tuple[GapBody, ...]


class Waits(Body):
    """Waiting times in milliseconds; null where nobody asked."""

    p50: int | None
    p95: int | None


class VoteCounts(Body):
    """VoteCounts on replies."""

    up: int
    down: int


class DayStats(Body):
    """How the service was used on one day, in UTC."""

    day: date
    questions: int
    outcomes: dict[str, int]
    wait_ms: Waits
    requests: int
    tokens: int
    masked: int
    """Values that were masked in questions and replies."""
    votes: VoteCounts


class Stats(Body):
    """How the service was used."""

    since: datetime
    questions: int
    people: int
    private: int
    platforms: dict[str, int]
    outcomes: dict[str, int]
    wait_ms: Waits
    requests: int
    tokens: int
    quality: float | None
    scored: int
    votes: VoteCounts
    days: tuple[DayStats, ...]
    """Each day of them, oldest first."""
