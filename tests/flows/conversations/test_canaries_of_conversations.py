"""Random conversations on Slack and Teams at once: nobody gets a canary of a document that they may not read, in any
way; and what somebody may read, they find."""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from domain.access import Scope
from domain.answers import Question
from domain.metrics import REPLY_CACHE
from tests.command import own_database
from tests.fakes.atlassian import local_atlassian
from tests.fakes.model_server import ModelServer, model_server
from tests.flows.conversations.founding import Sites, address
from tests.flows.conversations.made_company import MadeCompany, Paper, found
from tests.flows.conversations.over_http import over_http
from tests.flows.conversations.over_mcp import OverMcp
from tests.flows.conversations.overheard import Swap, as_if_alone, first_lines
from tests.flows.conversations.staging import Stage, both_platforms, founded, staged

SEED = 20261123
Made = tuple[Sites, str]
"""A made company on its sites, and the name of a database that holds it."""


@asynccontextmanager
async def a_company(data_dir: Path, folder: Path) -> AsyncIterator[Made]:
    """One that was read."""
    database = f"made_{uuid4().hex}"
    with local_atlassian() as at, own_database(data_dir, database):
        sites = Sites(found(SEED), at, folder)
        sites.found()
        await founded(sites, data_dir, database)
        yield sites, database


@pytest.fixture(scope="module")
async def made(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Made]:
    """For tests that leave the company as it is, and for the last one."""
    async with a_company(data_dir, tmp_path_factory.mktemp("made")) as company:
        yield company


@pytest.fixture
async def own(data_dir: Path, tmp_path: Path) -> AsyncIterator[Made]:
    """For one test."""
    async with a_company(data_dir, tmp_path) as company:
        yield company


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A server for the greedy model."""
    with model_server() as server:
        yield server


@asynccontextmanager
async def serving(made: Made, data_dir: Path, seed: int, **more: Any) -> AsyncIterator[Stage]:
    """The product over a copy of the database, see staged."""
    sites, template = made
    database = f"talk_{uuid4().hex}"
    with both_platforms() as platforms, own_database(data_dir, database, template):
        async with staged(sites, platforms, data_dir, database, seed=seed, **more) as stage:
            yield stage


async def clean(stage: Stage, when: str) -> None:
    """Nothing leaked since the last look."""
    leaks = await stage.leaks()
    assert not leaks, f"{when}, seed {stage.seed}: {first_lines(leaks)}"


# -- the oracle, and what one may read


def test_the_oracle_reads_every_wall() -> None:
    company = found(1)
    readers = {
        paper: "".join(who[0] for who in ("ada", "ben", "cleo", "dan", "org", "public") if company.may_read(who, paper))
        for paper in company.documents
    }
    below = {paper: mine for paper, mine in readers.items() if paper.within in readers}
    assert all(set(mine) <= set(readers[paper.within]) for paper, mine in below.items() if paper.within)
    assert {*readers.values()} == {"abcd", "ac", "a", "bd", "b", "d", "abcdop", "abcdo", "bc"}


async def untold(stage: Stage, asked: list[tuple[Paper, str]]) -> list[str]:
    """Of documents and people who may read them: those who are not told what stands there alone."""
    missing = []
    for paper, person in asked:
        answer = await stage.product.answers.ask(Question(paper.question, Scope.member(address(person))))
        if paper.text not in repr(answer.outcome):
            missing.append(f"{paper.kind} {paper.guess} to {person}: {answer.outcome!r}"[:600])
    return missing


def readers_of_all(company: MadeCompany) -> list[tuple[Paper, str]]:
    """Every document with each person who may read it."""
    return [(paper, who) for paper in company.documents for who in company.people if company.may_read(who, paper)]


async def test_what_one_may_read_is_found(made: Made, data_dir: Path) -> None:
    """One document of each kind by one of its readers; all by everybody in the longer test below."""
    async with serving(made, data_dir, SEED) as stage:
        every = readers_of_all(made[0].company)
        some = {paper.kind: (paper, who) for paper, who in random.Random(SEED).sample(every, len(every))}
        assert not (missing := await untold(stage, list(some.values()))), first_lines(missing)
        await clean(stage, "documents were asked for")


@pytest.mark.parametrize(
    ("people", "asked"),
    [(("ada", "ben"), 1), pytest.param(("ada", "ben", "cleo", "dan"), 4, marks=pytest.mark.slow)],
    ids=["some", "everybody"],
)
async def test_over_http_nobody_is_told_what_they_may_not_read(
    made: Made, data_dir: Path, people: tuple[str, ...], asked: int
) -> None:
    """A document of each kind; every operation of the API, every page, and every tool of MCP."""
    async with serving(made, data_dir, SEED, live=False) as stage:
        async with over_http(stage.web, stage.product.storage, stage.ear, people) as http:
            papers = list({paper.kind: paper for paper in made[0].company.documents}.values())
            wrong = await http.search(papers, "lexical") + await http.open(http.readable(papers))
            chosen = random.Random(SEED).sample(http.readable(papers), asked)
            for paper in chosen:
                wrong += await http.ask(paper)
            wrong += await OverMcp(http).call_everything(papers if asked > 1 else chosen, chosen)
            await stage.settled()
            wrong += await http.visit_everything()
        await stage.settled()
        assert not wrong, first_lines(wrong)
        await clean(stage, "over HTTP")


@pytest.mark.slow
async def test_what_one_may_read_everybody_finds(made: Made, data_dir: Path) -> None:
    async with serving(made, data_dir, SEED) as stage:
        assert not (missing := await untold(stage, readers_of_all(made[0].company))), first_lines(missing)
        await clean(stage, "all was asked for")


# -- that a leak is seen


def everywhere(insider: Scope) -> Swap:
    """All that searches, and what checks rights, takes everybody for the insider."""
    return lambda _method, scope: as_if_alone(scope, insider)


def while_searching(insider: Scope) -> Swap:
    """A search that takes everybody for the insider; the check of rights does not."""
    return lambda method, scope: as_if_alone(scope, insider) if method in {"search", "passages"} else scope


@pytest.mark.parametrize(
    ("fault", "leaking", "tight"),
    [
        (
            everywhere,
            (
                *("tool result (passages)", "request to the model (synthesize)", "answer", "trace", "log (agent)"),
                *("reply on Slack", "on Teams", "row of turns", "row of posted_replies"),
                *("kept reply of a model", "row of model_replies", "metrics"),
            ),
            (),
        ),
        pytest.param(
            while_searching,
            ("tool result (passages)", "request to the model (grade)"),
            ("reply on", "on Teams", "row of turns", "row of posted_replies"),
            marks=pytest.mark.slow,
        ),
    ],
)
async def test_a_planted_leak_is_seen(
    made: Made,
    data_dir: Path,
    model: ModelServer,
    fault: Callable[[Scope], Swap],
    leaking: tuple[str, ...],
    tight: tuple[str, ...],
) -> None:
    """A file is Ada's alone; a fault takes Dan for her. tight: where the check right before showing holds."""
    company = made[0].company
    paper = next(each for each in company.documents if each.only == frozenset({"ada"}) and each.kind == "file")
    swap = fault(Scope.member(address("ada")))
    async with serving(made, data_dir, SEED, model=model, live=False, swap=swap) as stage:
        for chat, readers in stage.conversations.chats:
            place = next(place for place, person in readers.alone.items() if person == "dan")
            await asyncio.to_thread(chat.say, place, "dan", paper.question)
        await stage.settled()
        logging.getLogger("agent").debug("It reads: %s", paper.sentences)
        REPLY_CACHE.labels(paper.text)
        places = "\n".join({leak.partition(": ")[0] for leak in await stage.leaks()})
        REPLY_CACHE.remove(paper.text)
    assert [each for each in leaking if each not in places] == []
    assert [each for each in tight if each in places] == [], places


