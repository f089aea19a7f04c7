"""The one HTTP listener of a serving process."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from aiohttp import web

from domain.errors import Misconfigured

LARGEST = 1_000_000
"""Bytes of a request's body."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def http_listener(host: str, port: int, handlers: Mapping[str, Handler]) -> AsyncIterator[str]:
    """Inside, POST requests to each path are handled, and GET /health says that the process runs. Gives its base URL.

    Raises:
        Misconfigured: the address cannot be listened on.
    """
    app = web.Application(client_max_size=LARGEST)
    app.router.add_get("/health", _health)
    for path, handler in handlers.items():
        app.router.add_post(path, handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=5.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        try:
            await site.start()
        except OSError as error:
            raise Misconfigured(
                f"{host}:{port} cannot be listened on",
                why=error.strerror or str(error),
                next_step="Stop what listens there, or set KB_AGENT_HTTP_PORT to another port.",
            ) from error
        bound = runner.addresses[0]
        name = f"[{bound[0]}]" if ":" in str(bound[0]) else bound[0]
        yield f"http://{name}:{bound[1]}"
    finally:
        await runner.cleanup()


async def _health(_request: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})
