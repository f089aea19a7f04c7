from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest

from agent.checking.citations import cite
from agent.options import AgentOptions, Features
from agent.questions.analysis import analysis_of
from agent.reasoner import AnswerPart, PlanInput, SynthesisInput
from agent.reasoners.offline.judging import judge
from agent.reasoners.offline.planning import first_plan, other_ways
from agent.reasoners.offline.reasoner import OfflineReasoner
from agent.replies.writer import ReplyWriter
from agent.retrieval.retriever import RetrievalOptions, Retrieved, Retriever
from agent.state import Analysis, CitedClaim, Decision, Evidence, QuestionReference, ReplyDraft, ReplyPiece, SubQuestion
from agent.tools.base import Arguments, ToolSpec
from agent.wording import QUOTED_OFFLINE
from domain.answers import Answer, Question, Turn
from domain.masking import Masker
from domain.search import Passage
from tests.fakes.agent import MEMBER, MODEL, AwayEmbedder, a_passage, a_service, an_analysis, an_evidence
from tests.fakes.documents import a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge

OLD, NEW = datetime(2020, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
ASKED = "When is the walrus fed?"
EVERY_TOOL = tuple(
    ToolSpec(name, "", Arguments)
    for name in (
        *("hybrid_search", "vector_search", "keyword_search", "grep_search", "local_file_qa", "graph_related"),
        *("hyde_search", "proposition_search", "document_lookup", "read_file"),
        *("jira_fetch", "confluence_fetch", "web_fetch", "index_command"),
    )
)
HYBRID = EVERY_TOOL[:1]


@dataclass
class Weighed(Retriever):
    """A retriever that knows the weights of a question's words. idf: as the index would weigh them. away: whether
    there are no vectors."""

    idf: dict[str, float]
    away: str = ""

    async def measure(self, text: str, scope: object) -> Retrieved:
        del scope
        vector = None if self.away else MODEL.vectors([text])[0]
        return Retrieved((), self.idf, "english", vector, {"dense": self.away} if self.away else {})

    def rewritten(self, text: str) -> str:
        del text
        return ""


WALRUS = {"walrus": 3.0, "fed": 2.0}


def a_reasoner(
    idf: dict[str, float] | None = None,
    *,
    away: str = "",
    model: HashEmbedder = MODEL,
    options: AgentOptions | None = None,
) -> OfflineReasoner:
    return OfflineReasoner(Weighed(WALRUS if idf is None else idf, away), model, MEMBER, options)


async def a_zoo_reasoner(**options: float) -> OfflineReasoner:
    """Over an index with a walrus in it."""
    knowledge = MemoryKnowledge(MODEL.identity)
    for name, text in {"walrus": "The walrus is fed at noon.", "bus": "Buses leave at nine."}.items():
        await put(knowledge, MODEL, a_document(name), text)
    retriever = Retriever(knowledge, MODEL, RetrievalOptions())
    return OfflineReasoner(retriever, MODEL, MEMBER, AgentOptions(**options))  # type: ignore[arg-type]


def a_brief(*passages: Passage, text: str = ASKED) -> SynthesisInput:
    analysis = an_analysis(text)
    positions = tuple(range(1, len(passages) + 1))
    parts = (AnswerPart(analysis.sub_questions[0], positions),)
    return SynthesisInput(Question(text, MEMBER), analysis, parts, tuple(an_evidence(each) for each in passages))


async def pieces(reasoner: OfflineReasoner, brief: SynthesisInput) -> list[ReplyPiece]:
    return [piece async for piece in reasoner.synthesize(brief)]


async def written(reasoner: OfflineReasoner, *passages: Passage, text: str = ASKED) -> ReplyDraft:
    """The reply as it is shown."""
    brief = a_brief(*passages, text=text)
    writer = ReplyWriter(brief, Masker(), lambda _: None)
    for piece in await pieces(reasoner, brief):
        writer.feed(piece)
    return writer.finish()


# -- writing


async def test_what_no_passage_speaks_of_is_refused() -> None:
    assert await pieces(a_reasoner(), a_brief(a_passage("Printers need toner."))) == []
    assert await pieces(a_reasoner(), a_brief()) == []


async def test_words_alone_must_cover_enough_of_the_question() -> None:
    idf = {"walrus": 1.0, "fed": 2.0}
    brief = a_brief(a_passage("The walrus swims."))
    assert await pieces(a_reasoner(idf, away="Away.", options=AgentOptions(min_relevance=0.34)), brief) == []
    assert await pieces(a_reasoner(idf, away="Away.", options=AgentOptions(min_relevance=0.33)), brief)


async def test_a_passage_of_questions_alone_answers_nothing() -> None:
    assert await pieces(a_reasoner(), a_brief(a_passage(ASKED))) == []


async def test_an_answer_is_quoted_and_numbered() -> None:
    passage = a_passage("The walrus is fed at noon. Printers need toner.", title="Zoo", headings=("Care", "Food"))
    draft = await written(a_reasoner(), passage)
    assert draft.text == "The walrus is fed at noon. [1]"
    (citation,) = draft.citations
    assert (citation.n, citation.quote, citation.title) == (1, "The walrus is fed at noon.", "Zoo")
    assert (citation.section, citation.place, citation.path) == ("Care > Food", "lines 3-4", "d.md")
    assert 0.3 <= draft.confidence <= 1
    assert draft.notes == (QUOTED_OFFLINE,)


async def test_words_in_title_and_headings_count_for_the_judgement() -> None:
    measure = Retrieved((), {"zoo": 1.0, "food": 1.0}, "english", None, {"dense": "Away."})
    assert judge(measure, [a_passage("It swims.", title="Zoo", headings=("Food",))]) == 1.0
    assert judge(measure, [a_passage("It swims.", headings=("Food",))]) == 0.5


async def test_without_a_vector_it_quotes_by_words_and_says_so() -> None:
    reasoner = a_reasoner(away="Searched by words alone: the model is away.")
    draft = await written(reasoner, a_passage("Toner is black. The walrus is fed at noon."))
    assert draft.text == "The walrus is fed at noon. [1]"
    assert draft.notes == ("Searched by words alone: the model is away.", QUOTED_OFFLINE)


async def test_a_model_that_goes_away_between_search_and_quoting_is_no_failure() -> None:
    reasoner = a_reasoner(model=AwayEmbedder())
    draft = await written(reasoner, a_passage("Toner is black. The walrus is fed at noon."))
    assert draft.text == "The walrus is fed at noon. [1]"
    assert draft.notes == ("Quoted by words alone: the embedding server is away.", QUOTED_OFFLINE)


async def test_two_copies_of_a_passage_are_quoted_once() -> None:
    text = "The walrus is fed at noon."
    draft = await written(a_reasoner(), a_passage(text), a_passage(text, "copy"))
    assert draft.text == f"{text} [1]"
    assert [citation.document_id for citation in draft.citations] == ["d"]


@pytest.mark.parametrize("limit", [1, 2])
async def test_no_more_is_quoted_than_allowed(limit: int) -> None:
    text = "The walrus is fed fish.\n\nThe walrus is fed shrimp.\n\nThe walrus is fed clams."
    reasoner = a_reasoner(away="Away.", options=AgentOptions(answer_sentences=limit))
    assert (await written(reasoner, a_passage(text))).text.count("[1]") == limit


async def test_a_passage_keeps_its_number_and_gathers_its_quotes() -> None:
    brief = a_brief(a_passage("", "a"), a_passage("", "b"))
    writer = ReplyWriter(brief, Masker(), lambda _: None)
    for text, source in (("One.", 2), ("Two.", 1), ("Three.", 2)):
        writer.feed(ReplyPiece(text, source=source))
    draft = writer.finish()
    assert draft.text == "One. [1]\n\nTwo. [2]\n\nThree. [1]"
    assert draft.citations == (
        cite(1, a_passage("", "b"), ["One.", "Three."]),
        cite(2, a_passage("", "a"), ["Two."]),
    )


async def test_each_part_of_a_question_is_answered_from_its_own_evidence() -> None:
    walrus, bus = a_passage("The walrus is fed at noon.", "w"), a_passage("Buses leave at nine.", "b")
    analysis = an_analysis("x", ASKED, "When do buses leave?")
    one, two = analysis.sub_questions
    parts = (AnswerPart(one, (1,)), AnswerPart(two, (2,)))
    brief = SynthesisInput(Question("x", MEMBER), analysis, parts, (an_evidence(walrus), an_evidence(bus)))
    reasoner = await a_zoo_reasoner()
    quoted = [(piece.text, piece.source) for piece in await pieces(reasoner, brief) if piece.text]
    assert quoted == [("The walrus is fed at noon.", 1), ("Buses leave at nine.", 2)]


# -- judging


async def test_evidence_that_says_all_words_of_a_simple_question_is_conclusive() -> None:
    reasoner, answer = await a_zoo_reasoner(), an_evidence(a_passage("The walrus is fed at noon."))
    assert await reasoner.conclusive(an_analysis(ASKED), [answer])
    assert not await reasoner.conclusive(an_analysis(ASKED), [an_evidence(a_passage("Buses leave at nine."))])
    assert not await reasoner.conclusive(an_analysis(ASKED), [])
    assert not await reasoner.conclusive(replace(an_analysis(ASKED), complexity="moderate"), [answer])


async def test_every_item_gets_a_grade_for_every_part_it_was_found_for() -> None:
    reasoner = await a_zoo_reasoner()
    analysis = an_analysis("x", ASKED, "When do buses leave?")
    walrus = an_evidence(a_passage("The walrus is fed at noon.", "w"), found_for=(1, 2))
    bus = an_evidence(a_passage("Buses leave at nine.", "b"), found_for=(2,))
    marks = await reasoner.grade(analysis, [walrus, bus], [])
    assert set(marks.grades) == {(1, walrus.key), (2, walrus.key), (2, bus.key)}
    assert all(0 <= grade <= 1 for grade in marks.grades.values())
    assert marks.grades[1, walrus.key] > 0.7 > marks.grades[2, walrus.key]
    assert marks.grades[2, bus.key] > 0.7


async def test_what_was_found_with_other_words_is_graded_by_those_too() -> None:
    reasoner, passage = await a_zoo_reasoner(), a_passage("Buses leave at nine.")
    plain, onward = an_evidence(passage), an_evidence(passage, queries=("When do buses leave?",))
    low = (await reasoner.grade(an_analysis(ASKED), [plain], [])).grades[1, plain.key]
    high = (await reasoner.grade(an_analysis(ASKED), [onward], [])).grades[1, onward.key]
    assert high > 0.7 > low


async def test_the_words_that_no_evidence_holds_are_missing() -> None:
    reasoner = await a_zoo_reasoner()
    known = an_evidence(a_passage("The walrus is fed at noon."))
    marks = await reasoner.grade(an_analysis("When is the old walrus in Dublin fed?"), [known], [])
    assert set(marks.missing) == {"old", "dublin"}
    assert (await reasoner.grade(an_analysis(ASKED), [], [known])).missing == ()


PAGE_URL = "https://wiki.example/spaces/ENG/pages/12345/Feeding"


@pytest.mark.parametrize("asked", [f"When is the walrus fed? See {PAGE_URL}.", f"{PAGE_URL}: when is the walrus fed?"])
async def test_words_of_a_url_count_only_where_its_page_was_not_read(asked: str) -> None:
    reasoner, passage = await a_zoo_reasoner(), a_passage("The walrus is fed at noon.")
    searched = an_evidence(passage)
    read = replace(searched, names=frozenset({PAGE_URL}))
    low, high = [await reasoner.grade(an_analysis(asked), [each], []) for each in (searched, read)]
    assert high.grades[1, read.key] > 0.6 > 2 * low.grades[1, read.key]
    assert set(high.missing) <= {"see"}
    assert "example" in low.missing


async def test_words_of_a_url_that_the_page_holds_count() -> None:
    reasoner, read = await a_zoo_reasoner(), frozenset({PAGE_URL})
    held, other = [
        replace(an_evidence(a_passage(text, text)), names=read) for text in ("Feeding: noon.", "Buses leave at nine.")
    ]
    marks = await reasoner.grade(an_analysis(f"Is {PAGE_URL} new?"), [held, other], [])
    assert marks.grades[1, held.key] > marks.grades[1, other.key]


async def test_a_page_is_quoted_whose_url_stands_in_the_question() -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    await put(knowledge, MODEL, replace(a_document("walrus"), url=PAGE_URL), "The walrus is fed at noon.")
    await put(knowledge, MODEL, a_document("bus"), "Buses leave at nine.")
    outcome = (await a_service(knowledge).ask(Question(f"When is the walrus fed? See {PAGE_URL}.", MEMBER))).outcome
    assert isinstance(outcome, Answer)
    assert outcome.text.startswith("The walrus is fed at noon.")


async def test_nothing_here_clears_a_doubt() -> None:
    claim = CitedClaim("The walrus is fed at noon.", (a_passage("The walrus is fed at noon."),))
    assert await a_reasoner().check([claim, claim]) == [None, None]


@pytest.mark.parametrize("decision", ["refine", "re_retrieve"])
async def test_sentences_that_no_source_said_are_searched_for(decision: Decision) -> None:
    offered = [ToolSpec("hybrid_search", "", Arguments)]
    need = PlanInput(Question(ASKED, MEMBER), an_analysis(ASKED), offered, decision, failed=("It weighs 900 kg.",) * 5)
    plan = await a_reasoner().plan(need)
    assert [each.args["query"] for each in plan[:3]] == ["weighs 900 kg"] * 3
    assert await a_reasoner().plan(replace(need, offered=[])) == ()


async def test_nothing_here_writes_a_hypothesis() -> None:
    assert await a_reasoner().hypothesise(ASKED) == ""


# -- understanding


def test_a_follow_up_is_made_to_stand_alone_before_it_is_analysed() -> None:
    asked = Question("And who feeds it?", MEMBER, history=(Turn("Where is the walrus?", "In a pool."),))
    analysis = analysis_of(asked)
    assert analysis.standalone == "Where is the walrus: who feeds it?"
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
