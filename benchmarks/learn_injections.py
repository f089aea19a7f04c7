"""Learns the weights of domain.injection.learned, and says what they find of each set of texts when they are learned on
the others.

    python -m benchmarks.learn_injections DIR... [--out FILE]

DIR: collections of ordinary documents in the BEIR layout; the first is the one that the promise is made for. Texts that
are addressed to machines, and harmless ones that look alike, are read from tests/injections and tests/attacks. Without
--out the weights are only measured: for each set, learned on all other sets and on every other document of the
collections; the score from which a text counts is set so that of the first collection's other half SHARE are found.
With it, they are learned on everything, and written. The score is then the mean of those that the two halves of the
collections ask for when they are learned on the other half each. Names that only writers of attacks use count as
unknown words. Prints what it does on standard error and one JSON object on standard output.
"""

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.measuring import KNOWLEDGE_BASE, parser, report, say
from domain.injection.detector import LIKELY, injection_in, normalised
from domain.injection.learned import COUNT, HASHED, SMOOTHING_FEATURES, WEIGHTS, TextFeatures, features_of, packed

TESTS = Path(__file__).parents[1] / "tests"
SETS = {
    "development": TESTS / "injections" / "development.jsonl",
    "own": TESTS / "injections" / "unseen.jsonl",
    "unseen": TESTS / "attacks" / "injections_unseen.jsonl",
    "second": TESTS / "attacks" / "injections_second.jsonl",
    "third": TESTS / "attacks" / "injections_third.jsonl",
    "fourth": TESTS / "attacks" / "injections_fourth.jsonl",
    "training": TESTS / "injections" / "training.jsonl",
}
HARMLESS = TESTS / "injections" / "harmless.jsonl"
"""Of the author of the set `own`."""
MEASURED = ("own", "unseen", "second", "third", "fourth")
SHARE = 0.0003
"""Of the first collection's documents, what the weights may find of themselves; the rules find some, too."""
OTHERS = 600
"""Documents that are read of each other collection."""
LOSS = 20.0
"""What the loss weighs beside half the squared length of the weights."""
ROUNDS, STEPS, MEMORY = 3, 120, 10
EASY, HARD = 9_000, 6_000
"""Ordinary sentences that are learned from: a sample, and in each round those that look most like orders."""
_NAMES = re.compile(
    r"\b(?:mallory|globex|acme|nimbus|bob|eve|walrus|bananas?|banane?|plátano|pineapple|piraten?|piratas?|pirates?|klingon"
    r"|marmalade|haiku|canary|leipzig|example)\b"
)

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Windows of texts as rows of a sparse matrix. columns, lengths: the features of all rows, and how many each has;
    texts: the text of each row, from 0; size: how many texts there are."""

    columns: NDArray[np.intp]
    lengths: NDArray[np.intp]
    texts: NDArray[np.intp]
    size: int

    def scores(self, weights: Values) -> Values:
        """Of each row."""
        starts = np.append(0, np.cumsum(self.lengths)[:-1])
        scores: Values = np.add.reduceat(weights[self.columns], starts) / np.sqrt(self.lengths + SMOOTHING_FEATURES)
        return scores

    def back(self, errors: Values) -> Values:
        """The sum of the rows, each times its error."""
        each = np.repeat(errors / np.sqrt(self.lengths + SMOOTHING_FEATURES), self.lengths)
        return np.bincount(self.columns, each, WEIGHTS).astype(np.float64)

    def best(self, weights: Values) -> Values:
        """The highest score of each text."""
        found = np.full(self.size, -np.inf)
        np.maximum.at(found, self.texts, self.scores(weights))
        return found

    def only(self, rows: NDArray[np.intp]) -> "Rows":
        """Some of the rows."""
        starts = np.append(0, np.cumsum(self.lengths))
        columns = [self.columns[starts[row] : starts[row + 1]] for row in rows.tolist()]
        return Rows(np.concatenate(columns), self.lengths[rows], self.texts[rows], self.size)

    def leading(self, weights: Values) -> "Rows":
        """The best row of each text."""
        order = np.lexsort((-self.scores(weights), self.texts))
        return self.only(order[np.unique(self.texts[order], return_index=True)[1]])


def joined(parts: Sequence[Rows]) -> Rows:
    """Several as one."""
    before = np.cumsum([0, *(part.size for part in parts)])
    return Rows(
        np.concatenate([part.columns for part in parts]),
        np.concatenate([part.lengths for part in parts]),
        np.concatenate([part.texts + shift for part, shift in zip(parts, before, strict=False)]),
        int(before[-1]),
    )


def rows_of(texts: Sequence[str]) -> Rows:
    """The windows of texts, as the product reads them."""
    columns: list[NDArray[np.intp]] = []
    owners: list[int] = []
    for number, text in enumerate(texts):
        features = features_of(without_names(normalised(text)))
        new = windows(features) if features is not None else []
        columns += new
        owners += [number] * len(new)
    lengths = np.array([each.size for each in columns])
    return Rows(np.concatenate(columns), lengths, np.array(owners), len(texts))


def windows(features: TextFeatures) -> list[NDArray[np.intp]]:
    """The features of each sentence, and of each two that follow each other."""
    size = len(features.kinds)
    sentences = np.split(features.buckets, np.cumsum(np.bincount(features.sentences, minlength=size))[:-1])
    spans = [slice(number, number + length) for length in (1, 2) for number in range(size - length + 1)]
    return [np.concatenate([*sentences[span], together(features.kinds[span])]) for span in spans]


def together(kinds: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The features of each two kinds of words that occur in any of some sentences."""
    present = np.flatnonzero(kinds.any(axis=0))
    first, second = np.triu_indices(present.size, 1)
    return HASHED + present[first] * COUNT + present[second]


