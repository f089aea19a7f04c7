"""Whether the sources support what was written. What was shown stays: a doubt becomes a note. What was held back is
shown now, or left out."""

from collections.abc import Sequence
from dataclasses import replace

from agent.answer_context import AnswerContext, analysis_in
from agent.replies.open_reply import OpenReply
from agent.retrieval.selection import leaves_out
from agent.routing import after_verification
from agent.state import AgentState, CitedClaim, ReplyPiece, Update
from agent.wording import CHECKING, MORE_THAN_NAMED, MOSTLY_LEFT_OUT, NOTHING_SUPPORTED, counts_before, sources_differ
from domain.search import Passage
from domain.translation import translated


async def verify(state: AgentState, run: AnswerContext) -> Update:
    """Settles the sentences that the comparison with their sources doubts or disputes, and finishes the reply."""
    with run.recorder.stage("verify", state.iteration):
        reply = run.replies[-1]
        support = await _support(reply.writer.questioned, state, run)
        for line in reply.settle(support, run.options.support):
            run.recorder.say(line)
        draft = reply.writer.draft
        if draft.left_out:
            run.recorder.say(f"{len(draft.left_out)} sentences left out: no source that they cite says so")
        limits, searchable = run.options.limits, bool(state.plan)
        again = after_verification(draft, state.iteration, limits, searchable=searchable) == "plan"
        if reply.writer.lacks_most and not again:
            await _quote(reply, run, found=draft.found)
        differing = await _both_sides(reply)
        draft = reply.writer.finish()
        await reply.show()
        more = [MORE_THAN_NAMED] if leaves_out(state.evidence, state.chosen) else []
        told = " ".join(differing)
        replaced = {note: other for note, other in _replaced(reply, draft.passages) if note not in told}
        notes = (*draft.notes, *more, *differing, *replaced)
        return {"draft": replace(draft, notes=notes, named=(*differing.values(), *replaced.values()))}


async def _both_sides(reply: OpenReply) -> dict[str, Passage]:
    """Tells of each conflict of which the reply tells one side: what the reader is told, and a passage of the document
    that the note names. Where the reply tells what counts, the note says what the other one says; else the other side
    is quoted too."""
    told: dict[str, Passage] = {}
    for each in reply.inputs.conflicts:
        sides = [(each.first, each.first_sentence), (each.second, each.second_sentence)]
        shown = [reply.writer.rests_on(*side) for side in sides]
        first, second = (reply.inputs.evidence[position - 1].passage for position, _ in sides)
        if shown == [True, False] and each.reason:
            told[sources_differ(first, second, each.reason, each.second_sentence)] = second
        elif any(shown):
            for (source, sentence), known in zip(sides, shown, strict=True):
                if not known:
                    await reply.take(ReplyPiece(sentence, source=source))
            told[sources_differ(first, second, each.reason)] = second
    return told


def _replaced(reply: OpenReply, cited: Sequence[Passage]) -> list[tuple[str, Passage]]:
    """What the reader is told of cited documents that count before others of the evidence, or after them, and a passage
    of the other."""
    passages = {item.passage.document_id: item.passage for item in reply.inputs.evidence}
    documents = {passage.document_id for passage in cited}
    return [
        (counts_before(passages[first], passages[second], said), passages[first if second in documents else second])
        for (first, second), said in reply.inputs.precedence.items()
        if documents & {first, second}
    ]


async def _support(claims: Sequence[CitedClaim], state: AgentState, run: AnswerContext) -> Sequence[float | None]:
    """What the checker says of each, asked once for all of them; None for each where there is no checker."""
    if not (claims and run.options.features.verification):
        return [None] * len(claims)
    run.recorder.progress(translated(CHECKING), 90, "verify", state.iteration)
    support = await run.reasoner.check(analysis_in(state), claims)
    weak = sum(score is None or score < run.options.support for score in support)
    run.recorder.say(f"{len(claims) - weak} of {len(claims)} doubted sentences are supported")
    return support


async def _quote(reply: OpenReply, run: AnswerContext, *, found: bool) -> None:
    """Quotes the sources behind what is left of the reply, or in its place."""
    async for piece in run.reasoner.excerpts(reply.inputs, MOSTLY_LEFT_OUT if found else NOTHING_SUPPORTED):
        await reply.take(replace(piece, confidence=None) if found else piece)
