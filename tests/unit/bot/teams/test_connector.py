"""Calls of the connector: where they go, with what token, how often, and what becomes of errors."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from botbuilder.schema import Activity

from bot.app.serving_teams import OpenTeams, open_for_teams
from bot.conversation.chat_platform import OutcomeUnknown
from bot.teams.access_token import TeamsCredentials
from bot.teams.connector import TeamsConnector
from bot.teams.connector_session import ConnectorSession, TeamsRefused
from bot.teams.conversation_reference import TeamsConversation
from bot.teams.outgoing_activities import with_entities
from config.load import load
from domain.errors import Misconfigured, Refused, Transient
from domain.masking import Masker
from tests.fakes.teams import Conversation, Fault, LocalTeams, Person, local_teams
from tests.fakes.teams.received_questions import talked
from tests.flows.teams.led import connected

HELLO = Activity(type="message", text="Hello")

NESTED = Fault.saying(b"[" * 100_000)


def large(size: int, *, packed: bool = False) -> Fault:
    """A reply that is all right but for its length."""
    said = {"id": "17", "access_token": "good", "members": []}
    return Fault.saying(b" " * size + json.dumps(said).encode(), packed=packed)


@pytest.fixture
def teams() -> Iterator[LocalTeams]:
    with local_teams() as opened:
        yield opened


@pytest.fixture
async def connector(teams: LocalTeams) -> AsyncIterator[TeamsConnector]:
    found = connected(teams, 5.0)
    yield found
    await found.close()


@pytest.fixture
def ann(teams: LocalTeams) -> Person:
    return teams.add_person("ann")


@pytest.fixture
def channel(teams: LocalTeams, ann: Person) -> Conversation:
    return teams.add_channel("general", [ann])


@pytest.fixture
def handle(teams: LocalTeams, ann: Person, channel: Conversation) -> dict[str, str]:
    return dict(talked(teams.say(ann, channel, "Hello?")).handle)


async def opened(teams: LocalTeams, folder: Path, **other: str) -> OpenTeams:
    """Teams as the settings open it. other: settings that are otherwise."""
    names = {
        "TEAMS_APP_ID": teams.app_id,
        "TEAMS_APP_PASSWORD": teams.password,
        "TEAMS_TENANT_ID": teams.tenant,
        "TEAMS_TOKEN_URL": teams.token_url,
        "TEAMS_INSECURE_DEV": "true",
        "TEAMS_PATIENCE": "5",
    }
    settings = load({f"KB_AGENT_{name}": value for name, value in (names | other).items() if value}, folder)
    return await open_for_teams(settings, Masker())


async def test_a_message_goes_into_the_thread_and_can_be_changed_and_deleted(
    teams: LocalTeams, connector: TeamsConnector, handle: dict[str, str], channel: Conversation
) -> None:
    name = await connector.send(handle, HELLO)
    (message,) = teams.seen(channel.id, handle["conversation"].partition("=")[2])
    assert message.id == name
    await connector.update(handle, name, Activity(type="message", text="Bye"))
    assert [each["text"] for each in message.versions] == ["Hello", "Bye"]
    await connector.delete(handle, name)
    assert not teams.seen(channel.id)


async def test_an_activity_is_sent_as_it_was_written(
    teams: LocalTeams, connector: TeamsConnector, handle: dict[str, str]
) -> None:
    label = {"type": "https://schema.org/Message", "@type": "Message", "additionalType": ["AIGeneratedContent"]}
    labelled = with_entities(HELLO, [label])
    labelled.channel_data = {"feedbackLoop": {"type": "default"}}
    await connector.send(handle, labelled)
    (call,) = teams.calls("send")
    assert call.body["entities"] == [label]
    assert call.body["channelData"] == {"feedbackLoop": {"type": "default"}}
    assert call.body["from"] == {"id": teams.bot}


async def test_members_are_read_page_by_page(
    teams: LocalTeams, connector: TeamsConnector, channel: Conversation
) -> None:
    channel.members += [teams.add_person(f"p{number}").id for number in range(550)]
    found = await connector.members(teams.service_url, channel.team)
    assert len({each["id"] for each in found}) == 551
    assert len(teams.calls("members")) == 2


async def test_a_member_is_looked_up_by_either_id(
    teams: LocalTeams, connector: TeamsConnector, channel: Conversation, ann: Person
) -> None:
    for name in (ann.id, ann.aad):
        assert (await connector.member(teams.service_url, channel.id, name))["email"] == "ann@example.com"
    with pytest.raises(TeamsRefused):
        await connector.member(teams.service_url, channel.id, "29:nobody")


async def test_a_chat_with_who_spoke(
    teams: LocalTeams, connector: TeamsConnector, handle: dict[str, str], ann: Person
) -> None:
    private = await connector.personal_chat(TeamsConversation.of(handle))
    await connector.send(private.handle, HELLO)
    assert [each.text for each in teams.seen(teams.personal(ann).id)] == ["Hello"]
    assert private.kind == "personal"


async def test_one_token_serves_all(teams: LocalTeams, connector: TeamsConnector, handle: dict[str, str]) -> None:
    await asyncio.gather(*(connector.send(handle, HELLO) for _ in range(5)))
    assert len(teams.calls("token")) == 1


async def test_a_token_is_had_anew_before_it_ends(
    teams: LocalTeams, connector: TeamsConnector, handle: dict[str, str]
) -> None:
    teams.api.token_seconds = 1
    await connector.send(handle, HELLO)
    await asyncio.sleep(0.6)
    teams.fail("token", Fault.status_of(503), None)
    await connector.send(handle, HELLO)
    assert len(teams.seen(handle["conversation"])) == 2, "what is there is good for as long as it is"


async def expiring(teams: LocalTeams) -> TeamsCredentials:
    """Credentials with a token that is good, and is to be had anew."""
    credentials = TeamsCredentials(teams.app_id, teams.password, teams.token_url)
    await credentials.token()
    credentials._renewed_at = 0.0
    return credentials


async def test_a_login_that_hangs_keeps_nobody_waiting_whose_token_is_good(teams: LocalTeams) -> None:
    credentials = await expiring(teams)
    teams.fail("token", Fault.hang(), None)
    async with asyncio.timeout(10):
        assert len({*await asyncio.gather(*(credentials.token() for _ in range(40)))}) == 1
    await teams.eventually(lambda: len(teams.calls("token")) == 2 or None)
    await credentials.close()
    assert len(teams.calls("token")) == 2, "one asks for all"


async def test_a_token_is_waited_for_by_all_together_and_no_longer_than_a_call_has(teams: LocalTeams) -> None:
    credentials = TeamsCredentials(teams.app_id, teams.password, teams.token_url)
    teams.fail("token", Fault.hang(), None)
    until = time.monotonic() + 0.1
    async with asyncio.timeout(10):
        found = await asyncio.gather(*(credentials.token(until) for _ in range(40)), return_exceptions=True)
        assert {type(each) for each in found} == {Transient}
        waiting = asyncio.create_task(credentials.token())
        await asyncio.sleep(0)
        await credentials.close()
        with pytest.raises(Transient):
            await waiting


async def test_a_token_that_is_had_in_the_background_is_used_then(teams: LocalTeams) -> None:
    credentials = await expiring(teams)
    first = await credentials.token()
    assert credentials._renewing is not None
    second = await credentials._renewing
    assert await credentials.token() == second != first
    assert len(teams.calls("token")) == 2


@pytest.mark.parametrize(
    ("fault", "again", "asked"),
    [
        (Fault.status_of(503), 60.0, 1),
        (Fault.status_of(503), 0.0, 3),
        (Fault.throttled(60.0), 0.0, 1),
        (Fault.throttled(None), 0.0, 3),
    ],
)
async def test_after_a_failure_the_login_is_left_alone_for_a_while(
    teams: LocalTeams, fault: Fault, again: float, asked: int
) -> None:
    credentials = TeamsCredentials(teams.app_id, teams.password, teams.token_url, again=again)
    teams.fail("token", fault, None)
    for _ in range(3):
        with pytest.raises(Transient, match="login service"):
            await credentials.token()
    assert len(teams.calls("token")) == asked


async def test_a_failure_in_the_background_is_told_once_the_token_has_ended(teams: LocalTeams) -> None:
    credentials = await expiring(teams)
    teams.fail("token", Fault.status_of(503), None)
    await credentials.token()
    credentials._ends_at = 0.0
    with pytest.raises(Transient, match="login service"):
        await credentials.token()
    assert len(teams.calls("token")) == 2


@pytest.mark.parametrize("fault", [large(100_000), large(10_000_000, packed=True), NESTED])
async def test_a_login_that_says_too_much(teams: LocalTeams, fault: Fault) -> None:
    teams.fail("token", fault)
    with pytest.raises(Transient, match="login service"):
        await TeamsCredentials(teams.app_id, teams.password, teams.token_url).token()


@pytest.mark.parametrize("fault", [large(10_000_000), large(10_000_000, packed=True), NESTED])
async def test_a_service_that_says_too_much(teams: LocalTeams, handle: dict[str, str], fault: Fault) -> None:
    connector = connected(teams, 0.0)
    teams.fail("send", fault)
    teams.fail("members", fault)
    try:
        with pytest.raises(OutcomeUnknown, match="could not be read"):
            await connector.send(handle, HELLO, blindly=False)
        with pytest.raises(Transient, match="could not be read"):
            await connector.members(teams.service_url, handle["conversation"])
    finally:
        await connector.close()


@pytest.mark.parametrize("body", [b"{}", b'{"id": ""}', b'{"id": {}}'])
async def test_a_chat_without_a_name(teams: LocalTeams, handle: dict[str, str], body: bytes) -> None:
    connector = connected(teams, 0.0)
    teams.fail("create", Fault.saying(body))
    with pytest.raises(OutcomeUnknown, match="which chat"):
        await connector.personal_chat(TeamsConversation.of(handle))
    await connector.close()


async def test_a_wrong_secret_is_an_operators_to_mend(teams: LocalTeams, tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="id and secret"):
        await opened(teams, tmp_path, TEAMS_APP_PASSWORD="wrong")
    with pytest.raises(Misconfigured, match="without KB_AGENT_TEAMS_APP_ID"):
        await opened(teams, tmp_path, TEAMS_APP_ID="", TEAMS_INSECURE_DEV="")


async def test_a_login_service_that_is_away(teams: LocalTeams, tmp_path: Path) -> None:
    teams.fail("token", Fault.gateway(502))
    with pytest.raises(Transient):
        await opened(teams, tmp_path)


async def test_without_credentials_nothing_is_signed(teams: LocalTeams, handle: dict[str, str], tmp_path: Path) -> None:
    unsigned = await opened(teams, tmp_path, TEAMS_APP_ID="", TEAMS_APP_PASSWORD="")
    try:
        with pytest.raises(Misconfigured):
            await unsigned.connector.send(handle, HELLO)
    finally:
        await unsigned.close()
    assert not teams.calls("token")


@pytest.mark.parametrize("url", ["https://evil.example/amer/", "http://smba.trafficmanager.net/amer/", "nonsense"])
async def test_no_token_goes_to_a_stranger(teams: LocalTeams, handle: dict[str, str], url: str, tmp_path: Path) -> None:
    signed = await opened(teams, tmp_path)
    try:
        with pytest.raises(Refused, match="not one of Teams' services"):
            await signed.connector.send({**handle, "service_url": url}, HELLO)
    finally:
        await signed.close()


async def test_what_may_have_been_done_is_done_again_only_where_that_is_wanted(
    teams: LocalTeams, connector: TeamsConnector, handle: dict[str, str], channel: Conversation
) -> None:
    teams.fail("send", Fault.gateway(504, late=True))
    with pytest.raises(OutcomeUnknown):
        await connector.send(handle, HELLO, blindly=False)
    assert len(teams.seen(channel.id)) == 1
    assert not connector.doubtful
    teams.fail("send", Fault.gateway(504, late=True))
    await connector.send(handle, HELLO)
    assert len(teams.seen(channel.id)) == 3
    assert connector.doubtful


async def test_what_is_only_said_is_said_again_only_where_that_is_wanted(
    teams: LocalTeams, connector: TeamsConnector, handle: dict[str, str], channel: Conversation
) -> None:
    teams.fail("send", Fault.gateway(504, late=True))
    await connector.say(TeamsConversation.of(handle), HELLO, blindly=False)
    assert len(teams.seen(channel.id)) == 1


async def test_a_change_that_is_made_twice_is_in_no_doubt(
    teams: LocalTeams, connector: TeamsConnector, handle: dict[str, str]
) -> None:
    name = await connector.send(handle, HELLO)
    teams.fail("update", Fault.garbage())
    await connector.update(handle, name, HELLO)
    assert not connector.doubtful


async def test_patience_ends(teams: LocalTeams, connector: TeamsConnector, handle: dict[str, str]) -> None:
    teams.fail("send", Fault.throttled(30.0), None)
    with pytest.raises(Transient):
        await connector.send(handle, HELLO)
    assert len(teams.calls("send")) == 1
    with pytest.raises(Transient):
        await connector.within(0.1).send(handle, HELLO)
    assert len(teams.calls("send")) == 1, "it was said that no more calls are wanted"


async def test_nobody_there(teams: LocalTeams, handle: dict[str, str]) -> None:
    credentials = TeamsCredentials(teams.app_id, teams.password, "http://127.0.0.1:1/token")
    lost = TeamsConnector(ConnectorSession(credentials, lambda _: True), 0.5)
    with pytest.raises(Transient, match="login service"):
        await lost.send(handle, HELLO)
    unsigned = TeamsConnector(ConnectorSession(None, lambda _: True), 0.5)
    with pytest.raises(Transient, match="cannot be reached"):
        await unsigned.send({**handle, "service_url": "http://127.0.0.1:1/amer/"}, HELLO)
    await unsigned.close()


async def test_another_cloud_has_tokens_for_another_scope(teams: LocalTeams, tmp_path: Path) -> None:
    teams.api.scope = "https://api.cloud.example/.default"
    with pytest.raises(Misconfigured):
        await opened(teams, tmp_path)
    other = await opened(teams, tmp_path, TEAMS_TOKEN_SCOPE=teams.api.scope)
    await other.close()


@pytest.mark.parametrize("seconds", [60, 3600])
async def test_a_token_is_used_again_for_half_of_its_life_at_least(teams: LocalTeams, seconds: int) -> None:
    teams.api.token_seconds = seconds
    credentials = TeamsCredentials(teams.app_id, teams.password, teams.token_url)
    assert len({await credentials.token() for _ in range(3)}) == 1
    assert len(teams.calls("token")) == 1
