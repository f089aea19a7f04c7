"""A wait for the database that is cancelled ends cancelled, whenever that comes."""

import asyncio
import random
from pathlib import Path

from storage.open import open_storage
from storage.server.database import DatabaseOptions
from tests.contract.conversations import MANY, incoming

WAITS, AT_ONCE = 500, 20


async def test_a_wait_for_the_ledger_that_is_cancelled_gives_no_value(data_dir: Path, database: str) -> None:
    """Python before 3.12 gives the value where both come at one moment, and the pool of connections loses one."""
    chance, lost, ended = random.Random(16), 0, 0
    async with open_storage(DatabaseOptions(None, data_dir, database, pool_size=3)) as storage:
        ledger = storage.ledger()
        number = (await ledger.claim(incoming(), MANY)).number

        async def cancelled() -> bool | None:
            """Whether it gave a value all the same; None where it had that before."""
            waiting = asyncio.create_task(ledger.find(number))
            await asyncio.sleep(chance.uniform(0, 0.012))
            if waiting.done():
                return None
            waiting.cancel()
            await asyncio.wait({waiting})
            return not waiting.cancelled()

        for _ in range(WAITS // AT_ONCE):
            found = await asyncio.gather(*(cancelled() for _ in range(AT_ONCE)))
            lost, ended = lost + found.count(True), ended + found.count(False)
        assert await ledger.find(number) is not None, "the pool goes on"
    print(f"cancelled in flight: {lost + ended}, of which gave a value: {lost}")
    assert ended
    assert lost == 0
