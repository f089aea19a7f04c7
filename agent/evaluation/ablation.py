"""What each list, weight and feature of the fused search is worth on judged questions.

The candidates of a question are fetched once; each setting only sums their features otherwise, so that hundreds of
weights take seconds.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from itertools import product
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from agent.evaluation.comparison import interval
from agent.evaluation.judged_questions import JudgedQuestion
from agent.evaluation.measures import all_gold, ndcg
from agent.retrieval.learned_fusion import ALONE, MAX_WINDOWS, WITH_GRAPH, FusionWeights, graph_counts
from agent.retrieval.retriever import Retrieved, Retriever, one_a_document
from agent.tools.base import Tool, ToolContext
from agent.tools.search import LONGEST_QUERY, SearchArguments
from domain.access import Scope
from domain.search import Filters
from domain.search_ports import KnowledgeSearch

DEEP = 10
MEASURES = ("ndcg@10", "all_gold@5")
DEFAULT = "as shipped"
FEATURES = tuple(each.name for each in fields(FusionWeights))
BEST = "best of the simplex"
STEP = 0.1
"""Between two weights of the simplex that is searched."""
RRF_K = 60
DIVERSITY, SIMILAR = 0.3, 5
"""Of the switches that are turned on."""
CHUNKS = 50
"""Chunks that are ranked, so that ten different documents are among them."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AblationCase:
    """A question with its candidates."""

    features: Numbers
    """Shape (features, candidates), in the order of FEATURES; each 0 to 1."""
    documents: Sequence[str]
    """The document of each candidate."""
    gold: Mapping[str, int]
    shipped: Sequence[str]
    """The documents as the product ranks them now, best first."""
    switched: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The documents as it ranks them with a switch turned, or as a tool ranks them, best first, by its name."""

    def ranking(self, scores: Numbers) -> list[str]:
        """The best documents by these scores of the candidates; one whose score is 0 was not found."""
        order = (place for place in np.argsort(-scores, kind="stable") if scores[place] > 0)
        return list(dict.fromkeys(self.documents[place] for place in order))[:DEEP]


@dataclass(frozen=True, slots=True)
class AblationRow:
    """One setting. values: means by measure, 0 to 1. against: by measure, the difference to the default, and between
    which values it lies in 95 % of the paired bootstrap samples."""

    name: str
    values: Mapping[str, float]
    against: Mapping[str, tuple[float, float, float]]


class ChunkRanking(Protocol):
    """Ranks the chunks for a question; see agent.retrieval.retriever.Retriever.rank."""

    async def rank(self, text: str, scope: Scope, *, limit: int) -> Retrieved:
        """The best `limit` chunks."""
        ...


DocumentRanking = Callable[[str], Awaitable[Sequence[str]]]
"""The documents for a question, best first."""


def by_chunks(ranking: ChunkRanking) -> DocumentRanking:
    """The documents of a ranking of chunks."""

    async def documents(question: str) -> list[str]:
        ranked = await ranking.rank(question, Scope.member(), limit=CHUNKS)
        return [each.document_id for each in one_a_document(ranked.ranked)][:DEEP]

    return documents


def by_tool(tool: Tool[SearchArguments]) -> DocumentRanking:
    """The documents that a tool of the agent finds for the question as it was asked, cut where it is too long."""

    async def documents(question: str) -> list[str]:
        if not question:
            return []
        context = ToolContext(Scope.member(), Filters(), question, top_k=CHUNKS)
        found = await tool.run(SearchArguments(query=question[:LONGEST_QUERY]), context)
        return list(dict.fromkeys(each.passage.document_id for each in found.found))[:DEEP]

    return documents


def switches(retriever: Retriever) -> dict[str, DocumentRanking]:
    """What may be turned on in the search without another index, by its name in the table."""
    known = retriever.options
    return {
        f"diversity {DIVERSITY} (MMR)": by_chunks(retriever.having(replace(known, diversity=DIVERSITY))),
        f"{SIMILAR} neighbours by meaning in the graph": by_chunks(retriever.having(replace(known, similar=SIMILAR))),
    }


async def ablation_cases(
    retriever: Retriever,
    search: KnowledgeSearch,
    questions: Sequence[JudgedQuestion],
    show: Callable[[int], object],
    turned: Mapping[str, DocumentRanking] | None = None,
) -> list[AblationCase]:
    """The candidates of each question. show: told how many questions are done. turned: the product with a switch
    turned, or with a tool alone, by its name.

    Raises:
        Misconfigured, Transient: see agent.retrieval.retriever.Retriever.rank.
    """
    cases = []
    as_shipped = by_chunks(retriever)
    for number, question in enumerate(questions, start=1):
        found = await retriever.candidates(question.text, Scope.member())
        first = found.candidates.fused({}, found.candidates.weights)
        windows = await search.around(list(first)[:MAX_WINDOWS], found.vector, Scope.member())
        documents = [found.documents[chunk_id] for chunk_id in found.candidates.dense]
        features = np.array(found.candidates.features(windows), dtype=np.float64)
        shipped = await as_shipped(question.text)
        switched = {name: await ranking(question.text) for name, ranking in (turned or {}).items()}
        cases.append(AblationCase(features, documents, question.gold, shipped, switched))
        show(number)
    return cases


def ablation(cases: Sequence[AblationCase], seed: int = 0) -> list[AblationRow]:
    """Every setting, the default first: each list alone, pairs, all three with known weights, the best weights of the
    simplex (chosen on these very questions, so an upper bound), rank fusion, the learned sum without each feature, and
    the switches and tools that were asked for. seed: of the bootstrap samples."""
    rows = []
    found = measured_settings(cases)
    for name, measured in found.items():
        against = {measure: _against(measured[measure], found[DEFAULT][measure], seed) for measure in MEASURES}
        rows.append(AblationRow(name, _means(measured), {} if name == DEFAULT else against))
    return rows


def measured_settings(cases: Sequence[AblationCase]) -> dict[str, dict[str, Numbers]]:
    """The measures of each question, by setting, the default first, and by measure."""
    found = {DEFAULT: _measured([case.shipped for case in cases], cases)}
    for name, scores in _settings(cases):
        found[name] = _measured([case.ranking(scores(case)) for case in cases], cases)
    for name in cases[0].switched if cases else ():
        found[name] = _measured([case.switched[name] for case in cases], cases)
    return found


Scores = Callable[[AblationCase], Numbers]


def kept_measures(cases: Sequence[AblationCase]) -> dict[str, list[dict[str, float]]]:
    """The measures of each question by the name of the setting, which is the same on every data set: without the
    weights that are the best of one."""
    return {
        BEST if BEST in name else name: [
            dict(zip(measured, map(float, row), strict=True)) for row in zip(*measured.values(), strict=True)
        ]
        for name, measured in measured_settings(cases).items()
    }


def _settings(cases: Sequence[AblationCase]) -> list[tuple[str, Scores]]:
    lists = {"lexical": (1, 0, 0), "dense": (0, 1, 0), "graph": (0, 0, 1)}
    pairs = {"lexical + dense": (0.5, 0.5, 0), "lexical + graph": (0.5, 0, 0.5), "dense + graph": (0, 0.5, 0.5)}
    known = {"0.4 / 0.4 / 0.2": (0.4, 0.4, 0.2), "0.3 / 0.3 / 0.4": (0.3, 0.3, 0.4)}
    best = max(_simplex(), key=lambda weights: _worth(cases, _three(weights)))
    found = {" / ".join(f"{each:.1f}" for each in best) + f" ({BEST})": best}
    settings: list[tuple[str, Scores]] = [
        (name, _three(weights)) for name, weights in (lists | pairs | known | found).items()
    ]
    settings += [("rank fusion, k 60", _rank_fusion), ("learned sum; days and titles do not count", _learned(""))]
    settings += [(f"the same without {each}", _learned(each)) for each in FEATURES]
    return settings


def _simplex() -> list[tuple[float, float, float]]:
    steps = round(1 / STEP)
    return [
        (one / steps, other / steps, (steps - one - other) / steps)
        for one, other in product(range(steps + 1), repeat=2)
        if one + other <= steps
    ]


def _three(weights: Sequence[float]) -> Scores:
    """The sum of the three lists: BM25, cosine, graph."""
    wide = np.zeros(len(FEATURES))
    for name, weight in zip(("lexical", "dense", "graph"), weights, strict=True):
        wide[FEATURES.index(name)] = weight
    return lambda case: wide @ case.features


def _learned(without: str) -> Scores:
    """The learned sum, one feature left out; the weights of the others keep their proportions."""

    def scores(case: AblationCase) -> Numbers:
        led = graph_counts(case.features[FEATURES.index("graph")]) and without != "graph"
        weights = np.array(astuple(WITH_GRAPH if led else ALONE))
        if without:
            weights[FEATURES.index(without)] = 0
        return np.asarray(weights @ case.features)

    return scores


def _rank_fusion(case: AblationCase) -> Numbers:
    """Reciprocal rank fusion of BM25 and cosine (Cormack, Clarke and Büttcher 2009)."""
    found = np.zeros(len(case.documents))
    for name in ("lexical", "dense"):
        ranks = np.argsort(np.argsort(-case.features[FEATURES.index(name)], kind="stable"), kind="stable")
        found += 1 / (RRF_K + 1 + ranks)
    return found


def _worth(cases: Sequence[AblationCase], scores: Scores) -> float:
    return float(np.mean([ndcg(case.ranking(scores(case)), case.gold, DEEP) for case in cases]))


def _measured(rankings: Sequence[Sequence[str]], cases: Sequence[AblationCase]) -> dict[str, Numbers]:
    pairs = list(zip(rankings, cases, strict=True))
    return {
        "ndcg@10": np.array([ndcg(ranking, case.gold, DEEP) for ranking, case in pairs]),
        "all_gold@5": np.array([all_gold(ranking, case.gold, 5) for ranking, case in pairs]),
    }


def _means(found: Mapping[str, Numbers]) -> dict[str, float]:
    return {name: float(values.mean()) for name, values in found.items()}


def _against(found: Numbers, default: Numbers, seed: int) -> tuple[float, float, float]:
    differences = found - default
    low, high, _ = interval(differences, seed)
    return float(differences.mean()), low, high


def ablation_table(name: str, rows: Sequence[AblationRow]) -> str:
    """Markdown, in points of 100. name: of the data set."""
    lines = [
        f"| {name} | nDCG@10 | against the default (95 %) | all gold @5 | against the default (95 %) |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        cells = [row.name]
        for measure in MEASURES:
            cells.append(f"{100 * row.values[measure]:.1f}")
            cells.append(_between(row.against[measure]) if row.against else "")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _between(against: tuple[float, float, float]) -> str:
    difference, low, high = (100 * each for each in against)
    return f"{difference:+.1f} ({low:+.1f} to {high:+.1f})"


def ablation_plot(name: str, rows: Sequence[AblationRow]) -> str:
    """An SVG: for each setting the difference of nDCG@10 to the default, in points, with its interval."""
    found = [(row.name, row.against["ndcg@10"]) for row in rows if row.against]
    least = min(0.0, *(low for _, (_, low, _) in found))
    most = max(0.0, *(high for _, (_, _, high) in found))
    left, width, line = 190, 520, 22
    height = line * (len(found) + 2)

    def across(value: float) -> float:
        return left + width * (value - least) / ((most - least) or 1.0)

    size = f'width="{left + width + 20}" height="{height}"'
    axis = f'x1="{across(0):.1f}" x2="{across(0):.1f}" y1="{line}" y2="{height - 6}"'
    title = f"{name}: nDCG@10 against the default, points ({100 * least:.1f} to {100 * most:+.1f})"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="4" y="16">{title}</text>',
        f'<line {axis} stroke="#888"/>',
    ]
    for place, (setting, (difference, low, high)) in enumerate(found, start=1):
        middle = line * place + 18
        reach = f'x1="{across(low):.1f}" x2="{across(high):.1f}" y1="{middle}" y2="{middle}"'
        parts += [
            f'<text x="4" y="{middle + 4}">{setting}</text>',
            f'<line {reach} stroke="#36c" stroke-width="2"/>',
            f'<circle cx="{across(difference):.1f}" cy="{middle}" r="4" fill="#36c"/>',
        ]
    return "\n".join([*parts, "</svg>"])
