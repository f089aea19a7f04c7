import asyncio
import logging
from itertools import pairwise

import pytest

from agent.options import AgentOptions
from agent.reasoner import ReasonerSession
from agent.reasoners.offline.factory import OfflineReasonerFactory
from agent.service import MAX_QUESTION, AnswerService, ReasonerFactory, faults
from agent.state import ReplyPiece, ToolRequest
from domain.access import NOBODY, Acl, Scope
from domain.answers import Answer, Declined, Failed, NotFound, Outcome, Overrides, Progress, Question, ReplyPart, Turn
from domain.errors import KbError, Misconfigured, Refused, Transient
from domain.masked_answer import WITHHELD, MaskedAnswer
from domain.masking import MaskedText, Masker
from domain.search import Filters, Hits, SearchRequest
from tests.fakes.agent import MEMBER, MODEL, AwayEmbedder, a_service, the_sources
from tests.fakes.documents import a_document, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.reasoner import ScriptedReasoner, opens

ASKED = "When is the walrus fed?"


class BrokenKnowledge(MemoryKnowledge):
    """An index whose every search, and every count of documents, ends in `error`."""

    def __init__(self, error: Exception) -> None:
        super().__init__(MODEL.identity)
        self._error = error

    async def search(self, request: SearchRequest, scope: Scope) -> Hits:
        raise self._error

    async def count_documents(self, scope: Scope, filters: Filters) -> int:
        raise self._error


class SlowKnowledge(MemoryKnowledge):
    """An index whose search never ends. stopped: whether it was cancelled."""

    def __init__(self) -> None:
        super().__init__(MODEL.identity)
        self.stopped = False

    async def search(self, request: SearchRequest, scope: Scope) -> Hits:
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped = True
        raise AssertionError("it waits for ever")


async def a_zoo(*, acl: Acl | None = None) -> MemoryKnowledge:
    knowledge = MemoryKnowledge(MODEL.identity)
    texts = {"walrus": "The walrus is fed at noon.", "toner": "Printers need toner.", "bus": "Buses leave at nine."}
    for name, text in texts.items():
        document = a_document(name) if acl is None else a_document(name, acl=acl)
        await put(knowledge, MODEL, document, text)
    return knowledge


async def ask(service: AnswerService, question: Question | str) -> tuple[list[Progress], Outcome]:
    """Everything a question leads to: progress and parts of the text, then the one outcome at the end."""
    asked = Question(question, MEMBER) if isinstance(question, str) else question
    events = [event async for event in service.stream(asked)]
    *_, last = events
    progress = [event for event in events if isinstance(event, Progress)]
    written = "".join(event.text for event in events if isinstance(event, ReplyPart))
    assert isinstance(last, MaskedAnswer)
    outcome = last.outcome
    assert len(events) - 1 == sum(isinstance(event, Progress | ReplyPart) for event in events)
    if isinstance(outcome, Answer) and outcome.citations:
        assert outcome.text.startswith(written)
    return progress, outcome


@pytest.mark.parametrize("text", ["", "  \n\t "])
async def test_an_empty_question_is_declined(text: str) -> None:
    progress, outcome = await ask(a_service(await a_zoo()), text)
    assert progress == []
    assert isinstance(outcome, Declined)
    assert outcome.reason.startswith("There is no question")


async def test_a_question_that_is_too_long_is_declined() -> None:
    progress, outcome = await ask(a_service(await a_zoo()), "w" * (MAX_QUESTION + 1))
    assert progress == []
    assert isinstance(outcome, Declined)
    assert "4,000 characters" in outcome.reason


async def test_the_longest_question_is_not() -> None:
    _, outcome = await ask(a_service(await a_zoo()), ASKED.ljust(MAX_QUESTION))
    assert isinstance(outcome, Answer)


@pytest.mark.parametrize(
    ("overrides", "name"),
    [
        (Overrides(temperature=2.1), "temperature takes a number from 0 to 2, not 2.1."),
        (Overrides(temperature=float("nan")), "temperature"),
        (Overrides(top_k=51), "top_k"),
        (Overrides(max_iterations=9), "max_iterations takes a number from 1 to 8, not 9."),
        (Overrides(expansion_depth=4), "expansion_depth"),
        (Overrides(expansion_threshold=1.5), "expansion_threshold"),
        (Overrides(lexical_weight=-0.1), "lexical_weight takes a number from 0 to 1, not -0.1."),
        (Overrides(graph_share=1.1), "graph_share"),
        (Overrides(rerank_candidates=0), "rerank_candidates"),
        (Overrides(rerank_blend=1.1), "rerank_blend"),
    ],
)
async def test_an_override_out_of_bounds_is_declined(overrides: Overrides, name: str) -> None:
    progress, outcome = await ask(a_service(await a_zoo()), Question(ASKED, MEMBER, overrides=overrides))
    assert progress == []
    assert isinstance(outcome, Declined)
    assert outcome.reason.startswith(name)


