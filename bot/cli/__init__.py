"""The `kb` command. Modules here import only what parsing a command line needs; the rest comes when a command runs."""

import os
import signal
import sys
from collections.abc import Sequence

STOPPED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs `kb` and exits with its code. Importing this module costs nothing, so that Ctrl-C is heeded before the
    command's own modules are imported."""
    as_json = "--json" in (sys.argv if arguments is None else arguments)
    signal.signal(signal.SIGINT, lambda *_: _stop_at_once(as_json=as_json))
    from bot.cli import entry

    entry.main(arguments)


def _stop_at_once(*, as_json: bool) -> None:
    """Nothing is open yet. Raised within an import, KeyboardInterrupt may be taken for a module that is missing."""
    if as_json:
        os.write(1, b'{"error": {"what": "Stopped", "why": "", "next": ""}}\n')
    os.write(2, b"\nStopped.\n")
    os._exit(STOPPED)
