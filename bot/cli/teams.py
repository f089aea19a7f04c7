"""`kb teams`: what an administrator of Microsoft Teams needs."""

from pathlib import Path

import click

from bot.markup.plain_text import one_line
from bot.terminal.output import say, settings_in_force
from domain.errors import KbError


@click.group()
def teams() -> None:
    """Set up the bot in Microsoft Teams; see docs/teams.md."""


@teams.command()
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default="kb-teams.zip",
    show_default=True,
    metavar="FILE",
    help="Where the package is written.",
)
@click.option("--name", default="kb", show_default=True, help="What people mention; 30 characters at most.")
@click.option("--company", default="Our company", show_default=True, help="Who runs the bot; 32 characters at most.")
@click.option("--website", default="https://example.com", show_default=True, help="Its web site; Teams wants one.")
@click.option("--app-version", metavar="1.2.3", help="Raise it for a package that replaces another. Default: ours.")
def package(out: Path, *, name: str, company: str, website: str, app_version: str | None) -> int:
    """Write the app package that is uploaded to Teams: a manifest and two icons in a zip file.

    The bot's id comes from the settings (KB_AGENT_TEAMS_APP_ID). Nothing secret is in the package. A FILE that is
    there is replaced.
    """
    from importlib.metadata import version

    from bot.teams.app_package import AppDetails, archive

    app_id = settings_in_force().teams.teams_app_id or ""
    content = archive(AppDetails(app_id, app_version or version("kb-agent"), name, company, website))
    shown = one_line(str(out))
    try:
        out.write_bytes(content)
    except OSError as error:
        why = str(error.strerror)
        raise KbError(f"{shown} cannot be written", why=why, next_step="Give another place: --out FILE") from error
    say(f"Wrote {shown}. Upload it in Teams: docs/teams.md, “Install the app”.")
    return 0
