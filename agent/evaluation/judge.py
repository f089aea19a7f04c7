"""Judges answers with a language model, by the measures of RAGAS (Es, James, Espinosa-Anke and Schockaert 2024):

- faithfulness: of the statements of the answer, the share that follows from the evidence.
- answer_relevancy: mean cosine of the question and three questions that the model makes from the answer; 0 for an
  answer that commits itself to nothing.
- context_precision: sum over the useful passages of the precision at their rank, divided by their number; 0 where no
  passage is useful.
- context_recall: of the facts of the right answer, the share that follows from the evidence.

A reply that cannot be read is asked for once more; then the measure is left out, and counted as `unjudged`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from agent.prompts import judge as prompts
from domain.chat import ChatRequest
from domain.errors import Refused, Transient
from domain.model_ports import ChatModel, Embedder

T = TypeVar("T")

MEASURES = ("faithfulness", "answer_relevancy", "context_precision", "context_recall", "unjudged", "judge_requests")
ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """What is judged."""

    question: str
    answer: str
    """Without its numbers of citations."""
    evidence: tuple[str, ...]
    """Texts of the passages, best first."""
    facts: tuple[str, ...]
    """Of the right answer; empty where they are not known."""


class Judge:
    """Judges with one model. read: gives the JSON object in a reply, None where there is none. embedder: for the
    likeness of questions."""

    def __init__(
        self, model: ChatModel, embedder: Embedder, read: Callable[[str], Mapping[str, object] | None]
    ) -> None:
        self._model = model
        self._embedder = embedder
        self._read = read
        self._requests = self._unjudged = 0

    async def judge(self, judged: JudgedAnswer) -> dict[str, float]:
        """The measures, see the module; `judge_requests` counts what the model was asked.

        Raises:
            Misconfigured: the model cannot be used at all.
        """
        self._requests = self._unjudged = 0
        found = {
            "faithfulness": await self._faithfulness(judged),
            "answer_relevancy": await self._relevancy(judged),
            "context_precision": await self._precision(judged),
            "context_recall": await self._recall(judged),
        }
        measures = {name: value for name, value in found.items() if value is not None}
        return measures | {"unjudged": float(self._unjudged), "judge_requests": float(self._requests)}

    async def _faithfulness(self, judged: JudgedAnswer) -> float | None:
        statements = await self._ask(
            prompts.statements_request(judged.question, judged.answer), prompts.statements_reply
        )
        if statements is None or not judged.evidence:
            return None if statements is None else 0.0
        return await self._supported(statements, judged.evidence)

    async def _recall(self, judged: JudgedAnswer) -> float | None:
        if not judged.facts:
            return None
        return await self._supported(judged.facts, judged.evidence) if judged.evidence else 0.0

    async def _supported(self, statements: Sequence[str], evidence: Sequence[str]) -> float | None:
        request = prompts.supported_request(statements, evidence)
        verdicts = await self._ask(request, lambda reply: prompts.supported_reply(reply, len(statements)))
        return None if verdicts is None else sum(verdicts) / len(verdicts)

    async def _relevancy(self, judged: JudgedAnswer) -> float | None:
        found = await self._ask(prompts.questions_request(judged.answer), prompts.questions_reply)
        if found is None:
            return None
        questions, evasive = found
        if evasive:
            return 0.0
        vectors = await self._embedder.embed([judged.question, *questions], "query")
        return float(np.mean(vectors[1:] @ vectors[0]))

    async def _precision(self, judged: JudgedAnswer) -> float | None:
        if not judged.facts or not judged.evidence:
            return None
        request = prompts.useful_request(judged.question, judged.facts, judged.evidence)
        useful = await self._ask(request, lambda reply: prompts.useful_reply(reply, len(judged.evidence)))
        return None if useful is None else average_precision(useful)

    async def _ask(self, request: ChatRequest, parse: Callable[[Mapping[str, object]], T]) -> T | None:
        for _ in range(ATTEMPTS):
            self._requests += 1
            try:
                found = self._read(await self._model.complete(request))
                if found is not None:
                    return parse(found)
            except (ValueError, Transient, Refused):
                continue
        self._unjudged += 1
        return None


def average_precision(useful: Sequence[bool]) -> float:
    """The mean of the precision at the rank of each useful passage; 0 where none is."""
    ranks = [rank for rank, each in enumerate(useful, start=1) if each]
    return sum(place / rank for place, rank in enumerate(ranks, start=1)) / len(ranks) if ranks else 0.0
