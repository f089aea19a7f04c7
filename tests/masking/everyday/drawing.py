"""Values drawn from patterns: `{A36}` is 36 letters and digits."""

import re
from random import Random

DIGITS = "0123456789"
LOWER = "abcdefghijklmnopqrstuvwxyz"
UPPER = LOWER.upper()
SETS = {
    "A": LOWER + UPPER + DIGITS,
    "H": "0123456789abcdef",
    "X": "0123456789ABCDEF",
    "U": UPPER + DIGITS,
    "L": LOWER + DIGITS,
    "D": DIGITS,
    "N": "123456789",
    "W": LOWER + UPPER + DIGITS + "-_",
    "S": LOWER + UPPER + DIGITS + "+/",
    "T": UPPER + "234567",
    "C": UPPER,
    "c": LOWER,
    "B": "qpzry9x8gf2tvdw0s3jn54khce6mua7l".upper(),
}


def draw(pattern: str, rng: Random) -> str:
    """Make one value of a pattern."""
    return re.sub(r"\{(\w)(\d+)\}", lambda m: "".join(rng.choices(SETS[m[1]], k=int(m[2]))), pattern)
