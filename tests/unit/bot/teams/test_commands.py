"""Which messages are commands."""

import pytest

from bot.conversation.commands import Command
from bot.teams.commands import command_of


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("status", Command("status")),
        ("STATUS ", Command("status")),
        ("status of the build?", Command("ask", "status of the build?")),
        ("help me with leave", Command("ask", "help me with leave")),
        ("", Command("help")),
        ("hi", Command("help")),
        ("Hello!", Command("help")),
        ("hello world program?", Command("ask", "hello world program?")),
        ("ask status", Command("ask", "status", asked=True)),
        ("feedback good", Command("feedback", "good")),
        ("feedback bad too long", Command("feedback", "bad too long")),
        ("feedback", Command("feedback")),
        ("feedback process for new hires", Command("ask", "feedback process for new hires", asked=True)),
        ("reindex", Command("reindex")),
        ("reindex handbook", Command("reindex", "handbook")),
        ("reindex takes how long, then?", Command("ask", "reindex takes how long, then?", asked=True)),
        ("share", Command("share")),
        ("share How many days?", Command("share", "How many days?")),
    ],
)  # fmt: skip
def test_in_private(text: str, command: Command) -> None:
    assert command_of(text, private=True) == command


def test_where_all_read_along_sharing_is_asking() -> None:
    assert command_of("share How many days?", private=False) == Command("ask", "How many days?", asked=True)
    assert command_of("share", private=False) == Command("share")
