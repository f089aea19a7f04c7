"""Every `kb` command on a page runs here, or stands in a list with what runs it."""

import re
import shlex
from pathlib import Path

import click
import pytest

from bot.cli.entry import kb as program
from tests.architecture.checkout import committed, text
from tests.command import Kb

FENCED = re.compile(r"^ *```(?:sh|console|text)?\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"\s*(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\.venv/bin/)?kb ([a-z].*)")
PAGES = [path for path in committed() if re.fullmatch(r"README\.md|docs/.+\.md", path)]

ELSEWHERE = {
    r"index examples/|ask .*(?:is failing|allowance|torque|pension)": "tests/flows/test_terminal_session.py",
    r"(?:serve|try)$": "runs until it is ended: tests/flows/slack, teams and web",
    r"ask --interactive": "asks until it is ended: tests/flows/test_ask.py",
    r"(?:sources|reindex) .*\b(?:wiki|desk)\b": "takes a Confluence or Jira: tests/flows/atlassian",
    r"reindex --full": "makes a whole index: tests/flows/test_reindex.py",
    r"eval ": "tests/flows/test_eval.py",
    r"tokens ": "tests/flows/web/test_documented.py",
    r"ask '.*ferry|is still finding": "tests/golden/rights, a conversation: no command to type",
    r"ask \"[^a-z]+\"": "tests/flows/test_languages.py",
}
"""What is not run here, and why, or by what."""

GIVEN = {
    "~/documents": "documents",
    "PATH_OR_URL": "documents",
    "QUESTION": "How many days of vacation?",
    ">": None,
    "ada.json": None,
    "<notes.txt": None,
}
"""What stands for something else on the pages; None: left out."""

ENDS = {"people erase ada@example.com": {1}, "trace 812": {2}}
"""Exit codes of what is answered with no here, and of a question that is not there; all else ends with 0 or 3."""


def lines() -> list[str]:
    """Each command once, without what the shell does with it."""
    found = [
        " ".join(line[1].split("||")[0].split("  #")[0].split())
        for page in PAGES
        for block in FENCED.findall(text(page))
        for each in block.replace("\\\n", " ").splitlines()
        if (line := LINE.fullmatch(each))
    ]
    return list(dict.fromkeys(found))


HERE = [line for line in lines() if not any(re.match(pattern, line) for pattern in ELSEWHERE)]


def test_what_runs_elsewhere_is_still_on_a_page() -> None:
    assert [pattern for pattern in ELSEWHERE if not any(re.match(pattern, line) for line in lines())] == []
    assert len(HERE) > 15


@pytest.mark.parametrize("line", [line for line in lines() if not line.startswith(("is still", "ask '"))])
def test_a_command_has_the_options_that_a_page_gives_it(line: str) -> None:
    words = shlex.split(line)
    command: click.Command = program
    while isinstance(command, click.Group) and words and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
    assert [word for word in words if word.startswith("-") and word.split("=")[0] not in known] == []


def test_commands_of_the_pages_run(indexed: Kb) -> None:
    folder: Path = indexed.folder / "documents"
    folder.mkdir()
    (folder / "vacation.md").write_text("# Vacation\n\nEverybody has 30 days of vacation.\n", encoding="utf-8")
    failed = []
    for line in HERE:
        words = [given for word in shlex.split(line) if (given := GIVEN.get(word, word)) is not None]
        done = indexed(*words, stdin="Mail Ada.\n" if words[0] == "mask" else "no\n")
        if done.code not in ENDS.get(" ".join(words), {0, 3}):
            failed.append((line, done.code, done.err))
    assert failed == []
