"""The Web API of the local Slack: what its methods do, and what they refuse."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack import LocalSlack, plain
from tests.fakes.slack_samples import ACTIONS, FORM, MODAL


async def code(call: Awaitable[Any]) -> str:
    """The error code that a call gives."""
    with pytest.raises(SlackApiError) as caught:
        await call
    return str(caught.value.response["error"])


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
    more = asyncio.gather(*(client.users_list(limit=1000) for _ in range(20)))  # one passes in each three seconds
    with pytest.raises(SlackApiError) as caught:
        await more
    assert caught.value.response.status_code == 429
    assert 1 <= int(caught.value.response.headers["Retry-After"]) <= 4
    assert (await client.users_info(user=slack.bot))["ok"], "each method has its own"


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
