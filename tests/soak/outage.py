"""`python -m tests.soak.outage --minutes 10`: the database is gone for so long, under load, and comes back.

Its server ends while questions are answered and a scheduled run reads a source. What people see meanwhile, what the
processes take and log, when they are back by themselves, and what became of each question is printed as JSON. It ends
with 1 where a promise was broken.
"""

import argparse
import json
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from statistics import median

import psutil

from tests.command import rows, wait_for, write
from tests.fakes.slack import plain
from tests.flows.slack.reading import QUESTION
from tests.flows.slack.talk import Talk, newcomer, room
from tests.soak.asking import Asked, Askers, Clock
from tests.soak.outcomes import Outcomes, guarded, settle
from tests.soak.scene import ROLES, Scene, opened
from tests.soak.watching import Sample, Watch

NOTE = "# Cupboard {0}\n\nIn cupboard {0} there are {0} cups.\n"

SCHEDULED = {"SCHEDULE": "true", "SCHEDULE_CONTENT": "* * * * *", "SCHEDULE_PERMISSIONS": "", "SCHEDULE_PRUNE": ""}
"""Every minute all sources are read."""

_RUNS = """
    SELECT state, extract(epoch FROM started_at)::float, extract(epoch FROM finished_at)::float
    FROM runs WHERE source = 'notes' ORDER BY run_id LIMIT 12
"""

SLACK_INTERVALS = (0.0, 60.0, 300.0)
"""After so many seconds each, Slack delivers again what was not acknowledged."""

MAX_LINES = 60
"""Lines that a process may log in each minute that has begun."""

READ_SECONDS = 300.0
"""Within which a scheduled run is well under way."""

COMMAND_SECONDS = 3.0
"""Within which a command is acknowledged; Slack itself waits for three."""

GROWTH, THREADS = 25, 4
"""Megabytes, and threads, that a process may grow by meanwhile."""


@dataclass(frozen=True)
class Plan:
    """minutes: for which the database is gone. calm: seconds before and after. notes: documents that a scheduled run is
    at when it goes. every: seconds between two questions."""

    minutes: float = 10.0
    calm: float = 60.0
    notes: int = 300
    every: float = 1.5
    seed: int = 1


@dataclass
class Readiness:
    """Asks each process for /readyz, again and again. told: role, seconds, and what it says from then on."""

    scene: Scene
    clock: Clock
    over: threading.Event = field(default_factory=threading.Event)
    told: list[tuple[str, float, int]] = field(default_factory=list)

    def run(self) -> None:
        """Goes on until it is told to end."""
        now: dict[str, int] = {}
        while not self.over.wait(0.5):
            for role in ROLES:
                if (status := self.scene.ready(role)) != now.get(role):
                    now[role] = status
                    self.told.append((role, self.clock(), status))

    def first(self, role: str, status: int, since: float) -> float | None:
        """Seconds from `since` until a process said so."""
        return next(
            (round(at - since, 1) for who, at, what in self.told if (who, what) == (role, status) and at >= since), None
        )

    def again(self, role: str, gone: float, back: float) -> float | None:
        """Seconds from `back` until a process that was not ready is so again; 0 where it is before anybody noted that
        the database is back."""
        lost = next((at for who, at, what in self.told if (who, what) == (role, 503) and at >= gone), gone)
        ready = next((at for who, at, what in self.told if (who, what) == (role, 200) and at >= lost), None)
        return None if ready is None else max(0.0, round(ready - back, 1))


