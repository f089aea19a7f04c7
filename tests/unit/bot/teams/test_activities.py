"""What Teams delivers, as what people did."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from bot.conversation.delivery_buffer import MessageChange
from bot.teams.activities import (
    ActivityContext,
    ButtonPress,
    FeedbackGiven,
    InstallationChanged,
    MembersChanged,
    MessageReceived,
    parse_activity,
)
from bot.teams.button_data import ButtonData
from bot.teams.conversation_reference import TeamsConversation
from bot.teams.message_text import words_of
from domain.conversation import ConversationPlace, MessageKey, Participant
from domain.errors import Refused

BOT, SERVICE = "28:app", "https://smba.trafficmanager.net/amer/"
SHOWN = {"kb": "preview", "number": 5, "n": 2}
BEN = {"type": "mention", "mentioned": {"id": "29:b", "name": "Ben B."}, "text": "<at>Ben</at>"}
MENTION = {"type": "mention", "mentioned": {"id": BOT, "name": "kb"}, "text": "<at>kb</at>"}


def activity(kind: Any = "message", **more: Any) -> dict[str, Any]:
    """What Ann does in her chat with the bot."""
    return {
        "type": kind,
        "id": "77",
        "channelId": "msteams",
        "serviceUrl": SERVICE,
        "from": {"id": "29:ann", "name": "Ann", "aadObjectId": "aad-ann"},
        "recipient": {"id": BOT, "name": "kb"},
        "conversation": {"id": "a:1", "conversationType": "personal", "tenantId": "T1"},
        "channelData": {"tenant": {"id": "T1"}},
        "locale": "en-US",
        "text": "How many days?",
        **more,
    }


def in_group(**more: Any) -> dict[str, Any]:
    conversation = {"id": "19:g@thread.v2", "conversationType": "groupChat", "isGroup": True, "tenantId": "T1"}
    return activity(**{"conversation": conversation, "entities": [MENTION], "text": "<at>kb</at> days?", **more})


def in_channel(root: Any = "70", **more: Any) -> dict[str, Any]:
    name = f"19:c@thread.tacv2;messageid={root}" if root else "19:c@thread.tacv2"
    conversation = {"id": name, "conversationType": "channel", "isGroup": True, "tenantId": "T1"}
    return in_group(**{"conversation": conversation, **more})


def question(found: object) -> MessageReceived:
    assert isinstance(found, MessageReceived), found
    return found


def test_a_question_in_a_personal_chat() -> None:
    found = question(parse_activity(activity())).incoming
    assert found.key == MessageKey("teams", "a:1", "77")
    assert found.place == ConversationPlace("teams", "T1", "a:1", "", private=True)
    assert found.asker == Participant("teams", "aad-ann", "T1")
    assert (found.text, found.audience) == ("How many days?", "asker")
    reference = TeamsConversation(SERVICE, "a:1", "personal", BOT, "T1", "29:ann", "77", "en-US")
    assert TeamsConversation.of(found.handle) == reference
    assert all(isinstance(each, str) for each in found.handle.values())


def test_a_question_in_a_group() -> None:
    found = question(parse_activity(in_group())).incoming
    assert found.place == ConversationPlace("teams", "T1", "19:g@thread.v2", "")
    assert (found.text, found.audience) == ("days?", "organisation")


def test_a_question_in_a_channels_thread_is_answered_there() -> None:
    found = question(parse_activity(in_channel())).incoming
    assert found.key == MessageKey("teams", "19:c@thread.tacv2", "77")
    assert found.place == ConversationPlace("teams", "T1", "19:c@thread.tacv2", "70")
    assert TeamsConversation.of(found.handle).conversation == "19:c@thread.tacv2;messageid=70"


@pytest.mark.parametrize(("more", "root"), [({}, "77"), ({"replyToId": "70"}, "70")])
def test_where_the_root_is_not_named_it_is_known_all_the_same(more: dict[str, Any], root: str) -> None:
    found = question(parse_activity(in_channel("", **more))).incoming
    assert found.place.thread == root
    assert TeamsConversation.of(found.handle).conversation == f"19:c@thread.tacv2;messageid={root}"


def test_the_team_and_the_form_of_a_channel_are_kept() -> None:
    told = {"tenant": {"id": "T1"}, "team": {"id": "19:t"}, "channel": {"id": "19:c", "type": "Private"}}
    found = TeamsConversation.of(question(parse_activity(in_channel(channelData=told))).incoming.handle)
    assert (found.team, found.form) == ("19:t", "private")
    among = TeamsConversation.of(question(parse_activity(in_group(channelData=told))).incoming.handle)
    assert (among.team, among.rosters) == ("", ("19:g@thread.v2",)), "a chat has no team"


def test_a_shared_channel_is_read_by_anybody() -> None:
    found = in_channel(channelData={"tenant": {"id": "T1"}, "channel": {"id": "19:c", "type": "shared"}})
    assert question(parse_activity(found)).incoming.audience == "public"


@pytest.mark.parametrize(
    ("conversation", "private"),
    [
        ({"id": "a:1"}, False),
        ({"id": "a:1", "conversationType": "meeting"}, False),
        ({"id": "a:1", "conversationType": "personal", "isGroup": True}, False),
        ({"id": "a:1", "conversationType": "personal", "isGroup": False}, True),
    ],
)
def test_a_chat_is_private_only_where_teams_says_so(conversation: dict[str, Any], private: bool) -> None:
    found = question(parse_activity(in_group(conversation={**conversation, "tenantId": "T1"})))
    assert found.incoming.place.private is private
    assert (found.incoming.audience == "asker") is private


TEXTS = [
    ("<at>kb</at> How many?", [MENTION], "How many?"),
    ("How <at>kb</at>&nbsp;&nbsp;many  days?\u00a0", [MENTION], "How many days?"),
    ("<at>kb</at> <at>kb</at> twice", [MENTION, MENTION], "twice"),
    ("<at>kb</at> is not <at>kb</at>", [MENTION, {**MENTION, "mentioned": {"id": "29:x", "name": "kb"}}], "is not @kb"),
    ("<at>Ben</at> asked <at>kb</at>", [BEN, MENTION], "@Ben B. asked"),
    ("<at>kb</at> no entity", [], "kb no entity"),
    ('<at id="0">kb</at> numbered', [], "kb numbered"),
    ("a &lt;b&gt; &amp; c", [], "a <b> & c"),
    ("one\ntwo\n\n\n\nthree", [], "one\ntwo\n\nthree"),
    ("tab\tand \r\n line", [], "tab and\nline"),
    (None, [], ""),
    (7, [], ""),
    ("text", 7, "text"),
    ("text", [7, None, {"type": "mention"}, {"type": "mention", "mentioned": 7, "text": 7}], "text"),
    ("kb@example.com and kb", [MENTION], "kb@example.com and kb"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "entities", "read"), TEXTS)
def test_words(text: object, entities: object, read: str) -> None:
    assert words_of({"text": text, "entities": entities}, BOT) == read


def test_words_with_tags() -> None:
    assert words_of({"text": "<p>one<br/>two</p><b>three</b>", "textFormat": "xml"}, BOT) == "one\ntwo\nthree"


def test_attached_files_are_named() -> None:
    attachments = [
        {"contentType": "text/html", "content": "<p>"},
        {"contentType": "application/vnd.microsoft.teams.file.download.info", "name": "plan.xlsx"},
        {"contentType": "image/png"},
        {"contentType": "application/octet-stream"},
        {"contentType": "messageReference"},
        {"contentType": "application/vnd.microsoft.card.adaptive"},
        7,
    ]
    assert question(parse_activity(activity(attachments=attachments))).incoming.unread == (
        "plan.xlsx",
        "a picture",
        "a file",
    )


@pytest.mark.parametrize(
    "more",
    [
        {"from": {"id": BOT}},
        {"from": {"id": "28:other"}},
        {"from": {"id": "29:x", "role": "bot"}},
        {"from": {}},
        {"from": None},
    ],
    ids=str,
)
def test_what_no_person_said_is_no_question(more: dict[str, Any]) -> None:
    assert parse_activity(activity(**more)) is None
    assert parse_activity(activity("invoke", name="task/fetch", **more)) is None


def test_what_does_not_mention_us_is_not_for_us() -> None:
    assert parse_activity(in_group(entities=[])) is None
    assert parse_activity(in_group(entities=[{**MENTION, "mentioned": {"id": "29:x"}}])) is None


def test_a_person_without_the_directorys_id() -> None:
    found = question(parse_activity(activity(**{"from": {"id": "29:ann"}})))
    assert found.context.person == Participant("teams", "29:ann", "T1")


def test_changed_and_deleted() -> None:
    key = MessageKey("teams", "19:c@thread.tacv2", "77")
    found = parse_activity(in_channel(type="messageUpdate", channelData={"eventType": "editMessage"}))
    assert found == MessageChange(key, "days?")
    assert parse_activity(in_channel(type="messageDelete")) == MessageChange(key, None)
    assert parse_activity(in_channel(type="messageUpdate", **{"from": {"id": BOT}})) is None
    undone = parse_activity(in_channel(type="messageUpdate", channelData={"eventType": "undeleteMessage"}))
    assert undone == MessageChange(key, "days?", restored=True)


def test_arrivals_and_others() -> None:
    changes = {
        True: [
            activity("conversationUpdate", membersAdded=[{"id": BOT}]),
            activity("installationUpdate", action="add"),
        ],
        False: [
            activity("conversationUpdate", membersRemoved=[{"id": activity("message")["recipient"]["id"]}]),
            activity("installationUpdate", action="remove"),
        ],
    }
    for added, told in changes.items():
        for found in map(parse_activity, told):
            assert isinstance(found, InstallationChanged)
            assert found.added is added
    assert parse_activity(activity("installationUpdate", action="upgrade")) is None
    changed = MembersChanged(("a:1",))
    assert parse_activity(activity("conversationUpdate", membersAdded=[{"id": "29:x"}])) == changed
    assert parse_activity(activity("conversationUpdate", membersRemoved=[{"id": "29:x"}])) == changed
    team = {"team": {"id": "19:t@thread.tacv2"}, "channel": {"id": "19:c@thread.tacv2"}}
    somebody = in_channel("70", type="conversationUpdate", membersAdded=[{"id": "29:x"}], channelData=team)
    assert parse_activity(somebody) == MembersChanged(("19:c@thread.tacv2", "19:t@thread.tacv2"))
    assert parse_activity(activity("typing")) is None
    assert parse_activity(activity("invoke", name="composeExtension/query", value={"kb": "ask"})) is None


@pytest.mark.parametrize(
    ("more", "way"),
    [
        ({"type": "message", "text": None, "value": SHOWN}, "message"),
        (
            {"type": "invoke", "name": "adaptiveCard/action", "value": {"action": {"data": SHOWN}}},
            "card",
        ),
        ({"type": "invoke", "name": "task/fetch", "value": {"data": SHOWN}}, "dialog"),
        ({"type": "invoke", "name": "task/submit", "value": {"data": SHOWN}}, "dialog sent"),
    ],
)
def test_presses(more: dict[str, Any], way: str) -> None:
    found = parse_activity(in_channel(replyToId="71", **{"entities": [], **more}))
    assert isinstance(found, ButtonPress)
    assert (found.kind, found.button, found.message) == (way, ButtonData("preview", 5, 2), "71")
    assert found.context.place.thread == "70"
    assert not found.spoken


def test_a_suggestion_shows_as_a_message_of_who_pressed() -> None:
    found = parse_activity(in_group(entities=[], text="What else?", value={"kb": "ask", "text": "What else?"}))
    assert isinstance(found, ButtonPress)
    assert found.spoken


@pytest.mark.parametrize(
    ("given", "value", "reason"),
    [
        ({"reaction": "like", "feedback": '{"feedbackText": "good"}'}, 1, "good"),
        ({"reaction": "dislike", "feedback": "{}"}, -1, ""),
        ({"reaction": "dislike", "feedback": '{"why": "old", "n": 1}'}, -1, "old"),
        ({"reaction": "dislike", "feedback": "no JSON"}, -1, "no JSON"),
        ({"reaction": "dislike", "feedback": "[" * 5_000}, -1, "[" * 5_000),
        ({"reaction": "like", "feedback": 7}, 1, ""),
        ({"reaction": ["dislike"]}, 1, ""),
        (7, 1, ""),
    ],
)
def test_judgements(given: object, value: int, reason: str) -> None:
    call = {"name": "message/submitAction", "value": {"actionName": "feedback", "actionValue": given}}
    found = parse_activity(activity("invoke", replyToId="71", **call))
    assert isinstance(found, FeedbackGiven)
    assert (found.message, found.value, found.reason) == ("71", value, reason)


BROKEN: Mapping[str, dict[str, Any]] = {
    "no type": {"type": None},
    "a type that is no text": {"type": ["message"]},
    "no id": {"id": None},
    "a long id": {"id": "7" * 600},
    "an id that no database takes": {"id": "7\u0000"},
    "half a character": {"id": "\ud800"},
    "no conversation": {"conversation": None},
    "a conversation without id": {"conversation": {"conversationType": "personal"}},
    "no recipient": {"recipient": None},
    "no service": {"serviceUrl": None},
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_says_so(name: str) -> None:
    with pytest.raises(Refused):
        parse_activity(activity(**BROKEN[name]))


ODD: list[object] = [None, 7, "text", [], {}, [None], ["x"], {"id": 7}, True]


FIELDS = sorted(activity() | {"value": 1, "entities": 1, "attachments": 1, "replyToId": 1})


@pytest.mark.parametrize("kind", ["message", "messageUpdate", "conversationUpdate", "invoke"])
def test_nothing_that_a_field_may_be_is_a_fault_of_ours(kind: str) -> None:
    for field, odd in product(FIELDS, ODD):
        try:
            read(kind, field, odd)
        except Exception as error:
            error.add_note(f"{field} = {odd!r}")
            raise


def read(kind: str, field: str, odd: object) -> None:
    for made in (activity(kind, name="adaptiveCard/action"), in_channel(type=kind, name="message/submitAction")):
        try:
            found = parse_activity({**made, field: odd})
        except Refused:
            continue
        context = getattr(found, "context", None)
        assert context is None or isinstance(context, ActivityContext)
