import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent.options import AgentOptions, Features
from agent.retrieval.retriever import RetrievalOptions, Retriever
from agent.state import Evidence, ToolRequest
from agent.tools.registry import ToolSources, tools
from agent.tools.search import SearchArguments
from agent.tools.toolbox import Toolbox
from domain.access import Scope
from domain.documents import document_id
from domain.errors import Refused
from domain.graph_search import StatedOwner
from domain.masking import Masker
from domain.search import Filters, Method
from tests.fakes.agent import MEMBER, MODEL, a_context, a_passage, an_evidence, the_sources
from tests.fakes.documents import SOURCE, a_document, chunks_of, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.tool_sources import ADA, ASKED, BASE, a_zoo, everything, named, paths, use
from tests.fakes.tools import Control, Pages, Relations

ROOT = Path(__file__).parents[3]


@pytest.fixture
async def sources() -> ToolSources:
    return await everything(await a_zoo())


# -- what is offered


async def test_tools_without_a_source_are_not_offered() -> None:
    knowledge = await a_zoo()
    bare = replace(the_sources(knowledge), document_catalog=None, grep=None)
    offered = {tool.spec.name for tool in tools(bare, AgentOptions(), ADA, None, masker=Masker())}
    assert offered == BASE


@pytest.mark.parametrize(
    ("field", "gone"),
    [
        ("document_catalog", {"document_lookup", "list_entries", "local_file_qa", "read_file"}),
        ("grep", {"grep_search", "list_entries"}),
        ("propositions", {"proposition_search"}),
        ("graph", {"graph_related"}),
        ("reranker", {"rerank"}),
        ("web", {"web_fetch"}),
        ("engine", {"web_search"}),
        ("control", {"index_command"}),
        ("files", set[str]()),
    ],
)
async def test_each_source_brings_its_own_tools(sources: ToolSources, field: str, gone: set[str]) -> None:
    without = replace(sources, **{field: None})  # type: ignore[arg-type]
    assert set(named(sources, ADA)) - set(named(without, ADA)) == gone


@pytest.mark.parametrize("name", ["jira_fetch", "confluence_fetch"])
async def test_each_live_source_brings_its_own_tool(sources: ToolSources, name: str) -> None:
    without = replace(sources, live={key: live for key, live in sources.live.items() if key != name})
    assert set(named(sources, ADA)) - set(named(without, ADA)) == {name}


@pytest.mark.parametrize(
    ("features", "gone"),
    [
        (Features(rerank=True, hyde=False), {"hyde_search"}),
        (Features(rerank=True, graph=False), {"graph_related"}),
        (Features(rerank=True, decomposition=False), {"decompose_query"}),
        (Features(rerank=False), {"rerank"}),
    ],
)
async def test_what_is_switched_off_is_not_offered(sources: ToolSources, features: Features, gone: set[str]) -> None:
    assert set(named(sources)) - set(named(sources, options=AgentOptions(features=features))) == gone


@pytest.mark.parametrize(
    ("method", "gone"),
    [
        ("hybrid", {"graph_related"}),
        ("lexical", {"graph_related", "vector_search", "hyde_search", "proposition_search"}),
        ("dense", {"graph_related", "keyword_search"}),
        ("graph", {"keyword_search", "vector_search", "hyde_search", "proposition_search"}),
    ],
)
async def test_a_method_that_is_asked_for_leaves_no_tool_that_searches_otherwise(
    sources: ToolSources, method: Method, gone: set[str]
) -> None:
    offered = named(sources, options=AgentOptions(method=method, features=Features(rerank=True)))
    assert set(named(sources)) - set(offered) == gone
    found = await offered["hybrid_search"].run(SearchArguments(query="toner"), a_context(ASKED))
    plain = await sources.retriever.rank("toner", MEMBER, method=method, limit=12)
    assert [each.passage.chunk_id for each in found.found] == [each.chunk_id for each in plain.ranked]


async def test_weights_that_are_asked_for_are_searched_with(sources: ToolSources) -> None:
    words = await _scores(sources, AgentOptions(lexical_weight=1.0, graph_share=0.0))
    assert words != await _scores(sources, AgentOptions(lexical_weight=0.0, graph_share=0.0))
    by_words = Retriever(sources.search, MODEL, RetrievalOptions(fusion="normalised", lexical_weight=1.0))
    ranked = (await by_words.rank("the walrus is fed toner", MEMBER, limit=12)).ranked
    assert words == {each.chunk_id: each.score for each in ranked}


