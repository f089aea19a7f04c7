"""Short forms for the tests of chunking: small chunks of blocks, and texts of so many tokens."""

from domain.access import ORG, Acl
from domain.documents import Block, BlockKind, Chunk, SourceDocument, Span
from indexer.chunking.chunker import chunk_document
from indexer.chunking.packer import ChunkLimits
from tests.fakes.embedder import HashEmbedder

PROSE, LIST, TABLE, CODE = BlockKind.PROSE, BlockKind.LIST, BlockKind.TABLE, BlockKind.CODE
SMALL = ChunkLimits(max_tokens=50, target_tokens=40, overlap_tokens=8)
COUNTER = HashEmbedder()  # words and punctuation marks


def document(*blocks: Block, title: str = "Guide") -> SourceDocument:
    return SourceDocument("docs", "guide.md", title, "https://x/guide", "guide.md", blocks, Acl.any_of(ORG), b"0" * 16)


def chunks(*blocks: Block, title: str = "Guide", limits: ChunkLimits = SMALL) -> list[Chunk]:
    made = chunk_document(document(*blocks, title=title), COUNTER, limits)
    sizes = [len(offsets) for offsets in COUNTER.offsets([chunk.embedded_text for chunk in made])]
    assert max(sizes, default=0) <= limits.max_tokens
    return made


def texts(*blocks: Block, title: str = "Guide", limits: ChunkLimits = SMALL) -> list[str]:
    return [chunk.text for chunk in chunks(*blocks, title=title, limits=limits)]


def words(count: int, name: str = "w") -> str:
    return " ".join(f"{name}{number}" for number in range(count))


def sentence(count: int, name: str) -> str:
    """A sentence of `count` tokens."""
    return f"The {words(count - 2, name)}."


def lined(kind: BlockKind, text: str, path: tuple[str, ...] = (), *, first: int = 1, header: str = "") -> Block:
    return Block(kind, text, path, Span(first, first + text.count("\n")), header)
