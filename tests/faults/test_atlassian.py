"""What Confluence and Jira do wrong while they are indexed: nothing is lost, nothing is shown to whom it is not for."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from domain.access import Scope
from domain.errors import Misconfigured, Refused, Transient
from domain.search import SearchRequest
from indexer.run.dependencies import RunOptions
from indexer.run.report import RunReport
from storage.index.sources import Source
from tests.fakes.atlassian import Fault, Holder, storage
from tests.flows.atlassian.company_sync import DESK, WIKI, Flavour, Sync, synced
from tests.flows.atlassian.handful import ISSUES, PAGES, sized

Open = Callable[..., AbstractAsyncContextManager[Sync]]

CONFIRMED = RunOptions(prune_confirmed=True)
PERMISSIONS = RunOptions(permissions=True)
HOME = 1
"""The page that a space begins with."""


@pytest.fixture
def opened(data_dir: Path, database: str, tmp_path: Path) -> Open:
    """Opens the product over a handful of things."""

    def open_(flavour: Flavour = "cloud", patience: float = 8, **sizes: int) -> AbstractAsyncContextManager[Sync]:
        found = sized(**sizes)
        return synced(flavour, data_dir, database, tmp_path, found=found, KB_AGENT_ATLASSIAN_PATIENCE=str(patience))

    return open_


@pytest.fixture
async def sync(opened: Open) -> AsyncIterator[Sync]:
    async with opened() as found:
        yield found


async def run(sync: Sync, name: str, options: RunOptions | None = None) -> RunReport:
    return await sync.one(_source(sync, name), options)


def _source(sync: Sync, name: str) -> Source:
    return next(each for each in sync.sources if each.name == name)


async def seen(sync: Sync, person: int = 1) -> set[str]:
    """What one of the people finds."""
    return await sync.visible(Scope.member(sync.company.people[person].email))


# answers


@pytest.mark.faults
async def test_a_limit_is_waited_for_and_costs_nothing(sync: Sync) -> None:
    limited = {WIKI: r"/wiki/api/v2/pages$", DESK: "/search/jql$"}
    for name, path in limited.items():
        sync.at.fail(path, Fault.ratelimited(1.2))
        report = await run(sync, name)
        assert report.complete
        assert not report.failed
        refused, answered = sync.at.calls(path)[:2]
        assert (refused.status, answered.status) == (429, 200)
        assert answered.at - refused.at >= 1.2, "Retry-After is honoured"
    assert len(await sync.held()) == PAGES + HOME + ISSUES


@pytest.mark.faults
@pytest.mark.parametrize("name", [WIKI, DESK])
async def test_three_of_ten_requests_fail(sync: Sync, name: str) -> None:
    sync.at.fail("", Fault.error(500), times=None, rate=0.3, seed=5)
    reports = []
    for _ in range(6):
        try:
            reports.append(await run(sync, name))
        except Transient:  # the budget for repetitions is used up in a listing
            sync.at.forget_calls()
        assert await sync.leaks() == {}
        if reports and reports[-1].complete and not (reports[-1].failed or reports[-1].unreadable):
            break
    assert reports, "some run comes to its end"
    assert not any(report.hidden or report.purged for report in reports)
    sync.at.heal()
    await run(sync, name)
    assert len(await sync.held()) == (PAGES + HOME if name == WIKI else ISSUES)
    assert await sync.differences() == {}


@pytest.mark.faults
async def test_a_body_that_hangs_costs_its_document(opened: Open) -> None:
    async with opened(patience=2, issues=0) as sync:
        first, second = sync.company.pages[:2]
        sync.at.fail(f"/pages/{first.id}$", Fault.slow(3600), times=None)
        sync.at.fail(f"/pages/{second.id}$", Fault.slow(3600), times=1)
        began = time.monotonic()
        report = await run(sync, WIKI)
        assert time.monotonic() - began < 60
        assert [path.rpartition("/")[2] for path, _ in report.failed] == ["Page 0"], (
            "the other one answered when asked again"
        )
        assert report.hidden == report.purged == 0
        sync.at.heal()
        assert (await run(sync, WIKI)).added == 1
        assert len(await seen(sync)) == PAGES + HOME


@pytest.mark.faults
async def test_a_listing_that_hangs_ends_the_run_in_time(sync: Sync) -> None:
    await run(sync, WIKI)
    sync.at.fail("/wiki/api/v2/pages$", Fault.hang(), times=None)
    began = time.monotonic()
    with pytest.raises(Transient, match="gave no good answer"):
        await run(sync, WIKI)
    assert time.monotonic() - began < 60
    assert len(await seen(sync)) == PAGES + HOME


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        pytest.param(WIKI, Fault.login_page(), id="wiki-login page"),
        pytest.param(DESK, Fault.unauthorized(), id="desk-401", marks=pytest.mark.slow),
        pytest.param(DESK, Fault.login_page(), id="desk-login page", marks=pytest.mark.slow),
        pytest.param(WIKI, Fault.unauthorized(), id="wiki-401", marks=pytest.mark.slow),
    ],
)
async def test_a_token_that_ends_in_mid_run_ends_the_run(sync: Sync, fault: Fault, name: str) -> None:
    bodies = r"/wiki/api/v2/pages/\d+$" if name == WIKI else r"/rest/api/3/issue/\d+$"
    sync.at.fail(bodies, fault, times=None, after=6)
    with pytest.raises(Misconfigured, match=r"refuses the token|with a web page"):
        await run(sync, name)
    assert len(sync.at.calls(bodies)) <= 12, "an account is not tried to death"
    (last,) = await sync.product.storage.runs.latest(1)
    assert last.state == "failed"
    assert not last.report["hidden"]
    assert await sync.leaks() == {}
    sync.at.heal()
    await run(sync, name)
    assert len(await sync.held()) == (PAGES + HOME if name == WIKI else ISSUES)


@pytest.mark.faults
async def test_a_file_for_which_the_token_is_refused_costs_itself_alone(sync: Sync) -> None:
    ann, page, issue = sync.company.people[0], sync.company.pages[3], sync.company.issues[3]
    sync.world.attach(page, "notes.txt", b"otters", by=ann)
    sync.world.add_file(issue, "notes.txt", b"herons", by=ann)
    sync.at.fail("/download|/attachment/content/", Fault.unauthorized(), times=None)
    for name, whole in ((WIKI, PAGES + HOME), (DESK, ISSUES)):
        report = await run(sync, name)
        assert [path.rpartition("/")[2] for path, _ in report.failed] == ["notes.txt"]
        assert report.added == whole


@pytest.mark.faults
async def test_a_token_that_is_revoked_while_files_are_read_ends_the_run(sync: Sync) -> None:
    ann = sync.company.people[0]
    for at in range(30):
        sync.world.attach(sync.company.pages[3], f"notes-{at}.txt", f"otters {at}".encode(), by=ann)
        sync.world.add_file(sync.company.issues[3], f"notes-{at}.txt", f"herons {at}".encode(), by=ann)
    for name in (WIKI, DESK):
        files = "/download|/attachment/content/"
        sync.at.forget_calls()
        sync.at.before(files, lambda: sync.at.fail("", Fault.unauthorized(), times=None))
        with pytest.raises(Misconfigured, match="refuses the token"):
            await run(sync, name)
        assert 1 <= len(sync.at.calls(files)) <= 5, "an account is not tried to death"
        assert sum(each.status == 401 for each in sync.at.calls("")) <= 12
        sync.at.heal()


@pytest.mark.faults
async def test_a_login_page_instead_of_a_listing_removes_nothing(sync: Sync) -> None:
    await run(sync, WIKI)
    for fault in (Fault.login_page(), Fault.unauthorized(), Fault.garbage(), Fault.wrong()):
        sync.at.fail("/wiki/api/v2/pages$", fault, times=None)
        with pytest.raises((Misconfigured, Transient)):
            await run(sync, WIKI)
        sync.at.heal()
    assert len(await seen(sync)) == PAGES + HOME


# listings


@pytest.mark.faults
async def test_a_listing_that_shifts_hides_only_what_is_gone(opened: Open) -> None:
    async with opened("datacenter", pages=0, issues=104) as sync:
        await run(sync, DESK)
        assert len(await seen(sync)) == 104
        gone, kept = sync.company.issues[2], sync.company.issues[100]
        sync.at.before("/rest/api/2/search$", lambda: sync.world.delete_issue(gone), after=1)
        await run(sync, DESK, PERMISSIONS)
        found = await seen(sync)
        assert len(found) >= 103
        assert f"issue:{kept.id}" in found, "it went over to the first page when that was read"
        await run(sync, DESK, PERMISSIONS)
        assert await seen(sync) == {f"issue:{each.id}" for each in sync.company.issues if each is not gone}


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(Fault.empty(), id="empty", marks=pytest.mark.slow),
        pytest.param(Fault.short(12), id="half is missing"),
    ],
)
async def test_a_listing_that_lacks_much_is_not_believed(sync: Sync, fault: Fault) -> None:
    await run(sync, WIKI)
    whole = await seen(sync)
    for _ in range(2):
        sync.at.fail("/wiki/api/v2/pages$", fault, times=None)
        report = await run(sync, WIKI)
        assert (report.hidden, report.purged) == (0, 0)
        assert report.held_back == (12 if fault.kind == "short" else PAGES + HOME)
        assert await seen(sync) == whole
    report = await run(sync, WIKI, CONFIRMED)
    assert report.hidden == len(whole - await seen(sync)) >= 12
    sync.at.heal()
    await run(sync, WIKI)
    assert await seen(sync) == whole, "what is listed again is shown again"


@pytest.mark.faults
async def test_what_a_second_complete_listing_lacks_is_removed(sync: Sync) -> None:
    await run(sync, WIKI)
    for page in sync.company.pages[:14]:
        sync.world.trash(page)
    assert (await run(sync, WIKI)).held_back == 14
    assert (await run(sync, WIKI, CONFIRMED)).hidden == 14
    assert (await run(sync, WIKI)).purged == 14
    assert len(await sync.held()) == PAGES + HOME - 14


@pytest.mark.parametrize("name", [WIKI, pytest.param(DESK, marks=pytest.mark.slow)])
async def test_an_account_that_sees_nothing_any_more_removes_nothing(sync: Sync, name: str) -> None:
    await run(sync, name)
    sync.at.fail("/api/v2/spaces$" if name == WIKI else "/project/search$", Fault.empty(), times=None)
    with pytest.raises((Refused, Transient)):
        await run(sync, name)
    assert len(await seen(sync)) == (PAGES + HOME if name == WIKI else ISSUES)


# rights


def looking(sync: Sync, into: list[set[str]], person: int = 1) -> Callable[[], None]:
    """Looks, from the server's thread, at what a person finds while a request waits."""
    loop = asyncio.get_running_loop()
    return lambda: into.append(asyncio.run_coroutine_threadsafe(seen(sync, person), loop).result(20))


