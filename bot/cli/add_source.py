"""`kb sources add`: what is to be indexed, and as whom it is read."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from bot.atlassian import KINDS
from bot.cli.findings import accounts, findings, good, text
from bot.cli.index import audience_of, checked_name, source_options
from bot.cli.options import json_option, run
from bot.terminal.output import print_json, say, settings_in_force
from domain.access import email_of
from domain.errors import Refused

if TYPE_CHECKING:
    from config.settings import Settings
    from storage.sources import Source

Command = Callable[..., Any]

_NAME = click.option("--name", metavar="NAME", required=True, help="A name of your choice.")
_AUDIENCE = click.option(
    "--audience", multiple=True, metavar="everyone|EMAIL", help="Who may read it; repeat for several. Else everyone."
)


@click.group("add")
def add() -> None:
    """Configure a source; kb reindex then reads it."""


@add.command("files")
@_NAME
@click.option("--path", metavar="PATH", required=True, help="The folder or file.")
@_AUDIENCE
@json_option
def files(name: str, path: str, audience: tuple[str, ...], *, as_json: bool) -> int:
    """A folder of documents, or one file."""
    return _placed("files", name, path, audience, as_json=as_json)


@add.command("web")
@_NAME
@click.option("--url", metavar="URL", required=True, help="The page or sitemap.")
@_AUDIENCE
@json_option
def web(name: str, url: str, audience: tuple[str, ...], *, as_json: bool) -> int:
    """A web page, or the pages of a sitemap."""
    return _placed("web", name, url, audience, as_json=as_json)


def _placed(kind: str, name: str, place: str, audience: tuple[str, ...], *, as_json: bool) -> int:
    from storage.sources import Source

    found, options = source_options(place)
    if found != kind:
        raise click.UsageError(f"{place!r} does not fit a {kind} source.")
    options["audience"] = audience_of(audience)
    source = Source(checked_name(name), kind, options)
    return run(_add(settings_in_force(), source, unchecked=True, as_json=as_json))


def _site(command: Command) -> Command:
    """Options that Confluence and Jira share."""
    for option in reversed(
        [
            _NAME,
            click.option("--url", metavar="URL", required=True, help="Where people open it."),
            click.option(
                "--flavour", type=click.Choice(["cloud", "datacenter"]), help="By default cloud at *.atlassian.net."
            ),
            click.option("--email", metavar="EMAIL", default="", help="Cloud: of the account whose token it is."),
            click.option(
                "--token-env", metavar="VAR", required=True, help="The environment variable that holds the token."
            ),
            click.option(
                "--api-url", metavar="URL", default="", help="Cloud, scoped tokens: https://api.atlassian.com/ex/…"
            ),
            click.option(
                "--organisation-group",
                "organisation_groups",
                multiple=True,
                metavar="GROUP",
                help="A group that stands for everybody: what it may read is used in channels. Repeat for several.",
            ),
            click.option(
                "--open-to-all", is_flag=True, help="The site lets people in from anywhere who are not logged in."
            ),
            click.option(
                "--webhook-secret-env",
                metavar="VAR",
                default="",
                help="The environment variable that holds the secret of its webhooks: docs/webhooks.md.",
            ),
            click.option("--no-attachments", is_flag=True, help="Do not read attached files."),
            click.option("--unchecked", is_flag=True, help="Add it without trying it first."),
            click.option("--replace", is_flag=True, help="Other options for the source of this name; its index stays."),
            json_option,
        ]
    ):
        command = option(command)
    return command


@add.command("confluence")
@_site
@click.option("--space", "spaces", multiple=True, metavar="KEY", help="This space; repeat for several. Else all.")
@click.option("--archived", is_flag=True, help="Archived spaces, too.")
@click.option(
    "--access-group",
    "access_groups",
    multiple=True,
    metavar="GROUP",
    help="Whose members may use Confluence at all; repeat for several. Else every account.",
)
def confluence(**given: Any) -> int:
    """Spaces of a Confluence, Cloud or Data Center, with the permissions that it states."""
    own = {"spaces": list(given["spaces"]), "access_groups": list(given["access_groups"])}
    return _atlassian("confluence", given, {**own, "archived": given["archived"]})


@add.command("jira")
@_site
@click.option("--project", "projects", multiple=True, metavar="KEY", help="This project; repeat for several. Else all.")
@click.option("--field", "fields", multiple=True, metavar="NAME", help="A further field to read; repeat for several.")
@click.option(
    "--security-level",
    "levels",
    multiple=True,
    metavar="LEVEL=GROUP[,GROUP]",
    help="Data Center, which does not tell: the groups in a security level. Repeat for several.",
)
@click.option(
    "--internal-notes",
    type=click.Choice(["agents", "browse"]),
    default="agents",
    show_default=True,
    help="Who reads a service desk's notes: its agents, or all who may see the issue.",
)
def jira(**given: Any) -> int:
    """Projects of a Jira, Cloud or Data Center, with the permissions that it states."""
    own = {"projects": list(given["projects"]), "fields": list(given["fields"])}
    levels = dict(_level(each) for each in given["levels"])
    return _atlassian("jira", given, {**own, "security_levels": levels, "internal_notes": given["internal_notes"]})


def _level(given: str) -> tuple[str, list[str]]:
    name, equals, groups = given.partition("=")
    named = [each.strip() for each in groups.split(",") if each.strip()]
    if not equals or not name.strip() or not named:
        raise click.BadParameter(f"{given!r} is not LEVEL=GROUP[,GROUP]", param_hint="--security-level")
    return name.strip(), named


def _atlassian(kind: str, given: dict[str, Any], own: dict[str, object]) -> int:
    from storage.sources import Source

    url = given["url"].strip().rstrip("/")
    host = re.sub(r"^\w+://([^/:]+).*", r"\1", url).lower()
    flavour = given["flavour"] or ("cloud" if host.endswith((".atlassian.net", ".jira.com")) else "datacenter")
    options = {
        "url": url,
        "flavour": flavour,
        "email": _email(given["email"]),
        "token_env": _variable(given["token_env"], "--token-env"),
        "api_url": given["api_url"].strip().rstrip("/"),
        "organisation_groups": list(given["organisation_groups"]),
        "open_to_all": given["open_to_all"],
        "attachments": not given["no_attachments"],
        **own,
    }
    if given["webhook_secret_env"]:
        options["webhook_secret_env"] = _variable(given["webhook_secret_env"], "--webhook-secret-env")
    source = Source(checked_name(given["name"]), kind, options)
    given = {each: given[each] for each in ("unchecked", "replace", "as_json")}
    return run(_add(settings_in_force(), source, **given))


def _email(given: str) -> str:
    found = email_of(given) if given else ""
    if found is None:
        raise click.BadParameter(f"{given!r} is not an e-mail address", param_hint="--email")
    return found


def _variable(given: str, option: str) -> str:
    if not re.fullmatch(r"[A-Za-z_]\w*", given) or given.startswith("KB_AGENT_"):
        raise click.BadParameter(
            "it takes the name of an environment variable, not the secret itself; one that KB_AGENT_ does not begin",
            param_hint=option,
        )
    return given


async def _add(
    settings: "Settings", source: "Source", *, unchecked: bool, replace: bool = False, as_json: bool = False
) -> int:
    from bot.main import database_options
    from storage.open import open_storage

    found: list[dict[str, str]] = []
    async with open_storage(database_options(settings)) as storage:
        known = {state.source.name: state.source.kind for state in await storage.sources.states()}
        _refuse_unfitting(source, known.get(source.name), replace=replace)
        if not unchecked:
            found = await findings(source, settings)
            if not as_json:
                say(text(source.name, found), known=accounts([source]))
        if not good(found) and as_json:
            print_json(_result(source, "nothing", found), known=accounts([source]))
            return Refused.exit_code
        if not good(found):
            raise Refused(
                f"{source.name} was not {'changed' if replace else 'added'}",
                why="It could not be read as it is; see above.",
                next_step="Mend that and try again, or do it all the same with --unchecked.",
            )
        await (storage.sources.replace if replace else storage.sources.add)(source)
    if as_json:
        print_json(_result(source, "changed" if replace else "added", found), known=accounts([source]))
    else:
        say(f"{'Changed' if replace else 'Added'}. Read it now: kb reindex --source {source.name}")
    return 0


def _result(source: "Source", done: str, found: list[dict[str, str]]) -> dict[str, object]:
    return {"source": source.name, "kind": source.kind, "done": done, "findings": found}


def _refuse_unfitting(source: "Source", known: str | None, *, replace: bool) -> None:
    """Raises Refused where a name is taken, or there is nothing of the kind to replace. known: its kind, if any."""
    if replace and known != source.kind:
        raise Refused(
            f"There is no source {source.name} of {source.kind.title()}",
            why=f"{source.name} is of the kind {known}." if known else "",
            next_step="See: kb sources list. Without --replace a new one is added.",
        )
    if known is not None and not replace:
        other = " It is given other options with --replace." if known == source.kind and known in KINDS else ""
        raise Refused(
            f"There is a source {source.name} already",
            next_step=f"Choose another name, or remove it first: kb sources remove {source.name}.{other}"
            if other
            else f"Choose another name, or remove it first: kb sources remove {source.name}",
        )
