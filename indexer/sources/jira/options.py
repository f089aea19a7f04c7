"""What of a Jira is read, and what no API tells about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class JiraOptions:
    """projects: keys of those to read; all that the account may browse when empty.

    organisation_groups: names or ids of groups that hold everyone of the organisation: what admits one of them admits
        every member of it, with an account or without.
    security_levels: for Data Center, which does not tell, the groups that are in a security level, by the level's name.
    open_to_all: whether Jira admits people who are not logged in, from anywhere; what schemes say of anyone is so of
        everybody only then, and of all who may use Jira otherwise.
    internal_notes: who reads a service desk's notes: its agents, or all who may browse the issue.
    fields: names or ids of further fields whose values belong to an issue's text.
    attachments: whether files are read. max_bytes: larger ones are passed.
    """

    projects: tuple[str, ...] = ()
    organisation_groups: frozenset[str] = frozenset()
    security_levels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    open_to_all: bool = False
    internal_notes: Literal["agents", "browse"] = "agents"
    fields: tuple[str, ...] = ()
    attachments: bool = True
    max_bytes: int = 25_000_000
