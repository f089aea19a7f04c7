"""Microsoft's own libraries for apps in Teams read what the local Teams of the tests tells of people, and what we send.

They say what a field is called and what it may hold. They do not say what Teams' service does with it."""

import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from botbuilder.core import TurnContext
from botbuilder.core.adapters import TestAdapter
from botbuilder.core.teams import TeamsActivityHandler
from botbuilder.schema import Activity
from pydantic import BaseModel

from bot.conversation.delivery_buffer import MessageChange
from bot.teams.activities import parse_activity
from bot.teams.citation_entity import _ICONS
from domain.answers import ReplyPart
from domain.masked_answer import masked_answer
from tests.counterparts.conftest import INSTALLED, missing
from tests.fakes.platform import answer
from tests.fakes.teams import LocalTeams, Person, local_teams
from tests.fakes.teams.checks import ICONS
from tests.flows.teams.led import Led, leading
from tests.unit.bot.teams.test_reply import LESS, LONG, MASKER, PARTS, answered_at_length, asked, going, platform

Json = dict[str, Any]

UNKNOWN_TO_IT = {"summary"}
"""Of a message, what the schema of the Bot Framework has and the newer library has not: words of a notification."""

KINDS = {
    "say": "Message",
    "edit": "MessageUpdate",
    "delete": "MessageDelete",
    "undelete": "MessageUpdate",
    "install": "ConversationUpdate",
    "join": "ConversationUpdate",
    "judge": "MessageSubmitActionInvoke",
    "press": "Message",
    "execute": "AdaptiveCardInvoke",
}
"""What the SDK takes for what."""

CHANGES = {"edit": "editMessage", "delete": "softDeleteMessage", "undelete": "undeleteMessage"}


@pytest.fixture(scope="module")
def sdk() -> Iterator[Any]:
    """The module of its activities."""
    folder = INSTALLED / "teams_sdk"
    if not folder.is_dir():
        missing("teams-sdk", "`make counterparts` installs it")
    sys.path.append(str(folder))
    try:
        yield import_module("microsoft_teams.api.activities")
    finally:
        sys.path.remove(str(folder))


def told(teams: LocalTeams, kind: str) -> dict[str, Json]:
    """What somebody can do in a conversation of a kind, each as the activity that tells of it."""
    ann = teams.add_person("ann")
    place = {
        "personal": teams.personal(ann),
        "group": teams.add_group([ann]),
        "channel": teams.add_channel("general", [ann]),
    }[kind]
    says = teams.saying
    said = says.say(ann, place, "How many days?")
    ours = teams.world.post(place.id, teams.world.bot, {"type": "message", "text": "Thirty."})
    return {
        "say": said.activity,
        "edit": says.edit(ann, place, said, "Who approves them?").activity,
        "delete": says.delete(ann, place, said).activity,
        "undelete": says.undelete(ann, place, said).activity,
        "install": says.install(ann, place),
        "join": says.joined(ann, place),
        "judge": says.feedback(ann, place, ours, "dislike", "too short"),
        "press": says.press(ann, place, ours, {"a": 1}),
        "execute": says.execute(ann, place, ours, "verb", {"a": 1}),
    }


class Noted(TeamsActivityHandler):  # type: ignore[misc] # the library has no types
    """Notes for which kind of change Microsoft's handler takes an activity."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    async def on_teams_message_edit(self, turn_context: TurnContext) -> None:
        self.seen.append("edit")

    async def on_teams_message_undelete(self, turn_context: TurnContext) -> None:
        self.seen.append("undelete")

    async def on_teams_message_soft_delete(self, turn_context: TurnContext) -> None:
        self.seen.append("delete")


@pytest.mark.parametrize("kind", ["personal", "group", "channel"])
async def test_the_bot_framework_takes_each_change_for_what_we_take_it_for(kind: str) -> None:
    with local_teams() as teams:
        activities = told(teams, kind)
    handler = Noted()
    for name in CHANGES:
        read = Activity().deserialize(activities[name])
        await handler.on_turn(TurnContext(TestAdapter(), read))
        ours = parse_activity(activities[name])
        assert isinstance(ours, MessageChange)
        assert (ours.text is None, ours.restored) == (name == "delete", name == "undelete")
    assert handler.seen == list(CHANGES)


@pytest.mark.parametrize("kind", ["personal", "group", "channel"])
def test_the_sdk_knows_all_that_the_local_teams_tells(sdk: Any, kind: str) -> None:
    with local_teams() as teams:
        activities = told(teams, kind)
    read = {name: sdk.ActivityTypeAdapter.validate_python(each) for name, each in activities.items()}
    assert {name: read[name].channel_data.event_type for name in CHANGES} == CHANGES
    assert {name: type(each).__name__.removesuffix("Activity") for name, each in read.items()} == KINDS


def strangers(model: Any) -> Iterator[str]:
    """Fields that its classes do not know, and entities of which it knows only that they have a type."""
    if isinstance(model, BaseModel):
        yield from model.model_extra or ()
        if type(model).__name__ == "UnknownEntity":
            yield str(model)
        for name in type(model).model_fields:
            yield from strangers(getattr(model, name))
    elif isinstance(model, list):
        for each in model:
            yield from strangers(each)


@pytest.fixture
async def led() -> AsyncIterator[Led]:
    async with leading() as opened:
        yield opened


async def sends(led: Led, ann: Person) -> None:
    """A streamed answer, a long one, its correction, and one to a question that was changed."""
    streamed = platform(led).reply(asked(led, ann, led.teams.personal(ann)), 30.0)
    await streamed.open()
    await streamed.progress(going(30))
    for part in PARTS:
        await streamed.write(ReplyPart(MASKER.mask(part)))
    cited = answer("".join(PARTS), "c1")
    url, wide = "https://wiki.example.com/handbook", "word " * 200
    source = replace(cited.citations[0], url=url, path="a.docx", title=wide, quote=wide, source=wide, place=wide)
    await streamed.finish(masked_answer(replace(cited, citations=(source,)), MASKER))
    kept = await answered_at_length(led, ann, led.teams.add_group([ann]))
    led.teams.api.deletes = False
    again = replace(kept, attempt=2, revision=1, time_left=timedelta(minutes=1))
    shop = platform(led)
    reply = shop.reply(again, 30.0)
    await reply.resume()
    await reply.finish(LONG)
    await platform(led).reply(kept, 30.0).correct(LESS)
    await shop._shared.deletions.finish(30.0)


def test_the_sdk_has_all_icons_of_ours_and_of_the_local_teams(sdk: Any) -> None:
    module = import_module("microsoft_teams.api.models.entity.citation_entity")
    icons = {each.value for each in module.CitationIconName}
    assert set(_ICONS) <= icons
    assert icons == ICONS


async def test_the_sdk_knows_all_that_we_send(sdk: Any, led: Led) -> None:
    await sends(led, led.teams.add_person("ann"))
    bodies = [(call.operation, call.body) for call in led.teams.calls() if call.body.get("type")]
    assert {"send", "update", "stream", "final", "typing"} <= {operation for operation, _ in bodies}
    for operation, body in bodies:
        kind = sdk.TypingActivityInput if body["type"] == "typing" else sdk.MessageActivityInput
        read = kind.model_validate(body)
        assert set(strangers(read)) <= UNKNOWN_TO_IT
        again = read.model_dump(by_alias=True, exclude_unset=True, exclude_none=True, mode="json")
        for name in ("text", "textFormat", "entities", "channelData"):
            if name in body:
                assert again[name] == body[name], operation