async def test_tightened_rights_are_there_before_any_new_text(sync: Sync) -> None:
    company, world = sync.company, sync.world
    ann = company.people[0]
    await sync.run()
    closed, left = company.pages[3], company.issues[3]
    levels = world.add_security("Levels", Board=[Holder("user", ann.id), Holder("user", sync.at.bot.id)])
    company.projects[0].security = levels.id
    for page in company.pages[:5]:
        world.edit(page, storage("a new text"), by=ann)
    world.restrict(closed, ann)
    for issue in company.issues[:5]:
        world.secure(issue, world.level("Board"), by=ann)
    for name, path, gone in (
        (WIKI, r"/wiki/api/v2/pages/\d+$", f"page:{closed.id}"),
        (DESK, r"/rest/api/3/issue/\d+$", f"issue:{left.id}"),
    ):
        moments: list[set[str]] = []
        sync.at.before(path, looking(sync, moments), times=1)
        await run(sync, name)
        assert moments, "a text was read"
        assert gone not in moments[0]
    assert await sync.differences() == {}


@pytest.mark.parametrize("flavour", ["cloud", pytest.param("datacenter", marks=pytest.mark.slow)])
async def test_what_is_written_after_rights_were_tightened_in_mid_run_reaches_nobody_else(
    opened: Open, flavour: Flavour
) -> None:
    """Restricted after the listing, and then written: the text is read, but the rights of before do not go with it."""
    async with opened(flavour, issues=0) as sync:
        ann = sync.company.people[0]
        page, talked = sync.company.pages[3:5]
        sync.world.comment(talked, storage("nothing yet"), by=ann)
        await run(sync, WIKI)

        def tighten() -> None:
            sync.world.restrict(page, ann)
            sync.world.edit(page, storage("the salaries"), by=ann)
            sync.world.restrict(talked, ann)
            sync.world.comment(talked, storage("the bonuses"), by=ann)

        sync.world.edit(page, storage("something"), by=ann)
        sync.world.comment(talked, storage("something"), by=ann)
        bodies = r"/api/v2/pages/\d+$" if flavour == "cloud" else r"/content/\d+$"
        sync.at.before(bodies, tighten)
        report = await run(sync, WIKI)
        assert {path.rpartition("/")[2] for path, _ in report.failed} == {page.version.title, talked.version.title}
        assert not await _texts(sync, "salaries", person=1)
        assert not await _texts(sync, "bonuses", person=1)
        assert not (await run(sync, WIKI)).failed
        for word in ("salaries", "bonuses"):
            assert not await _texts(sync, word, person=1)
            assert await _texts(sync, word, person=0)
        assert await sync.differences() == {}


