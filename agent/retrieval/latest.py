"""Values that were computed for texts lately, kept for the next time."""

from collections import OrderedDict
from typing import TypeVar

MAX_REMEMBERED = 512

KeptT = TypeVar("KeptT")


class Latest(OrderedDict[str, KeptT]):
    """Values by text. Of more than MAX_REMEMBERED, those that were set longest ago are forgotten."""

    def __setitem__(self, text: str, kept: KeptT) -> None:
        super().__setitem__(text, kept)
        self.move_to_end(text)
        if len(self) > MAX_REMEMBERED:
            self.popitem(last=False)
