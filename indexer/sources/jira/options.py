"""Options of a Jira source: what is read, and what no API tells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from indexer.sources.atlassian.options import SharedOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class JiraOptions(SharedOptions):
    """An operator's options of a Jira source. Groups are given by their names or ids."""

    projects: tuple[str, ...] = ()
    """Keys of those to read; all that the account may browse when empty."""
    security_levels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """For Data Center, which does not tell, the groups that are in a security level, by the level's name."""
    internal_notes: Literal["agents", "browse"] = "agents"
    """Who reads a service desk's notes: its agents, or all who may browse the issue."""
    fields: tuple[str, ...] = ()
    """Names or ids of further fields whose values belong to an issue's text."""
