"""The log on standard error, and what else a process writes there by itself: all of it masked."""

import json
import logging
import re
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from domain.log_context import current_question

if TYPE_CHECKING:
    from domain.masking import Masker

log = logging.getLogger(__name__)

FORMAT = "%(asctime)s %(levelname)s %(name)s%(question)s: %(message)s"

LogFormat = Literal["text", "json"]

Provider = Callable[[], "Masker"]
"""Gives the masker in force: a rule table is compiled only when something is written."""


ONCE_SECONDS = 60.0
"""Between two lines of one kind that tell that something waits."""

REPEATING = frozenset({"psycopg.pool", "bot.slack.socket"})
"""Loggers of libraries that tell of each try while something is away."""

_NUMBERS = re.compile(r"\d+")

MAX_KINDS = 200
"""So many kinds of these lines are known at most."""


class RateLimitingLogFilter(logging.Filter):
    """Lets a line that tells that something waits through once a minute: while a database is away there are hundreds.
    The next of its kind says how many were left out. See domain.log_context.WAITING. clock: in seconds."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._told: dict[tuple[str, str], tuple[float, int]] = {}

    @staticmethod
    def _kind(record: logging.LogRecord) -> str:
        """What is said, with its reason where that is one of ours, without numbers."""
        return _NUMBERS.sub("", record.getMessage() if hasattr(record, "waiting") else str(record.msg))

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is written."""
        if not (hasattr(record, "waiting") or record.name in REPEATING):
            return True
        kind, now = (record.name, self._kind(record)), self._clock()
        told, left_out = self._told.get(kind, (now - ONCE_SECONDS, 0))
        if now - told < ONCE_SECONDS:
            self._told[kind] = (told, left_out + 1)
            return False
        if len(self._told) >= MAX_KINDS:
            self._told.clear()
        self._told[kind] = (now, 0)
        record.left_out = left_out
        return True


class MaskingFormatter(logging.Formatter):
    """Formats a record with its traceback, then masks the whole of it. masker: gives the one in force."""

    def __init__(self, masker: Provider, fmt: str = FORMAT) -> None:
        super().__init__(fmt)
        self._masker = masker

    def format(self, record: logging.LogRecord) -> str:
        """The line as it may be written. A traceback's text is not left on the record, where another handler would
        find it unmasked."""
        kept = record.exc_text
        try:
            question = current_question()
            record.question = "" if question is None else f" [question {question}]"
            left_out = getattr(record, "left_out", 0)
            more = f" ({left_out} more like it since)" if left_out else ""
            return self._masker().mask(super().format(record) + more).text
        finally:
            record.exc_text = kept


class JsonFormatter(MaskingFormatter):
    """A record as one line of JSON: `time`, `level`, `logger`, `message`, `question` (the number of the question that
    was worked for, where there is one), `error` (a traceback), and the record's own fields. Texts are masked one by
    one, so that the line stays JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line as it may be written."""
        mask = self._masker().mask
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": mask(record.getMessage()).text,
        }
        if left_out := getattr(record, "left_out", 0):
            line["left_out"] = left_out
        question = current_question()
        if question is not None:
            line["question"] = question
        if record.exc_info:
            line["error"] = mask(self.formatException(record.exc_info)).text
        for name, value in getattr(record, "fields", {}).items():
            line[name] = mask(value).text if isinstance(value, str) else value
        return json.dumps(line, ensure_ascii=False, default=str)


class MaskingHandler(logging.StreamHandler):  # type: ignore[type-arg] # generic in the stubs alone
    """Writes to standard error, whichever that is at the moment."""

    def __init__(self, masker: Provider) -> None:
        super().__init__(sys.stderr)
        self.masker = masker
        self.setFormatter(MaskingFormatter(masker))
        self.addFilter(RateLimitingLogFilter())

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        """Says that a line was lost, without its words: logging would print what it was made of."""
        kind = sys.exc_info()[0]
        words = f"A line of the log of {record.name} was lost: {kind.__name__ if kind else 'unknown'}"
        with suppress(OSError, ValueError):
            as_json = isinstance(self.formatter, JsonFormatter)
            self.stream.write(f"{json.dumps({'level': 'ERROR', 'message': words}) if as_json else words}\n")


def log_to_stderr(masker: Provider, *, verbose: bool) -> None:
    """Sends the log, and Python's warnings, to standard error: with `verbose` from INFO on, else what is CRITICAL.
    Where somebody takes the log already, nothing changes."""
    root = logging.getLogger()
    if root.handlers:
        return
    root.addHandler(MaskingHandler(masker))
    root.setLevel(logging.INFO if verbose else logging.CRITICAL)
    logging.captureWarnings(True)


def write_log_as(form: LogFormat) -> None:
    """From now on, lines of the log that go to standard error have this form."""
    for each in _handlers():
        each.setFormatter(JsonFormatter(each.masker) if form == "json" else MaskingFormatter(each.masker))


def is_log_json() -> bool:
    """Whether what goes to standard error is read by a program that takes one JSON object a line."""
    return any(isinstance(each.formatter, JsonFormatter) for each in _handlers())


def _handlers() -> list[MaskingHandler]:
    return [each for each in logging.getLogger().handlers if isinstance(each, MaskingHandler)]


def mask_what_nobody_caught(masker: Provider) -> None:
    """Errors that end a thread or the process, or that come up where none can be raised, are printed masked."""

    def write(error: BaseException | None, where: TracebackType | None, head: str) -> None:
        if is_log_json():
            log.critical(head, exc_info=(type(error), error, where) if error else None)
            return
        lines = traceback.format_exception(type(error), error, where) if error else []
        try:
            shown = masker().mask("".join([head, "\n", *lines])).text
        except Exception as failure:  # noqa: BLE001 - else Python would print both errors as they are
            shown = f"{head}: {type(error).__name__}, not shown: masking failed with {type(failure).__name__}\n"
        with suppress(OSError, ValueError):
            sys.stderr.write(shown)

    def in_thread(args: threading.ExceptHookArgs) -> None:
        if args.exc_type is not SystemExit:
            write(
                args.exc_value, args.exc_traceback, f"An error ended {args.thread.name if args.thread else 'a thread'}"
            )

    sys.excepthook = lambda _, error, where: write(error, where, "An error ended the process")
    sys.unraisablehook = lambda args: write(args.exc_value, args.exc_traceback, "An error was ignored")
    threading.excepthook = in_thread
