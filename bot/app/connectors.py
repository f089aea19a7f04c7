"""Opens what reads a source: the connector of a configured source, and the process that parses files."""

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from config.settings import Settings
from domain.access import NOBODY, ORGANISATION, Acl, user
from indexer.sources.kind import SourceSetup
from indexer.sources.registry import kind_named
from storage.index.sources import Source

if TYPE_CHECKING:  # indexing's libraries are imported when something is indexed: answering starts faster without
    from indexer.parse.sandbox import SandboxedParser
    from indexer.sources.connector import Connector


def open_connector(
    source: Source, settings: Settings, *, patience: float | None = None
) -> "AbstractAsyncContextManager[Connector]":
    """The connector of a configured source. patience: seconds for one request with its repetitions, where not as the
    settings say.

    Raises Misconfigured when this release does not know its kind; opening it, when it cannot be used as it is.
    """
    index = settings.index

    def secret(variable: str) -> str | None:
        found = settings.secrets.get(variable)
        return found.reveal() if found else None

    setup = SourceSetup(
        source.name,
        source.options,
        acl_of(source.options.get("audience")),
        secret,
        # of every kind, although the setting is called after the first ones
        patience=index.atlassian_patience if patience is None else patience,
        max_bytes=round(index.max_file_mb * 1_000_000),
        fetch_allow=index.fetch_allow,
        fetch_max_bytes=round(index.fetch_max_mb * 1_000_000),
        fetch_seconds=index.fetch_seconds,
        fetch_delay=index.fetch_delay,
        fetch_max_pages=index.fetch_max_pages,
    )
    return kind_named(source.kind, source.name).open(setup)


def open_parser(settings: Settings) -> "SandboxedParser":
    """The child process that reads files, with its limits."""
    from indexer.parse.limits import ParseLimits
    from indexer.parse.sandbox import SandboxedParser

    index = settings.index
    limits = ParseLimits(
        memory_bytes=index.parse_memory_mb * 2**20,
        cpu_seconds=max(1, round(index.parse_seconds)),
        wall_seconds=2 * index.parse_seconds,
        input_bytes=round(index.max_file_mb * 1_000_000),
    )
    return SandboxedParser(limits)


def acl_of(audience: object) -> Acl:
    """Whom a source's `audience` option admits: `everyone`, or a list of e-mail addresses; else nobody."""
    if audience == "everyone":
        return ORGANISATION
    if isinstance(audience, list):
        return Acl.any_of(*(user(str(email)) for email in audience))
    return NOBODY
