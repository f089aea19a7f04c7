"""The reply, from the evidence alone."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace

from agent.answer_context import AnswerContext, analysis_in
from agent.checking.conflicts import Conflict, find_conflicts
from agent.prompts.text import PASSAGE, in_prompt
from agent.reasoner import AnswerPart, SynthesisInput
from agent.replies.checked_stream import CheckedStream
from agent.replies.open_reply import OpenReply
from agent.retrieval.selection import best_first, select
from agent.state import AgentState, Analysis, Evidence, ReplyPiece, Update
from agent.wording import NOTHING_SUPPORTED, writing_from
from domain.errors import KbError
from domain.knowledge_graph import Precedence

CHARACTERS_A_TOKEN = 4
"""Of English in the tokenizers of common models; only a bound is made of it."""


async def synthesize(state: AgentState, run: AnswerContext) -> Update:
    """Writes, and shows each sentence once its own checks have passed and its sources may still be read. What is
    disputed waits for `verify`, and what follows it, too."""
    with run.recorder.stage("write", state.iteration):
        analysis = analysis_in(state)
        chosen = within(select(list(state.evidence.values()), analysis, run.options.top_k), run.options.evidence_tokens)
        parts = parts_of(analysis, chosen)
        precedence = await _precedence(chosen, state, run)
        conflicts = _conflicts(parts, chosen, precedence)
        for each in conflicts:
            run.recorder.say(f"sources {each.first} and {each.second} differ ({each.difference})")
        sure = state.grading.confidence if state.grading else None
        inputs = SynthesisInput(state.question, analysis, parts, tuple(chosen), conflicts, precedence, sure)
        documents = len({item.passage.document_id for item in chosen})
        if chosen:
            run.recorder.progress(writing_from(len(chosen), documents), 75, "write", state.iteration)
        keys = tuple(item.key for item in chosen)
        # without new evidence, the same reply would fail again
        again = state.draft and not state.anew and set(keys) <= set(state.chosen)
        failed = state.draft.left_out if state.draft and again else ()
        if failed:
            run.recorder.say("nothing new was found: the sources are quoted")
        # a reply cannot continue what an earlier one has shown
        stream = CheckedStream(
            run.rights, [item.passage for item in chosen], run.recorder.write, withheld=bool(run.recorder.written)
        )
        reply = OpenReply(inputs, run.masker, stream, left_out=failed)
        run.replies.append(reply)
        if chosen:
            async for piece in _pieces(inputs, run, again=bool(failed)):
                await reply.take(piece)
        return {"chosen": keys}


async def _precedence(
    chosen: Sequence[Evidence], state: AgentState, run: AnswerContext
) -> Mapping[tuple[str, str], Precedence]:
    """Which of the documents count before which. Of two that say so of each other neither does, and none that holds
    text to machines puts itself before another."""
    documents = {item.passage.document_id for item in chosen}
    if len(documents) < 2 or not run.graph:
        return {}
    try:
        said = await run.graph.precedence(documents, state.question.scope)
    except KbError as error:  # without it, dates decide
        run.recorder.say(f"which documents replace which could not be read: {error.what}")
        return {}
    marked = {item.passage.document_id for item in state.evidence.values() if item.passage.injection}
    return {pair: how for pair, how in said.items() if pair[::-1] not in said and pair[0] not in marked}


def _conflicts(
    parts: Sequence[AnswerPart], chosen: Sequence[Evidence], precedence: Mapping[tuple[str, str], Precedence]
) -> tuple[Conflict, ...]:
    """What the evidence of each part says differently, each two sentences once."""
    found: dict[frozenset[str], Conflict] = {}
    for part in parts:
        passages = [chosen[position - 1].passage for position in part.items]
        for each in find_conflicts(passages, part.sub_question.text, precedence):
            both = replace(each, first=part.items[each.first], second=part.items[each.second])
            found.setdefault(frozenset((each.first_sentence, each.second_sentence)), both)
    return tuple(found.values())


def _pieces(inputs: SynthesisInput, run: AnswerContext, *, again: bool) -> AsyncIterator[ReplyPiece]:
    return run.reasoner.excerpts(inputs, NOTHING_SUPPORTED) if again else run.reasoner.synthesize(inputs)


def within(chosen: list[Evidence], tokens: int) -> list[Evidence]:
    """As many of the best as fit into so many tokens; always one."""
    fitting: list[Evidence] = []
    room = tokens * CHARACTERS_A_TOKEN
    for item in chosen:
        room -= min(len(in_prompt(item).text), PASSAGE)
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
