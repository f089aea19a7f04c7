"""What each person finds of Confluence and Jira is what the products let them read, by an oracle of its own."""

from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest

from domain.access import ORG, PUBLIC, Scope
from domain.errors import Refused, Transient
from indexer.run.dependencies import RunOptions
from tests.command import own_database
from tests.fakes.atlassian import Fault
from tests.flows.atlassian.company_sync import DESK, WIKI, Flavour, Sync, synced

PERMISSIONS = RunOptions(permissions=True)


@pytest.fixture(params=["cloud", pytest.param("datacenter", marks=pytest.mark.slow)], scope="module")
async def sync(
    request: pytest.FixtureRequest, data_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Sync]:
    """A company, read once for all tests: each of them leaves what is indexed as exact as it was."""
    flavour: Flavour = request.param
    database, folder = f"visible_{uuid4().hex}", tmp_path_factory.mktemp("visible")
    with own_database(data_dir, database):
        async with synced(flavour, data_dir, database, folder, KB_AGENT_MAX_FILE_MB="0.05") as opened:
            await opened.run()
            yield opened


async def _exact(sync: Sync) -> None:
    """Nobody finds more or less than they may read; on Data Center less, of issues of security levels whose members no
    API tells."""
    for person, (more, less) in (await sync.differences()).items():
        assert not more, (person, more)
        assert set(sync.untold(less)) == less, (person, less)


async def test_after_a_full_reading(sync: Sync) -> None:
    held = await sync.held()
    issues = {f"issue:{each.id}" for each in sync.company.open_issues()}
    pages = {each for each, thing in sync.things().items() if getattr(thing, "status", "") == "current"}
    assert {each for each in held.values() if each.startswith("issue:")} == issues
    wiki = {each for each in held.values() if each.startswith(("page:", "blog:"))}
    assert wiki == {each for each in pages if each.startswith(("page:", "blog:"))}
    await _exact(sync)
    everybody = [user.email for user in sync.world.users.values() if user.kind != "app"]
    assert len({frozenset(sync.readable(person, held)) for person in everybody}) > 3, "people differ"
    assert await sync.visible(Scope.outsider()) <= sync.readable(None, held)
    among = Scope(Scope.member(everybody[0]).asker, frozenset({PUBLIC, ORG}))
    assert await sync.visible(among) <= sync.readable(None, held), "no group stands for the organisation"


async def test_after_changes_of_rights_alone(sync: Sync) -> None:
    company = sync.company
    with sync.world.lock:
        for _ in range(3):
            company.restrict()
            company.unrestrict()
            company.remove_from_group()
    reports = await sync.run(PERMISSIONS)
    assert sum(report.readdressed for report in reports.values())
    assert not any(report.embedded or report.changed or report.added for report in reports.values())
    await _exact(sync)


async def test_after_a_file_that_is_passed_over_by_now_got_other_readers(sync: Sync) -> None:
    company, world = sync.company, sync.world
    held = set((await sync.held()).values())
    file = next(each for each in world.attachments.values() if f"attachment:{each.id}" in held)
    page = world.pages[file.owner]
    with world.lock:
        world.attach(page, file.name, b"a" * 60_000, by=company.people[0], media_type=file.media_type)
        company.restrict(page)
    reports = await sync.run()
    assert any("larger" in reason for _, reason in reports[WIKI].skipped)
    assert f"attachment:{file.id}" in (await sync.held()).values()
    await _exact(sync)


async def test_after_changes_moves_and_deletions(sync: Sync) -> None:
    company = sync.company
    with sync.world.lock:
        moved = [company.move_page() for _ in range(4)]
        company.trash()
        gone = company.delete_issue()
        company.change_some(0.1)
    await sync.run()
    await _exact(sync)
    held = set((await sync.held()).values())
    assert f"issue:{gone.id}" not in held
    assert {f"page:{page.id}" for page in moved if page.status == "current" and page.kind == "page"} <= held


@pytest.mark.parametrize("rate", [pytest.param(0.05, marks=pytest.mark.slow), 0.4])
async def test_while_permissions_cannot_be_read_sets_only_shrink(sync: Sync, rate: float) -> None:
    with sync.world.lock:
        sync.company.restrict()
        sync.company.remove_from_group()
    asked = "restriction|permission|role|securitylevel|issuesecurity|group"
    sync.at.fail(asked, Fault.forbidden(), times=None, rate=rate, seed=3)
    for source in sync.sources:
        with suppress(Refused, Transient):  # it may also give up as a whole
            report = await sync.one(source, PERMISSIONS)
            assert report.unreadable or not any(call.status == 403 for call in sync.at.calls(asked)), source.name
    assert await sync.leaks() == {}
    sync.at.heal()
    await sync.run(PERMISSIONS)
    await _exact(sync)


async def test_nothing_is_found_of_a_source_whose_permissions_are_too_old(sync: Sync) -> None:
    person = next(user.email for user in sync.world.users.values() if user.kind != "app")
    assert await sync.visible(Scope.member(person))
    async with sync.product.storage.engine.begin() as connection:
        await connection.exec_driver_sql("UPDATE sources SET permissions_until = now() WHERE name = 'desk'")
    assert not any(each.startswith(("issue:", "comment:")) for each in await sync.visible(Scope.member(person)))
    await sync.one(next(each for each in sync.sources if each.name == DESK), PERMISSIONS)
    assert any(each.startswith("issue:") for each in await sync.visible(Scope.member(person)))
