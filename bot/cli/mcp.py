"""`kb mcp`: tools for programs with a language model, on standard input and output."""

import click

from bot.app.scopes import address_of
from bot.cli.options import with_settings
from bot.cli.serve import ended_when_asked
from config.settings import Settings


@click.command()
@click.option("--as", "email", required=True, metavar="EMAIL", help="Whom the client asks as.")
@with_settings
async def mcp(settings: Settings, email: str) -> int:
    """Serve a client of the Model Context Protocol on standard input and output; see docs/mcp.md.

    The client starts this command, and it ends with the client. What the tools find is what EMAIL may read.
    """
    address = address_of(email)
    from bot.app.serving_mcp import serve_mcp

    await serve_mcp(settings, address, ended_when_asked())
    return 0
