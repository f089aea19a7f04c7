"""The protocol over standard input and output: one client, one person."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from threading import Thread
from typing import TYPE_CHECKING, cast

from mcp.server.stdio import stdio_server

from bot.mcp.server import mcp_server
from bot.mcp.tools import McpTools
from bot.web.callers import Caller
from bot.web.operations import LARGEST_BODY
from domain.conversation import Participant

if TYPE_CHECKING:
    from anyio import AsyncFile


log = logging.getLogger(__name__)


async def serve_stdio(tools: "asyncio.Future[McpTools]", address: str) -> None:
    """Serves a client until it closes an end. tools: what a call waits for. address: whom the client asks as. While it
    runs, whatever else writes to standard output writes to standard error."""
    caller = Caller(Participant("web", address), frozenset({"ask", "search"}))
    server = mcp_server(tools, lambda _: caller)
    lines = cast("AsyncFile[str]", _lines())  # the SDK only goes through it
    try:
        async with stdio_server(stdin=lines) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    except* BrokenPipeError:
        log.info("The client has gone")


async def _lines() -> AsyncIterator[str]:
    """The lines of standard input. A thread reads them that nobody waits for: a read cannot be cancelled. A line beyond
    the size of a request is cut, and so is no message."""
    loop, lines = asyncio.get_running_loop(), asyncio.Queue[bytes]()

    def read() -> None:
        while True:
            line = sys.stdin.buffer.readline(LARGEST_BODY)
            try:
                loop.call_soon_threadsafe(lines.put_nowait, line)
            except RuntimeError:  # the loop is closed
                return
            if not line:
                return

    Thread(target=read, name="standard input", daemon=True).start()
    while line := await lines.get():
        yield line.decode(errors="replace")
