"""Every tool over small stores in memory."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from agent.options import AgentOptions, Features
from agent.state import ToolRequest
from agent.tools.base import Tool, ToolContext, ToolResult
from agent.tools.registry import Sources, tools
from agent.tools.toolbox import Toolbox
from domain.access import NOBODY, Acl, Scope, user
from domain.errors import Refused
from domain.ports import LivePage, PropositionRow, Related
from domain.search import Filters
from tests.fakes.agent import MEMBER, MODEL, a_context, a_passage, an_evidence, the_sources
from tests.fakes.documents import a_document, chunks_of, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.propositions import MemoryPropositions
from tests.fakes.reranker import OverlapReranker
from tests.fakes.tools import Control, Engine, Pages, Relations

ASKED = "When is the walrus fed?"
ADA = Scope.member("ada@example.com")
PAGE = LivePage("https://x.example/seal", "Seals", "The seal is fed at ten.\n\nToner is black.", author="Ada")
BASE = {"hybrid_search", "vector_search", "keyword_search", "decompose_query"}


async def a_zoo() -> MemoryKnowledge:
    """Three documents for all, one for Ada alone, one for nobody."""
    knowledge = MemoryKnowledge(MODEL.identity, propositions=True)
    walrus = a_document("walrus", title="Walrus care", path="zoo/walrus.md", labels=["zoo"])
    chunks = chunks_of(walrus, ["The walrus is fed at noon.", "The walrus weighs 900 kg.", "Its pool is deep."])
    texts = [chunk.text for chunk in chunks]
    rows = [PropositionRow(n, 0, len(text), MODEL.vectors([text])[0]) for n, text in enumerate(texts)]
    await knowledge.put(walrus, chunks, MODEL.vectors([chunk.embedded_text for chunk in chunks]), rows)
    await put(knowledge, MODEL, a_document("toner", path="office/toner.md"), "Printers need toner PROJ-12.")
    await put(knowledge, MODEL, a_document("bus", path="office/bus.md"), "Buses leave at nine.")
    own = a_document("diary", path="ada/diary.md", acl=Acl.any_of(user("ada@example.com")))
    await put(knowledge, MODEL, own, "Ada feeds the walrus fish PROJ-12.")
    await put(knowledge, MODEL, a_document("vault", path="vault.md", acl=NOBODY), "The walrus is fed gold PROJ-12.")
    return knowledge


async def everything(knowledge: MemoryKnowledge) -> Sources:
    chunk = (await the_sources(knowledge).retriever.rank("toner", MEMBER)).ranked[0].chunk_id
    return replace(
        the_sources(knowledge),
        propositions=MemoryPropositions(knowledge, MODEL.identity),
        graph=Relations([Related(chunk, "toner → printer", 0.7), Related("gone", "nowhere", 0.9)]),
        reranker=OverlapReranker(),
        jira=Pages({"PROJ-12": PAGE}),
        confluence=Pages({"123": PAGE}),
        web=Pages({PAGE.url: PAGE}),
        engine=Engine([PAGE, replace(PAGE, url="https://x.example/2", text=" ")]),
        files=Pages({"seal.txt": PAGE}),
        control=Control(ADA),
    )


async def hypothesis(question: str) -> str:
    return "Buses leave at nine." if question else ""


@pytest.fixture
async def sources() -> Sources:
    return await everything(await a_zoo())


def named(sources: Sources, scope: Scope = MEMBER, options: AgentOptions | None = None) -> dict[str, Tool[Any]]:
    return {tool.spec.name: tool for tool in tools(sources, options or AgentOptions(), scope, hypothesis)}


async def use(sources: Sources, name: str, context: ToolContext | None = None, /, **args: object) -> ToolResult:
    """Calls a tool as a plan does."""
    within = context or a_context(ASKED)
    tool = named(sources, within.scope)[name]
    return await tool.run(tool.spec.arguments.model_validate(args), within)


def paths(result: ToolResult) -> list[str]:
    return [item.passage.path for item in result.found]


# -- what is offered


async def test_tools_without_a_source_are_not_offered() -> None:
    knowledge = await a_zoo()
    bare = replace(the_sources(knowledge), library=None, grep=None)
    offered = {tool.spec.name for tool in tools(bare, AgentOptions(), ADA, None)}
    assert offered == BASE


@pytest.mark.parametrize(
    ("field", "gone"),
    [
        ("library", {"document_lookup", "local_file_qa", "read_file"}),
        ("grep", {"grep_search"}),
        ("propositions", {"proposition_search"}),
        ("graph", {"graph_related"}),
        ("reranker", {"rerank"}),
        ("jira", {"jira_fetch"}),
        ("confluence", {"confluence_fetch"}),
        ("web", {"web_fetch"}),
        ("engine", {"web_search"}),
        ("control", {"index_command"}),
        ("files", set[str]()),
    ],
)
async def test_each_source_brings_its_own_tools(sources: Sources, field: str, gone: set[str]) -> None:
    without = replace(sources, **{field: None})  # type: ignore[arg-type]
    assert set(named(sources, ADA)) - set(named(without, ADA)) == gone


@pytest.mark.parametrize(
    ("features", "gone"),
    [
        (Features(hyde=False), {"hyde_search"}),
        (Features(graph=False), {"graph_related"}),
        (Features(decomposition=False), {"decompose_query"}),
    ],
)
async def test_what_is_switched_off_is_not_offered(sources: Sources, features: Features, gone: set[str]) -> None:
    assert set(named(sources)) - set(named(sources, options=AgentOptions(features=features))) == gone


async def test_administration_is_offered_to_administrators_alone(sources: Sources) -> None:
    assert set(named(sources, ADA)) - set(named(sources)) == {"index_command"}


async def test_every_tool_says_when_to_use_it_and_what_it_takes(sources: Sources) -> None:
    for name, tool in named(sources, ADA).items():
        schema = tool.spec.schema()
        assert len(tool.spec.use) > 10, name
        assert schema["additionalProperties"] is False, name
        assert 1 <= tool.spec.budget <= 8, name
        assert 0 < tool.spec.seconds <= 60, name


# -- scope and filters

CALLS: list[tuple[str, dict[str, object]]] = [
    ("hybrid_search", {"query": "walrus fed PROJ-12"}),
    ("vector_search", {"query": "walrus fed PROJ-12"}),
    ("keyword_search", {"query": "walrus fed PROJ-12"}),
    ("hyde_search", {"query": "walrus fed"}),
    ("grep_search", {"pattern": "PROJ-12"}),
    ("local_file_qa", {"name": "diary", "question": "walrus fed"}),
    ("document_lookup", {"document": "ada/diary.md"}),
    ("read_file", {"path": "ada/diary.md"}),
]


@pytest.mark.parametrize(("name", "args"), CALLS, ids=[name for name, _ in CALLS])
async def test_nobody_finds_what_only_others_may_see(sources: Sources, name: str, args: dict[str, object]) -> None:
    hers = await use(sources, name, a_context(ASKED, scope=ADA), **args)
    others = await use(sources, name, a_context(ASKED), **args)
    aloud = await use(sources, name, a_context(ASKED, scope=replace(ADA, audience=MEMBER.asker)), **args)
    assert "ada/diary.md" in paths(hers)
    assert "ada/diary.md" not in paths(others) + paths(aloud)
    assert "vault.md" not in paths(hers) + paths(others)
    assert "ada" not in others.note.replace("ada/diary.md", "")


@pytest.mark.parametrize(
    ("name", "args"),
    [*CALLS[:5], ("proposition_search", {"query": "walrus"}), ("local_file_qa", {"name": "md"})],
)
async def test_filters_hold(sources: Sources, name: str, args: dict[str, object]) -> None:
    context = a_context(ASKED, filters=Filters(title="office/"))
    assert set(paths(await use(sources, name, context, **args))) <= {"office/toner.md", "office/bus.md"}


async def test_propositions_and_graph_ask_within_the_scope(sources: Sources) -> None:
    nobody = Scope(frozenset())
    assert paths(await use(sources, "proposition_search", a_context(scope=nobody), query="walrus")) == []
    assert paths(await use(sources, "graph_related", a_context(scope=nobody), query="toner")) == []


# -- searching


@pytest.mark.parametrize("name", ["hybrid_search", "vector_search", "keyword_search"])
async def test_a_search_gives_the_best_passages_with_scores(sources: Sources, name: str) -> None:
    result = await use(sources, name, a_context(ASKED, top_k=2), query=ASKED)
    assert result.found[0].passage.text == "The walrus is fed at noon."
    assert len(result.found) <= 2
    assert all(0 <= item.score <= 1 for item in result.found)
    assert result.query == ASKED


async def test_a_hypothetical_answer_is_searched_instead_of_the_question(sources: Sources) -> None:
    result = await use(sources, "hyde_search", query=ASKED)
    assert (paths(result)[0], result.query) == ("office/bus.md", ASKED)


async def test_a_proposition_gives_the_passage_around_it(sources: Sources) -> None:
    result = await use(sources, "proposition_search", a_context(top_k=1), query="The walrus weighs 900 kg.")
    assert [item.passage.text for item in result.found] == ["The walrus weighs 900 kg."]


async def test_a_pattern_gives_the_passages_and_places_of_its_lines(sources: Sources) -> None:
    result = await use(sources, "grep_search", pattern=r"walrus is\b|PROJ-\d+")
    assert set(paths(result)) == {"zoo/walrus.md", "office/toner.md"}
    assert result.note == "2 lines: office/toner.md:1, zoo/walrus.md:1"
    assert (await use(sources, "grep_search", pattern="unheard")).note == "no line matches"
    assert (await use(sources, "grep_search", pattern="proj-12", ignore_case=True)).found


async def test_the_graph_leads_to_passages_and_says_how(sources: Sources) -> None:
    result = await use(sources, "graph_related", a_context(top_k=5), query="toner", hops=3)
    assert (paths(result), result.note, result.found[0].score) == (["office/toner.md"], "toner → printer", 0.7)
    assert isinstance(sources.graph, Relations)
    assert sources.graph.asked == [("toner", MEMBER, 3, 5)]


# -- documents


async def test_a_document_is_read_from_a_part_on(sources: Sources) -> None:
    result = await use(sources, "document_lookup", document="zoo/walrus.md", first=1, count=1)
    assert [item.passage.text for item in result.found] == ["The walrus weighs 900 kg."]
    whole = await use(sources, "document_lookup", document="Walrus care")
    assert [item.passage.ordinal for item in whole.found] == [0, 1, 2]
    assert [item.score for item in whole.found] == sorted((item.score for item in whole.found), reverse=True)


async def test_a_document_that_is_not_surely_meant_is_not_read(sources: Sources) -> None:
    result = await use(sources, "document_lookup", document="quarterly figures")
    assert (result.found, result.note) == ((), "no document is called quarterly figures")


async def test_files_are_found_by_name_and_asked(sources: Sources) -> None:
    result = await use(sources, "local_file_qa", name="walrus.md", question="How heavy is the walrus in kg?")
    assert result.found[0].passage.text == "The walrus weighs 900 kg."
    assert result.note.startswith("named: zoo/walrus.md")
    assert (await use(sources, "local_file_qa", name="zzzzzz")).note == "no file name fits zzzzzz"


async def test_a_file_is_read_from_the_index_else_from_its_folder(sources: Sources) -> None:
    indexed = await use(sources, "read_file", path="office/toner.md")
    assert (paths(indexed), indexed.note) == (["office/toner.md"], "indexed as office/toner.md")
    assert isinstance(sources.files, Pages)
    assert sources.files.asked == []
    live = await use(sources, "read_file", path="seal.txt", question="seal")
    assert "The seal is fed at ten." in live.found[0].passage.text
    assert sources.files.asked == [("seal.txt", MEMBER)]
    assert (await use(sources, "read_file", path="other.txt")).note == "there is no file other.txt"
    without = replace(sources, files=None)
    assert (await use(without, "read_file", path="seal.txt")).note == "there is no indexed document seal.txt"


# -- live


@pytest.mark.parametrize(
    ("name", "args", "fetched"),
    [
        ("jira_fetch", {"key": "proj-12"}, "PROJ-12"),
        ("confluence_fetch", {"page": "123"}, "123"),
        ("web_fetch", {"url": PAGE.url}, PAGE.url),
    ],
)
async def test_a_live_page_is_read_for_the_asker(
    sources: Sources, name: str, args: dict[str, object], fetched: str
) -> None:
    context = a_context(f"When is the seal of {PAGE.url} fed?")
    result = await use(sources, name, context, **args)
    passage = result.found[0].passage
    assert (passage.url, passage.title, passage.author) == (PAGE.url, "Seals", "Ada")
    assert "seal is fed at ten" in passage.text
    source = {"jira_fetch": sources.jira, "confluence_fetch": sources.confluence, "web_fetch": sources.web}[name]
    assert isinstance(source, Pages)
    assert source.asked == [(fetched, MEMBER)]


async def test_what_is_not_there_or_not_allowed_is_one_answer(sources: Sources) -> None:
    closed = replace(sources, jira=Pages({"PROJ-12": PAGE}, readers=ADA))
    assert (await use(closed, "jira_fetch", key="PROJ-12")).note == "PROJ-12 was not found"
    assert (await use(closed, "jira_fetch", key="PROJ-13")).note == "PROJ-13 was not found"
    assert (await use(closed, "jira_fetch", a_context(scope=ADA), key="PROJ-12")).found


async def test_a_page_without_text_gives_nothing(sources: Sources) -> None:
    empty = replace(sources, jira=Pages({"PROJ-12": replace(PAGE, text=" \n")}))
    assert (await use(empty, "jira_fetch", key="PROJ-12")).found == ()


async def test_a_long_page_is_cut_and_its_best_part_comes_first(sources: Sources) -> None:
    filler = "\n".join(f"Chapter {n} is about the printers of floor {n} and their toner and paper." for n in range(60))
    long = replace(PAGE, text=f"{filler}\n\nThe seal is fed at ten.\n\n{filler}")
    result = await use(
        replace(sources, jira=Pages({"PROJ-12": long})),
        "jira_fetch",
        a_context("When is the seal fed?", top_k=3),
        key="PROJ-12",
    )
    assert len(result.found) == 3
    assert "The seal is fed at ten." in result.found[0].passage.text
    assert result.found[0].passage.span.first_line > 1
    assert len({item.passage.chunk_id for item in result.found}) == 3


@pytest.mark.parametrize(
    ("question", "evidence", "allowed"),
    [
        (f"What does {PAGE.url} say?", "", True),
        (f"What does {PAGE.url}/ say?", "", True),
        (f"What does it say ({PAGE.url}).", "", True),
        ("What is said there?", f"See {PAGE.url} for more.", True),
        ("What is said there?", "", False),
        (f"What does {PAGE.url}/pups say?", "", False),
        (f"What does {PAGE.url}?page=2 say?", "", False),
        (f"What does {PAGE.url}.html say?", "", False),
        (f"What does {PAGE.url}-2 say?", "", False),
        ("What does https://x.example say?", "", False),
        ("What does http://x.example/seal say?", "", False),
    ],
)
async def test_a_url_that_stands_nowhere_is_not_fetched(
    sources: Sources, question: str, evidence: str, *, allowed: bool
) -> None:
    known = [an_evidence(a_passage(evidence))] if evidence else []
    result = await use(sources, "web_fetch", a_context(question, evidence=known), url=PAGE.url)
    assert isinstance(sources.web, Pages)
    assert bool(sources.web.asked) == bool(result.found) == allowed
    assert allowed or result.note == "the URL stands neither in the question nor in the evidence"


async def test_the_url_of_a_found_passage_may_be_fetched(sources: Sources) -> None:
    known = [an_evidence(a_passage("text", url=PAGE.url))]
    assert (await use(sources, "web_fetch", a_context("x", evidence=known), url=PAGE.url)).found


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("walrus feeding gold-reserve", "walrus"),
        ("When is the WALRUS fed", "When is the WALRUS fed"),
        ("walrus:secret fed", "fed"),
        ("walrus, fed!", "walrus, fed!"),
    ],
)
async def test_a_web_search_sends_the_questions_words_alone(sources: Sources, query: str, sent: str) -> None:
    result = await use(sources, "web_search", query=query)
    assert isinstance(sources.engine, Engine)
    assert sources.engine.asked == [sent]
    assert [item.passage.url for item in result.found] == [PAGE.url]
    assert result.query == sent


async def test_a_web_search_without_a_word_of_the_question_is_not_made(sources: Sources) -> None:
    result = await use(sources, "web_search", query="gold reserves")
    assert isinstance(sources.engine, Engine)
    assert (sources.engine.asked, result.found) == ([], ())
    assert result.note == "no word of the query stands in the question"


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("jira_fetch", {"key": "../admin"}),
        ("jira_fetch", {"key": "PROJ"}),
        ("confluence_fetch", {"page": "12 or 1=1"}),
        ("confluence_fetch", {"page": "file:///etc/passwd"}),
        ("web_fetch", {"url": "file:///etc/passwd"}),
        ("web_fetch", {"url": "https://user:pass@x.example/"}),
        ("web_fetch", {"url": "javascript:alert(1)"}),
        ("web_search", {"query": "w" * 301}),
        ("grep_search", {"pattern": "w" * 513}),
        ("hybrid_search", {"query": ""}),
        ("hybrid_search", {"query": "x", "scope": "everyone"}),
        ("graph_related", {"query": "x", "hops": 9}),
        ("document_lookup", {"document": "x", "count": 1_000}),
        ("index_command", {"command": "delete"}),
    ],
)
async def test_malformed_arguments_are_refused(sources: Sources, name: str, args: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        await use(sources, name, a_context(scope=ADA), **args)


# -- thinking


async def test_evidence_is_ranked_anew(sources: Sources) -> None:
    poor, good = an_evidence(a_passage("Toner.", "t")), an_evidence(a_passage(ASKED, "w"))
    result = await use(sources, "rerank", a_context(ASKED, evidence=[poor, good]), query=ASKED)
    assert [item.passage.document_id for item in result.found] == ["w", "t"]
    assert result.note == "reranked by overlap"
    assert (await use(sources, "rerank", a_context(ASKED), query=ASKED)).note == "there is no evidence yet"


async def test_a_question_is_taken_apart(sources: Sources) -> None:
    apart = await use(sources, "decompose_query", question="What is leave? What is toner?")
    assert apart.parts == ("What is leave?", "What is toner?")
    assert (await use(sources, "decompose_query", question=ASKED)).parts == ()


# -- administration


async def test_an_administrator_sees_the_state_and_asks_for_a_run(sources: Sources) -> None:
    context = a_context(scope=ADA)
    assert (await use(sources, "index_command", context, command="status")).note == "fresh"
    assert (await use(sources, "index_command", context, command="reindex", source="docs")).note == "confirm it"
    assert isinstance(sources.control, Control)
    assert sources.control.proposed == [("reindex", "docs")]


async def test_nobody_else_does(sources: Sources) -> None:
    tool = named(sources, ADA)["index_command"]
    args = tool.spec.arguments.model_validate({"command": "reindex"})
    with pytest.raises(Refused, match="Only administrators"):
        await tool.run(args, a_context())
    (ran,) = await Toolbox([tool]).run([ToolRequest("index_command", {"command": "reindex"})], a_context(), 1)
    assert ran.call.error.startswith("Only administrators")
    assert isinstance(sources.control, Control)
    assert sources.control.proposed == []
