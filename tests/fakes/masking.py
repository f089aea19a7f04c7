"""A masker that knows a few words as secrets, and values made for a test."""

import re
import secrets
import string
from collections.abc import Sequence
from zlib import crc32

from domain.masking import Finding, MaskedText, Masker

MASK = "[masked: word]"
LEADS = "The password is:"
SLOW = "takes forever"


class WordMasker(Masker):
    """Masks the given words, and a part that follows one that ends with LEADS; gives up on texts with SLOW in them."""

    def __init__(self, *words: str) -> None:
        super().__init__()
        self._words = re.compile("|".join(map(re.escape, words)) or r"(?!)", re.DOTALL)
        self._version = f"words {crc32(repr(words).encode()):x}"

    @property
    def version(self) -> str:
        return self._version

    def secrets(self, text: str) -> MaskedText:
        if SLOW in text:
            return MaskedText("(withheld)", withheld=True)
        found = tuple(Finding(*match.span(), "word") for match in self._words.finditer(text))
        return MaskedText(self._words.sub(lambda match: MASK + "\n" * match[0].count("\n"), text), found)

    def secrets_in(self, parts: Sequence[str]) -> list[MaskedText]:
        led = [before.endswith(LEADS) for before in ["", *parts]]
        return [
            MaskedText(MASK, (Finding(0, len(part), "word"),)) if after else self.secrets(part)
            for after, part in zip(led, parts, strict=False)
        ]


def github_token() -> str:
    """A new token as GitHub spells them; it was never anybody's."""
    return "ghp_" + "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(36))
