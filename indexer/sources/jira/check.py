"""Checks a Jira source before its first run, for operators."""

from collections.abc import Awaitable, Callable

from domain.errors import KbError, Refused, Transient
from indexer.sources.atlassian.token_expiry import expiry
from indexer.sources.connector import CheckFinding
from indexer.sources.jira.api import JiraApi, Row
from indexer.sources.jira.options import JiraOptions
from indexer.sources.jira.people import JiraPeople
from indexer.sources.jira.permissions import JiraPermissions

BROAD = 0.9
"""The share of all people from which a group is said to be a candidate for the whole organisation."""
MAX_SHOWN = 10


async def findings(
    api: JiraApi,
    options: JiraOptions,
    projects: Callable[[], Awaitable[dict[str, Row]]],
    read: Callable[[], Awaitable[tuple[JiraPeople, JiraPermissions]]],
) -> list[CheckFinding]:
    """See indexer.sources.connector.CheckableSource. What depends on something that does not work is left out.

    projects: finds those of the source. read: reads everything of people and rights.
    """
    found: list[CheckFinding] = []
    try:
        name = str((await api.myself()).get("displayName") or "an account without a name")
        found.append(CheckFinding("ok", f"Jira answers, and the token belongs to {name}"))
        keys = sorted(str(row.get("key")) for row in (await projects()).values())
        found.append(CheckFinding("ok", f"{len(keys)} projects can be browsed: {_shown(keys)}"))
        people, rights = await read()
        token = await expiry(api.client, "Jira")
    except KbError as error:
        return [*found, CheckFinding.of(error)]
    told = [*_people(people), *_rights(rights, options), *_groups(people, options), *await _levels(api, options)]
    return [*found, *told, token]


def _people(people: JiraPeople) -> list[CheckFinding]:
    members = len(people.directory().members)
    found = [CheckFinding("ok", f"{members} people can be recognised by their e-mail addresses")]
    if not members:
        why = "Jira tells no e-mail address, or no users at all."
        step = "Give the account Browse Users, and have the people's addresses shown to it."
        found = [CheckFinding("error", "Nobody can be recognised by an e-mail address", why, step)]
    if people.hidden:
        why = "Their profiles hide the address. They get public answers only."
        step = "Have the addresses shown, by managed accounts or the people's own settings."
        found.append(CheckFinding("warning", f"{people.hidden} people cannot be recognised", why, step))
    if people.shared:
        why = "Nobody can tell which of the accounts is asking. They get public answers only."
        found.append(CheckFinding("warning", f"{people.shared} e-mail addresses belong to several accounts", why))
    return found


def _rights(rights: JiraPermissions, options: JiraOptions) -> list[CheckFinding]:
    step = "Make the account a Jira administrator, or have its token's scopes widened."
    found = [
        CheckFinding("warning", f"What {path} grants cannot be read, so it admits nobody", reason, step)
        for path, reason in sorted(rights.unreadable.items())
    ] or [CheckFinding("ok", "Permission schemes, application roles and groups can be read")]
    if rights.open_projects and not options.open_to_all:  # nobody but the operator knows who that is
        what = f"Anyone may browse {_shown(rights.open_projects)}, which is taken as all who may use Jira"
        why = "Whether the site can be reached by everybody cannot be read."
        step = "If it can, and they are meant to, say so with --open-to-all."
        found.append(CheckFinding("warning", what, why, step))
    return found


def _groups(people: JiraPeople, options: JiraOptions) -> list[CheckFinding]:
    unknown = sorted(options.organisation_groups - set(people.names) - set(people.names.values()))
    found = []
    if unknown:
        why = "They are configured as holding the whole organisation."
        step = "Correct what --organisation-group names."
        found.append(CheckFinding("warning", f"There are no groups {_shown(unknown)}", why, step))
    broad = people.broad(BROAD)
    if broad and not options.organisation_groups:
        why = "What such a group may read can be told to the whole organisation, in channels too."
        step = "Name with --organisation-group those that hold everyone by your own rules."
        found.append(CheckFinding("ok", f"Nearly everyone is in {_shown(broad)}", why, step))
    return found


async def _levels(api: JiraApi, options: JiraOptions) -> list[CheckFinding]:
    """Data Center does not tell who is in a security level."""
    if api.is_cloud:
        return []
    try:
        names = [each for each in await api.level_names() if each not in options.security_levels]
    except (Refused, Transient) as error:
        return [CheckFinding("warning", "The security levels cannot be read", error.what)]
    what = f"Nobody is known to be in the security levels {_shown(names)}"
    why = "Data Center does not tell who is in them, so their issues admit nobody."
    step = "Name the groups that are in each: --security-level LEVEL=GROUP,GROUP of kb sources add."
    return [CheckFinding("warning", what, why, step)] if names else []


def _shown(names: list[str]) -> str:
    more = f" and {len(names) - MAX_SHOWN} more" if len(names) > MAX_SHOWN else ""
    return ", ".join(names[:MAX_SHOWN]) + more