async def _scores(sources: ToolSources, options: AgentOptions) -> dict[str, float]:
    tool = named(sources, options=options)["hybrid_search"]
    result = await tool.run(SearchArguments(query="the walrus is fed toner"), a_context(ASKED))
    return {each.passage.chunk_id: each.score for each in result.found}


async def test_administration_is_offered_to_administrators_alone(sources: ToolSources) -> None:
    assert set(named(sources, ADA)) - set(named(sources)) == {"index_command"}


@pytest.mark.parametrize("page", ["SECURITY.md", "docs/agent.md"])
async def test_the_pages_list_every_tool(sources: ToolSources, page: str) -> None:
    rows = [line for line in (ROOT / page).read_text("utf-8").splitlines() if line.startswith("| `")]
    listed = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert set(named(sources, ADA)) - listed == set()


async def test_every_tool_says_when_to_use_it_and_what_it_takes(sources: ToolSources) -> None:
    for name, tool in named(sources, ADA).items():
        schema = tool.spec.schema()
        assert len(tool.spec.use) > 10, name
        assert schema["additionalProperties"] is False, name
        assert 1 <= tool.spec.budget <= 8, name
        assert tool.spec.seconds is None or 0 < tool.spec.seconds <= 60, name


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
async def test_nobody_finds_what_only_others_may_see(sources: ToolSources, name: str, args: dict[str, object]) -> None:
    hers = await use(sources, name, a_context(ASKED, scope=ADA), **args)
    others = await use(sources, name, a_context(ASKED), **args)
    aloud = await use(sources, name, a_context(ASKED, scope=replace(ADA, audience=MEMBER.asker)), **args)
    assert "ada/diary.md" in paths(hers)
    assert "ada/diary.md" not in paths(others) + paths(aloud)
    assert "vault.md" not in paths(hers) + paths(others)
    assert "ada" not in others.note.replace("ada/diary.md", "")


@pytest.mark.parametrize(
    ("name", "args"),
    [
        *((name, args) for name, args in CALLS if name.endswith("_search")),
        ("proposition_search", {"query": "walrus"}),
        ("local_file_qa", {"name": "md"}),
    ],
)
async def test_filters_hold(sources: ToolSources, name: str, args: dict[str, object]) -> None:
    context = a_context(ASKED, filters=Filters(titles=("office/",)))
    assert set(paths(await use(sources, name, context, **args))) <= {"office/toner.md", "office/bus.md"}


async def test_propositions_and_graph_ask_within_the_scope(sources: ToolSources) -> None:
    nobody = Scope(frozenset())
    assert paths(await use(sources, "proposition_search", a_context(scope=nobody), query="walrus")) == []
    assert paths(await use(sources, "graph_related", a_context(scope=nobody), query="toner")) == []


# -- searching


@pytest.mark.parametrize("name", ["hybrid_search", "vector_search", "keyword_search"])
async def test_a_search_gives_the_best_passages_with_scores(sources: ToolSources, name: str) -> None:
    result = await use(sources, name, a_context(ASKED, top_k=2), query=ASKED)
    assert result.found[0].passage.text == "The walrus is fed at noon."
    assert len(result.found) <= 2
    assert all(0 <= item.score <= 1 for item in result.found)
    assert result.query == ASKED


async def test_a_hypothetical_answer_is_searched_instead_of_the_question(sources: ToolSources) -> None:
    result = await use(sources, "hyde_search", query=ASKED)
    assert (paths(result)[0], result.query) == ("office/bus.md", ASKED)


async def test_a_proposition_gives_the_passage_around_it(sources: ToolSources) -> None:
    result = await use(sources, "proposition_search", a_context(top_k=1), query="The walrus weighs 900 kg.")
    assert [item.passage.text for item in result.found] == ["The walrus weighs 900 kg."]