def test_overrides_at_their_bounds_are_not() -> None:
    lowest = Overrides(temperature=0, top_k=1, max_iterations=1, expansion_depth=0, expansion_threshold=0)
    highest = Overrides(temperature=2, top_k=50, max_iterations=8, expansion_depth=3, expansion_threshold=1)
    assert faults(Overrides()) == faults(lowest) == faults(highest) == []
    assert (
        faults(Overrides(lexical_weight=0, graph_share=1)) == faults(Overrides(lexical_weight=1, graph_share=0)) == []
    )


async def test_an_answer_comes_after_progress_that_rises() -> None:
    progress, outcome = await ask(a_service(await a_zoo()), f"  {ASKED}\n")
    assert isinstance(outcome, Answer)
    assert outcome.text == "The walrus is fed at noon. [1]"
    assert [event.text for event in progress][:2] == ["Understanding the question", "Searching the index"]
    assert progress[-1].text == "Writing from 3 passages of 3 documents"
    assert all(one.percent < other.percent for one, other in pairwise(progress))
    assert all(0 <= event.percent < 100 for event in progress)


async def test_an_answer_traces_what_was_done() -> None:
    _, outcome = await ask(a_service(await a_zoo(), options=AgentOptions(top_k=2)), ASKED)
    trace = outcome.trace
    (call,) = trace.tool_calls
    assert (call.name, call.args, call.results) == ("hybrid_search", {"query": ASKED}, 2)
    assert (call.iteration, call.error) == (1, "")
    assert trace.reasoning[0] == f"conceptual, simple: {ASKED} (by offline)"
    assert "found 2 new passages in 2 documents" in trace.reasoning
    assert [each.stage for each in trace.stages] == ["analyze", "plan", "search", "grade", "write", "verify", "mask"]
    assert trace.timings_ms["total"] >= sum(each.ms for each in trace.stages) - 0.5
    assert (trace.iterations, trace.model_calls, trace.mode) == (1, 0, "agentic")
    assert trace.evidence[0].path == "walrus"
    assert len(trace.evidence) == 2


async def test_the_parts_of_a_reply_come_before_its_outcome() -> None:
    events = [event async for event in a_service(await a_zoo()).stream(Question(ASKED, MEMBER))]
    parts = [event.text for event in events[:-1] if isinstance(event, ReplyPart)]
    assert "".join(parts) == "The walrus is fed at noon. [1]"


async def test_the_outcome_can_be_had_alone() -> None:
    assert isinstance((await a_service(await a_zoo()).ask(Question(ASKED, MEMBER))).outcome, Answer)


@pytest.mark.parametrize(("text", "said"), [("Hello!", "Hello."), ("thanks a lot", "You're"), ("help", "I answer")])
async def test_small_talk_has_its_own_reply_and_searches_nothing(text: str, said: str) -> None:
    _, outcome = await ask(a_service(BrokenKnowledge(ZeroDivisionError())), text)
    assert isinstance(outcome, Answer)
    assert outcome.text.startswith(said)
    assert (outcome.citations, outcome.trace.tool_calls, outcome.trace.iterations) == ((), (), 0)


async def test_in_direct_mode_one_search_is_made_and_nothing_graded() -> None:
    question = Question("How high is the lighthouse?", MEMBER, overrides=Overrides(mode="direct"))
    _, outcome = await ask(a_service(await a_zoo()), question)
    assert (outcome.trace.mode, outcome.trace.iterations, len(outcome.trace.tool_calls)) == ("direct", 1, 1)
    assert {note.grade for note in outcome.trace.evidence} == {None}


@pytest.mark.parametrize(
    ("asked", "beside"),
    [
        ("What is PROJ-12?", []),
        ("What does zoo/walrus.md say?", []),
        ("When is it fed, and where does it live?", []),
        ("Which documents mention the walrus?", ["list_entries"]),
    ],
)
async def test_direct_mode_makes_one_search_whatever_is_asked(asked: str, beside: list[str]) -> None:
    question = Question(asked, MEMBER, overrides=Overrides(mode="direct"))
    _, outcome = await ask(a_service(await a_zoo()), question)
    assert [call.name for call in outcome.trace.tool_calls] == [*beside, "hybrid_search"]


