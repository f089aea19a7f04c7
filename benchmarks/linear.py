"""Every pattern of the product and every rule of the masker on texts made against it: time for each character is flat.

    python -m benchmarks.linear [--largest CHARACTERS] [--only NAME] [--quick]

A text is what a pattern repeats, again and again, at a tenth of the length and at all of it. Ten times the length may
take thirty times as long: what grows with the square takes a hundred times. Prints one JSON object; exit code 1 where
something is not flat.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from domain.masking import Masker
from domain.masking.rule import DIGITS, LONG, Rule
from domain.masking.rules import RULES
from tests.pumps import Attack, attacks, patterns

GROWTH = 30
"""How many times as long ten times the text may take."""

AT_ONCE = 0.1
"""Seconds that are too short to be compared."""

HOPELESS = 3.0
"""Seconds for a tenth of the length: all of it is not tried."""

TRIES = 3
"""Measurements before something counts as not flat: the machine does other work, too."""

WINDOWS = {
    "domain.masking.segments._WAITS": 40,
    "domain.masking.segments._WORD_ENDS": 12,
    "domain.masking.telephones._GLUED_BEFORE": 2,
    "domain.masking.telephones._TIED": 8,
    "domain.masking.telephones._TIED_ABROAD": 8,
    "domain.masking.wording._END": 400,
    "domain.masking.wording._WORD": 400,
    "domain.text.spotting._BEFORE_HEAD": 60,
    "domain.text.spotting._IDENTIFIER": 100,
}
"""Patterns that are searched in stretches of at most so many characters."""


@dataclass(frozen=True)
class Measured:
    """One attack. seconds: for the whole length. growth: how many times as long as for a tenth of it."""

    name: str
    attack: Attack
    seconds: float
    growth: float

    @property
    def flat(self) -> bool:
        """Whether it takes no longer for each character."""
        return self.growth < GROWTH


def works(*, quick: bool, only: str) -> Iterator[tuple[str, Callable[[str], object], list[Attack]]]:
    """What is tried: patterns, then the rules of the masker, with the texts against each."""
    for each in patterns(only="" if only.startswith("rule") else only):
        yield each.name, each.search, attacks(each.source)[: 8 if quick else None]
    for number, rule in enumerate(RULES if not only or only.startswith("rule") else ()):
        masker = Masker(rules=[rule])
        yield f"rule {number} {rule.kind}", _masking(masker), rule_attacks(rule)[: 2 if quick else None]


def _masking(masker: Masker) -> Callable[[str], object]:
    def mask(text: str) -> None:
        if masker.mask(text).withheld:
            raise TimeoutError(text[:40])

    return mask


def rule_attacks(rule: Rule) -> list[Attack]:
    """Its examples, their beginnings, its keywords and single signs, again and again."""
    example = rule.examples[0] if rule.examples else "a"
    word = next((each for each in rule.keywords if each not in {DIGITS, LONG}), example)
    made = [Attack("", f"{example} ", ""), Attack("", example, "!"), Attack("", f"{word}=", "x")]
    made += [Attack(example, sign, "!") for sign in dict.fromkeys((example[-1], " ", "a1", "'", "\\", "-"))]
    return [*made, Attack("", word, ""), Attack("", example[: len(example) // 2], ""), Attack(f"{word}: ", "A", "")]


def seconds(work: Callable[[str], object], text: str) -> float:
    """Of processor time."""
    start = time.process_time()
    work(text)
    return time.process_time() - start


def measured(name: str, work: Callable[[str], object], attack: Attack, length: int) -> Measured:
    """The best of several tries."""
    length = min(length, WINDOWS.get(name, length))
    found = []
    for _ in range(TRIES):
        try:
            found.append(_once(name, work, attack, length))
        except TimeoutError:
            return Measured(name, attack, 0.0, float("inf"))
        if found[-1].flat:
            break
    return min(found, key=lambda each: each.growth)


def _once(name: str, work: Callable[[str], object], attack: Attack, length: int) -> Measured:
    tenth = seconds(work, attack.text(length // 10))
    if tenth > HOPELESS:
        return Measured(name, attack, tenth, float("inf"))
    whole = seconds(work, attack.text(length))
    return Measured(name, attack, whole, 0.0 if whole < AT_ONCE else whole / max(tenth, 1e-5))


def main() -> int:
    """Measures, and prints the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=100_000)
    parser.add_argument("--only", default="", help="what the name of a pattern or a rule holds")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter texts")
    options = parser.parse_args()
    length = 10_000 if options.quick else options.largest
    found: list[Measured] = []
    names = set()
    for name, work, texts in works(quick=options.quick, only=options.only):
        if options.only in name:
            names.add(name)
            print(name, file=sys.stderr, flush=True)
            found += (measured(name, work, attack, length) for attack in texts)
    slowest = sorted(found, key=lambda each: -each.seconds)[:5]
    steep = [each for each in found if not each.flat]
    report = {
        "patterns": sum(not name.startswith("rule ") for name in names),
        "rules": sum(name.startswith("rule ") for name in names),
        "texts": len(found),
        "characters": length,
        "steepest": round(max((each.growth for each in found), default=0), 1),
        "slowest": {f"{each.name} {each.attack.pump[:30]!r}": f"{each.seconds:.2f} s" for each in slowest},
        "not_flat": [f"{each.name} {each.attack} {each.growth:.0f}" for each in steep],
    }
    print(json.dumps(report, indent=2, ensure_ascii=True))
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())
