"""A reply from its first piece until all its sentences are settled."""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from agent.reasoner import SynthesisInput
from agent.replies.checked_stream import CheckedStream
from agent.replies.writer import ReplyWriter
from agent.state import CitedClaim, ReplyPiece
from domain.masking import MaskedText, Masker

Score = float | None

PART_CHARACTERS = 500
"""Of a reply that are held against its sources at one go."""


class OpenReply:
    """Joins what writes a reply and what shows it, and remembers what it is made of, so that it can be made once more
    from less.

    inputs: what it is made from. masker: for what leaves. stream: shows it; None for a reply that nobody sees while it
    is made. left_out: sentences of an earlier reply in whose place it stands. closed: see ReplyWriter.
    """

    def __init__(
        self,
        inputs: SynthesisInput,
        masker: Masker,
        stream: CheckedStream | None = None,
        *,
        left_out: Sequence[str] = (),
        closed: Collection[int] = (),
    ) -> None:
        self.inputs = inputs
        self._masker = masker
        self._stream = stream
        self.writer = ReplyWriter(inputs, masker, stream.hold if stream else _to_nobody, left_out, closed=closed)
        self._left_out = left_out
        self._pieces: list[ReplyPiece] = []
        self._scores: dict[tuple[str, ...], Score] = {}

    async def take(self, piece: ReplyPiece) -> None:
        """Takes the next piece, and shows what may be shown."""
        self._pieces.append(piece)
        for part in _parts(piece):
            self.writer.feed(part)
            await self.show()
            await asyncio.sleep(0)

    async def show(self) -> None:
        """Shows what may be shown and was not yet."""
        if self._stream:
            await self._stream.release()

    def settle(self, support: Sequence[Score], enough: float) -> list[str]:
        """See ReplyWriter."""
        self._scores |= {_key(claim): score for claim, score in zip(self.writer.questioned, support, strict=True)}
        return self.writer.settle(support, enough)

    def without(self, closed: Collection[int], enough: float) -> "OpenReply":
        """The same reply, each sentence held against what is still open. What was checked is not checked again.

        closed: positions in the evidence. enough: see ReplyWriter.
        """
        inputs = _of_what_is_open(self.inputs, closed)
        reply = OpenReply(inputs, self._masker, left_out=self._left_out, closed=closed)
        for piece in self._pieces:
            reply._pieces.append(piece)
            reply.writer.feed(piece)
        reply._scores = self._scores
        reply.settle([self._scores.get(_key(claim)) for claim in reply.writer.questioned], enough)
        return reply


def _of_what_is_open(inputs: SynthesisInput, closed: Collection[int]) -> SynthesisInput:
    """Without what was found out about closed documents beside others: a note on it would name them."""
    gone = {inputs.evidence[position - 1].passage.document_id for position in closed}
    return replace(
        inputs,
        parts=(),
        conflicts=tuple(each for each in inputs.conflicts if each.first not in closed and each.second not in closed),
        precedence={pair: said for pair, said in inputs.precedence.items() if gone.isdisjoint(pair)},
    )


def _key(claim: CitedClaim) -> tuple[str, ...]:
    return (claim.sentence, *(passage.chunk_id for passage in claim.passages))


def _parts(piece: ReplyPiece) -> Iterator[ReplyPiece]:
    """A piece of a model's words in parts of a few sentences; any other as it is. How words are parted changes nothing
    (see ReplyWriter), and between two parts others are served: a server may send all of a reply as one piece."""
    if piece.source or len(piece.text) <= PART_CHARACTERS:
        yield piece
        return
    yield replace(piece, text=piece.text[:PART_CHARACTERS])  # what is said of a piece holds before its words
    for place in range(PART_CHARACTERS, len(piece.text), PART_CHARACTERS):
        yield ReplyPiece(piece.text[place : place + PART_CHARACTERS], spare=piece.spare)


def _to_nobody(part: MaskedText) -> None:
    del part
