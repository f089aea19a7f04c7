"""What a model makes of the sentences that the comparison doubts or disputes, over every n-th held-out pair.

    python -m tests.claims.checker BASE_URL MODEL [--nth 5] [--seconds 300]

BASE_URL: of a server of OpenAI's chat API. The sentences are asked for as the product asks: those of one answer, eight,
in one request, and once more where the reply was unusable. Prints one JSON object.
"""

import argparse
import asyncio
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from agent.options import AgentOptions
from agent.providers.openai import ChatEndpoint
from agent.reasoner import Reasoner, ReasonerSession
from agent.reasoners.model.factory import ModelOptions, open_model_reasoners
from agent.reasoners.offline.factory import OfflineReasonerFactory
from agent.replies.writer import CLEARING_SUPPORT
from agent.retrieval.retriever import RetrievalOptions, Retriever
from agent.state import Analysis, CitedClaim
from domain.access import Scope
from domain.answers import Question
from domain.masking import Masker
from tests.claims.score import LANGUAGES, SentencePair, pairs
from tests.fakes.agent import a_passage
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge

SENTENCES = 8
"""Sentences of one answer."""


@dataclass(frozen=True, slots=True)
class CheckerScore:
    """caught: turned sentences that are marked or left out; unmarked: true ones that are not. Both for the comparison
    alone, for the comparison with the model behind it, which is what the product does, and for the model alone.
    unscored: sentences that the model gave no score. requests: for each answer."""

    turned: int
    true: int
    caught: dict[str, int]
    unmarked: dict[str, int]
    questioned: int
    unscored: int
    requests: list[int]
    seconds_a_request: float


def chosen(nth: int) -> list[SentencePair]:
    """Every n-th pair of the held-out sets."""
    return [pair for language in LANGUAGES for pair in pairs("held_out", language)[::nth]]


async def measured(session: ReasonerSession, found: list[SentencePair]) -> CheckerScore:
    """Asks for all pairs in answers of eight sentences."""
    scores: list[float | None] = []
    requests: list[int] = []
    started = time.monotonic()
    for start in range(0, len(found), SENTENCES):
        answer = found[start : start + SENTENCES]
        before = session.calls()
        scores += await _asked(session.reasoner, answer)
        requests.append(session.calls() - before)
    seconds = (time.monotonic() - started) / max(1, sum(requests))
    compared = [pair.verdict() for pair in found]
    options = AgentOptions()
    doubted = [score is None or score < options.support for score in scores]
    held = [score is None or score < CLEARING_SUPPORT for score in scores]
    marks = {
        "comparison": [verdict != "agrees" for verdict in compared],
        "both": [
            (verdict == "doubtful" and doubt) or (verdict == "disagrees" and left_out)
            for verdict, doubt, left_out in zip(compared, doubted, held, strict=True)
        ],
        "model": doubted,
    }
    true = [pair.kind == "paraphrase" for pair in found]
    return CheckerScore(
        turned=true.count(False),
        true=true.count(True),
        caught={name: _count(given, true, of=False) for name, given in marks.items()},
        unmarked={name: true.count(True) - _count(given, true, of=True) for name, given in marks.items()},
        questioned=sum(marks["comparison"]),
        unscored=scores.count(None),
        requests=requests,
        seconds_a_request=round(seconds, 1),
    )


def _count(marked: list[bool], true: list[bool], *, of: bool) -> int:
    return sum(mark for mark, each in zip(marked, true, strict=True) if each == of)


async def _asked(reasoner: Reasoner, answer: list[SentencePair]) -> list[float | None]:
    claims = [
        CitedClaim(pair.claim, (a_passage(pair.source, pair.id, title=Path(pair.document).stem.replace("-", " ")),))
        for pair in answer
    ]
    return await reasoner.check(Analysis("What is said of this?"), claims)


async def ask(base_url: str, model: str, *, key: str = "x", nth: int = 5, seconds: float = 300.0) -> CheckerScore:
    """Opens the model as the product does."""
    embedder = HashEmbedder()
    retriever = Retriever(MemoryKnowledge(embedder.identity), embedder, RetrievalOptions())
    options = ModelOptions(ChatEndpoint(base_url, key, model, timeout=seconds), call_budget=1_000, deadline=3_600)
    async with open_model_reasoners(options, OfflineReasonerFactory(retriever, embedder), None, Masker()) as mind:
        session = mind.open(Question("What holds?", Scope.member()), AgentOptions(), "")
        return await measured(session, chosen(nth))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base_url")
    parser.add_argument("model")
    parser.add_argument("--nth", type=int, default=5, help="every n-th pair of each held-out set (%(default)s)")
    parser.add_argument("--seconds", type=float, default=300.0, help="for one request (%(default)s)")
    given = parser.parse_args()
    found = asyncio.run(ask(given.base_url, given.model, nth=given.nth, seconds=given.seconds))
    print(json.dumps(asdict(found), indent=1))


if __name__ == "__main__":
    main()
