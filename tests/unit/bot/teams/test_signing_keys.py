"""Keys are kept, asked for by one at a time, and not for every name that somebody makes up."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from bot.teams.signing_keys import KeyFetchTimes, SigningKeys, keys_of, open_keys
from domain.errors import Misconfigured
from tests.fakes.teams_keys import DOCUMENT, JWKS, TeamsKeys, private_key, teams_keys

QUICK = KeyFetchTimes(answer=0.3, again=0.2, mended=0.05)


@pytest.fixture
def server() -> Iterator[TeamsKeys]:
    for name in ("first", "second", "new"):
        private_key(name)  # takes longer than the patience of these tests
    with teams_keys() as opened:
        yield opened


async def eventually(keys: SigningKeys, name: str) -> None:
    """Waits until a key is found."""
    for _ in range(500):
        if await keys.find(name) is not None:
            return
        await asyncio.sleep(0.02)
    pytest.fail(f"{name} is never found")


@asynccontextmanager
async def opened(server: TeamsKeys, patience: KeyFetchTimes = QUICK) -> AsyncIterator[SigningKeys]:
    async with open_keys(server.url, patience) as keys:
        yield keys


async def test_a_published_key_is_found_with_its_endorsements(server: TeamsKeys) -> None:
    server.keys["second"] = ["webchat", "msteams"]
    async with opened(server) as keys:
        first, second = await keys.find("first"), await keys.find("second")
    assert first is not None
    assert second is not None
    assert first.endorsements == {"msteams"}
    assert second.endorsements == {"webchat", "msteams"}
    assert server.asked == [DOCUMENT, JWKS], "asked once, ahead of time"


async def test_many_who_wait_ask_once(server: TeamsKeys) -> None:
    async with opened(server) as keys:
        found = await asyncio.gather(*(keys.find("first") for _ in range(50)))
    assert all(found)
    assert server.asked == [DOCUMENT, JWKS]


async def test_made_up_names_do_not_ask_each_time(server: TeamsKeys) -> None:
    async with opened(server, KeyFetchTimes(answer=1, again=60)) as keys:
        assert await keys.find("first")
        for number in range(20):
            assert await keys.find(f"made-up-{number}") is None
    assert server.asked == [DOCUMENT, JWKS]


async def test_a_new_key_is_found_after_a_while(server: TeamsKeys) -> None:
    async with opened(server) as keys:
        assert await keys.find("first")
        server.keys["new"] = ["msteams"]
        del server.keys["first"]
        await eventually(keys, "new")
        assert await keys.find("first") is None, "what is not published any more does not count"


@pytest.mark.parametrize("mode", ["hangs", "fails", "garbage", "redirects"])
async def test_kept_keys_count_while_the_server_is_away(server: TeamsKeys, mode: str) -> None:
    async with opened(server, KeyFetchTimes(answer=0.2, fresh=0.0, again=0.0, mended=0.0)) as keys:
        assert await keys.find("first")
        server.mode = mode  # type: ignore[assignment] # one of its modes
        for _ in range(3):
            assert await keys.find("first")
            assert await keys.find("unknown") is None
        server.going.set()
        server.mode = "serves"
        server.keys["new"] = ["msteams"]
        await eventually(keys, "new")


async def test_a_server_that_hangs_from_the_beginning_holds_nobody_up_for_long(server: TeamsKeys) -> None:
    server.mode = "hangs"
    async with opened(server) as keys:
        turns = 0

        async def loop_runs() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0.01)

        running = asyncio.create_task(loop_runs())
        assert await asyncio.gather(*(keys.find("first") for _ in range(20))) == [None] * 20
        running.cancel()
        assert turns > 5, "the loop went on"
        assert server.asked.count(DOCUMENT) == 1
        server.mode = "serves"
        server.going.set()
        await eventually(keys, "first")


async def test_an_empty_list_does_not_take_the_place_of_keys(server: TeamsKeys) -> None:
    async with opened(server, KeyFetchTimes(answer=1, fresh=0.0, again=0.0, mended=0.0)) as keys:
        assert await keys.find("first")
        server.keys.clear()
        assert await keys.find("unknown") is None
        assert await keys.find("first")


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {"keys": 7},
        {"keys": [7, None, {}]},
        {"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "a"}]},
        {"keys": [{"kty": "RSA", "kid": "a"}]},
        {"keys": [{"kty": "RSA", "kid": "a", "n": "AQAB", "e": "AQAB"}]},
        {"keys": [{"kty": "RSA", "kid": "a", "n": 7, "e": []}]},
        {"keys": [{"kty": "RSA", "kid": ["a"], "n": "AQAB", "e": "AQAB"}]},
    ],
    ids=json.dumps,
)
def test_what_is_no_key_is_left_out(document: object) -> None:
    assert keys_of(document) == {}


@pytest.mark.parametrize("address", ["", "ftp://127.0.0.1/x", "file:///etc/passwd", "http://[", None])
async def test_a_document_that_names_no_address_is_none(address: str | None) -> None:
    asked = []

    async def fetch(url: str) -> object:
        asked.append(url)
        return {"jwks_uri": address}

    keys = SigningKeys("https://login.example/openid", fetch, QUICK)
    assert await keys.find("first") is None
    assert asked == ["https://login.example/openid"]


async def test_keys_are_not_read_less_protected_than_the_document() -> None:
    asked = []

    async def fetch(url: str) -> object:
        asked.append(url)
        return {"jwks_uri": "http://login.example/keys"}

    assert await SigningKeys("https://login.example/openid", fetch, QUICK).find("first") is None
    assert asked == ["https://login.example/openid"]


async def test_what_is_no_address_is_said_at_once() -> None:
    with pytest.raises(Misconfigured):
        async with open_keys("login.example"):
            pass
