"""How a question is understood and planned without a language model, and how a plan is refined."""

from dataclasses import replace

import pytest

from agent.options import AgentOptions, Features
from agent.questions.analysis import analysis_of
from agent.reasoner import PlanInput
from agent.reasoners.offline.planning import first_plan, other_ways
from agent.state import LIST_ENTRIES, Analysis, Decision, Evidence, QuestionReference, SubQuestion
from agent.tools.base import Arguments, ToolSpec
from domain.answers import Question, Turn
from tests.fakes.agent import ASKED, MEMBER, a_passage, an_analysis, an_evidence
from tests.fakes.offline import a_reasoner

EVERY_TOOL = tuple(
    ToolSpec(name, "", Arguments)
    for name in (
        *("hybrid_search", "vector_search", "keyword_search", "grep_search", "local_file_qa", "graph_related"),
        *("hyde_search", "proposition_search", "document_lookup", "read_file"),
        *("jira_fetch", "confluence_fetch", "web_fetch", "index_command"),
    )
)
HYBRID = EVERY_TOOL[:1]


# -- understanding


def test_a_follow_up_is_made_to_stand_alone_before_it_is_analysed() -> None:
    asked = Question("And who feeds it?", MEMBER, history=(Turn("Where is the walrus?", "In a pool."),))
    analysis = analysis_of(asked)
    assert analysis.standalone == "who feeds the walrus?"
    assert [each.text for each in analysis.sub_questions] == [analysis.standalone]


def test_decomposition_can_be_switched_off() -> None:
    asked = Question("Compare the walrus and the seal.", MEMBER)
    assert len(analysis_of(asked).sub_questions) == 2
    assert [part.text for part in analysis_of(asked, decomposition=False).sub_questions] == [asked.text]


@pytest.mark.parametrize(
    ("text", "by"), [("PROJ-123", "patterns"), ("What is PROJ-123?", "patterns"), (ASKED, "offline")]
)
def test_ids_are_routed_by_pattern(text: str, by: str) -> None:
    assert analysis_of(Question(text, MEMBER)).by == by


# -- planning


def planned(analysis: Analysis, offered: tuple[ToolSpec, ...] = EVERY_TOOL) -> list[tuple[str, dict[str, object]]]:
    return [(request.name, dict(request.args)) for request in first_plan(analysis, offered)]


def test_of_several_questions_the_one_that_asks_how_many_is_counted() -> None:
    asked = Question("How many walruses are in the zoo, and which of them is the oldest?", MEMBER)
    listing = ToolSpec("list_entries", "", Arguments)
    assert planned(analysis_of(asked), (listing,)) == [
        ("list_entries", {"question": "How many walruses are in the zoo"})
    ]
    asked = Question("How long are orders kept, and how many runbooks are there?", MEMBER)
    assert analysis_of(asked).sub_questions[1].added
    assert planned(analysis_of(asked), (listing,)) == [("list_entries", {"question": "how many runbooks are there?"})]
    asked = Question("How long is the log kept, and how many documents mention it?", MEMBER)
    assert planned(analysis_of(asked), (listing,)) == []
    asked = Question("In how many pages is the walrus mentioned, and in which ones?", MEMBER)
    assert [each.text for each in analysis_of(asked).sub_questions] == ["In how many pages is the walrus mentioned?"]


def test_every_part_is_searched() -> None:
    analysis = Analysis("x", sub_questions=(SubQuestion(1, "a"), SubQuestion(2, "b", constraints=("2024",))))
    requests = first_plan(analysis, EVERY_TOOL)
    assert [(each.name, each.args["query"], each.sub_question) for each in requests] == [
        ("hybrid_search", "a", 1),
        ("hybrid_search", "b 2024", 2),
    ]


@pytest.mark.parametrize(
    ("analysis", "name", "args"),
    [
        (Analysis("the `a.b` key", "exact"), "grep_search", {"pattern": r"\ba\.b\b", "ignore_case": True}),
        (Analysis("which file is on leave", "file_discovery"), "local_file_qa", {"name": "file leave"}),
        (Analysis("who owns it", "relational"), "graph_related", {"query": "who owns it"}),
        (Analysis("leave", vague=True), "hyde_search", {"query": "leave"}),
        (Analysis("x", references=(QuestionReference("key", "PROJ-1"),)), "jira_fetch", {"key": "PROJ-1"}),
        (Analysis("x", references=(QuestionReference("page", "123456"),)), "confluence_fetch", {"page": "123456"}),
        (Analysis("x", references=(QuestionReference("url", "https://a.b"),)), "web_fetch", {"url": "https://a.b"}),
        (
            Analysis("x", references=(QuestionReference("url", "https://a.b"),)),
            "document_lookup",
            {"document": "https://a.b"},
        ),
        (Analysis("x", references=(QuestionReference("path", "a.md"),)), "read_file", {"path": "a.md"}),
    ],
)
def test_the_first_plan_fits_the_intent_and_the_references(
    analysis: Analysis, name: str, args: dict[str, object]
) -> None:
    found = dict(planned(analysis))
    assert args.items() <= found[name].items()
    assert planned(analysis, HYBRID) == [each for each in planned(analysis) if each[0] == "hybrid_search"]


