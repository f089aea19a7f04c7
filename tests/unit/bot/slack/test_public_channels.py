"""Who reads a public channel: every full member of the workspace may open it without joining."""

import asyncio
from typing import Any

import pytest

from bot.slack.workspace_users import AGAIN_SECONDS
from tests.fakes.slack import Fault, LocalSlack, User
from tests.fakes.slack_office import closed, office, somebody

ORGANISATION, HELD = ("organisation", ""), ("public", "open_to_outsiders")
ELSEWHERE = "eve@partner.example"


def general(slack: LocalSlack, *people: User) -> str:
    """A public channel with a member of the organisation in it."""
    return slack.add_channel("general", [somebody(slack, "ann"), *people]).id


@pytest.mark.parametrize(
    "fields",
    [
        {"email": ELSEWHERE},
        {"email": None},
        {"is_email_confirmed": False},
        {"email": ELSEWHERE, "is_invited_user": True},
    ],
    ids=["another domain", "no address", "an address that is not confirmed", "joined by an invitation"],
)
async def test_a_full_member_who_is_no_member_of_the_organisation_opens_it_without_joining(
    slack: LocalSlack, fields: dict[str, Any]
) -> None:
    channel = general(slack)
    somebody(slack, "eve", **fields)
    async with office(slack) as here:
        assert await here.readers(channel) == HELD
        assert await here.readers(channel) == HELD
        assert here.asked()["users.list"] == 1
        assert await here.readers(closed(slack, "team", [somebody(slack, "ben")]).id) == ORGANISATION


@pytest.mark.parametrize(
    "fields",
    [
        {"is_restricted": True},
        {"is_ultra_restricted": True},
        {"is_stranger": True},
        {"deleted": True},
        {"is_bot": True},
        {"is_invited_user": True, "is_email_confirmed": False},
    ],
    ids=lambda fields: next(iter(fields)),
)
async def test_who_opens_only_what_they_are_in_does_not_count(slack: LocalSlack, fields: dict[str, Any]) -> None:
    channel = general(slack)
    somebody(slack, "eve", email=ELSEWHERE, **fields)
    async with office(slack) as here:
        assert await here.readers(channel) == ORGANISATION


async def test_a_guest_who_is_in_it_counts_as_one(slack: LocalSlack) -> None:
    channel = general(slack, somebody(slack, "gus", is_restricted=True))
    somebody(slack, "eve", email=ELSEWHERE)
    async with office(slack) as here:
        assert await here.readers(channel) == ("public", "guests")


async def test_strangers_who_change_their_profiles_change_nothing(slack: LocalSlack) -> None:
    channel = general(slack)
    async with office(slack) as here:
        assert await here.readers(channel) == ORGANISATION
        for number in range(60):
            stranger = somebody(slack, f"far{number}", is_stranger=True)
            here.people.person_changed(stranger.id, stranger.presented(email=True))
        assert await here.readers(channel) == ORGANISATION


async def test_where_many_have_changed_the_workspace_is_listed_anew(slack: LocalSlack) -> None:
    channel = general(slack)
    async with office(slack) as here:
        assert await here.readers(channel) == ORGANISATION
        for number in range(60):
            joined = somebody(slack, f"new{number}")
            here.people.person_changed(joined.id, joined.presented(email=True))
        here.now.seconds += AGAIN_SECONDS
        async with asyncio.timeout(30):
            while await here.readers(channel) != ORGANISATION:  # noqa: ASYNC110 - nobody tells when it is read
                await asyncio.sleep(0.01)


async def test_without_domains_every_full_member_belongs(slack: LocalSlack) -> None:
    channel = general(slack)
    somebody(slack, "eve", email=ELSEWHERE)
    async with office(slack, domains=()) as here:
        assert await here.readers(channel) == ORGANISATION
        assert "users.list" not in here.asked()


async def test_while_the_workspace_is_not_listed_to_its_end_nobody_is_relied_on(slack: LocalSlack) -> None:
    channel = general(slack)
    slack.add_crowd(2_500)
    async with office(slack, patience=0.5) as here:
        slack.limit("users.list", 60, burst=2)
        assert await here.readers(channel) == ("public", "lookup_unfinished")
        async with asyncio.timeout(30):
            while await here.readers(channel) != ORGANISATION:  # noqa: ASYNC110 - nobody tells when it is read
                await asyncio.sleep(0.01)


async def test_an_outsider_on_the_first_page_is_told_at_once(slack: LocalSlack) -> None:
    channel = general(slack)
    somebody(slack, "eve", email=ELSEWHERE)
    slack.add_crowd(2_500)
    async with office(slack) as here:
        slack.limit("users.list", 1, burst=1)
        assert await here.readers(channel) == HELD


async def test_who_changes_counts_as_they_are_now(slack: LocalSlack) -> None:
    channel, eve = general(slack), somebody(slack, "eve")
    async with office(slack) as here:
        assert await here.readers(channel) == ORGANISATION
        for email, readers in ((ELSEWHERE, HELD), ("eve@example.com", ORGANISATION)):
            eve.email = email
            here.people.person_changed(eve.id, eve.presented(email=True))
            here.asked()
            assert await here.readers(channel) == readers
            assert here.asked() == {"users.info": 1}, "the others are still known"
        here.people.person_changed(eve.id)
        eve.is_restricted, eve.email = True, ELSEWHERE
        assert await here.readers(channel) == ORGANISATION, "a guest who is not in it"


async def test_who_comes_into_the_workspace_counts_when_slack_tells(slack: LocalSlack) -> None:
    channel = general(slack)
    async with office(slack) as here:
        assert await here.readers(channel) == ORGANISATION
        eve = somebody(slack, "eve", email=ELSEWHERE)
        here.people.person_changed(eve.id, eve.presented(email=True))
        assert await here.readers(channel) == HELD


async def test_a_workspace_that_may_not_be_listed_is_not_relied_on(slack: LocalSlack) -> None:
    channel = general(slack)
    async with office(slack) as here:
        slack.fail("users.list", Fault.error("missing_scope"), None)
        assert await here.readers(channel) == ("public", "missing_scope")
