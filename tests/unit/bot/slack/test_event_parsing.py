"""What Slack delivers, as questions."""

from typing import Any

import pytest

from bot.conversation.commands import Command
from bot.conversation.delivery_buffer import MessageChange
from bot.slack.event_parsing import (
    change_of,
    command_of,
    command_question,
    is_by_person,
    mentions,
    question_of,
    text_of,
)
from domain.conversation import ConversationPlace, MessageKey, Participant

BOT = "U0BOT"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("<@U0BOT> How?", "How?"),
        ("  <@U0BOT|kb>   How?  ", "How?"),
        ("How <@U0BOT>?", "How ?"),
        ("<@U0BOT>", ""),
        ("", ""),
        ("ask <@U7ANN> and <@U8BEN|ben>", "ask somebody and @ben"),
        ("What pension does <@U0B7K2M9QXZ> get?", "What pension does somebody get?"),
        ("<@W7ANN|> knows", "somebody knows"),
        ("in <#C1|general>, <#C2> and <#C3|>", "in general, the channel and the channel"),
        ("<!here> <!channel> <!everyone|everyone>", "@here @channel everyone"),
        ("<!subteam^S1|@leads> <!subteam^S2>", "@leads @subteam"),
        ("<!date^1700000000^{date}|yesterday>", "yesterday"),
        ("<https://a.example/x>", "https://a.example/x"),
        ("<https://a.example/x|the page>", "the page (https://a.example/x)"),
        ("<https://a.example|https://a.example>", "https://a.example"),
        ("<https://a.example/?a=1&amp;b=2>", "https://a.example/?a=1&b=2"),
        ("<mailto:ann@example.com|ann@example.com>", "ann@example.com"),
        ("a &lt; b &amp;&amp; c &gt; d", "a < b && c > d"),
        ("List&lt;String&gt;", "List<String>"),
        ("&amp;lt;b&amp;gt; &amp;amp;", "&lt;b&gt; &amp;"),
        ("a < b", "a < b"),
        ("<>", ""),
        ("<|>", ""),
        ("<<@U0BOT>>", "<>"),
        ("<https://a.example|<b>>", "<https://a.example|b>"),
        ("one\ntwo", "one\ntwo"),
    ],
)
def test_a_text_reads_as_a_person_reads_it(text: str, read: str) -> None:
    assert text_of({"text": text}, BOT) == read


@pytest.mark.parametrize("message", [{}, {"text": None}, {"text": ""}])
def test_a_message_may_have_no_text(message: dict[str, Any]) -> None:
    assert text_of(message, BOT) == ""
    assert not mentions(message, BOT)


def test_a_mention_is_whole() -> None:
    assert mentions({"text": "hey <@U0BOT|kb>"}, BOT)
    assert mentions({"text": "hey <@U0BOT>"}, BOT)
    assert not mentions({"text": "hey <@U0BOTTOM>"}, BOT)
    assert not mentions({"text": "hey U0BOT"}, BOT)


@pytest.mark.parametrize(
    ("event", "by_person"),
    [
        ({"user": "U1"}, True),
        ({"user": "U1", "subtype": "file_share"}, True),
        ({"user": "U1", "subtype": "thread_broadcast"}, True),
        ({"user": "U1", "subtype": "me_message"}, True),
        ({"user": "U1", "subtype": "channel_join"}, False),
        ({"user": "U1", "bot_id": "B1"}, False),
        ({"user": "U1", "bot_profile": {"id": "B1"}}, False),
        ({"user": "U1", "app_id": "A1"}, False),
        ({"user": BOT}, False),
        ({"user": "USLACKBOT"}, False),
        ({"subtype": "bot_message", "bot_id": "B1"}, False),
        ({}, False),
    ],
)
def test_who_speaks(event: dict[str, Any], by_person: bool) -> None:
    assert is_by_person(event, BOT) is by_person


def _mention(**more: Any) -> dict[str, Any]:
    return {"type": "app_mention", "user": "U1", "text": "<@U0BOT> How?", "ts": "1.000100", "channel": "C1", **more}


def test_a_question_of_a_channel() -> None:
    found = question_of(_mention(), "T1", BOT)
    assert found.key == MessageKey("slack", "C1", "1.000100")
    assert found.place == ConversationPlace("slack", "T1", "C1", "1.000100", private=False)
    assert found.asker == Participant("slack", "U1", "T1")
    assert (found.text, found.audience, found.unread) == ("How?", "organisation", ())


def test_a_question_of_a_thread_belongs_to_the_threads_first_message() -> None:
    assert question_of(_mention(thread_ts="0.5"), "T1", BOT).place.thread == "0.5"


