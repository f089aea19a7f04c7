"""Jira as a kind of source."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from indexer.sources.atlassian.options import SITE_OPTIONS, open_client, shared_options, stored_site
from indexer.sources.jira.webhook import WEBHOOK
from indexer.sources.kind import OptionError, SourceKind, SourceOption, SourceSetup

if TYPE_CHECKING:
    from indexer.sources.connector import Connector

_OPTIONS = (
    SourceOption("--project", "projects", "This project; repeat for several. Else all.", metavar="KEY", multiple=True),
    SourceOption("--field", "fields", "A further field to read; repeat for several.", metavar="NAME", multiple=True),
    SourceOption(
        "--security-level",
        "levels",
        "Data Center, which does not tell: the groups in a security level. Repeat for several.",
        metavar="LEVEL=GROUP[,GROUP]",
        multiple=True,
    ),
    SourceOption(
        "--internal-notes",
        "internal_notes",
        "Who reads a service desk's notes: its agents, or all who may see the issue.",
        choices=("agents", "browse"),
        default="agents",
    ),
)


def _stored(given: Mapping[str, Any]) -> dict[str, object]:
    own = {"projects": list(given["projects"]), "fields": list(given["fields"])}
    levels = dict(map(_level, given["levels"]))
    return {**stored_site(given), **own, "security_levels": levels, "internal_notes": given["internal_notes"]}


def _level(given: str) -> tuple[str, list[str]]:
    name, equals, groups = given.partition("=")
    named = [each.strip() for each in groups.split(",") if each.strip()]
    if not equals or not name.strip() or not named:
        raise OptionError(f"{given!r} is not LEVEL=GROUP[,GROUP]", "--security-level")
    return name.strip(), named


@asynccontextmanager
async def _open(setup: SourceSetup) -> "AsyncIterator[Connector]":
    from indexer.sources.jira.connector import JiraConnector
    from indexer.sources.jira.options import JiraOptions

    levels = setup.options.get("security_levels")
    options = JiraOptions(
        projects=setup.texts("projects"),
        security_levels=levels if isinstance(levels, dict) else {},
        internal_notes="browse" if setup.options.get("internal_notes") == "browse" else "agents",
        fields=setup.texts("fields"),
        **shared_options(setup),
    )
    async with open_client(setup, "jira") as client:
        yield JiraConnector(setup.name, client, options)


def _document_names(external_id: str, url: str) -> Iterator[str]:
    """An issue by its id or key, a file by its id."""
    kind, sign, number = external_id.partition(":")
    if sign and kind in {"issue", "attachment"}:
        yield number
    if kind == "issue" and "/browse/" in url:
        yield url.rpartition("/browse/")[2]


KIND = SourceKind(
    name="jira",
    title="Jira",
    summary="Projects of a Jira, Cloud or Data Center, with the permissions that it states.",
    options=(*SITE_OPTIONS, *_OPTIONS),
    stored=_stored,
    open=_open,
    states_permissions=True,
    live_tool="jira_fetch",
    webhook=WEBHOOK,
    document_names=_document_names,
)
