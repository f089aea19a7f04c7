"""Whatever the reasoner grades and plans and whatever tools give, an answer ends, within its bounds."""

import asyncio
from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.answer_context import AnswerContext
from agent.answer_graph import STEPS, answer, compiled
from agent.options import AgentOptions, Features
from agent.recorder import Recorder
from agent.rights import RightsCheck
from agent.routing import SearchLimits
from agent.service import AnswerService, ReasonerFactory
from agent.state import AgentState, Analysis, ReplyPiece, SubQuestion, ToolRequest
from agent.tools.search import PassageTool
from agent.tools.toolbox import Toolbox
from domain.answers import Answer, NotFound, Progress, Question, ReplyPart
from domain.errors import KbError, Refused, Transient
from domain.masked_answer import MaskedAnswer
from domain.masking import Masker
from tests.fakes.agent import MEMBER, MODEL, the_sources
from tests.fakes.documents import a_document, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.reasoner import ScriptedReasoner, opens
from tests.fakes.tools import ScriptedTool

GRAPH = compiled()
TEXTS = ("The walrus is fed at noon.", "Printers need toner.", "Buses leave at nine.", "Use password=hunter22.")
WORDS = "abcdefgh"
SCRIPTED = ("one_search", "two_search", "helper")


def _word(word: str) -> dict[str, object]:
    return {"word": word}


outcomes = st.one_of(
    st.lists(st.sampled_from(TEXTS), max_size=3).map(tuple),
    st.lists(st.text("xyz", min_size=1, max_size=3), max_size=3).map(tuple),
    st.sampled_from([Transient("It is away"), Refused("It is refused")]),
)
requests = st.builds(
    ToolRequest,
    st.sampled_from([*SCRIPTED * 3, "unheard_of"]),
    st.integers(0, 9).flatmap(lambda n: st.just({"wrong": n}) if n == 0 else st.sampled_from(WORDS).map(_word)),
    st.integers(0, 3),
)
plans = st.lists(requests, min_size=1, max_size=4).map(tuple)
pieces = st.sampled_from(
    [
        *("The walrus is fed at noon [1].", "It weighs 901 kg [1].", "Something else. ", "[9]", "Buses [2] [3]."),
        *("The walrus is not fed at noon [1]. ", "Yes. ", "Steps:\n", "The sources do not say who feeds it. "),
        *(" ", "\n\n", "```\nrm -rf /\n```\n", "password=hunter33 ", "Printers need toner."),
    ]
)
drafts = st.lists(
    st.builds(ReplyPiece, text=pieces, broken=st.booleans(), confidence=st.none() | st.floats(-1, 2)), max_size=6
)


@st.composite
def analyses(draw: st.DrawFn) -> Analysis:
    parts = draw(st.integers(1, 3))
    return Analysis(
        "When is the walrus fed?",
        complexity=draw(st.sampled_from(["simple", "moderate", "complex"])),
        talk=draw(st.sampled_from(["question"] * 9 + ["greeting"])),
        sub_questions=tuple(SubQuestion(n, f"part {n}") for n in range(1, parts + 1)),
    )


def _plan(n: int) -> st.SearchStrategy[tuple[ToolRequest, ...] | KbError]:
    """Mostly calls; seldom, the model is away."""
    return plans if n else st.just(Transient("The model is away"))


reasoners = st.builds(
    ScriptedReasoner,
    analysis=analyses(),
    first=plans,
    plans=st.lists(st.integers(0, 15).flatmap(_plan), min_size=5, max_size=10),
    grades=st.lists(st.sampled_from([0.0, 0.2, 0.4, 0.6, 0.9]), min_size=10, max_size=40),
    missing=st.just(()) | st.just(("fish",)),
    drafts=st.lists(drafts | st.just([ReplyPiece("It weighs 901 kg [1].")]), max_size=8),
    support=st.none() | st.floats(0, 1),
    quoted=st.integers(0, 2),
    surely=st.sampled_from([False] * 5 + [True]),
)
options = st.builds(
    AgentOptions,
    mode=st.sampled_from(["agentic"] * 5 + ["direct"]),
    limits=st.builds(
        SearchLimits,
        max_iterations=st.integers(1, 8),
        generate=st.sampled_from([0.0, 0.7, 0.7, 1.0]),
        refine=st.sampled_from([0.0, 0.3, 0.3, 1.0]),
        early_stop=st.booleans(),
        verify_again=st.booleans(),
    ),
    features=st.builds(Features, verification=st.booleans(), grading_skip=st.booleans()),
    top_k=st.integers(1, 4),
    tool_calls=st.integers(0, 12),
)


