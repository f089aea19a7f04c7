"""`kb ask` and `kb search`."""

import io
import json
import sys
from importlib import import_module
from threading import Thread
from typing import IO, TYPE_CHECKING, Any

import click

from bot.cli.options import as_option, filter_options, filters_of, json_option, print_json, run, scope_of
from bot.terminal.plain import one_line
from config.load import load
from domain.errors import KbError, Misconfigured, Refused

if TYPE_CHECKING:
    from agent.retrieval import Ranked
    from bot.main import Product
    from domain.access import Scope
    from domain.answers import Outcome, Overrides, Question
    from domain.search import Filters, Passage

NOT_FOUND = 3

PATIENCE = 4.0
"""Seconds for which a model's server that is away is tried again before words alone have to do."""

METHODS = ("hybrid", "lexical", "dense")


@click.command()
@click.argument("question", required=False)
@json_option
@as_option
@click.option("--show-sources", is_flag=True, help="Print the quoted words below each reference.")
@click.option("--trace", is_flag=True, help="Print how the answer came about.")
@click.option("--mode", type=click.Choice(["agentic", "direct"]), help="Search until it is good enough, or once.")
@click.option("--model", metavar="NAME", help="Another model of the endpoint; 'offline' for none.")
@click.option("--temperature", type=click.FloatRange(0, 2), metavar="T", help="Of the model, 0 to 2.")
@click.option("--top-k", type=click.IntRange(1, 50), metavar="N", help="Passages that the answer is drawn from.")
@click.option("--max-iterations", type=click.IntRange(1, 8), metavar="N", help="Passes of search, at most.")
@click.option("--expansion-depth", type=click.IntRange(0, 3), metavar="N", help="Passes on from what was found.")
@click.option("--expansion-threshold", type=click.FloatRange(0, 1), metavar="G", help="Grade that takes, 0 to 1.")
@click.option("--rerank/--no-rerank", default=None, help="Rank candidates a second time, or not.")
@click.option("-i", "--interactive", is_flag=True, help="Ask one question after another; Ctrl-D ends.")
@filter_options
def ask(question: str | None, *, as_json: bool, email: str | None, interactive: bool, **rest: Any) -> int:
    """Answer QUESTION from the index, with numbered references.

    Without QUESTION, it is read from standard input. Exit code 3 means that nothing was found.
    """
    settings = load()
    scope = scope_of(email, settings.access.email_domains)
    show = {name: rest.pop(name) for name in ("show_sources", "trace")}
    overrides = overrides_of(rest)
    filters = filters_of(**rest)
    if interactive:
        if as_json or question:
            raise click.UsageError("--interactive takes neither QUESTION nor --json.")
        return run(_converse(settings, scope, filters, overrides, show))
    if question is None:
        question = _piped()
    from domain.answers import Question

    asked = Question(question, scope, filters, overrides=overrides)
    return run(_ask_once(settings, asked, show, as_json=as_json))


def overrides_of(options: dict[str, Any]) -> "Overrides":
    """What the options want otherwise than the settings; they are taken out of `options`."""
    from domain.answers import Overrides

    names = (
        "model",
        "temperature",
        "top_k",
        "mode",
        "max_iterations",
        "expansion_depth",
        "expansion_threshold",
        "rerank",
    )
    return Overrides(**{name: options.pop(name) for name in names})


def _piped() -> str:
    if sys.stdin.isatty():
        raise click.UsageError('There is no QUESTION. Example: kb ask "How do I reset my password?"')
    _tolerate_other_encodings()
    return sys.stdin.read()


