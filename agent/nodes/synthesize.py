"""The reply, from the evidence alone."""

from collections.abc import Sequence
from dataclasses import replace

from agent.answer_context import AnswerContext, analysis_in
from agent.prompts.text import PASSAGE
from agent.reasoner import AnswerPart, SynthesisInput
from agent.replies.checked_stream import CheckedStream
from agent.replies.writer import ReplyWriter, WrittenReply
from agent.retrieval.selection import best_first, kept, select
from agent.state import AgentState, Analysis, Composition, Evidence, ReplyDraft, Update
from agent.wording import MORE_THAN_NAMED, writing_from

CHARACTERS_A_TOKEN = 4
"""Of English in the tokenizers of common models; only a bound is made of it."""


async def synthesize(state: AgentState, run: AnswerContext) -> Update:
    """Writes, and shows each sentence once its own checks have passed and its sources may still be read."""
    with run.recorder.stage("write", state.iteration):
        analysis = analysis_in(state)
        chosen = within(select(list(state.evidence.values()), analysis, run.options.top_k), run.options.evidence_tokens)
        inputs = SynthesisInput(state.question, analysis, parts_of(analysis, chosen), tuple(chosen))
        documents = len({item.passage.document_id for item in chosen})
        run.recorder.progress(writing_from(len(chosen), documents), 75, "write", state.iteration)
        # what an earlier reply has shown cannot be gone on with
        stream = CheckedStream(
            run.rights, [item.passage for item in chosen], run.recorder.write, withheld=bool(run.recorder.written)
        )
        writer = ReplyWriter(inputs, run.masker, stream.hold)
        pieces = []
        if chosen:
            async for piece in run.reasoner.synthesize(inputs):
                pieces.append(piece)
                writer.feed(piece)
                await stream.release()
        written = writer.finish()
        await stream.release()
        draft = _complete(written.draft, state, chosen)
        return {
            "draft": draft,
            "claims": written.claims,
            "chosen": tuple(item.key for item in chosen),
            "composition": Composition(tuple(chosen), tuple(pieces)),
        }


def composed(state: AgentState, analysis: Analysis, composition: Composition, run: AnswerContext) -> WrittenReply:
    """What becomes of a reply that was written before, when it is held against the evidence of the state alone."""
    closed = {place for place, item in enumerate(composition.evidence, start=1) if item.key not in state.evidence}
    inputs = SynthesisInput(state.question, analysis, (), composition.evidence)
    writer = ReplyWriter(inputs, run.masker, lambda _: None, closed=closed)
    for piece in composition.pieces:
        writer.feed(piece)
    written = writer.finish()
    chosen = [state.evidence[key] for key in state.chosen]
    return replace(written, draft=_complete(written.draft, state, chosen))


def _complete(draft: ReplyDraft, state: AgentState, chosen: Sequence[Evidence]) -> ReplyDraft:
    """The draft, with a note where there is more that it does not name."""
    return replace(draft, notes=(*draft.notes, MORE_THAN_NAMED)) if leaves_out(state, chosen) else draft


def leaves_out(state: AgentState, chosen: Sequence[Evidence]) -> bool:
    """Whether there is more that states an answer by itself than the reply is made from."""
    used = {item.key for item in chosen}
    return any(item.states and item.key not in used for item in kept(list(state.evidence.values())))


def within(chosen: list[Evidence], tokens: int) -> list[Evidence]:
    """As many of the best as fit into so many tokens; always one."""
    fitting: list[Evidence] = []
    room = tokens * CHARACTERS_A_TOKEN
    for item in chosen:
        room -= min(len(item.passage.text), PASSAGE)
        if room < 0 and fitting:
            break
        fitting.append(item)
    return fitting


def parts_of(analysis: Analysis, chosen: list[Evidence]) -> tuple[AnswerPart, ...]:
    """Each sub-question with its own evidence, best first; evidence that no sub-question has serves all."""
    position = {item.key: place for place, item in enumerate(chosen, start=1)}
    if len(analysis.sub_questions) == 1:
        return (AnswerPart(analysis.sub_questions[0], tuple(position.values())),)
    parts = []
    for sub in sorted(analysis.sub_questions, key=lambda each: (each.priority, each.number)):
        own = [item for item in chosen if sub.number in item.found_for or 0 in item.found_for]
        own = sorted(best_first(own), key=lambda item: -item.grades.get(sub.number, 0.0))
        parts.append(AnswerPart(sub, tuple(position[item.key] for item in own)))
    return tuple(parts)
