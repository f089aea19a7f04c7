"""What a run did, as counts and notes."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal


@dataclass(slots=True)
class RunReport:
    """Filled while a run goes; shown at its end and kept with it.

    listed: documents the source has. added, changed, unchanged: what became of them.
    masked_anew: unchanged content that passed a newer masking.
    described: unchanged content, new title, place or ACL. renamed: found again under another path.
    hidden: missing from a complete listing, shown no more. purged: missing from a second one, gone.
    skipped: path and reason of what cannot be indexed. failed: path and reason of what may work next time.
    cut: path and reason of what was read in part.
    chunks: written. embedded: of those, how many needed the model; the others' vectors were known.
    held_back: documents that are missing but stayed, because they are too many to believe it.
    complete: whether the listing came to its end. dry_run: nothing was written.
    readdressed: documents that admit others than before. unreadable: path and reason of what admits nobody, because
    the source did not let its permissions be read. requests: made to the source, repeated ones included.
    permissions: nothing else was done. embedder: the model. tokens: that it read. stages: seconds, by what was done.
    seconds: wall time. masking: version of the masker that the notes passed.
    reason: why it has failed, was broken off, or has to be looked at; empty where there is nothing to say.
    connected: unchanged documents whose part of the knowledge graph was made anew.
    names: of a dry run, the paths of the documents by what would become of them, each under the name of its count.
    """

    source: str
    listed: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    masked_anew: int = 0
    described: int = 0
    renamed: int = 0
    hidden: int = 0
    purged: int = 0
    chunks: int = 0
    embedded: int = 0
    held_back: int = 0
    complete: bool = False
    dry_run: bool = False
    seconds: float = 0.0
    readdressed: int = 0
    requests: int = 0
    permissions: bool = False
    embedder: str = ""
    tokens: int = 0
    connected: int = 0
    reason: str = ""
    stages: dict[str, float] = field(default_factory=dict)
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    masking: str = ""
    skipped: list[tuple[str, str]] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    cut: list[tuple[str, str]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=dict)

    @property
    def outcome(self) -> Literal["done", "attention", "failed"]:
        """How a pass that came to its end ended: `attention` when an operator has to look at it, `failed` when none of
        the documents could be read."""
        read = self.added + self.changed + self.unchanged + self.masked_anew + self.described
        if self.failed and not read:
            return "failed"
        return "attention" if self.held_back else "done"

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
