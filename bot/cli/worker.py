"""`kb worker`."""

from typing import TYPE_CHECKING

import click

from bot.cli.options import with_settings
from bot.cli.serve import run_service

if TYPE_CHECKING:
    from config.settings import Settings


@click.command()
@with_settings
async def worker(settings: "Settings") -> int:
    """Answer questions that kb serve accepted. Run as many as you like, on any machine with the same settings.

    Processes on one machine differ in one of them, KB_AGENT_OPS_PORT: each answers /healthz and /readyz at its own.
    """
    return await run_service(settings, listens=False)
