"""What a run did, as counts and notes."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal


@dataclass(slots=True)
class RunReport:
    """Filled while a run goes; shown at its end and kept with it. The names of the fields are those of the JSON."""

    source: str
    listed: int = 0
    """Documents that the source has."""
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    masked_anew: int = 0
    """Unchanged content that passed a newer masking."""
    described: int = 0
    """Unchanged content whose title, place or ACL changed."""
    renamed: int = 0
    """Found again under another path."""
    hidden: int = 0
    """Missing from a complete listing, and shown no more."""
    purged: int = 0
    """Missing from a second one, and removed."""
    chunks: int = 0
    """Written."""
    embedded: int = 0
    """Of the chunks, how many needed the model; the others' vectors were known."""
    held_back: int = 0
    """Missing documents that were kept, because more than prune_max_share vanished at once."""
    complete: bool = False
    """Whether the listing came to its end."""
    dry_run: bool = False
    """Nothing was written."""
    seconds: float = 0.0
    """Wall time."""
    readdressed: int = 0
    """Documents whose ACL changed."""
    requests: int = 0
    """Made to the source, repeated ones included."""
    permissions: bool = False
    """Whether permissions alone were read."""
    embedder: str = ""
    """Name of the model."""
    tokens: int = 0
    """That the model read."""
    connected: int = 0
    """Unchanged documents whose part of the knowledge graph was rebuilt."""
    reason: str = ""
    """Why it has failed, was broken off, or has to be looked at; else empty."""
    held: str = ""
    """Why the run was not published: the golden gate failed. Empty when published. Not related to held_back."""
    stages: dict[str, float] = field(default_factory=dict)
    """Seconds, by what was done."""
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason of what nobody may read, because the source did not let its permissions be read."""
    masking: str = ""
    """Version of the masker that the notes passed."""
    skipped: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason of what cannot be indexed."""
    failed: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason of what may work next time."""
    cut: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason of documents of which only a part was indexed."""
    missing: list[str] = field(default_factory=list)
    """Paths of the first hundred documents that were hidden, or kept although they are missing."""
    names: dict[str, list[str]] = field(default_factory=dict)
    """Of a dry run, the paths of the documents by what would become of them, each under the name of its count."""

    @property
    def outcome(self) -> Literal["done", "attention", "failed"]:
        """How a run that came to its end ended: `attention` when an operator has to look at it, as where some of the
        documents could not be read, `failed` when none of them could."""
        read = self.added + self.changed + self.unchanged + self.masked_anew + self.described
        if self.failed and not read:
            return "failed"
        return "attention" if self.held_back or self.held or self.failed else "done"

    def count(self, what: str, path: str) -> None:
        """One more document of which `what` became; `what` is the name of a count."""
        setattr(self, what, getattr(self, what) + 1)
        self.name(what, [path])

    def name(self, what: str, paths: Iterable[str]) -> None:
        """Keeps the paths of counted documents, in a dry run: a first reading would name all that there is."""
        if self.dry_run and (found := list(paths)):
            self.names.setdefault(what, []).extend(found)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "RunReport":
        """The report that `as_json` wrote, also one of an earlier release that counted less."""
        known = {each.name for each in fields(cls)}
        return cls(**{"source": "", **{name: value for name, value in values.items() if name in known}})

    def as_json(self) -> dict[str, object]:
        """The report as plain values."""
        return asdict(self)
