"""No text of Confluence or Jira is found by whom it is not for, whatever became of it since it was indexed.

What is looked for are words that stand in one text only, not ids: a document may be theirs, and hold what is not.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.access import Scope
from domain.errors import Misconfigured, Refused, Transient
from domain.search import SearchRequest
from indexer.run.dependencies import RunOptions
from indexer.run.report import RunReport
from storage.index.sources import Source
from tests.fakes.atlassian import Fault, Holder, Issue, storage
from tests.flows.atlassian.company_sync import DESK, WIKI, Flavour, Sync, synced
from tests.flows.atlassian.handful import sized

Open = Callable[..., AbstractAsyncContextManager[Sync]]
PERMISSIONS = RunOptions(permissions=True)
BOTH = pytest.mark.parametrize("flavour", ["cloud", "datacenter"])
CLOUD = pytest.mark.parametrize("flavour", ["cloud", pytest.param("datacenter", marks=pytest.mark.slow)])
"""What reaches the same code of ours on both as other tests here do."""
ANN, BOB = 0, 1
FEW = 8
"""Pages, and issues, unless a test says how many: each is read, stored and looked at again and again."""

IMPATIENT = {"KB_AGENT_ATLASSIAN_PATIENCE": "6"}
"""Soon gives up a request that fails. A busy machine may keep any request waiting for a second: for runs in which that
is no matter."""


@pytest.fixture
def opened(data_dir: Path, database: str, tmp_path: Path) -> Open:
    """Opens the product over a handful of things. sizes: of the handful; settings besides."""

    def open_(flavour: Flavour = "cloud", **more: Any) -> AbstractAsyncContextManager[Sync]:
        sizes = {name: more.pop(name, FEW) for name in ("pages", "issues")}
        return synced(flavour, data_dir, database, tmp_path, found=sized(**sizes), **more)

    return open_


async def run(sync: Sync, options: RunOptions | None = None, **changed: object) -> RunReport:
    """A pass over the one source that holds anything. changed: options of the source."""
    source = source_of(sync)
    return await sync.one(replace(source, options={**source.options, **changed}), options)


def source_of(sync: Sync) -> Source:
    name = WIKI if sync.company.pages else DESK
    return next(each for each in sync.sources if each.name == name)


async def reads(sync: Sync, word: str, person: int = BOB) -> bool:
    """Whether a person finds a passage with a word."""
    scope = Scope.member(sync.company.people[person].email)
    found = await sync.product.search.search(SearchRequest(word, retrievals=("lexical",), limit=20), scope)
    passages = await sync.product.search.passages([hit.chunk_id for hit in found.rankings["lexical"]], scope)
    return any(word in each.text for each in passages)


async def finds(sync: Sync, person: int = BOB) -> set[str]:
    """Ids of what a person finds."""
    return await sync.visible(Scope.member(sync.company.people[person].email))


def levels(sync: Sync) -> None:
    """A security level for Ann alone."""
    sync.world.add_group("bosses", [sync.company.people[ANN]])
    scheme = sync.world.add_security("Levels", Board=[Holder("group", "bosses"), Holder("user", sync.at.bot.id)])
    sync.company.projects[0].security = scheme.id


def secured(sync: Sync, issue: Issue) -> None:
    sync.world.secure(issue, sync.world.level("Board"), by=sync.company.people[ANN])


# what is passed over


@CLOUD
async def test_a_file_that_grew_too_large_follows_its_page(opened: Open, flavour: Flavour) -> None:
    async with opened(flavour, issues=0, KB_AGENT_MAX_FILE_MB="0.01") as sync:
        ann, page = sync.company.people[ANN], sync.company.pages[0]
        sync.world.attach(page, "plan.txt", b"zebra", by=ann)
        await run(sync)
        assert await reads(sync, "zebra")
        sync.world.attach(page, "plan.txt", b"zebra " * 4000, by=ann)
        sync.world.restrict(page, ann)
        for options in (None, PERMISSIONS):
            report = await run(sync, options)
            assert report.complete
            assert not await reads(sync, "zebra")
        assert await reads(sync, "zebra", ANN), "what is there of it stays"


@CLOUD
async def test_files_that_are_not_wanted_any_more_follow_their_issue(opened: Open, flavour: Flavour) -> None:
    async with opened(flavour, pages=0) as sync:
        issue = sync.company.issues[0]
        levels(sync)
        sync.world.add_file(issue, "plan.txt", b"zebra", by=sync.company.people[ANN])
        await run(sync)
        assert await reads(sync, "zebra")
        secured(sync, issue)
        await run(sync, attachments=False)
        assert not await reads(sync, "zebra")
        assert await sync.leaks() == {}


# what stands in a text that others may read


@CLOUD
async def test_a_comment_that_was_restricted_is_gone_with_the_next_look_at_permissions(
    opened: Open, flavour: Flavour
) -> None:
    async with opened(flavour, pages=0) as sync:
        sync.world.add_group("bosses", [sync.company.people[ANN], sync.at.bot])
        issue = sync.company.issues[0]
        comment = sync.world.say(issue, "zebra", by=sync.company.people[ANN])
        await run(sync)
        assert await reads(sync, "zebra")
        comment.visibility = ("group", "bosses")  # which moves no date
        report = await run(sync, PERMISSIONS)
        assert not await reads(sync, "zebra")
        assert f"issue:{issue.id}" in await finds(sync), "the rest of it is there"
        assert report.changed == 1
        report = await run(sync, PERMISSIONS)
        assert (report.changed, report.readdressed, report.embedded) == (0, 0, 0)
        await run(sync)
        assert await reads(sync, "zebra", ANN)
        assert not await reads(sync, "zebra")


@CLOUD
async def test_an_issue_with_a_comment_restricted_to_others_than_us_is_read_anew(
    opened: Open, flavour: Flavour
) -> None:
    async with opened(flavour, pages=0) as sync:
        sync.world.add_group("bosses", [sync.company.people[ANN]])
        comment = sync.world.say(sync.company.issues[0], "zebra", by=sync.company.people[ANN])
        await run(sync)
        comment.visibility = ("group", "bosses")
        await run(sync, PERMISSIONS)
        assert not await reads(sync, "zebra")


@pytest.mark.parametrize(
    "options", [None, pytest.param(PERMISSIONS, marks=pytest.mark.slow)], ids=["content", "permissions"]
)
async def test_while_the_issue_of_a_restricted_comment_cannot_be_read_nobody_reads_it(
    opened: Open, options: RunOptions | None
) -> None:
    async with opened(pages=0, **IMPATIENT) as sync:
        sync.world.add_group("bosses", [sync.company.people[ANN], sync.at.bot])
        issue = sync.company.issues[0]
        comment = sync.world.say(issue, "zebra", by=sync.company.people[ANN])
        await run(sync)
        comment.visibility = ("group", "bosses")
        sync.at.fail(f"/issue/{issue.id}$", Fault.error(500), times=None)
        for _ in range(2):
            assert (await run(sync, options)).failed
            assert not await reads(sync, "zebra")
            assert f"issue:{issue.id}" not in await finds(sync)
        sync.at.heal()
        assert (await run(sync, options)).changed == 1
        assert f"issue:{issue.id}" in await finds(sync)
        assert not await reads(sync, "zebra")


@pytest.mark.slow
async def test_a_listing_that_breaks_off_hides_no_issue_for_what_it_names(opened: Open) -> None:
    async with opened(pages=0, issues=120, **IMPATIENT) as sync:
        issues = sync.company.issues
        sync.world.link(issues[0], issues[-1])
        await run(sync)
        sync.at.fail("/search/jql$", Fault.unauthorized(), times=None, after=1)
        with pytest.raises(Misconfigured):
            await run(sync, PERMISSIONS)
        assert f"issue:{issues[0].id}" in await finds(sync)


@CLOUD
async def test_an_issue_names_others_only_to_whom_may_read_these(opened: Open, flavour: Flavour) -> None:
    async with opened(flavour, pages=0) as sync:
        world, (ann, *_), issues = sync.world, sync.company.people, sync.company.issues
        levels(sync)
        closed = world.add_scheme("Closed", Holder("user", ann.id), Holder("user", sync.at.bot.id))
        merger = world.add_project("MERGER", "Merger", lead=ann, scheme=closed)
        secret, own = world.add_issue(merger, "Buy", by=ann), world.add_issue(merger, "Pay", by=ann)
        world.link(issues[0], secret)
        world.set(issues[1], ann, parent=secret.id)
        world.link(issues[2], issues[3])
        secured(sync, issues[4])
        world.link(issues[5], issues[4])
        world.link(own, secret)
        wider = world.add_scheme("Wider", *(each.holder for each in closed.grants), Holder("group", "bosses"))
        open_one = world.add_issue(world.add_project("WIDE", "Wide", lead=ann, scheme=wider), "Talk", by=ann)
        world.link(own, open_one)
        await run(sync)
        assert not await reads(sync, "MERGER")
        assert await reads(sync, f"blocks {issues[3].key}"), "of the same readers"
        assert not await reads(sync, f"blocks {issues[4].key}"), "in a level"
        assert await reads(sync, f"blocks {secret.key}", ANN)
        assert await reads(sync, f"blocks {open_one.key}", ANN), "of more readers"
        secured(sync, issues[3])
        report = await run(sync, PERMISSIONS)
        assert not await reads(sync, f"blocks {issues[3].key}")
        assert report.changed == 1
        assert f"issue:{issues[2].id}" in await finds(sync)
        world.secure(issues[4], None, by=ann)
        await run(sync)
        assert await reads(sync, f"blocks {issues[4].key}"), "what was opened is named"
        assert (await run(sync)).changed == 0


@CLOUD
async def test_issues_are_named_alike_whatever_they_are_looked_at_for(opened: Open, flavour: Flavour) -> None:
    async with opened(flavour, pages=0) as sync:
        world, issues = sync.world, sync.company.issues
        world.link(issues[2], issues[3])
        await run(sync)
        report = await run(sync, RunOptions(names=(f"issue:{issues[2].id}",)))
        assert (report.unchanged, report.changed) == (1, 0)
        world.set(issues[2], sync.company.people[ANN], description="walnut")
        await run(sync, RunOptions(since=issues[2].updated))
        assert await reads(sync, "walnut")
        assert await reads(sync, f"blocks {issues[3].key}")
        assert (await run(sync)).changed == 0


# what changes between the listing and the reading


@CLOUD
async def test_a_version_of_a_file_that_came_with_narrower_rights_is_not_read_with_those_of_before(
    opened: Open, flavour: Flavour
) -> None:
    async with opened(flavour, issues=0) as sync:
        ann, page = sync.company.people[ANN], sync.company.pages[0]
        sync.world.attach(page, "plan.txt", b"walnut", by=ann)

        def narrowed() -> None:
            sync.world.restrict(page, ann)
            sync.world.attach(page, "plan.txt", b"zebra", by=ann)

        sync.at.before("/download", narrowed)
        await run(sync)
        assert not await reads(sync, "zebra")
        await run(sync)
        assert not await reads(sync, "zebra")
        assert await reads(sync, "zebra", ANN)


@BOTH
async def test_a_comment_that_was_edited_when_its_issue_got_a_level_is_not_read_with_the_rights_of_before(
    opened: Open, flavour: Flavour
) -> None:
    async with opened(flavour, pages=0) as sync:
        world, issue = sync.world, sync.company.issues[0]
        levels(sync)
        world.add_group("staff", [*sync.company.people[:2], sync.at.bot])
        comment = world.say(issue, "walnut", by=sync.company.people[ANN], group="staff")

        def narrowed() -> None:
            secured(sync, issue)
            world.edit_said(comment, "zebra")

        sync.at.before(rf"/issue/{issue.id}/comment/{comment.id}$", narrowed)
        report = await run(sync)
        assert f"comment {comment.id}" in " ".join(path for path, _ in report.failed)
        assert not await reads(sync, "zebra")
        await run(sync)
        assert not await reads(sync, "zebra")


# who the people are


@pytest.mark.parametrize("failing", ["profile", "users"])
async def test_an_address_is_nobodys_while_another_account_that_has_it_cannot_be_read(
    opened: Open, failing: str
) -> None:
    async with opened("datacenter", issues=0) as sync:
        bob = sync.company.people[BOB]
        other = sync.world.add_user("Other Bob", licensed=False)
        other.email = bob.email
        await run(sync)
        assert await finds(sync) == set()
        path = rf"/profile/{other.name}$" if failing == "profile" else "/user/list$"
        sync.at.fail(path, Fault.forbidden(), times=None)
        report = await run(sync, PERMISSIONS)
        assert await finds(sync) == set()
        assert any("Other Bob" in what or "users" in what for what, _ in report.unreadable)
        assert await finds(sync, ANN), "whose address was hers alone"


async def test_an_address_is_nobodys_while_a_group_of_another_account_that_has_it_cannot_be_read(opened: Open) -> None:
    async with opened(issues=0, **IMPATIENT) as sync:
        bob = sync.company.people[BOB]
        sync.world.add_group("others")
        other = sync.world.add_user("Other Bob", groups=["others"], licensed=False)
        other.email = bob.email
        await run(sync)
        assert await finds(sync) == set()
        sync.at.fail(f"/group/{sync.world.groups['others'].id}/members", Fault.error(500), times=None)
        report = await run(sync, PERMISSIONS)
        assert report.unreadable
        assert await finds(sync) == set()
        assert await finds(sync, ANN)
        sync.at.heal()
        other.active = False
        await run(sync, PERMISSIONS)
        assert await finds(sync), "his alone by now"


@CLOUD
@pytest.mark.parametrize("kind", [WIKI, DESK])
async def test_who_joins_a_group_reads_nothing_that_was_taken_from_the_group_before(
    opened: Open, flavour: Flavour, kind: str
) -> None:
    """The page loses the group, Bob joins it, and the listing that would show the first breaks off."""
    async with opened(flavour, **({"issues": 0} if kind == WIKI else {"pages": 0})) as sync:
        world, (ann, bob, _) = sync.world, sync.company.people
        world.add_group("merger", [ann])
        if kind == WIKI:
            page = sync.company.pages[0]
            world.restrict(page, ann, world.groups["merger"])
            external_id, listing = f"page:{page.id}", "/api/v2/pages$" if flavour == "cloud" else "/rest/api/content$"
        else:
            scheme = world.add_scheme("Of a group", Holder("group", "merger"), Holder("user", sync.at.bot.id))
            issue = world.add_issue(world.add_project("M", "M", lead=ann, scheme=scheme), "zebra", by=ann)
            external_id = f"issue:{issue.id}"
            listing = "/search/jql$" if flavour == "cloud" else "/rest/api/2/search$"
        await run(sync)
        assert external_id not in await finds(sync)
        if kind == WIKI:
            world.restrict(page, ann)
        else:
            world.revoke(scheme, Holder("group", "merger"))
        world.join(bob, "merger")
        sync.at.fail(listing, Fault.unauthorized(), times=None)
        with pytest.raises((Misconfigured, Transient)):
            await run(sync, PERMISSIONS)
        assert external_id not in await finds(sync)
        sync.at.heal()
        world.add_group("later", [])
        await run(sync, PERMISSIONS)
        assert external_id not in await finds(sync)
        assert await sync.leaks() == {}


# one scope that is missing


@pytest.mark.parametrize("path", ["comments", "attachments"])
async def test_what_cannot_be_listed_takes_nothing_else_with_it(opened: Open, path: str) -> None:
    async with opened(issues=0) as sync:
        ann, (closed, *_) = sync.company.people[ANN], sync.company.pages
        sync.world.attach(closed, "plan.txt", b"zebra", by=ann)
        sync.world.comment(closed, storage("walnut"), by=ann)
        await run(sync)
        whole = await finds(sync)
        assert len(whole) == FEW + 2
        sync.at.fail(f"/wiki/api/v2/[a-z-]*{path}$", Fault.forbidden(), times=None)
        sync.world.restrict(closed, ann)
        for options in (PERMISSIONS, None, None):
            report = await run(sync, options)
            assert report.complete
            assert report.hidden == report.purged == 0
            assert not await reads(sync, "zebra")
            assert not await reads(sync, "walnut")
            assert await finds(sync) == whole - {f"page:{closed.id}", *(each for each in whole if "attach" in each)}
        assert path in dict(report.unreadable) or any(path in reason for _, reason in report.skipped)
        assert await reads(sync, "walnut", ANN)
        sync.at.heal()
        sync.world.unrestrict(closed)
        await run(sync)
        assert await finds(sync) == whole


async def test_permissions_are_read_without_comments(opened: Open) -> None:
    async with opened(issues=0) as sync:
        await run(sync)
        sync.at.forget_calls()
        await run(sync, PERMISSIONS)
        assert not sync.at.calls("comments$")
        with suppress(Refused):
            await run(sync)
        assert sync.at.calls("comments$")
