"""The log on standard error, and what else a process writes there by itself: all of it masked."""

import json
import logging
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from domain.log_context import current_question

if TYPE_CHECKING:
    from domain.masking import Masker

FORMAT = "%(asctime)s %(levelname)s %(name)s%(question)s: %(message)s"

LogFormat = Literal["text", "json"]

Provider = Callable[[], "Masker"]
"""Gives the masker in force: a rule table is compiled only when something is written."""


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
            return self._masker().mask(super().format(record)).text
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

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        """Says that a line was lost, without its words: logging would print what it was made of."""
        kind = sys.exc_info()[0]
        with suppress(OSError, ValueError):
            self.stream.write(f"A line of the log of {record.name} was lost: {kind.__name__ if kind else 'unknown'}\n")


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
    for each in logging.getLogger().handlers:
        if isinstance(each, MaskingHandler):
            each.setFormatter(JsonFormatter(each.masker) if form == "json" else MaskingFormatter(each.masker))


def mask_what_nobody_caught(masker: Provider) -> None:
    """Errors that end a thread or the process, or that come up where none can be raised, are printed masked."""

    def write(error: BaseException | None, where: TracebackType | None, head: str) -> None:
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
