"""The part of the composition root that serves the Model Context Protocol over standard input and output."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from importlib import import_module

from bot.mcp.stdio import serve_stdio
from bot.mcp.tools import McpTools
from bot.web.asking import WebAsking
from bot.web.reading import WebReading
from config.settings import Settings
from domain.cancellation import MAX_WAIT_SECONDS, cancel_and_wait


async def serve_mcp(settings: Settings, address: str, ended: asyncio.Event) -> None:
    """Serves one client, who asks as `address`, until it goes away or `ended` is set. A client hears at once what tools
    there are; calls wait until the index is open."""
    # nothing is listened on: what is set for that does not concern this process
    alone = replace(settings, web=replace(settings.web, api_host="127.0.0.1", api_public_url=None, oidc_issuer=None))
    tools: asyncio.Future[McpTools] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(serve_stdio(tools, address))
    tasks = [serving, asyncio.create_task(ended.wait()), asyncio.create_task(_work(alone, tools))]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        leaving = settings.serve.shutdown_seconds + 5 * MAX_WAIT_SECONDS
        await cancel_and_wait(*tasks, again=leaving, limit=leaving)


async def _work(settings: Settings, tools: "asyncio.Future[McpTools]") -> None:
    """Opens the index, makes the tools, and answers questions until it is cancelled."""
    await asyncio.to_thread(import_module, "bot.app.serving_web")  # it takes a second, and the client waits for a reply
    from bot.app.product import open_product
    from bot.app.serving import open_service
    from bot.app.serving_web import open_for_web

    async with open_product(settings) as product:
        web = open_for_web(product)
        async with AsyncExitStack() as stack:
            service = await stack.enter_async_context(open_service(product, web))
            needs = await web.needs(service.conversations, service.actions, stack)
            asking = WebAsking(needs)
            tools.set_result(McpTools(asking, WebReading(needs, asking), product.masker))
            work = [asyncio.create_task(service.work("questions")), asyncio.create_task(service.run_forever())]
            try:
                done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            finally:
                await cancel_and_wait(*work, again=service.leaving, limit=service.leaving)
                await web.close()