@st.composite
def toolboxes(draw: st.DrawFn) -> list[ScriptedTool]:
    known = st.fixed_dictionaries(dict.fromkeys(WORDS, outcomes))
    return [ScriptedTool(name, budget=draw(st.integers(1, 4)), known=draw(known)) for name in SCRIPTED]


async def a_zoo() -> MemoryKnowledge:
    knowledge = MemoryKnowledge(MODEL.identity)
    await put(knowledge, MODEL, a_document("walrus"), "The walrus is fed at noon.")
    return knowledge


ZOO = asyncio.run(a_zoo())


@settings(max_examples=30)
@given(reasoners, toolboxes(), options)
def test_every_question_ends_within_its_bounds(
    reasoner: ScriptedReasoner, tools: list[ScriptedTool], wanted: AgentOptions
) -> None:
    asyncio.run(_ends_within_its_bounds(reasoner, tools, wanted))


async def _ends_within_its_bounds(reasoner: ScriptedReasoner, tools: list[ScriptedTool], wanted: AgentOptions) -> None:
    sources, masker = the_sources(ZOO), Masker()
    recorder = Recorder(masker)
    hybrid = PassageTool(sources.retriever, "hybrid_search", "in tests", "hybrid")
    toolbox = Toolbox([*tools, hybrid], calls=wanted.tool_calls)
    run = AnswerContext(
        reasoner, toolbox, sources.search, wanted, masker, recorder, RightsCheck(sources.search, (), MEMBER)
    )
    try:
        state = await answer(GRAPH, AgentState(Question("When is the walrus fed?", MEMBER)), run)
    except KbError:
        state = None  # the model is away, or no call worked: the service tells that
    used = Counter({tool.name: len(tool.calls) for tool in tools})
    assert all(used[tool.name] <= tool.budget for tool in tools)
    assert used.total() <= wanted.tool_calls
    assert len(recorder.stages) < STEPS
    assert max((each.iteration for each in recorder.stages), default=0) <= wanted.limits.max_iterations
    events = [recorder.events.get_nowait() for _ in range(recorder.events.qsize())]
    percents = [event.percent for event in events if isinstance(event, Progress)]
    assert all(0 <= one <= other < 100 for one, other in pairwise(percents))
    if state is None:
        return
    assert isinstance(state.outcome, Answer | NotFound)
    assert state.iteration <= wanted.limits.max_iterations
    assert all(call.iteration <= wanted.limits.max_iterations for call in state.calls)
    assert sum(not call.error for call in state.calls) <= wanted.tool_calls
    written = "".join(event.text for event in events if isinstance(event, ReplyPart))
    if isinstance(state.outcome, Answer):
        assert state.outcome.text.startswith(written)
        assert "901" not in state.outcome.text
        assert "hunter" not in repr(state.outcome)
        assert 0 <= state.outcome.confidence <= 1
    else:
        assert written == "", "what was shown is never taken back"


@settings(max_examples=15)
@given(reasoners, options)
def test_every_stream_has_one_outcome_at_its_end(reasoner: ScriptedReasoner, wanted: AgentOptions) -> None:
    asyncio.run(_has_one_outcome(reasoner, wanted))


async def _has_one_outcome(reasoner: ScriptedReasoner, wanted: AgentOptions) -> None:
    service = AnswerService(the_sources(ZOO), ReasonerFactory(opens(reasoner)), wanted)
    events = [event async for event in service.stream(Question("When is the walrus fed?", MEMBER))]
    ended = [event for event in events if isinstance(event, MaskedAnswer)]
    assert ended == events[-1:]
    percents = [event.percent for event in events if isinstance(event, Progress)]
    assert all(one <= other for one, other in pairwise(percents))