def without_names(text: str) -> str:
    """A text with another unknown word for each name."""
    count = iter(range(len(text)))
    return _NAMES.sub(lambda _: f"zq{next(count):03}", text)


def learned(orders: Rows, harmless: Rows, ordinary: Rows) -> Values:
    """The weights, bias included in none: a text counts from a score that is set afterwards. Of each text that is
    addressed to a machine, the window that looks most like it is learned from."""
    chosen = np.random.default_rng(0).permutation(len(ordinary.lengths))[:EASY]
    leading, weights = orders, np.zeros(WEIGHTS + 1)
    for _ in range(ROUNDS):
        weights = minimised(leading, joined([harmless, ordinary.only(chosen)]), weights)
        leading = orders.leading(weights[:-1])
        hard = np.argsort(-ordinary.scores(weights[:-1]), kind="stable")[:HARD]
        chosen = np.union1d(chosen, hard)
    return weights[:-1]


def minimised(orders: Rows, others: Rows, weights: Values) -> Values:
    """Logistic regression, from weights on; the last is the bias. By L-BFGS."""
    rows = joined([orders, others])
    signs = np.append(np.ones(len(orders.lengths)), -np.ones(len(others.lengths)))

    def at(point: Values) -> tuple[float, Values]:
        margins = signs * (rows.scores(point[:-1]) + point[-1])
        errors = -LOSS * signs / (1 + np.exp(np.minimum(margins, 500)))
        slope = np.append(rows.back(errors), errors.sum()) + point
        return float(LOSS * np.logaddexp(0, -margins).sum() + point @ point / 2), slope

    return lowest(at, weights)


def lowest(at: Callable[[Values], tuple[float, Values]], point: Values) -> Values:
    """Where a smooth convex function is lowest, nearly. at: its value and its slope."""
    value, slope = at(point)
    past: list[tuple[Values, Values]] = []
    for _ in range(STEPS):
        direction = -_turned(slope, past)
        length = 1.0 if past else 1 / float(np.linalg.norm(slope))
        while (new := at(point + length * direction))[0] > value + 1e-4 * length * float(slope @ direction):
            length /= 2
            if length < 1e-10:
                return point
        step, change = length * direction, new[1] - slope
        past = [*past, (step, change)][-MEMORY:] if step @ change > 0 else past
        point, drop, (value, slope) = point + step, value - new[0], new
        if drop < 1e-5 * abs(value):
            break
    return point


def _turned(slope: Values, past: Sequence[tuple[Values, Values]]) -> Values:
    """The slope by what is known of the curvature."""
    kept = []
    for step, change in reversed(past):
        share = (step @ slope) / (step @ change)
        slope = slope - share * change
        kept.append(share)
    if past:
        step, change = past[-1]
        slope = slope * ((step @ change) / (change @ change))
    for (step, change), share in zip(past, reversed(kept), strict=True):
        slope = slope + step * (share - (change @ slope) / (step @ change))
    return slope


@dataclass(frozen=True)
class Collection:
    """Texts that somebody wrote: those addressed to machines, and harmless ones."""

    orders: Sequence[str]
    harmless: Sequence[str]


