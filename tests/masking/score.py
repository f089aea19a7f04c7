"""How much of the sets of cases is masked.

python -m tests.masking.score [SET] [--misses]      prints the tables
python -m tests.masking.score --write               writes them into docs/masking.md
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from domain.masking import Masker
from tests.masking.case import Negative, Positive
from tests.masking.sets import SETS, CaseSet

PAGE = Path(__file__).resolve().parents[2] / "docs" / "masking.md"
BEGIN, END = "<!-- scores: written by python -m tests.masking.score --write -->", "<!-- scores end -->"

FLOORS = {
    "vendor token": 0.99,
    "jwt": 0.99,
    "private key": 0.99,
    "basic auth url": 0.99,
    "card": 0.99,
    "us ssn": 0.99,
    "connection string": 0.95,
    "auth header": 0.95,
    "key value": 0.95,
    "url token": 0.95,
    "e-mail": 0.95,
    "iban": 0.95,
    "command line": 0.80,
    "telephone": 0.80,
    "national id": 0.80,
    "prose password": 0.65,
    "evasion": 0.80,
}
"""The least share of cases that must be masked, by kind, over the sets that were written without sight of the rules."""

FALSE_ALARMS, LOST = 0.03, 0.02
"""The most of the texts without secrets that may be changed; of the others, that may lose words that should stay."""


@dataclass(frozen=True, slots=True)
class Score:
    """Of one kind. caught: cases of which nothing is left. lost: cases that lost words that should stay."""

    cases: int
    caught: int
    lost: int

    @property
    def recall(self) -> float:
        """Caught of all; 1 where there is no case."""
        return self.caught / self.cases if self.cases else 1.0


@dataclass(frozen=True, slots=True)
class Result:
    """Of one set or several. scores: by kind. clean: texts without secrets. alarms: those of them that were changed."""

    name: str
    scores: dict[str, Score]
    clean: int
    alarms: tuple[Negative, ...]
    missed: tuple[Positive, ...]

    @property
    def false_alarms(self) -> float:
        """Changed of all texts without secrets."""
        return len(self.alarms) / self.clean if self.clean else 0.0


def left(case: Positive, masked: str) -> list[str]:
    """The secrets of a case of which at least half, and six characters, are still there in one piece."""
    found = []
    for secret in case.secrets:
        size = max(6, (len(secret) + 1) // 2)
        if any(secret[start : start + size] in masked for start in range(len(secret) - size + 1)):
            found.append(secret)
    return found


def measured(sets: Iterable[CaseSet], masker: Masker, name: str) -> Result:
    """Masks every case of the sets."""
    counts: dict[str, list[int]] = {}
    missed, alarms, clean = [], [], 0
    for each in sets:
        for case in each.positives():
            masked = masker.mask(case.text).text
            remains = bool(left(case, masked))
            row = counts.setdefault(case.kind, [0, 0, 0])
            row[0] += 1
            row[1] += not remains
            row[2] += any(keep not in masked for keep in case.keeps)
            if remains:
                missed.append(case)
        texts = each.negatives()
        clean += len(texts)
        alarms += [case for case in texts if masker.mask(case.text).text != case.text]
    order = [kind for kind in (*FLOORS, *sorted(counts)) if kind in counts]
    scores = {kind: Score(*counts[kind]) for kind in dict.fromkeys(order)}
    return Result(name, scores, clean, tuple(alarms), tuple(missed))


def results(sets: Sequence[CaseSet] = SETS) -> list[Result]:
    """Of each set by itself."""
    masker = Masker()
    return [measured([each], masker, each.name) for each in sets]


def joined(found: Iterable[Result], name: str = "together") -> Result:
    """Several results as one."""
    every = list(found)
    kinds = dict.fromkeys(kind for each in every for kind in each.scores)
    scores = {kind: _sum(each.scores[kind] for each in every if kind in each.scores) for kind in kinds}
    alarms = tuple(case for each in every for case in each.alarms)
    missed = tuple(case for each in every for case in each.missed)
    return Result(name, scores, sum(each.clean for each in every), alarms, missed)


def _sum(scores: Iterable[Score]) -> Score:
    rows = list(scores)
    return Score(sum(row.cases for row in rows), sum(row.caught for row in rows), sum(row.lost for row in rows))


def table(found: Sequence[Result]) -> str:
    """A Markdown table: a column for each result, a row for each kind."""
    head = "| kind | floor | " + " | ".join(each.name for each in found) + " |"
    lines = [head, "|---|---|" + "---|" * len(found)]
    kinds = dict.fromkeys(kind for each in found for kind in each.scores)
    for kind in (*FLOORS, *(kind for kind in kinds if kind not in FLOORS)):
        floor = f"{FLOORS[kind]:.2f}" if kind in FLOORS else ""
        lines.append(f"| {kind} | {floor} | " + " | ".join(_cell(each.scores.get(kind)) for each in found) + " |")
    alarms = (f"{each.false_alarms:.1%} ({len(each.alarms)} of {each.clean})" for each in found)
    lines.append(f"| texts without secrets that were changed | {FALSE_ALARMS:.0%} | " + " | ".join(alarms) + " |")
    lines.append(f"| cases that lost words that should stay | {LOST:.0%} | " + " | ".join(map(_lost, found)) + " |")
    return "\n".join(lines)


def _cell(score: Score | None) -> str:
    return f"{score.recall:.3f} ({score.caught} of {score.cases})" if score else ""


def _lost(result: Result) -> str:
    whole = _sum(result.scores.values())
    return f"{whole.lost / max(1, whole.cases):.1%} ({whole.lost} of {whole.cases})"


def blind_together(found: Sequence[Result]) -> Result:
    """Those of the sets that were written without sight of the rules, as one."""
    names = {each.name for each in SETS if each.blind}
    return joined((each for each in found if each.name in names), "blind sets together")


def page_with(content: str, tables: str) -> str:
    """The page with the tables between its marks."""
    before, _, rest = content.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{tables}\n\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Scores, and prints or writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", nargs="?", choices=[each.name for each in SETS])
    parser.add_argument("--misses", action="store_true", help="also each case that was missed, each false alarm")
    parser.add_argument("--write", action="store_true", help="write the tables of all sets into docs/masking.md")
    options = parser.parse_args()
    found = results([each for each in SETS if options.set in {None, each.name}])
    shown = found if options.set else [*found, blind_together(found)]
    if options.write and not options.set:
        PAGE.write_text(page_with(PAGE.read_text(), table(shown)))
        return
    sys.stdout.write(table(shown) + "\n")
    if options.misses:
        masker = Masker()
        for case in joined(found).missed:
            remains = left(case, masker.mask(case.text).text)
            sys.stdout.write(f"\nMISSED {case.kind} / {case.shape} / {case.language}: {remains}\n{case.text}\n")
        for clean in joined(found).alarms:
            sys.stdout.write(f"\nALARM {clean.shape} / {clean.language}\n{masker.mask(clean.text).text}\n")


if __name__ == "__main__":
    main()
