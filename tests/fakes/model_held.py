"""A model that stops in the middle of its reply until it is let go."""

import asyncio
import threading
from collections.abc import Callable, Sequence

from aiohttp import web

from tests.fakes.model_rules import Prompt, purpose, read, reasonable
from tests.fakes.model_server import Answer, Body, begun, chunk, say

PATIENCE = 60.0
"""Seconds after which it goes on by itself, so that a test that fails ends."""


class HeldModel:
    """A rule: replies are streamed with a halt. Everything else is answered as by a reasonable model.

    parts: what a reply has before the halt and after it, by its prompt. pause: seconds between two parts. halted: set
    when it has come so far. go: to be set to let it go on.
    """

    def __init__(self, parts: Callable[[Prompt], tuple[Sequence[str], Sequence[str]]]) -> None:
        self._parts = parts
        self.pause = 0.0
        self.halted, self.go = threading.Event(), threading.Event()

    def __call__(self, body: Body) -> Answer:
        return self._reply if purpose(body) == "synthesize" else reasonable(body)

    async def _reply(self, request: web.Request, body: Body) -> web.StreamResponse:
        response = await begun(request)
        before, after = self._parts(read(body))
        await say(response, chunk(body, {"role": "assistant", "content": ""}))
        for part in before:
            await say(response, chunk(body, {"content": part}))
            await asyncio.sleep(self.pause)
        self.halted.set()
        await asyncio.to_thread(self.go.wait, PATIENCE)
        for part in after:
            await say(response, chunk(body, {"content": part}))
        await say(response, chunk(body, {}, "stop"))
        await response.write(b"data: [DONE]\n\n")
        return response
