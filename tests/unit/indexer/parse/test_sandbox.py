import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from domain.errors import Bug
from indexer.parse.formats import Unparsable
from indexer.parse.limits import ParseLimits
from indexer.parse.outline import CUT
from indexer.parse.sandbox import SandboxedParser
from tests.unit.indexer.parse.parsing import texts

SLOW = ("para *word* `code` [a](b)\n\n" * 200_000).encode()
"""Five megabytes of Markdown: several seconds of work."""
ROOT = Path(__file__).parents[3]


def children() -> list[psutil.Process]:
    """The parsing processes of this process."""
    return [
        child for child in psutil.Process().children() if "indexer.parse.child_process" in " ".join(child.cmdline())
    ]


async def until(holds: Callable[[], bool], seconds: float = 10) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


async def busy(child: psutil.Process) -> None:
    """Wait until `child` has begun with a file."""
    before = child.cpu_times().user
    await until(lambda: child.cpu_times().user > before + 0.05)


async def reason(pool: SandboxedParser, raw: bytes, name: str = "a.md") -> str:
    """Why the pool refuses a file."""
    with pytest.raises(Unparsable) as caught:
        await pool.parse(raw, name)
    return caught.value.what


async def reads(pool: SandboxedParser) -> bool:
    """Whether the pool still parses."""
    return texts(await pool.parse(b"hello", "a.txt")) == ["hello"]


async def test_one_child_reads_many_files_and_is_gone_afterwards() -> None:
    async with SandboxedParser() as pool:
        assert not children()
        file = await pool.parse("---\nauthor: Ann\n---\n# Tïtle\n\n## A\n\ntext \U0001f600\n".encode(), "a.md")
        first = children()
        assert (file.title, file.metadata, texts(file)) == ("Tïtle", {"author": "Ann"}, ["text \U0001f600"])
        assert await reason(pool, b"\0", "a.md") == "binary: has NUL bytes"
        assert texts(await pool.parse(b"<p>x", "page", "text/html")) == ["x"]
        assert children() == first
        assert len(first) == 1
    assert not children()


async def test_odd_names() -> None:
    async with SandboxedParser() as pool:
        for name in ("../a\udcff.md", "a\0b.md", "x" * 5_000 + ".md", "зум.md"):
            assert texts(await pool.parse(b"hello", name)) == ["hello"]


async def test_calls_at_one_time_take_turns_with_the_child() -> None:
    async with SandboxedParser() as pool:
        files = await asyncio.gather(*(pool.parse(f"file {n}".encode(), "a.txt") for n in range(10)))
        assert [texts(file) for file in files] == [[f"file {n}"] for n in range(10)]
        assert len(children()) == 1
    assert not children()


async def test_empty_and_too_large_files_need_no_child() -> None:
    async with SandboxedParser(ParseLimits(input_bytes=10)) as pool:
        assert await reason(pool, b" ") == "empty"
        assert await reason(pool, b"x" * 11) == "larger than 10 bytes"
        assert not children()


async def test_a_long_cell_of_a_table_is_read() -> None:
    async with SandboxedParser() as pool:
        (table,) = texts(await pool.parse(f"a,b\n1,{'x' * 200_000}\n".encode(), "a.csv"))
        assert len(table) > 200_000


async def test_processor_time_is_limited_for_each_file() -> None:
    async with SandboxedParser(ParseLimits(cpu_seconds=1)) as pool:
        assert await reads(pool)
        assert await reason(pool, SLOW) == "parser used more than 1 s of processor time"
        assert await reads(pool)
        assert len(children()) == 1


async def test_time_on_the_clock_is_limited() -> None:
    async with SandboxedParser(ParseLimits(wall_seconds=1.5)) as pool:
        assert await reads(pool)
        started = time.monotonic()
        assert await reason(pool, SLOW) == "parser took longer than 1.5 s"
        assert time.monotonic() - started < 30
        assert await reads(pool)


async def test_memory_is_limited() -> None:
    async with SandboxedParser(ParseLimits(memory_bytes=80_000_000)) as pool:
        assert await reads(pool)
        assert await reason(pool, b"<b></b>x" * 500_000, "a.html") == "parser ran out of memory"
        assert await reason(pool, SLOW) == "parser ran out of memory"
        assert await reads(pool)


