"""Certificates: whose they must be, who must have signed them, and handshakes that fail."""

import asyncio
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

from domain.errors import Bug, Refused, Transient
from net.fetch import FetchPolicy, SafeFetcher
from tests.fakes.fetching import PUBLIC_IP, get, policy
from tests.fakes.web_site import Detour, Names, WebSite, page, redirect


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
