"""What is told and noted while a question is answered."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from agent.tracing import NoSpans, Spans
from domain.answers import Progress, Stage, StageTime, Written

Event = Progress | Written


class Recorder:
    """Progress for the asker, lines and times for the trace. One object serves one question.

    spans: where stages are reported as spans.
    """

    def __init__(self, spans: Spans | None = None) -> None:
        self.events: asyncio.Queue[Event | None] = asyncio.Queue()
        self.reasoning: list[str] = []
        self.stages: list[StageTime] = []
        self.written = ""
        self._percent = 0
        self._spans = spans or NoSpans()

    def progress(self, event: Progress) -> None:
        """Tells the asker; the percentage never falls."""
        self._percent = max(self._percent, min(99, event.percent))
        self.events.put_nowait(replace(event, percent=self._percent))

    def write(self, text: str) -> None:
        """Hands a further part of the reply to the asker: checked and masked, it stays."""
        if text:
            self.written += text
            self.events.put_nowait(Written(text))

    def say(self, line: str) -> None:
        """Notes a decision."""
        self.reasoning.append(line)

    @contextmanager
    def stage(self, stage: Stage, iteration: int) -> Iterator[None]:
        """Times a visit of a stage."""
        started = time.perf_counter()
        with self._spans.span(f"kb.{stage}", {"kb.iteration": iteration}):
            try:
                yield
            finally:
                self.stages.append(StageTime(stage, iteration, round(1000 * (time.perf_counter() - started), 1)))

    def timings(self) -> dict[str, float]:
        """Milliseconds by stage, over all visits."""
        sums: dict[str, float] = {}
        for each in self.stages:
            sums[each.stage] = round(sums.get(each.stage, 0.0) + each.ms, 1)
        return sums
