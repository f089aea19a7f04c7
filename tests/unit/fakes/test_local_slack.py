import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack import Fault, Forged, LocalSlack, SlackError, links, local_slack, message_blocks, notified, plain
from tests.fakes.slack import view as checked_view
from tests.fakes.slack.http_mode import SECRET

Body = dict[str, Any]
BUTTON = {"type": "button", "action_id": "more", "value": "1", "text": {"type": "plain_text", "text": "More"}}
ACTIONS = {"type": "actions", "block_id": "buttons", "elements": [BUTTON]}
MODAL = {"type": "modal", "callback_id": "ask", "title": {"type": "plain_text", "text": "Ask"}, "blocks": []}
ASKS = {
    "type": "input",
    "block_id": "question",
    "label": {"type": "plain_text", "text": "Question"},
    "element": {"type": "plain_text_input", "action_id": "typed"},
}
FORM = {**MODAL, "submit": {"type": "plain_text", "text": "Send"}, "blocks": [ASKS]}


@pytest.fixture
def slack() -> Iterator[LocalSlack]:
    with local_slack() as running:
        yield running


@pytest.fixture
def client(slack: LocalSlack) -> AsyncWebClient:
    return AsyncWebClient(token=slack.bot_token, base_url=slack.base_url)


def an_app(slack: LocalSlack) -> AsyncApp:
    client = AsyncWebClient(token=slack.bot_token, base_url=slack.base_url)
    return AsyncApp(client=client, signing_secret=SECRET)


@asynccontextmanager
async def connected(slack: LocalSlack, *apps: AsyncApp) -> AsyncIterator[None]:
    """The apps, each with a socket of its own."""
    handlers = [
        AsyncSocketModeHandler(app, slack.app_token, web_client=AsyncWebClient(base_url=slack.base_url)) for app in apps
    ]
    try:
        for handler in handlers:
            await handler.connect_async()  # type: ignore[no-untyped-call]
        await slack.eventually(lambda: len(slack.connections) == len(apps))
        yield
    finally:
        for handler in handlers:
            await handler.close_async()  # type: ignore[no-untyped-call]


