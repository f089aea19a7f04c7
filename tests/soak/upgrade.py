"""`python -m tests.soak.upgrade --from COMMIT`: processes of an earlier release are replaced one by one under load.

Two replicas and a worker of the earlier code answer; the schema is upgraded under them, and they go on over it; then
each is ended as an operating system does, and started with this tree's code. It ends with 1 where a promise was broken,
and with 2 where there is no such commit.
"""

import argparse
import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import psutil
import psycopg

from tests.command import ROOT, Kb, rows, wait_for, write
from tests.soak.asking import Asked, Askers, Clock
from tests.soak.outcomes import Outcomes, guarded, settle
from tests.soak.releases import NoHistory, code_of, revision_of
from tests.soak.scene import ROLES, Scene, opened

UPGRADED = "schema upgraded"

NOTE = "# Cupboard {0}\n\nIn cupboard {0} there are {0} cups.\n"
"""What is indexed while the schema is upgraded, many times."""

_TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"


@dataclass(frozen=True)
class Plan:
    """calm: seconds in each stage in which nothing is done but answering. dump: seconds for which somebody reads all
    tables while the schema is upgraded, as a backup does. notes: documents that the earlier release indexes meanwhile.
    every: seconds between two questions."""

    calm: float = 30.0
    dump: float = 20.0
    notes: int = 600
    every: float = 0.8
    seed: int = 1


@dataclass(frozen=True)
class Stage:
    """What was done, from when to when, in seconds since the beginning."""

    name: str
    began: float
    ended: float


@dataclass
class Rollout:
    """Replaces one release by another."""

    scene: Scene
    clock: Clock
    plan: Plan
    stages: list[Stage] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    indexed: float = 0.0
    """When the earlier release's index run had ended."""
    dumping: threading.Event = field(default_factory=threading.Event)
    before: list[str] = field(default_factory=list)
    """What the processes of the earlier release have logged."""

    def run(self) -> None:
        """All of it, in order."""
        scene = self.scene
        earlier, later = scene.kb, replace(scene.kb, code=ROOT)
        self._stage("earlier release", self._wait)
        self._refused(later, f"this release over schema {revision_of(earlier.code)}")
        scene.kb = later
        with self._beside(lambda: self._indexed(earlier)):
            wait_for(lambda: self._documents() > self.plan.notes / 10)
            with self._beside(self._dump):
                wait_for(self.dumping.is_set)
                self._stage(UPGRADED, self._upgrade)
        self._stage("earlier release over the new schema", self._wait)
        self._refused(earlier, f"the earlier release over schema {revision_of(ROOT)}")
        for role in ROLES:
            self._stage(f"{role} ended and started anew", partial(self._anew, role))
            self._stage(f"after {role}", self._wait)
        self._stage("index run", self._index)
        self._stage("this release", self._wait)

    @contextmanager
    def _beside(self, work: Callable[[], None]) -> Iterator[None]:
        """Inside, that is done in a thread of its own; its end is waited for."""
        thread = threading.Thread(target=guarded, args=(work, self.broken), daemon=True)
        thread.start()
        try:
            yield
        finally:
            thread.join()

    def _indexed(self, kb: Kb) -> None:
        """An index run of the earlier release, which goes on while the schema is upgraded."""
        write(self.scene.folder / "notes", **{f"note{each}": NOTE.format(each) for each in range(self.plan.notes)})
        self._done("index", str(self.scene.folder / "notes"), kb=kb)
        self.indexed = self.clock()

    def _documents(self) -> int:
        ((found,),) = rows(self.scene.direct, "SELECT count(*) FROM documents")
        return int(found)

    def over_the_new(self) -> float:
        """Seconds from the end of the upgrade to the end of the earlier release's index run."""
        upgraded = next((each.ended for each in self.stages if each.name == UPGRADED), self.clock())
        return round(self.indexed - upgraded, 1)

    def _stage(self, name: str, work: Callable[[], None]) -> None:
        began = self.clock()
        work()
        self.stages.append(Stage(name, began, self.clock()))

    def _wait(self) -> None:
        time.sleep(self.plan.calm)
        for role in ROLES:
            if (status := self.scene.ready(role)) != 200:
                self.broken.append(f"{role} is not ready: {status}")

    def _refused(self, kb: Kb, what: str) -> None:
        """A start that has to be refused shows whose code it is."""
        if self.scene.run("status", kb=kb) != 2:
            self.broken.append(f"{what} is not refused")

    def _dump(self) -> None:
        """Holds what pg_dump holds: a lock of each table, in one transaction."""
        names = ", ".join(f'"{name}"' for (name,) in rows(self.scene.direct, _TABLES))
        with psycopg.connect(self.scene.direct) as connection:
            connection.execute(f"LOCK TABLE {names} IN ACCESS SHARE MODE".encode())
            self.dumping.set()
            time.sleep(self.plan.dump)

    def _upgrade(self) -> None:
        self._done("db", "upgrade")
        ((found,),) = rows(self.scene.direct, "SELECT version_num FROM alembic_version")
        if found != revision_of(ROOT):
            self.broken.append(f"the schema is {found}")

    def _anew(self, role: str) -> None:
        """Ends it, and waits until another one is ready."""
        before = len(self.scene.logs)
        if code := self.scene.end(role):
            self.broken.append(f"{role} ended with {code}")
        self.before += self.scene.logs[before:]
        self.scene.start(role)
        wait_for(lambda: self.scene.ready(role) == 200)

    def _index(self) -> None:
        (self.scene.folder / "handbook" / "canteen.md").write_text("# Canteen\n\nToday's dish is soup.\n")
        self._done("index", str(self.scene.folder / "handbook"))

    def _done(self, *words: str, kb: Kb | None = None) -> None:
        if code := self.scene.run(*words, kb=kb):
            self.broken.append(f"kb {' '.join(words)} ended with {code}")


