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
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.command import rows
from tests.flows.slack.reading import settled
from tests.soak.asking import BOARD, VAULT, WORDS, Asked, Askers
from tests.soak.failing import Faults, Indexing
from tests.soak.scene import BOARD_WORD, CANARY, ROLES, Scene, opened
from tests.soak.watching import Sample, Watch, quarters, svg

SETTLE_SECONDS = 420.0
"""A question's deadline, and what may still be shown after it."""

_LEDGER = "SELECT platform, channel, message, state, result, attempt, duplicate_possible FROM questions"


def soaked(scene: Scene, minutes: float, every: float, index_every: float, seed: int) -> dict[str, object]:
    """Runs it; gives what came of it, with the samples and moments of faults for the picture."""
    began = time.monotonic()

    def clock() -> float:
        return time.monotonic() - began

    over = threading.Event()
    askers = Askers(scene, every, random.Random(f"{seed} asking"), clock)
    faults = Faults(scene, random.Random(f"{seed} failing"), clock, over)
    indexing = Indexing(scene, askers, index_every, clock, over)
    watch = Watch(scene, clock, threading.Event())
    broken: list[str] = []
    parts = (askers, faults, indexing, watch)
    threads = [threading.Thread(target=_guarded, args=(each.run, broken), daemon=True) for each in parts]
    for each in threads:
        each.start()
    time.sleep(minutes * 60)
    over.set()
    askers.over.set()
    for each in threads[:3]:
        each.join()
    direct = scene.kb.having(DATABASE_URL=scene.direct)
    until = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < until and not settled(direct):
        time.sleep(1)
    time.sleep(5)  # corrections are shown a moment after they are due
    watch.over.set()
    threads[3].join()
    found = _outcomes(scene, askers)
    broken += [
        *_broken(found, askers),
        *(f"exit code {code}" for code in [*faults.codes, *scene.end_all().values()] if code),
    ]
    return {
        "seconds": round(clock()),
        "questions": len(askers.asked),
        "faults": Counter(name for _, name in faults.happened),
        "ended by themselves, and started again": faults.ended,
        "seconds until an asked process had ended, at most": round(max(scene.ending, default=0.0), 1),
        "index runs": Counter(f"{what}{'' if done else ': failed'}" for _, what, done in indexing.runs),
        **found,
        "memory, MB, median of each quarter": {
            role: _rounded([each.memory[role] for each in watch.samples if role in each.memory]) for role in ROLES
        },
        "connections, median of each quarter": _rounded([s.connections for s in watch.samples if s.connections]),
        "connections, at most": max((each.connections or 0 for each in watch.samples), default=0),
        "broken": broken,
        "samples": watch.samples,
        "marks": [at for at, _ in faults.happened],
    }


def _guarded(run: "object", broken: list[str]) -> None:
    """A part of the soak that itself fails makes the soak fail."""
    try:
        run()  # type: ignore[operator] # a method without arguments
    except Exception as error:  # noqa: BLE001 - told at once, and at the end
        broken.append(f"the soak itself: {error!r}")
        traceback.print_exc()


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(each, 1) for each in quarters(values)]


def _outcomes(scene: Scene, askers: Askers) -> dict[str, object]:
    """What the ledger has, and what is seen."""
    ledger = rows(scene.direct, _LEDGER)
    seen = {each: askers.shown(each) for each in askers.asked}
    return {
        "results": Counter(f"{row[0]} {row[4]}" for row in ledger),
        "states": Counter(str(row[3]) for row in ledger),
        "attempts": Counter(row[5] for row in ledger),
        "duplicates recorded as possible": sum(bool(row[6]) for row in ledger),
        "messages below a question": Counter(len(each) for each in seen.values()),
        "_ledger": ledger,
        "_seen": seen,
        "_sent": askers.ever_sent(),
    }


def _broken(found: dict[str, object], askers: Askers) -> list[str]:
    """The promises that were broken, in words. What only the checks need is taken out of `found`."""
    ledger, seen, sent = found.pop("_ledger"), found.pop("_seen"), found.pop("_sent")
    assert isinstance(ledger, list)
    assert isinstance(seen, dict)
    assert isinstance(sent, list)
    said = [f"not taken by any replica: {each}" for each in askers.lost]
    rows_of = Counter(row[2].rpartition(":")[2] for row in ledger)
    possible = {row[2].rpartition(":")[2] for row in ledger if row[6]}
    said += [f"{row[0]} {row[2]} is {row[3]}" for row in ledger if row[3] not in {"posted", "withdrawn"}]
    said += [f"{row[0]} {row[2]} ended {row[4]}" for row in ledger if row[4] not in {"answered", "not_found"}]
    for asked, shown in seen.items():
        if rows_of[asked.message] != 1 and asked.message not in askers.lost:
            said.append(f"{asked} has {rows_of[asked.message]} rows")
        if len(shown) != 1 and asked.message not in possible:
            said.append(f"{asked} shows {len(shown)} messages: {shown}")
        said += _wrong(asked, shown)
    return said + [f"the canary was sent: {each[:300]}" for each in sent if CANARY in each]


def _wrong(asked: Asked, shown: Sequence[str]) -> list[str]:
    """Words that are missing from what is seen of an answer, or must not be there."""
    if asked.text == BOARD:
        return [f"{asked} shows what is closed" for each in shown if asked.closed and BOARD_WORD in each]
    if asked.text == VAULT:
        return []
    return [f"{asked} shows {each[:300]!r}" for each in shown if WORDS[asked.text] not in each]


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
