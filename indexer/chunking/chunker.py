"""Cuts documents into chunks, the parts of which each has one vector, at the places where a reader would cut."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby

from domain.documents import Block, BlockKind, Chunk, SourceDocument, compose
from domain.model_ports import TokenCounter
from indexer.chunking.headings import BETWEEN_HEADINGS, HeadingFitter
from indexer.chunking.packer import BlockSection, ChunkDraft, ChunkLimits, ChunkPacker
from indexer.chunking.pieces import MeasuredBlock, header_of, lead_in, measured_block, pieces, text_of
from indexer.chunking.token_lengths import MeasuredText, measure

CHUNKER_REVISION = 2
"""Raise it whenever the same document would give other chunks than before."""

_DEFAULT_LIMITS = ChunkLimits()


def chunking_fingerprint(limits: ChunkLimits) -> str:
    """Identifies what decides the chunks of a document beside its content; when it changes, documents are cut again."""
    return f"chunker-{CHUNKER_REVISION}-{limits.max_tokens}-{limits.target_tokens}-{limits.overlap_tokens}"


def chunk_document(
    document: SourceDocument, counter: TokenCounter, limits: ChunkLimits = _DEFAULT_LIMITS
) -> list[Chunk]:
    """The chunks of `document`, in order; none when nothing in it is visible.

    `counter` counts at most `limits.max_tokens` in the `embedded_text` of every chunk, and every word of the blocks
    is in one of them; a word is cut only when it alone is longer than a chunk. Blocks under one heading path are
    packed together. A span covers the lines that a chunk's text comes from, without a repeated header.
    """
    blocks = list(_with_headers(_visible(document.blocks)))
    texts = {document.title, BETWEEN_HEADINGS}  # every text that chunks are made of, measured in one call
    for block, header in blocks:
        texts.update((text_of(block), header, *block.heading_path))
    ordered = list(texts)
    measured = dict(zip(ordered, measure(ordered, counter), strict=True))
    heads = HeadingFitter(document.title, measured, limits.max_tokens // 2)

    @cache
    def heading(headings: tuple[str, ...]) -> MeasuredBlock:
        """A line of headings as a block. It has no span: the source has the headings above the sections."""
        line = heads.line(headings)
        return measured_block(Block(BlockKind.PROSE, line.text), line, MeasuredText("", [], [0]))

    packer = ChunkPacker(limits, heads.head, heading)
    drafts = packer.pack(_sections(blocks, measured, heads, limits))
    return [
        Chunk(
            document_id=document.document_id,
            ordinal=ordinal,
            title=draft.head.title,
            heading_path=draft.head.path,
            text=draft.text,
            kind=draft.kind,
            span=draft.span,
            acl=document.acl,
        )
        for ordinal, draft in enumerate(_verified(drafts, counter, limits.max_tokens))
    ]


def _visible(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks with visible text. The heading of a section without any becomes a block of the section above."""
    empty = {block.heading_path for block in blocks if not _shows(block)}
    depths = {len(path) for path in empty}
    shown = {
        block.heading_path[:depth]
        for block in blocks
        for depth in depths
        if depth < len(block.heading_path) or _shows(block)
    }
    for block in blocks:
        path = tuple(heading for heading in block.heading_path if heading.strip())
        if _shows(block):
            yield block
        elif path and block.heading_path not in shown:
            shown.add(block.heading_path)
            yield Block(BlockKind.PROSE, path[-1], path[:-1], block.span)


def _shows(block: Block) -> bool:
    return bool(block.text.strip() or block.header.strip())


def _with_headers(blocks: Iterable[Block]) -> Iterator[tuple[Block, str]]:
    """Each block with the text that its later parts repeat: of a list, the sentence that announces it."""
    before: Block | None = None
    for block in blocks:
        announced = before is not None and block.kind is BlockKind.LIST and before.heading_path == block.heading_path
        yield block, header_of(block) or (lead_in(before) if before is not None and announced else "")
        before = block


def _sections(
    blocks: Iterable[tuple[Block, str]], measured: dict[str, MeasuredText], heads: HeadingFitter, limits: ChunkLimits
) -> Iterator[BlockSection]:
    """Consecutive blocks with the same heading path, in pieces that fit into a chunk below these headings."""
    for path, group in groupby(blocks, key=lambda each: each[0].heading_path):
        room = limits.max_tokens - heads.head(path).size
        parts = tuple(
            piece
            for block, header in group
            for piece in pieces(measured_block(block, measured[text_of(block)], measured[header]), room)
        )
        yield BlockSection(path, parts, sum(piece.size for piece in parts))


def _verified(drafts: list[ChunkDraft], counter: TokenCounter, most: int) -> list[ChunkDraft]:
    """The drafts; one that has more tokens as a whole than the sum of its parts is divided until it fits."""
    unsure = drafts
    while unsure:
        texts = [compose(draft.head.title, draft.head.path, draft.text) for draft in unsure]
        divided = {
            id(draft): halves
            for draft, offsets in zip(unsure, counter.offsets(texts), strict=True)
            if len(offsets) > most and (halves := draft.halves())
        }
        drafts = [part for draft in drafts for part in divided.get(id(draft), (draft,))]
        unsure = [half for halves in divided.values() for half in halves]
    return drafts
