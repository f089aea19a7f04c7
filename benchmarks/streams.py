"""A hundred replies that are followed at once over HTTP, in one `kb serve`, and what that costs in memory.

    python -m benchmarks.streams [--streams N] [--rounds N] [--steps N]

In each round so many questions are asked with `Accept: text/event-stream`, twenty by each caller. The process answers
none of them itself: states of each reply are written into the database, as a worker in another process does, so many
steps and the outcome, and each stream is read to its end. Prints one JSON object: resident memory of the process
before, with all streams open, and after each round; milliseconds from a state's writing to its event; the load of the
machine. The peer in the same run is one stream alone.
"""

import asyncio
import json
import os
import re
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import psutil

from benchmarks.measuring import parser, report, say, spread_with_max
from benchmarks.serving import indexed
from bot.web.asking import MAX_OF_ONE, STREAM
from bot.web.models import OutcomeBody
from bot.web.reply_state import ReplyState
from storage.open import Storage, open_storage
from storage.server.database import DatabaseOptions
from tests.command import Kb, KbProcess, wait_for

BESIDE: Mapping[str, str] = {
    "API_PORT": "0",
    "HTTP_PORT": "0",
    "SCHEDULE": "false",
    "WORKER_CONCURRENCY": "0",
    "QUESTIONS_USER_MINUTE": "100000",
    "QUESTIONS_USER_DAY": "1000000",
    "QUESTIONS_WAITING": "100000",
    "LLM_BASE_URL": "",
}
"""Settings of the process: it takes questions, and answers none."""


@dataclass
class Followed:
    """One reply that is followed. sentences: when each was heard, on time.perf_counter."""

    number: int
    reply: aiohttp.ClientResponse
    sentences: list[float] = field(default_factory=list)
    ended: bool = False

    async def read(self) -> None:
        """Reads to the end."""
        async for name, _ in events(self.reply):
            if name == "sentence":
                self.sentences.append(time.perf_counter())
            self.ended = self.ended or name == "outcome"


async def events(reply: aiohttp.ClientResponse) -> AsyncIterator[tuple[str, str]]:
    """Name and data of each."""
    name = ""
    async for line in reply.content:
        kind, _, rest = line.decode().strip().partition(": ")
        if kind == "event":
            name = rest
        elif kind == "data":
            yield name, rest


async def opened(session: aiohttp.ClientSession, base: str, token: str, stack: AsyncExitStack) -> Followed:
    """Asks, and reads the first event."""
    headers = {"Authorization": f"Bearer {token}", "Accept": STREAM}
    body = {"question": "How many days of vacation?"}
    reply = await stack.enter_async_context(session.post(f"{base}/ask", json=body, headers=headers))
    async for _, data in events(reply):
        return Followed(int(json.loads(data)["number"]), reply)
    raise AssertionError("a stream without an event")


async def one_round(
    base: str, tokens: list[str], storage: Storage, process: KbProcess, streams: int, steps: int
) -> dict[str, object]:
    """Opens so many, shows so many steps of each and an outcome, and reads all to their end."""
    written: list[float] = []
    async with AsyncExitStack() as stack:
        nothing_kept = aiohttp.TCPConnector(limit=0, force_close=True)
        session = await stack.enter_async_context(aiohttp.ClientSession(connector=nothing_kept, trust_env=False))
        asked = [opened(session, base, tokens[each // MAX_OF_ONE], stack) for each in range(streams)]
        followed = await asyncio.gather(*asked)
        open_mb = memory(process)
        reading = [asyncio.create_task(each.read()) for each in followed]
        for step in range(1, steps + 1):
            written.append(time.perf_counter())
            await _show(storage, followed, ReplyState(1, step, written="A sentence of the answer. " * step))
            await asyncio.sleep(0.5)
        outcome = OutcomeBody(result="answered", text="A sentence of the answer. " * steps)
        await _show(storage, followed, ReplyState(1, steps + 1, written=outcome.text, outcome=outcome))
        most = memory(process)
        await asyncio.gather(*reading)
    assert all(each.ended for each in followed)
    late = [1000 * (heard - at) for each in followed for heard, at in zip(each.sentences, written, strict=False)]
    return {
        "open_mb": open_mb,
        "most_mb": max(open_mb, most),
        "heard_after_ms": late,
        "events": sum(len(each.sentences) for each in followed),
    }


async def _show(storage: Storage, followed: list[Followed], state: ReplyState) -> None:
    shown = storage.shown_replies()
    for each in followed:
        await shown.put(each.number, state.at, state.as_json())


def memory(process: KbProcess) -> float:
    """Resident size in MB."""
    return round(psutil.Process(process.process.pid).memory_info().rss / 2**20, 1)


@asynccontextmanager
async def _store(url: str) -> AsyncIterator[Storage]:
    async with open_storage(DatabaseOptions(url=url, data_dir=Path())) as storage:
        yield storage


async def measured(
    base: str, tokens: list[str], url: str, process: KbProcess, arguments: Mapping[str, int]
) -> dict[str, object]:
    """All rounds."""
    async with _store(url) as storage:
        alone = await one_round(base, tokens, storage, process, 1, arguments["steps"])
        before, rounds = memory(process), []
        for number in range(arguments["rounds"]):
            found = await one_round(base, tokens, storage, process, arguments["streams"], arguments["steps"])
            await asyncio.sleep(1.0)
            found["after_mb"] = memory(process)
            say(f"round {number + 1}: {found['open_mb']} MB open, {found['after_mb']} MB after")
            rounds.append(found)
    heard = [each for found in rounds for each in _numbers(found["heard_after_ms"])]
    return {
        "streams": arguments["streams"],
        "before_mb": before,
        "rounds": [{name: each[name] for name in ("open_mb", "most_mb", "after_mb", "events")} for each in rounds],
        "heard_after_ms": spread_with_max(heard, 0),
        "heard_after_ms_alone": spread_with_max(_numbers(alone["heard_after_ms"]), 0),
        "load": round(os.getloadavg()[0], 1),
    }


def _numbers(found: object) -> list[float]:
    assert isinstance(found, list)
    return found


def token_of(kb: Kb, email: str) -> str:
    """A new token of somebody's."""
    return str(kb("tokens", "create", "bench", "--as", email, "--json").json["token"])


def api_of(process: KbProcess) -> str:
    """Where its API is, once it listens."""
    wait_for(lambda: "API at" in process.said or process.process.poll() is not None)
    found = re.search(r"API at (http://\S+/api/v1)", process.said)
    assert found, process.said
    return found[1]


def main() -> None:
    """Measures, and prints."""
    arguments = vars(parser(__doc__, streams=100, rounds=10, steps=10).parse_args())
    with indexed(0.0) as (indexing, settings):
        kb = indexing.having(**{**settings, **BESIDE})
        tokens = [token_of(kb, f"u{each}@example.com") for each in range(-(-arguments["streams"] // MAX_OF_ONE))]
        process = kb.start("serve")
        try:
            base = api_of(process)
            report(asyncio.run(measured(base, tokens, settings["DATABASE_URL"], process, arguments)))
        finally:
            process.close()


if __name__ == "__main__":
    main()
