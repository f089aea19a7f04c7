"""What the local Slack sends to an app, over Socket Mode and over HTTP, and what people do in it."""

import aiohttp
from aiohttp import web
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack import LocalSlack

# Socket Mode


async def test_what_is_not_acknowledged_goes_to_another_connection(slack: LocalSlack) -> None:
    slack.courier.ack_timeout, slack.courier.retry_intervals = 0.2, (0.0, 0.0, 0.0)
    ada = slack.add_user("Ada")
    async with aiohttp.ClientSession() as session:
        opener = AsyncWebClient(base_url=slack.base_url)
        sockets = []
        for _ in range(2):
            url = (await opener.apps_connections_open(app_token=slack.app_token))["url"]
            sockets.append(await session.ws_connect(url))
            assert (await sockets[-1].receive_json())["type"] == "hello"
        (delivery,) = slack.say(ada, slack.dm(ada).id, "hello").deliveries
        assert (await sockets[0].receive_json())["retry_attempt"] == 0
        again = await sockets[1].receive_json()
        assert (again["retry_attempt"], again["retry_reason"]) == (1, "timeout")
        await sockets[1].close()
        third = await sockets[0].receive_json()
        await sockets[0].send_json({"envelope_id": third["envelope_id"]})
        await delivery
        assert [attempt.to for attempt in delivery.attempts][:2] == ["connection 1", "connection 2"]
        assert delivery.attempts[2].reason == "connection_died"
        slack.deliver_again(delivery, retry=2, copies=1)
        assert (await sockets[0].receive_json())["payload"]["event_id"] == delivery.event_id
        await sockets[0].close()


async def test_no_more_than_ten_connections(slack: LocalSlack) -> None:
    async with aiohttp.ClientSession() as session:
        sockets = [await session.ws_connect(slack.hub.ticket()) for _ in range(11)]
        said = [(await socket.receive_json())["type"] for socket in sockets]
        assert said == ["hello"] * 10 + ["disconnect"]
        for socket in sockets:
            await socket.close()


async def test_a_connection_dies_and_the_app_hears_itself(slack: LocalSlack, client: AsyncWebClient) -> None:
    general = slack.add_channel("general").id
    slack.echoes = True
    async with aiohttp.ClientSession() as session:
        first = await session.ws_connect(slack.hub.ticket())
        await first.receive_json()
        await client.chat_postMessage(channel=general, text="from the app")
        event = (await first.receive_json())["payload"]["event"]
        assert (event["type"], event["bot_id"]) == ("message", slack.workspace.bot_id)
        slack.cut()
        await slack.eventually(lambda: not slack.connections)
        second = await session.ws_connect(slack.hub.ticket())
        await second.receive_json()
        again = await second.receive_json()
        assert (again["retry_attempt"], again["payload"]["event"]) == (1, event)
        await second.send_json({"envelope_id": again["envelope_id"]})
        await slack.deliveries[0]
        await first.close()
        await second.close()


# HTTP


async def test_http_is_tried_again(slack: LocalSlack) -> None:
    headers: list[tuple[str | None, str | None]] = []

    async def broken(request: web.Request) -> web.Response:
        headers.append((request.headers.get("X-Slack-Retry-Num"), request.headers.get("X-Slack-Retry-Reason")))
        return web.Response(status=500 if len(headers) < 3 else 200)

    handler = web.Application()
    handler.router.add_post("/", broken)
    runner = web.AppRunner(handler, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    slack.use_http(f"http://127.0.0.1:{runner.addresses[0][1]}/")
    slack.courier.retry_intervals = (0.0, 0.0, 0.0)
    assert (await slack.open_home(slack.add_user("Ada"))).acked
    await runner.cleanup()
    assert headers == [(None, None), ("1", "http_error"), ("2", "http_error")]