async def test_what_is_not_found_says_where_it_was_looked_for() -> None:
    _, outcome = await ask(a_service(await a_zoo()), "How high is the lighthouse?")
    assert isinstance(outcome, NotFound)
    assert outcome.searched == "3 documents, by words (lighthouse) and by meaning"
    assert outcome.trace.tool_calls
    assert outcome.trace.iterations <= 3


async def test_what_is_not_found_names_what_came_nearest_and_whom_to_ask() -> None:
    _, outcome = await ask(a_service(await a_zoo()), "How high is the lighthouse?")
    assert isinstance(outcome, NotFound)
    assert 1 <= len(outcome.nearest) <= 3
    assert {each.owner for each in outcome.nearest} == {"Ada"}
    _, outcome = await ask(a_service(await a_zoo()), "How heavy is the walrus that is fed at noon?")
    assert isinstance(outcome, NotFound)
    assert "The walrus is fed at noon." in [each.words for each in outcome.nearest[0].quotes]


async def test_what_is_not_found_under_filters_says_so() -> None:
    question = Question("How high is the lighthouse?", MEMBER, Filters(titles=("toner",)))
    _, outcome = await ask(a_service(await a_zoo()), question)
    assert isinstance(outcome, NotFound)
    assert outcome.searched.startswith("1 document under the filters given, ")


async def test_what_the_asker_may_not_see_is_not_found_and_not_counted() -> None:
    _, outcome = await ask(a_service(await a_zoo(acl=NOBODY)), ASKED)
    assert isinstance(outcome, Declined)
    assert outcome.cause == "nothing_to_search"
    assert outcome.reason.startswith("There is nothing for me to search: nothing is indexed yet, or nothing that you")


async def test_without_its_model_it_answers_by_words_and_says_so() -> None:
    _, outcome = await ask(a_service(await a_zoo(), AwayEmbedder()), ASKED)
    assert isinstance(outcome, Answer)
    degraded = "Searched by words alone: the embedding server is away."
    assert outcome.notice.startswith(degraded)
    assert any(line.endswith(degraded) for line in outcome.trace.reasoning)


async def test_without_its_model_it_says_how_it_searched_in_vain() -> None:
    _, outcome = await ask(a_service(await a_zoo(), AwayEmbedder()), "Is it so?")
    assert isinstance(outcome, NotFound)
    assert outcome.searched == (
        "3 documents, by words (there are none in the question) alone: the embedding model is away"
    )


@pytest.mark.parametrize(
    ("error", "misconfigured"),
    [
        (Transient("The database is away", next_step="Wait."), False),
        (Refused("No", next_step="Wait."), False),
        (Misconfigured("Nothing is indexed", next_step="Index."), True),
    ],
)
async def test_an_error_with_a_name_is_told(error: KbError, misconfigured: bool) -> None:
    progress, outcome = await ask(a_service(BrokenKnowledge(error)), ASKED)
    assert isinstance(outcome, Failed)
    told = (outcome.message, outcome.why, outcome.next_step, outcome.misconfigured)
    assert told == (error.what, error.why, error.next_step, misconfigured)
    assert "next:" not in outcome.words
    assert progress[-1].text == "Searching the index"
    assert any(error.what in line for line in outcome.trace.reasoning)


async def test_an_error_without_a_name_is_logged_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        _, outcome = await ask(a_service(BrokenKnowledge(ZeroDivisionError("password=123"))), ASKED)
    assert isinstance(outcome, Failed)
    assert not outcome.misconfigured
    assert "password" not in outcome.message
    assert "password=123" in caplog.text


async def test_a_secret_in_an_error_is_masked() -> None:
    error = Transient("The database is away", why="postgresql://app:hunter22@db.example.com/app")
    _, outcome = await ask(a_service(BrokenKnowledge(error)), ASKED)
    assert isinstance(outcome, Failed)
    assert "hunter22" not in repr(outcome)
    assert "[masked: password in url]" in outcome.why


async def test_a_secret_in_a_question_stays_out_of_the_trace() -> None:
    question = "What does it mean that password=tr0ub4dor&3 is refused?"
    _, outcome = await ask(a_service(await a_zoo()), question)
    assert "tr0ub4dor" not in repr(outcome)


class GivesUp(Masker):
    """Withholds a whole reply that it masked in pieces before."""

    def mask(self, text: str) -> MaskedText:
        if text == "The walrus is fed at noon. [1]":
            return MaskedText("[withheld]", withheld=True)
        return super().mask(text)


