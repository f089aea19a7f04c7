"""Who people are and who reads a channel: what is asked of Slack, how long it holds, and what a failure means."""

import asyncio
import logging
from typing import Any

import pytest

from bot.slack import user_directory
from bot.slack.connection import open_client
from domain.conversation import Participant
from domain.errors import Misconfigured
from tests.fakes.slack import Fault, LocalSlack
from tests.fakes.slack_office import closed, office, somebody

# a few people


async def test_people_are_known_in_all_of_their_channels(slack: LocalSlack) -> None:
    both = [somebody(slack, "ann"), somebody(slack, "ben")]
    channels = [closed(slack, name, both).id for name in ("one", "two")]
    async with office(slack) as here:
        for channel in channels:
            assert await here.readers(channel) == ("organisation", "")
        assert here.asked()["users.info"] == 2


async def test_many_questions_at_once_ask_once(slack: LocalSlack) -> None:
    channel = closed(slack, "busy", [somebody(slack, f"p{n}") for n in range(12)]).id
    async with office(slack) as here:
        found = await asyncio.gather(*(here.readers(channel) for _ in range(20)))
        assert set(found) == {("organisation", "")}
        assert here.asked() == {"conversations.info": 1, "conversations.members": 1, "users.info": 12}


async def test_nobody_is_looked_up_after_the_first_outsider(slack: LocalSlack) -> None:
    crowd = [somebody(slack, f"p{n}") for n in range(45)]
    guest = somebody(slack, "guest", is_restricted=True)
    channel = closed(slack, "guests", [guest, *crowd]).id
    async with office(slack) as here:
        assert await here.readers(channel) == ("public", "guests")
        assert here.asked()["users.info"] == user_directory.AT_ONCE


async def test_a_channel_is_open_where_slack_says_that_it_is_public(slack: LocalSlack) -> None:
    ann = somebody(slack, "ann")
    made = {
        "open": slack.add_channel("open", [ann]),
        "private": slack.add_channel("private", [ann], is_private=True),
        "group": slack.add_channel("group", [ann], is_mpim=True),
        "direct": slack.dm(ann),
    }
    async with office(slack) as here:
        found = {name: await here.people.is_open(channel.id) for name, channel in made.items()}
        assert found == {"open": True, "private": False, "group": False, "direct": False}
        assert not await here.people.is_open("C404")


# changes


async def test_who_joined_since_counts_though_nobody_told(slack: LocalSlack) -> None:
    ann, guest = somebody(slack, "ann"), somebody(slack, "gus", is_restricted=True)
    channel = closed(slack, "all", [ann])
    async with office(slack) as here:
        assert await here.readers(channel.id) == ("organisation", "")
        channel.members.append(guest.id)
        here.now.seconds += 1.0
        assert await here.readers(channel.id) == ("organisation", ""), "for a minute"
        found = await here.people.audience(channel.id, since=1.0)
        assert (found.audience, found.reason) == ("public", "guests")
        here.asked()
        assert await here.people.audience(channel.id, since=1.0) == found
        assert here.asked() == {}, "it was asked for since"


async def test_what_slack_does_not_say_in_time_is_not_relied_on(slack: LocalSlack) -> None:
    channel = closed(slack, "all", [somebody(slack, "ann")]).id
    async with office(slack) as here:
        slack.fail("conversations.members", Fault.hang(3.0))
        found = await here.people.audience(channel, since=0.0)
        assert (found.audience, found.reason) == ("public", "lookup_failed")


@pytest.mark.parametrize(
    "fields",
    [{"name": "Ann B."}, {"tz": "Asia/Tokyo"}, {}],
    ids=["a name", "a time zone", "a picture or a status"],
)
async def test_a_profile_that_changes_nothing_that_rights_hang_on_is_ignored(
    slack: LocalSlack, fields: dict[str, Any]
) -> None:
    ann, ben = somebody(slack, "ann"), somebody(slack, "ben")
    channel = closed(slack, "all", [ann, ben]).id
    async with office(slack) as here:
        await here.readers(channel)
        here.asked()
        for name, value in fields.items():
            setattr(ann, name, value)
        here.people.person_changed(ann.id, ann.presented(email=True))
        assert await here.readers(channel) == ("organisation", "")
        assert here.asked() == {}


@pytest.mark.parametrize(
    "fields",
    [
        {"is_restricted": True},
        {"is_ultra_restricted": True},
        {"is_stranger": True},
        {"deleted": True},
        {"email": "ann@elsewhere.example"},
        {"email": None},
        {"is_email_confirmed": False},
        {"team": "TELSEWHERE"},
    ],
    ids=lambda fields: "-".join(map(str, fields)),
)
async def test_one_person_is_forgotten_who_may_read_less(slack: LocalSlack, fields: dict[str, Any]) -> None:
    ann, ben = somebody(slack, "ann"), somebody(slack, "ben")
    channel, other = closed(slack, "all", [ann, ben]).id, closed(slack, "ben", [ben]).id
    async with office(slack) as here:
        assert await here.readers(channel) == await here.readers(other) == ("organisation", "")
        here.asked()
        for name, value in fields.items():
            setattr(ann, name, value)
        here.people.person_changed(ann.id, ann.presented(email=True))
        assert (await here.readers(channel))[0] == "public"
        assert await here.readers(other) == ("organisation", "")
        assert here.asked() == {"users.info": 1}, "the others are still known"


