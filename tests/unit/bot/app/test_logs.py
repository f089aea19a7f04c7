import io
import json
import logging
import subprocess
import sys
from collections.abc import Iterator

import pytest

from bot.app.logs import FORMAT, JsonFormatter, MaskingFormatter, MaskingHandler, RateLimitingLogFilter
from domain.log_context import WAITING, for_question
from domain.masking import Masker
from tests.architecture.checkout import ROOT

KEY = "ghp_" + "k9T2" * 9
MASKER = Masker()

LOUD = """
import logging, sys, threading, warnings
from bot.app.logs import log_to_stderr, mask_what_nobody_caught
from domain.log_context import for_question
from domain.masking import Masker
masker = Masker()
log_to_stderr(lambda: masker, verbose={verbose})
mask_what_nobody_caught(lambda: masker)
key = "ghp_" + "k9T2" * 9

class Broken:
    def __del__(self):
        raise ValueError("dropped " + key)

def fails():
    raise KeyError("thread " + key)

logging.getLogger("one").info("info %s", key)
try:
    raise RuntimeError("caught " + key)
except RuntimeError:
    logging.getLogger("two").exception("an error")
logging.getLogger("three").critical("%d", "not a number " + key)
warnings.warn("warned of " + key)
broken = Broken()
del broken
thread = threading.Thread(target=fails, name="worker")
thread.start()
thread.join()
raise ZeroDivisionError("the end " + key)
"""


@pytest.fixture
def log() -> Iterator[tuple[logging.Logger, io.StringIO]]:
    """A logger of the test's own and what its handler writes."""
    handler, stream = MaskingHandler(lambda: MASKER), io.StringIO()
    handler.setStream(stream)
    logger = logging.Logger("test")
    logger.addHandler(handler)
    yield logger, stream
    handler.close()


def test_the_message_its_arguments_and_the_loggers_name_are_masked(
    log: tuple[logging.Logger, io.StringIO],
) -> None:
    logger, stream = log
    logger.info("asked for %s by %s", KEY, {"who": KEY})
    assert KEY not in stream.getvalue()
    assert stream.getvalue().count("[masked: github token]") == 2
    assert " INFO test: asked for " in stream.getvalue()


def test_a_traceback_is_masked_with_its_causes(log: tuple[logging.Logger, io.StringIO]) -> None:
    logger, stream = log
    error = RuntimeError(f"outer {KEY}")
    error.__cause__ = ValueError(f"inner {KEY}")
    logger.error("It broke", exc_info=error)
    assert "RuntimeError: outer [masked: github token]" in stream.getvalue()
    assert "ValueError: inner [masked: github token]" in stream.getvalue()
    assert "direct cause" in stream.getvalue()
    assert KEY not in stream.getvalue()


def test_the_record_is_left_without_the_text_of_the_traceback() -> None:
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "m", (), (ValueError, ValueError(KEY), None))
    assert KEY not in MaskingFormatter(lambda: MASKER, FORMAT).format(record)
    assert record.exc_text is None


def test_a_line_that_cannot_be_made_is_told_without_its_words(log: tuple[logging.Logger, io.StringIO]) -> None:
    logger, stream = log
    logger.info("%d", f"not a number {KEY}")
    assert stream.getvalue() == "A line of the log of test was lost: TypeError\n"


