"""Starts `python -m bot.cli` without its seconds of imports: a process that has imported the product is forked.

A request is one message: arguments, environment and working folder as JSON, and three descriptors: standard output and
errors of the new process, and a socket to which its number and, when it has ended, its exit code are written.
"""

import atexit
import gc
import json
import os
import pkgutil
import runpy
import signal
import socket
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from domain.masking import Masker

PACKAGES = ("domain", "config", "net", "storage", "agent", "indexer", "bot")
LARGEST_REQUEST = 1 << 17
_NUMBER = struct.Struct("i")


class ForkedProcess:
    """What tests use of subprocess.Popen, for a process that the server started. control: says how it ends."""

    def __init__(self, control: socket.socket) -> None:
        (self.pid,) = _NUMBER.unpack(control.recv(_NUMBER.size))
        self.returncode: int | None = None
        self._ended = threading.Event()
        threading.Thread(target=self._watch, args=[control], daemon=True).start()

    def _watch(self, control: socket.socket) -> None:
        with control:
            (self.returncode,) = _NUMBER.unpack(control.recv(_NUMBER.size))
        self._ended.set()

    def poll(self) -> int | None:
        """Its exit code, once it has ended; minus a signal's number where that killed it."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Waits for its end. Raises subprocess.TimeoutExpired."""
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired("kb", timeout or 0.0)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Sends a signal, unless it has ended."""
        with suppress(ProcessLookupError):
            if self.returncode is None:
                os.kill(self.pid, number)

    def kill(self) -> None:
        """SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """SIGTERM."""
        self.send_signal(signal.SIGTERM)


class ForkServer:
    """The running server. It ends with the process that started it. env: its whole environment."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", __file__, str(theirs.fileno())],  # this file over any release's product
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=env,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        atexit.register(self._end)

    def _end(self) -> None:
        self._requests.close()
        self._process.wait()

    def start(
        self, words: Sequence[str | bytes], env: Mapping[str, str], folder: Path, descriptors: Sequence[int]
    ) -> ForkedProcess:
        """Starts `python -m bot.cli` with these words in a session of its own.

        env: its whole environment. descriptors: its standard output and errors; there is nothing to read.
        """
        request = {"words": [os.fsdecode(each) for each in words], "env": dict(env), "folder": str(folder)}
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            socket.send_fds(self._requests, [json.dumps(request).encode()], [*descriptors, theirs.fileno()])
        return ForkedProcess(ours)


def _import_product() -> None:
    for package in map(import_module, PACKAGES):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    Masker()  # its patterns are compiled once in a process, and take a while


def _serve(requests: socket.socket) -> None:
    """Forks for each request, until nobody can send any more. Returns in the new processes, too, ready to run."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(requests, LARGEST_REQUEST, 3)
        if not message:
            break
        if os.fork() == 0:
            requests.close()
            _start(json.loads(message), descriptors)
        for each in descriptors:
            os.close(each)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _start(request: Any, descriptors: list[int]) -> None:
    """Forks once more. The first process waits for the second, and tells how it ended; the second is the product."""
    *standard, control = descriptors
    if number := os.fork():
        for each in standard:
            os.close(each)
        os.write(control, _NUMBER.pack(number))
        _, status = os.waitpid(number, 0)
        with suppress(OSError):  # nobody waits any more
            os.write(control, _NUMBER.pack(os.waitstatus_to_exitcode(status)))
        os._exit(0)
    os.setsid()
    for number, each in enumerate(standard, 1):
        os.dup2(each, number)
    for each in descriptors:
        os.close(each)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["folder"])
    sys.argv[1:] = request["words"]
    _exit(_ended())


def _ended() -> int:
    """Runs the product; gives its exit code."""
    try:
        runpy.run_module("bot.cli", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return ended.code or 0
        print(ended.code, file=sys.stderr)
        return 1
    except BaseException:  # noqa: BLE001 - as at the end of any Python process
        traceback.print_exc()
        return 1
    return 0


def _exit(code: int) -> NoReturn:
    """Ends as Python does, but does not take down all that was imported: that copies the first process's memory, and
    takes four times as long as a short command."""
    threading._shutdown()  # type: ignore[attr-defined] # waits for threads that are no daemons
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # closed, or nobody reads any more
            stream.flush()
    os._exit(code)


def main() -> None:
    """The server."""
    _import_product()
    gc.collect()
    gc.freeze()  # what was imported is not looked at again in each process
    _serve(socket.socket(fileno=int(sys.argv[1])))


if __name__ == "__main__":
    main()