@asynccontextmanager
async def listening(*apps: AsyncApp) -> AsyncIterator[list[str]]:
    """The apps over HTTP; gives their request URLs."""
    runners = [web.AppRunner(app.web_app("/slack/events"), access_log=None) for app in apps]
    try:
        for runner in runners:
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield [f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events" for runner in runners]
    finally:
        for runner in runners:
            await runner.cleanup()


async def code(call: Awaitable[Any]) -> str:
    """The error code that a call gives."""
    with pytest.raises(SlackApiError) as caught:
        await call
    return str(caught.value.response["error"])


# the Web API


async def test_a_message_is_posted_edited_and_deleted(slack: LocalSlack, client: AsyncWebClient) -> None:
    ada = slack.add_user("Ada", email="ada@tidewell.example")
    general = slack.add_channel("general", [ada]).id
    asked = slack.say(ada, general, "what now?")
    sent = await client.chat_postMessage(channel=general, text="one", thread_ts=asked, blocks=[ACTIONS])
    await client.chat_update(channel=general, ts=sent["ts"], text="two")
    assert [plain(message) for message in slack.thread(general, asked)] == ["what now?", "[More]"]
    await client.chat_update(channel=general, ts=sent["ts"], text="two", blocks=[])
    shown = slack.thread(general, asked)[1]
    assert (plain(shown), [version["text"] for version in shown.versions]) == ("two", ["one", "two", "two"])
    await client.chat_delete(channel=general, ts=sent["ts"])
    assert await code(client.chat_update(channel=general, ts=sent["ts"], text="x")) == "message_not_found"
    assert await code(client.chat_update(channel=general, ts=asked, text="x")) == "cant_update_message"
    assert [message.ts for message in slack.channel(general)] == [asked]
    assert slack.calls("chat.delete")[0].ok


async def test_what_cannot_be_posted(slack: LocalSlack, client: AsyncWebClient) -> None:
    general, closed = slack.add_channel().id, slack.add_channel("secret", bot=False, is_private=True).id
    away, old = slack.add_channel("away", bot=False).id, slack.add_channel("old", is_archived=True).id
    post = client.chat_postMessage
    assert await code(post(channel="C0", text="x")) == "channel_not_found"
    assert await code(post(channel=closed, text="x")) == "channel_not_found"
    assert await code(post(channel=away, text="x")) == "not_in_channel"
    assert await code(post(channel=old, text="x")) == "is_archived"
    assert await code(post(channel=general, text="x" * 40_001)) == "msg_too_long"
    assert await code(client.api_call("chat.postMessage", json={"channel": general})) == "no_text"
    assert await code(post(channel=general, text="x", thread_ts="1.0")) == "thread_not_found"
    assert await code(post(channel=general, text="x", blocks="[nothing")) == "invalid_blocks_format"
    large = {"event_type": "x", "event_payload": {"a": "x" * 20_000}}
    assert await code(post(channel=general, text="x", metadata=large)) == "metadata_too_large"
    assert slack.channel(general) == []


async def test_wrong_blocks_are_named(slack: LocalSlack, client: AsyncWebClient) -> None:
    long = {"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3001}}
    with pytest.raises(SlackApiError) as caught:
        await client.chat_postMessage(channel=slack.add_channel().id, text="x", blocks=[{"type": "divider"}, long])
    assert caught.value.response["error"] == "invalid_blocks"
    expected = ["[ERROR] must be less than 3001 characters [json-pointer:/blocks/1/text/text]"]
    assert caught.value.response["response_metadata"]["messages"] == expected


async def test_tokens(slack: LocalSlack, client: AsyncWebClient) -> None:
    assert (await client.auth_test())["user_id"] == slack.bot
    assert await code(client.auth_test(token="xoxb-other")) == "invalid_auth"
    assert await code(AsyncWebClient(base_url=slack.base_url).auth_test()) == "not_authed"
    slack.workspace.scopes.discard("chat:write")
    assert await code(client.chat_postMessage(channel="C1", text="x")) == "missing_scope"
    slack.workspace.state = "revoked"
    assert await code(client.auth_test()) == "token_revoked"
    slack.workspace.state = "uninstalled"
    assert await code(client.auth_test()) == "account_inactive"


async def test_people_are_found(slack: LocalSlack, client: AsyncWebClient) -> None:
    ada = slack.add_user("Ada", email="ada@tidewell.example")
    guest = slack.add_user("Guest", is_restricted=True)
    found = (await client.users_info(user=ada.id))["user"]
    assert (found["profile"]["email"], found["is_email_confirmed"]) == ("ada@tidewell.example", True)
    assert (await client.users_info(user=guest.id))["user"]["is_restricted"]
    assert (await client.users_lookupByEmail(email="ADA@tidewell.example"))["user"]["id"] == ada.id
    assert await code(client.users_info(user="U0")) == "user_not_found"
    assert await code(client.users_lookupByEmail(email="b@b.example")) == "users_not_found"
    pages = [page["members"] async for page in await client.users_list(limit=2)]
    assert [len(page) for page in pages] == [2, 1]
    opened = (await client.conversations_open(users=ada.id))["channel"]["id"]
    assert opened == slack.dm(ada).id == (await client.conversations_open(users=[ada.id]))["channel"]["id"]


async def test_each_kind_of_conversation_has_its_own_scopes(slack: LocalSlack, client: AsyncWebClient) -> None:
    ada = slack.add_user("Ada")
    public, hidden = slack.add_channel("a", [ada]).id, slack.add_channel("b", [ada], is_private=True).id
    group, direct = slack.add_channel("c", [ada], is_mpim=True).id, slack.dm(ada).id
    slack.workspace.scopes -= {"groups:read", "mpim:read", "im:read", "groups:history", "mpim:history", "im:history"}
    assert (await client.conversations_info(channel=public))["ok"]
    for channel in (hidden, group, direct):
        assert await code(client.conversations_info(channel=channel)) == "missing_scope"
        assert await code(client.conversations_members(channel=channel)) == "missing_scope"
        assert await code(client.conversations_history(channel=channel)) == "missing_scope"


async def test_the_tiers_are_kept_by_method(slack: LocalSlack, client: AsyncWebClient) -> None:
    slack.keep_tiers()
    slack.add_crowd(1_500)
    assert await code(client.users_list()) == "limit_required"
    for _ in range(19):
        await client.users_list(limit=1000)
    with pytest.raises(SlackApiError) as caught:
        await client.users_list(limit=1000)
    assert caught.value.response.status_code == 429
    assert 1 <= int(caught.value.response.headers["Retry-After"]) <= 4
    assert (await client.users_info(user=slack.bot))["ok"], "each method has its own"


async def test_history_comes_in_pages_and_metadata_only_when_asked(slack: LocalSlack, client: AsyncWebClient) -> None:
    general = slack.add_channel().id
    metadata = {"event_type": "answer", "event_payload": {"id": "7"}}
    first = await client.chat_postMessage(channel=general, text="0", metadata=metadata)
    for number in range(1, 4):
        await client.chat_postMessage(channel=general, text=str(number), thread_ts=first["ts"])
    page = await client.conversations_replies(channel=general, ts=first["ts"], limit=3)
    assert ([each["text"] for each in page["messages"]], page["has_more"]) == (["0", "1", "2"], True)
    assert "metadata" not in page["messages"][0]
    cursor = page["response_metadata"]["next_cursor"]
    rest = await client.conversations_replies(channel=general, ts=first["ts"], cursor=cursor)
    assert [each["text"] for each in rest["messages"]] == ["3"]
    top = await client.conversations_history(channel=general, include_all_metadata=True)
    assert [each["metadata"] for each in top["messages"]] == [metadata]
    assert top["messages"][0]["reply_count"] == 3
    assert await code(client.conversations_replies(channel=general, ts="1.0")) == "thread_not_found"


async def test_an_answer_is_streamed(slack: LocalSlack, client: AsyncWebClient) -> None:
    ada = slack.add_user("Ada")
    general = slack.add_channel("general", [ada]).id
    asked = slack.say(ada, general, "x")
    to = {"recipient_user_id": ada.id, "recipient_team_id": ada.team}
    start = client.chat_startStream
    assert await code(start(channel=general, thread_ts=asked)) == "missing_recipient_user_id"
    task = {"type": "task_update", "id": "1", "title": "Search", "status": "in_progress"}
    ts = (await start(channel=general, thread_ts=asked, chunks=[task], **to))["ts"]
    shown = slack.message(general, ts)
    assert plain(shown) == "(in_progress) Search"
    more = [{**task, "status": "complete"}, {"type": "markdown_text", "text": "It **is** so."}]
    await client.chat_appendStream(channel=general, ts=ts, chunks=more)
    assert await code(client.chat_update(channel=general, ts=ts, text="x")) == "streaming_state_conflict"
    assert await code(client.chat_appendStream(channel=general, ts=ts, markdown_text="x")) == "streaming_mode_mismatch"
    await client.chat_stopStream(channel=general, ts=ts, blocks=[ACTIONS])
    assert plain(shown) == "(complete) Search\nIt **is** so.\n[More]"
    again = client.chat_appendStream(channel=general, ts=ts, chunks=more)
    assert await code(again) == "message_not_in_streaming_state"
    await client.chat_update(channel=general, ts=ts, text="x")


async def test_streams_can_be_missing(slack: LocalSlack, client: AsyncWebClient) -> None:
    ada = slack.add_user("Ada")
    dm = slack.dm(ada)
    asked = slack.say(ada, dm.id, "x")
    assert await code(client.chat_startStream(channel=dm.id, thread_ts=asked, markdown_text="x" * 12_001))
    dm.streams = False
    assert await code(client.chat_startStream(channel=dm.id, thread_ts=asked)) == "channel_type_not_supported"
    slack.without_streams()
    assert await code(client.chat_startStream(channel=dm.id, thread_ts=asked)) == "unknown_method"


async def test_faults_limits_and_hooks(slack: LocalSlack, client: AsyncWebClient) -> None:
    general = slack.add_channel().id
    slack.fail("chat.postMessage", Fault.unavailable())
    slack.fail("chat.postMessage", Fault.error("internal_error"))
    slack.fail("chat.postMessage", Fault.reset(late=True))
    for _ in range(2):
        with pytest.raises(SlackApiError):
            await client.chat_postMessage(channel=general, text="lost")
    with pytest.raises(aiohttp.ClientError):
        await AsyncWebClient(token=slack.bot_token, base_url=slack.base_url, retry_handlers=[]).chat_postMessage(
            channel=general, text="late"
        )
    assert [plain(message) for message in slack.channel(general)] == ["late"]
    slack.limit("chat.postMessage", per_minute=6000, burst=1)
    client.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=1))
    seen: list[int] = []
    slack.before("chat.postMessage", lambda _: seen.append(len(slack.channel(general))))
    slack.after("chat.postMessage", lambda call: seen.append(len(slack.channel(general)) if call.ok else -1))
    await client.chat_postMessage(channel=general, text="on")
    assert seen == [1, 2]
    slack.limit("chat.update", per_minute=1, burst=1)
    ts = slack.channel(general)[1].ts
    await client.chat_update(channel=general, ts=ts, text="1")
    client.retry_handlers.clear()
    assert await code(client.chat_update(channel=general, ts=ts, text="2")) == "ratelimited"
    assert slack.calls("chat.update")[-1].status == 429


