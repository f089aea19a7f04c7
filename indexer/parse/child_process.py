"""The process in which files are parsed: reads one file after the other from its standard input.

Start it as `python -m indexer.parse.child_process LIMITS`, LIMITS being the fields of ParseLimits as a JSON object.
For each file it reads two frames, a JSON object with `name` and `media_type` and the raw content, and writes one, a
ParserReply.
"""

import csv
import json
import math
import os
import resource
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Any, BinaryIO

from indexer.parse.codec import LENGTH, ParserReply, encode, frame
from indexer.parse.formats import Unparsable, parse
from indexer.parse.limits import ParseLimits

READY = b"ready"
"""The first message, sent before any file is read."""
WATCH_SECONDS = 0.5
"""How often this process looks, while it parses, whether its parent is still there."""


def main() -> None:
    """Parse files until standard input ends."""
    limits = ParseLimits(**json.loads(sys.argv[1]))
    # the two ends of the conversation; what libraries print goes nowhere, lest it mix with the replies
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "r+b") as nowhere:  # noqa: PTH123 - a descriptor is wanted, not a path
        for descriptor in (0, 1, 2):
            os.dup2(nowhere.fileno(), descriptor)
    confine(limits)
    _watch(os.getppid())
    _write(sink, READY)
    while (header := _read(source)) is not None:
        raw = _read(source) or b""
        _start_clock(limits)
        reply = answer(json.loads(header), raw, limits)
        _write(sink, encode(reply))
        if reply.spent:
            return


def answer(header: dict[str, Any], raw: bytes, limits: ParseLimits) -> ParserReply:
    """The reply for one file; `spent` where the state of this process is not to be trusted any more."""
    try:
        return ParserReply(parse(raw, header["name"], header["media_type"], limits))
    except Unparsable as refusal:
        return ParserReply(refused=refusal.what)
    except RecursionError:
        return ParserReply(refused="nested too deeply")
    except MemoryError:
        return ParserReply(refused="parser ran out of memory", spent=True)
    except Exception as failure:  # noqa: BLE001 - any parser failure is reported for that file and ends no run
        return ParserReply(refused=f"parser failed: {type(failure).__name__}", spent=True)


def confine(limits: ParseLimits) -> None:
    """Limit this process for good: memory, no core dump, no growing file, no Ctrl-C of its own; cells of
    tables may be as long as a file."""
    csv.field_size_limit(limits.input_bytes)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    for kind, value in (
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        with suppress(ValueError, OSError):  # macOS has no limit on address space
            resource.setrlimit(kind, (value, value))


def _start_clock(limits: ParseLimits) -> None:
    """Start the clock of one file: beyond its processor time the system kills this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    allowed = math.ceil(used.ru_utime + used.ru_stime + limits.cpu_seconds)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (allowed if hard == resource.RLIM_INFINITY else min(allowed, hard), hard))


def _watch(parent: int) -> None:
    """End this process soon after its parent, which may be killed without a word."""

    def look(_signal: int, _frame: FrameType | None) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, WATCH_SECONDS, WATCH_SECONDS)


def _write(sink: BinaryIO, message: bytes) -> None:
    sink.write(frame(message))
    sink.flush()


def _read(source: BinaryIO) -> bytes | None:
    """The next message; None when the parent has hung up."""
    prefix = source.read(LENGTH.size)
    if len(prefix) < LENGTH.size:
        return None
    size: int = LENGTH.unpack(prefix)[0]
    return source.read(size)


if __name__ == "__main__":
    main()