def _tolerate_other_encodings() -> None:
    """What is no UTF-8 on standard input becomes a question mark, not an error."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")


async def _ask_once(settings: Any, question: "Question", show: dict[str, bool], *, as_json: bool) -> int:
    _progress("Opening the index")
    _load_graph()
    from bot.main import open_product
    from bot.terminal.render import json_of, text_of
    from domain.answers import Declined, Failed

    async with open_product(settings, patience=PATIENCE) as product:
        outcome, shown = await _outcome(product, question, show_parts=not as_json)
    _progress("")
    if as_json:
        print_json(json_of(outcome))
    elif isinstance(outcome, Declined | Failed):
        click.echo(f"Error: {text_of(outcome, **show)}", err=True)
    else:
        click.echo(text_of(outcome, **show).removeprefix(shown))
    return _exit_code(outcome)


def _load_graph() -> None:
    """The graph's library takes a second or two to import: it comes in while the index is opened."""
    Thread(target=import_module, args=("agent.graph",), daemon=True).start()


async def _outcome(product: "Product", question: "Question", *, show_parts: bool) -> "tuple[Outcome, str]":
    """The outcome, and what of its text was printed while it was written."""
    from bot.terminal.plain import plain
    from domain.answers import Progress, Written

    shown = ""
    async for event in product.answers.stream(question):
        if isinstance(event, Progress):
            if not shown:
                _progress(event.text)
        elif isinstance(event, Written):
            if show_parts:
                _progress("")
                part = plain(event.text)
                click.echo(part, nl=False)
                shown += part
        else:
            return event, shown
    raise AssertionError("a stream of answers ends with an outcome")


