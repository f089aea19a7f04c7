"""Pages that are too large or too slow, and servers that misbehave."""

import asyncio
import gzip
import os
import time
import tracemalloc

import pytest

from domain.errors import Refused, Transient
from net.fetch import FetchPolicy, SafeFetcher
from net.inflate import TooLargeError, gunzip
from tests.fakes.fetching import get
from tests.fakes.web_site import WebSite, dripping, endless, gzipped, head, page, raw, redirect, reset, silence

# -- limits


async def test_a_body_at_the_limit_passes_and_one_byte_more_does_not() -> None:
    async with WebSite({"/": page(b"x" * 1000), "/gz": gzipped(b"x" * 1000)}) as site:
        for path in ("/", "/gz"):
            assert len((await get(site, path, max_bytes=1000)).raw) == 1000
            with pytest.raises(Refused, match="larger than 999 bytes"):
                await get(site, path, max_bytes=999)


async def test_an_endless_body_stops_at_the_limit() -> None:
    sent: list[int] = []
    async with WebSite({"/": endless(b"x" * 10_000, sent)}) as site:
        with pytest.raises(Refused, match="larger than"):
            await get(site, max_bytes=100_000)
        await asyncio.sleep(0.05)
        assert sum(sent) < 20_000_000  # what fits into socket buffers


async def test_a_gzip_bomb_stops_early() -> None:
    sent: list[int] = []
    bomb = gzip.compress(bytes(50_000_000))
    async with WebSite({"/": endless(bomb, sent, "Content-Encoding: gzip")}) as site:
        began = time.process_time()
        with pytest.raises(Refused, match="larger than 1,000,000 bytes"):
            await get(site, max_bytes=1_000_000)
        assert time.process_time() - began < 1


def test_a_bomb_is_never_unpacked_in_memory() -> None:
    bomb = gzip.compress(bytes(50_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(TooLargeError):
            gunzip(bomb, 100_000)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


async def test_a_bomb_of_empty_members_stops_too() -> None:
    sent: list[int] = []
    async with WebSite({"/": endless(gzip.compress(b"") * 1000, sent, "Content-Encoding: gzip")}) as site:
        with pytest.raises(Refused, match="larger than"):
            await get(site, max_bytes=10_000)


async def test_gzip_in_several_members_is_one_body_and_padding_is_dropped() -> None:
    packed = gzip.compress(b"one ") + gzip.compress(b"two") + bytes(512)
    async with WebSite({"/": page(packed, "Content-Encoding: x-gzip")}) as site:
        assert (await get(site)).raw == b"one two"


@pytest.mark.parametrize("coding", ["br", "zstd", "deflate", "gzip, gzip", "gzip,identity", "rot13"])
async def test_a_coding_that_was_not_asked_for_is_refused(coding: str) -> None:
    async with WebSite({"/": page(b"x", f"Content-Encoding: {coding}")}) as site:
        with pytest.raises(Refused, match="packed"):
            await get(site)


async def test_broken_gzip_is_refused_and_cut_off_gzip_is_transient() -> None:
    whole = gzip.compress(os.urandom(1000))
    async with WebSite(
        {
            "/bad": page(b"not gzip", "Content-Encoding: gzip"),
            "/cut": page(whole[:500], "Content-Encoding: gzip"),
            "/empty": page(b"", "Content-Encoding: gzip"),
        }
    ) as site:
        with pytest.raises(Refused, match="not valid gzip"):
            await get(site, "/bad")
        with pytest.raises(Transient, match="broke off"):
            await get(site, "/cut")
        assert (await get(site, "/empty")).raw == b""


@pytest.mark.parametrize("route", [dripping(0.05), silence])
async def test_the_total_time_is_limited(route: object) -> None:
    async with WebSite({"/": route}) as site:  # type: ignore[dict-item]
        began = time.monotonic()
        with pytest.raises(Transient, match=r"more than 0\.3 s"):
            await get(site, max_seconds=0.3)
        assert time.monotonic() - began < 30


async def test_time_is_counted_over_all_redirects() -> None:
    async def slow_redirect(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        await redirect("/")(writer)

    async with WebSite({"/": slow_redirect}) as site:
        with pytest.raises(Transient, match="more than"):
            await get(site, max_seconds=0.5)


async def test_a_resolver_that_hangs_is_cut_off() -> None:
    async def hang(_host: str, _port: int) -> list[str]:
        await asyncio.sleep(60)
        return []

    async with SafeFetcher(FetchPolicy(max_seconds=0.2), resolve=hang) as fetcher:
        with pytest.raises(Transient, match="more than"):
            await fetcher.get("http://slow.test/")


@pytest.mark.parametrize("size", [70_000, 1_000_000, 8_000_000])
async def test_huge_headers_are_refused(size: int) -> None:
    async with WebSite({"/": page("x", f"X-Huge: {'x' * size}")}) as site:
        with pytest.raises(Refused, match="headers"):
            await get(site)


async def test_many_headers_are_refused() -> None:
    async with WebSite({"/": page("x", *(f"X-{number}: {'x' * 90}" for number in range(800)))}) as site:
        with pytest.raises(Refused, match="headers"):
            await get(site)


async def test_headers_in_reason_pass() -> None:
    async with WebSite({"/": page("x", f"X-Large: {'x' * 30_000}")}) as site:
        assert (await get(site)).raw == b"x"


# -- servers that misbehave


async def test_a_length_that_is_too_large_is_transient_and_one_too_small_cuts() -> None:
    async with WebSite(
        {
            "/long": raw(head(200, "Content-Length: 9") + b"12345"),
            "/short": raw(head(200, "Content-Length: 3") + b"12345"),
        }
    ) as site:
        with pytest.raises(Transient):
            await get(site, "/long")
        assert (await get(site, "/short")).raw == b"123"


async def test_an_announced_length_past_the_limit_is_refused_before_the_body() -> None:
    async with WebSite({"/": raw(head(200, "Content-Length: 99999999999"))}) as site:
        with pytest.raises(Refused, match="larger than"):
            await get(site)


@pytest.mark.parametrize(
    "route",
    [
        reset,
        raw(b""),
        raw(b"not http at all\r\n\r\n"),
        raw(b"HTTP/1.1 200 OK\r\nBad Header: x\r\n\r\n"),
        raw(head(200, "Content-Length: 5", "Content-Length: 6") + b"12345"),
        raw(head(200, "Content-Length: -5") + b"12345"),
        raw(head(200, "Transfer-Encoding: chunked") + b"5\r\nab"),
        raw(head(200, "Transfer-Encoding: chunked") + b"zz\r\nab\r\n"),
        raw(head(200, "Transfer-Encoding: rot13") + b"ab"),
        raw(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nab"),
    ],
)
async def test_a_broken_answer_is_transient(route: object) -> None:
    async with WebSite({"/": route}) as site:  # type: ignore[dict-item]
        with pytest.raises(Transient):
            await get(site)


async def test_chunks_early_hints_and_old_http_are_read() -> None:
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    async with WebSite(
        {
            "/chunks": raw(head(200, "Transfer-Encoding: chunked") + b"2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"),
            "/hints": raw(hints * 3 + head(200, "Content-Length: 1") + b"x"),
            "/old": raw(b"HTTP/1.0 200 OK\r\n\r\nuntil the end"),
        }
    ) as site:
        assert (await get(site, "/chunks")).raw == b"abc"
        assert (await get(site, "/hints")).raw == b"x"
        assert (await get(site, "/old")).raw == b"until the end"
