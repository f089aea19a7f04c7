"""`python -m tests.soak.run`: a soak of so many minutes, with what came of it as JSON, and a picture beside.

It ends with 1 where a promise was broken: a question without an outcome or with two, a reply that is seen twice without
being recorded as possible, a word that nobody may read, a process that did not end in order.
"""

import argparse
import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.soak.asking import Askers, Clock
from tests.soak.failing import Faults, Indexing
from tests.soak.outcomes import Outcomes, guarded, settle
from tests.soak.scene import ROLES, Scene, opened
from tests.soak.watching import Sample, Watch, quarters, svg


def soaked(scene: Scene, minutes: float, every: float, index_every: float, seed: int) -> dict[str, object]:
    """Runs it; gives what came of it, with the samples and moments of faults for the picture."""
    clock, over = Clock(), threading.Event()
    askers = Askers(scene, every, random.Random(f"{seed} asking"), clock)
    faults = Faults(scene, random.Random(f"{seed} failing"), clock, over)
    indexing = Indexing(scene, askers, index_every, clock, over)
    watch = Watch(scene, clock, threading.Event())
    broken: list[str] = []
    parts = (askers, faults, indexing, watch)
    threads = [threading.Thread(target=guarded, args=(each.run, broken), daemon=True) for each in parts]
    for each in threads:
        each.start()
    time.sleep(minutes * 60)
    over.set()
    askers.over.set()
    for each in threads[:3]:
        each.join()
    settle(scene)
    watch.over.set()
    threads[3].join()
    found = Outcomes.of(scene, askers)
    broken += [
        *found.broken(lost=askers.lost),
        *(f"exit code {code}" for code in [*faults.codes, *scene.end_all().values()] if code),
    ]
    return {
        "seconds": round(clock()),
        "questions": len(askers.asked),
        "faults": Counter(name for _, name in faults.happened),
        "ended by themselves, and started again": faults.ended,
        "seconds until an asked process had ended, at most": round(max(scene.ending, default=0.0), 1),
        "index runs": Counter(f"{what}{'' if done else ': failed'}" for _, what, done in indexing.runs),
        **found.counts(),
        "memory, MB, median of each quarter": {
            role: _rounded([each.memory[role] for each in watch.samples if role in each.memory]) for role in ROLES
        },
        "connections, median of each quarter": _rounded([s.connections for s in watch.samples if s.connections]),
        "connections, at most": max((each.connections or 0 for each in watch.samples), default=0),
        "connections that are not silent, at most": max(
            ((each.connections or 0) - each.silent for each in watch.samples), default=0
        ),
        "broken": broken,
        "samples": watch.samples,
        "marks": [at for at, _ in faults.happened],
    }


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(each, 1) for each in quarters(values)]


def main() -> int:
    """Soaks, and prints."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--minutes", type=float, default=10.0)
    given.add_argument("--every", type=float, default=1.8, help="seconds between two questions")
    given.add_argument("--index-every", type=float, default=170.0, help="seconds between two index runs")
    given.add_argument("--seed", type=int, default=1)
    given.add_argument("--out", type=Path, default=Path(".soak"), help="folder for the picture and the logs")
    chosen = given.parse_args()
    with opened() as scene:
        found = soaked(scene, chosen.minutes, chosen.every, chosen.index_every, chosen.seed)
    samples, marks = found.pop("samples"), found.pop("marks")
    assert isinstance(samples, list)
    assert isinstance(marks, list)
    chosen.out.mkdir(exist_ok=True)
    pictured: list[Sample] = samples
    (chosen.out / "soak.svg").write_text(svg(pictured, marks))
    (chosen.out / "log").write_text("\n".join(scene.logs))
    print(json.dumps(found, indent=2, ensure_ascii=False))
    return 1 if found["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
