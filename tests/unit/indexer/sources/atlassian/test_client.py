"""The client of Confluence and Jira against the local Atlassian: what it repeats, and what it reports."""

import asyncio
import json
import logging
import time
from typing import get_args

import pytest

from domain.errors import KbError, Misconfigured, Refused, Transient
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.retry import FREE_REPETITIONS, MAX_TRIES, RETRIES, TURN, endpoint_of
from indexer.sources.atlassian.site import AtlassianSite
from indexer.sources.connector import NotThere
from tests.fakes.atlassian import Fault, LocalAtlassian
from tests.fakes.atlassian.faults import Part
from tests.unit.indexer.sources.atlassian.conftest import Waits, cloud, failure, ids, known


async def test_a_wait_that_the_server_asks_for_is_kept(
    client: AtlassianClient, local: LocalAtlassian, waits: Waits
) -> None:
    local.fail("/api/v2/pages", Fault.ratelimited(7), times=2)
    assert await client.get("/api/v2/pages")
    assert all(7 <= each <= 8 for each in waits.seconds)
    assert client.requests == 3


async def test_a_wait_beyond_the_patience_is_not_begun(
    client: AtlassianClient, local: LocalAtlassian, waits: Waits
) -> None:
    local.fail("/api/v2/pages", Fault.ratelimited(3600))
    error = await failure(client)
    assert isinstance(error, Transient)
    assert error.retry_after == 3600
    assert "jira-burst-based" in error.what
    assert not waits.seconds


async def test_whoever_comes_later_does_not_ask_while_the_server_wants_to_be_left_alone(
    client: AtlassianClient, local: LocalAtlassian, waits: Waits
) -> None:
    local.fail("/api/v2/pages", Fault.ratelimited(300), times=None)
    first = await failure(client)
    for _ in range(20):
        error = await failure(client)
        assert isinstance(error, Transient)
        assert 290 < (error.retry_after or 0) <= 301
        assert "It was not asked" in error.why
    assert isinstance(first, Transient)
    assert (client.requests, len(local.calls("/api/v2/pages")), waits.seconds) == (1, 1, [])
    await client.get("/api/v2/spaces")
    assert client.requests == 2, "the limit of one endpoint is not that of another"


@pytest.mark.parametrize(
    "fault",
    [
        Fault.error(500),
        Fault.error(502),
        Fault.error(503, retry_after=1),
        Fault.error(504),
        Fault.reset(),
        Fault.garbage(),
        Fault.garbage(""),
    ],
)
async def test_what_passes_is_repeated(client: AtlassianClient, local: LocalAtlassian, fault: Fault) -> None:
    local.fail("/api/v2/pages", fault, times=3)
    assert (await client.get("/api/v2/pages"))["results"]
    assert client.requests == 4


async def test_what_does_not_answer_is_given_up_in_time(local: LocalAtlassian, waits: Waits) -> None:
    local.fail("/api/v2/pages", Fault.hang(), times=None)
    async with AtlassianClient(cloud(local), sleep=waits, timeout=0.1, patience=0.5) as client:
        error = await failure(client)
    assert isinstance(error, Transient)
    assert "no answer in time" in error.what


@pytest.mark.parametrize("part", get_args(Part))
async def test_what_drips_is_given_up_in_time(local: LocalAtlassian, waits: Waits, part: Part) -> None:
    """Each byte comes in time. What is not there drips as well: its error is read of a file only."""
    local.fail("", Fault.slow(60, part), times=None)
    async with asyncio.timeout(20), AtlassianClient(cloud(local), sleep=waits, timeout=5, patience=0.3) as client:
        assert isinstance(await failure(client), Transient)
        for path in ("/api/v2/pages", "/rest/api/nothing"):
            with pytest.raises(Transient):
                await client.download(path, 1_000_000)


@pytest.mark.parametrize("part", get_args(Part))
async def test_what_drips_and_is_not_waited_for_leaves_room_for_other_requests(
    local: LocalAtlassian, part: Part
) -> None:
    local.fail("/api/v2/pages", Fault.slow(60, part), times=None)
    async with asyncio.timeout(20), AtlassianClient(cloud(local), timeout=5, patience=100, at_once=1) as client:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(client.get("/api/v2/pages"), 0.3)
        assert await client.get("/api/v2/spaces")


async def test_three_failures_in_ten_are_survived(client: AtlassianClient, local: LocalAtlassian) -> None:
    local.fail("/api/v2/pages", Fault.error(500), times=None, rate=0.3)
    assert set(await ids(client.pages("/api/v2/pages", {"limit": 1}))) == known(local)


async def test_a_server_that_is_down_is_not_asked_for_ever(client: AtlassianClient, local: LocalAtlassian) -> None:
    local.fail("/api/v2/pages", Fault.error(500), times=None)
    for _ in range(30):
        await failure(client)
    assert client.requests <= 30 + FREE_REPETITIONS * 2