async def test_an_answer_that_cannot_be_checked_is_withheld_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    sources = the_sources(await a_zoo())
    service = AnswerService(
        sources, ReasonerFactory(OfflineReasonerFactory(sources.retriever, MODEL).open), masker=GivesUp()
    )
    with caplog.at_level(logging.ERROR):
        outcome = (await service.ask(Question(ASKED, MEMBER))).outcome
    assert isinstance(outcome, Failed)
    assert outcome.message == WITHHELD
    assert outcome.trace.iterations == 1
    assert caplog.messages == ["An answer was withheld: the masker could not check it"]


async def test_an_empty_index_fails_as_misconfigured() -> None:
    _, outcome = await ask(a_service(MemoryKnowledge(MODEL.identity)), ASKED)
    assert isinstance(outcome, Failed)
    assert outcome.misconfigured
    assert outcome.message.startswith("Nothing is indexed yet")


async def test_when_the_asker_leaves_the_work_ends() -> None:
    knowledge = SlowKnowledge()
    stream = a_service(knowledge).stream(Question(ASKED, MEMBER))
    async for event in stream:
        if isinstance(event, Progress) and event.stage == "search":
            await asyncio.sleep(0.01)
            break
    assert not knowledge.stopped
    await stream.aclose()  # type: ignore[attr-defined] # it is a generator
    await asyncio.sleep(0.01)
    assert knowledge.stopped


async def test_a_follow_up_is_searched_with_what_it_follows() -> None:
    question = Question("And when is it fed?", MEMBER, history=(Turn("Where is the walrus?", "In a pool."),))
    _, outcome = await ask(a_service(await a_zoo()), question)
    assert isinstance(outcome, Answer)
    assert "when is the walrus fed?" in outcome.trace.reasoning[0]
    assert {str(call.args["query"]) for call in outcome.trace.tool_calls if call.iteration == 1} >= {
        "when is the walrus fed?"
    }
    assert "The walrus is fed at noon. [1]" in outcome.text


async def test_filters_in_the_question_narrow_the_search() -> None:
    knowledge = await a_zoo()
    await put(knowledge, MODEL, a_document("seal", labels=["pool"]), "The seal is fed at ten.")
    _, outcome = await ask(a_service(knowledge), "When is it feeding time, label:pool")
    assert {note.path for note in outcome.trace.evidence} <= {"seal"}
    assert any("narrowed by the question to labels" in line for line in outcome.trace.reasoning)


async def test_a_label_that_no_document_has_is_left_out() -> None:
    _, outcome = await ask(a_service(await a_zoo()), "When is the #walrus fed?")
    assert isinstance(outcome, Answer)
    assert outcome.notice.startswith('There is no label "walrus" that you can see; I searched without it.')
    assert "filters in the question do not count: no document meets them" in outcome.trace.reasoning


async def test_services_answer_side_by_side() -> None:
    service = a_service(await a_zoo())
    answers = await asyncio.gather(*(service.ask(Question(ASKED, MEMBER)) for _ in range(8)))
    outcomes = [answer.outcome for answer in answers]
    assert {outcome.text for outcome in outcomes if isinstance(outcome, Answer)} == {"The walrus is fed at noon. [1]"}


async def test_another_reasoner_is_checked_sentence_by_sentence() -> None:
    draft = [ReplyPiece("The walrus is fed at noon [1]. The walrus weighs 900 kg [1].", confidence=0.9)]
    reasoner = ScriptedReasoner(
        first=(ToolRequest("hybrid_search", {"query": ASKED}, 1),), grades=[1.0], drafts=[draft]
    )
    sources = the_sources(await a_zoo())
    service = AnswerService(sources, ReasonerFactory(opens(reasoner)), AgentOptions(top_k=1))
    _, outcome = await ask(service, ASKED)
    assert isinstance(outcome, Answer)
    assert outcome.text == "The walrus is fed at noon [1]."
    assert outcome.notice == "One sentence was left out: the sources do not say so."
    assert outcome.trace.reasoning[-1] == "thought by script"


async def test_a_model_that_hung_before_the_session_is_given_up() -> None:
    given_up: list[str] = []

    async def prepare(question: Question) -> str:
        return "no reply within 1 s" if question.text == ASKED else ""

    def opened(*_: object) -> ReasonerSession:
        return ReasonerSession(ScriptedReasoner(), give_up=given_up.append)

    service = AnswerService(the_sources(await a_zoo()), ReasonerFactory(opened, prepare=prepare))
    for question in (ASKED, "When is the seal fed?"):
        await ask(service, question)
    assert given_up == ["no reply within 1 s"]
