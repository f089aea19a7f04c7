"""`kb ask`."""

import asyncio
import gc
import io
import sys
from dataclasses import fields, replace
from datetime import timedelta
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any

import click

from bot.app.scopes import scope_of
from bot.cli.options import (
    METHODS,
    FiniteRange,
    as_option,
    filter_options,
    filters_of,
    json_option,
    operator,
    rerank_options,
    scope_reason_of,
)
from bot.markup.plain_text import one_line, plain
from bot.terminal.output import print_json, say, settings_in_force
from config.settings import Settings
from domain.errors import KbError, Misconfigured, Refused

if TYPE_CHECKING:
    from bot.conversation.answer_job import ConversationOptions
    from domain.answers import Outcome, Question
    from storage.open import Storage

NOT_FOUND = 3

PATIENCE = 4.0
"""Seconds for which a model's server that is away is tried again before words alone have to do."""


@click.command()
@click.argument("words", nargs=-1, metavar="[QUESTION]")
@json_option
@as_option
@click.option("--show-sources", is_flag=True, help="Print the quoted words below each reference.")
@click.option("--trace", is_flag=True, help="Print how the answer came about.")
@click.option("--mode", type=click.Choice(["agentic", "direct"]), help="Search until it is good enough, or once.")
@click.option("--model", metavar="NAME", help="Another model of the endpoint; 'offline' for none.")
@click.option("--temperature", type=FiniteRange(0, 2), metavar="T", help="Of the model, 0 to 2.")
@click.option("--top-k", type=click.IntRange(1, 50), metavar="N", help="Passages that the answer is drawn from.")
@click.option("--method", type=click.Choice(METHODS), help="Which rankings are searched.")
@click.option("--lexical-weight", type=FiniteRange(0, 1), metavar="W", help="Of words against meaning, 0 to 1.")
@click.option("--graph-share", type=FiniteRange(0, 1), metavar="W", help="Of the knowledge graph, 0 to 1.")
@click.option("--max-iterations", type=click.IntRange(1, 8), metavar="N", help="Passes of search, at most.")
@click.option("--expansion-depth", type=click.IntRange(0, 3), metavar="N", help="Passes on from what was found.")
@click.option("--expansion-threshold", type=FiniteRange(0, 1), metavar="G", help="Grade that takes, 0 to 1.")
@rerank_options
@click.option("-i", "--interactive", is_flag=True, help="Ask one question after another; Ctrl-D ends.")
@filter_options
def ask(words: tuple[str, ...], *, as_json: bool, email: str | None, interactive: bool, **rest: Any) -> int:
    """Answer QUESTION from the index, with numbered references.

    Without QUESTION, it is read from standard input. Exit code 3 means that nothing was found, 2 that the question
    was declined: there was nothing to search, for instance.
    """
    question = " ".join(words) if words else None  # with or without quotation marks
    settings = settings_in_force()
    scope = scope_of(email, settings.access.email_domains)
    from domain.answers import Overrides, Question

    show = {name: rest.pop(name) for name in ("show_sources", "trace")}
    overrides = Overrides(**{each.name: rest.pop(each.name) for each in fields(Overrides)})
    asked = Question("", scope, filters_of(**rest), overrides=overrides, scope_reason=scope_reason_of(scope))
    if interactive:
        if as_json or question:
            raise click.UsageError("--interactive takes neither QUESTION nor --json.")
        return asyncio.run(_converse(settings, asked, show))
    if question is None:
        if sys.stdin.isatty():
            raise click.UsageError('There is no QUESTION. Example: kb ask "How do I reset my password?"')
        _tolerate_other_encodings()
        question = sys.stdin.read()
    if not question.strip() and not as_json:
        raise Refused("There is no question", next_step='Ask one in words: kb ask "How do I reset my password?"')
    return asyncio.run(_ask_once(settings, replace(asked, text=question), show, as_json=as_json))