@dataclass
class Outage:
    """Lets the database go and come back. gone, back: when. seen: what was seen below each question just before it came
    back. commands: what who typed a command saw then."""

    scene: Scene
    askers: Askers
    plan: Plan
    broken: list[str] = field(default_factory=list)
    gone: float = 0.0
    back: float = 0.0
    seen: dict[Asked, Sequence[str]] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)
    index: dict[str, object] = field(default_factory=dict)

    def run(self) -> None:
        """All of it, in order."""
        scene, clock = self.scene, self.askers.clock
        folder = write(scene.folder / "notes", first="# Cupboards\n\nThere are cupboards.\n")
        self._check(scene.index("index", str(folder)), "the notes could not be indexed")
        time.sleep(self.plan.calm)
        write(folder, **{f"note{each}": NOTE.format(each) for each in range(self.plan.notes)})
        until = time.monotonic() + READ_SECONDS
        while self.notes() < self.plan.notes / 10:
            assert time.monotonic() < until, "no scheduled run reads the notes"
            time.sleep(0.05)
        self.index["notes written when it went, at least"] = self.notes()
        scene.kill_database(signal.SIGINT)
        self.gone = clock()
        self._check(not scene.answers(scene.direct), "the server still answers")
        self._check(not scene.answers(scene.kb.env["KB_AGENT_DATABASE_URL"]), "it is reached through the proxy")
        self._meanwhile()
        self.seen = {each: self.askers.shown(each) for each in list(self.askers.asked)}
        scene.start_database()
        self.back = clock()
        self.index["notes written when it came back"] = self.notes()
        time.sleep(self.plan.calm)

    def _meanwhile(self) -> None:
        """What else is tried while it is gone: commands, and an index run by hand."""
        until, talk = time.monotonic() + self.plan.minutes * 60, self._person()
        time.sleep(self.plan.minutes * 60 / 4)
        for words in ("status", QUESTION):
            took = talk.command(words).acked_after
            self._check(took is not None and took < COMMAND_SECONDS, f"/kb {words} was acknowledged after {took} s")
        self.commands = [plain(each) for each in self.scene.slack.ephemerals(talk.channel, talk.person)]
        began = time.monotonic()
        before = len(self.scene.logs)
        self.index["kb index meanwhile"] = {
            "code": self.scene.run("index", str(self.scene.folder / "board")),
            "seconds": round(time.monotonic() - began, 1),
            "said": self.scene.logs[before:],
        }
        time.sleep(max(0.0, until - time.monotonic()))

    def _person(self) -> Talk:
        """Who types commands."""
        return room(self.scene.slack, "commands", person=newcomer(self.scene.slack, "typing"))

    def notes(self) -> int:
        """How many of them are indexed."""
        ((found,),) = rows(self.scene.direct, "SELECT count(*) FROM documents WHERE starts_with(title, 'Cupboard ')")
        return int(found)

    def _check(self, holds: bool, words: str) -> None:
        if not holds:
            self.broken.append(words)


def gone(scene: Scene, plan: Plan) -> dict[str, object]:
    """Runs it; gives what came of it."""
    scene.slack.courier.retry_intervals = SLACK_INTERVALS
    clock = Clock()
    askers = Askers(scene, plan.every, random.Random(f"{plan.seed} asking"), clock)
    outage = Outage(scene, askers, plan)
    broken, ready, watch = outage.broken, Readiness(scene, clock), Watch(scene, clock, threading.Event())
    pids = {role: each.process.pid for role, each in scene.running.items()}
    threads = [
        threading.Thread(target=guarded, args=(each.run, broken), daemon=True) for each in (askers, ready, watch)
    ]
    for each in threads:
        each.start()
    load = psutil.getloadavg()[0]
    guarded(outage.run, broken)
    scene.start_database()
    askers.over.set()
    threads[0].join()
    settle(scene)
    broken += [f"{role} has ended" for role, each in scene.running.items() if each.process.poll() is not None]
    broken += [f"{role} is another process" for role, each in scene.running.items() if each.process.pid != pids[role]]
    guarded(lambda: wait_for(lambda: outage.notes() == plan.notes), broken)
    ready.over.set()
    watch.over.set()
    for each in threads[1:]:
        each.join()
    logged = {role: each.said.splitlines() for role, each in scene.running.items()}
    broken += [f"{role} ended with {code}" for role, code in scene.end_all().items() if code]
    broken += _grown(watch, outage)
    told = _told(scene, outage, askers, ready, watch, clock)
    return {
        "seconds": round(clock()),
        "load average at the beginning, and at the end": (load, psutil.getloadavg()[0]),
        "logged": {role: _kinds(lines) for role, lines in logged.items()},
        **told,
        "broken": broken,
        "samples": watch.samples,
    }