def collections() -> dict[str, Collection]:
    """The sets, by name."""
    found = {}
    for name, path in SETS.items():
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        orders = [row["text"] for row in rows if row.get("injected", True)]
        found[name] = Collection(orders, [row["text"] for row in rows if not row.get("injected", True)])
    harmless = [json.loads(line)["text"] for line in HARMLESS.read_text().splitlines()]
    return {**found, "own": Collection(found["own"].orders, harmless)}


def documents(folder: Path) -> list[str]:
    """The texts of a collection with their titles."""
    with gzip.open(folder / "corpus.jsonl.gz", "rt") as lines:
        return [f"{row['title']}\n{row['text']}" for row in map(json.loads, lines)]


def example() -> Iterator[str]:
    """The example's pages that are text."""
    for path in sorted(KNOWLEDGE_BASE.rglob("*")):
        if path.suffix in {".md", ".txt", ".rst", ".html", ".yaml"}:
            yield path.read_text()


@dataclass(frozen=True)
class Material:
    """All that is learned from. halves: every other document of each collection, and the rest."""

    orders: Mapping[str, Rows]
    harmless: Mapping[str, Rows]
    halves: Sequence[Sequence[Rows]]
    example: Rows

    def learned(self, half: int, *, without: str = "") -> Values:
        """From one half of the documents, and from all sets but one."""
        ordinary = joined([self.example, *self.halves[half]])
        orders = joined([rows for name, rows in self.orders.items() if name != without])
        return learned(orders, joined([rows for name, rows in self.harmless.items() if name != without]), ordinary)

    def threshold(self, weights: Values, half: int) -> float:
        """The score above which SHARE of half of the first collection are found."""
        scores = np.sort(self.halves[half][0].best(weights))[::-1]
        return float(scores[int(SHARE * len(scores))]) + 1e-9


def material(folders: Sequence[Path]) -> Material:
    """Everything, read."""
    sets = collections()
    halves: list[list[Rows]] = [[], []]
    for folder in folders:
        texts = documents(folder)[: None if folder == folders[0] else OTHERS]
        say(f"{folder.name}: {len(texts)} documents")
        for half in (0, 1):
            halves[half].append(rows_of(texts[half::2]))
    return Material(
        {name: rows_of(each.orders) for name, each in sets.items()},
        {name: rows_of(each.harmless) for name, each in sets.items() if each.harmless},
        halves,
        rows_of([*example()]),
    )


def measured(everything: Material, name: str) -> dict[str, object]:
    """What is found of a set by weights that were learned without it."""
    weights = everything.learned(0, without=name)
    least = everything.threshold(weights, 1)
    texts = collections()[name]
    by_weights = everything.orders[name].best(weights) >= least
    by_rules = np.array([injection_in(text) not in {"", LIKELY} for text in texts.orders])
    marked = everything.harmless[name].best(weights) >= least if texts.harmless else np.zeros(0, bool)
    shares = [float((each.best(weights) >= least).mean()) for each in everything.halves[1]]
    found = {
        "injections": len(texts.orders),
        "by_weights": int(by_weights.sum()),
        "by_rules": int(by_rules.sum()),
        "by_either": int((by_weights | by_rules).sum()),
        "harmless": len(texts.harmless),
        "harmless_by_weights": int(marked.sum()),
        "documents_by_weights": [round(1_000 * each, 2) for each in shares],
    }
    say(f"{name}: {found}")
    return found


def written(everything: Material, out: Path) -> dict[str, object]:
    """Learns from everything and writes the weights."""
    least = float(np.mean([everything.threshold(everything.learned(half), 1 - half) for half in (0, 1)]))
    whole = Material(
        everything.orders,
        everything.harmless,
        [[joined(pair) for pair in zip(*everything.halves, strict=True)]],
        everything.example,
    )
    stored = packed(whole.learned(0), least)
    out.write_bytes(stored)
    return {"threshold": round(least, 3), "bytes": len(stored)}


def main() -> None:
    """See the module."""
    command = parser(__doc__)
    command.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    command.add_argument("--out", type=Path, help="where to write the weights")
    arguments = command.parse_args()
    everything = material(arguments.folders)
    if arguments.out:
        report(written(everything, arguments.out))
    else:
        report({name: measured(everything, name) for name in MEASURED})


if __name__ == "__main__":
    main()