def _tolerate_other_encodings() -> None:
    """What is no UTF-8 on standard input becomes a question mark, not an error."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")


async def _ask_once(settings: Settings, question: "Question", show: dict[str, bool], *, as_json: bool) -> int:
    gc.disable()  # the process ends with this answer: looking for what is unreachable takes 0.07 s of it
    _progress("Opening the index")
    _load_graph()
    from bot.app.product import open_product
    from bot.terminal.render import json_of, rest_of, text_of
    from domain.answers import Declined, Failed, Progress, ReplyPart

    shown = ""  # what was printed of the answer while it was written
    async with open_product(settings, patience=PATIENCE) as product:
        if not as_json:
            await _refuse_unknown_sources(product.storage, question)
        async for event in product.answers.stream(question):
            if isinstance(event, Progress):
                if not shown:
                    _progress(event.text)
            elif not isinstance(event, ReplyPart):
                answer = event
            elif not as_json:
                _progress("")
                part = plain(event.text)
                say(part, nl=False)
                shown += part
    _progress("")
    if as_json:
        print_json(json_of(answer))
    elif isinstance(answer.outcome, Declined | Failed):
        say(f"Error: {text_of(answer, **show)}", err=True)
    else:
        say(rest_of(text_of(answer, **show), shown))
    return _exit_code(answer.outcome)


async def _refuse_unknown_sources(storage: "Storage", question: "Question") -> None:
    """Raises Refused for a source that is asked for and is not there: it may be misspelt."""
    for name in question.filters.sources:
        await storage.sources.get(name)


def _load_graph() -> None:
    """The graph's library takes a second or two to import: it comes in while the index is opened."""
    Thread(target=import_module, args=("agent.answer_graph",), daemon=True).start()


def _progress(text: str) -> None:
    """One line on standard error that replaces itself; on a terminal only its last state is left: nothing."""
    if sys.stderr.isatty():
        say(f"\r\x1b[K{one_line(text)}{'…' if text else ''}", nl=False, err=True)
    elif text:
        say(f"{one_line(text)}…", err=True)


def _exit_code(outcome: "Outcome") -> int:
    from domain.answers import Answer, Declined, Failed, NotFound

    match outcome:
        case Answer():
            return 0
        case NotFound():
            return NOT_FOUND
        case Declined():
            return Refused.exit_code
        case Failed():
            return Misconfigured.exit_code if outcome.misconfigured else KbError.exit_code


async def _converse(settings: Settings, asked: "Question", show: dict[str, bool]) -> int:
    _tolerate_other_encodings()
    _progress("Opening the index")
    _load_graph()
    from bot.app.database import data_dir
    from bot.app.product import open_product
    from bot.conversation.service import ConversationService
    from bot.terminal.platform import TerminalPlatform
    from bot.terminal.prompt import Prompt

    platform = TerminalPlatform(asked, _progress, operator(), show)
    async with open_product(settings, patience=PATIENCE) as product:
        await _refuse_unknown_sources(product.storage, asked)
        ledger, memory = product.storage.ledger(), product.storage.memory()
        service = ConversationService(
            ledger, memory, product.answers, product.masker, {"terminal": platform}, _options(settings)
        )
        _progress("")
        prompt = Prompt(data_dir(settings) / "history", product.masker)
        say("Ask a question. An empty line, Ctrl-D or 'exit' ends.", err=True)
        while text := prompt.read():
            say()
            incoming = platform.incoming(text)
            try:
                claim = await service.receive(incoming)
                await service.answer(claim.number)
            except asyncio.CancelledError:
                await asyncio.shield(ledger.withdraw(incoming.key))
                raise
    return 0


def _options(settings: Settings) -> "ConversationOptions":
    """How the conversation is led: as in a chat, but nobody has to be protected from one who asks a lot."""
    from bot.conversation.answer_job import ConversationOptions
    from domain.conversation import QuestionLimits

    most = 10**9
    return ConversationOptions(
        limits=QuestionLimits(most, most, most, most, deadline=timedelta(hours=1)),
        turns=settings.conversation.memory_turns,
        idle=timedelta(hours=settings.conversation.memory_hours),
    )
