"""`kb mcp`: tools for programs with a language model, on standard input and output."""

import click

from bot.cli.options import with_settings
from bot.cli.serve import ended_when_asked
from config.settings import Settings
from domain.access import email_of
from domain.errors import Refused


@click.command()
@click.option("--as", "email", required=True, metavar="EMAIL", help="Whom the client asks as.")
@with_settings
async def mcp(settings: Settings, email: str) -> int:
    """Serve a client of the Model Context Protocol on standard input and output; see docs/mcp.md.

    The client starts this command, and it ends with the client. What the tools find is what EMAIL may read.
    """
    address = email_of(email)
    if address is None:
        raise Refused(f"{email!r} is not an e-mail address", next_step="Use --as NAME@DOMAIN")
    from bot.app.serving_mcp import serve_mcp

    await serve_mcp(settings, address, ended_when_asked())
    return 0
