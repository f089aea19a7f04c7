"""A run over Confluence and Jira that is killed, stopped, or not alone: real processes over a real server."""

import asyncio
import random
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from bot.app.product import open_product
from config.load import load
from domain.access import Scope
from domain.search import Filters
from tests.command import Kb, KbProcess, database_url, rows, wait_for
from tests.fakes.atlassian import Company, LocalAtlassian, found_company
from tests.fakes.embedding_moments import held, once_indexing
from tests.fakes.embeddings_server import EmbeddingsServer
from tests.faults.index_state import assert_same, assert_whole, index_state
from tests.flows.atlassian.adding import add_sources
from tests.flows.atlassian.company_sync import Sync, company_at, sources
from tests.flows.atlassian.handful import sized

pytestmark = pytest.mark.faults

SEED = 20261121
KILLS = 3
FAILED, STOPPED = 1, 130


@dataclass(frozen=True)
class Site:
    """The command with the service account's token, and what it indexes."""

    kb: Kb
    at: LocalAtlassian
    company: Company


@pytest.fixture
def site(kb: Kb, request: pytest.FixtureRequest) -> Iterator[Site]:
    """Both sources over Cloud; a handful unless a test says what founds the company."""
    with company_at("cloud", getattr(request, "param", sized())) as (at, company):
        found = replace(kb, env={**kb.env, "SERVICE_TOKEN": at.service.secret})
        add_sources(found, at)
        yield Site(found, at, company)


def middling(world: object, **places: str) -> Company:
    """About 140 documents."""
    return found_company(world, SEED, people=12, spaces=2, pages=40, projects=2, issues=40, **places)  # type: ignore[arg-type]


@pytest.mark.parametrize("site", [middling], indirect=True)
async def test_kills_show_nothing_to_anybody_who_may_not_read_it_and_cost_nothing(
    site: Site, url: str, data_dir: Path, new_database: Callable[[], str]
) -> None:
    """One transaction writes a document's text with its ACL, so that there is no moment between them; looked at all
    the time while runs are killed at random."""
    rng = random.Random(SEED)
    async with watching(site, url) as watch:
        alive = 0
        for _ in range(KILLS):
            runs = _runs(url)
            process = site.kb.start("reindex", "--json")
            try:
                await asyncio.to_thread(wait_for, partial(_begun, url, runs))
                await watch.during(rng.uniform(0.1, 2.5), process)
                alive += process.process.poll() is None
                process.kill()
            finally:
                process.close()
            assert_whole(index_state(url))
            assert await watch.leaks() == {}
        assert alive >= KILLS // 2, "most kills are to hit a run at work"
        site.company.restrict()
        site.company.remove_from_group()
        assert await asyncio.to_thread(_done, site.kb.start("reindex", "--json")) == 0
        assert await watch.differences() == {}
    assert watch.looks > 5
    other = site.kb.having(DATABASE_URL=database_url(data_dir, new_database()))
    await asyncio.to_thread(add_sources, other, site.at)
    assert await asyncio.to_thread(_done, other.start("reindex", "--json")) == 0
    assert_same(index_state(url), index_state(other.env["KB_AGENT_DATABASE_URL"]))


def _begun(url: str, runs: int) -> bool:
    """Whether a further run is under way, and an index that can be searched is there."""
    return _runs(url) > runs and bool(rows(url, "SELECT 1 FROM index_versions WHERE state = 'live'"))


def _runs(url: str) -> int:
    return int(rows(url, "SELECT count(*) FROM runs")[0][0])


def _done(process: KbProcess) -> int:
    return process.end().code


class Watch:
    """Looks at what people find while somebody else writes. looks: how often that was."""

    def __init__(self, sync: Sync, url: str) -> None:
        self._sync = sync
        self._url = url
        self._people = [each.email for each in sync.company.people]
        self.leaks, self.differences = sync.leaks, sync.differences
        self.looks = 0

    async def during(self, seconds: float, process: KbProcess) -> None:
        """Looks for some seconds: nobody ever finds what they may not read."""
        end, things = time.monotonic() + seconds, self._sync.things()
        library = self._sync.product.storage.document_catalog()
        while time.monotonic() < end and process.process.poll() is None:
            person = self._people[self.looks % len(self._people)]
            found = await library.find("", Scope.member(person), filters=Filters(), limit=10_000)
            names = dict(rows(self._url, "SELECT document_id, external_id FROM documents"))
            held = {each.document_id: names[each.document_id] for each in found}
            assert set(held.values()) == self._sync.readable(person, held, things)
            self.looks += 1


@asynccontextmanager
async def watching(site: Site, url: str) -> AsyncIterator[Watch]:
    """Opens what looks at the database of a command."""
    async with open_product(load(site.kb.env, site.kb.folder)) as product:
        yield Watch(Sync(product, site.at, site.company, sources(site.at, "cloud")), url)


def test_a_second_run_is_refused_and_ctrl_c_ends_the_first_in_order(
    site: Site, url: str, embeddings: EmbeddingsServer
) -> None:
    gate = threading.Event()
    embeddings.fail_next(once_indexing(held(gate)))
    process = site.kb.start("reindex", "--source", "wiki")
    try:
        wait_for(lambda: not embeddings.faults)
        second = site.kb("reindex", "--source", "wiki", "--json")
        assert second.code == FAILED
        error = second.json["error"]
        assert error["what"] == "The source wiki is being indexed by another process"
        assert error["next"] == "Wait for it (kb runs shows it), then try again."
        process.interrupt()
        done = process.end()
        gate.set()
    finally:
        process.close()
    assert (done.code, done.out) == (STOPPED, "")
    assert done.err.endswith("wiki: nothing was written yet\n\nStopped.\n")
    assert "Traceback" not in done.err
    assert process.left_behind() == []
    assert [run["state"] for run in site.kb("runs", "--json").json["runs"]] == ["interrupted"]
    assert_whole(index_state(url))
    assert site.kb("reindex", "--source", "wiki", "--json").report["added"] == 25
