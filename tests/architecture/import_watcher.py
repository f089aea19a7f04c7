"""Runs in a child process: `python import_watcher.py ROOT` imports the modules that standard input names, one a line,
and ends with an error when one of them does more than read code.

It imports nothing of ours by itself.
"""

import importlib
import os
import sys
from pathlib import Path

FORBIDDEN = {
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.kill",
    "os.mkdir",
    "os.posix_spawn",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.spawn",
    "os.symlink",
    "os.system",
    "os.truncate",
    "pty.spawn",
    "shutil.copyfile",
    "shutil.move",
    "shutil.rmtree",
    "socket.bind",
    "socket.connect",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "socket.sendto",
    "sqlite3.connect",
    "subprocess.Popen",
    "tempfile.mkdtemp",
    "tempfile.mkstemp",
}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC

ALLOWED = {
    "socket.bind": ("urllib3.util.connection", -1, ("::1", 0)),
    "subprocess.Popen": ("croniter.croniter", 0, "file"),
}
"""What a library does when it is imported, by event: the module that does it, and to what, by the argument's place.
urllib3, which LangGraph's tracing brings along, binds a free port of its own machine for a moment to find out whether
there is IPv6; nothing is sent, and nobody can connect. croniter, which procrastinate brings along, asks `file` whether
Python is of 32 bits."""

WORD_TABLES = "agent/checking/words"
"""Word lists that are kept beside the code which they are a part of: their patterns are compiled with the module."""


class Forbidden(BaseException):
    """More than reading code. No `except Exception` can hide it."""


def refuse(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook, see sys.addaudithook."""
    if event in FORBIDDEN and not allowed(event, arguments):
        raise Forbidden(f"{event} {arguments!r}")
    if event == "open":
        path, mode, flags = arguments
        if writes(mode, flags) and path != os.devnull:
            raise Forbidden(f"writes {path!r}")
        if isinstance(path, str) and reads_data(path):
            raise Forbidden(f"reads {path}")


def allowed(event: str, arguments: tuple[object, ...]) -> bool:
    """Whether exactly this, done by that module, is known to be harmless."""
    if event not in ALLOWED:
        return False
    module, place, what = ALLOWED[event]
    return arguments[place] == what and module in callers()


def callers() -> set[object]:
    """The modules whose code led here."""
    frame, found = sys._getframe(), set()
    while frame := frame.f_back:  # type: ignore[assignment] # None ends it
        found.add(frame.f_globals.get("__name__"))
    return found


def writes(mode: object, flags: object) -> bool:
    """Whether a file opened so can be written to. Reading a terminal or /dev/null is none of that."""
    return (isinstance(mode, str) and bool(set(mode) & set("wax+"))) or (
        isinstance(flags, int) and bool(flags & WRITING)
    )


def reads_data(path: str) -> bool:
    """Whether it is a file of this checkout that is not code, such as default settings."""
    found = Path(path).resolve()
    installed = found.is_relative_to(sys.prefix)  # a virtual environment may lie inside the checkout
    code = path.endswith((".py", ".pyc")) or found.is_relative_to(Path(sys.argv[1], WORD_TABLES))
    return found.is_relative_to(sys.argv[1]) and not installed and not code


def main() -> None:
    """Imports them all."""
    names = sys.stdin.read().split()
    # their packages' own folders are listed by the import system from here on
    sys.addaudithook(refuse)
    for name in names:
        try:
            importlib.import_module(name)
        except Forbidden as found:
            sys.exit(f"{name}: {found}")


if __name__ == "__main__":
    main()
