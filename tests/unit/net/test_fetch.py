import asyncio
import gzip
import os
import shutil
import ssl
import subprocess
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from domain.errors import Bug, Misconfigured, Refused, Transient
from net.fetch import FetchedPage, FetchPolicy, SafeFetcher, system_resolver
from net.inflate import TooLargeError, gunzip
from tests.fakes.web_site import (
    Detour,
    Names,
    WebSite,
    dripping,
    endless,
    gzipped,
    head,
    page,
    raw,
    redirect,
    reset,
    silence,
)

PUBLIC_IP = "93.184.215.14"
OTHER_PUBLIC_IP = "1.1.1.1"
TLS = ssl.create_default_context()  # made once: it reads many certificates


def policy(site: WebSite, **changes: object) -> FetchPolicy:
    """One that reaches `site` as 127.0.0.1 and by the names that lead there."""
    allow = (f"127.0.0.1:{site.port}", f"site.test:{site.port}", "127.0.0.0/8")
    return replace(FetchPolicy(allow=allow, max_seconds=5), **changes)  # type: ignore[arg-type]


async def get(site: WebSite, path: str = "/", **changes: object) -> FetchedPage:
    async with SafeFetcher(policy(site, **changes), tls=TLS) as fetcher:
        return await fetcher.get(site.url(path))


# -- what a page is


async def test_a_page_comes_with_its_type_and_when_it_changed() -> None:
    answer = page("Grüße", "Content-Type: Text/HTML; Charset=UTF-8", "Last-Modified: Tue, 01 Jul 2025 10:00:00 GMT")
    async with WebSite({"/a?b": answer}) as site:
        found = await get(site, "/a?b#part")
        moment = "Tue, 01 Jul 2025 10:00:00 GMT"
        assert found == FetchedPage(site.url("/a?b"), 200, "text/html", "utf-8", "Grüße".encode(), moment)


@pytest.mark.parametrize(
    ("header", "media_type", "charset"),
    [
        ("Content-Type: text/html", "text/html", ""),
        ('Content-Type: text/plain;format=flowed; charset="ISO-8859-1"', "text/plain", "iso-8859-1"),
        ("Content-Type: text/html; xcharset=utf-8", "text/html", ""),
        ("Content-Type: ;charset=", "", ""),
        ("X-Nothing: 1", "", ""),
    ],
)
async def test_content_types(header: str, media_type: str, charset: str) -> None:
    async with WebSite({"/": page("x", header)}) as site:
        found = await get(site)
        assert (found.media_type, found.charset) == (media_type, charset)


async def test_the_request_is_plain_and_carries_nothing_of_ours() -> None:
    async with WebSite({"/": page("x", "Set-Cookie: a=b")}) as site:
        async with SafeFetcher(policy(site, user_agent="kb-test/1")) as fetcher:
            await fetcher.get(site.url())
            await fetcher.get(site.url())
        assert [request.line for request in site.requests] == ["GET / HTTP/1.1"] * 2
        assert site.requests[1].headers == {
            "host": f"127.0.0.1:{site.port}",
            "user-agent": "kb-test/1",
            "accept": "*/*",
            "accept-encoding": "gzip",
        }


async def test_proxies_and_netrc_of_the_environment_are_ignored(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    async with WebSite({"/": page("x")}) as site:
        assert (await get(site)).raw == b"x"
        assert "authorization" not in site.requests[0].headers


@pytest.mark.parametrize("status", [204, 205, 300, 304, 400, 401, 403, 404, 410, 451])
async def test_other_statuses_are_told_without_a_body(status: int) -> None:
    body = b"" if status in {204, 205, 304} else b"please log in"
    async with WebSite({"/": page(body, status=status)}) as site:
        found = await get(site)
        assert (found.status, found.raw) == (status, b"")


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 599])
async def test_statuses_that_pass_are_transient(status: int) -> None:
    async with WebSite({"/": page("busy", "Retry-After: 120", status=status)}) as site:
        with pytest.raises(Transient, match="asks to wait 120 s"):
            await get(site)


# -- addresses and names


async def test_a_private_host_is_not_reached_without_permission() -> None:
    async with WebSite({"/": page("x")}) as site:
        for allow in ((), ("127.0.0.0/8",), (f"localhost:{site.port}", "10.0.0.0/8")):
            async with SafeFetcher(FetchPolicy(allow=allow), tls=TLS) as fetcher:
                for host in ("127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"):
                    with pytest.raises(Refused, match="KB_AGENT_FETCH_ALLOW"):
                        await fetcher.get(site.url(host=host))
        assert site.requests == []


