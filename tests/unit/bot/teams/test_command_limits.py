"""Many commands at once: few are served, one is told that there are too many, and answers do not wait for them."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.conversation.background_tasks import BackgroundTasks
from bot.teams import commands
from bot.teams.activities import MessageReceived, parse_activity
from bot.teams.command_limits import KNOWN, CommandLimits
from bot.teams.commands import TeamsCommands
from bot.teams.events import TeamsEventHandler
from bot.teams.outgoing_activities import text_message
from tests.fakes.teams import Conversation, Person, plain
from tests.fakes.teams.received_questions import Strangers
from tests.flows.teams.led import Led, leading

UNUSED: Any = None
"""Help needs neither actions nor the ledger."""


@pytest.fixture
async def led() -> AsyncIterator[Led]:
    async with leading() as opened:
        yield opened


def serving(led: Led, person: int = 1_000, conversation: int = 1_000) -> tuple[TeamsCommands, BackgroundTasks]:
    background = BackgroundTasks()
    events = TeamsEventHandler(led.service, Strangers(), led.connector, background, UNUSED)
    return TeamsCommands(events, UNUSED, CommandLimits(person, conversation)), background


def asking_for_help(led: Led, person: Person, place: Conversation) -> MessageReceived:
    found = parse_activity(led.teams.say(person, place, "help").activity)
    assert isinstance(found, MessageReceived)
    return found


async def test_a_flood_of_commands_has_few_replies_and_one_that_says_why(led: Led) -> None:
    ann, ben = led.teams.add_person("ann"), led.teams.add_person("ben")
    place = led.teams.add_group([ann, ben])
    served, background = serving(led, person=3, conversation=4)
    for person in (ann, ben):
        for _ in range(30):
            await served.serve(asking_for_help(led, person, place))
    await background.finish(20.0)
    shown = [plain(each) for each in led.teams.seen(place.id)]
    assert sum("How to ask" in each for each in shown) == 4
    assert sum("You ask faster" in each for each in shown) == 2, "each once"
    assert sum("This channel asks faster" in each for each in shown) == 1
    assert len(shown) == 7


async def test_an_answer_does_not_wait_for_replies_to_commands(led: Led) -> None:
    ann = led.teams.add_person("ann")
    place = led.teams.add_group([ann])
    served, background = serving(led)
    for _ in range(100):
        asked = asking_for_help(led, ann, place)
        await served.serve(asked)
    await asyncio.sleep(0)  # all of them have begun
    answer = await led.connector.send(asked.context.reference.handle, text_message("Thirty days."))
    assert [each.id for each in led.teams.seen(place.id)].index(answer) < 20
    await background.finish(0.0)


async def test_so_many_commands_are_served_at_a_time(led: Led) -> None:
    ann = led.teams.add_person("ann")
    place = led.teams.add_group([ann])
    served, background = serving(led)
    for _ in range(commands.MOST + 20):
        await served.serve(asking_for_help(led, ann, place))
    assert len(served._serving) == commands.MOST
    await background.finish(0.0)
    await asyncio.sleep(0)
    assert not served._serving


def test_a_minute_later_commands_are_served_again() -> None:
    now = 0.0
    limits = CommandLimits(person=2, conversation=5, clock=lambda: now)
    for moment, excess in ((0, None), (10, None), (20, "user_minute"), (30, "again"), (71, None)):
        now = float(moment)
        assert limits.take("ann", "here") == excess


def test_not_everybody_is_remembered() -> None:
    limits = CommandLimits()
    for number in range(KNOWN):
        assert limits.take(f"person {number}", f"place {number}") is None
    assert len(limits._typed) == KNOWN