async def test_a_limit_of_requests_uses_up_no_repetitions_after_faults(
    client: AtlassianClient, local: LocalAtlassian, waits: Waits
) -> None:
    local.fail("/api/v2/pages", Fault.ratelimited(1), times=None, rate=0.7)
    for _ in range(60):
        await client.get("/api/v2/pages")
    assert client.requests - 60 > FREE_REPETITIONS + 0.2 * client.requests
    local.heal()
    local.fail("/api/v2/pages", Fault.error(500), times=3)
    await client.get("/api/v2/pages")


async def test_a_limit_that_does_not_end_is_waited_for_as_long_as_the_patience_lasts(
    client: AtlassianClient, local: LocalAtlassian, waits: Waits
) -> None:
    local.fail("/api/v2/pages", Fault.ratelimited(7), times=None)
    error = await failure(client)
    assert isinstance(error, Transient)
    assert client.requests > MAX_TRIES
    assert 105 < sum(waits.seconds) <= 120


async def test_those_who_wait_for_an_endpoint_ask_again_one_after_the_other(local: LocalAtlassian) -> None:
    local.fail("/api/v2/pages", Fault.ratelimited(1))
    async with AtlassianClient(cloud(local), random=lambda: 0.0) as client:
        first = asyncio.create_task(client.get("/api/v2/pages"))
        await asyncio.sleep(0.3)
        began, ended = time.monotonic(), list[float]()

        async def ask() -> None:
            await client.get("/api/v2/pages")
            ended.append(time.monotonic() - began)

        await asyncio.gather(first, ask(), ask())
    assert ended[1] - ended[0] > TURN / 2


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (Fault.unauthorized(), Misconfigured, "refuses the token"),
        (Fault("answer", 401, "The token has expired."), Misconfigured, "expired"),
        (Fault.forbidden(), Refused, "status 403"),
        (Fault.error(404), NotThere, "status 404"),
        (Fault.error(410), Misconfigured, "status 410"),
        (Fault.error(400), Refused, "status 400"),
        (Fault.login_page(), Misconfigured, "web page"),
        (Fault("answer", 302, headers=(("Location", "https://sso.example/in?t=1"),)), Misconfigured, "sso.example"),
    ],
)
async def test_what_an_operator_has_to_mend_is_said_at_once(
    client: AtlassianClient, local: LocalAtlassian, fault: Fault, kind: type[KbError], words: str
) -> None:
    local.fail("/api/v2/pages", fault, times=None)
    error = await failure(client)
    assert isinstance(error, kind)
    assert words in error.what
    assert client.requests == 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"errorMessages": ["No field 'level'."], "errors": {"jql": "Not so."}}, "No field 'level'.; Not so."),
        ({"errors": [{"status": 400, "title": "Provided value {x} for 'status'"}]}, "Provided value {x} for 'status'"),
        ({"message": "the token " + "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"}, "[masked"),
        ({"message": "long " * 1000}, "…"),
        ({"unknown": 1}, "does not say why"),
    ],
)
async def test_what_the_api_complains_of_is_said_masked_and_cut(
    client: AtlassianClient, local: LocalAtlassian, body: object, told: str
) -> None:
    local.fail("/api/v2/pages", Fault("answer", 400, json.dumps(body)), times=None)
    error = await failure(client)
    assert told in f"{error.what} {error.why}"
    assert "16C7e42F" not in str(error)
    assert len(error.what) < 400
    assert "kb sources check" in error.next_step


async def test_a_token_that_expires_in_the_middle_breaks_the_listing_off(
    client: AtlassianClient, local: LocalAtlassian
) -> None:
    local.fail("/api/v2/pages", Fault.unauthorized(), times=None, after=2)
    with pytest.raises(Misconfigured):
        await ids(client.pages("/api/v2/pages", {"limit": 7}))


async def test_an_answer_of_another_form_is_no_listing(client: AtlassianClient, local: LocalAtlassian) -> None:
    local.fail("/api/v2/pages", Fault.wrong())
    with pytest.raises(Transient):
        await ids(client.pages("/api/v2/pages"))


async def test_the_next_page_is_not_looked_for_elsewhere(client: AtlassianClient, local: LocalAtlassian) -> None:
    body = {"results": [{"id": "1"}], "_links": {"next": "https://elsewhere.example/wiki/api/v2/pages?cursor=1"}}
    local.fail("/api/v2/pages", Fault.wrong(body))
    with pytest.raises(Transient) as caught:
        await ids(client.pages("/api/v2/pages"))
    assert "another host" in caught.value.why


async def test_a_listing_that_ends_with_nothing_is_looked_at_twice(
    client: AtlassianClient, local: LocalAtlassian
) -> None:
    local.fail("/api/v2/pages", Fault.empty(), after=2)
    assert set(await ids(client.pages("/api/v2/pages", {"limit": 7}))) == known(local)