async def test_the_name_is_sent_as_host_and_the_judged_address_is_dialled() -> None:
    names = Names(public_test=[[PUBLIC_IP]])
    async with WebSite({"/": page("x")}) as site:
        detour = Detour(site.port)
        async with SafeFetcher(resolve=names, tls=TLS, dial=detour) as fetcher:
            assert (await fetcher.get("http://PUBLIC.test/")).raw == b"x"
        assert detour.dialled == [PUBLIC_IP]
        assert site.requests[0].headers["host"] == "public.test"


async def test_a_name_that_changes_its_answer_is_asked_once() -> None:
    names = Names(rebind_test=[[PUBLIC_IP], ["127.0.0.1"]])
    async with WebSite({"/": page("x")}) as site:
        detour = Detour(site.port)
        async with SafeFetcher(resolve=names, tls=TLS, dial=detour) as fetcher:
            await fetcher.get("http://rebind.test/")
            assert (names.asked, detour.dialled) == (["rebind.test"], [PUBLIC_IP])
            with pytest.raises(Refused, match=r"rebind\.test"):
                await fetcher.get("http://rebind.test/")
        assert (len(names.asked), len(detour.dialled), len(site.requests)) == (2, 1, 1)


async def test_each_redirect_is_looked_up_and_judged_anew() -> None:
    names = Names(rebind_test=[[PUBLIC_IP], [OTHER_PUBLIC_IP], ["169.254.169.254"]])
    async with WebSite({"/": redirect("/"), "/x": page("x")}) as site:
        detour = Detour(site.port)
        async with SafeFetcher(resolve=names, tls=TLS, dial=detour) as fetcher:
            with pytest.raises(Refused, match="may not be fetched") as caught:
                await fetcher.get("http://rebind.test/")
        assert "metadata" in caught.value.why
        assert names.asked == ["rebind.test"] * 3
        assert detour.dialled == [PUBLIC_IP, OTHER_PUBLIC_IP]


async def test_the_next_address_is_tried_when_one_is_dead() -> None:
    names = Names(public_test=[["2606:4700::1111", PUBLIC_IP]])
    async with WebSite({"/": page("x")}) as site:
        detour = Detour(site.port, dead=["2606:4700::1111"])
        async with SafeFetcher(resolve=names, tls=TLS, dial=detour) as fetcher:
            assert (await fetcher.get("http://public.test/")).raw == b"x"
        assert detour.dialled == ["2606:4700::1111", PUBLIC_IP]


async def test_a_dead_host_is_transient() -> None:
    names = Names(public_test=[[PUBLIC_IP]])
    async with SafeFetcher(resolve=names, dial=Detour(1, dead=[PUBLIC_IP])) as fetcher:
        with pytest.raises(Transient, match=r"public\.test"):
            await fetcher.get("http://public.test/")


async def test_the_system_resolver_gives_every_address_and_refuses_an_unknown_name() -> None:
    assert "127.0.0.1" in await system_resolver("localhost", 80)
    with pytest.raises((Refused, Transient), match=r"no-such-name\.invalid"):
        await system_resolver("no-such-name.invalid", 80)


async def test_an_allowed_name_reaches_its_allowed_network() -> None:
    names = Names(site_test=[["127.0.0.1"]])
    async with WebSite({"/": page("x")}) as site, SafeFetcher(policy(site), resolve=names) as fetcher:
        assert (await fetcher.get(site.url(host="site.test"))).raw == b"x"


def test_a_bad_allow_list_is_reported_at_once() -> None:
    with pytest.raises(Misconfigured):
        SafeFetcher(FetchPolicy(allow=("0.0.0.0/0",)))


async def test_outside_its_context_a_fetcher_says_so() -> None:
    with pytest.raises(Bug, match="async with"):
        await SafeFetcher().get("http://1.1.1.1/")


# -- redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_followed_and_the_last_url_is_told(status: int) -> None:
    async with WebSite({"/dir/a": redirect("b?c", status), "/dir/b?c": page("x")}) as site:
        found = await get(site, "/dir/a")
        assert (found.url, found.raw) == (site.url("/dir/b?c"), b"x")


async def test_a_loop_ends_after_the_allowed_number() -> None:
    async with WebSite({"/": redirect("/")}) as site:
        with pytest.raises(Refused, match="more than 5 times"):
            await get(site)
        assert len(site.requests) == 6


async def test_as_many_redirects_as_allowed_are_followed() -> None:
    routes = {f"/{step}": redirect(f"/{step + 1}") for step in range(5)}
    async with WebSite({**routes, "/5": page("x")}) as site:
        assert (await get(site, "/0")).raw == b"x"
        with pytest.raises(Refused):
            await get(site, "/0", max_redirects=4)


