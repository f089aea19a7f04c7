"""The list of all people of a workspace: when it is read in place of one person after the other, and how it is kept."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from bot.slack import user_directory, workspace_users
from bot.slack.client import SlackClient
from bot.slack.workspace_users import HomeOrganisation, WorkspaceUsers
from domain.conversation import Participant
from domain.errors import Transient
from tests.fakes.slack import Fault, LocalSlack, local_slack
from tests.fakes.slack_office import closed, office, somebody
from tests.fakes.slack_web import Web


@pytest.fixture(scope="module")
def town() -> Iterator[LocalSlack]:
    """A workspace of 50,000 people."""
    with local_slack() as slack:
        slack.add_crowd(50_000)
        yield slack


async def test_a_channel_of_four_takes_a_handful_of_calls_in_a_workspace_of_50_000(town: LocalSlack) -> None:
    four = list(town.world.users.values())[1:5]
    channel = closed(town, "four", four).id
    async with office(town) as here:
        assert (await here.people.identity(Participant("slack", four[0].id))).member
        assert await here.readers(channel) == ("organisation", "")
        assert here.asked() == {"conversations.info": 1, "conversations.members": 1, "users.info": 4}
        assert await here.readers(channel) == ("organisation", "")
        assert here.asked() == {}, "and nothing is asked again"


async def test_a_channel_of_thousands_is_known_from_the_list_of_the_workspace(slack: LocalSlack) -> None:
    crowd = slack.add_crowd(5_000)
    channel = closed(slack, "general", crowd[:3_000]).id
    async with office(slack) as here:
        assert await here.readers(channel) == ("organisation", "")
        await asyncio.to_thread(slack.until, lambda: len(slack.calls("users.list")) == 6)
        asked = here.asked()
        assert asked.pop("users.info", 0) <= user_directory.MAX_ASKED
        assert asked == {"conversations.info": 1, "conversations.members": 4, "users.list": 6}
        here.people.person_changed(crowd[7].id, crowd[7].presented(email=True))
        assert await here.readers(channel) == ("organisation", "")
        assert here.asked() == {}
        crowd[7].is_restricted = True
        here.people.person_changed(crowd[7].id, crowd[7].presented(email=True))
        assert await here.readers(channel) == ("public", "guests")
        assert here.asked() == {"users.info": 1}


async def test_a_list_that_takes_minutes_is_read_behind_and_what_was_learnt_is_kept(town: LocalSlack) -> None:
    crowd = list(town.world.users.values())[1:50_001]
    late, early = closed(town, "late", crowd[48_000:]).id, closed(town, "early", crowd[:1_500]).id
    async with office(town, patience=0.5) as here:
        town.limit("users.list", 60, burst=2)
        assert await here.readers(late) == ("public", "lookup_unfinished")
        asked = here.asked()
        assert asked["users.info"] == user_directory.MAX_ASKED, "some of them are known from now on"
        assert await here.readers(early) == ("organisation", ""), "the list has come so far"
        assert "users.info" not in here.asked()


async def test_many_small_channels_at_once_are_known_from_the_list(town: LocalSlack) -> None:
    crowd = list(town.world.users.values())[1:2_001]
    channels = [closed(town, f"team-{n}", crowd[n::50]).id for n in range(10)]
    async with office(town) as here:
        found = await asyncio.gather(*(here.readers(channel) for channel in channels))
        assert set(found) == {("organisation", "")}
        asked = here.asked()
        assert asked["users.info"] <= user_directory.MAX_A_MINUTE, "one by one, they would be 400"
        assert asked["users.list"] <= 20


async def test_where_slack_wants_fewer_calls_for_one_by_one_the_list_is_read(slack: LocalSlack) -> None:
    channel = closed(slack, "all", [somebody(slack, "ann")]).id
    async with office(slack) as here:
        slack.fail("users.info", Fault.ratelimited(60), None)
        assert await here.readers(channel) == ("public", "lookup_unfinished")
        async with asyncio.timeout(10):
            while await here.readers(channel) != ("organisation", ""):  # noqa: ASYNC110 - nobody tells when it is read
                await asyncio.sleep(0.01)
        assert here.asked()["users.list"] == 1


async def test_an_old_list_is_read_anew_behind_those_who_use_it(slack: LocalSlack) -> None:
    crowd = slack.add_crowd(500)
    channel = closed(slack, "general", crowd).id
    async with office(slack) as here:
        assert await here.readers(channel) == ("organisation", "")
        here.now.seconds += workspace_users.LIST_SECONDS - 1
        here.asked()
        slack.latency("users.list", 0.3)
        assert await here.readers(channel) == ("organisation", "")
        assert not any(call.response for call in slack.calls("users.list")), "nobody waits for it"
        await asyncio.to_thread(slack.until, lambda: any(call.response for call in slack.calls("users.list")))
        slack.latency("users.list", 0)
        here.now.seconds += workspace_users.LIST_SECONDS
        crowd[0].is_restricted = True
        assert await here.readers(channel) == ("public", "guests"), "and one that is too old is not used"


async def test_a_list_that_is_refused_is_not_asked_for_with_each_question(slack: LocalSlack) -> None:
    channel = closed(slack, "general", slack.add_crowd(200)).id
    async with office(slack) as here:
        slack.fail("users.list", Fault.error("missing_scope"), None)
        for _ in range(3):
            assert await here.readers(channel) == ("public", "missing_scope")
        assert here.asked()["users.list"] == 1


class Held(Web):
    """A client whose calls wait until they are let go."""

    def __init__(self, *outcomes: dict[str, Any]) -> None:
        super().__init__(*outcomes)
        self.go = asyncio.Event()

    async def api_call(self, api_method: str, **arguments: Any) -> Any:
        await self.go.wait()
        return await super().api_call(api_method, **arguments)


async def test_a_page_that_was_under_way_does_not_undo_a_change() -> None:
    web = Held({"ok": True, "members": [{"id": "U1"}, {"id": "U2"}]})
    users = WorkspaceUsers(SlackClient(web, 5), lambda user: "guest" if user.get("is_restricted") else "")
    users.want()
    await asyncio.sleep(0)
    users.changed("U1", "guest")
    web.go.set()
    assert await users.more(5.0)
    assert users.outsider("U1") is None, "the page has them as they were"
    assert users.outsider("U2") == ""
    await users.close()


async def test_a_list_of_nobody_is_none() -> None:
    users = WorkspaceUsers(SlackClient(Web({"ok": True, "members": []}), 5), lambda _: "")
    assert await users.more(5.0)
    assert not users.complete
    with pytest.raises(Transient, match="nobody"):
        await users.more(5.0)


def test_a_letter_that_looks_like_an_ascii_one_makes_another_address_and_another_domain() -> None:
    home = HomeOrganisation(domains=("book.example",))
    met = [home.membership({"profile": {"email": each}}) for each in ("Mark@Book.example", "mark@boo\u212a.example")]
    assert [each.identity.email for each in met] == ["mark@book.example", "mark@boo\u212a.example"]
    assert [each.outsider for each in met] == ["", "foreign_domain"]
