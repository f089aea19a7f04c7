"""Parses files in child processes, so that a hostile file costs that file and nothing else. POSIX only."""

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Protocol, Self

from domain.documents import ParsedFile
from domain.errors import Bug, Transient
from indexer.parse import codec
from indexer.parse.child_process import READY
from indexer.parse.formats import Unparsable, check_size
from indexer.parse.limits import ParseLimits

DEFAULT_LIMITS = ParseLimits()
START_SECONDS = 30.0
"""How long a new child may take until it says that it is ready."""
FILES_PER_CHILD = 1_000
"""After so many files a child is replaced: what the libraries leak must not add up to the memory limit."""
BYTES_PER_CHARACTER = 8
"""Bounds a reply: JSON of one character of output, its share of names and positions included."""
MAX_METADATA = 1 << 20
"""Bytes of a reply beside its blocks."""
LONGEST_REASON = 200

_ROOT = Path(__file__).resolve().parents[2]
# nothing of our own environment: it may hold secrets
_ENVIRONMENT = {
    "PYTHONPATH": str(_ROOT),
    "PYTHONSAFEPATH": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUTF8": "1",
    "PYTHONHASHSEED": "0",
}


class FileParser(Protocol):
    """What parses files, as SandboxedParser does."""

    async def parse(self, raw: bytes, name: str, media_type: str = "") -> ParsedFile:
        """See SandboxedParser."""


class SandboxedParser(FileParser):
    """Turns raw bytes into ParsedFile in a child process with limits: one file at a time, further calls wait.

    Use it as `async with SandboxedParser() as parser`; leaving the block ends the child. limits: what one file may
    cost.
    """

    def __init__(self, limits: ParseLimits = DEFAULT_LIMITS) -> None:
        self._limits = limits
        self._turn = asyncio.Lock()
        self._child: _Child | None = None
        self._closed = False

    async def __aenter__(self) -> Self:
        """The parser itself; the child starts when the first file comes."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Kills the child and waits for its end."""
        self._closed = True
        if self._child is not None:
            self._child.kill()
        async with self._turn:  # who is parsing now gets an error, who waits for a turn finds the parser closed
            await self._discard()

    async def parse(self, raw: bytes, name: str, media_type: str = "") -> ParsedFile:
        """The structure of a file.

        Args:
            raw: its content.
            name: its file name, which tells the format where neither content nor `media_type` does.
            media_type: as its source declares it; empty when unknown.

        Raises:
            Unparsable: it cannot be read as a document, or exceeds a limit; `what` is the reason for the report.
            Transient: no process could be started now.
            Bug: the parser is closed, or the child does not come up at all.
        """
        check_size(raw, media_type, self._limits)
        async with self._turn:
            if self._closed:
                raise Bug("a file was given to a closed parser")
            if self._child is not None and self._child.is_gone:
                await self._discard()  # killed while it was idle: no fault of this file
            child = self._child = self._child or await _Child.start(self._limits)
            try:
                return await child.ask(raw, name, media_type)
            finally:
                if not child.usable:
                    await self._discard()

    async def _discard(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            await child.end()


class _Child:
    """One parsing process. usable: whether it may be given the next file."""

    def __init__(self, process: Process, limits: ParseLimits) -> None:
        self.usable = True
        self._process = process
        self._limits = limits
        self._files = 0

    @classmethod
    async def start(cls, limits: ParseLimits) -> "_Child":
        """A child that is ready. Raises Transient or Bug."""
        command = (sys.executable, "-m", "indexer.parse.child_process", json.dumps(asdict(limits)))
        try:
            # a session of its own: Ctrl-C reaches the parent alone, which then decides
            process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, env=_ENVIRONMENT, cwd="/", start_new_session=True
            )
        except OSError as failure:
            raise Transient("no parser process could be started", why=str(failure)) from failure
        child = cls(process, limits)
        try:
            await child._greet()
        except BaseException:
            child.kill()
            await child.end()
            raise
        return child

    @property
    def is_gone(self) -> bool:
        """Whether the process has ended by itself."""
        return self._process.returncode is not None

    async def ask(self, raw: bytes, name: str, media_type: str) -> ParsedFile:
        """The child's answer about one file. Raises Unparsable."""
        self.usable = False
        try:
            async with asyncio.timeout(self._limits.wall_seconds):
                stdin, _ = _pipes(self._process)
                for part in (json.dumps({"name": name, "media_type": media_type}).encode(), raw):
                    stdin.write(codec.frame(part))
                    await stdin.drain()
                message = await self._receive()
        except TimeoutError:
            raise Unparsable(f"parser took longer than {self._limits.wall_seconds:g} s") from None
        except (ConnectionError, asyncio.IncompleteReadError):
            raise Unparsable(await self._cause_of_death()) from None
        return self._understand(message)

    def kill(self) -> None:
        """End the process now; `end` must follow."""
        self.usable = False
        with suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> None:
        """Kill the process and wait until nothing of it is left."""
        self.kill()
        stdin, stdout = _pipes(self._process)
        stdin.close()
        await stdout.read()
        await self._process.wait()

    async def _greet(self) -> None:
        try:
            async with asyncio.timeout(START_SECONDS):
                greeting = await self._receive()
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError):
            greeting = b""
        if greeting != READY:
            raise Bug("the parser process did not come up", next_step="see what it wrote to standard error")

    async def _receive(self) -> bytes:
        _, stdout = _pipes(self._process)
        size: int = codec.LENGTH.unpack(await stdout.readexactly(codec.LENGTH.size))[0]
        if size > self._limits.output_characters * BYTES_PER_CHARACTER + MAX_METADATA:
            raise Unparsable("parser answered with too much text")
        return await stdout.readexactly(size)

    def _understand(self, message: bytes) -> ParsedFile:
        """What the reply says; it is not trusted more than the file was."""
        try:
            reply = codec.decode(message)
        except ValueError:
            raise Unparsable("parser answered nonsense") from None
        self._files += 1
        self.usable = not reply.spent and self._files < FILES_PER_CHILD
        if reply.parsed is None:
            raise Unparsable(" ".join(reply.refused.split())[:LONGEST_REASON])
        return reply.parsed

    async def _cause_of_death(self) -> str:
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                await self._process.wait()
        match self._process.returncode:
            case code if code == -signal.SIGXCPU:
                return f"parser used more than {self._limits.cpu_seconds} s of processor time"
            case int() as code if code < 0:
                return f"parser crashed ({signal.Signals(-code).name})"
            case code:
                return f"parser ended unexpectedly (status {code})"


def _pipes(process: Process) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
    if process.stdin is None or process.stdout is None:
        raise Bug("a parser process without pipes")
    return process.stdin, process.stdout
