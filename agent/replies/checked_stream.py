"""Text that is held back until the sources it is made from were checked once more."""

import logging
from collections.abc import Callable, Sequence

from agent.rights import RightsCheck
from domain.errors import KbError
from domain.masking import MaskedText
from domain.search import Passage

log = logging.getLogger(__name__)

FIRST_AGE, READERS_AGE = 1.0, 10.0
"""Seconds for which what was said of who reads the reply is relied on: for the first words, and for what follows."""


class CheckedStream:
    """Takes parts of a reply, and hands them on while all that the reply is made from may be read.

    sources: the passages that the reply is made from. show: takes what may be shown. withheld: whether nothing of this
    reply may be shown before it is complete.
    """

    def __init__(
        self,
        rights: RightsCheck,
        sources: Sequence[Passage],
        show: Callable[[MaskedText], None],
        *,
        withheld: bool = False,
    ) -> None:
        self._rights = rights
        self._sources = sources
        self._show = show
        self._withheld = withheld
        self._parts: list[MaskedText] = []
        self._max_age = FIRST_AGE

    def hold(self, part: MaskedText) -> None:
        """Takes a part."""
        self._parts.append(part)

    async def release(self) -> None:
        """Shows what was taken. Once a source is closed, or nobody says whether it is, nothing is shown any more: the
        last check decides what becomes of it."""
        if self._withheld or not self._parts:
            return
        try:
            self._withheld = bool(await self._rights.closed(self._sources, max_age=self._max_age))
        except KbError as error:
            log.warning("A reply is not shown while it is written: %s", error.what)
            self._withheld = True
        self._max_age = READERS_AGE
        if not self._withheld:
            for part in self._parts:
                self._show(part)
        self._parts.clear()
