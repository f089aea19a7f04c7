"""Writes docs/commands.md: `python -m scripts.commands_page >docs/commands.md`, or `make docs`.

All is taken from what the commands say of themselves with `--help`.
"""

import inspect
import sys
from collections.abc import Iterator

import click

from bot.cli.entry import kb

_INTRODUCTION = """\
# Commands

Made from what the commands say of themselves by `make docs`; change the commands, not this page.

With `--json` a command prints one JSON object on standard output and nothing else. Exit codes: 0 done, 1 failed,
2 wrong usage or configuration, or a question that is declined, 3 nothing found, 130 stopped by Ctrl-C
(`kb serve` and `kb worker`, which run until they are stopped: 0).
`kb -v COMMAND` shows the log on standard error; every command takes `--help`.
"""


def page() -> str:
    """The whole page, in Markdown: one section a command, with its arguments and options."""
    return "\n".join(
        [_INTRODUCTION, *(section for name, command in _commands("kb", kb) for section in _told(name, command))]
    )


def _commands(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """The commands that do something, each with all of its name, in order."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    if command.invoke_without_command:
        yield name, command
    for inner in sorted(command.commands):
        yield from _commands(f"{name} {inner}", command.commands[inner])


def _told(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=name)
    yield f"## `{' '.join([name, *command.collect_usage_pieces(context)])}`\n"
    yield f"{inspect.cleandoc((command.help or '').replace(chr(8), '')).strip()}\n"
    records = [record for each in command.get_params(context) if (record := each.get_help_record(context))]
    rows = [(option, meaning) for option, meaning in records if meaning and "--help" not in option]
    if rows:
        yield "| option | meaning |\n|---|---|"
        yield from (f"| `{_cell(option)}` | {_cell(meaning)} |" for option, meaning in rows)
        yield ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(page())