@pytest.mark.parametrize("verbose", [True, False])
def test_nothing_that_a_process_writes_by_itself_holds_a_secret(*, verbose: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOUD.format(verbose=verbose)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert KEY not in done.stdout + done.stderr
    for head in ("was lost: TypeError", "An error was ignored", "An error ended worker", "An error ended the process"):
        assert head in done.stderr
    assert ("info [masked: github token]" in done.stderr) == verbose
    assert ("RuntimeError: caught [masked: github token]" in done.stderr) == verbose
    assert ("warned of [masked: github token]" in done.stderr) == verbose
    assert done.stderr.rstrip().endswith("ZeroDivisionError: the end [masked: github token]")


def test_where_lines_are_json_all_that_a_process_writes_is() -> None:
    given = LOUD.replace("import log_to_stderr,", "import log_to_stderr, write_log_as,").format(verbose=True)
    given = given.replace("mask_what_nobody_caught(lambda", 'write_log_as("json")\nmask_what_nobody_caught(lambda')
    done = subprocess.run([sys.executable, "-c", given], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert KEY not in done.stdout + done.stderr
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    messages = [line["message"] for line in lines]
    for head in ("An error was ignored", "An error ended worker", "An error ended the process"):
        assert head in messages
    assert "A line of the log of three was lost: TypeError" in messages
    assert "ZeroDivisionError: the end [masked: github token]" in lines[-1]["error"]


def test_without_a_masker_nothing_but_the_kinds_of_errors_is_written() -> None:
    given = LOUD.format(verbose=True).replace("masker = Masker()", "masker = None")
    given = given.replace("lambda: masker", "lambda: masker.mask")
    done = subprocess.run([sys.executable, "-c", given], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert KEY not in done.stdout + done.stderr
    lines = done.stderr.splitlines()
    assert "A line of the log of two was lost: AttributeError" in lines
    assert "An error ended worker: KeyError, not shown: masking failed with AttributeError" in lines
    assert lines[-1] == "An error ended the process: ZeroDivisionError, not shown: masking failed with AttributeError"


def test_a_line_of_json_has_the_question_and_the_records_fields_and_is_masked() -> None:
    handler, stream = MaskingHandler(lambda: MASKER), io.StringIO()
    handler.setStream(stream)
    handler.setFormatter(JsonFormatter(lambda: MASKER))
    logger = logging.Logger("test")
    logger.addHandler(handler)
    with for_question(812):
        logger.info('said "%s"\nand more', KEY, extra={"fields": {"outcome": "late", "key": KEY, "seconds": 1.5}})
    try:
        int(KEY)
    except ValueError:
        logger.exception("failed")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert KEY not in stream.getvalue()
    assert (first["question"], first["outcome"], first["seconds"], first["level"]) == (812, "late", 1.5, "INFO")
    assert first["message"].startswith('said "[masked')
    assert "question" not in second
    assert "ValueError" in second["error"]


def test_what_waits_is_told_once_a_minute_with_how_often_it_was_left_out() -> None:
    now = [0.0]
    handler, stream = logging.StreamHandler(io.StringIO()), io.StringIO()
    handler.setStream(stream)
    handler.setFormatter(MaskingFormatter(lambda: MASKER, "%(name)s: %(message)s"))
    handler.addFilter(RateLimitingLogFilter(lambda: now[0]))
    ours, pool = logging.Logger("ours"), logging.Logger("psycopg.pool")
    for logger in (ours, pool):
        logger.addHandler(handler)
    for second in range(130):
        now[0] = float(second)
        ours.warning("Work stopped: %s", second, extra=WAITING)
        pool.warning("error connecting in %r", "pool-1")
        pool.warning("error connecting in %r", "pool-2")
    ours.warning("Question 1 has no visible outcome")
    ours.warning("Question 1 has no visible outcome")
    assert stream.getvalue().splitlines() == [
        "ours: Work stopped: 0",
        "psycopg.pool: error connecting in 'pool-1'",
        "ours: Work stopped: 60 (59 more like it since)",
        "psycopg.pool: error connecting in 'pool-1' (119 more like it since)",
        "ours: Work stopped: 120 (59 more like it since)",
        "psycopg.pool: error connecting in 'pool-1' (119 more like it since)",
        *["ours: Question 1 has no visible outcome"] * 2,
    ]


def test_a_line_of_json_says_how_many_like_it_were_left_out() -> None:
    record = logging.LogRecord("x", logging.WARNING, __file__, 1, "It waits", (), None)
    record.left_out = 12
    assert json.loads(JsonFormatter(lambda: MASKER).format(record))["left_out"] == 12
