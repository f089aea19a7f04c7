"""Who somebody in Teams is, and who reads a conversation."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

import pytest

from bot.teams import user_directory
from bot.teams.connector_session import TooManyMembers
from bot.teams.conversation_reference import TeamsConversation
from bot.teams.user_directory import NOBODY, TeamsUserDirectory
from domain.conversation import ASKER_ALONE, MEMBERS, Identity, Participant, ReplyAudience
from domain.errors import KbError, Misconfigured, Refused, Transient
from domain.scope_reason import OutsiderReason, PublicReason

TEAM, CHANNEL = "19:t@thread.tacv2", "19:c@thread.tacv2"
HERE = TeamsConversation(
    "https://smba.example/",
    f"{CHANNEL};messageid=70",
    "channel",
    "28:app",
    "T1",
    "29:ann",
    team=TEAM,
    form="standard",
)
ANN = Participant("teams", "aad-ann", "T1")


def account(name: str = "ann", **more: Any) -> dict[str, Any]:
    upn = f"{name}@example.com"
    known = {"id": f"29:{name}", "aadObjectId": f"aad-{name}", "name": name, "email": upn, "userPrincipalName": upn}
    return {**known, "tenantId": "T1", "userRole": "user", **more}


@dataclass
class Book:
    """Says what it was told to. here: who is said to be in a conversation, where that is not everybody in the team.
    asked: of whom, and where. hangs: what is waited for before all are told."""

    found: Mapping[str, Any] | KbError = field(default_factory=account)
    everybody: Sequence[Mapping[str, Any]] | KbError = ()
    here: Sequence[Mapping[str, Any]] | None = None
    asked: list[tuple[str, str]] = field(default_factory=list)
    hangs: asyncio.Event | None = None

    async def member(self, service_url: str, conversation: str, user: str) -> Mapping[str, Any]:
        self.asked.append((conversation, user))
        if isinstance(self.found, KbError):
            raise self.found
        return self.found

    async def members(self, service_url: str, conversation: str) -> Sequence[Mapping[str, Any]]:
        self.asked.append((conversation, "*"))
        if self.hangs is not None:
            await self.hangs.wait()
        if isinstance(self.everybody, KbError):
            raise self.everybody
        return self.everybody if self.here is None or conversation == TEAM else self.here


def meeting(book: Book, **more: Any) -> TeamsUserDirectory:
    found = TeamsUserDirectory(book, **{"tenant": "T1", **more})
    found.person_seen(ANN, HERE)
    return found


async def test_a_member_is_known_by_address_and_asked_for_once() -> None:
    book = Book(account(email="Ann@Example.COM"))
    found = meeting(book)
    assert await found.identity(ANN) == Identity("ann@example.com", member=True, name="ann")
    await found.identity(ANN)
    assert book.asked == [(TEAM, "29:ann")]


async def test_the_name_to_log_on_with_stands_in_for_an_address() -> None:
    assert (await meeting(Book(account(email=None))).identity(ANN)).email == "ann@example.com"
    assert (await meeting(Book(account(email="MAR\u212a@x.example"))).identity(ANN)).email == "mar\u212a@x.example"
    found = await meeting(Book(account(email="", userPrincipalName="ann"))).identity(ANN)
    assert (found.email, found.member) == (None, True)


OUTSIDERS: Mapping[str, tuple[dict[str, Any], OutsiderReason]] = {
    "guest": ({"userRole": "guest"}, "guest"),
    "anonymous": ({"userRole": "anonymous"}, "guest"),
    "external name": ({"userPrincipalName": "ann_other.example#EXT#@example.onmicrosoft.com"}, "guest"),
    "another tenant": ({"tenantId": "T2"}, "stranger"),
    "no tenant told": ({"tenantId": None}, "stranger"),
}


@pytest.mark.parametrize("name", OUTSIDERS)
async def test_outsiders_are_no_members(name: str) -> None:
    fields, reason = OUTSIDERS[name]
    found = account(**fields)
    identity = await meeting(Book(found)).identity(ANN)
    assert (identity.member, identity.reason) == (False, reason)
    assert await meeting(Book(everybody=[account(), found])).audience("organisation", HERE) == ReplyAudience(
        "public", "guests"
    )


async def test_somebody_else_than_was_asked_for_is_nobody() -> None:
    assert await meeting(Book(account("ben"))).identity(ANN) == NOBODY
    assert await meeting(Book(account("ben", aadObjectId=None, objectId="aad-ann"))).identity(ANN) != NOBODY


async def test_unknown_is_nobody_and_away_is_not() -> None:
    assert await meeting(Book(Refused("404"))).identity(ANN) == NOBODY
    book = Book(Transient("away"))
    found = meeting(book)
    with pytest.raises(Transient):
        await found.identity(ANN)
    book.found = account()
    assert (await found.identity(ANN)).member, "a failure is not kept"


async def test_who_was_never_met_cannot_be_asked_for() -> None:
    with pytest.raises(Transient):
        await TeamsUserDirectory(Book(), "T1").identity(ANN)


async def test_what_is_remembered_of_people_is_bounded() -> None:
    found = TeamsUserDirectory(Book(), "T1")
    for number in range(user_directory.MET + 10):
        found.person_seen(Participant("teams", str(number), "T1"), HERE)
    assert len(found._met) == user_directory.MET


async def test_a_conversation_of_members_is_the_organisations() -> None:
    bot = {"id": "28:app", "name": "kb"}
    book = Book(everybody=[account(), account("ben"), bot])
    found = meeting(book)
    assert await found.audience("organisation", HERE) == MEMBERS
    assert await found.audience("organisation", HERE) == MEMBERS
    assert len(book.asked) == 1
    book.everybody = [account(), account("eve", userRole="guest")]
    found.members_changed()
    assert await found.audience("organisation", HERE) == ReplyAudience("public", "guests")


async def test_who_joined_since_counts_though_nobody_told() -> None:
    book = Book(everybody=[account()])
    found = meeting(book)
    assert await found.audience("organisation", HERE) == MEMBERS
    book.everybody = [account(), account("eve", userRole="guest")]
    assert await found.audience("organisation", HERE) == MEMBERS, "for a minute"
    assert await found.audience("organisation", HERE, monotonic()) == ReplyAudience("public", "guests")


async def test_what_teams_does_not_say_in_time_is_not_relied_on() -> None:
    book = Book(everybody=[account()], hangs=asyncio.Event())
    found = meeting(book)
    assert await found.audience("organisation", HERE, monotonic()) == ReplyAudience("public", "lookup_failed")
    assert book.hangs is not None
    book.hangs.set()
    assert await found.audience("organisation", HERE) == MEMBERS, "it was said in the end"


@pytest.mark.parametrize(
    ("everybody", "reason"),
    [
        ([], "lookup_failed"),
        (Refused("no"), "lookup_failed"),
        (TooManyMembers("too many"), "too_many_members"),
        (Transient("away"), "lookup_failed"),
        (Misconfigured("no permission"), "missing_scope"),
        ([account(email="", userPrincipalName="")], "guests"),
    ],
)
async def test_where_teams_does_not_say_anybody_may_read(everybody: Any, reason: PublicReason) -> None:
    assert await meeting(Book(everybody=everybody)).audience("organisation", HERE) == ReplyAudience("public", reason)


async def test_addresses_of_other_domains_are_outside() -> None:
    book = Book(everybody=[account(), account("ben", email="ben@partner.example")])
    assert await meeting(book, domains=("example.com",)).audience("organisation", HERE) == ReplyAudience(
        "public", "guests"
    )


async def test_what_is_told_already_is_not_asked() -> None:
    book = Book()
    assert await meeting(book).audience("asker", HERE) == ASKER_ALONE
    assert await meeting(book).audience("public", HERE) == ReplyAudience("public", "shared_channel")
    assert not book.asked


@pytest.mark.parametrize(
    ("form", "asked", "readers"),
    [
        ("standard", [TEAM], ReplyAudience("public", "guests")),
        ("", [TEAM, CHANNEL], ReplyAudience("public", "guests")),
        ("private", [CHANNEL], MEMBERS),
    ],
)
async def test_a_standard_channel_is_read_by_its_team(form: str, asked: list[str], readers: ReplyAudience) -> None:
    book = Book(everybody=[account(), account("eve", userRole="guest")], here=[account()])
    assert await meeting(book).audience("organisation", replace(HERE, form=form)) == readers
    assert book.asked == [(each, "*") for each in asked]


async def test_a_channel_of_unknown_form_may_be_read_by_people_outside_its_team() -> None:
    book = Book(everybody=[account()], here=[account(), account("eve", tenantId="T2")])
    assert await meeting(book).audience("organisation", replace(HERE, form="")) == ReplyAudience("public", "guests")


async def test_a_channel_without_a_team_is_read_by_anybody() -> None:
    book = Book(everybody=[account()])
    for form in ("standard", "private", ""):
        assert await meeting(book).audience("organisation", replace(HERE, team="", form=form)) == ReplyAudience(
            "public", "unknown_channel"
        )


async def test_what_teams_will_not_say_is_not_asked_again_for_each_question() -> None:
    book = Book(everybody=Refused("too many"))
    found = meeting(book)
    for _ in range(3):
        assert await found.audience("organisation", HERE) == ReplyAudience("public", "lookup_failed")
    assert len(book.asked) == 1
