"""What is told and noted while a question is answered."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from agent.tracing import Spans
from domain.answers import Progress, ReplyPart, Stage, StageTime
from domain.masking import MaskedText, Masker

AnswerEvent = Progress | ReplyPart


class Recorder:
    """Progress for the asker, lines and times for the trace. One object serves one question.

    masker: for what is told. spans: where stages are reported as spans.
    """

    def __init__(self, masker: Masker, spans: Spans | None = None) -> None:
        self.events: asyncio.Queue[AnswerEvent | None] = asyncio.Queue()
        self.reasoning: list[str] = []
        self.stages: list[StageTime] = []
        self.written = ""
        self._masker = masker
        self._percent = 0
        self._spans = spans

    def progress(self, text: str, percent: int, stage: Stage, iteration: int = 0, tool: str = "") -> None:
        """Tells the asker what is being done, masked; the percentage never falls. See Progress."""
        self._percent = max(self._percent, min(99, percent))
        self.events.put_nowait(Progress(self._masker.mask(text), self._percent, stage, iteration, tool))

    def write(self, part: MaskedText) -> None:
        """Hands a further part of the reply to the asker, checked and masked."""
        if part.text:
            self.written += part.text
            self.events.put_nowait(ReplyPart(part))

    def say(self, line: str) -> None:
        """Notes a decision, for a trace that is masked as a whole."""
        self.reasoning.append(line)

    @contextmanager
    def stage(self, stage: Stage, iteration: int) -> Iterator[None]:
        """Times a visit of a stage."""
        started = time.perf_counter()
        with self._spans.span(f"kb.{stage}", {"kb.iteration": iteration}) if self._spans else nullcontext():
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
