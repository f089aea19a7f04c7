"""What fails in a soak, one thing after the other, and the index runs in between."""

import random
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.soak.asking import Askers
from tests.soak.scene import REPLICAS, WORKER, Scene

CALM_SECONDS = (4.0, 12.0)
"""Between two faults."""


@dataclass
class Faults:
    """Draws a fault, lets it pass, and waits a while. happened: when each began, in seconds, and its name."""

    scene: Scene
    draw: random.Random
    clock: Callable[[], float]
    over: threading.Event
    happened: list[tuple[float, str]] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    """Exit codes of processes that were asked to end."""
    ended: list[str] = field(default_factory=list)
    """What ended by itself, and was started again as an operating system does."""

    def run(self) -> None:
        """Goes on until it is told to end; whatever fails then is in order again."""
        faults: dict[str, Callable[[], None]] = {
            "worker killed": lambda: self._killed(WORKER),
            "replica killed": lambda: self._killed(self.draw.choice(REPLICAS)),
            "replica ended": self._ended,
            "database killed": lambda: self._database(signal.SIGKILL),
            "database restarted": lambda: self._database(signal.SIGINT),
            "connections reset": lambda: self._reset(0.0),
            "connections refused": lambda: self._reset(self.draw.uniform(1.0, 8.0)),
            "connections silent": self._silenced,
            "connections slow": self._slowed,
            "sockets to Slack cut": self.scene.slack.cut,
        }
        while not self.over.wait(self.draw.uniform(*CALM_SECONDS)):
            self.ended += self.scene.start_again()
            name = self.draw.choice(list(faults))
            self.happened.append((self.clock(), name))
            faults[name]()

    def _killed(self, role: str) -> None:
        self.scene.kill(role)
        time.sleep(self.draw.uniform(0.0, 3.0))
        self.scene.start(role)

    def _ended(self) -> None:
        role = self.draw.choice(REPLICAS)
        self.codes.append(self.scene.end(role))
        self.scene.start(role)

    def _database(self, number: signal.Signals) -> None:
        self.scene.kill_database(number)
        time.sleep(self.draw.uniform(0.0, 5.0))
        self.scene.start_database()

    def _reset(self, seconds: float) -> None:
        """Connections are reset, and for so long no new ones are taken."""
        network = self.scene.network
        network.refuse(refusing=seconds > 0)
        try:
            network.reset()
            time.sleep(seconds)
        finally:
            network.refuse(refusing=False)

    def _silenced(self) -> None:
        self.scene.network.silence()

    def _slowed(self) -> None:
        self.scene.network.delay = self.draw.uniform(0.01, 0.05)
        time.sleep(self.draw.uniform(3.0, 8.0))
        self.scene.network.delay = 0.0


@dataclass
class Indexing:
    """Reads a source again every so many seconds, and closes and opens the board's document in turn. runs: when each
    began, what it did, and whether it succeeded."""

    scene: Scene
    askers: Askers
    every: float
    clock: Callable[[], float]
    over: threading.Event
    runs: list[tuple[float, str, bool]] = field(default_factory=list)

    def run(self) -> None:
        """Goes on until it is told to end."""
        number = 0
        while not self.over.wait(self.every):
            number += 1
            self._note("handbook read", self._read(number))
            self._board(closed=number % 2 == 1)

    def _read(self, number: int) -> bool:
        dish = f"# Canteen\n\nToday's dish has the number {number}.\n"
        (self.scene.folder / "handbook" / "canteen.md").write_text(dish)
        return self.scene.index("index", str(self.scene.folder / "handbook"))

    def _board(self, *, closed: bool) -> None:
        """Tried until it succeeds: between, it is not known which holds."""
        self.askers.closed = False
        for _ in range(10):
            done = self.scene.set_board(closed=closed)
            self._note("board closed" if closed else "board opened", done)
            if done:
                break
        self.askers.closed = closed and done

    def _note(self, what: str, done: bool) -> None:
        self.runs.append((self.clock(), what, done))
