"""A fetcher that may ask some hosts only."""

import ssl

import pytest

from domain.errors import Misconfigured, Refused
from net.fetch import FetchedPage, FetchPolicy, SafeFetcher
from net.hosts import OnlyHosts
from net.targets import target_of
from tests.fakes.web_site import Detour, Names, WebSite, page, redirect

PUBLIC_IP = "93.184.215.14"
TLS = ssl.create_default_context()  # made once: it reads many certificates


def names() -> Names:
    return Names(
        example_com=[[PUBLIC_IP]], www_example_com=[[PUBLIC_IP]], other_com=[[PUBLIC_IP]], evil_test=[["10.0.0.1"]]
    )


async def get(site: WebSite, url: str, only: tuple[str, ...] | None, found: Names) -> FetchedPage:
    dial = Detour(site.port)
    async with SafeFetcher(FetchPolicy(only=only, max_seconds=5), resolve=found, tls=TLS, dial=dial) as fetcher:
        return await fetcher.get(url)


@pytest.mark.parametrize("only", [None, ("example.com",), ("other.com", "Example.COM"), (" example.com ",)])
async def test_a_host_on_the_list_is_asked(only: tuple[str, ...] | None) -> None:
    async with WebSite({"/": page("here")}) as site:
        assert (await get(site, "http://example.com/", only, names())).raw == b"here"


@pytest.mark.parametrize("only", [(), ("www.example.com",), ("example.org",), (".example.com",), ("xample.com",)])
async def test_another_is_not_even_looked_up(only: tuple[str, ...]) -> None:
    found = names()
    async with WebSite({"/": page("here")}) as site:
        with pytest.raises(Refused, match="may not be fetched"):
            await get(site, "http://example.com/", only, found)
        assert not site.requests
    assert not found.asked


async def test_every_hop_is_checked() -> None:
    found = names()
    async with WebSite({"/": redirect("http://www.example.com/b"), "/b": redirect("http://other.com/c")}) as site:
        with pytest.raises(Refused, match=r"http://other\.com/c may not be fetched"):
            await get(site, "http://example.com/", ("example.com", ".example.com"), found)
        assert site.paths == ["/", "/b"]
    assert found.asked == ["example.com", "www.example.com"]


async def test_a_listed_host_still_needs_a_public_address_and_a_standard_port() -> None:
    async with WebSite({"/": page("here")}) as site:
        with pytest.raises(Refused, match="private network"):
            await get(site, "http://evil.test/", ("evil.test",), names())
        with pytest.raises(Refused, match="not the standard one"):
            await get(site, "http://example.com:8080/", ("example.com",), names())
        with pytest.raises(Refused, match="this host itself"):
            await get(site, "http://127.0.0.1/", ("127.0.0.1",), names())
        assert not site.requests


@pytest.mark.parametrize(
    ("host", "admitted"),
    [
        ("a.example.com", True),
        ("a.b.example.com", True),
        ("example.com", False),
        ("notexample.com", False),
        ("example.com.evil.net", False),
        ("a.example.org", False),
        ("wiki.test", True),
        ("www.wiki.test", False),
        ("xn--bcher-kva.test", True),
        ("2001:db8::1", True),
        ("2001:db8::2", False),
    ],
)
def test_which_hosts_a_list_admits(host: str, admitted: bool) -> None:
    only = OnlyHosts.parse([".Example.com", "wiki.test", "bücher.test", "2001:DB8:0::1"])
    assert only.admits(host) is admitted


@pytest.mark.parametrize(
    "url", ["http://example.com@evil.test/", "http://evil.test#@example.com/", "http://evil.test/"]
)
def test_a_spelling_does_not_deceive_the_list(url: str) -> None:
    with pytest.raises(Refused):
        OnlyHosts.parse(["example.com"]).check(target_of(url))


@pytest.mark.parametrize(
    "entry",
    [
        *("", ".", "..", "*", "*.example.com", ".10.0.0.1", ".[::1]", "a b", "10.0.0.0/8", "user@example.com"),
        *("https://example.com", "example.com/", "example.com/a", "example.com?x", "example.com:80", "[::1]:80"),
    ],
)
def test_an_entry_that_is_no_host_is_named(entry: str) -> None:
    with pytest.raises(Misconfigured, match="cannot be used"):
        SafeFetcher(FetchPolicy(only=(entry,)))
