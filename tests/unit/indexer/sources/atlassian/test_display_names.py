"""People whom texts mention are called by the names that their site tells."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.documents import ParsedFile
from domain.errors import Refused
from indexer.sources.atlassian.display_names import MAX_PEOPLE, DisplayNames, mentioned
from indexer.sources.connector import FetchedDocument, SingleSource
from tests.fakes.atlassian import Fault, LocalAtlassian, User, local_atlassian
from tests.fakes.atlassian.plain_client import a_project
from tests.unit.indexer.parse.parsing import parsed
from tests.unit.indexer.sources.confluence.wikis import Flavour, opened
from tests.unit.indexer.sources.confluence.wikis import listed as listed_wiki
from tests.unit.indexer.sources.jira.local_jira import FLAVOURS, admit, jira, listed

BOTH = pytest.mark.parametrize("flavour", ["cloud", "datacenter"])


@pytest.fixture
def local() -> Iterator[LocalAtlassian]:
    with local_atlassian() as found:
        yield found


def text(fetched: FetchedDocument) -> str:
    file: ParsedFile = parsed(fetched.raw, fetched.name, fetched.media_type)
    return "\n".join(block.text for block in file.blocks)


def to(user: User, flavour: str) -> str:
    """A mention in storage format."""
    attribute = f'ri:account-id="{user.id}"' if flavour == "cloud" else f'ri:userkey="{user.key}"'
    return f"<p>Ask <ac:link><ri:user {attribute} /></ac:link> first.</p>"


def nobody(flavour: str) -> str:
    return to(User("712020:gone", "ff80gone", "gone", "Gone", ""), flavour)


@BOTH
async def test_people_in_a_page_and_its_comments_have_their_names(local: LocalAtlassian, flavour: Flavour) -> None:
    world = local.world
    ann, ada, bo = (world.add_user(each) for each in ("Ann Lee", "Ada Lovelace", "Bo Ek"))
    space = world.add_space("ENG", "Engineering", view=[world.groups["confluence-users"]], by=ann)
    page = world.add_page(space, "Rota", to(ada, flavour) + nobody(flavour), by=ann)
    world.comment(page, to(bo, flavour), by=ann)
    async with opened(local, flavour) as wiki:
        item = (await listed_wiki(wiki)).items[f"page:{page.id}"]
        before = wiki.requests
        fetched = await wiki.fetch(item)
        spent = wiki.requests - before
        again = await wiki.fetch(item)
        assert wiki.requests - before == 2 * spent - 1  # whom nobody knows is not asked for again
    assert again == fetched
    assert text(fetched) == "Ask Ada Lovelace first.\nAsk someone first.\nAsk Bo Ek first."


async def test_one_request_names_all_whom_a_page_mentions(local: LocalAtlassian) -> None:
    world = local.world
    ann = world.add_user("Ann Lee")
    space = world.add_space("ENG", "Engineering", view=[world.groups["confluence-users"]], by=ann)
    many = [world.add_user(f"Person {at}", licensed=False) for at in range(40)]
    page = world.add_page(space, "All", "".join(to(each, "cloud") for each in many), by=ann)
    async with opened(local, "cloud") as wiki:
        await wiki.orient()
        item = await wiki.one(page.id)
        assert item is not None
        local.forget_calls()
        assert "Ask Person 39 first." in text(await wiki.fetch(item))
    assert [each.path for each in local.calls("user")].count("/wiki/api/v2/users-bulk") <= 2  # people, and the author


@BOTH
async def test_where_people_may_not_be_looked_up_they_are_someone(local: LocalAtlassian, flavour: Flavour) -> None:
    world = local.world
    ann = world.add_user("Ann Lee")
    space = world.add_space("ENG", "Engineering", view=[world.groups["confluence-users"]], by=ann)
    page = world.add_page(space, "Rota", to(world.add_user("Ada Lovelace", licensed=False), flavour), by=ann)
    async with opened(local, flavour) as wiki:
        assert isinstance(wiki, SingleSource)
        await wiki.orient()
        item = await wiki.one(page.id)
        assert item is not None
        local.fail(r"/users-bulk$|/rest/api/user$", Fault.error(403, "Not permitted"), None)
        assert text(await wiki.fetch(item)) == "Ask someone first."


def told(user: User | None, flavour: str) -> str | dict[str, Any]:
    """A mention in a text of Jira, of somebody or of nobody who is known."""
    if flavour != "cloud":
        return f"Ask [~{user.name if user else 'JIRAUSER10999'}] first."
    mention = {"type": "mention", "attrs": {"id": user.id if user else "712020:gone", "text": ""}}
    words = [{"type": "text", "text": "Ask "}, mention, {"type": "text", "text": " first."}]
    return {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": words}]}


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_people_in_an_issue_and_its_comments_have_their_names(local: LocalAtlassian, flavour: str) -> None:
    project, ann = a_project(local)
    ada = local.world.add_user("Ada Lovelace")
    issue = local.world.add_issue(project, "It fails", told(ada, flavour), by=ann)
    local.world.say(issue, told(None, flavour), by=ann)
    local.world.say(issue, told(ada, flavour), by=ann, group="jira-users")
    admit(local, ["jira-users"])
    async with jira(local, flavour) as connector:
        found = await listed(connector.listing())
        fetched = [await connector.fetch(each) for name, each in found.items() if not name.startswith("attach")]
    whole = "\n".join(map(text, fetched))
    assert whole.count("Ask Ada Lovelace first.") == 2
    assert whole.count("Ask someone first.") == 1


async def test_names_are_asked_for_once_and_not_without_end() -> None:
    asked: list[Sequence[str]] = []

    async def look_up(people: Sequence[str]) -> Mapping[str, str]:
        asked.append(people)
        if "refused" in people:
            raise Refused("no")
        return {"accountid:1": "Ada"}

    names = DisplayNames(look_up)
    assert await names.of(["accountid:1", "", "accountid:2", "accountid:1"]) == {"accountid:1": "Ada"}
    assert await names.of(["accountid:2", "accountid:1"]) == {"accountid:1": "Ada"}
    assert await names.of(["refused"]) == {}
    assert await names.of(map(str, range(3 * MAX_PEOPLE))) == {}
    assert list(map(len, asked)) == [2, 1, MAX_PEOPLE]


@given(st.text(alphabet='<ri:user -account"=/>[~]{mention}\\', max_size=200))
def test_whatever_a_text_is_it_can_be_looked_through(source: str) -> None:
    assert all(isinstance(each, str) for each in mentioned(source))
    assert list(mentioned(json.dumps({"type": "mention", "attrs": {"id": source}}))) == [f"accountid:{source}"]
