"""Learns the weights of agent.retrieval.learned_fusion from judged questions, and says what they are worth on each data
set when they are learned on the others.

    python -m benchmarks.learn_fusion DIR... [--limit N]

DIR: data sets in the BEIR layout, indexed as by `kb eval retrieval`, into the same databases. A set whose questions
need several documents (more than one on average) counts by the mean of nDCG@10 and of the share of questions with all
their documents among the first five, any other by nDCG@10; every set counts the same. The weights are found by
coordinate ascent on the simplex, once for questions from which the graph leads somewhere, once for the others.
Prints what it does on standard error and one JSON object on standard output.
"""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.evaluation.judged_questions import JudgedQuestion, drawn, judged_questions
from agent.evaluation.measures import all_gold, ndcg
from agent.retrieval.learned_fusion import ALONE, MAX_WINDOWS, WITH_GRAPH, FusionWeights, graph_counts
from benchmarks.measuring import parser, report, say
from bot.app.product import Product, open_product
from bot.cli.eval_data_set import SOURCE, database_name, index_data_set, open_data_set
from config.load import load
from domain.access import Scope

NAMES = tuple(each.name for each in fields(FusionWeights))
FIRST_STEP, LAST_STEP = 0.15, 0.03
DEEP = 10

Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its candidates."""

    features: NDArray[np.float64]
    """Shape (features, candidates)."""
    documents: Sequence[str]
    """The document of each candidate."""
    gold: Mapping[str, int]

    @property
    def led(self) -> bool:
        """Whether what the graph leads to counts."""
        return graph_counts(self.features[-1])

    def ranking(self, weights: Weights) -> list[str]:
        """The best documents."""
        found: dict[str, None] = {}
        for place in np.argsort(-(weights @ self.features), kind="stable"):
            found.setdefault(self.documents[place])
            if len(found) == DEEP:
                break
        return list(found)


async def candidates(product: Product, questions: Sequence[JudgedQuestion]) -> list[Asked]:
    """What retrieval finds for each question."""
    found = []
    for question in questions:
        some = await product.retriever.candidates(question.text, Scope.member())
        first = some.candidates.fused({}, some.candidates.weights)
        windows = await product.search.around(list(first)[:MAX_WINDOWS], some.vector, Scope.member())
        documents = [some.documents[chunk_id] for chunk_id in some.candidates.dense]
        found.append(Asked(np.array(some.candidates.features(windows)), documents, question.gold))
    return found


def measured(asked: Sequence[Asked], weights: Weights) -> dict[str, float]:
    """nDCG@10 and all-gold@5 in percent."""
    rankings = [each.ranking(weights) for each in asked]
    pairs = list(zip(rankings, asked, strict=True))
    return {
        "ndcg@10": 100 * float(np.mean([ndcg(ranking, each.gold, DEEP) for ranking, each in pairs])),
        "all_gold@5": 100 * float(np.mean([all_gold(ranking, each.gold, 5) for ranking, each in pairs])),
    }


def worth(sets: Sequence[Sequence[Asked]], weights: Weights) -> float:
    """What is to be as high as can be."""
    values = []
    for asked in sets:
        found = measured(asked, weights)
        several = np.mean([len(each.gold) for each in asked]) > 1.5
        values.append((found["ndcg@10"] + found["all_gold@5"]) / 2 if several else found["ndcg@10"])
    return float(np.mean(values))


def learned(sets: Sequence[Sequence[Asked]], start: Weights) -> Weights:
    """Weights that add up to 1, by coordinate ascent. start: where a feature is 0 it stays so."""
    weights, best, step = start, worth(sets, start), FIRST_STEP
    while step > LAST_STEP:
        better = False
        for place in np.flatnonzero(start):
            for change in (step, -step):
                tried = weights.copy()
                tried[place] = max(0.0, tried[place] + change)
                tried /= tried.sum()
                value = worth(sets, tried)
                if value > best + 1e-9:
                    weights, best, better = tried, value, True
        step = step if better else step / 2
    return weights


def both(sets: Sequence[Sequence[Asked]]) -> tuple[Weights, Weights]:
    """The weights without and with the graph. A set of which fewer than 20 questions are of a kind does not count."""
    parts = [[[each for each in asked if each.led is led] for asked in sets] for led in (False, True)]
    without, led = ([asked for asked in part if len(asked) >= 20] for part in parts)
    even = np.full(len(NAMES), 1 / len(NAMES))
    alone = even.copy()
    alone[-1] = 0
    return learned(without, alone / alone.sum()) if without else alone, learned(led, even) if led else even


def outcome(asked: Sequence[Asked], without: Weights, led: Weights) -> dict[str, float]:
    """The measures of a set with both kinds of weights."""
    groups = [
        (part, measured(part, weights))
        for part, weights in (
            ([each for each in asked if not each.led], without),
            ([each for each in asked if each.led], led),
        )
        if part
    ]
    return {
        name: round(sum(len(part) * found[name] for part, found in groups) / len(asked), 1)
        for name in ("ndcg@10", "all_gold@5")
    }


def _named(weights: Weights) -> dict[str, float]:
    return {name: round(float(weight), 3) for name, weight in zip(NAMES, weights, strict=True)}


async def collected(folder: Path, limit: int) -> list[Asked]:
    """The questions of a data set with their candidates."""
    settings = load(dict(os.environ), Path.cwd())  # noqa: TID251 - as the command reads them
    real, data = open_data_set(folder)
    async with open_product(settings, database=database_name(real, settings)) as product:
        say(f"{folder.name}: indexing what changed")
        await index_data_set(product, data, quiet=True)
        questions = judged_questions(((each.text, each.gold) for each in data.queries() if each.gold), SOURCE)
        say(f"{folder.name}: asking")
        return await candidates(product, drawn(questions, limit, 0, lambda each: each.text))


def main(folders: Sequence[Path], limit: int) -> dict[str, Any]:
    """Everything."""
    sets = {folder.name: asyncio.run(collected(folder, limit)) for folder in folders}
    shipped = np.array(astuple(ALONE)), np.array(astuple(WITH_GRAPH))
    found: dict[str, Any] = {
        "questions": {name: [len(asked), sum(each.led for each in asked)] for name, asked in sets.items()},
        "shipped": {name: outcome(asked, *shipped) for name, asked in sets.items()},
    }
    say("learning on all")
    everything = both(list(sets.values()))
    found["learned_on_all"] = {"without_graph": _named(everything[0]), "with_graph": _named(everything[1])}
    found["on_all"] = {name: outcome(asked, *everything) for name, asked in sets.items()}
    found["on_the_others"] = {}
    for name, asked in sets.items():
        say(f"learning on all but {name}")
        found["on_the_others"][name] = outcome(asked, *both([each for other, each in sets.items() if other != name]))
    return found


if __name__ == "__main__":
    options = parser(__doc__, limit=300)
    options.add_argument("folders", type=Path, nargs="+")
    given = options.parse_args()
    report(main(given.folders, given.limit))
