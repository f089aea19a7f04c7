"""Every pattern of the product and every rule of the masker on texts made against it: time for each character is flat.

    python -m benchmarks.linear [--largest CHARACTERS] [--only NAME]... [--quick]

A text is what a pattern repeats, again and again, at a tenth of the length and at all of it. Ten times the length may
take thirty times as long: what grows with the square takes a hundred times. A text that the masker withholds, since
its secrets touch each other more than `PASSES` times, is timed as all others are, and counted. Prints one JSON object;
exit code 1 where something is not flat.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.measuring import parser, report, say
from domain.masking import RULES, Masker
from domain.masking.ruleset.rule import DIGITS, LONG, Rule
from tests.pattern_attacks import Attack, attacks, patterns

TOGETHER = "rules together"
BESIDE = (
    Attack("", "The relay restarts at night, and its owner looks at the queue before the gateway opens.\n", ""),
    Attack("", "0 1 ", ""),
    Attack("", "1 0 0 1 0 1 1 0 1 0 1 1 0 0 1 0 1 0 0 1 0 1 1 0 1 0 1 1 0 0 1 0\n", ""),
    Attack("", "0 17 255 128 9 0 0 254 3 77 120 200 5 61 0 0 13 94 181 2 7 33 250 66 0 4 18 219\n", ""),
)
"""Texts that are masked by all rules: an ordinary one, and beside it those in which each number may begin another."""

QUICK, QUICK_TEXTS = 15_000, 4
"""Characters of the shorter texts, and how many there are for each pattern."""

GROWTH = 30
"""How many times as long ten times the text may take."""

AT_ONCE, LEAST = 0.000001, 0.03
"""Seconds that are too short to be compared: for each character, and at least."""

STEP = 0.01
"""The shortest processor time, in seconds, that every machine tells from none."""

HOPELESS = 3.0
"""Seconds for a tenth of the length: all of it is not tried."""

TRIES = 3
"""Measurements before something counts as not flat: the machine does other work, too."""

WINDOWS = {
    "domain.masking.segments._WAITS": 40,
    "domain.masking.segments._WORD_ENDS": 12,
    "domain.masking.ruleset.telephone_numbers._ACCOUNT": 60,
    "domain.masking.ruleset.telephone_numbers._GLUED_BEFORE": 2,
    "domain.masking.ruleset.telephone_numbers._NUMBER_WORD": 60,
    "domain.masking.ruleset.telephone_numbers._PHONE_WORD": 45,
    "domain.masking.ruleset.telephone_numbers._TIED": 8,
    "domain.masking.ruleset.telephone_numbers._TIED_ABROAD": 8,
    "domain.masking.ruleset.sentences._END": 400,
    "domain.masking.ruleset.sentences._WORD": 400,
    "domain.text.name_candidates._BEFORE_HEAD": 60,
    "domain.text.name_candidates._IDENTIFIER": 100,
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


def works(
    *, quick: bool, only: Sequence[str], withheld: list[str]
) -> Iterator[tuple[str, Callable[[str], object], list[Attack]]]:
    """What is tried: patterns, then the rules of the masker, with the texts against each. only: what the names of
    modules begin with, or `rule`. withheld: is told the rules by which a text was."""
    if list(only) != ["rule"]:
        for each in patterns(only=only):
            yield each.name, each.search, attacks(each.source)[: QUICK_TEXTS if quick else None]
    for number, rule in enumerate(RULES if not only or "rule" in only else ()):
        name = f"rule {number} {rule.kind}"
        yield name, _masking([rule], name, withheld), rule_attacks(rule)[: 2 if quick else None]
    if not only or "rule" in only:
        yield TOGETHER, _masking(RULES, TOGETHER, withheld), list(BESIDE)


def _masking(rules: Sequence[Rule], name: str, withheld: list[str]) -> Callable[[str], object]:
    """By these rules, without the limit on time: what is steep must be seen."""
    masker = Masker(rules=rules, cpu_time=lambda: 0.0)

    def mask(text: str) -> None:
        if masker.mask(text).withheld and name not in withheld:
            withheld.append(name)

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
        found.append(_once(name, work, attack, length))
        if found[-1].flat:
            break
    return min(found, key=lambda each: each.growth)


def _once(name: str, work: Callable[[str], object], attack: Attack, length: int) -> Measured:
    short, long = attack.text(length // 10), attack.text(length)
    tenth = seconds(work, short)
    if tenth > HOPELESS:
        return Measured(name, attack, tenth, float("inf"))
    whole = seconds(work, long)
    if whole < max(LEAST, AT_ONCE * length):
        return Measured(name, attack, whole, 0.0)
    # ten short ones: some kernels count processor time in steps of ten milliseconds, too coarse for one
    return Measured(name, attack, whole, 10 * whole / max(sum(seconds(work, short) for _ in range(10)), STEP))


def main() -> int:
    """Measures, and prints the result."""
    given = parser(__doc__, largest=100_000)
    given.add_argument("--only", action="append", default=[], help="the beginning of a module's name, or: rule")
    given.add_argument("--quick", action="store_true", help="fewer and shorter texts")
    options = given.parse_args()
    length = QUICK if options.quick else options.largest
    found: list[Measured] = []
    names, withheld = set(), list[str]()
    for name, work, texts in works(quick=options.quick, only=options.only, withheld=withheld):
        names.add(name)
        say(name)
        found += (measured(name, work, attack, length) for attack in texts)
    slowest = sorted(found, key=lambda each: -each.seconds)[:5]
    steep = [each for each in found if not each.flat]
    result = {
        "patterns": sum(not name.startswith("rule") for name in names),
        "rules": sum(name.startswith("rule ") for name in names),
        "texts": len(found),
        "characters": length,
        "steepest": round(max((each.growth for each in found), default=0), 1),
        "slowest": {f"{each.name} {each.attack.pump[:30]!r}": f"{each.seconds:.2f} s" for each in slowest},
        "together": {
            each.attack.pump[:30]: f"{each.seconds / length * 1e6:.2f} µs for each character"
            for each in found
            if each.name == TOGETHER
        },
        "withheld": withheld,
        "not_flat": [f"{each.name} {each.attack} {each.growth:.0f}" for each in steep],
    }
    report(result)
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())
