"""Learns the weights of agent.reasoners.offline.likely_answer, and says what they quote of a set when they are learned
on the others.

    python -m benchmarks.learn_quoting FILE.yaml...

FILE: questions about the example company's pages, see examples/questions/development.yaml; never the half that is held
out. The pages are indexed in a folder of its own with the local model. Of each question that is no follow-up, the best
unit of the best twelve passages answers it where it holds all facts and no typical error. Parts of a question are not
asked apart. Prints what it does on standard error and one JSON object on standard output.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.evaluation.fact_questions import FactQuestion, read_fact_questions
from agent.evaluation.fact_scores import facts_held, holds, plain
from agent.questions.expected import expected
from agent.reasoners.offline.bearing import holds_codes, other_number, turned_round, without_light_words
from agent.reasoners.offline.likely_answer import LIKELY, UnitFeatures, features_of
from agent.reasoners.offline.quoting import can_answer, of_persons, score_units, with_heading
from agent.reasoners.offline.statements import as_text
from benchmarks.measuring import index_knowledge_base, new_folder, parser, product_in, report, say
from bot.app.product import Product
from domain.access import Scope

PASSAGES = 12
PENALTY = 1.0
"""What the squared weights of standardised features cost."""

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """A question with what is known of its best unit."""

    features: UnitFeatures
    right: bool
    answerable: bool
    group: str


async def row_of(product: Product, question: FactQuestion, group: str) -> Row | None:
    """None where nothing could be quoted in any case."""
    scope, text = Scope.member(), question.text
    found = await product.retriever.rank(text, scope, limit=PASSAGES)
    passages = await product.retriever.passages(found.ranked, scope)
    measure = without_light_words(await product.retriever.measure(text, scope))
    wanted, texts = expected(text), [as_text(each) for each in passages]
    if not passages or other_number(text, texts) or turned_round(text, texts):
        return None
    scored, _ = await score_units(product.embedder, measure, passages, wanted)
    named = of_persons([each for each in scored if holds_codes(each.unit, passages[each.unit.passage], wanted)], wanted)
    if not named or not can_answer(wanted, named, passages):
        return None
    unit = named[0].unit
    shown = with_heading(unit, passages[unit.passage], wanted, measure)
    wrong = any(holds(plain(shown), each) for each in question.wrong)
    right = question.answerable and facts_held(question, shown) == 1 and not wrong
    return Row(features_of(named, passages, measure, wanted, text), right, question.answerable, group)


def fitted(features: Values, right: Values) -> Values:
    """The weights and the bias, of features as they are, by Newton's method."""
    mean, spread = features.mean(0), features.std(0) + 1e-9
    rows = np.column_stack(((features - mean) / spread, np.ones(len(features))))
    penalty = np.diag([*([PENALTY] * features.shape[1]), 0.0])
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (right - chance) - penalty @ weights
        weights += np.linalg.solve((rows * (chance * (1 - chance))[:, None]).T @ rows + penalty, slope)
    plain_weights = weights[:-1] / spread
    return np.append(plain_weights, weights[-1] - plain_weights @ mean)


def counted(rows: Sequence[Row], weights: Values) -> dict[str, int]:
    """What comes of rows when each likely unit is quoted."""
    quoted = [each for each in rows if np.append(each.features, 1.0) @ weights >= np.log(LIKELY / (1 - LIKELY))]
    return {
        "questions": len(rows),
        "could be right": sum(each.right for each in rows),
        "right": sum(each.right for each in quoted),
        "wrong or partly": sum(each.answerable and not each.right for each in quoted),
        "without an answer, quoted": sum(not each.answerable for each in quoted),
    }


async def learn(files: Sequence[Path]) -> dict[str, object]:
    """Everything that is printed."""
    rows: list[Row] = []
    with new_folder() as folder:
        index_knowledge_base({"KB_AGENT_DATA_DIR": str(folder)})
        async with product_in(folder) as product:
            for file in files:
                say(file.name)
                asked = [each for each in read_fact_questions(file.read_text("utf-8"), str(file)) if not each.before]
                found = [await row_of(product, each, file.stem) for each in asked]
                rows += [each for each in found if each is not None]
    features = np.array([each.features for each in rows])
    right = np.array([each.right for each in rows], float)
    unseen = {}
    for group in dict.fromkeys(each.group for each in rows):
        other = np.array([each.group != group for each in rows])
        unseen[group] = counted([each for each in rows if each.group == group], fitted(features[other], right[other]))
    weights = fitted(features, right)
    named = dict(zip(UnitFeatures._fields, weights[:-1].round(3).tolist(), strict=True))
    return {"learned on the others": unseen, "weights": named, "bias": round(float(weights[-1]), 3)}


if __name__ == "__main__":
    options = parser(__doc__)
    options.add_argument("files", type=Path, nargs="+", metavar="FILE")
    report(asyncio.run(learn(options.parse_args().files)))
