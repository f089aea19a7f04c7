"""A question becomes progress and exactly one outcome."""

import logging
import re
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from agent.providers.offline import OfflineReasoner
from agent.retrieval import Retrieved, Retriever
from domain.answers import Declined, Failed, NotFound, Outcome, Progress, Question, ToolCall, Trace
from domain.errors import KbError, Misconfigured
from domain.ports import KnowledgeSearch
from domain.search import Passage
from domain.text.tokens import ENGLISH_STOP_WORDS, Analyzer

log = logging.getLogger(__name__)

MAX_QUESTION = 4_000
"""Characters of a question; more is a document, not a question."""

_LEANS_BACK = re.compile(r"\b(?:it|its|they|them|theirs?|he|she|him|his|hers?|these|those)\b", re.IGNORECASE)
_DUMMY_IT = re.compile(
    r"\b(?:is|was) it (?=possible|allowed|permitted|necessary|mandatory|required|ok|okay|true)", re.IGNORECASE
)
_CONTINUES = re.compile(r"\s*(?:and|or|but|what about|how about|also|why)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DirectOptions:
    """passages: that an answer is drawn from."""

    passages: int = 12


class AnswerService:
    """Answers questions in `direct` mode: one retrieval, one composition.

    retriever, search: the index. reasoner: makes the answer.
    """

    def __init__(
        self, retriever: Retriever, search: KnowledgeSearch, reasoner: OfflineReasoner, options: DirectOptions
    ) -> None:
        self._retriever = retriever
        self._search = search
        self._reasoner = reasoner
        self._options = options

    async def stream(self, question: Question) -> AsyncIterator[Progress | Outcome]:
        """Progress as it comes, then exactly one outcome, whatever happens."""
        text = " ".join(question.text.split())
        if not text:
            yield Declined("There is no question. Ask one in words, for example: How do I reset my password?")
            return
        if len(question.text) > MAX_QUESTION:
            yield Declined(f"The question has more than {MAX_QUESTION:,} characters. Ask for one thing, in short.")
            return
        try:
            async for event in self._answer(replace(question, text=text)):
                yield event
        except KbError as error:
            yield Failed(str(error), misconfigured=isinstance(error, Misconfigured))
        except Exception:
            log.exception("A question failed")
            yield Failed("Something went wrong on our side\n  next: the log has the details; try again later.")

    async def _answer(self, question: Question) -> AsyncIterator[Progress | Outcome]:
        started = time.perf_counter()
        words = standalone(question)
        yield Progress("Searching the index", 10)
        retrieved = await self._retriever.rank(
            words, question.scope, limit=self._options.passages, filters=question.filters
        )
        searched = time.perf_counter()
        passages = await self._retriever.passages(retrieved.ranked, question.scope)
        yield Progress(f"Reading {len(passages)} passages", 50)
        outcome = await self._reasoner.compose(retrieved, passages)
        trace = _trace(words, retrieved, passages, started, searched)
        if isinstance(outcome, NotFound):
            outcome = NotFound(await self._searched(question, words, retrieved))
        yield replace(outcome, trace=trace)

    async def _searched(self, question: Question, words: str, retrieved: Retrieved) -> str:
        count = await self._search.documents(question.scope, question.filters)
        terms = ", ".join(t for t in dict.fromkeys(Analyzer("none").tokens(words)) if t not in ENGLISH_STOP_WORDS)
        documents = f"{count:,} document" + ("" if count == 1 else "s")
        narrowed = " under the filters given" if question.filters else ""
        by_words = f"by words ({terms})" if terms else "by words (there are none in the question)"
        by_meaning = " alone: the embedding model is away" if retrieved.vector is None else " and by meaning"
        return f"{documents}{narrowed}, {by_words}{by_meaning}"


def standalone(question: Question) -> str:
    """The question so that it can be searched by itself: one that leans on earlier turns takes along the nearest
    question that stands alone."""
    if not _leans(question.text):
        return question.text
    subject = next((turn.question for turn in reversed(question.history) if not _leans(turn.question)), "")
    return f"{subject} {question.text}".strip()


def _leans(text: str) -> bool:
    """Whether a question says little without the one before: it points back, goes on, or has no word of its own."""
    points_back = _LEANS_BACK.search(_DUMMY_IT.sub("", text))
    return bool(points_back or _CONTINUES.match(text)) or not Analyzer().tokens(text)


def _trace(words: str, retrieved: Retrieved, passages: list[Passage], started: float, searched: float) -> Trace:
    search_ms = 1000 * (searched - started)
    call = ToolCall("hybrid_search", {"query": words}, round(search_ms, 1), len(retrieved.ranked))
    documents = len({passage.document_id for passage in passages})
    reasoning = [f"searched for: {words}", f"read {len(passages)} passages of {documents} documents"]
    if retrieved.degraded:
        reasoning.append(retrieved.degraded)
    return Trace(
        iterations=1,
        tool_calls=(call,),
        reasoning=tuple(reasoning),
        timings_ms={
            "search": round(search_ms, 1),
            "compose": round(1000 * (time.perf_counter() - searched), 1),
            "total": round(1000 * (time.perf_counter() - started), 1),
        },
    )
