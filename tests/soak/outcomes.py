"""What came of the questions of a soak: what the ledger has, what is seen, and which promises were broken."""

import time
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tests.command import rows
from tests.flows.slack.reading import settled
from tests.soak.asking import BOARD, VAULT, WORDS, Asked, Askers
from tests.soak.scene import BOARD_WORD, CANARY, Scene

SETTLE_SECONDS = 420.0
"""A question's deadline, and what may still be shown after it."""

LATE = "This took too long and was stopped."
"""What is seen of a question that ended late."""

_LEDGER = """
    SELECT platform, message, state, result, attempt, duplicate_possible,
           extract(epoch FROM received_at)::float, extract(epoch FROM ended_at)::float
    FROM questions ORDER BY question_no
"""


class Row(NamedTuple):
    """A question in the ledger. received, ended: seconds of the epoch; ended is None for one that has not."""

    platform: str
    message: str
    state: str
    result: str | None
    attempt: int
    duplicate_possible: bool
    received: float
    ended: float | None

    @property
    def key(self) -> str:
        """The message, as Asked has it."""
        return self.message.rpartition(":")[2]


@dataclass(frozen=True)
class Outcomes:
    """ledger: all of its rows. seen: what is seen below each question. sent: all that was ever sent."""

    ledger: Sequence[Row]
    seen: Mapping[Asked, Sequence[str]]
    sent: Sequence[str]

    @classmethod
    def of(cls, scene: Scene, askers: Askers) -> "Outcomes":
        """As it is now."""
        ledger = [Row(*row) for row in rows(scene.direct, _LEDGER)]
        return cls(ledger, {each: askers.shown(each) for each in askers.asked}, askers.ever_sent())

    def counts(self) -> dict[str, object]:
        """How many there are of each."""
        return {
            "results": Counter(f"{row.platform} {row.result}" for row in self.ledger),
            "states": Counter(row.state for row in self.ledger),
            "attempts": Counter(row.attempt for row in self.ledger),
            "duplicates recorded as possible": sum(row.duplicate_possible for row in self.ledger),
            "messages below a question": Counter(len(each) for each in self.seen.values()),
        }

    def ended(self, made: float) -> dict[Asked, float]:
        """When each question ended that has, in seconds since `made`, which is one of the epoch."""
        ends = {row.key: row.ended - made for row in self.ledger if row.ended is not None}
        return {asked: ends[asked.message] for asked in self.seen if asked.message in ends}

    def broken(self, *, lost: Collection[str] = (), late: Collection[Asked] = ()) -> list[str]:
        """The promises that were broken, in words. lost: messages that nobody took. late: questions that may have been
        late."""
        said = [f"not taken by any replica: {each}" for each in lost]
        count, possible = (
            Counter(row.key for row in self.ledger),
            {row.key for row in self.ledger if row.duplicate_possible},
        )
        were_late = {row.key for row in self.ledger if row.result == "late"} & {each.message for each in late}
        for row in self.ledger:
            if row.state not in {"posted", "withdrawn"} and row.key not in were_late:
                said.append(f"{row.platform} {row.message} is {row.state}")
            if row.result not in {"answered", "not_found"} and row.key not in were_late:
                said.append(f"{row.platform} {row.message} ended {row.result}")
        for asked, shown in self.seen.items():
            if count[asked.message] != 1 and asked.message not in lost:
                said.append(f"{asked} has {count[asked.message]} rows")
            if len(shown) != 1 and asked.message not in possible:
                said.append(f"{asked} shows {len(shown)} messages: {shown}")
            if asked.message in were_late:
                said += [f"{asked} was late, and shows {each!r}" for each in shown if LATE not in each]
            else:
                said += _wrong(asked, _without_orphan(shown) if asked.message in possible else shown)
        return said + [f"the canary was sent: {each[:300]}" for each in self.sent if CANARY in each]


def _without_orphan(shown: Sequence[str]) -> Sequence[str]:
    """Without one status message beside the outcome: Teams took it, and the reply with its id was lost, so that nobody
    can take it away."""
    outcomes = [each for each in shown if not each.startswith("⏳")]
    return outcomes if len(outcomes) == len(shown) - 1 and outcomes else shown


def _wrong(asked: Asked, shown: Sequence[str]) -> list[str]:
    """Words that are missing from what is seen of an answer, or must not be there."""
    if asked.text == BOARD:
        return [f"{asked} shows what is closed" for each in shown if asked.closed and BOARD_WORD in each]
    if asked.text == VAULT:
        return []
    return [f"{asked} shows {each[:300]!r}" for each in shown if WORDS[asked.text] not in each]


def guarded(run: Callable[[], None], broken: list[str]) -> None:
    """A part of the soak that itself fails makes the soak fail."""
    try:
        run()
    except Exception as error:  # noqa: BLE001 - told at once, and at the end
        broken.append(f"the soak itself: {error!r}")
        traceback.print_exc()


def settle(scene: Scene) -> None:
    """Waits until nothing is left to be done."""
    direct = scene.kb.having(DATABASE_URL=scene.direct)
    until = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < until and not settled(direct):
        time.sleep(1)
    time.sleep(5)  # corrections are shown a moment after they are due
