"""What is sampled during a soak, and the picture of it."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median

import psutil
import psycopg

from tests.soak.scene import ROLES, Scene

EVERY = 2.0
"""Seconds between two samples."""

_COUNTS = """
    SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()),
           (SELECT count(*) FROM questions WHERE ended_at IS NULL)
"""
_COLOURS = ("#1b6ca8", "#2a9d8f", "#e07a1f", "#7a5195")


@dataclass(frozen=True)
class Sample:
    """One look. at: seconds since the beginning. memory, threads, lines: of each process that ran: megabytes and
    threads, its children with it, and lines that it has logged. connections: to the database; silent: those
    among them whose clients the network has forgotten. waiting: questions without an outcome. None while the database
    is away."""

    at: float
    memory: dict[str, float]
    threads: dict[str, float]
    lines: dict[str, float]
    connections: int | None
    silent: int
    waiting: int | None


@dataclass
class Watch:
    """Looks until it is told to end."""

    scene: Scene
    clock: Callable[[], float]
    over: threading.Event
    samples: list[Sample] = field(default_factory=list)

    def run(self) -> None:
        """See above."""
        while not self.over.wait(EVERY):
            connections = waiting = None
            with suppress(psycopg.Error), psycopg.connect(self.scene.direct, connect_timeout=2) as connection:
                connections, waiting = connection.execute(_COUNTS).fetchone() or (None, None)
            sizes = {role: found for role in ROLES if (found := self._size(role))}
            memory, threads, lines = ({role: each[place] for role, each in sizes.items()} for place in range(3))
            silent = self.scene.network.silent
            self.samples.append(Sample(self.clock(), memory, threads, lines, connections, silent, waiting))

    def _size(self, role: str) -> tuple[float, float, float] | None:
        """Megabytes, threads and lines of a process; None where it does not run."""
        process = self.scene.running.get(role)
        with suppress(psutil.Error):
            if process is not None:
                top = psutil.Process(process.process.pid)
                memory, threads = top.memory_info().rss, top.num_threads()
                for each in top.children(recursive=True):
                    with suppress(psutil.NoSuchProcess):  # it has ended meanwhile
                        memory, threads = memory + each.memory_info().rss, threads + each.num_threads()
                return memory / 1e6, threads, process.said.count("\n")
        return None


MAX_DRAWN = 400
"""Samples in a picture, about."""


def quarters(values: Sequence[float]) -> tuple[float, ...]:
    """The median of each quarter of a series; empty where there is less than one value for each."""
    size = len(values) // 4
    return tuple(median(values[number * size : (number + 1) * size]) for number in range(4)) if size else ()


def svg(samples: Sequence[Sample], marks: Sequence[float]) -> str:
    """Three panels over the time in minutes: memory, connections, waiting questions. marks: when a fault began."""
    last = samples[-1].at
    samples = samples[:: max(1, len(samples) // MAX_DRAWN)]
    panels: list[tuple[str, dict[str, list[tuple[float, float]]]]] = [
        ("memory, MB", {role: [(s.at, s.memory[role]) for s in samples if role in s.memory] for role in ROLES}),
        (
            "connections",
            {
                "all": [(s.at, s.connections) for s in samples if s.connections is not None],
                "silent": [(s.at, s.silent) for s in samples],
            },
        ),
        ("questions waiting", {"all": [(s.at, s.waiting) for s in samples if s.waiting is not None]}),
    ]
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="760" height="500" font-family="sans-serif" font-size="12">',
        '<rect width="760" height="500" fill="white"/>',
    ]
    for place, (title, series) in enumerate(panels):
        parts += _panel(title, series, 20 + place * 155, last, marks)
    for tick in range(7):
        x = 60 + 680 * tick / 6
        parts.append(f'<text x="{x:.0f}" y="492" text-anchor="middle">{last * tick / 360:.0f} min</text>')
    return "\n".join([*parts, "</svg>", ""])


def _panel(
    title: str, series: dict[str, list[tuple[float, float]]], top: int, last: float, marks: Sequence[float]
) -> list[str]:
    highest = max([value for each in series.values() for _, value in each], default=1.0) or 1.0
    parts = [
        f'<text x="60" y="{top}">{title}</text>',
        f'<text x="54" y="{top + 16}" text-anchor="end">{highest:.0f}</text>',
    ]
    parts += [
        f'<line x1="{60 + 680 * at / last:.1f}" x2="{60 + 680 * at / last:.1f}" y1="{top + 8}" y2="{top + 130}"'
        ' stroke="#ddd"/>'
        for at in marks
    ]
    for number, (name, points) in enumerate(series.items()):
        line = " ".join(f"{60 + 680 * at / last:.1f},{top + 130 - 118 * value / highest:.1f}" for at, value in points)
        colour = _COLOURS[number]
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>')
        if len(series) > 1:
            parts.append(f'<text x="{400 + 110 * number}" y="{top}" fill="{colour}">{name}</text>')
    return parts
