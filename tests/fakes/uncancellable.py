"""What does not hear that it is cancelled, as waits for a connection sometimes do not."""

import asyncio
from typing import TypeVar

T = TypeVar("T")


async def uncancellable(times: int, value: T | None = None) -> T | None:
    """Waits; so many cancellations pass it by, and with the last one comes the value. Without a value it waits on."""
    for _ in range(times):
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            continue
    if value is None:
        await asyncio.sleep(3600)
    return value