# -- conversations


async def rights_change(stage: Stage, count: int, changes: int = 3) -> None:
    """A page and a file get other readers, somebody leaves a group, in the middle of conversations. After each change,
    and when the product has read it, only what is so now may be told. Then a guest comes into every room."""
    sites = stage.sites
    papers = sites.company.documents
    page = next(each for each in papers if each.kind == "page" and each.only is None)
    file = next(each for each in papers if each.kind == "file")
    acts: list[tuple[str, Callable[[], None], tuple[str, ...]]] = [
        ("a page was closed", lambda: sites.close(page, "cleo"), ("wiki",)),
        ("somebody left a group", lambda: sites.leave("ben", "engineers"), ("wiki", "desk")),
        ("a file was closed", lambda: sites.close(file, "ada"), (f"folder-{file.noun}",)),
    ]
    for when, change, sources in acts[:changes]:
        change()
        stage.ear.changed()
        await asyncio.gather(stage.act(count), stage.indexed(*sources))
        await stage.corrected()
        await clean(stage, f"while {when}")
        stage.ear.settled()
        await stage.act(count)
        await clean(stage, f"after {when}")
    await stage.joined("gus")
    await stage.act(count)
    await clean(stage, "after a guest came in")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEED, SEED + 3))
@pytest.mark.parametrize("minded", [True, False], ids=["greedy model", "no model"])
async def test_nobody_is_told_what_they_may_not_read_in_long_conversations(
    own: Made, data_dir: Path, model: ModelServer, seed: int, minded: bool
) -> None:
    async with serving(own, data_dir, seed, model=model if minded else None) as stage:
        for _ in range(6):
            await stage.act(50)
            await clean(stage, "in conversations")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEED, SEED + 3))
@pytest.mark.parametrize("minded", [True, False], ids=["greedy model", "no model"])
async def test_nobody_is_told_what_they_may_not_read_any_more(
    own: Made, data_dir: Path, model: ModelServer, seed: int, minded: bool
) -> None:
    async with serving(own, data_dir, seed, model=model if minded else None, live=False) as stage:
        await stage.act(40)
        await clean(stage, "before any change")
        await rights_change(stage, 30)


async def test_nobody_is_told_what_they_may_not_read(made: Made, data_dir: Path, model: ModelServer) -> None:
    """It changes the company, and comes last."""
    async with serving(made, data_dir, SEED, model=model, live=False) as stage:
        await stage.act(10)
        await clean(stage, "in conversations")
        await rights_change(stage, 5, changes=1)
