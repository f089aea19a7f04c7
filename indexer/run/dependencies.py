"""What an index run works with, its options, and how far it is."""

from dataclasses import dataclass, field
from datetime import datetime

from domain.index_ports import AccessWriter, KnowledgeWriter
from domain.masking import Masker
from domain.model_ports import Embedder, TokenCounter
from indexer.chunking.packer import ChunkLimits
from indexer.graph.annotation import Annotator
from indexer.graph.plain_annotator import PlainAnnotator
from indexer.parse.sandbox import FileParser


@dataclass(frozen=True, slots=True)
class RunDependencies:
    """What an index run works with."""

    writer: KnowledgeWriter
    embedder: Embedder
    counter: TokenCounter
    parser: FileParser
    masker: Masker
    """Takes secrets out of all that is kept."""
    access: AccessWriter
    """Keeps what the source says of who may read its documents."""
    limits: ChunkLimits = field(default_factory=ChunkLimits)
    annotator: Annotator | None = field(default_factory=PlainAnnotator)
    """Reads texts for the knowledge graph; None: there is to be no graph."""
    reading: str = ""
    """What decides, beside a document's own version, whether it can be read, such as the largest size."""

    chunks_at_once: int = 192
    """Chunks embedded together: enough that batches of equal length fill, few enough that a kill costs seconds."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What an index run is about."""

    since: datetime | None = None
    """Leave alone what is indexed and older, as its source says. A source that can tell what changed is asked for that
    alone."""
    document: str | None = None
    """Index the document of this id alone."""
    names: tuple[str, ...] = ()
    """Index the documents of these external ids, keys or URLs alone, also where the index does not have them yet. Only
    for a SingleSource; who the people are is not read then."""
    permissions: bool = False
    """Only read anew who may read the documents, and hide those that are missing. Texts are read only where they hold
    something that is not for all of their readers any more, where the document lies elsewhere by now, or where it has
    further readers and may have another text. Nothing is done for a source that states no permissions."""
    dry_run: bool = False
    """Write nothing."""
    prune_max_share: float = 0.2
    """Share of the shown documents, 0 to 1, that may go missing at once; see indexer.run.prune."""
    prune_confirmed: bool = False
    """An operator knows that more are gone."""

    @property
    def single(self) -> bool:
        """Whether it is about single documents."""
        return self.document is not None or bool(self.names)


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far an index run is."""

    doing: str
    """In words, such as `indexing`."""
    done: int = 0
    total: int = 0
    """Documents to look at; 0 while it is not known."""
    chunks: int = 0
    """Written so far."""
