"""How a vendor's token becomes a rule: a prefix, an alphabet, a length, as its issuer publishes them.

Examples are put together from pieces, so that no whole token stands in this file.
"""

import re

from domain.masking.ruleset.rule import LONG, Rule, value
from domain.masking.ruleset.secret_strength import is_token

MIXED = "a7Bk2Zq9Rm4Tx6Yw8Lp3Vn5Jd1Gh0FsQcUeX" * 6
LOWER = "k3f9a1z7q2m8w4x6t5r0p1n7v3b9c2h8j4d6" * 6
UPPER = "K3F9A1Z7Q2M8W4X6T5R0P1N7V3B9C2H8J4D6" * 6
LETTERS = "aZbYcXdWeVfUgThSiRjQkPlOmNnMoLpKqJrI" * 2
HEX = "3f9a1c7e2d8b4f6a5c0e1d7b3f9a2c8e4d6b" * 6
DIGITS = "48271936502847193650" * 2


_HASHES = re.compile(r"(?i)sha\d{1,3}[-:~=]\Z")
"""Before a hash, which may look like any token."""


def token(kind: str, pattern: str, keywords: str, example: str, *not_examples: str) -> Rule:
    """A row. pattern: without word borders; keywords: parted by blanks; not_examples: beside the bare prefix."""
    bounded = rf"(?:^|[^A-Za-z0-9]|\\[nrt])({pattern})(?:[^A-Za-z0-9]|$)"
    words = tuple(keywords.split())
    return Rule(
        kind,
        bounded,
        words,
        value(is_token, unless=_HASHES),
        (example,),
        (*((f"the {words[0]} prefix",) if words[0] != LONG else ()), *not_examples),
        group="vendor token",
    )
