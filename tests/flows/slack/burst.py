"""Many questions at one moment, and how each of them ended."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil

from tests.command import Kb, KbProcess
from tests.fakes.model_rules import reasonable
from tests.fakes.model_server import Body, Reply, Rule
from tests.fakes.slack import LocalSlack, Said, plain
from tests.flows.slack.reading import QUESTION, questions, replies, settled

SIGNS = ("chat.startStream", "chat.postMessage")


@dataclass(frozen=True)
class Burst:
    """What came of it.

    acknowledged: seconds to each acknowledgement. signs: seconds to the first visible sign of each question. seconds:
    to the last outcome. results: of the ledger. visible: messages of the bot's below each question. busy: questions
    that were told so. memory: resident bytes of the process before, and at most meanwhile.
    """

    acknowledged: list[float]
    signs: list[float]
    seconds: float
    results: dict[str, int]
    visible: list[int]
    busy: int
    memory: tuple[int, int]


def taking(seconds: float) -> Rule:
    """A rule of the model server: the reasonable model's replies, each after so many seconds."""

    def rule(body: Body) -> Reply:
        said = reasonable(body)
        return Reply(said.text, latency=seconds)

    return rule


@contextmanager
def watched(process: KbProcess) -> Iterator[list[int]]:
    """Inside, resident bytes of the process are noted ten times a second."""
    seen = [psutil.Process(process.process.pid).memory_info().rss]
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.1):
            seen.append(psutil.Process(process.process.pid).memory_info().rss)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def ask_at_once(kb: Kb, slack: LocalSlack, process: KbProcess, count: int, *, patience: float) -> Burst:
    """Asks the same question so often, each person once, ten in a channel, and waits for all outcomes."""
    earlier = len(questions(kb))
    people = [slack.add_user(f"u{number}", email=f"u{number}@example.com") for number in range(count)]
    channels = [slack.add_channel(f"c{start}", people[start : start + 10]).id for start in range(0, count, 10)]
    with watched(process) as memory:
        began = time.monotonic()
        asked: list[tuple[str, Said]] = []
        for number, person in enumerate(people):
            channel = channels[number // 10]
            asked.append((channel, slack.say(person, channel, f"<@{slack.bot}> {QUESTION}")))
        slack.until(lambda: len(questions(kb)) == earlier + count and settled(kb), patience)
        seconds = time.monotonic() - began
    shown = {(channel, str(said)): replies(slack, channel, said) for channel, said in asked}
    states = [result for (result,) in questions(kb, "result")[earlier:]]
    return Burst(
        acknowledged=[
            each.acked_after for _, said in asked for each in said.deliveries if each.acked_after is not None
        ],
        signs=_signs(slack, asked),
        seconds=seconds,
        results={name: states.count(name) for name in sorted(set(states))},
        visible=[len(each) for each in shown.values()],
        busy=sum("I am busy" in plain(each[0]) for each in shown.values() if each),
        memory=(memory[0], max(memory)),
    )


def _signs(slack: LocalSlack, asked: list[tuple[str, Said]]) -> list[float]:
    """Seconds from each question to the first call that showed something below it."""
    said_at = {(channel, str(said)): said.deliveries[0].attempts[0].at for channel, said in asked}
    first: dict[tuple[str, str], float] = {}
    for call in slack.calls():
        place = (str(call.args.get("channel")), str(call.args.get("thread_ts")))
        if call.method in SIGNS and call.ok and place in said_at:
            first.setdefault(place, call.at)
    return [first[place] - said_at[place] for place in said_at if place in first]