async def test_modals_and_home(slack: LocalSlack, client: AsyncWebClient) -> None:
    ada = slack.add_user("Ada")
    trigger = slack.world.new_trigger(ada.id, ada.team)
    view = (await client.views_open(trigger_id=trigger, view=MODAL))["view"]
    assert await code(client.views_open(trigger_id=trigger, view=MODAL)) == "exchanged_trigger_id"
    old = slack.world.new_trigger(ada.id, ada.team)
    slack.world.expire_triggers()
    assert await code(client.views_open(trigger_id=old, view=MODAL)) == "expired_trigger_id"
    await client.views_update(view_id=view["id"], hash=view["hash"], view=FORM)
    assert await code(client.views_update(view_id=view["id"], hash=view["hash"], view=FORM)) == "hash_conflict"
    assert await code(client.views_open(trigger_id="t", view={**FORM, "blocks": [{}]})) == "invalid_arguments"
    await client.views_publish(user_id=ada.id, view={"type": "home", "blocks": [ACTIONS]})
    assert plain(slack.home(ada) or {}) == "[More]"


async def test_an_assistants_thread(slack: LocalSlack, client: AsyncWebClient) -> None:
    ada = slack.add_user("Ada")
    thread = slack.start_assistant_thread(ada)
    dm = slack.dm(ada).id
    prompts = [{"title": "A", "message": "a"}]
    await client.assistant_threads_setSuggestedPrompts(channel_id=dm, thread_ts=thread, prompts=prompts)
    too_many = client.assistant_threads_setSuggestedPrompts(channel_id=dm, thread_ts=thread, prompts=prompts * 5)
    assert await code(too_many) == "invalid_arguments"
    await client.assistant_threads_setStatus(channel_id=dm, thread_ts=thread, status="searches …")
    await client.assistant_threads_setTitle(channel_id=dm, thread_ts=thread, title="T")
    shown = slack.assistant(dm, thread)
    assert (shown.status, shown.title, shown.prompts) == ("searches …", "T", prompts)
    await client.chat_postMessage(channel=dm, text="here", thread_ts=thread)
    assert (shown.status, shown.statuses) == ("", ["searches …"])