@pytest.mark.parametrize(
    ("words", "args"),
    [
        ("How fresh is the index?", {"command": "status"}),
        ("What is the status of the index?", {"command": "status"}),
        ("reindex docs", {"command": "reindex", "source": "docs"}),
        ("Please re-index the source my-wiki again.", {"command": "reindex", "source": "my-wiki"}),
        ("read docs again, please", {"command": "reindex", "source": "docs"}),
        ("reindex", {"command": "reindex", "source": ""}),
        ("reindex all", {"command": "reindex", "source": ""}),
    ],
)
def test_words_about_the_index_itself_are_for_its_tool_where_it_is_offered(words: str, args: dict[str, object]) -> None:
    assert planned(Analysis(words)) == [("index_command", args)]
    assert planned(Analysis(words), HYBRID) == [
        each for each in planned(Analysis(words), HYBRID) if "hybrid" in each[0]
    ]


@pytest.mark.parametrize(
    "words",
    ["How do I reindex docs?", "What does reindexing cost?", "read the manual", "Is the index of prices fresh?"],
)
def test_questions_about_indexes_are_questions(words: str) -> None:
    assert "index_command" not in dict(planned(Analysis(words)))


def test_another_strategy_leaves_hybrid_search_alone() -> None:
    ways = other_ways(an_analysis(ASKED), EVERY_TOOL)
    assert [way.name for way in ways] == ["proposition_search", "vector_search", "keyword_search", "hyde_search"]
    assert dict(ways[2].args) == {"query": "walrus fed"}
    assert other_ways(an_analysis(ASKED), HYBRID) == ()
    assert [way.name for way in other_ways(an_analysis("Is it so?"), EVERY_TOOL)] == [
        "proposition_search",
        "vector_search",
        "hyde_search",
    ]


def a_need(*evidence: Evidence) -> PlanInput:
    return PlanInput(Question(ASKED, MEMBER), an_analysis(ASKED), HYBRID, "refine", evidence)


async def test_refining_searches_on_from_the_names_in_the_best_evidence_once() -> None:
    reasoner = a_reasoner()
    item = an_evidence(a_passage("It is fed by Ada Lovelace.", title="Zoo"), grades={1: 0.5})
    (request,) = await reasoner.plan(a_need(item))
    assert (request.name, request.args["query"]) == ("hybrid_search", f"{ASKED} Zoo Ada Lovelace")
    assert await reasoner.plan(a_need(item)) == ()


@pytest.mark.parametrize(
    "options",
    [
        AgentOptions(features=Features(expansion=False)),
        AgentOptions(expansion_depth=0),
        AgentOptions(expansion_threshold=0.6),
    ],
)
async def test_searching_on_can_be_bounded(options: AgentOptions) -> None:
    item = an_evidence(a_passage("It is fed by Ada Lovelace."), grades={1: 0.5})
    assert await a_reasoner(options=options).plan(a_need(item)) == ()


async def test_searching_on_never_starts_twice_from_the_same_passage() -> None:
    reasoner = a_reasoner(options=AgentOptions(expansion_depth=3))
    one, two = (an_evidence(a_passage(f"By {name}.", name), grades={1: 0.5}) for name in ("Ada Byron", "Bob Ross"))
    assert len(await reasoner.plan(a_need(one))) == 1
    (second,) = await reasoner.plan(a_need(one, two))
    assert "Bob Ross" in str(second.args["query"])
    assert await reasoner.plan(a_need(one, two)) == ()


@pytest.mark.parametrize("decision", ["refine", "re_retrieve"])
async def test_sentences_that_no_source_said_are_searched_for(decision: Decision) -> None:
    offered = [ToolSpec("hybrid_search", "", Arguments)]
    need = PlanInput(Question(ASKED, MEMBER), an_analysis(ASKED), offered, decision, failed=("It weighs 900 kg.",) * 5)
    plan = await a_reasoner().plan(need)
    assert [each.args["query"] for each in plan[:3]] == ["weighs 900 kg"] * 3
    assert await a_reasoner().plan(replace(need, offered=[])) == ()


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("What is the hotline, and how many runbooks are there?", (2, "how many runbooks are there?")),
        ("How many runbooks are there, and what is the hotline?", (1, "How many runbooks are there")),
        ("How many runbooks are there and how many policies are there?", (1, "How many runbooks are there")),
        ("How many runbooks are there?", (1, "How many runbooks are there?")),
        ("What is the hotline, and who answers it?", None),
    ],
)
def test_of_several_questions_the_first_that_asks_how_many_is_listed(
    question: str, listed: tuple[int, str] | None
) -> None:
    analysis = analysis_of(Question(question, MEMBER))
    offered = (ToolSpec(LIST_ENTRIES, "", Arguments),)
    found = [(each.sub_question, each.args["question"]) for each in first_plan(analysis, offered)]
    assert found == ([] if listed is None else [listed])