async def test_limits_of_the_parsers_reach_the_child() -> None:
    async with SandboxedParser(ParseLimits(table_rows=5, nesting=10, output_characters=1_000)) as pool:
        cut = await pool.parse(b"a,b\n" * 6, "a.csv")
        assert cut.metadata["cut"] == "a table of more than 5 rows"
        assert cut.blocks[-1].text == CUT.format("a table of more than 5 rows")
        assert await reason(pool, b"> " * 20 + b"x") == "nested more than 10 levels deep"
        cut = await pool.parse(b"word " * 500, "a.md")
        assert cut.metadata["cut"] == "more than 1,000 characters of text"
        assert 900 < len(cut.blocks[0].text) <= 1_000
        assert len(children()) == 1


@pytest.mark.parametrize(("sent", "name"), [(signal.SIGKILL, "SIGKILL"), (signal.SIGSEGV, "SIGSEGV")])
async def test_child_that_dies_is_replaced(sent: signal.Signals, name: str) -> None:
    async with SandboxedParser() as pool:
        assert await reads(pool)
        (child,) = children()
        parsing = asyncio.create_task(reason(pool, SLOW))
        await busy(child)
        child.send_signal(sent)
        assert await parsing == f"parser crashed ({name})"
        assert await reads(pool)
        assert children() != [child]


async def test_child_that_died_between_files_costs_no_file() -> None:
    async with SandboxedParser() as pool:
        assert await reads(pool)
        (child,) = children()
        child.kill()
        await until(lambda: not child.is_running())
        await asyncio.sleep(0.05)
        assert await reads(pool)


async def test_cancelling_kills_the_child_and_frees_its_place() -> None:
    async with SandboxedParser() as pool:
        assert await reads(pool)
        (child,) = children()
        parsing = asyncio.create_task(pool.parse(SLOW, "a.md"))
        await busy(child)
        parsing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await parsing
        assert not child.is_running()
        assert await reads(pool)


async def test_closing_ends_what_is_being_parsed() -> None:
    async with SandboxedParser() as pool:
        assert await reads(pool)
        parsing = asyncio.create_task(reason(pool, SLOW))
        await asyncio.sleep(0.1)
    assert (await parsing).startswith("parser crashed")
    assert not children()
    with pytest.raises(Bug):
        await pool.parse(b"x", "a.md")


async def test_interrupts_are_left_to_the_parent() -> None:
    async with SandboxedParser() as pool:
        assert await reads(pool)
        (child,) = children()
        child.send_signal(signal.SIGINT)
        assert await reads(pool)
        assert children() == [child]


SCRIPT = """
import asyncio, signal, sys
from indexer.parse.sandbox import SandboxedParser
# a shell may have switched it off for what it runs in the background
signal.signal(signal.SIGINT, signal.default_int_handler)
async def main():
    async with SandboxedParser() as pool:
        await pool.parse(b"warm", "a.txt")
        print("ready", flush=True)
        await pool.parse(b"para *word* [a](b)\\n\\n" * 300_000, "a.md")
asyncio.run(main())
"""


@pytest.mark.check
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_when_the_parent_is_stopped(sent: signal.Signals) -> None:
    environment = {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        (child,) = psutil.Process(parent.pid).children()
        time.sleep(0.1)
        os.kill(parent.pid, sent)
        parent.wait(10)
        # after a SIGKILL nobody tells the child, which looks for itself
        assert child in psutil.wait_procs([child], timeout=5)[0]


async def test_child_inherits_nothing_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_AGENT_SECRET", "hunter2")
    async with SandboxedParser() as pool:
        assert await reads(pool)
        environment = children()[0].environ()
    assert set(environment) <= {
        *("PYTHONPATH", "PYTHONSAFEPATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUTF8", "PYTHONHASHSEED", "LC_CTYPE")
    }


async def test_child_is_confined() -> None:
    async with SandboxedParser(ParseLimits(memory_bytes=900_000_000)) as pool:
        assert await reads(pool)
        child = children()[0]
        assert child.rlimit(psutil.RLIMIT_AS) == (900_000_000, 900_000_000)
        assert child.rlimit(psutil.RLIMIT_CORE) == (0, 0)
        assert child.rlimit(psutil.RLIMIT_FSIZE) == (0, 0)
        assert 0 < child.rlimit(psutil.RLIMIT_CPU)[0] <= 40
        assert child.cwd() == "/"


def test_child_that_is_hung_up_on_ends() -> None:
    limits = json.dumps({"cpu_seconds": 5})
    command = [sys.executable, "-m", "indexer.parse.child_process", limits]
    done = subprocess.run(
        command, input=b"\0\0\0\2{}", capture_output=True, timeout=10, env={"PYTHONPATH": str(ROOT)}, check=False
    )
    assert (done.stdout[:9], done.stderr) == (b"\0\0\0\5ready", b"")
