"""What several commands share: filters, who asks, how their work is run."""

import asyncio
import math
import os
import pwd
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from bot.terminal.output import settings_in_force
from config.settings import Settings
from domain.access import Scope
from domain.scope_reason import ScopeReason

if TYPE_CHECKING:
    from domain.conversation import Participant
    from domain.search import Filters
    from storage.open import Storage

Command = Callable[..., Any]
Option = Callable[[Command], Command]

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")

as_option = click.option(
    "--as", "email", metavar="EMAIL", help="Ask as this person: what they may read by name is searched too."
)


class FiniteRange(click.FloatRange):
    """A number within bounds: neither infinite nor NaN, which click takes for being within any."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """See click.ParamType."""
        found = float(super().convert(value, param, ctx))
        if not math.isfinite(found):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return found


METHODS = ("hybrid+graph", "hybrid", "lexical", "dense", "graph")


def with_options(*options: Option) -> Option:
    """A decorator that adds several options, in this order of help."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


filter_options = with_options(
    click.option("--source", "sources", multiple=True, metavar="NAME", help="Search this source only."),
    click.option("--label", "labels", multiple=True, metavar="LABEL", help="Search documents with this label."),
    click.option("--space", "spaces", multiple=True, metavar="SPACE", help="Search this space or project."),
    click.option("--document", "documents", multiple=True, metavar="ID", help="Search this document."),
    click.option("--title", default="", metavar="TEXT", help="Search documents with this in title or path."),
    click.option("--since", metavar="DATE", help="Search documents dated this day or later."),
    click.option("--until", metavar="DATE", help="Search documents dated this day or earlier."),
)
"""The options that narrow a search."""


rerank_options = with_options(
    click.option("--rerank/--no-rerank", default=None, help="Rank candidates a second time, or not."),
    click.option(
        "--rerank-candidates", type=click.IntRange(1, 200), metavar="N", help="Candidates ranked a second time."
    ),
    click.option("--rerank-blend", type=FiniteRange(0, 1), metavar="W", help="Weight of the second ranking, 0 to 1."),
)
"""Whether and how the best candidates are ranked anew; what is not given is the setting's."""


def filters_of(*, title: str, since: str | None, until: str | None, **lists: tuple[str, ...]) -> "Filters":
    """The filters that the options name. lists: sources, labels, spaces and documents."""
    from domain.search import Filters

    return Filters(
        titles=(title,) if title else (),
        since=moment(since, "--since") if since else None,
        until=moment(until, "--until", end=True) if until else None,
        **lists,
    )


def moment(text: str, option: str, *, end: bool = False) -> datetime:
    """A date or a date and time in ISO 8601; without a zone, UTC. With `end`, a bare date means its last moment."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a date such as 2026-03-31", param_hint=option) from None
    if end and len(text) <= 10:
        found = found.replace(hour=23, minute=59, second=59, microsecond=999_999)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def scope_reason_of(scope: Scope) -> ScopeReason:
    """Why somebody at this terminal sees what is public alone, where they do."""
    return ScopeReason("foreign_domain") if scope == Scope.outsider() else ScopeReason()


def with_settings(work: Callable[..., Coroutine[Any, Any, int]]) -> Callable[..., int]:
    """A command out of a coroutine function. It gets the settings first, then what the command line says. Ctrl-C
    cancels it; what it holds is released first."""

    @wraps(work)
    def command(**given: Any) -> int:
        return asyncio.run(work(settings_in_force(), **given))

    return command


def operator() -> "Participant":
    """Who runs the command: the account of the machine; by its number where it has no name."""
    from domain.conversation import Participant

    number = os.getuid()
    try:
        return Participant("terminal", pwd.getpwuid(number).pw_name)
    except KeyError:
        return Participant("terminal", str(number))


@asynccontextmanager
async def open_store(settings: Settings) -> "AsyncIterator[Storage]":
    """The store that the settings name. What is changed of sources and index versions is the operator's act."""
    from bot.app.database import database_options
    from storage.open import open_storage

    async with open_storage(database_options(settings)) as storage:
        yield storage.acting(operator())
