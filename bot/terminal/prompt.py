"""Reading questions from a person, with a history for the arrow keys."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from domain.masking import Masker

HISTORY = 500
"""Questions kept."""


class Prompt:
    """Asks for a line at a time.

    history: file that keeps earlier lines, readable by its owner alone; without one that can be written, nothing
    is kept. masker: takes secrets and personal data out of the lines that are kept, also of those that an earlier
    release or policy left there.
    """

    def __init__(self, history: Path, masker: Masker) -> None:
        self._history = history
        self._masker = masker
        if sys.stdin.isatty():
            import readline

            with suppress(OSError):
                readline.read_history_file(history)
            readline.set_history_length(HISTORY)
            if self._mask(range(1, readline.get_current_history_length() + 1)):
                self._write()

    def read(self) -> str:
        """The next line; empty when the person is done. It waits for the person alone: Ctrl-C ends it at once."""
        with _interruptible():
            line = self._line()
        return "" if line.lower() in {"exit", "quit", ":q"} else line

    def _line(self) -> str:
        try:
            if sys.stdin.isatty():
                line = input("? ").strip()
                self._keep()
                return line  # as it was typed
            while not (line := input().strip()):
                pass  # a blank line ends a person's questions, not those of a file
            return line
        except EOFError:
            return ""

    def _keep(self) -> None:
        import readline

        length = readline.get_current_history_length()
        self._mask(range(max(1, length), length + 1))
        self._write()

    def _mask(self, numbers: range) -> bool:
        """Masks those of the lines that the arrow keys bring back, counted from 1; returns whether any changed."""
        import readline

        changed = False
        for number in numbers:
            line = readline.get_history_item(number)
            masked = self._masker.mask(line).text if line else line
            if masked != line:
                readline.replace_history_item(number - 1, masked)
                changed = True
        return changed

    def _write(self) -> None:
        import readline

        with suppress(OSError):
            self._history.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self._history, os.O_CREAT | os.O_WRONLY, 0o600))
            readline.write_history_file(self._history)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Inside, Ctrl-C raises KeyboardInterrupt here, rather than asking an event loop that is not running to stop."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
