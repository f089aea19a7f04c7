"""A progress bar with rate and time left, on standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.markup.plain_text import counted
from bot.terminal.output import masked, say
from indexer.run.dependencies import RunProgress


@contextmanager
def progress_bar(source: str, *, quiet: bool) -> Iterator[Callable[[RunProgress], None]]:
    """Shows the steps of a run. On a terminal a bar that redraws itself; elsewhere a line for each tenth."""
    if quiet:
        yield lambda _step: None
    elif sys.stderr.isatty():
        with _bar(masked(source)) as show:
            yield show
    else:
        yield _Lines(source).show


@contextmanager
def _bar(source: str) -> Iterator[Callable[[RunProgress], None]]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[chunks]} chunks, {task.fields[rate]} documents/s"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(source, total=None, chunks=0, rate="?")

        def show(step: RunProgress) -> None:
            progress.update(
                task,
                description=f"{source}: {step.doing}",
                completed=step.done,
                total=step.total or None,
                chunks=step.chunks,
                rate=f"{progress.tasks[0].speed or 0:.1f}",
            )

        yield show


class _Lines:
    """Progress for a log file or a pipe."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._tenth = -1

    def show(self, step: RunProgress) -> None:
        """Prints a line when another tenth is done."""
        if not step.total:
            return
        tenth = 10 * step.done // step.total
        if tenth != self._tenth:
            self._tenth = tenth
            done = f"{step.done:,} of {counted(step.total, 'document')}"
            line = f"{self._source}: {step.doing}, {done}, {counted(step.chunks, 'chunk')}"
            say(line, err=True)