async def test_a_pattern_gives_the_passages_and_places_of_its_lines(sources: ToolSources) -> None:
    result = await use(sources, "grep_search", pattern=r"walrus is\b|PROJ-\d+")
    assert set(paths(result)) == {"zoo/walrus.md", "office/toner.md"}
    assert result.note == "2 lines: office/toner.md:1, zoo/walrus.md:1"
    assert (await use(sources, "grep_search", pattern="unheard")).note == "no line matches"
    assert (await use(sources, "grep_search", pattern="proj-12", ignore_case=True)).found


async def test_the_graph_leads_to_passages_and_says_how(sources: ToolSources) -> None:
    result = await use(sources, "graph_related", a_context(top_k=5), query="toner", hops=1)
    assert (paths(result), result.note, result.found[0].score) == (["office/toner.md"], "toner —fills→ printer", 0.7)
    assert result.found[0].stated_relations == ("toner fills printer",)
    assert isinstance(sources.graph, Relations)
    [(request, scope)] = sources.graph.asked
    assert (request.text, request.hops, request.limit, request.loose, scope) == ("toner", 1, 5, True, MEMBER)
    assert (request.hits, request.vector is not None) == ({}, True)


async def test_the_graph_starts_from_what_is_known_too(sources: ToolSources) -> None:
    known = (await use(sources, "keyword_search", a_context(top_k=1), query="toner")).found[0]
    evidence = Evidence(known.passage, {1: 0.8}, ("keyword_search",), frozenset({1}))
    await use(sources, "graph_related", a_context(evidence=[evidence]), query="Who fills it?")
    assert isinstance(sources.graph, Relations)
    assert sources.graph.asked[0][0].hits == {known.passage.chunk_id: 0.8}


# -- documents


async def test_a_document_is_read_from_a_part_on(sources: ToolSources) -> None:
    result = await use(sources, "document_lookup", document="zoo/walrus.md", first=1, count=1)
    assert [item.passage.text for item in result.found] == ["The walrus weighs 900 kg."]
    assert result.name == "zoo/walrus.md"
    assert result.note == "parts 2 to 2 of 3 of zoo/walrus.md; first=2 reads on"
    whole = await use(sources, "document_lookup", document="Walrus care")
    assert whole.note == "parts 1 to 3 of 3 of Walrus care"
    beyond = await use(sources, "document_lookup", document="Walrus care", first=3)
    assert (beyond.found, beyond.note) == ((), "Walrus care has 3 parts, none from 3 on")
    assert [item.passage.ordinal for item in whole.found] == [0, 1, 2]
    assert [item.score for item in whole.found] == sorted((item.score for item in whole.found), reverse=True)


async def test_a_document_that_is_not_surely_meant_is_not_read(sources: ToolSources) -> None:
    result = await use(sources, "document_lookup", document="quarterly figures")
    assert (result.found, result.note) == ((), "no document is called quarterly figures")


async def test_files_are_found_by_name_and_asked(sources: ToolSources) -> None:
    result = await use(sources, "local_file_qa", name="walrus.md", question="How heavy is the walrus in kg?")
    assert result.found[0].passage.text == "The walrus weighs 900 kg."
    assert result.note.startswith("named: zoo/walrus.md")
    assert (await use(sources, "local_file_qa", name="zzzzzz")).note == "no file name fits zzzzzz"


async def test_a_file_is_read_from_the_index_else_from_its_folder(sources: ToolSources) -> None:
    indexed = await use(sources, "read_file", path="office/toner.md")
    assert (paths(indexed), indexed.note) == (["office/toner.md"], "parts 1 to 1 of 1 of office/toner.md")
    assert isinstance(sources.files, Pages)
    assert sources.files.asked == []
    live = await use(sources, "read_file", path="seal.txt", question="seal")
    assert "The seal is fed at ten." in live.found[0].passage.text
    assert sources.files.asked == [("seal.txt", MEMBER)]
    assert (indexed.name, live.name) == ("office/toner.md", "seal.txt")
    assert (await use(sources, "read_file", path="other.txt")).note == "there is no file other.txt"
    without = replace(sources, files=None)
    one_source = a_context(ASKED, filters=Filters(sources=("docs",)))
    for narrowed in (
        await use(without, "read_file", path="seal.txt"),
        await use(sources, "read_file", one_source, path="seal.txt"),
    ):
        assert (narrowed.found, narrowed.note) == ((), "there is no indexed document seal.txt")