@pytest.mark.parametrize("answer", [{"results": [], "totalSize": 30, "_links": {}}, {"results": 3}, []])
async def test_a_listing_that_contradicts_itself_is_none(
    client: AtlassianClient, local: LocalAtlassian, answer: object
) -> None:
    local.fail("/content/search", Fault.wrong(answer))
    with pytest.raises(Transient):
        await ids(client.pages("/rest/api/content/search", {"cql": "type = page"}))


async def test_a_limit_of_one_endpoint_does_not_hold_others_up(local: LocalAtlassian) -> None:
    local.fail("/api/v2/pages", Fault.ratelimited(3))
    async with AtlassianClient(cloud(local), random=lambda: 0.0) as client:
        began = time.monotonic()
        limited = asyncio.create_task(client.get("/api/v2/pages"))
        await asyncio.sleep(0.2)
        await client.get("/api/v2/spaces")
        assert not limited.done()
        await client.get("/api/v2/pages")
        assert time.monotonic() - began >= 2.9
        await limited


async def test_credentials_stay_at_the_site_when_a_file_is_elsewhere(
    client: AtlassianClient, local: LocalAtlassian
) -> None:
    page = next(iter(local.world.pages.values()))
    file = local.world.attach(page, "a.txt", b"some words", by=local.world.users[page.author])
    path = f"/rest/api/content/{page.id}/child/attachment/{file.id}/download"
    assert await client.download(path, 100) == b"some words"
    assert [each.authorized for each in local.calls(front="media")] == [False]
    with pytest.raises(Refused, match="larger"):
        await client.download(path, 9)


@pytest.mark.parametrize(
    ("everywhere", "kind"),
    [
        (None, Transient),
        (Fault.unauthorized(), Misconfigured),
        (Fault.login_page(), Misconfigured),
        (Fault.forbidden(), Misconfigured),
        (Fault.error(500), Transient),
    ],
)
async def test_a_token_that_is_refused_for_a_file_is_tried_elsewhere_once(
    client: AtlassianClient, local: LocalAtlassian, everywhere: Fault | None, kind: type[KbError]
) -> None:
    local.fail("/download", Fault.unauthorized(), times=None)
    if everywhere:
        local.fail("", everywhere, times=None)
    with pytest.raises(kind):
        await client.attached("/rest/api/content/1/child/attachment/2/download", 100)
    assert len(local.calls("/download")) == 1
    assert client.requests == 2 or everywhere == Fault.error(500)


async def test_where_one_waited_in_vain_for_a_limit_further_ones_do_not_wait_as_long(
    client: AtlassianClient, local: LocalAtlassian
) -> None:
    local.fail("/api/v2/pages", Fault.ratelimited(7), times=None)
    with pytest.raises(Transient):
        await client.get("/api/v2/pages")
    many = client.requests
    for n in range(1, 4):
        with pytest.raises(Transient):
            await client.get("/api/v2/pages")
        assert client.requests <= many + n
    local.heal()
    await client.get("/api/v2/pages")
    local.fail("/api/v2/pages", Fault.ratelimited(1), times=2)
    await client.get("/api/v2/pages")


async def test_a_login_page_is_no_file(client: AtlassianClient, local: LocalAtlassian) -> None:
    local.fail("/download", Fault("answer", 302, headers=(("Location", "/login?next=file"),)))
    with pytest.raises(Misconfigured, match="log in"):
        await client.download("/rest/api/content/1/child/attachment/2/download", 100)


async def test_the_library_writes_no_answers_into_the_log(
    client: AtlassianClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        await client.get("/api/v2/pages")
    assert "Page 1" not in caplog.text
    assert "service-token" not in caplog.text


def test_a_site_says_neither_its_token_nor_takes_one_in_its_url() -> None:
    site = AtlassianSite("jira", "https://example.atlassian.net/", "cloud", "a@example.com", "very secret")
    assert "very secret" not in repr(site)
    assert site.base == "https://example.atlassian.net"
    for url in ("example.net", "https://a:b@example.net", "ftp://example.net", "https://example.net?x=1"):
        with pytest.raises(Misconfigured):
            AtlassianSite("jira", url, "cloud", "a@example.com", "very secret")


def test_waits_double_up_to_a_limit_and_are_drawn_from_all_below() -> None:
    assert [RETRIES.pause(at, chance=lambda: 1.0) for at in (1, 2, 3, 20)] == [0.5, 1, 2, 30]
    assert RETRIES.pause(3, chance=lambda: 0.0) == 0
    assert (
        endpoint_of("GET", "/rest/api/content/123/child/attachment/att4")
        == "GET /rest/api/content/*/child/attachment/*"
    )
