import logging
from collections.abc import Sequence

import pytest

from agent.providers.offline import OfflineReasoner
from agent.retrieval import RetrievalOptions, Retriever
from agent.service import MAX_QUESTION, AnswerService, DirectOptions, standalone
from domain.access import NOBODY, Acl, Scope
from domain.answers import Answer, Declined, Failed, NotFound, Outcome, Progress, Question, Turn
from domain.errors import KbError, Misconfigured, Refused, Transient
from domain.ports import Vectors
from domain.search import Filters, Hits, SearchRequest
from tests.fakes.documents import a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge

MODEL = HashEmbedder()
MEMBER = Scope.member()
ASKED = "When is the walrus fed?"


class AwayEmbedder(HashEmbedder):
    """A model whose server is away."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        raise Transient("The embedding server is away")


class BrokenKnowledge(MemoryKnowledge):
    """An index whose every search ends in `error`."""

    def __init__(self, error: Exception) -> None:
        super().__init__(MODEL.identity)
        self._error = error

    async def search(self, request: SearchRequest, scope: Scope) -> Hits:
        raise self._error


def a_service(knowledge: MemoryKnowledge, model: HashEmbedder = MODEL, passages: int = 12) -> AnswerService:
    retriever = Retriever(knowledge, model, RetrievalOptions())
    return AnswerService(retriever, knowledge, OfflineReasoner(model), DirectOptions(passages))


async def a_zoo(*, acl: Acl | None = None) -> MemoryKnowledge:
    knowledge = MemoryKnowledge(MODEL.identity)
    texts = {"walrus": "The walrus is fed at noon.", "toner": "Printers need toner.", "bus": "Buses leave at nine."}
    for name, text in texts.items():
        document = a_document(name) if acl is None else a_document(name, acl=acl)
        await put(knowledge, MODEL, document, text)
    return knowledge


async def ask(service: AnswerService, question: Question | str) -> tuple[list[Progress], Outcome]:
    """Everything a question leads to: progress, then the one outcome at the end."""
    asked = Question(question, MEMBER) if isinstance(question, str) else question
    events = [event async for event in service.stream(asked)]
    progress = [event for event in events[:-1] if isinstance(event, Progress)]
    last = events[-1]
    assert len(progress) == len(events) - 1
    assert not isinstance(last, Progress)
    return progress, last


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


async def test_an_answer_comes_after_progress_that_rises() -> None:
    progress, outcome = await ask(a_service(await a_zoo()), f"  {ASKED}\n")
    assert isinstance(outcome, Answer)
    assert outcome.text == "The walrus is fed at noon. [1]"
    assert [event.text for event in progress] == ["Searching the index", "Reading 3 passages"]
    assert 0 <= progress[0].percent < progress[1].percent < 100


async def test_an_answer_traces_what_was_done() -> None:
    _, outcome = await ask(a_service(await a_zoo(), passages=2), ASKED)
    (call,) = outcome.trace.tool_calls
    assert (call.name, call.args, call.results) == ("hybrid_search", {"query": ASKED}, 2)
    assert outcome.trace.reasoning == (f"searched for: {ASKED}", "read 2 passages of 2 documents")
    timings = outcome.trace.timings_ms
    assert timings["total"] == pytest.approx(timings["search"] + timings["compose"], abs=0.2)
    assert outcome.trace.iterations == 1


async def test_what_is_not_found_says_where_it_was_looked_for() -> None:
    _, outcome = await ask(a_service(await a_zoo()), "How high is the lighthouse?")
    assert isinstance(outcome, NotFound)
    assert outcome.searched == "3 documents, by words (high, lighthouse) and by meaning"
    assert outcome.trace.tool_calls


async def test_what_is_not_found_under_filters_says_so() -> None:
    question = Question("How high is the lighthouse?", MEMBER, Filters(title="toner"))
    _, outcome = await ask(a_service(await a_zoo()), question)
    assert isinstance(outcome, NotFound)
    assert outcome.searched.startswith("1 document under the filters given, ")


async def test_what_the_asker_may_not_see_is_not_found_and_not_counted() -> None:
    _, outcome = await ask(a_service(await a_zoo(acl=NOBODY)), ASKED)
    assert isinstance(outcome, NotFound)
    assert outcome.searched.startswith("0 documents, ")


async def test_without_its_model_it_answers_by_words_and_says_so() -> None:
    _, outcome = await ask(a_service(await a_zoo(), AwayEmbedder()), ASKED)
    assert isinstance(outcome, Answer)
    degraded = "Searched by words alone: the embedding server is away."
    assert outcome.notice.startswith(degraded)
    assert outcome.trace.reasoning[-1] == degraded


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
    assert outcome == Failed(str(error), misconfigured=misconfigured)
    assert [event.text for event in progress] == ["Searching the index"]


async def test_an_error_without_a_name_is_logged_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        _, outcome = await ask(a_service(BrokenKnowledge(ZeroDivisionError("password=123"))), ASKED)
    assert isinstance(outcome, Failed)
    assert not outcome.misconfigured
    assert "password" not in outcome.message
    assert "password=123" in caplog.text


async def test_an_empty_index_fails_as_misconfigured() -> None:
    _, outcome = await ask(a_service(MemoryKnowledge(MODEL.identity)), ASKED)
    assert isinstance(outcome, Failed)
    assert outcome.misconfigured
    assert outcome.message.startswith("Nothing is indexed yet")


async def test_a_follow_up_is_searched_with_what_it_follows() -> None:
    question = Question("And when is it fed?", MEMBER, history=(Turn("Where is the walrus?", "In a pool."),))
    _, outcome = await ask(a_service(await a_zoo()), question)
    assert isinstance(outcome, Answer)
    assert outcome.trace.tool_calls[0].args == {"query": "Where is the walrus? And when is it fed?"}
    assert outcome.text == "The walrus is fed at noon. [1]"


WALRUS, PRINTER = "Where does the old walrus live?", "Which printer needs black toner?"


@pytest.mark.parametrize(
    ("history", "text", "words"),
    [
        ([], "Why?", "Why?"),
        ([WALRUS], "Why?", f"{WALRUS} Why?"),
        ([WALRUS], "Does it like fresh fish daily?", f"{WALRUS} Does it like fresh fish daily?"),
        ([WALRUS], "What about winter feeding times there", f"{WALRUS} What about winter feeding times there"),
        ([WALRUS], PRINTER, PRINTER),
        ([PRINTER, WALRUS], "Why?", f"{WALRUS} Why?"),
    ],
)
def test_a_follow_up_stands_alone_with_the_questions_it_leans_on(history: list[str], text: str, words: str) -> None:
    turns = tuple(Turn(question, "A reply.") for question in history)
    assert standalone(Question(text, MEMBER, history=turns)) == words


def test_a_chain_of_follow_ups_goes_back_to_the_question_that_stands_alone_and_no_further() -> None:
    turns = tuple(Turn(question, "A reply.") for question in (PRINTER, WALRUS, "How old is it?"))
    words = standalone(Question("Why?", MEMBER, history=turns))
    assert words.startswith(WALRUS)
    assert words.endswith("Why?")
    assert PRINTER not in words