async def test_a_long_document_is_read_page_by_page_to_its_end() -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    log = a_document("log", path="log.md")
    chunks = chunks_of(log, [f"Entry {number} of the log." for number in range(53)])
    await knowledge.put(log, chunks, MODEL.vectors([chunk.embedded_text for chunk in chunks]))
    read, first, notes = list[str](), 0, list[str]()
    while True:
        page = await use(the_sources(knowledge), "read_file", path="log.md", first=first)
        read += [each.passage.text for each in page.found]
        notes.append(page.note)
        goes_on = re.search(r"first=(\d+)", page.note)
        if goes_on is None:
            break
        first = int(goes_on[1])
    assert read == [chunk.text for chunk in chunks]
    assert notes == [
        "parts 1 to 20 of 53 of log.md; first=20 reads on",
        "parts 21 to 40 of 53 of log.md; first=40 reads on",
        "parts 41 to 53 of 53 of log.md",
    ]


# -- thinking


async def test_evidence_is_ranked_anew(sources: ToolSources) -> None:
    poor, good = an_evidence(a_passage("Toner.", "t")), an_evidence(a_passage(ASKED, "w"))
    result = await use(sources, "rerank", a_context(ASKED, evidence=[poor, good]), query=ASKED)
    assert [item.passage.document_id for item in result.found] == ["w", "t"]
    assert result.note == "reranked by overlap"
    assert (await use(sources, "rerank", a_context(ASKED), query=ASKED)).note == "there is no evidence yet"


async def test_a_question_is_taken_apart(sources: ToolSources) -> None:
    apart = await use(sources, "decompose_query", question="What is leave? What is toner?")
    assert apart.parts == ("What is leave?", "What is toner?")
    assert (await use(sources, "decompose_query", question=ASKED)).parts == ()


# -- administration


async def test_an_administrator_sees_the_state_and_asks_for_a_run(sources: ToolSources) -> None:
    context = a_context(scope=ADA)
    assert (await use(sources, "index_command", context, command="status")).note == "fresh"
    assert (await use(sources, "index_command", context, command="reindex", source="docs")).note == "confirm it"
    assert isinstance(sources.control, Control)
    assert sources.control.proposed == [("reindex", "docs")]


async def test_nobody_else_does(sources: ToolSources) -> None:
    tool = named(sources, ADA)["index_command"]
    args = tool.spec.arguments.model_validate({"command": "reindex"})
    with pytest.raises(Refused, match="Only administrators"):
        await tool.run(args, a_context())
    (ran,) = await Toolbox([tool]).run([ToolRequest("index_command", {"command": "reindex"})], a_context(), 1)
    assert ran.call.error.startswith("Only administrators")
    assert isinstance(sources.control, Control)
    assert sources.control.proposed == []


# -- counting and listing


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which documents mention PROJ-12?", ["office/toner.md"]),
        ("Which documents mention the walrus?", ["zoo/walrus.md"]),
        ("How many office pages are there?", ["office/bus.md", "office/toner.md"]),
        ("How many walruses do we have?", []),
        ("Welche Dokumente erwähnen PROJ-12?", ["office/toner.md"]),
        ("Welche Seiten gehören zum Bus?", []),
        ("Wie viele Walrosse gibt es?", []),
        ("Wie viele Office-Seiten gibt es?", ["office/bus.md", "office/toner.md"]),
        ("Which documents mention gold?", []),
        ("Which documents mention md?", []),
        ("Which documents mention the walrus keeper?", []),
        ("When is the walrus fed?", []),
    ],
)
async def test_what_is_listed_is_what_the_reader_may_read(
    sources: ToolSources, question: str, found: list[str]
) -> None:
    result = await use(sources, "list_entries", a_context(scope=MEMBER), question=question)
    assert sorted(paths(result)) == found
    if found:
        count = "1 document:" if len(found) == 1 else f"{len(found)} documents:"
        assert result.found[0].stated_relations[0] == count


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("pages", ["office/bus.md", "office/toner.md", "zoo/walrus.md"]),
        ("office pages", ["office/bus.md", "office/toner.md"]),
        ("pages with the label zoo", ["zoo/walrus.md"]),
        ("#zoo pages", ["zoo/walrus.md"]),
        ("How many documents are tagged zoo?", ["zoo/walrus.md"]),
    ],
)
async def test_a_list_may_be_asked_for_in_a_few_words_with_its_filters(
    sources: ToolSources, words: str, found: list[str]
) -> None:
    assert sorted(paths(await use(sources, "list_entries", a_context(scope=MEMBER), question=words))) == found


