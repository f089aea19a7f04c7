"""A progress bar with rate and time left, on standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

import click

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
    began = monotonic()
    with click.progressbar(
        length=1, label=source, show_pos=True, item_show_func=lambda shown: shown or "", file=sys.stderr
    ) as bar:

        def show(step: RunProgress) -> None:
            bar.length = step.total or None
            bar.label = f"{source}: {step.doing}"
            rate = step.done / max(monotonic() - began, 0.1)
            bar.update(step.done - bar.pos, f"{counted(step.chunks, 'chunk')}, {rate:.1f} documents/s")

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
