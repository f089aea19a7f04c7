"""Faults of the embeddings server that wait for a certain request, or hold one until a test lets it go."""

import threading
from typing import Any

from agent.providers.cosine_probes import PROBES
from tests.fakes.embeddings_server import Fault, Reply

_ABOUT_THE_MODEL = (["dimensions"], [question for question, _ in PROBES], [answer for _, answer in PROBES])


def once_indexing(fault: Fault) -> Fault:
    """`fault` for the next request that embeds documents; what asks for the model, and what its cosines mean, is
    answered."""

    def choose(handler: Any, right: Reply) -> None:
        if handler.state.requests[-1].body["input"] in _ABOUT_THE_MODEL:
            handler.state.faults.appendleft(choose)
            handler.reply(200, right)
        else:
            fault(handler, right)

    return choose


def held(gate: threading.Event) -> Fault:
    """The right answer, when `gate` opens."""

    def wait(handler: Any, right: Reply) -> None:
        gate.wait(30)
        handler.reply(200, right)

    return wait


def right(handler: Any, reply: Reply) -> None:
    """The right answer."""
    handler.reply(200, reply)