# Socket Mode


async def test_a_mention_raises_two_events_with_retry_num_0(slack: LocalSlack) -> None:
    ada = slack.add_user("Ada")
    general = slack.add_channel("general", [ada]).id
    app = an_app(slack)
    seen: list[tuple[str, Any]] = []

    async def note(event: Body, body: Body, request: Any, say: Any) -> None:
        seen.append((event["type"], request.headers["x-slack-retry-num"]))
        if event["type"] == "app_mention":
            await say(text="hello", thread_ts=event["ts"])

    app.event("app_mention")(note)
    app.event("message")(note)
    async with connected(slack, app):
        said = slack.say(ada, general, f"<@{slack.bot}> hello?")
        first, second = [await delivery for delivery in said.deliveries]
        await slack.eventually(lambda: len(slack.thread(general, said)) == 2)
    assert sorted(seen) == [("app_mention", ["0"]), ("message", ["0"])]
    assert first.event_id != second.event_id
    assert first.event["ts"] == second.event["ts"] == said
    assert first.acked
    assert (first.acked_after or 9) < 3


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


async def test_a_client_comes_back(slack: LocalSlack) -> None:
    ada = slack.add_user("Ada")
    app = an_app(slack)
    opened: list[str] = []

    async def note(event: Body) -> None:
        opened.append(event["tab"])

    app.event("app_home_opened")(note)
    async with connected(slack, app):
        slack.disconnect()
        await slack.eventually(lambda: slack.hub.hellos == 2 and len(slack.connections) == 1)
        assert (await slack.open_home(ada, "messages")).acked
    assert opened == ["messages"]


