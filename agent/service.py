"""A question becomes progress, parts of a reply, and exactly one outcome."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Container
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from agent.answer_context import AnswerContext
from agent.options import AgentOptions
from agent.reasoner import ReasonerSession
from agent.recorder import Recorder
from agent.rights import RightsCheck
from agent.state import AgentState
from agent.tools.registry import ToolSources, tools
from agent.tools.toolbox import Toolbox
from agent.tracing import Spans
from agent.wording import NO_QUESTION, ONLY_SECRETS, outside, question_too_long, secret_left_out
from domain.access import Scope
from domain.answers import (
    Answer,
    Declined,
    EvidenceNote,
    Failed,
    Outcome,
    Overrides,
    Progress,
    Question,
    Readers,
    ReplyPart,
    Trace,
    Turn,
    failed,
    with_remark,
)
from domain.cancellation import cancel_and_wait
from domain.errors import OUR_FAULT, Bug, KbError
from domain.masked_answer import MaskedAnswer, masked_answer
from domain.masking import Masker, masked_kinds, without_masks
from domain.search import Filters
from domain.text.encodable import storable
from domain.text.languages import language_of
from domain.translation import set_language, translated

if TYPE_CHECKING:
    from agent.answer_graph import AnswerGraph

log = logging.getLogger(__name__)

MAX_QUESTION = 4_000
"""Characters of a question; more is a document, not a question."""

MAX_ITERATIONS = 8


@dataclass(frozen=True, slots=True)
class ReasonerFactory:
    """Opens a session with a reasoner for each question."""

    open: Callable[[Question, AgentOptions, str], ReasonerSession]
    """Takes a question, its options, and a name of what the asker may see."""
    needs_view: bool = False
    """Whether `open` needs that name: making it asks the database."""
    prepare: Callable[[Question], Awaitable[str]] | None = None
    """Awaited before a session is opened. Gives why no model is to be asked in it; empty where one may be."""


class AnswerService:
    """Answers questions by the graph of agent.answer_graph.

    Args:
        sources: what tools work on.
        reasoners: who understands, plans, grades and writes.
        masker: for what leaves, and for what is shown to a model.
        spans: where stages are reported.
        common_words: words in small letters that are spelled right, whether the index holds them or not.
        clock: tells the day on which a question is asked that does not say so itself.
    """

    def __init__(
        self,
        sources: ToolSources,
        reasoners: ReasonerFactory,
        options: AgentOptions | None = None,
        *,
        masker: Masker | None = None,
        spans: Spans | None = None,
        common_words: Container[str] = (),
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._sources = sources
        self._reasoners = reasoners
        self._options = options or AgentOptions()
        self._masker = masker or Masker()
        self._spans = spans
        self._common_words = common_words
        self._clock = clock
        self._graph: AnswerGraph | None = None

    async def ask(self, question: Question) -> MaskedAnswer:
        """The outcome alone."""
        async for event in self.stream(question):
            if isinstance(event, MaskedAnswer):
                return event
        raise AssertionError("a stream of answers ends with an outcome")

    async def stream(self, question: Question) -> AsyncIterator[Progress | ReplyPart | MaskedAnswer]:
        """Progress and parts of the reply as they come, then exactly one outcome, whatever happens, all of it masked.
        The parts put together are the beginning of an answer's text, and usually all of it; not where a source was
        closed while the answer was written: then the outcome takes the place of what the parts said."""
        set_language(language_of(question.text))
        refusal = refused(question)
        if refusal:
            yield masked_answer(refusal, self._masker)
            return
        recorder = Recorder(self._masker, self._spans)
        clean = self._without_secrets(question)
        task = asyncio.create_task(self._outcome(clean, recorder))
        task.add_done_callback(lambda _: recorder.events.put_nowait(None))
        try:
            while (event := await recorder.events.get()) is not None:
                yield event
            outcome = await task
            if kinds := masked_kinds(clean.text):
                outcome = with_remark(outcome, secret_left_out(kinds))
            yield self._mask_outcome(outcome, question)
        finally:
            await cancel_and_wait(task)  # the asker is gone

    def rights(self, scope: Scope, readers: Readers | None = None) -> RightsCheck:
        """The check of rights right before something is shown to `scope`. readers: see RightsCheck."""
        return RightsCheck(self._sources.search, self._sources.access, scope, readers=readers)

    def _mask_outcome(self, outcome: Outcome, question: Question) -> MaskedAnswer:
        answer = masked_answer(outcome, self._masker, question.text)
        if isinstance(outcome, Answer) and isinstance(answer.outcome, Failed):
            log.error("An answer was withheld: the masker could not check it")
        return answer

    def _without_secrets(self, question: Question) -> Question:
        """The question in one line, without secrets before anything is made of it: words taken from it, searches and
        prompts would no longer look like a secret."""

        def clean(text: str) -> str:
            return self._masker.secrets(storable(text)).text

        history = tuple(Turn(clean(turn.question), clean(turn.reply), turn.sources) for turn in question.history)
        # masked before it is put on one line, where keys and tables are not recognised, and after
        text = clean(" ".join(clean(question.text).split()))
        # from a command line, filters may hold any byte
        names = {field: tuple(map(storable, given)) for field, given in question.filters.names.items()}
        filters = Filters.naming(names, question.filters.since, question.filters.until)
        day = question.asked_on or self._clock().date()
        return replace(question, text=text, history=history, filters=filters, asked_on=day)

    async def _outcome(self, question: Question, recorder: Recorder) -> Outcome:
        if not content_left(question.text):
            return Declined(translated(ONLY_SECRETS), cause="secret")
        try:
            return await self._run_graph(question, recorder)
        except KbError as error:
            log.warning("A question failed: %s (%s) %s", error.what, error.why, error.next_step)
            return failed(error, Trace(reasoning=tuple(recorder.reasoning)))
        except Exception:
            log.exception("A question failed")
            return failed(Bug(OUR_FAULT, next_step="the log has the details; try again later"))

    async def _run_graph(self, question: Question, recorder: Recorder) -> Outcome:
        from agent.answer_graph import answer, compiled

        started = time.perf_counter()
        if self._graph is None:
            self._graph = await asyncio.to_thread(compiled)
        options = self._options.overridden(question.overrides)
        question = replace(question, history=await self._readable_history(question))
        view = await self._sources.search.visibility_key(question.scope) if self._reasoners.needs_view else ""
        hangs = await self._reasoners.prepare(question) if self._reasoners.prepare else ""
        left = None if question.seconds is None else question.seconds - (time.perf_counter() - started)
        session = self._reasoners.open(replace(question, seconds=left), options, view)
        if hangs:
            session.give_up(hangs)
        hypothesise = session.reasoner.hypothesise if session.hypothesises else None
        toolbox = Toolbox(
            tools(self._sources, options, question.scope, hypothesise, masker=self._masker), calls=options.tool_calls
        )
        run = AnswerContext(
            reasoner=session.reasoner,
            toolbox=toolbox,
            search=self._sources.search,
            options=options,
            masker=self._masker,
            recorder=recorder,
            rights=self.rights(question.scope, question.readers),
            reranker=self._sources.reranker,
            graph=self._sources.graph,
            owners=self._sources.owners,
            common_words=self._common_words,
        )
        state = await answer(self._graph, AgentState(question), run)
        if state.outcome is None:
            raise AssertionError("the graph ends with an outcome")
        total = round(1000 * (time.perf_counter() - started), 1)
        return replace(state.outcome, trace=self._trace(state, run, session, total))

    async def _readable_history(self, question: Question) -> tuple[Turn, ...]:
        """What was said before, without replies that rest on a passage which not everybody who reads the new reply may
        read now: somebody may have left a group since, or come into a room. What was read live cannot be asked for
        here, and counts as closed. Raises Transient when the index does not say."""
        cited = {passage: document for turn in question.history for passage, document in turn.sources}
        if not cited:
            return question.history
        readable = await self._sources.search.readable(cited, question.scope)
        return tuple(
            turn if all(passage in readable for passage, _ in turn.sources) else replace(turn, reply="")
            for turn in question.history
        )

    def _trace(self, state: AgentState, run: AnswerContext, session: ReasonerSession, total: float) -> Trace:
        evidence = (state.evidence[key] for key in state.chosen)
        calls, reasoning = state.calls, tuple(run.recorder.reasoning)
        if run.rights.found_closed:  # follow-ups may name documents that are closed now
            calls, reasoning = tuple(replace(call, args={}, note="") for call in calls), ()
        return Trace(
            iterations=state.iteration,
            tool_calls=calls,
            reasoning=(*reasoning, *session.remarks()),
            timings_ms=run.recorder.timings() | {"total": total},
            model_calls=session.calls(),
            tokens=session.tokens(),
            evidence=tuple(
                EvidenceNote(
                    chunk_id=item.key,
                    document_id=item.passage.document_id,
                    path=item.passage.path,
                    tools=item.tools,
                    score=round(item.score, 3),
                    grade=round(item.grade, 3) if item.grades else None,
                    iteration=item.iteration,
                )
                for item in evidence
            ),
            stages=tuple(run.recorder.stages),
            mode=run.options.mode,
        )


def content_left(text: str) -> bool:
    """Whether anything but masks is in a question that had secrets."""
    return not masked_kinds(text) or any(letter.isalnum() for letter in without_masks(text))


def refused(question: Question) -> Declined | None:
    """Why a question is not even looked at."""
    if not question.text.split():
        return Declined(translated(NO_QUESTION))
    if len(question.text) > MAX_QUESTION:
        return Declined(question_too_long(MAX_QUESTION))
    wrong = next(iter(faults(question.overrides)), "")
    return Declined(wrong) if wrong else None


def faults(overrides: Overrides) -> list[str]:
    """What is wrong with overrides, a sentence each."""
    bounds: list[tuple[str, float | None, float, float]] = [
        ("temperature", overrides.temperature, 0, 2),
        ("top_k", overrides.top_k, 1, 50),
        ("max_iterations", overrides.max_iterations, 1, MAX_ITERATIONS),
        ("expansion_depth", overrides.expansion_depth, 0, 3),
        ("expansion_threshold", overrides.expansion_threshold, 0, 1),
        ("lexical_weight", overrides.lexical_weight, 0, 1),
        ("graph_share", overrides.graph_share, 0, 1),
        ("rerank_candidates", overrides.rerank_candidates, 1, 200),
        ("rerank_blend", overrides.rerank_blend, 0, 1),
    ]
    return [
        outside(name, low, high, value)
        for name, value, low, high in bounds
        if value is not None and not low <= value <= high
    ]
