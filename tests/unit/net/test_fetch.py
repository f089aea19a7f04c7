"""What is fetched: pages with their types, by names whose addresses were judged, and over redirects."""

import asyncio
from pathlib import Path

import pytest

from domain.errors import Bug, Misconfigured, Refused, Transient
from net.fetch import FetchedPage, FetchPolicy, SafeFetcher, system_resolver
from tests.fakes.fetching import OTHER_PUBLIC_IP, PUBLIC_IP, TLS, get, policy
from tests.fakes.web_site import Detour, Names, WebSite, page, redirect

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


async def test_many_at_once_share_one_fetcher() -> None:
    async with (
        WebSite({f"/{n}": page(str(n)) for n in range(20)}) as site,
        SafeFetcher(policy(site), tls=TLS) as fetcher,
    ):
        found = await asyncio.gather(*(fetcher.get(site.url(f"/{n}")) for n in range(20)))
    assert [one.raw for one in found] == [str(n).encode() for n in range(20)]


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