async def test_an_event_without_the_person_forgets_one(slack: LocalSlack) -> None:
    ann, ben = somebody(slack, "ann"), somebody(slack, "ben")
    channel = closed(slack, "all", [ann, ben]).id
    async with office(slack) as here:
        await here.readers(channel)
        here.asked()
        here.people.person_changed(ann.id)
        await here.readers(channel)
        assert here.asked() == {"users.info": 1}


async def test_who_joins_is_looked_up(slack: LocalSlack) -> None:
    channel = closed(slack, "all", [somebody(slack, "ann")])
    async with office(slack) as here:
        assert await here.readers(channel.id) == ("organisation", "")
        channel.members.append(somebody(slack, "guest", is_ultra_restricted=True).id)
        here.people.members_changed(channel.id)
        assert await here.readers(channel.id) == ("public", "guests")


async def test_what_is_known_grows_old(slack: LocalSlack) -> None:
    ann = somebody(slack, "ann")
    channel = closed(slack, "all", [ann]).id
    async with office(slack) as here:
        await here.readers(channel)
        here.now.seconds += user_directory.CHANNEL_SECONDS + 1
        here.asked()
        await here.readers(channel)
        assert here.asked() == {"conversations.info": 1, "conversations.members": 1}
        here.now.seconds += user_directory.PEOPLE_SECONDS
        await here.readers(channel)
        assert here.asked()["users.info"] == 1


# failures


@pytest.mark.parametrize("method", ["conversations.info", "conversations.members", "users.info"])
async def test_a_missing_scope_is_not_asked_for_again_with_each_question(
    slack: LocalSlack, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    channel = closed(slack, "all", [somebody(slack, "ann")]).id
    async with office(slack) as here:
        slack.fail(method, Fault.error("missing_scope"), None)
        for _ in range(5):
            assert await here.readers(channel) == ("public", "missing_scope")
        assert here.asked()[method] == 1
        slack.heal()
        here.now.seconds += user_directory.FAILED_SECONDS + 1
        assert await here.readers(channel) == ("organisation", "")
    [line, *_] = [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]
    assert channel in line
    assert "missing_scope" in line


async def test_a_channel_that_slack_does_not_show_is_asked_for_once_a_minute(slack: LocalSlack) -> None:
    async with office(slack) as here:
        for _ in range(3):
            assert await here.readers("C404") == ("public", "unknown_channel")
        assert here.asked() == {"conversations.info": 1}


@pytest.mark.parametrize("code", ["token_revoked", "token_expired", "account_inactive"])
async def test_a_token_that_is_accepted_again_is_noticed_at_once(slack: LocalSlack, code: str) -> None:
    ann = Participant("slack", somebody(slack, "ann").id)
    async with office(slack) as here:
        slack.fail("users.info", Fault.error(code))
        with pytest.raises(Misconfigured):
            await here.people.identity(ann)
        assert (await here.people.identity(ann)).member


async def test_a_failure_that_passes_is_not_remembered(slack: LocalSlack) -> None:
    channel = closed(slack, "all", [somebody(slack, "ann")]).id
    async with office(slack) as here:
        slack.fail("conversations.info", Fault.error("service_unavailable"), None)
        assert await here.readers(channel) == ("public", "lookup_failed")
        slack.heal()
        assert await here.readers(channel) == ("organisation", "")


async def test_who_cannot_be_looked_up_is_asked_for_once_a_minute(slack: LocalSlack) -> None:
    ann = Participant("slack", somebody(slack, "ann").id)
    async with office(slack) as here:
        slack.fail("users.info", Fault.error("missing_scope"), None)
        for _ in range(3):
            with pytest.raises(Misconfigured, match=r"users\.info"):
                await here.people.identity(ann)
        assert here.asked() == {"users.info": 1}


async def test_without_the_scope_for_addresses_it_says_so(slack: LocalSlack) -> None:
    slack.workspace.scopes.discard("users:read.email")
    ann = somebody(slack, "ann")
    channel = closed(slack, "all", [ann]).id
    async with office(slack) as here:
        assert (await here.people.identity(Participant("slack", ann.id))).reason == "missing_scope"
        assert await here.readers(channel) == ("public", "missing_scope")


async def test_a_channel_shared_with_another_organisation_says_so(slack: LocalSlack) -> None:
    channel = slack.add_channel("shared", [somebody(slack, "ann")], is_ext_shared=True).id
    async with office(slack) as here:
        assert await here.readers(channel) == ("public", "shared_channel")
        assert here.asked() == {"conversations.info": 1}, "who is in it does not matter"


async def test_a_missing_scope_is_said_at_the_start(slack: LocalSlack, caplog: pytest.LogCaptureFixture) -> None:
    slack.workspace.scopes -= {"users:read.email"}
    await open_client(slack.bot_token, slack.base_url, 5.0)
    said = [each.getMessage() for each in caplog.records if each.levelno == logging.ERROR]
    assert said == [
        "The Slack app lacks users:read.email: everybody counts as a stranger. Add it to the app, and reinstall it"
    ]
