"""Issues and pages as they are now, for who may read them now: Cloud and Data Center, against the products' rules."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest

from domain.access import ORG, PUBLIC, Scope
from domain.documents import ParsedFile
from domain.errors import Misconfigured, Transient
from domain.tool_ports import LivePage
from indexer.live_fetch import LiveItems, LiveSite, SingleDocumentConnector
from indexer.sources.confluence.options import ConfluenceOptions
from tests.fakes.access import MemoryAccessReader, MemoryAccessWriter
from tests.fakes.atlassian import (
    Company,
    Fault,
    Holder,
    Issue,
    LocalAtlassian,
    Page,
    found_small_company,
    local_atlassian,
    may_read,
    storage,
)
from tests.fakes.atlassian.plain_client import a_project, a_tree
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge
from tests.unit.indexer.parse.parsing import parsed
from tests.unit.indexer.sources.confluence import wikis
from tests.unit.indexer.sources.jira import local_jira as jira_trying

BOTH = pytest.mark.parametrize("flavour", ["cloud", "datacenter"])


class InProcess:
    """Parses without a sandbox."""

    async def parse(self, raw: bytes, name: str, media_type: str = "") -> ParsedFile:
        return parsed(raw, name, media_type)


@dataclass
class Live:
    """What is tried. places: those that are configured. at: seconds that have passed."""

    local: LocalAtlassian
    flavour: wikis.Flavour
    items: LiveItems
    access: MemoryAccessWriter
    places: list[LiveSite]
    at: list[float] = field(default_factory=lambda: [0.0])

    async def know(self, *, vouched: bool = True) -> None:
        """Reads who the people are, as a pass does."""
        for place in self.places:
            async with place.open() as connector:
                await self.access.replace_directory(place.name, await connector.permissions())  # type: ignore[attr-defined] # both do
            if vouched:
                await self.access.mark_fresh(place.name, await self.access.now())
        self.local.forget_calls()

    async def read(self, name: str, person: str | Scope) -> LivePage | None:
        return await self.items.fetch(name, person if isinstance(person, Scope) else Scope.member(person))


def jira_at(local: LocalAtlassian, flavour: str, **options: object) -> LiveSite:
    def opened() -> AbstractAsyncContextManager[SingleDocumentConnector]:
        return jira_trying.jira(local, flavour, **options)

    return LiveSite("j", jira_trying.site(local, flavour).url, "1", opened)


def wiki_at(local: LocalAtlassian, flavour: wikis.Flavour, options: ConfluenceOptions = wikis.OPTIONS) -> LiveSite:
    def opened() -> AbstractAsyncContextManager[SingleDocumentConnector]:
        return wikis.opened(local, flavour, options)

    return LiveSite("wiki", wikis.site(local, flavour).url, "1", opened)


@asynccontextmanager
async def opened(
    local: LocalAtlassian, flavour: wikis.Flavour, *places: LiveSite, seconds: float = 9.0
) -> AsyncIterator[Live]:
    kept, at = MemoryKnowledge(HashEmbedder().identity), [0.0]
    known = list(places)

    async def configured() -> list[LiveSite]:
        return known

    items = LiveItems(configured, MemoryAccessReader(kept), InProcess(), seconds=seconds, clock=lambda: at[0])
    async with items:
        yield Live(local, flavour, items, MemoryAccessWriter(kept), known, at)


@pytest.fixture
def local() -> Iterator[LocalAtlassian]:
    with local_atlassian() as found:
        yield found


@pytest.fixture
def company(local: LocalAtlassian) -> Company:
    found = found_small_company(local.world)
    jira_trying.admit(local, (each.name for each in found.groups))
    return found


def told(company: Company, flavour: str) -> list[str]:
    """The addresses of the people that the product tells."""
    return [each.email for each in company.people if flavour == "datacenter" or not each.hidden]


async def differing(live: Live, company: Company, things: dict[str, Issue | Page]) -> set[tuple[str, str]]:
    """Who is shown what they may not read, or is not shown what they may."""
    users = {each.email: each for each in company.people}
    found = set()
    for email in told(company, live.flavour):
        for name, thing in things.items():
            shown = await live.read(name, email) is not None
            if shown != may_read(company.world, users[email], thing):
                found.add((email, name))
    return found


@pytest.mark.check
@BOTH
async def test_people_are_shown_the_issues_that_they_may_read(
    local: LocalAtlassian, company: Company, flavour: wikis.Flavour
) -> None:
    if flavour == "datacenter":
        for each in company.open_issues():
            each.level = ""  # nobody tells there who is in one
    things: dict[str, Issue | Page] = {each.key: each for each in company.open_issues()[:6]}
    company.people = company.people[:6]
    async with opened(local, flavour, jira_at(local, flavour)) as live:
        await live.know()
        assert await differing(live, company, things) == set()
        assert not local.calls("group/member"), "who is in which group is not read again"


@pytest.mark.check
@BOTH
async def test_people_are_shown_the_pages_that_they_may_read(
    local: LocalAtlassian, company: Company, flavour: wikis.Flavour
) -> None:
    walled = [each for each in company.current() if each.readers is not None][:3]
    below = [each for wall in walled for each in local.world.descendants(wall) if each.status == "current"][:2]
    pages = [*walled, *below, *company.current()[:3]]
    company.people = company.people[:6]
    async with opened(local, flavour, wiki_at(local, flavour)) as live:
        await live.know()
        assert await differing(live, company, {each.id: each for each in pages}) == set()
        assert not local.calls("member"), "who is in which group is not read again"


@BOTH
async def test_an_issue_is_as_it_is_now(local: LocalAtlassian, flavour: wikis.Flavour) -> None:
    world, (project, ann) = local.world, a_project(local, "PAY")
    issue = world.add_issue(project, "Refunds are late", "They take a week.", by=ann)
    async with opened(local, flavour, jira_at(local, flavour)) as live:
        await live.know()
        before = await live.read(issue.key, ann.email)
        assert before is not None
        assert "To Do" in before.text
        world.move_to(issue, "In Progress", by=ann)
        world.set(issue, ann, summary="Refunds are very late")
        local.forget_calls()
        now = await live.read(issue.key.lower(), ann.email)
        assert now is not None
        assert "In Progress" in now.text
        assert (now.source, now.url) == ("j", before.url)
        assert "very late" in now.title
        assert now.url.endswith(f"/browse/{issue.key}")
        assert len(local.calls()) <= 8, [call.path for call in local.calls()]
        for name in (issue.id, f"issue:{issue.id}", now.url):
            assert await live.read(name, ann.email) == now


@BOTH
async def test_a_page_is_as_it_is_now(local: LocalAtlassian, flavour: wikis.Flavour) -> None:
    world, (_, _, low) = local.world, a_tree(local)
    ann = world.users[low.author]
    async with opened(local, flavour, wiki_at(local, flavour, ConfluenceOptions())) as live:
        await live.know()
        assert await live.read(low.id, ann.email) is not None
        world.edit(low, storage("The harbour closes at nine."), by=ann)
        local.forget_calls()
        now = await live.read(low.id, ann.email)
        assert now is not None
        assert "closes at nine" in now.text
        assert (now.title, now.source) == ("Low", "wiki")
        assert len(local.calls()) <= 14, [call.path for call in local.calls()]
        assert await live.read(now.url, ann.email) == now


@BOTH
async def test_what_one_may_not_read_is_like_what_is_not_there(local: LocalAtlassian, flavour: wikis.Flavour) -> None:
    world, (project, ann) = local.world, a_project(local, "PAY")
    bob = world.add_user("Bob Ray", groups=())
    closed = world.add_project("SEC", "Closed", lead=ann, scheme=world.add_scheme("Few", Holder("user", ann.id)))
    world.grant(world.schemes[closed.scheme], Holder("user", local.bot.id))
    hidden, open_ = world.add_issue(closed, "Merger", "x", by=ann), world.add_issue(project, "Open", "y", by=ann)
    async with opened(local, flavour, jira_at(local, flavour)) as live:
        await live.know()
        assert await live.read(hidden.key, ann.email) is not None
        for name in (hidden.key, "SEC-999", "NONE-1", "", "no key", "https://example.com/browse/PAY-1"):
            assert await live.read(name, bob.email) is None, name
        strangers = (Scope.member("carl@example.com"), Scope.member(), Scope.outsider())
        among = replace(Scope.member(ann.email), audience=frozenset({PUBLIC, ORG}))
        for scope in (*strangers, among):
            assert await live.read(hidden.key, scope) is None, scope
            assert await live.read(open_.key, scope) is None, scope
        world.delete_issue(hidden)
        assert await live.read(hidden.key, ann.email) is None


@BOTH
async def test_nothing_of_the_content_is_read_for_who_may_not(local: LocalAtlassian, flavour: wikis.Flavour) -> None:
    _, _, low = a_tree(local)
    async with opened(local, flavour, wiki_at(local, flavour, ConfluenceOptions())) as live:
        await live.know()
        assert await live.read(low.id, "carl@example.com") is None
        assert not [call for call in local.calls() if "body-format" in str(call) and "comments" not in call.path]


@BOTH
async def test_a_right_that_was_withdrawn_is_gone_at_once(local: LocalAtlassian, flavour: wikis.Flavour) -> None:
    world, (top, _, low) = local.world, a_tree(local)
    ann, bob = world.users[low.author], world.add_user("Bob Ray")
    scheme = world.add_scheme("Open", Holder("applicationRole"), Holder("user", local.bot.id))
    project = world.add_project("PAY", "Pay", lead=ann, scheme=scheme)
    issue = world.add_issue(project, "Refunds", "late", by=ann)
    async with AsyncExitStack() as stack:
        wiki = await stack.enter_async_context(opened(local, flavour, wiki_at(local, flavour, ConfluenceOptions())))
        jira = await stack.enter_async_context(opened(local, flavour, jira_at(local, flavour)))
        await wiki.know()
        await jira.know()
        assert await wiki.read(low.id, bob.email) is not None
        world.restrict(top, ann)
        assert await wiki.read(low.id, bob.email) is None, "the page two above was closed"
        assert await wiki.read(low.id, ann.email) is not None
        world.unrestrict(top)
        assert await wiki.read(low.id, bob.email) is not None
        world.permit(world.spaces[low.space], ann)
        assert await wiki.read(low.id, bob.email) is None, "the space was closed"
        assert await jira.read(issue.key, bob.email) is not None
        world.revoke(scheme, Holder("applicationRole"))
        assert await jira.read(issue.key, bob.email) is None, "the project was closed"


async def test_a_hidden_level_hides_an_issue(local: LocalAtlassian) -> None:
    world = local.world
    ann = world.add_user("Boss Lee")
    security = world.add_security("Levels", Secret=[Holder("user", ann.id), Holder("user", local.bot.id)])
    project, lead = a_project(local, "PAY", security=security)
    issue = world.add_issue(project, "Refunds", "late", by=lead)
    async with opened(local, "cloud", jira_at(local, "cloud")) as live:
        await live.know()
        assert await live.read(issue.key, lead.email) is not None
        (level,) = security.levels.values()
        world.secure(issue, level, by=lead)
        assert await live.read(issue.key, lead.email) is None
        assert await live.read(issue.key, ann.email) is not None
        world.set_members(level, Holder("user", local.bot.id))
        assert await live.read(issue.key, ann.email) is None


@BOTH
async def test_what_is_known_of_people_is_as_old_as_the_last_reading(
    local: LocalAtlassian, flavour: wikis.Flavour
) -> None:
    project, ann = a_project(local, "PAY")
    issue = local.world.add_issue(project, "Refunds", "late", by=ann)
    async with opened(local, flavour, jira_at(local, flavour)) as live:
        await live.know(vouched=False)
        assert await live.read(issue.key, ann.email) is None, "no reading can be relied on"
        await live.know()
        assert await live.read(issue.key, ann.email) is not None
        ann.active = False
        await live.know()
        assert await live.read(issue.key, ann.email) is None


@BOTH
async def test_a_person_in_a_role_by_name_is_known(local: LocalAtlassian, flavour: wikis.Flavour) -> None:
    world = local.world
    ann, role = world.add_user("Ann Lee", groups=("jira-software-users",)), world.add_role("Readers")
    scheme = world.add_scheme("Role", Holder("projectRole", role.id), Holder("user", local.bot.id))
    project = world.add_project("PAY", "Pay", lead=local.bot, scheme=scheme)
    project.roles[role.id].users.add(ann.id)
    issue = world.add_issue(project, "Refunds", "late", by=ann)
    async with opened(local, flavour, jira_at(local, flavour)) as live:
        await live.know()
        assert await live.read(issue.key, ann.email) is not None


@BOTH
async def test_a_connector_is_kept_for_a_while(local: LocalAtlassian, flavour: wikis.Flavour) -> None:
    project, ann = a_project(local, "PAY")
    issue = local.world.add_issue(project, "Refunds", "late", by=ann)
    async with opened(local, flavour, jira_at(local, flavour)) as live:
        assert not local.calls(), "nothing is asked before something is fetched"
        await live.know()
        costs = []
        for seconds in (0.0, 299.0, 302.0):
            live.at[0] = seconds
            local.forget_calls()
            assert await live.read(issue.key, ann.email) is not None
            costs.append(len(local.calls("applicationrole")))
        assert costs == [1, 0, 1]
        live.places[0] = replace(live.places[0], mark="2")
        local.forget_calls()
        assert await live.read(issue.key, ann.email) is not None
        assert len(local.calls("applicationrole")) == 1, "it is configured in another way now"
        live.places.clear()
        assert await live.read(issue.key, ann.email) is None, "the source was removed"


async def test_many_at_one_time_get_what_is_theirs(local: LocalAtlassian) -> None:
    world, (top, middle, low) = local.world, a_tree(local)
    ann, bob = world.users[low.author], world.add_user("Bob Ray")
    world.restrict(middle, ann)
    async with opened(local, "cloud", wiki_at(local, "cloud", ConfluenceOptions())) as live:
        await live.know()
        asked = [(page.id, who.email) for page in (top, middle, low) for who in (ann, bob)] * 2
        found = await asyncio.gather(*(live.read(*each) for each in asked))
        assert [each is not None for each in found] == [True, True, True, False, True, False] * 2


async def test_sources_that_do_not_answer_do_not_stand_before_others(local: LocalAtlassian) -> None:
    project, ann = a_project(local, "PAY")
    issue = local.world.add_issue(project, "Refunds", "late", by=ann)

    def without_a_token() -> AbstractAsyncContextManager[SingleDocumentConnector]:
        raise Misconfigured("The token of a is not there")

    works = jira_at(local, "cloud")
    broken = LiveSite("a", works.url, "1", without_a_token)
    async with opened(local, "cloud", works) as live:
        await live.know()
        live.places.insert(0, broken)
        assert await live.read(issue.key, ann.email) is not None
        with pytest.raises(Misconfigured, match="token of a"):
            await live.read("PAY-99", ann.email)
        live.places[0] = replace(broken, url="https://elsewhere.example.com")
        assert await live.read(f"{works.url}/browse/PAY-99", ann.email) is None, "a URL says whom to ask"


async def test_a_source_that_is_slow_or_away_says_so(local: LocalAtlassian) -> None:
    project, ann = a_project(local, "PAY")
    issue = local.world.add_issue(project, "Refunds", "late", by=ann)
    async with opened(local, "cloud", jira_at(local, "cloud")) as live:
        await live.know()
        local.fail("/issue/PAY", Fault.error(503), times=None)
        with pytest.raises(Transient, match="no good answer"):
            await live.read(issue.key, ann.email)
        local.heal()
        assert await live.read(issue.key, ann.email) is not None
    async with opened(local, "cloud", jira_at(local, "cloud"), seconds=0.5) as live:
        await live.know()
        local.fail("/issue/PAY", Fault.slow(2.0), times=None)
        with pytest.raises(Transient, match="not read in time"):
            await live.read(issue.key, ann.email)


async def test_what_the_account_is_refused_is_not_there(local: LocalAtlassian) -> None:
    project, ann = a_project(local, "PAY")
    issue = local.world.add_issue(project, "Refunds", "late", by=ann)
    async with opened(local, "cloud", jira_at(local, "cloud")) as live:
        await live.know()
        local.fail("/issue/PAY", Fault.forbidden(), times=None)
        assert await live.read(issue.key, ann.email) is None
        assert await live.read("attachment:1", ann.email) is None
