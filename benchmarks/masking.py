"""The masker: how long an answer takes, how time grows with length, and what hostile texts cost.

    python -m benchmarks.masking [--answers N] [--largest CHARACTERS]

Answers of about 1.1 kB are put together from paragraphs of the example knowledge base, every second one with a text
that holds a secret or personal data; none of those measured was seen in the warm-up. Beside it, detect-secrets scans
the same answers, line by line with all its default plugins, in the same run. Prints one JSON object.
"""

import resource
import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from typing import Any

from detect_secrets.core.scan import scan_line
from detect_secrets.settings import default_settings

from benchmarks.measuring import KNOWLEDGE_BASE, ms_since, parser, report, spread
from domain.masking import Masker
from tests.masking.sets import SETS

LENGTH = 1_100
"""Characters of an answer."""

HOSTILE = {
    "password": "password ",
    "a=": "a=",
    "begin of a key": "-----BEGIN RSA PRIVATE KEY-----\n",
    "1-": "1-",
    "@": "@",
    "begin of a mask": "[masked: ",
    "backticks": "`",
    "yaml block": "key: |\n",
    "rows of a table": "| user | password | hunter22! |\n",
    "quotation marks": '"',
    "backslashes": "\\",
    "%25": "%25",
    "tags": "<b>",
    "digits": "1234567890",
    "passwords": "password Abc12345! ",
    "密码": "密码",
    "zero-width spaces": "a\u200b",
}
"""Repeated up to the length."""


def answers(count: int, seed: int) -> list[str]:
    """Answers with lists, code and citations."""
    rng = Random(seed)
    paragraphs = [
        part.strip()
        for page in sorted(KNOWLEDGE_BASE.rglob("*.md"))
        for part in page.read_text(encoding="utf-8").split("\n\n")
        if 40 <= len(part.strip()) <= 700
    ]
    secrets = [case.text for each in SETS for case in each.positives() if len(case.text) <= 500]
    made = []
    for number in range(count):
        parts = [rng.choice(secrets)] if number % 2 else []
        while sum(map(len, parts)) < LENGTH - 60:
            parts.append(f"{rng.choice(paragraphs)} [{len(parts) + 1}]")
        rng.shuffle(parts)
        made.append("\n\n".join(parts)[: LENGTH + 200])
    return made


def milliseconds(work: Callable[[str], object], texts: Sequence[str]) -> list[float]:
    """For each text by itself."""
    found = []
    for text in texts:
        start = time.perf_counter()
        work(text)
        found.append(ms_since(start))
    return found


def summary(found: Sequence[float]) -> dict[str, float]:
    """Percentiles."""
    return {f"{name}_ms": ms for name, ms in spread(found, 3).items()}


def scanned(text: str) -> int:
    """Findings of detect-secrets, inside its settings."""
    return sum(1 for line in text.split("\n") for _ in scan_line(line))


def beside_detect_secrets(masker: Masker, count: int) -> dict[str, Any]:
    """Answers, by both, in the same run."""
    warm, texts = answers(200, 1), answers(count, 2)
    milliseconds(masker.mask, warm)
    ours = milliseconds(masker.mask, texts)
    with default_settings():
        milliseconds(scanned, warm[:50])
        theirs = milliseconds(scanned, texts)
    return {
        "characters": round(median(map(len, texts))),
        "ours": summary(ours),
        "ours_nothing_to_mask": summary(ours[0::2]),
        "ours_with_a_secret": summary(ours[1::2]),
        "detect_secrets": summary(theirs),
        "ratio_p50": round(median(theirs) / median(ours), 1),
    }


def growth(masker: Masker, largest: int) -> dict[str, dict[str, float]]:
    """Milliseconds a kilobyte, by kind of text and length."""
    rng = Random(3)
    prose = "\n\n".join(answers(40, 4))
    log = "2024-01-31T10:00:00Z INFO [worker-7] GET /v1/orders/48271 200 12ms user=ada ip=10.0.0.12\n"
    line = "".join(rng.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", k=76))
    texts = {"prose": prose, "log lines": log, "base64": line + "\n", "one line": "walrus and seal, password or not; "}
    sizes = [size for size in (10_000, 100_000, 1_000_000) if size <= largest]
    return {
        name: {f"{size:,}": _a_kilobyte(masker, (text * (size // len(text) + 1))[:size]) for size in sizes}
        for name, text in texts.items()
    }


def _a_kilobyte(masker: Masker, text: str) -> float:
    start = time.perf_counter()
    withheld = masker.mask(text).withheld
    spent = ms_since(start) / (len(text) / 1000)
    return -1.0 if withheld else round(spent, 3)


def hostile(masker: Masker, length: int) -> dict[str, float]:
    """Milliseconds a kilobyte; -1 where the text was withheld."""
    return {name: _a_kilobyte(masker, (piece * (length // len(piece) + 1))[:length]) for name, piece in HOSTILE.items()}


def megabytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measures, and prints the result."""
    given = parser(__doc__, answers=1000, largest=1_000_000)
    given.add_argument("--hostile", type=int, default=20_000, help="characters of a hostile text")
    options = given.parse_args()
    before, start = megabytes(), time.perf_counter()
    masker = Masker()
    built = ms_since(start)
    found = {
        "construct_ms": round(built),
        "answers": beside_detect_secrets(masker, options.answers),
        "memory_mb": round(megabytes() - before, 1),
        "ms_a_kilobyte": growth(masker, options.largest),
        "hostile_ms_a_kilobyte": hostile(masker, options.hostile),
    }
    report(found)


if __name__ == "__main__":
    main()
