"""`kb ask --interactive`: one question after another, from a file or from a person at a terminal."""

import os
import pty
import select
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from domain.masking import Masker
from tests.command import PATIENCE, Kb, KbProcess, write
from tests.fakes import handbook
from tests.fakes.masking import github_token

APPROVAL = """\
# Approvals

## Vacation approval

Vacation of the staff is approved by the team lead.

## Travel approval

Travel of the staff is approved by the director.
"""


@pytest.fixture(scope="module")
def filled(shared: Kb, tmp_path_factory: pytest.TempPathFactory) -> Kb:
    folder = handbook.make(tmp_path_factory.mktemp("company") / "handbook")
    write(folder, approvals=APPROVAL)
    assert shared("index", str(folder)).code == 0
    return shared


def test_a_follow_up_leans_on_the_question_before(filled: Kb) -> None:
    alone = filled("ask", "--interactive", stdin="Who approves it?\n")
    travel = filled("ask", "-i", stdin="Is travel possible for staff?\nWho approves it?\n")
    vacation = filled("ask", "-i", stdin="Is vacation possible for staff?\nWho approves it?\n")
    assert travel.code == vacation.code == 0
    last = {name: done.out.strip().split("\n\n\n")[-1] for name, done in (("t", travel), ("v", vacation))}
    assert last["t"].startswith("Travel of the staff is approved by the director. [1]")
    assert last["v"].startswith("Vacation of the staff is approved by the team lead. [1]")
    assert alone.out.count("References") <= 1


def test_questions_come_one_a_line_and_end_with_the_input(filled: Kb) -> None:
    done = filled("ask", "-i", stdin="How many days of vacation?\n\n   \nWhat does the error VPN-4711 mean?\n")
    assert done.code == 0
    assert done.out.count("References") == 2
    assert "thirty days" in done.out
    assert "the certificate has expired" in done.out
    assert "Ask a question." in done.err
    assert "?" not in done.out.split("\n")[0], "no prompt where nobody types"


@pytest.mark.parametrize("word", ["exit", "QUIT", " :q "])
def test_a_word_ends_it(filled: Kb, word: str) -> None:
    done = filled("ask", "-i", stdin=f"{word}\nHow many days of vacation?\n")
    assert (done.code, done.out) == (0, "")


def test_one_question_that_fails_does_not_end_the_others(filled: Kb) -> None:
    done = filled("ask", "-i", stdin="x" * 5_000 + "\nHow many days of vacation?\n")
    assert done.code == 0
    assert "more than 4,000 characters" in done.out
    assert "thirty days" in done.out


def test_undecodable_input_is_no_error(filled: Kb) -> None:
    assert "thirty days" in filled("ask", "-i", stdin=b"How many days of vacation\xff\xfe?\n").out


class Terminal:
    """A terminal with `kb ask -i` on it."""

    def __init__(self, start: Callable[..., KbProcess]) -> None:
        self.screen = b""
        self._master, slave = pty.openpty()
        self.kb = start("ask", "-i", stdin=slave, stdout=slave)
        os.close(slave)

    def type(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def until(self, shown: bytes) -> None:
        """Reads until the text is on the screen."""
        deadline = time.monotonic() + PATIENCE
        while shown not in self.screen:
            readable, _, _ = select.select([self._master], [], [], max(0.0, deadline - time.monotonic()))
            assert readable, self.screen
            self.screen += os.read(self._master, 4096)

    def close(self) -> None:
        os.close(self._master)


@pytest.fixture
def terminal(filled: Kb, tmp_path: Path) -> Iterator[Terminal]:
    """With a data folder of its own, for the history."""
    folder = tmp_path / "data"
    started = Terminal(filled.having(DATA_DIR=str(folder)).start)
    yield started
    started.kb.close()
    started.close()


def test_a_person_at_a_terminal_asks_and_interrupts(terminal: Terminal, tmp_path: Path) -> None:
    terminal.until(b"? ")
    terminal.type(b"How many days of vacation?\n")
    terminal.until(b"References")
    terminal.until(b"fuller answers.")
    time.sleep(0.2)  # until it waits for the next line
    terminal.kb.interrupt()
    done = terminal.kb.end()  # Ctrl-C does not wait for Enter
    assert done.code == 130
    assert "Traceback" not in done.err
    history = tmp_path / "data" / "history"
    assert "How many days of vacation?" in history.read_text()
    assert stat.S_IMODE(history.stat().st_mode) == 0o600


@pytest.mark.slow
def test_the_history_keeps_no_secret_and_no_address(filled: Kb, tmp_path: Path) -> None:
    before, now = github_token(), github_token()
    history = tmp_path / "data" / "history"
    history.parent.mkdir()
    history.write_text(f"Who knows {before}?\nHow many days of vacation?\n")
    started = Terminal(filled.having(DATA_DIR=str(history.parent)).start)
    try:
        started.until(b"? ")
        assert before not in history.read_text(), "what an earlier release wrote is masked at once"
        line = f"How many days of vacation? I am jane.doe@example.com with {now}."
        started.type(f"{line}\n".encode())
        started.until(b"fuller answers.")
        started.type(b"\n")
        assert started.kb.end().code == 0
    finally:
        started.kb.close()
        started.close()
    first, second, third = history.read_text().splitlines()
    assert first.startswith("Who knows [masked")
    assert second == "How many days of vacation?"
    assert now not in third
    assert third == Masker().mask(line).text, "personal data too"