@pytest.mark.parametrize(
    "words", ["documents changed since 2026-03-01", "Which pages were changed after February 2026?"]
)
async def test_a_list_may_name_a_date(words: str) -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    for year in (2025, 2026):
        await put(knowledge, MODEL, a_document(f"of {year}", updated_at=datetime(year, 4, 1, tzinfo=UTC)), "Seals.")
    result = await use(await everything(knowledge), "list_entries", a_context(scope=MEMBER), question=words)
    assert [each.passage.document_id for each in result.found] == [document_id("docs", "of 2026")]


@pytest.mark.parametrize("words", ["What changed since March?", "Was hat sich seit März geändert?", "What changed?"])
async def test_what_changed_is_a_list_of_all_documents_that_changed(words: str) -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    for year in (2024, 2025):
        await put(knowledge, MODEL, a_document(f"of {year}", updated_at=datetime(year, 4, 1, tzinfo=UTC)), "Seals.")
    context = a_context(scope=MEMBER, filters=Filters(since=datetime(2025, 1, 1, tzinfo=UTC)))
    result = await use(await everything(knowledge), "list_entries", context, question=words)
    assert [each.passage.document_id for each in result.found] == [document_id("docs", "of 2025")] * (words[-2] != "d")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("How many guides are there?", ["feeding.md", "guide-to-pools.md", "rescue.md"]),
        ("List all guides.", ["feeding.md", "guide-to-pools.md", "rescue.md"]),
        ("How many guides mention herring?", ["feeding.md", "guide-to-pools.md"]),
        ("How many aquariums are there?", ["feeding.md"]),
        ("List all open days", ["rescue.md"]),
        ("How many herrings are there?", []),
    ],
)
async def test_documents_of_a_kind_are_those_with_its_label_or_its_name(words: str, found: list[str]) -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    for name, labels, text in (
        ("feeding.md", ("guide", "Aquarium"), "Seals eat herring."),
        ("rescue.md", ("guides", "open-day"), "Seals are kept wet."),
        ("guide-to-pools.md", (), "No herring goes into a pool."),
        ("prices.md", (), "Herring costs two euros."),
    ):
        await put(knowledge, MODEL, a_document(name, labels=labels), text)
    result = await use(await everything(knowledge), "list_entries", a_context(scope=MEMBER), question=words)
    assert sorted(paths(result)) == found
    if found:
        assert result.found[0].stated_relations[0] == f"{len(found)} document{'s' * (len(found) > 1)}:"


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many pages are in the zoo folder?", ["zoo/old/owl.md", "zoo/seal.md"]),
        ("How many guides are in the zoo folder?", ["zoo/seal.md"]),
        ("How many pages are in the night shift folder?", ["aqua/night-shift/eel.md"]),
        ("How many pages are in the ZOO/old directory?", ["zoo/old/owl.md"]),
        ("How many pages does the fish space have?", ["shop.md"]),
        ("How many pages are in the shed folder?", []),
        ("How many pages are in the pond folder?", ["pond/frog.md", "pond/pond/newt.md"]),
        ("How many pages are in the pond space?", ["fen.md"]),
        ("How many pages are in the zoo project?", []),
        ("How many pages are in the old folder?", []),
    ],
)
async def test_what_lies_in_a_folder_or_a_space_is_counted_however_deep(question: str, found: list[str]) -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    for path, space, labels in (
        ("zoo/seal.md", "", ("guide",)),
        ("zoo/old/owl.md", "", ()),
        ("aqua/night-shift/eel.md", "", ("guide",)),
        ("my-zoo/cat.md", "", ("guide",)),
        ("shop.md", "FISH", ()),
        ("pond/frog.md", "", ()),
        ("pond/pond/newt.md", "", ()),
        ("aqua/pond/eft.md", "", ()),
        ("fen.md", "POND", ()),
        ("aqua/old/eft.md", "", ()),
    ):
        await put(knowledge, MODEL, a_document(path, path=path, space=space, labels=labels), "Zoo/ and shed/.")
    result = await use(await everything(knowledge), "list_entries", a_context(scope=MEMBER), question=question)
    assert sorted(paths(result)) == found


