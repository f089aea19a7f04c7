"""What the connector of Jira fetches, when a version says that it must, and what names lead to."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from domain.access import NOBODY
from domain.documents import ParsedFile
from domain.errors import Misconfigured, Refused, Transient
from domain.knowledge_graph import Link
from indexer.parse.formats import parse
from indexer.parse.limits import ParseLimits
from indexer.sources.connector import FetchedDocument, ListedDocument
from indexer.sources.jira.issue_names import IssueName, issue_named
from tests.fakes.atlassian import Fault, Holder, Issue, LocalAtlassian, User, World, adf, local_atlassian
from tests.fakes.atlassian.plain_client import a_project
from tests.unit.indexer.sources.jira.local_jira import FLAVOURS, admit, jira, listed, site


class Desk:
    """A project with two issues and everything that can be said of the first."""

    def __init__(self, local: LocalAtlassian) -> None:
        self.local = local
        self.world: World = local.world
        self.project, self.ann = a_project(local)
        self.bo: User = self.world.add_user("Bo Ek")
        self.epic = self.world.add_issue(self.project, "All of it", by=self.ann, kind="Epic")
        self.other = self.world.add_issue(self.project, "A secret name", by=self.ann)
        self.issue: Issue = self.world.add_issue(
            self.project,
            "It fails",
            "It says *no* at once",
            by=self.ann,
            kind="Bug",
            assignee=self.bo.id,
            parent=self.epic.id,
            labels=["urgent"],
            components=["api"],
            fix_versions=["2.1"],
            affected=["2.0"],
        )
        self.world.link(self.issue, self.other)
        self.world.link_away(self.issue, "https://l.example/9", "Log", relationship="seen in")
        self.world.move_to(self.issue, "Done", by=self.bo, resolution="Fixed")
        self.world.say(self.issue, adf("A remark"), by=self.bo)
        self.world.say(self.issue, adf("A whisper"), by=self.bo, group="jira-users")
        self.file = self.world.add_file(self.issue, "log of 5%.txt", b"lines of a log", by=self.ann)
        admit(local, ["jira-users"])

    @property
    def id(self) -> str:
        return f"issue:{self.issue.id}"


@pytest.fixture
def desk() -> Iterator[Desk]:
    with local_atlassian() as local:
        yield Desk(local)


def read(fetched: FetchedDocument) -> ParsedFile:
    return parse(fetched.raw, fetched.name, fetched.media_type, ParseLimits())


def said(fetched: FetchedDocument) -> str:
    return "\n".join(" > ".join([*block.heading_path, block.text]) for block in read(fetched).blocks)


async def present(desk: Desk, flavour: str, **more: Any) -> dict[str, ListedDocument]:
    async with jira(desk.local, flavour, **more) as connector:
        return await listed(connector.listing())


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_an_issue_is_told_in_two_requests(desk: Desk, flavour: str) -> None:
    async with jira(desk.local, flavour) as connector:
        found = await listed(connector.listing())
        before = connector.requests
        fetched = await connector.fetch(found[desk.id])
        assert connector.requests - before == 2
        again = await connector.fetch(found[desk.id])
        assert connector.requests - before == 4
    assert again == fetched
    part = "Parent: KB-1" if flavour == "cloud" else "Epic: KB-1"
    text = said(fetched)
    facts = (
        "Type: Bug|Project: Knowledge (KB)|Status: Done|Resolution: Fixed on 2026-01-05|Priority: Medium|"
        f"Assignee: Bo Ek|Reporter: Ann Lee|{part}|Labels: urgent|Components: api|Fix versions: 2.1|"
        "Affects versions: 2.0|Created: 2026-01-05|Attachments: log of 5%.txt"
    )
    assert text.startswith(facts.replace("|", "\n"))
    assert "Links > - blocks KB-2\n- is part of KB-1\n- seen in Log <https://l.example/9>" in text
    assert "History > - 2026-01-05 Bo Ek: status To Do → Done\n- 2026-01-05 Bo Ek: resolution none → Fixed" in text
    assert "Comments > Bo Ek, 2026-01-05: A remark" in text
    assert "whisper" not in text
    assert "A secret name" not in text
    file = read(fetched)
    assert (file.title, file.mentions.issues) == ("KB-3: It fails", ("KB-2", "KB-1"))
    assert dict(file.metadata) | {"updated": ""} == {
        "author": "Ann Lee", "labels": "urgent", "space": "KB", "updated": ""
    }  # fmt: skip
    ids = [each.id if flavour == "cloud" else each.key for each in (desk.ann, desk.bo)]
    assert file.mentions.people == tuple(f"{'accountid' if flavour == 'cloud' else 'user'}:{each}" for each in ids)


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_restricted_comment_is_a_document_of_its_own(desk: Desk, flavour: str) -> None:
    number = desk.issue.comments[1].id
    async with jira(desk.local, flavour) as connector:
        item = (await listed(connector.listing()))[f"comment:{desk.issue.id}/{number}"]
        before = connector.requests
        fetched = await connector.fetch(item)
        assert connector.requests - before == 2
    assert item.title == "KB-3: It fails (restricted comment)"
    assert item.url.endswith(f"/browse/KB-3?focusedCommentId={number}")
    assert said(fetched) == (
        "Comment on: KB-3\nBy: Bo Ek\nWritten: 2026-01-05\nComments > Bo Ek, 2026-01-05: A whisper"
    )


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_file_is_fetched_by_its_name_and_type(desk: Desk, flavour: str) -> None:
    async with jira(desk.local, flavour, max_bytes=20) as connector:
        item = (await listed(connector.listing()))[f"attachment:{desk.file.id}"]
        links = (Link("attached to", "issue:KB-3", "KB-3"),)
        assert await connector.fetch(item) == FetchedDocument(b"lines of a log", "log of 5%.txt", "text/plain", links)
        assert item.url.endswith("/log%20of%205%25.txt")
        assert item.attached
        desk.file.content = b"x" * 30
        with pytest.raises(Refused, match="larger"):
            await connector.fetch(item)
    assert all(not call.authorized for call in desk.local.calls(front="media"))


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_further_fields_that_are_configured(desk: Desk, flavour: str) -> None:
    owner, risk, tags = (
        desk.world.add_field(name, kind) for name, kind in (("Owner", "user"), ("Risk", "string"), ("Tags", "array"))
    )
    text: Any = adf("long words") if flavour == "cloud" else "long\nwords"
    fields = {owner.id: desk.bo.id, risk.id: text, tags.id: [{"value": "a"}, {"value": "b", "child": {"value": "c"}}]}
    desk.world.set(desk.issue, desk.ann, fields=fields)
    without = await present(desk, flavour)
    async with jira(desk.local, flavour, fields=("owner", risk.id, "Tags")) as connector:
        found = await listed(connector.listing())
        shown = said(await connector.fetch(found[desk.id]))
    assert "Owner: Bo Ek\nTags: a, b – c" in shown
    assert "Risk > long" in shown
    assert found[desk.id].version != without[desk.id].version
    async with jira(desk.local, flavour, fields=("Nonsense",)) as connector:
        with pytest.raises(Misconfigured, match="no field Nonsense"):
            await connector.fetch(found[desk.id])


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_only_what_changed_has_another_version(desk: Desk, flavour: str) -> None:
    before = await present(desk, flavour)

    async def changed() -> set[str]:
        nonlocal before
        after = await present(desk, flavour)
        names = {name for name, each in after.items() if name not in before or before[name].version != each.version}
        before = after
        return names

    world, other = desk.world, f"issue:{desk.other.id}"
    assert await changed() == set()
    first = world.say(desk.other, "hello", by=desk.bo)
    assert await changed() == {other}
    world.edit_said(first, "hallo")
    assert await changed() == {other}
    secret = world.say(desk.other, "psst", by=desk.bo, group="jira-users")
    assert await changed() == {other, f"comment:{desk.other.id}/{secret.id}"}
    world.unsay(first)
    assert await changed() == {other}
    world.link_away(desk.other, "https://x.example", "X")
    assert await changed() == set()  # Jira does not count that as a change
    every = set(before)
    world.rekey(desk.project, "NEW")
    # the text of a restricted comment has the issue's key in its title, and so has a file's
    assert await changed() == every
    assert {each.path.partition("/")[0] for each in before.values()} == {"NEW"}
    world.delete_issue(desk.other)
    assert await changed() == {desk.id}  # which was linked to it
    assert other not in before


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_what_got_other_readers_since_it_was_listed_is_not_fetched(desk: Desk, flavour: str) -> None:
    desk.world.add_security("Levels", Team=[Holder("user", desk.local.bot.id)])
    comment = desk.issue.comments[1]
    async with jira(desk.local, flavour) as connector:
        found = await listed(connector.listing())
        desk.world.set(desk.issue, desk.ann, summary="Other words")
        assert b"Other words" in (await connector.fetch(found[desk.id])).raw
        desk.world.secure(desk.issue, desk.world.level("Team"), by=desk.ann)
        with pytest.raises(Transient, match="other readers"):
            await connector.fetch(found[desk.id])
        desk.world.secure(desk.issue, None, by=desk.ann)
        if flavour == "cloud":
            role = desk.world.add_role("Leads")
            desk.world.fill_role(desk.project, role, desk.local.bot)
            desk.world.restrict_issue(desk.issue, role, by=desk.ann)
            for each in (desk.id, f"comment:{desk.issue.id}/{comment.id}"):
                with pytest.raises(Transient, match="other readers"):
                    await connector.fetch(found[each])
            desk.world.restrict_issue(desk.issue, by=desk.ann)
        desk.world.set(desk.issue, desk.ann, reporter=desk.bo.id)
        with pytest.raises(Transient, match="other readers"):
            await connector.fetch(found[desk.id])
        assert (await connector.fetch(replace(found[desk.id], version=""))).raw
        item = found[f"comment:{desk.issue.id}/{comment.id}"]
        comment.visibility = ("role", "Nobody")
        with pytest.raises((Transient, Refused)):
            await connector.fetch(item)


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_what_is_gone_is_refused(desk: Desk, flavour: str) -> None:
    async with jira(desk.local, flavour) as connector:
        found = await listed(connector.listing())
        desk.world.delete_issue(desk.issue)
        for name in (desk.id, f"comment:{desk.issue.id}/{desk.issue.comments[1].id}", f"attachment:{desk.file.id}"):
            with pytest.raises(Refused):
                await connector.fetch(found[name])


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_one_document_by_any_of_its_names(desk: Desk, flavour: str) -> None:
    async with jira(desk.local, flavour) as connector:
        found = await listed(connector.listing())
        for name, item in found.items():
            assert await connector.one(name) == item
            assert await connector.one(item.url) == (found[desk.id] if name.startswith("comment:") else item)
        base = desk.local.jira_cloud if flavour == "cloud" else desk.local.jira
        for name in ("KB-3", "kb-3", desk.issue.id, f" {base}/browse/KB-3?x=y ", f"{base}/board?selectedIssue=KB-3"):
            assert await connector.one(name) == found[desk.id]
        desk.world.rekey(desk.project, "NEW")
        renamed = await connector.one("KB-3")
        assert renamed is not None
        assert (renamed.external_id, renamed.path) == (desk.id, "NEW/NEW-3")
        foreign = "https://elsewhere.example/browse/KB-3"
        for name in ("KB-99", "issue:99", f"comment:{desk.issue.id}/1", "attachment:99", foreign, "words", base, ""):
            assert await connector.one(name) is None
    async with jira(desk.local, flavour) as connector:
        with pytest.raises(Refused, match="which issue"):
            await connector.one(f"attachment:{desk.file.id}")
        assert await connector.one(desk.id) is not None


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_one_document_has_the_rights_of_now(desk: Desk, flavour: str) -> None:
    async with jira(desk.local, flavour) as connector:
        before = (await listed(connector.listing()))[desk.id]
        scheme = desk.world.schemes[desk.project.scheme]
        for grant in list(scheme.grants):
            desk.world.revoke(scheme, grant.holder)
        field = desk.world.add_field("Owner", "user")
        desk.world.set(desk.issue, desk.ann, fields={field.id: [desk.ann.id, desk.local.bot.id]})
        desk.world.grant(scheme, Holder("userCustomField", field.id))
        calls = connector.requests
        now = await connector.one("KB-3")
        assert now is not None
        assert connector.requests - calls == (4 if flavour == "cloud" else 3)
        names = {each.id for clause in (now.acl or NOBODY).clauses for each in clause}
        ids = [each.id if flavour == "cloud" else each.key for each in (desk.ann, desk.local.bot)]
        assert names == {f"j/{each}" for each in ids}
        assert now.acl != before.acl
        assert (await connector.fetch(now)).raw
        desk.local.fail("permissionscheme", Fault.forbidden(), None)
        hidden = await connector.one("KB-3")
        assert hidden is not None
        assert hidden.acl == NOBODY


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_document_of_another_project_is_not_there(desk: Desk, flavour: str) -> None:
    other = desk.world.add_project("OTH", "Other", lead=desk.ann, scheme=desk.world.schemes[desk.project.scheme])
    desk.world.add_issue(other, "Elsewhere", by=desk.ann)
    async with jira(desk.local, flavour, projects=("KB",)) as connector:
        assert await connector.one("OTH-1") is None
        assert await connector.one("KB-1") is not None


def test_names_of_no_document(desk: Desk) -> None:
    at = site(desk.local, "cloud")
    for name in ("comment:1", "issue:1/2", "attachment:x", "issue:-1", "KB", "1 OR 1=1", "../1"):
        assert issue_named(name, at, {}) is None
    assert issue_named("attachment:5", at, {"5": "7"}) == IssueName("attachment:5", "7")


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_many_comments_are_read_to_the_end(desk: Desk, flavour: str) -> None:
    for at in range(30):
        desk.world.say(desk.other, f"word{at:02}", by=desk.bo)
    comments = [{"id": each.id, "updated": "x", "body": None} for each in desk.other.comments[:20]]
    shown = {"comments": comments, "total": 30}
    base = "/rest/api/3" if flavour == "cloud" else "/rest/api/2"
    async with jira(desk.local, flavour) as connector:
        item = (await listed(connector.listing()))[f"issue:{desk.other.id}"]
        full = await connector.api.issue(desk.other.id, ["*all"])
        full["fields"]["comment"] = shown
        desk.local.fail(f"{base}/issue/{desk.other.id}$", Fault.wrong(full), None)
        text = said(await connector.fetch(item))
    assert all(f"word{at:02}" in text for at in range(30))


async def test_the_latest_changes_of_the_status_are_told(desk: Desk) -> None:
    for at in range(30):
        desk.world.move_to(desk.other, f"Step {at}", by=desk.bo)
    async with jira(desk.local, "cloud") as connector:
        text = said(await connector.fetch((await listed(connector.listing()))[f"issue:{desk.other.id}"]))
    assert text.count("Bo Ek: status") == 20
    assert text.rindex("→ Step 29") > text.rindex("→ Step 28")


async def test_a_connector_admits_nobody_by_itself(desk: Desk) -> None:
    async with jira(desk.local, "cloud") as connector:
        assert connector.acl == NOBODY
        assert connector.unreadable == ()