async def test_a_command_and_its_answers(slack: LocalSlack) -> None:
    ada = slack.add_user("Ada")
    general = slack.add_channel("general", [ada]).id
    app = an_app(slack)

    async def answer(ack: Any, respond: Any, command: Body, client: AsyncWebClient) -> None:
        await ack(f"looking for {command['text']}")
        await client.views_open(trigger_id=command["trigger_id"], view=FORM)
        await respond(text="first")
        await respond(text="second", replace_original=True)
        await respond(text="for all", response_type="in_channel")

    app.command("/kb")(answer)
    async with connected(slack, app):
        done = await slack.slash(ada, general, "/kb", "sleep")
        await slack.eventually(lambda: slack.channel(general))
        assert done.acked
        only = {plain(message) for message in slack.ephemerals(general, ada)}
        assert only == {"looking for sleep", "second"}  # in either order: bolt sends the acknowledgement a little later
        assert [plain(message) for message in slack.channel(general)] == ["for all"]
        async with aiohttp.ClientSession() as session:
            statuses = [await _status(session, done.response_url, {"text": "x"}) for _ in range(3)]
        assert statuses == [200, 200, 404]


async def _status(session: aiohttp.ClientSession, url: str, body: Body) -> int:
    async with session.post(url, json=body) as answer:
        return answer.status


async def test_a_modal_is_submitted(slack: LocalSlack, client: AsyncWebClient) -> None:
    ada = slack.add_user("Ada")
    app = an_app(slack)

    async def check(ack: Any, view: Body) -> None:
        typed = view["state"]["values"]["question"]["typed"]["value"]
        await (ack() if typed else ack(response_action="errors", errors={"question": "Say something"}))

    app.view("ask")(check)
    view = (await client.views_open(trigger_id=slack.world.new_trigger(ada.id, ada.team), view=FORM))["view"]["id"]
    async with connected(slack, app):
        await slack.submit(ada, view, {"question": {"typed": None}})
        assert (slack.view(view).state, slack.view(view).errors) == ("open", {"question": "Say something"})
        await slack.submit(ada, view, {"question": {"typed": "why?"}})
        assert (slack.view(view).state, slack.views) == ("submitted", [])


async def test_a_button_is_pressed(slack: LocalSlack, client: AsyncWebClient) -> None:
    ada = slack.add_user("Ada")
    general = slack.add_channel("general", [ada]).id
    ratings = {
        name: {"text": {"type": "plain_text", "text": name}, "value": name}
        for name in ("positive_button", "negative_button")
    }
    rated = {"type": "context_actions", "elements": [{"type": "feedback_buttons", "action_id": "rated", **ratings}]}
    sent = await client.chat_postMessage(channel=general, text="x", blocks=[ACTIONS, rated])
    await client.chat_postEphemeral(channel=general, user=ada.id, text="x", blocks=[ACTIONS])
    app = an_app(slack)
    bodies: list[Body] = []

    async def pressed(ack: Any, body: Body, respond: Any) -> None:
        await ack()
        bodies.append(body)
        if body["container"]["is_ephemeral"]:
            await respond(text="changed", replace_original=True)

    app.action("more")(pressed)
    app.action("rated")(pressed)
    async with connected(slack, app):
        message, only = slack.message(general, sent["ts"]), slack.ephemerals(general, ada)[0]
        await slack.press(ada, message, "more")
        await slack.press(ada, message, "rated", "negative_button")
        await slack.press(ada, only, "more", index=0)
        await slack.eventually(lambda: plain(slack.ephemerals(general, ada)[0]) == "changed")
    assert bodies[0]["message"]["ts"] == bodies[0]["container"]["message_ts"] == sent["ts"]
    assert bodies[1]["actions"][0]["value"] == "negative_button"
    assert "message" not in bodies[2]


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