def _progress(text: str) -> None:
    """One line on standard error that replaces itself; on a terminal only its last state is left: nothing."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{one_line(text)}{'…' if text else ''}", nl=False, err=True)
    elif text:
        click.echo(f"{one_line(text)}…", err=True)


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


async def _converse(
    settings: Any, scope: "Scope", filters: "Filters", overrides: "Overrides", show: dict[str, bool]
) -> int:
    _tolerate_other_encodings()
    _progress("Opening the index")
    _load_graph()
    from bot.main import data_dir, open_product
    from bot.terminal.prompt import Prompt
    from bot.terminal.render import text_of
    from domain.answers import Question, Turn

    history: tuple[Turn, ...] = ()
    async with open_product(settings, patience=PATIENCE) as product:
        _progress("")
        prompt = Prompt(data_dir(settings) / "history")
        click.echo("Ask a question. An empty line, Ctrl-D or 'exit' ends.", err=True)
        while text := prompt.read():
            click.echo()
            asked = Question(text, scope, filters, history, overrides)
            outcome, shown = await _outcome(product, asked, show_parts=True)
            _progress("")
            reply = text_of(outcome, **show)
            click.echo(f"{reply.removeprefix(shown)}\n")
            history = (*history[-9:], Turn(text, text_of(outcome)))
    return 0


@click.command()
@click.argument("query", required=False)
@click.option("-k", "--k", "limit", type=click.IntRange(1, 100), default=10, show_default=True, help="Results wanted.")
@click.option("--method", type=click.Choice(METHODS), default="hybrid", show_default=True, help="How to retrieve.")
@click.option("--neighbours", type=click.IntRange(0, 5), default=0, help="Chunks before and after each result.")
@click.option("--queries", type=click.File(encoding="utf-8"), help='File of {"_id", "text"} lines; - for stdin.')
@json_option
@as_option
@filter_options
def search(
    query: str | None,
    *,
    limit: int,
    method: str,
    neighbours: int,
    queries: IO[str] | None,
    as_json: bool,
    email: str | None,
    **rest: Any,
) -> int:
    """Show the passages that match QUERY best.

    With --queries, one JSON object is written for each line, with the query's _id.
    """
    if (query is None) == (queries is None):
        raise click.UsageError("Give either QUERY or --queries FILE.")
    settings = load()
    wanted = {
        "scope": scope_of(email, settings.access.email_domains),
        "filters": filters_of(**rest),
        "limit": limit,
        "method": method,
        "neighbours": neighbours,
    }
    if queries is not None:
        return run(_search_many(settings, _read_queries(queries), wanted))
    assert query is not None  # noqa: S101 - checked above
    if not query.strip():
        raise Refused("The query is empty", next_step='Use words: kb search "reset password"')
    return run(_search_one(settings, query, wanted, as_json=as_json))


def _read_queries(file: IO[str]) -> list[dict[str, str]]:
    """The lines of a query file. Raises Refused naming the first line that is not of its form."""
    name = getattr(file, "name", "<stdin>")
    try:
        lines = file.readlines()
    except UnicodeDecodeError as error:
        raise Refused(f"{name} is not UTF-8 text", why=str(error), next_step="Convert it and try again.") from None
    return [_read_query(line, f"Line {n} of {name}") for n, line in enumerate(lines, start=1) if line.strip()]


def _read_query(line: str, where: str) -> dict[str, str]:
    try:
        row = json.loads(line)
        query = {"_id": str(row["_id"]), "text": row["text"].encode(errors="replace").decode().strip()}
    except (ValueError, TypeError, KeyError, AttributeError):
        query = {"text": ""}
    if not query["text"]:
        raise Refused(
            f"{where} is not a query",
            why='It takes one {"_id": …, "text": …} a line, the text not empty.',
            next_step="Mend that line and try again.",
        )
    return query


async def _results(product: "Product", query: str, wanted: dict[str, Any]) -> "list[tuple[Ranked, Passage]]":
    options = dict(wanted)
    neighbours = options.pop("neighbours")
    found = await product.retriever.rank(query, **options)
    if found.degraded:
        click.echo(found.degraded, err=True)
    passages = await product.retriever.passages(found.ranked, options["scope"], neighbours=neighbours)
    by_id = {passage.chunk_id: passage for passage in passages}
    return [(item, by_id[item.chunk_id]) for item in found.ranked if item.chunk_id in by_id]


async def _search_one(settings: Any, query: str, wanted: dict[str, Any], *, as_json: bool) -> int:
    from bot.main import open_product

    async with open_product(settings, patience=PATIENCE) as product:
        results = await _results(product, query, wanted)
    if as_json:
        print_json({"results": [_result_json(*result) for result in results]})
    elif results:
        click.echo("\n\n".join(_result_text(n, *result) for n, result in enumerate(results, start=1)))
    else:
        click.echo("Nothing found. Try other words, or index more: kb index PATH_OR_URL")
    return 0 if results else NOT_FOUND


async def _search_many(settings: Any, queries: list[dict[str, str]], wanted: dict[str, Any]) -> int:
    from bot.main import open_product

    async with open_product(settings, patience=PATIENCE) as product:
        for query in queries:
            results = await _results(product, query["text"], wanted)
            print_json({"_id": query["_id"], "results": [_result_json(*result) for result in results]})
    return 0


def _result_json(item: "Ranked", passage: "Passage") -> dict[str, object]:
    from agent.citations import place

    return {
        "document_id": passage.document_id,
        "chunk_id": passage.chunk_id,
        "title": passage.title,
        "url": passage.url,
        "path": passage.path,
        "section": " > ".join(passage.heading_path),
        "place": place(passage.span),
        "score": round(item.score, 6),
        "methods": dict(item.ranks),
        "text": passage.text,
        "before": list(passage.before),
        "after": list(passage.after),
    }


def _result_text(number: int, item: "Ranked", passage: "Passage") -> str:
    from agent.citations import place
    from bot.terminal.plain import one_line, plain

    head = " — ".join(one_line(part) for part in (passage.title, " > ".join(passage.heading_path)) if part)
    ranks = ", ".join(f"{name} {rank}" for name, rank in item.ranks.items())
    where = " ".join(part for part in (one_line(passage.path), place(passage.span)) if part)
    text = "\n".join([*passage.before, passage.text, *passage.after])
    body = "\n".join(f"   {line}" for line in plain(text).splitlines())
    return f"{number}. {head}  [{item.score:.3f}; {ranks}]\n   {where}\n{body}"