def upgraded(scene: Scene, plan: Plan) -> dict[str, object]:
    """Runs it over a scene of the earlier release; gives what came of it."""
    clock, revision = Clock(), revision_of(scene.kb.code)
    rollout = Rollout(scene, clock, plan)
    broken = rollout.broken
    if (made := rows(scene.direct, "SELECT version_num FROM alembic_version")) != [(revision,)]:
        broken.append(f"the earlier release's schema is {made}")
    askers = Askers(scene, plan.every, random.Random(f"{plan.seed} asking"), clock)
    asking = threading.Thread(target=guarded, args=(askers.run, broken), daemon=True)
    asking.start()
    load = psutil.getloadavg()[0]
    guarded(rollout.run, broken)
    load = max(load, psutil.getloadavg()[0])
    askers.over.set()
    asking.join()
    settle(scene)
    before = len(scene.logs)
    broken += [f"{role} ended with {code}" for role, code in scene.end_all().items() if code]
    found = Outcomes.of(scene, askers)
    broken += found.broken(lost=askers.lost)
    broken += [f"logged by {line}" for line in (*rollout.before, *scene.logs[before:]) if " ERROR " in line]
    return {
        "schema": f"{revision} to {revision_of(ROOT)}",
        "seconds": round(clock()),
        "load average": round(load, 1),
        "questions": len(askers.asked),
        **found.counts(),
        "stages": {each.name: _of_stage(each, found.ended(clock.made)) for each in rollout.stages},
        "seconds that the index run of the earlier release went on over the new schema": rollout.over_the_new(),
        "seconds until an asked process had ended": [round(each, 1) for each in scene.ending],
        "logged by the earlier release": _kinds(rollout.before),
        "logged by this release": _kinds(scene.logs[before:]),
        "broken": broken,
    }


def _of_stage(stage: Stage, ended: dict[Asked, float]) -> dict[str, float]:
    """How long it took, and of the questions that were open meanwhile, how many there were and the longest wait."""
    waits = [end - asked.at for asked, end in ended.items() if asked.at < stage.ended and end > stage.began]
    return {
        "seconds": round(stage.ended - stage.began, 1),
        "questions": len(waits),
        "longest wait": round(max(waits, default=0.0), 1),
    }


def _kinds(lines: list[str]) -> dict[str, int]:
    """How often each kind of warning or error was logged."""
    told = (line for line in lines if " WARNING " in line or " ERROR " in line or "Traceback" in line)
    return dict(Counter(_kind(line) for line in told))


def _kind(line: str) -> str:
    """A line without its time and numbers."""
    words = line.partition(" WARNING ")[2] or line.partition(" ERROR ")[2] or line
    return "".join("#" if each.isdigit() else each for each in words)


def main() -> int:
    """Upgrades, and prints."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--from", dest="commit", required=True, help="the earlier release's commit")
    given.add_argument("--calm", type=float, default=Plan.calm, help="seconds of each stage in which nothing is done")
    given.add_argument("--dump", type=float, default=Plan.dump, help="seconds that a backup takes meanwhile")
    given.add_argument("--every", type=float, default=Plan.every, help="seconds between two questions")
    given.add_argument("--seed", type=int, default=Plan.seed)
    given.add_argument("--out", type=Path, default=Path(".soak"), help="folder for the logs")
    chosen = given.parse_args()
    plan = Plan(chosen.calm, chosen.dump, every=chosen.every, seed=chosen.seed)
    try:
        with code_of(chosen.commit) as code, opened(code) as scene:
            found = upgraded(scene, plan)
    except NoHistory as error:
        print(f"{error}. The earlier release comes out of this repository's history.", file=sys.stderr)
        return 2
    chosen.out.mkdir(exist_ok=True)
    (chosen.out / "upgrade.log").write_text("\n".join(scene.logs))
    print(json.dumps(found, indent=2, ensure_ascii=False))
    return 1 if found["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