async def test_a_hanging_method_and_a_slow_one(slack: LocalSlack, client: AsyncWebClient) -> None:
    general = slack.add_channel("general").id
    slack.fail("chat.postMessage", Fault.hang(late=True))
    slack.latency("auth.test", 0.02)
    hurried = AsyncWebClient(token=slack.bot_token, base_url=slack.base_url, timeout=1)
    hanging = asyncio.create_task(hurried.chat_postMessage(channel=general, text="there"))
    await slack.eventually(lambda: slack.channel(general))
    hanging.cancel()
    with pytest.raises(asyncio.CancelledError):
        await hanging
    loop = asyncio.get_running_loop()
    before = loop.time()
    await client.auth_test()
    assert loop.time() - before >= 0.02


# HTTP


async def test_http_is_signed_and_forgeries_are_seen(slack: LocalSlack) -> None:
    ada = slack.add_user("Ada")
    app = an_app(slack)
    texts: list[str] = []

    async def note(event: Body) -> None:
        texts.append(event["text"])

    app.event("message")(note)
    async with listening(app) as (url,):
        slack.use_http(url)
        (delivery,) = slack.say(ada, slack.dm(ada).id, "hello").deliveries
        assert (await delivery).attempts[0].status == 200
        assert (await slack.verify_url(url)).answer == {"challenge": "challenge"}
        wrong = [Forged(signature="v0=00"), Forged(timestamp="1000"), Forged(signature=None), Forged(secret="other")]
        answers = [await slack.forge(url, each, delivery.payload) for each in wrong]
        assert [each.attempts[0].status for each in answers] == [401] * 4
        assert not any(each.acked for each in answers)
    assert texts == ["hello"]


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


# people


async def test_edits_deletions_and_two_workspaces(slack: LocalSlack) -> None:
    other = slack.add_workspace("Other")
    ada = slack.add_user("Ada", team=other.id, is_stranger=True)
    teams = [slack.workspace.id, other.id]
    shared = slack.add_channel("shared", [ada], teams=teams, is_ext_shared=True).id
    said = slack.say(ada, shared, "one")
    assert [each.payload["team_id"] for each in said.deliveries] == teams
    assert len({each.event_id for each in said.deliveries}) == 2
    copy = slack.deliver_for(said.deliveries[0], other)
    assert copy.event == said.deliveries[0].event
    assert copy.payload["authorizations"][0]["user_id"] == other.bot_user
    changed = slack.edit(shared, said, "two")[0].event
    assert (changed["subtype"], changed["message"]["text"], changed["previous_message"]["text"]) == (
        "message_changed",
        "two",
        "one",
    )
    assert slack.delete(shared, said)[0].event["deleted_ts"] == said
    assert slack.channel(shared) == []


def test_a_test_without_a_loop_can_wait(slack: LocalSlack) -> None:
    ada = slack.add_user("Ada")
    timer = threading.Timer(0.01, slack.say, (ada, slack.dm(ada).id, "hello"))
    timer.start()
    assert slack.until(lambda: slack.channel(slack.dm(ada).id))[0].text == "hello"
    timer.join()
    with pytest.raises(TimeoutError):
        slack.until(lambda: False, 0.01)


# what blocks may hold, and what they say

TEXT = {"type": "mrkdwn", "text": "x"}


def section(**more: Any) -> Body:
    return {"type": "section", "text": TEXT, **more}


