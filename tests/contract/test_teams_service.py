"""The local Teams refuses what a real one refuses; see tests.contract.teams_service."""

from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest

from tests.contract.teams_service import HELD, Service
from tests.fakes.teams import LocalTeams, local_teams


async def token(session: aiohttp.ClientSession, teams: LocalTeams) -> str:
    form = {"grant_type": "client_credentials", "scope": teams.api.scope}
    secret = {"client_id": teams.app_id, "client_secret": teams.password}
    async with session.post(teams.token_url, data={**form, **secret}) as response:
        return str((await response.json())["access_token"])


@pytest.fixture
async def opened() -> AsyncIterator[tuple[LocalTeams, Service]]:
    """A local Teams, and a group chat of it."""
    with local_teams() as teams:
        teams.unlimited()
        group = teams.add_group([teams.add_person("ann"), teams.add_person("ben")])
        async with aiohttp.ClientSession() as session:
            headers = {"Authorization": f"Bearer {await token(session, teams)}"}
            yield teams, Service(session, teams.service_url, group.id, headers)


@pytest.mark.parametrize("held", HELD, ids=lambda held: held.__name__)
async def test_a_local_teams_refuses_what_a_real_one_does(
    opened: tuple[LocalTeams, Service], held: Callable[[Service], Awaitable[None]]
) -> None:
    await held(opened[1])


async def test_what_becomes_two_is_seen_as_two(opened: tuple[LocalTeams, Service]) -> None:
    teams, service = opened
    await HELD[1](service)
    text, card = teams.seen(service.conversation)
    assert (text.text, card.text) == ("Both", "")
    assert card.body["attachments"]
    assert not text.body["attachments"]


async def test_what_is_refused_changes_nothing(opened: tuple[LocalTeams, Service]) -> None:
    teams, service = opened
    await HELD[0](service)
    (message,) = teams.seen(service.conversation)
    assert message.text == "A text"


async def test_where_there_is_no_deletion_the_message_stays(opened: tuple[LocalTeams, Service]) -> None:
    teams, service = opened
    teams.api.deletes = False
    name = await service.message()
    assert (await service.call("DELETE", name))[0] == 501
    assert len(teams.seen(service.conversation)) == 1
