"""What cannot be sent: no try, and no word of it in an error."""

import asyncio
import traceback
from collections.abc import Callable

import httpx
import pytest
from kb_agent_client import ApiError, AsyncKbClient, KbClient, NotReached, NotValid

ADDRESS, TOKEN = "https://ask.example.com", "kba_abcdef"


class Refusing(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Raises an error for each request, and counts them."""

    def __init__(self, error: httpx.RequestError) -> None:
        self.error, self.requests = error, 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests += 1
        raise self.error

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return self.handle_request(request)


def asked(transport: Refusing, question: str) -> None:
    with KbClient(ADDRESS, TOKEN, transport=transport) as client:
        client.ask(question)


def searched(transport: Refusing, q: str) -> None:
    with KbClient(ADDRESS, TOKEN, transport=transport) as client:
        client.search(q)


def asked_in_a_loop(transport: Refusing, question: str) -> None:
    async def work() -> None:
        async with AsyncKbClient(ADDRESS, TOKEN, transport=transport) as client:
            await client.ask(question)

    asyncio.run(work())


every_way = pytest.mark.parametrize("way", [asked, searched, asked_in_a_loop])


@pytest.mark.parametrize("client", [KbClient, AsyncKbClient])
@pytest.mark.parametrize("token", [f"{TOKEN}\n", f"{TOKEN} ", f"{TOKEN}ü", ""])
def test_what_is_no_token_is_refused_and_not_shown(client: type[KbClient | AsyncKbClient], token: str) -> None:
    with pytest.raises(ValueError, match="token") as raised:
        client(ADDRESS, token)
    assert TOKEN not in str(raised.value)


def test_what_is_no_key_is_refused_and_not_shown() -> None:
    with KbClient(ADDRESS, TOKEN) as client, pytest.raises(ValueError, match="key") as raised:
        client.ask("How many?", key="a-secret-key\n")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("address", [f"{ADDRESS}\n", "https://ask example.com", f"{ADDRESS}:99999"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match=r"address|[Pp]ort"):
        KbClient(address, TOKEN)


@every_way
def test_text_that_cannot_be_encoded_is_not_valid(way: Callable[[Refusing, str], None]) -> None:
    transport = Refusing(httpx.ConnectError("unused"))
    with pytest.raises(NotValid, match="cannot be sent") as raised:
        way(transport, "\ud800 x")
    assert (raised.value.status, raised.value.code, transport.requests) == (422, "invalid", 0)


@every_way
def test_what_breaks_the_protocol_is_sent_once_and_not_quoted(way: Callable[[Refusing, str], None]) -> None:
    transport = Refusing(httpx.LocalProtocolError(f"Illegal header value b'Bearer {TOKEN}'"))
    with pytest.raises(ApiError, match="cannot be sent") as raised:
        way(transport, "How many?")
    assert transport.requests == 1
    assert TOKEN not in "".join(traceback.format_exception(raised.value))


def test_a_reply_that_cannot_be_unpacked_is_none_of_the_service() -> None:
    with pytest.raises(NotReached, match="no gzip"):
        searched(Refusing(httpx.DecodingError("no gzip")), "x")