OWNERS = (
    ("alone.md", "Owner: Kitchen", ""),
    ("shared.md", "Owner: Garden, together with Kitchen", ""),
    ("other.md", "Owner: Garden, agreed with Kitchen", ""),
    ("guide.md", "Herbs.", "Garden and Kitchen"),
    ("design.md", "Tiles.", "Kitchen Design"),
)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which pages does the Kitchen team own?", ["alone.md", "guide.md", "shared.md"]),
        ("Which guides does the Kitchen team own?", ["guide.md"]),
        ("Welche Seiten gehören zum Kitchen-Team?", ["alone.md", "guide.md", "shared.md"]),
    ],
)
async def test_documents_of_several_owners_belong_to_each(question: str, found: list[str]) -> None:
    knowledge, stated = MemoryKnowledge(MODEL.identity), []
    for name, text, owner in OWNERS:
        (chunk,) = await put(knowledge, MODEL, a_document(name, title=name), text)
        stated += [StatedOwner(owner, chunk, document_id(SOURCE, name))] * bool(owner)
    sources = replace(await everything(knowledge), graph=Relations([], owners=stated))
    result = await use(sources, "list_entries", a_context(scope=MEMBER), question=question)
    assert sorted(paths(result)) == found
    assert result.found[0].stated_relations[0] == f"{len(found)} document{'s' * (len(found) > 1)}:"
    without = replace(sources, graph=None)  # metadata is not known
    result = await use(without, "list_entries", a_context(scope=MEMBER), question="Which pages does Garden own?")
    assert [said for each in result.found for said in each.stated_relations if said.endswith(":")] == []
    assert result.found[-1].stated_relations[-1] == "There may be more."


@pytest.mark.parametrize(
    ("question", "found", "complete"),
    [
        ("Which pages does the Data team own?", ["whole.md"], True),
        ("Which pages does Data own?", ["whole.md"], False),
        ("Which pages were written by Femi?", ["adr.md", "letter.md"], True),
        ("Which pages does the Kitchen team own?", ["drill.md"], False),
        ("Which pages does the Garden team own?", [], True),
        ("Which pages does the Cellar team own?", [], True),
    ],
)
async def test_what_is_not_clearly_said_of_owners_is_not_counted(
    question: str, found: list[str], complete: bool
) -> None:
    knowledge, stated = MemoryKnowledge(MODEL.identity), []
    for name, text, owner in (
        ("whole.md", "Owner: Data", ""),
        ("longer.md", "Sums.", "Data Science"),
        ("adr.md", "Glaze.", "Femi Adeyemi and Lea Winter"),
        ("letter.md", "Author: Femi Adeyemi", ""),
        ("drill.md", "Responsible team: Kitchen. Former owner: Garden", ""),
        ("invite.md", "The owner can invite Kitchen and Cellar.", ""),
    ):
        (chunk,) = await put(knowledge, MODEL, a_document(name, title=name), text)
        stated += [StatedOwner(owner, chunk, document_id(SOURCE, name))] * bool(owner)
    sources = replace(await everything(knowledge), graph=Relations([], owners=stated))
    result = await use(sources, "list_entries", a_context(scope=MEMBER), question=question)
    assert sorted(paths(result)) == found
    said = [each for one in result.found for each in one.stated_relations]
    assert ("There may be more." in said) is not complete
    assert any(each.endswith(":") for each in said) is (complete and bool(found))


async def test_a_german_question_lists_the_rows_of_an_english_table() -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    table = "| Service | Tier |\n|---|---|\n| ledger | 3 |\n| alertd | 1 |"
    await put(knowledge, MODEL, a_document("services"), table)
    question = "Liste alle Tier-1-Dienste auf"
    result = await use(await everything(knowledge), "list_entries", a_context(scope=MEMBER), question=question)
    assert result.found[0].stated_relations == ("1 entry:", "alertd: 1")
