"""What the connector of Jira lists, whatever happens meanwhile, and what it costs."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from domain.errors import KbError, Misconfigured, Refused, Transient
from indexer.sources.connector import (
    ChangeSource,
    CheckableSource,
    Connector,
    PermissionSource,
    RemoteSource,
    SingleSource,
    SkippedDocument,
)
from indexer.sources.jira.connector import JiraConnector
from tests.fakes.atlassian import Company, Fault, LocalAtlassian, adf, found_small_company, local_atlassian, openapi
from tests.fakes.atlassian.plain_client import a_project, filed
from tests.unit.indexer.sources.jira.local_jira import FLAVOURS, admit, jira, listed, things

SEARCH = r"/search/jql$|/2/search$"


@pytest.fixture
def local() -> Iterator[LocalAtlassian]:
    with local_atlassian() as found:
        yield found


@pytest.fixture
def company(local: LocalAtlassian) -> Company:
    found = found_small_company(local.world)
    admit(local, (each.name for each in found.groups))
    return found


def searches(local: LocalAtlassian) -> list[Any]:
    return local.calls(SEARCH)


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_it_lists_what_there_is(local: LocalAtlassian, company: Company, flavour: str) -> None:
    expected = things(company.open_issues())
    async with jira(local, flavour) as connector:
        plain: Connector = connector
        assert all(
            isinstance(plain, each)
            for each in (PermissionSource, ChangeSource, SingleSource, RemoteSource, CheckableSource)
        )
        await connector.permissions()
        before = connector.requests
        found = await listed(connector.listing())
        roles = len(local.calls("/role"))
        assert found.keys() == expected.keys()
        # the 80 issues are one page, Cloud counts them; Data Center is asked which field has an issue's epic; roles are
        # read when the first issue needs them
        assert connector.requests - before - roles == 2
        assert connector.requests == len(local.calls())
        again = await listed(connector.listing())
    assert again == found
    issue = company.open_issues()[5]
    item = found[f"issue:{issue.id}"]
    assert (item.title, item.modified_at) == (f"{issue.key}: {issue.summary}", issue.updated)
    assert item.path == f"{issue.key.partition('-')[0]}/{issue.key}"
    assert item.url.endswith(f"/browse/{issue.key}")
    titles = [each.title for name, each in found.items() if name.startswith("comment:")]
    assert titles
    assert all(each.endswith(" (restricted comment)") for each in titles)


@pytest.mark.parametrize(("flavour", "pages"), [("cloud", 4), ("datacenter", 3)])
async def test_pages_overlap_by_one_issue(local: LocalAtlassian, flavour: str, pages: int) -> None:
    issues = filed(local, 298 if flavour == "datacenter" else 299)
    async with jira(local, flavour) as connector:
        found = await listed(connector.listing())
    assert found.keys() == things(issues).keys()
    assert len(searches(local)) == pages


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("at", [0, 1, 2])
async def test_deletions_meanwhile_hide_nothing(local: LocalAtlassian, flavour: str, at: int) -> None:
    issues = filed(local, 250)
    gone = issues[3:43]

    def delete() -> None:
        for each in gone:
            local.world.delete_issue(each)

    local.before(SEARCH, delete, after=at)
    async with jira(local, flavour) as connector:
        found = await listed(connector.listing())
    kept = [each for each in issues if each not in gone]
    assert found.keys() >= things(kept).keys()


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_deletions_again_and_again_do_not_break_the_listing_off(local: LocalAtlassian, flavour: str) -> None:
    issues = filed(local, 1200)
    gone = iter(issues)
    for at in (6, 9, 12, 15):
        local.before(SEARCH, lambda: local.world.delete_issue(next(gone)), after=at)
    async with jira(local, flavour) as connector:
        found = await listed(connector.listing())
    assert found.keys() >= things(issues[4:]).keys()


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_issues_that_come_meanwhile_repeat_nothing(local: LocalAtlassian, flavour: str) -> None:
    issues = filed(local, 150)
    world, project = local.world, next(iter(local.world.projects.values()))
    ann = world.users[issues[0].reporter]
    local.before(SEARCH, lambda: issues.append(world.add_issue(project, "New", "x", by=ann)), 5, after=1)
    async with jira(local, flavour) as connector:
        found = await listed(connector.listing())
    assert found.keys() >= things(issues[:150]).keys()


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize(
    ("fault", "times"), [(Fault.short(7), 1), (Fault.short(7), None), (Fault.shifted(-5), 1), (Fault.shifted(30), 1)]
)
async def test_pages_that_are_odd_lose_nothing(
    local: LocalAtlassian, flavour: str, fault: Fault, times: int | None
) -> None:
    issues = filed(local, 250)
    local.fail(SEARCH, fault, times, after=1)
    async with jira(local, flavour) as connector:
        try:
            found = await listed(connector.listing())
        except Transient:
            assert times is None  # a source that always withholds the end of a page is not taken for complete
            return
    assert found.keys() == things(issues).keys()


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault.loop(), Transient),
        (Fault.error(502), Transient),
        (Fault.forbidden(), Refused),
        (Fault.unauthorized(), Misconfigured),
        (Fault.login_page(), Misconfigured),
        (Fault.wrong(), Transient),
        (Fault.wrong({"issues": [5], "total": 1}), Transient),
    ],
    ids=["loop", "502", "403", "401", "login", "form", "rows"],
)
async def test_a_broken_listing_raises(local: LocalAtlassian, flavour: str, fault: Fault, error: type[KbError]) -> None:
    filed(local, 150)
    local.fail(SEARCH, fault, None, after=1)
    async with jira(local, flavour) as connector:
        with pytest.raises(error):
            await listed(connector.listing())
    assert len(searches(local)) < 40


async def test_an_empty_listing_of_cloud_is_not_believed(local: LocalAtlassian) -> None:
    filed(local, 30)
    local.fail(SEARCH, Fault.empty(), None)
    async with jira(local, "cloud") as connector:
        with pytest.raises(Transient) as caught:
            await listed(connector.listing())
    assert "0 issues, and counts 30" in caught.value.why


async def test_many_issues_of_one_moment_are_followed_by_token_even_when_that_expires(local: LocalAtlassian) -> None:
    issues = filed(local, 350)
    for each in issues[20:330]:
        each.created = issues[20].created
    async with jira(local, "cloud") as connector:
        found = await listed(connector.listing())
    assert found.keys() == things(issues).keys()
    assert any(call.body.get("nextPageToken") for call in searches(local))
    local.forget_calls()
    local.before(SEARCH, lambda: local.world.advance(days=8), 3, after=2)
    async with jira(local, "cloud") as connector:
        found = await listed(connector.listing())
    assert found.keys() == things(issues).keys()
    assert [call.status for call in searches(local)].count(400) > 0


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_only_the_projects_that_are_configured(local: LocalAtlassian, company: Company, flavour: str) -> None:
    async with jira(
        local,
        flavour,
        projects=(
            "pay",
            " WEB ",
        ),
    ) as connector:
        found = await listed(connector.listing())
    assert {each.path.partition("/")[0] for each in found.values()} == {"PAY", "WEB"}
    company.world.rekey(company.projects[0], "CASH")
    async with jira(local, flavour, projects=("PAY",)) as connector:
        found = await listed(connector.listing())
    assert {each.path.partition("/")[0] for each in found.values()} == {"CASH"}


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_project_that_is_not_there_is_refused(local: LocalAtlassian, company: Company, flavour: str) -> None:
    async with jira(
        local,
        flavour,
        projects=(
            "PAY",
            "NOPE",
        ),
    ) as connector:
        with pytest.raises(Refused, match="no project NOPE"):
            await listed(connector.listing())
    assert company.projects


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_an_account_that_may_browse_nothing_is_refused(local: LocalAtlassian, flavour: str) -> None:
    async with jira(local, flavour) as connector:
        with pytest.raises(Refused, match="no project for this account"):
            await listed(connector.listing())


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_changes_are_those_since(local: LocalAtlassian, company: Company, flavour: str) -> None:
    world = local.world
    local.bot.zone = "Pacific/Auckland"
    since = world.advance(hours=3)
    assert await _changed(local, flavour, since) == {}
    issues = company.open_issues()
    company.edit_issue(issues[3])
    remark = company.comment(issues[1])
    secret = world.say(issues[2], adf("for few"), by=company.people[0], group=company.groups[0].name)
    found = await _changed(local, flavour, since)
    assert set(found) == things([issues[3], issues[1], issues[2]]).keys()
    order = [each.partition(":")[2] for each in found if each.startswith("issue:")]
    assert order == [each.id for each in (issues[3], issues[1], issues[2])]
    assert f"comment:{secret.issue}/{secret.id}" in found
    assert remark.issue == issues[1].id


async def _changed(local: LocalAtlassian, flavour: str, since: Any) -> dict[str, Any]:
    async with jira(local, flavour) as connector:
        await connector.permissions()
        return await listed(connector.changes(since))


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_changes_are_looked_for_an_hour_earlier(local: LocalAtlassian, flavour: str) -> None:
    issues = filed(local, 2)
    local.world.advance(minutes=59)
    assert await _changed(local, flavour, local.world.now) != {}
    local.world.advance(minutes=3)
    assert await _changed(local, flavour, local.world.now) == {}
    local.fail("/myself", Fault.forbidden(), None)
    day = await _changed(local, "datacenter", local.world.now)
    assert day.keys() == things(issues).keys()


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_an_issue_that_changes_meanwhile_comes_once(local: LocalAtlassian, flavour: str) -> None:
    issues = filed(local, 150)
    ann = local.world.users[issues[0].reporter]
    local.before(SEARCH, lambda: local.world.set(issues[3], ann, summary="Anew"), 2, after=1)
    found = await _changed(local, flavour, issues[0].created)
    assert found.keys() == things(issues).keys()


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_files_that_are_no_documents_are_passed_with_a_reason(local: LocalAtlassian, flavour: str) -> None:
    project, ann = a_project(local)
    issue = local.world.add_issue(project, "One", "text", by=ann)
    kinds = {
        "a.txt": "text/plain",
        "b.PDF": "application/pdf",
        "c.png": "image/png",
        "d": "text/html",
        "h": "application/vnd.kb-agent.jira-issue+json",
    }
    for name, kind in {**kinds, "e/f.bin": "application/octet-stream", "g.zip": "application/zip"}.items():
        local.world.add_file(issue, name, b"content", by=ann, media_type=kind)
    local.world.add_file(issue, "large.txt", b"x" * 300, by=ann)

    async def passed(connector: JiraConnector) -> dict[str, str]:
        found = [each async for each in connector.listing()]
        return {each.path: each.reason for each in found if isinstance(each, SkippedDocument)}

    async with jira(local, flavour, max_bytes=200) as connector:
        assert await passed(connector) == {
            "KB/KB-1/c.png": "not a document",
            "KB/KB-1/e_f.bin": "not a document",
            "KB/KB-1/g.zip": "not a document",
            "KB/KB-1/h": "not a document",
            "KB/KB-1/large.txt": "larger than 0.0002 MB",
        }
    async with jira(local, flavour, attachments=False) as connector:
        assert set((await passed(connector)).values()) == {"attachments are not indexed, as configured"}


@pytest.mark.skipif(openapi.spec_file() is None, reason="the published specification is not beside the repository")
async def test_requests_are_as_the_specification_of_cloud_has_them(local: LocalAtlassian, company: Company) -> None:
    async with jira(local, "cloud", fields=("Owner",)) as connector:
        await connector.permissions()
        found = await listed(connector.listing())
        await listed(connector.changes(local.world.now - timedelta(days=2)))
        for name in [*list(found)[:4], *(each for each in found if not each.startswith("issue:"))]:
            await connector.fetch(found[name])
            assert await connector.one(name)
        await connector.one(company.issues[0].key)
        await connector.check()
    assert [problem for call in local.calls() for problem in openapi.validate(call)] == []
