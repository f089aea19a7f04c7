from dataclasses import replace

import pytest
from pydantic import ValidationError

from agent.tools.registry import ToolSources
from tests.fakes.agent import MEMBER, a_context, a_passage, an_evidence
from tests.fakes.tool_sources import ADA, PAGE, a_zoo, everything, use
from tests.fakes.tools import Engine, Pages


@pytest.fixture
async def sources() -> ToolSources:
    return await everything(await a_zoo())


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
    sources: ToolSources, name: str, args: dict[str, object], fetched: str
) -> None:
    context = a_context(f"When is the seal of {PAGE.url} fed?")
    result = await use(sources, name, context, **args)
    passage = result.found[0].passage
    assert (passage.url, passage.title, passage.author) == (PAGE.url, "Seals", "Ada")
    assert "seal is fed at ten" in passage.text
    source = {**sources.live, "web_fetch": sources.web}[name]
    assert isinstance(source, Pages)
    assert source.asked == [(fetched, MEMBER)]
    assert result.name == fetched


async def test_what_is_not_there_or_not_allowed_is_one_answer(sources: ToolSources) -> None:
    closed = replace(sources, live={"jira_fetch": Pages({"PROJ-12": PAGE}, readers=ADA)})
    assert (await use(closed, "jira_fetch", key="PROJ-12")).note == "PROJ-12 was not found"
    assert (await use(closed, "jira_fetch", key="PROJ-13")).note == "PROJ-13 was not found"
    assert (await use(closed, "jira_fetch", a_context(scope=ADA), key="PROJ-12")).found


async def test_a_page_without_text_gives_nothing(sources: ToolSources) -> None:
    empty = replace(sources, live={"jira_fetch": Pages({"PROJ-12": replace(PAGE, text=" \n")})})
    assert (await use(empty, "jira_fetch", key="PROJ-12")).found == ()


async def test_a_long_page_is_cut_and_its_best_part_comes_first(sources: ToolSources) -> None:
    filler = "\n".join(f"Chapter {n} is about the printers of floor {n} and their toner and paper." for n in range(60))
    long = replace(PAGE, text=f"{filler}\n\nThe seal is fed at ten.\n\n{filler}")
    result = await use(
        replace(sources, live={"jira_fetch": Pages({"PROJ-12": long})}),
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
    sources: ToolSources, question: str, evidence: str, *, allowed: bool
) -> None:
    known = [an_evidence(a_passage(evidence))] if evidence else []
    result = await use(sources, "web_fetch", a_context(question, evidence=known), url=PAGE.url)
    assert isinstance(sources.web, Pages)
    assert bool(sources.web.asked) == bool(result.found) == allowed
    assert allowed or result.note == "the URL stands neither in the question nor in the evidence"


async def test_the_url_of_a_found_passage_may_be_fetched(sources: ToolSources) -> None:
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
async def test_a_web_search_sends_the_questions_words_alone(sources: ToolSources, query: str, sent: str) -> None:
    result = await use(sources, "web_search", query=query)
    assert isinstance(sources.engine, Engine)
    assert sources.engine.asked == [sent]
    assert [item.passage.url for item in result.found] == [PAGE.url]
    assert result.query == sent


async def test_a_web_search_without_a_word_of_the_question_is_not_made(sources: ToolSources) -> None:
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
async def test_malformed_arguments_are_refused(sources: ToolSources, name: str, args: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        await use(sources, name, a_context(scope=ADA), **args)