@pytest.mark.faults
async def test_a_page_that_was_merely_edited_in_mid_run_is_taken_in(opened: Open) -> None:
    async with opened(issues=0) as sync:
        ann, page = sync.company.people[0], sync.company.pages[3]
        sync.at.before(rf"/api/v2/pages/{page.id}$", lambda: sync.world.edit(page, storage("otters"), by=ann))
        assert not (await run(sync, WIKI)).failed
        assert await _texts(sync, "otters", person=1)


async def _texts(sync: Sync, word: str, *, person: int) -> bool:
    """Whether a person finds a passage with a word."""
    scope = Scope.member(sync.company.people[person].email)
    found = await sync.product.search.search(SearchRequest(word, retrievals=("lexical",), limit=5), scope)
    return bool(found.rankings["lexical"])


@pytest.mark.parametrize("name", [WIKI, DESK])
async def test_rights_that_are_taken_away_while_a_listing_breaks_off_hold(sync: Sync, name: str) -> None:
    """Somebody leaves; the listing that follows breaks. What was read of people counts all the same."""
    await run(sync, name)
    bob = sync.company.people[1]
    assert await seen(sync)
    sync.world.leave(bob, "confluence-users", "jira-users")
    sync.at.fail("/wiki/api/v2/pages$" if name == WIKI else "/search/jql$", Fault.unauthorized(), times=None)
    with pytest.raises(Misconfigured):
        await run(sync, name)
    assert await seen(sync) == set()
