"""What the offline reasoner makes of what the knowledge graph leads to."""

from dataclasses import replace

import pytest

from agent.options import AgentOptions
from agent.questions.analysis import analysis_of
from agent.questions.expected import expected
from agent.reasoner import AnswerPart, PlanInput, SynthesisInput
from agent.reasoners.offline.planning import first_plan
from agent.reasoners.offline.reasoner import OfflineReasoner
from agent.reasoners.offline.statements import stated
from agent.replies.writer import ReplyWriter
from agent.retrieval.retriever import RetrievalOptions, Retriever
from agent.state import DROP_BELOW, SubQuestion
from agent.tools.base import Arguments, ToolSpec
from domain.answers import Question
from domain.masking import Masker
from tests.fakes.agent import MEMBER, MODEL, a_passage, an_analysis, an_evidence
from tests.fakes.documents import a_document, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.offline import a_reasoner as weighed_reasoner

TOOLS = tuple(ToolSpec(name, "", Arguments) for name in ("hybrid_search", "graph_related", "grep_search", "jira_fetch"))
ASKED = "Which tickets are linked to PAY-7?"


async def a_reasoner(options: AgentOptions | None = None) -> OfflineReasoner:
    knowledge = MemoryKnowledge(MODEL.identity)
    await put(knowledge, MODEL, a_document("1"), "Nothing about tickets.")
    return OfflineReasoner(Retriever(knowledge, MODEL, RetrievalOptions()), MODEL, MEMBER, options)


@pytest.mark.parametrize(
    "text",
    [
        ASKED,
        "What does PAY-7 block?",
        "Which pages link to the billing service?",
        "Who owns `ledger`?",
        "What is it part of?",
    ],
)
def test_the_graph_is_asked_how_things_hang_together_whatever_else_is(text: str) -> None:
    analysis = analysis_of(Question(text, MEMBER))
    assert "graph_related" in [request.name for request in first_plan(analysis, TOOLS)]


def test_other_questions_leave_it_alone() -> None:
    for text in ("How many days of leave are there?", "What is PAY-7?"):
        plan = first_plan(analysis_of(Question(text, MEMBER)), TOOLS)
        assert "graph_related" not in [request.name for request in plan], text


async def test_a_pass_that_goes_on_asks_the_graph_once_more() -> None:
    need = PlanInput(Question(ASKED, MEMBER), an_analysis(ASKED), TOOLS, "refine", [an_evidence("The Walrus House.")])
    plan = await (await a_reasoner()).plan(need)
    assert [request.name for request in plan] == ["hybrid_search", "graph_related"]
    without = replace(need, offered=TOOLS[:1])
    assert [request.name for request in await (await a_reasoner()).plan(without)] == ["hybrid_search"]
    assert await (await a_reasoner()).plan(replace(need, evidence=[])) == ()


async def test_where_the_graph_leads_is_kept_though_it_shares_no_word() -> None:
    plain = an_evidence("Entirely unlike.")
    led, said = replace(plain, linked=True), replace(plain, stated_relations=("PAY-7 blocks PAY-9",), scores={1: 0.85})
    for item, least in ((plain, 0.0), (led, DROP_BELOW), (said, 0.85)):
        marks = await (await a_reasoner()).grade(an_analysis("zebra"), [item], [])
        assert marks.grades[1, item.key] == pytest.approx(least, abs=0.2)
        assert marks.grades[1, item.key] >= least


async def test_relations_are_the_answer_each_cited() -> None:
    one = replace(
        an_evidence(a_passage("PAY-7 blocks PAY-9 and PAY-8.", "a")),
        stated_relations=("PAY-7 blocks PAY-9", "PAY-7 blocks PAY-8"),
    )
    two = replace(
        an_evidence(a_passage("PAY-1 relates to PAY-7.", "b")),
        stated_relations=("PAY-1 relates to PAY-7", "PAY-7 blocks PAY-9"),
    )
    guarded = replace(an_evidence(a_passage("The third.", "c")), stated_relations=("PAY-7 blocks SEC-4711",))
    brief = SynthesisInput(
        Question(ASKED, MEMBER),
        an_analysis(ASKED),
        (AnswerPart(SubQuestion(1, ASKED), (1, 2, 3)),),
        (one, two, guarded),
    )
    writer = ReplyWriter(brief, Masker(), lambda _part: None)
    async for piece in (await a_reasoner()).synthesize(brief):
        writer.feed(piece)
    draft = writer.finish()
    lines = [line for line in draft.text.splitlines() if line]
    assert lines == [
        "- PAY-7 blocks PAY-9 [1]",
        "- PAY-7 blocks PAY-8 [1]",
        "- PAY-1 relates to PAY-7 [2]",
        "- PAY-7 blocks SEC-4711 [3]",
    ]
    texts = [item.passage.text for item in (one, two, guarded)]
    assert [citation.quote in text for citation, text in zip(draft.citations, texts, strict=True)] == [True] * 3
    assert (draft.left_out, draft.passages) == ((), (one.passage, two.passage, guarded.passage))
    assert draft.found


async def test_a_list_for_one_part_of_a_question_leaves_the_others_to_be_answered() -> None:
    count = replace(
        an_evidence(a_passage("The walrus swims.", "a")),
        stated_relations=("1 document:", "Walrus (zoo.md)"),
        tools=("list_entries",),
    )
    seal = an_evidence(a_passage("The seal is fed at noon.", "b"))
    parts = (SubQuestion(1, "How many pages mention the walrus?"), SubQuestion(2, "When is the seal fed?"))
    asked = tuple(AnswerPart(part, (1, 2)) for part in parts)
    brief = SynthesisInput(Question(ASKED, MEMBER), an_analysis(ASKED), asked, (count, seal))
    reasoner = weighed_reasoner({"seal": 3.0, "fed": 2.0})
    said = [piece.text.strip() async for piece in reasoner.synthesize(brief) if piece.text]
    assert said == ["1 document:", "- Walrus (zoo.md) [1]", "The seal is fed at noon."]


def test_a_relation_without_a_reason_answers_no_question_for_one() -> None:
    item = replace(an_evidence(a_passage("PAY-7.", "a")), stated_relations=("PAY-7 blocks PAY-9",))
    for question, lines in (("What does PAY-7 block?", 1), ("Why does PAY-7 block PAY-9?", 0)):
        part = AnswerPart(SubQuestion(1, question), (1,))
        assert len(stated(part, [item], expected(question))) == lines
