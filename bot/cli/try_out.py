"""`kb try`: the pages, on this machine, over the index of its data folder."""

import asyncio
import logging
import webbrowser
from dataclasses import replace

import click

from bot.cli.options import with_settings
from bot.cli.serve import ended_when_asked, until
from bot.terminal.output import say, show_secret
from config.settings import Settings


@click.command(name="try")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Listen on this port; by default on a free one.")
@click.option("--open", "opens", is_flag=True, help="Open the address in this machine's browser, too.")
@with_settings
async def try_out(settings: Settings, port: int, *, opens: bool) -> int:
    """Ask in a browser on this machine, until Ctrl-C.

    It prints an address that opens the pages once; when it is used, another one. Whoever opens it asks as nobody in
    particular, and sees what every member may read. Nobody else reaches it.
    """
    from bot.app.product import open_product
    from bot.app.serving import listening, open_service
    from bot.app.serving_web import open_for_web
    from domain.cancellation import cancel_and_wait

    first = True

    def opened(address: str) -> None:
        nonlocal first
        say("Open this in a browser:" if first else "It was opened. For another browser:", err=True)
        show_secret(address)
        if opens and first:
            webbrowser.open(address)
        first = False

    alone = replace(settings, web=replace(settings.web, api_host="127.0.0.1", api_port=port, api_public_url=None))
    alone = replace(alone, serve=replace(alone.serve, http_host="127.0.0.1", http_port=0))
    root = logging.getLogger()
    root.setLevel(min(root.level, logging.WARNING))
    say("Opening the index …", err=True)
    async with open_product(alone) as product, open_service(product, open_for_web(product, opened)) as service:
        tasks = [asyncio.create_task(service.work("questions")), asyncio.create_task(service.run_forever())]
        try:
            async with listening(service):
                say("Ctrl-C ends.", err=True)
                await until(ended_when_asked(), tasks)
        finally:
            await cancel_and_wait(*tasks, again=service.leaving, limit=service.leaving)
    return 0
