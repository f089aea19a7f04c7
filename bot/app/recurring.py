"""Background work that a process repeats."""

import logging
from collections.abc import Awaitable, Callable

from domain.cancellation import cancellable_sleep
from domain.errors import KbError
from domain.log_context import WAITING

log = logging.getLogger(__name__)


async def run_periodically(log_prefix: str, work: Callable[[], Awaitable[object]], seconds: float) -> None:
    """Does something, and once more every so many seconds after it was done, until it is cancelled. Whatever it raises
    is logged, and it is done the next time all the same. log_prefix: begins the line of the log then."""
    while True:
        try:
            await work()
        except KbError as error:
            log.warning("%s: %s", log_prefix, error.what, extra=WAITING)
        except Exception:
            log.exception("%s: it broke", log_prefix, extra=WAITING)
        await cancellable_sleep(seconds)