@pytest.mark.parametrize("more", [{"channel": "D1"}, {"channel_type": "im"}])
def test_a_direct_message_is_for_the_asker(more: dict[str, str]) -> None:
    found = question_of(_mention(**more), "T1", BOT)
    assert found.place.private
    assert found.audience == "asker"


@pytest.mark.parametrize("kind", ["mpim", "group", "channel"])
def test_no_other_conversation_is_private(kind: str) -> None:
    assert not question_of(_mention(channel="G1", channel_type=kind), "T1", BOT).place.private


def test_a_person_of_another_workspace_comes_with_it() -> None:
    assert question_of(_mention(team="T2"), "T1", BOT).asker.workspace == "T2"
    assert question_of(_mention(team="T2", user_team="T3"), "T1", BOT).asker.workspace == "T3"


def test_files_are_named() -> None:
    found = question_of(_mention(files=[{"name": "a.pdf"}, {"name": None}, {}]), "T1", BOT)
    assert found.unread == ("a.pdf", "a file", "a file")
    assert question_of(_mention(files=None), "T1", BOT).unread == ()


def _changed(before: str, after: str, **more: Any) -> dict[str, Any]:
    old = {"user": "U1", "ts": "1.1", "text": before}
    new = {**old, "text": after, **more}
    return {"subtype": "message_changed", "channel": "C1", "message": new, "previous_message": old, "ts": "2.2"}


def test_a_change_has_the_new_text() -> None:
    assert change_of(_changed("a", "<@U0BOT> b"), BOT) == MessageChange(MessageKey("slack", "C1", "1.1"), "b")


@pytest.mark.parametrize(
    "event",
    [
        _changed("a", "a"),
        _changed("a", "b", bot_id="B1"),
        _changed("a", "b", user=BOT),
        _changed("a", "b", subtype="bot_message"),
        {"subtype": "message_changed", "channel": "C1"},
        {"subtype": "message_deleted", "channel": "C1"},
    ],
)
def test_what_changes_no_persons_words_is_no_change(event: dict[str, Any]) -> None:
    assert change_of(event, BOT) is None


@pytest.mark.parametrize(
    "event",
    [
        {"subtype": "message_deleted", "deleted_ts": "1.1"},
        {"subtype": "message_deleted", "previous_message": {"ts": "1.1", "user": "U1"}},
        {"subtype": "message_changed", "message": {"subtype": "tombstone", "ts": "1.1"}},
    ],
)
def test_a_deletion_has_no_text(event: dict[str, Any]) -> None:
    assert change_of({**event, "channel": "C1"}, BOT) == MessageChange(MessageKey("slack", "C1", "1.1"), None)


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("", Command("help")),
        ("  \n ", Command("help")),
        ("help", Command("help")),
        ("HELP", Command("help")),
        ("help me to find the handbook", Command("ask", "help me to find the handbook")),
        ("ask", Command("ask", asked=True)),
        ("ask How?", Command("ask", "How?", asked=True)),
        ("Ask\tHow?", Command("ask", "How?", asked=True)),
        ("ask\nHow?", Command("ask", "How?", asked=True)),
        ("share   How is it?", Command("share", "How is it?")),
        ("feedback good", Command("feedback", "good")),
        ("feedback bad &lt;old&gt;", Command("feedback", "bad <old>")),
        ("asking is free?", Command("ask", "asking is free?")),
        ("What is List&lt;String&gt;?", Command("ask", "What is List<String>?")),
        ("What is &amp;lt;?", Command("ask", "What is &lt;?")),
        ("Who is <@U7ANN|ann>?", Command("ask", "Who is @ann?")),
        ("<https://a.example|a> or b?", Command("ask", "a (https://a.example) or b?")),
    ],
)
def test_commands(typed: str, command: Command) -> None:
    assert command_of(typed) == command


PAYLOAD = {
    "channel_id": "C1",
    "user_id": "U1",
    "team_id": "T1",
    "trigger_id": "7.7",
    "response_url": "https://hooks.example/1",
}


def test_a_commands_question_is_for_the_asker_who_has_a_place_of_their_own() -> None:
    found = command_question(PAYLOAD, "What is <b>?", share=False)
    assert found.text == "What is <b>?", "it is in words already"
    assert found.audience == "asker"
    assert found.place == ConversationPlace("slack", "T1", "C1", "/U1")
    assert found.handle == {"mode": "ephemeral", "response_url": "https://hooks.example/1"}
    assert found.key != command_question({**PAYLOAD, "trigger_id": "8.8"}, "What?", share=False).key


def test_a_shared_question_is_the_channels() -> None:
    found = command_question(PAYLOAD, "What?", share=True)
    assert found.audience == "organisation"
    assert found.place == ConversationPlace("slack", "T1", "C1")
    assert found.handle == {"echo": "1", "response_url": "https://hooks.example/1"}
