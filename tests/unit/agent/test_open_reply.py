"""A reply that is made once more from less keeps what was found out about its sentences."""

import asyncio

import pytest

from agent.reasoner import SynthesisInput
from agent.replies.open_reply import OpenReply
from agent.state import ReplyPiece
from domain.answers import Question
from domain.masking import Masker
from tests.fakes.agent import MEMBER, a_passage, an_analysis, an_evidence

FED, UNFED, TONER = "The walrus is fed at noon.", "The walrus is not fed at noon.", "The toner costs 30 euros."
LOOSE = "Somebody cares for every walrus of that kind in the middle of a day."


async def a_reply(*pieces: ReplyPiece) -> OpenReply:
    evidence = (an_evidence(a_passage(FED, "care")), an_evidence(a_passage(TONER, "toner")))
    reply = OpenReply(SynthesisInput(Question("x", MEMBER), an_analysis(), (), evidence), Masker())
    for piece in pieces:
        await reply.take(piece)
    return reply


@pytest.mark.parametrize(
    ("score", "shown"), [(0.9, f"{FED} [1] {UNFED} [1]"), (0.5, f"{FED} [1]"), (None, f"{FED} [1]")]
)
async def test_what_was_settled_stays_so_without_another_check(score: float | None, shown: str) -> None:
    reply = await a_reply(ReplyPiece(f"{FED} [1] {UNFED} [1] {TONER} [2]"))
    reply.settle([score], 0.3)
    less = reply.without([2], 0.3)
    assert less.writer.questioned == ()
    assert less.writer.finish().text == shown
    assert reply.writer.finish().text == f"{shown} {TONER} [2]"


async def test_a_note_on_a_doubtful_sentence_stays() -> None:
    reply = await a_reply(ReplyPiece(f"{LOOSE} [1] {TONER} [2]"))
    reply.settle([0.1], 0.3)
    (note,) = reply.without([2], 0.3).writer.finish().notes
    assert LOOSE in note


async def test_an_excerpt_of_a_closed_source_goes_and_the_reply_can_be_made_from_less_again() -> None:
    reply = await a_reply(ReplyPiece(TONER, source=2), ReplyPiece(FED, source=1, confidence=0.5))
    less = reply.without([2], 0.3)
    assert less.writer.finish().text == f"{FED} [1]"
    least = less.without([1, 2], 0.3).writer.finish()
    assert (least.text, least.found) == ("", False)


async def test_a_long_piece_that_counts_only_where_nothing_else_may_be_shown_is_spare_to_its_end() -> None:
    spare = ReplyPiece(f"{TONER} [2] " * 60, spare=True)
    assert (await a_reply(ReplyPiece(f"{FED} [1]"), spare)).writer.finish().text == f"{FED} [1]"
    assert TONER in (await a_reply(spare)).writer.finish().text


async def test_others_are_served_while_a_long_reply_is_checked() -> None:
    turns, over = 0, asyncio.Event()

    async def other() -> None:
        nonlocal turns
        while not over.is_set():
            turns += 1
            await asyncio.sleep(0)

    serving = asyncio.create_task(other())
    await a_reply(ReplyPiece(f"{FED} [1] {TONER} [2] " * 50))
    over.set()
    await serving
    assert turns > 5
