"""What can be typed, and that the platforms show it."""

from typing import get_args

import pytest

from bot.conversation.commands import COMMANDS, ChatCommand, CommandName, closest_command, parse_command
from bot.slack import views
from bot.teams import card_templates


def test_every_command_has_one_row() -> None:
    assert sorted(each.name for each in COMMANDS) == sorted(get_args(CommandName))


@pytest.mark.parametrize("each", COMMANDS, ids=lambda each: each.name)
def test_what_its_usage_says_is_understood(each: ChatCommand) -> None:
    assert parse_command(each.usage).word == each.name


def test_a_command_that_takes_no_more_is_a_question_with_more() -> None:
    for each in COMMANDS:
        found = parse_command(f"{each.name} of all")
        assert found.word == (each.name if each.takes_more else "ask")
        assert found.rest == ("of all" if each.takes_more else f"{each.name} of all")


def test_both_helps_show_each_command_once() -> None:
    slack, teams = repr(views.help_message()), repr(card_templates.help_card())
    for each in COMMANDS:
        assert slack.count(f"/kb {each.usage}` — ") == 1
        assert teams.count(f"'text': '{each.usage}'") == (each.name != "ask")


def test_a_slip_is_noticed() -> None:
    assert closest_command("satus") == "status"
    assert closest_command("aks") is None
