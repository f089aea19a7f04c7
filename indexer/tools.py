"""What a pass over a source works with, how it goes, and how far it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from domain.documents import ParsedFile, Refusal
from domain.masking import Masker
from domain.ports import AccessWriter, Embedder, KnowledgeWriter, TokenCounter
from indexer.annotation import Annotator
from indexer.chunk import ChunkLimits
from indexer.plain_annotator import PlainAnnotator


class FileParser(Protocol):
    """Raw bytes to blocks; see indexer.parse.sandbox.ParserPool."""

    async def parse(self, raw: bytes, name: str, media_type: str = "") -> ParsedFile:
        """The file's structure. Raises Refused when it has none that we can read."""


class Writer(KnowledgeWriter, Protocol):
    """A KnowledgeWriter with upkeep."""

    async def refusals(self, source: str) -> dict[str, Refusal]:
        """What of `source` was refused, by external id."""

    async def keep_refusals(self, source: str, refused: Mapping[str, Refusal], *, whole: bool) -> None:
        """Remembers what was refused. whole: that is all there is of the source."""

    async def tidy(self) -> bool:
        """Merges what is due; may run while the writer is used."""

    async def finish(self) -> None:
        """Merges and builds what a finished run calls for."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What a pass works with. masker: takes secrets out of all that is kept. access: keeps what the source says of whom
    it admits. annotator: reads texts for the knowledge graph; None: there is to be no graph. reading: what decides,
    beside a document's own version, whether it can be read, such as the largest size."""

    writer: Writer
    embedder: Embedder
    counter: TokenCounter
    parser: FileParser
    masker: Masker
    access: AccessWriter
    limits: ChunkLimits = field(default_factory=ChunkLimits)
    annotator: Annotator | None = field(default_factory=PlainAnnotator)
    reading: str = ""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a pass goes.

    since: leave alone what is indexed and older, as its source says; a source that can tell what changed is not listed
    as a whole then. document: index the document of this id alone. names: the same of those of these external ids, keys
    or URLs, also where the index does not have them yet; for sources that can look at one document, and do not read
    their people then.
    permissions: only read anew whom documents admit, and hide those that are missing; of texts, those that hold what is
    not for all of their readers any more; nothing is done where the source does not say of each whom it admits.
    dry_run: write nothing. prune_max_share, prune_confirmed: see indexer.prune.
    """

    since: datetime | None = None
    document: str | None = None
    names: tuple[str, ...] = ()
    permissions: bool = False
    dry_run: bool = False
    prune_max_share: float = 0.2
    prune_confirmed: bool = False

    @property
    def single(self) -> bool:
        """Whether it is about single documents."""
        return self.document is not None or bool(self.names)


@dataclass(frozen=True, slots=True)
class Step:
    """How far a pass is. total: documents to look at, 0 while it is not known. chunks: written so far."""

    doing: str
    done: int = 0
    total: int = 0
    chunks: int = 0
