"""Reading questions from a person, with a history for the arrow keys."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

HISTORY = 500
"""Questions kept."""


class Prompt:
    """Asks for a line at a time.

    history: file that keeps earlier lines, readable by its owner alone; without one that can be written, nothing
    is kept.
    """

    def __init__(self, history: Path) -> None:
        self._history = history
        if sys.stdin.isatty():
            import readline

            with suppress(OSError):
                readline.read_history_file(history)
            readline.set_history_length(HISTORY)

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
                return line
            while not (line := input().strip()):
                pass  # a blank line ends a person's questions, not those of a file
            return line
        except EOFError:
            return ""

    def _keep(self) -> None:
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