def _told(
    scene: Scene, outage: Outage, askers: Askers, ready: Readiness, watch: Watch, clock: Clock
) -> dict[str, object]:
    """What came of the questions, and of the processes; what was broken is added to the outage's list."""
    found = Outcomes.of(scene, askers)
    ended = found.ended(clock.made)
    open_then = [each for each in askers.asked if each.at < outage.gone and ended.get(each, outage.back) >= outage.gone]
    outage.broken += found.broken(late=open_then)
    return {
        "gone, seconds": round(outage.back - outage.gone, 1),
        "questions": len(askers.asked),
        **found.counts(),
        "open when it went": Counter(_result(found, each) for each in open_then),
        "asked while it was gone": Counter(_result(found, each) for each in askers.asked if _meanwhile(each, outage)),
        "asked while it was gone, taken by no replica that said so": len(askers.lost),
        "seen below those just before it came back": Counter(
            " / ".join(outage.seen[each]) or "nothing" for each in outage.seen if _meanwhile(each, outage)
        ),
        "seen below those that were open": Counter(" / ".join(outage.seen[each]) or "nothing" for each in open_then),
        "seen by who typed commands": outage.commands,
        "not ready after, seconds": {role: ready.first(role, 503, outage.gone) for role in ROLES},
        "ready again after, seconds": {role: ready.again(role, outage.gone, outage.back) for role in ROLES},
        "first outcome after, seconds": round(min(at for at in ended.values() if at > outage.back) - outage.back, 1),
        "all that waited had their outcome after, seconds": round(
            max(at for each, at in ended.items() if each.at < outage.back) - outage.back, 1
        ),
        "memory, MB, in the first and last quarter": _ends(watch, outage, lambda each: each.memory),
        "threads, in the first and last quarter": _ends(watch, outage, lambda each: each.threads),
        "lines a minute": {role: round(_lines(watch, outage, role)) for role in ROLES},
        "index": outage.index,
        "runs over the notes: state, and seconds of its beginning and end since it was back": [
            (state, *(at and round(at - clock.made - outage.back) for at in times))
            for state, *times in rows(scene.direct, _RUNS)
        ],
    }


def _meanwhile(asked: Asked, outage: Outage) -> bool:
    return outage.gone <= asked.at < outage.back


def _result(found: Outcomes, asked: Asked) -> str:
    return next((str(row.result) for row in found.ledger if row.key == asked.message), "none")


def _during(watch: Watch, outage: Outage) -> list[Sample]:
    return [each for each in watch.samples if outage.gone <= each.at < outage.back]


def _ends(watch: Watch, outage: Outage, size: Callable[[Sample], dict[str, float]]) -> dict[str, tuple[float, float]]:
    """The median of each process at the beginning and at the end of the outage."""
    samples = _during(watch, outage)
    count = max(1, len(samples) // 4)
    return {
        role: (
            round(median(size(each)[role] for each in samples[:count])),
            round(median(size(each)[role] for each in samples[-count:])),
        )
        for role in ROLES
    }


def _grown(watch: Watch, outage: Outage) -> list[str]:
    """What did not stay as it was meanwhile, in words."""
    most = MAX_LINES * ceil(outage.plan.minutes)
    lines = {role: _lines(watch, outage, role) * outage.plan.minutes for role in ROLES}
    said = [f"{role} logged {found:.0f} lines" for role, found in lines.items() if found > most]
    memory, threads = (_ends(watch, outage, size) for size in (lambda each: each.memory, lambda each: each.threads))
    said += [
        f"{role} grew from {first} to {last} MB" for role, (first, last) in memory.items() if last > first + GROWTH
    ]
    return said + [
        f"{role} grew from {first} to {last} threads"
        for role, (first, last) in threads.items()
        if last > first + THREADS
    ]


def _lines(watch: Watch, outage: Outage, role: str) -> float:
    """Lines a minute that a process logged meanwhile."""
    first, *_, last = _during(watch, outage)
    return (last.lines[role] - first.lines[role]) / (last.at - first.at) * 60


def _kinds(lines: Sequence[str]) -> dict[str, int]:
    """How often each kind of line was logged, without times and numbers."""
    kinds = Counter(
        "".join("#" if each.isdigit() else each for each in line.partition(",")[2][4:])[:200] for line in lines
    )
    return dict(kinds.most_common(25))


def main() -> int:
    """Lets it go, and prints."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--minutes", type=float, default=Plan.minutes)
    given.add_argument("--calm", type=float, default=Plan.calm, help="seconds before and after")
    given.add_argument("--every", type=float, default=Plan.every, help="seconds between two questions")
    given.add_argument("--seed", type=int, default=Plan.seed)
    given.add_argument("--out", type=Path, default=Path(".soak"), help="folder for the logs")
    chosen = given.parse_args()
    with opened(env=SCHEDULED) as scene:
        found = gone(scene, Plan(chosen.minutes, chosen.calm, every=chosen.every, seed=chosen.seed))
    found.pop("samples")
    chosen.out.mkdir(exist_ok=True)
    (chosen.out / "outage.log").write_text("\n".join(scene.logs))
    print(json.dumps(found, indent=2, ensure_ascii=False))
    return 1 if found["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
