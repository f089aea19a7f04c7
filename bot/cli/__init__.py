"""The `kb` command. Modules here import only what parsing a command line needs; the rest comes when a command runs."""

import os
import signal
from collections.abc import Sequence

STOPPED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs `kb` and exits with its code. Importing this module costs nothing, so that Ctrl-C is heeded before the
    command's own modules are imported."""
    signal.signal(signal.SIGINT, _stop_at_once)
    from bot.cli import entry

    entry.main(arguments)


def _stop_at_once(*_: object) -> None:
    """Nothing is open yet. Raised within an import, KeyboardInterrupt may be taken for a module that is missing."""
    os.write(2, b"\nStopped.\n")
    os._exit(STOPPED)