@pytest.mark.parametrize(
    ("block", "pointer"),
    [
        ({"type": "nothing"}, "/0/type"),
        (section(colour="red"), "/0"),
        (section(fields=[TEXT] * 11), "/0/fields"),
        (section(block_id="x" * 256), "/0/block_id"),
        (section(accessory={**BUTTON, "value": "x" * 2001}), "/0/accessory/value"),
        (section(accessory={**BUTTON, "url": "nowhere"}), "/0/accessory/url"),
        ({"type": "header", "text": TEXT}, "/0/text/type"),
        ({"type": "context", "elements": [TEXT] * 11}, "/0/elements"),
        ({"type": "actions", "elements": [BUTTON, BUTTON]}, "/0/elements/1/action_id"),
        ({"type": "actions", "elements": [{**BUTTON, "text": TEXT}]}, "/0/elements/0/text/type"),
        ({"type": "context_actions", "elements": [BUTTON]}, "/0/elements/0/type"),
        ({"type": "rich_text", "elements": [{"type": "text", "text": "x"}]}, "/0/elements/0/type"),
        ({"type": "table", "rows": [[{"type": "raw_text", "text": ""}]]}, "/0/rows/0/0/text"),
        ({"type": "markdown", "text": "x" * 12_001}, "/0/text"),
        (ASKS, "/0/type"),
    ],
)
def test_a_block_that_slack_refuses(block: Body, pointer: str) -> None:
    with pytest.raises(SlackError) as caught:
        message_blocks([block])
    assert caught.value.code == "invalid_blocks"
    assert [message.split("[")[1] for message in caught.value.messages] == [f"json-pointer:/blocks{pointer}]"]


def test_blocks_together() -> None:
    assert len(message_blocks(json.dumps([{"type": "divider"}] * 50))) == 50
    for blocks in ([{"type": "divider"}] * 51, [section(block_id="a"), section(block_id="a")]):
        with pytest.raises(SlackError, match="invalid_blocks"):
            message_blocks(blocks)
    with pytest.raises(SlackError, match="msg_blocks_too_long"):
        message_blocks([{"type": "markdown", "text": "x" * 6001}] * 2)
    with pytest.raises(SlackError, match="invalid_arguments"):
        checked_view({**FORM, "title": {"type": "plain_text", "text": "x" * 25}}, "modal")
    assert len(checked_view({**MODAL, "blocks": [{"type": "divider"}] * 100}, "modal")["blocks"]) == 100


def rich(*elements: Body) -> Body:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(elements)}]}


@pytest.mark.parametrize(
    ("message", "pinged"),
    [
        ({"text": "<@U1> <!here> <!subteam^S1|x> <!channel|c>"}, {"U1", "!here", "S1", "!channel"}),
        ({"text": "&lt;@U1&gt; &lt;!here&gt; @here"}, set()),
        ({"text": "@here", "link_names": True}, {"!here"}),
        ({"blocks": [section(fields=[{"type": "mrkdwn", "text": "<@U2>"}])]}, {"U2"}),
        ({"blocks": [{"type": "header", "text": {"type": "plain_text", "text": "<@U2>"}}]}, set()),
        ({"blocks": [{"type": "markdown", "text": "a <!everyone> &lt;@U3&gt;"}]}, {"!everyone"}),
        ({"blocks": [rich({"type": "user", "user_id": "U4"}, {"type": "text", "text": "<@U5>"})]}, {"U4"}),
        ({"blocks": [rich({"type": "broadcast", "range": "channel"})]}, {"!channel"}),
    ],
)
def test_whom_a_message_pings(message: Body, pinged: set[str]) -> None:
    assert notified(message) == pinged


def test_what_a_person_reads_and_clicks() -> None:
    linked = {"type": "mrkdwn", "text": "see <https://a.example/x?a=1&amp;b=2|page &lt;1&gt;> or https://b.example."}
    table = {"type": "table", "rows": [[{"type": "raw_text", "text": "a"}, rich({"type": "text", "text": "b"})]]}
    markdown = {"type": "markdown", "text": "[label](https://c.example) `[no](https://d.example)`"}
    blocks = [section(text=linked), table, markdown, {**ACTIONS, "elements": [{**BUTTON, "url": "https://e.example"}]}]
    message = {"text": "https://unseen.example", "blocks": message_blocks(blocks)}
    assert plain(message) == "see page <1> or https://b.example.\na | b\nlabel `no`\n[More]"
    assert links(message) == [
        ("https://a.example/x?a=1&b=2", "page <1>"),
        ("https://b.example", "https://b.example"),
        ("https://c.example", "label"),
        ("https://e.example", "More"),
    ]