async def test_a_redirect_without_a_location_is_refused() -> None:
    async with WebSite({"/": page(status=302)}) as site:
        with pytest.raises(Refused, match="without saying where"):
            await get(site)


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


async def test_many_at_once_share_one_fetcher() -> None:
    async with (
        WebSite({f"/{n}": page(str(n)) for n in range(20)}) as site,
        SafeFetcher(policy(site), tls=TLS) as fetcher,
    ):
        found = await asyncio.gather(*(fetcher.get(site.url(f"/{n}")) for n in range(20)))
    assert [one.raw for one in found] == [str(n).encode() for n in range(20)]


# -- TLS


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ca.pem, and site.pem with site.key for site.test and 127.0.0.1."""
    if not shutil.which("openssl"):
        pytest.skip("the openssl command makes the certificates")
    folder = tmp_path_factory.mktemp("tls")
    new = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    for command in (
        [*new, "-subj", "/CN=Test CA", "-keyout", "ca.key", "-out", "ca.pem"],
        [
            *new,
            *("-subj", "/CN=site", "-CA", "ca.pem", "-CAkey", "ca.key", "-keyout", "site.key", "-out", "site.pem"),
            *("-addext", "subjectAltName=DNS:site.test,IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"),
        ],
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


def server_tls(authority: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority / "site.pem", authority / "site.key")
    return context


def trusting(authority: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=authority / "ca.pem")


async def test_the_certificate_is_checked_against_the_name_not_the_address(authority: Path) -> None:
    names = Names(site_test=[[PUBLIC_IP]], other_test=[[PUBLIC_IP]])
    async with WebSite({"/": page("x")}, tls=server_tls(authority)) as site:
        detour = Detour(site.port)
        async with SafeFetcher(resolve=names, tls=trusting(authority), dial=detour) as fetcher:
            assert (await fetcher.get("https://site.test/")).raw == b"x"
            with pytest.raises(Refused, match=r"certificate is not valid for other\.test"):
                await fetcher.get("https://other.test/")
        assert [(one.sni, one.headers["host"]) for one in site.requests] == [("site.test", "site.test")]
        assert detour.dialled == [PUBLIC_IP, PUBLIC_IP]


async def test_a_name_in_an_allowed_network_keeps_its_certificate_check(authority: Path) -> None:
    async with WebSite({"/": page("x")}, tls=server_tls(authority)) as site:
        names = Names(site_test=[["127.0.0.1"]])
        async with SafeFetcher(policy(site), resolve=names, tls=trusting(authority)) as fetcher:
            assert (await fetcher.get(site.url(host="site.test"))).raw == b"x"
            assert (await fetcher.get(site.url())).raw == b"x"  # the certificate lists the address too
        assert site.requests[0].headers["host"] == f"site.test:{site.port}"


async def test_an_unknown_authority_is_refused(authority: Path) -> None:
    async with WebSite({"/": page("x")}, tls=server_tls(authority)) as site:
        with pytest.raises(Refused, match="certificate is not valid"):
            await get(site)
        assert site.requests == []


async def test_https_to_http_is_refused_and_http_to_https_is_followed(authority: Path) -> None:
    async with (
        WebSite({"/": page("x")}) as plain,
        WebSite({"/": redirect(plain.url()), "/x": page("x")}, tls=server_tls(authority)) as safe,
        SafeFetcher(
            FetchPolicy(allow=(f"127.0.0.1:{plain.port}", f"127.0.0.1:{safe.port}")), tls=trusting(authority)
        ) as fetcher,
    ):
        with pytest.raises(Refused, match="from https to http"):
            await fetcher.get(safe.url())
        assert plain.requests == []
        plain.routes["/"] = redirect(safe.url("/x"))
        assert (await fetcher.get(plain.url())).url == safe.url("/x")


@pytest.mark.parametrize(("greeting", "why"), [(b"", "more than"), (b"HTTP/1.1 400 Bad\r\n\r\n", "SSL")])
async def test_a_handshake_that_fails_or_never_ends_is_transient(greeting: bytes, why: str) -> None:
    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greeting)
        await reader.read()
        writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, SafeFetcher(FetchPolicy(allow=(f"127.0.0.1:{port}",), max_seconds=0.3)) as fetcher:
        with pytest.raises(Transient, match=why):
            await fetcher.get(f"https://127.0.0.1:{port}/")


def test_a_context_that_does_not_check_is_not_taken() -> None:
    context = ssl.create_default_context()
    context.check_hostname = False
    with pytest.raises(Bug, match="checks certificates"):
        SafeFetcher(tls=context)
