"""Entry point: parses the command line, runs the command, turns every ending into words and an exit code.

Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 nothing found, 130 stopped by Ctrl-C
(`kb serve` and `kb worker`, which run until they are stopped: 0).
"""

import atexit
import errno
import gc
import io
import logging
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from traceback import walk_tb

import click

from bot.app.logs import log_to_stderr, mask_what_nobody_caught
from bot.cli import (
    STOPPED,
    ask,
    audit,
    db,
    doctor,
    evaluate,
    gaps,
    graph,
    index,
    mask,
    mcp,
    people,
    questions,
    reindex,
    runs,
    schedule,
    search,
    serve,
    sources,
    status,
    teams,
    tokens,
    trace,
    try_out,
)
from bot.markup.plain_text import plain
from bot.terminal.output import OutputFailed, masker, print_json, say
from domain.errors import KbError, Refused

FAILED = 1

YOUNG_OBJECTS = 50_000
"""New objects after which Python looks for unreachable ones: with its own 700, that takes a sixth of a start, in which
nearly all objects are functions and classes that stay."""


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="kb-agent", prog_name="kb")
@click.option("-v", "--verbose", is_flag=True, help="Show the log on standard error.")
def kb(*, verbose: bool) -> None:
    """Answers questions from a company's documents, with numbered citations.

    \b
    Start with:
      kb index PATH_OR_URL     read a folder, a file, a page or a sitemap
      kb ask "QUESTION"        get an answer with its sources

    Settings come from the environment (KB_AGENT_…) and kb.toml; docs/settings.md lists them.
    """  # noqa: D301 - \b is click's mark for "do not re-wrap"
    log_to_stderr(masker, verbose=verbose)


for command in (
    ask.ask,
    search.search,
    index.index,
    reindex.reindex,
    schedule.schedule,
    sources.sources,
    mask.mask,
    serve.serve,
    serve.worker,
    mcp.mcp,
    teams.teams,
    tokens.tokens,
    status.status,
    questions.questions,
    questions.feedback,
    trace.trace,
    try_out.try_out,
    gaps.gaps,
    gaps.stats,
    audit.audit,
    people.people,
    graph.graph,
    runs.runs,
    db.db,
    doctor.doctor,
    evaluate.evaluate,
):
    kb.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs `kb` and exits with its code."""
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])
    words = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stdin is None:  # it is closed: there is nothing to read
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123 - it stays open, and takes the place of 0
    if sys.stdout is None:  # it is closed: a file for reading alone takes the place of 1, and no text, as that did
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115, PTH123
    mask_what_nobody_caught(masker)
    # asked to end (by systemd, by docker stop), it stops in as good order as for Ctrl-C, which a shell may have
    # switched off for what it starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    code = run(words)
    atexit.register(_leave, code)  # registered last, it is called first; threads have ended by then
    sys.exit(code)


def _leave(code: int) -> None:
    """Ends the process when all that was registered for its end has run and all is written, without taking down what
    was imported: that takes half a second after an answer, and everything of ours is closed."""
    atexit.unregister(_leave)
    atexit._run_exitfuncs()  # noqa: SLF001 - typeshed knows it; what has to run at the end does
    with suppress(OSError, ValueError):  # nobody reads any more: Python says so as it always does
        if sys.stdout is not None:
            sys.stdout.flush()
        with suppress(OSError, ValueError):  # nobody can be told
            if sys.stderr is not None:
                sys.stderr.flush()
        os._exit(code)


def run(words: list[str]) -> int:
    """Runs `kb` with `words`; returns the exit code. Errors are printed, never raised."""
    try:
        return _run(words, as_json="--json" in words)
    except OSError as error:  # as in `kb search … | head -1`, or on a full disk
        # what is still to be written goes nowhere: Python writes it out when it ends
        with open(os.devnull, "wb") as nowhere, suppress(OSError, ValueError):  # noqa: PTH123 - a descriptor is wanted
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        if error.errno != errno.EPIPE:
            with suppress(OSError):
                say(f"Error: The output could not be written: {error.strerror}", err=True)
        return FAILED


def _run(words: list[str], *, as_json: bool) -> int:
    """The same; raises OSError where the output cannot be written."""
    try:
        _refuse_undecodable(words)
        result = kb.main(words, prog_name="kb", standalone_mode=False)
    except KbError as error:
        return _fail(error, as_json=as_json)
    except click.ClickException as error:
        return _misused(error, as_json=as_json)
    except (KeyboardInterrupt, click.Abort) as error:
        if as_json:
            print_json({"error": {"what": "Stopped", "why": "", "next": ""}})
        # an Abort: click has ended the line already
        say("Stopped." if isinstance(error, click.Abort) else "\nStopped.", err=True)
        return STOPPED
    except Exception as error:
        if isinstance(error, OutputFailed) or _is_of_clicks_output(error):
            raise
        logging.getLogger(__name__).exception("A command failed")
        what = f"Something went wrong on our side: {type(error).__name__}"
        return _fail(KbError(what, next_step="Run it again with -v for the details: kb -v …"), as_json=as_json)
    return result if isinstance(result, int) else 0


def _is_of_clicks_output(error: Exception) -> bool:
    """Whether a help or the version could not be written: click does that itself, without our functions."""
    *_, (innermost, _) = walk_tb(error.__traceback__)
    return isinstance(error, OSError) and innermost.f_code is click.echo.__code__


def _refuse_undecodable(words: list[str]) -> None:
    """Raises Refused for words that are not UTF-8: no file name or question of that kind can be stored or searched."""
    for word in words:
        if any("\ud800" <= letter <= "\udfff" for letter in word):
            shown = os.fsencode(word).decode(errors="replace")
            raise Refused(f"{shown!r} is not UTF-8", next_step="Rename the file, or type the words again.")


def _fail(error: KbError, *, as_json: bool) -> int:
    if as_json:
        print_json({"error": {"what": error.what, "why": error.why, "next": error.next_step}})
    say(f"Error: {plain(str(error))}", err=True)
    return error.exit_code


def _misused(error: click.ClickException, *, as_json: bool) -> int:
    if as_json:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "kb"
        print_json({"error": {"what": error.format_message(), "why": "", "next": f"{command} --help"}})
    shown = io.StringIO()
    error.show(file=shown)
    say(shown.getvalue(), err=True, nl=False)
    return error.exit_code
