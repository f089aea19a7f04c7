"""The reasoner without a model: it routes by pattern, judges by words and vectors, quotes what passages say, and
knows when they say nothing."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from agent import decompose, patterns
from agent.bridge import onward, springboards
from agent.extract import MAX_UNIT
from agent.providers.held_terms import HeldTerms, terms_of
from agent.quoting import CLOSE_LOOK, CONFLICT, choose, look, newest_first
from agent.reasoner import Brief, Drafted, Marks, Need, Part, Reasoner
from agent.relevance import coverage, joint_coverage, relevance
from agent.retrieval import Retrieved, Retriever
from agent.selection import best_first
from agent.standalone import standalone
from agent.state import DROP_BELOW, Analysis, Claim, Evidence, SubQuestion, ToolRequest
from agent.support import supported
from agent.tools.base import ToolSpec
from agent.tools.documents import LONGEST_NAME
from agent.tools.index import INDEX_COMMAND
from domain.access import Scope
from domain.answers import Question
from domain.errors import Transient
from domain.ports import Embedder
from domain.search import Passage
from domain.text.tokens import Analyzer

NOTICE = "Quoted from the sources without a language model; a model endpoint gives fuller answers."

CONCLUSIVE_COVERAGE = 0.85
"""Share of the question's words that one passage holds from which a closer look changes nothing."""

CONCLUSIVE_RELEVANCE = 0.65


@dataclass(frozen=True, slots=True)
class OfflineOptions:
    """max_units: quoted at most, for each part of a question. min_relevance: below it nothing is found, 0 to 1.
    decomposition, expansion: whether questions are taken apart, and searched on from what was found.
    expansion_depth: how often. expansion_threshold: the grade that takes."""

    max_units: int = 4
    min_relevance: float = 0.3
    decomposition: bool = True
    expansion: bool = True
    expansion_depth: int = 1
    expansion_threshold: float = 0.0


class OfflineReasoner(Reasoner):
    """Deterministic: the same index and question give the same answer.

    retriever: gives weights and vectors of texts. embedder: compares sentences with the question. scope: who asks.
    """

    def __init__(
        self, retriever: Retriever, embedder: Embedder, scope: Scope, options: OfflineOptions | None = None
    ) -> None:
        self._retriever = retriever
        self._embedder = embedder
        self._scope = scope
        self._options = options or OfflineOptions()
        self._measures: dict[str, Retrieved] = {}
        self._held = HeldTerms()
        self._sprung: set[str] = set()
        self._expanded = 0

    @property
    def name(self) -> str:
        """What names it in traces."""
        return "offline"

    async def analyze(
        self, question: Question, offered: Sequence[ToolSpec]
    ) -> tuple[Analysis, tuple[ToolRequest, ...]]:
        """By patterns alone; see agent.patterns and agent.decompose."""
        del offered
        return analysis_of(question, decomposition=self._options.decomposition), ()

    async def plan(self, need: Need) -> tuple[ToolRequest, ...]:
        """First what fits the intent; then, from the names in the best evidence on; then other ways of searching."""
        if need.decision is None:
            return first_plan(need.analysis, need.offered)
        if need.decision == "refine":
            return self._onward(need)
        return other_ways(need.analysis, need.offered)

    def _onward(self, need: Need) -> tuple[ToolRequest, ...]:
        if not self._options.expansion or self._expanded >= self._options.expansion_depth:
            return ()
        self._expanded += 1
        found = springboards(best_first(need.evidence), self._sprung, self._options.expansion_threshold)
        self._sprung.update(item.key for item in found)
        analyzer = Analyzer()
        requests = [
            ToolRequest("hybrid_search", {"query": onward(need.analysis.standalone, item.passage, analyzer)}, number)
            for item in found
            for number in [min(item.found_for, default=0)]
        ]
        if found and "graph_related" in {spec.name for spec in need.offered}:
            # it starts from the things that the evidence speaks of
            requests.append(ToolRequest("graph_related", {"query": need.analysis.standalone}, requests[0].sub_question))
        return tuple(requests)

    async def conclusive(self, analysis: Analysis, evidence: Sequence[Evidence]) -> bool:
        """One passage holds nearly all words of a simple question and is near to it in meaning."""
        if analysis.complexity != "simple":
            return False
        measure = await self.measure(analysis.standalone)
        for item in best_first(evidence)[:3]:
            covered = coverage(self._held.of(item.passage, measure.stemming), measure.term_idf)
            if covered >= CONCLUSIVE_COVERAGE and _relevance(item.passage, covered, measure) >= CONCLUSIVE_RELEVANCE:
                return True
        return False

    async def grade(self, analysis: Analysis, ungraded: Sequence[Evidence], known: Sequence[Evidence]) -> Marks:
        """Relevance of each item to the sub-question, or to the words it was found with where that is higher: what
        a search from the first evidence on found need not share a word with the question."""
        grades: dict[tuple[int, str], float] = {}
        for item in ungraded:
            for number in item.found_for:
                texts = dict.fromkeys((analysis.sub_question(number).text, *item.queries))
                plain = max([await self._grade(item.passage, text) for text in texts])
                # how things hang together need not be said in the question's words, nor what a second hop leads to
                least = item.score if item.states else DROP_BELOW if item.linked else 0.0
                grades[number, item.key] = max(plain, least)
        return Marks(grades, await self._missing(analysis, [*ungraded, *known]))

    async def _grade(self, passage: Passage, text: str) -> float:
        measure = await self.measure(text)
        covered = coverage(self._held.of(passage, measure.stemming), measure.term_idf)
        return round(grade_of(_relevance(passage, covered, measure)), 4)

    async def _missing(self, analysis: Analysis, evidence: Sequence[Evidence]) -> tuple[str, ...]:
        """The question's words that no evidence holds, weightiest first."""
        measure = await self.measure(analysis.standalone)
        analyzer = Analyzer(measure.stemming)
        held = {term for item in evidence for term in self._held.of(item.passage, measure.stemming)}
        weights = measure.term_idf
        words = {term: word for word in patterns.content_words(analysis.standalone) for term in analyzer.tokens(word)}
        missing = sorted((term for term in weights if term not in held), key=lambda term: -weights[term])
        return tuple(dict.fromkeys(words.get(term, term) for term in missing[:5]))

    async def synthesize(self, brief: Brief) -> AsyncIterator[Drafted]:
        """The best units of the evidence, for each part of the question; nothing where none is good enough."""
        said: set[str] = set()
        best = 0.0
        notes: dict[str, None] = {}
        for part in brief.parts:
            items = [brief.evidence[position - 1] for position in part.items]
            async for piece in self._part(brief, part, items):
                best = max(best, piece.confidence or 0.0)
                if piece.note:
                    notes[piece.note] = None
                elif piece.text not in said:
                    said.add(piece.text)
                    yield piece
        if said:
            yield Drafted(confidence=best)
            for note in (*notes, NOTICE):
                yield Drafted(note=note)

    async def _part(self, brief: Brief, part: Part, items: Sequence[Evidence]) -> AsyncIterator[Drafted]:
        if stated := _stated(part, items):
            for piece in stated:
                yield piece
            return
        text = part.sub_question.text
        passages = [item.passage for item in items]
        measure = await self.measure(text)
        as_retrieved = [item.passage for item in sorted(items, key=lambda item: -item.score)]
        confidence = max(judge(measure, passages), judge(measure, as_retrieved))
        if not passages or confidence < self._options.min_relevance:
            return
        characters = max(MAX_UNIT, CLOSE_LOOK // len(brief.parts))
        scored, degraded = await look(self._embedder, measure, passages, characters)
        chosen = choose(scored, self._options.max_units if len(brief.parts) == 1 else 2)
        if not chosen:
            return
        ordered, conflict = newest_first(chosen, passages)
        for each in ordered:
            yield Drafted(each.unit.text, source=part.items[each.unit.passage], confidence=confidence)
        for note in (CONFLICT if conflict else "", degraded):
            if note:
                yield Drafted(note=note)

    async def check(self, claims: Sequence[Claim]) -> list[float]:
        """Cosine with the passages, and the share of the claim's words that they hold."""
        vectors: Sequence[NDArray[np.float32] | None]
        try:
            vectors = await self._retriever.embed_all([claim.sentence for claim in claims])
        except Transient:  # the embedding model is away: by words alone, as everything is then
            vectors = [None] * len(claims)
        return [
            max((supported(passage, _measure_of(claim.sentence, vector)) for passage in claim.passages), default=0.0)
            for claim, vector in zip(claims, vectors, strict=True)
        ]

    async def hypothesise(self, question: str) -> str:
        """None: nothing here writes."""
        del question
        return ""

    async def measure(self, text: str) -> Retrieved:
        """Weights and vector of a text; asked for once."""
        if text not in self._measures:
            self._measures[text] = await self._retriever.measure(text, self._scope)
        return self._measures[text]


def _stated(part: Part, items: Sequence[Evidence]) -> list[Drafted]:
    """The relations that answer a part of the question, each a line with where it stands; none where none does."""
    lines: dict[str, int] = {}
    for position, item in zip(part.items, items, strict=True):
        for sentence in item.states:
            lines.setdefault(sentence, position)
    if not lines:
        return []
    confidence = max(item.score for item in items if item.states)
    return [Drafted(f"- {text} [{position}]\n", confidence=confidence) for text, position in lines.items()]


def _measure_of(sentence: str, vector: NDArray[np.float32] | None) -> Retrieved:
    """A sentence whose terms weigh the same: how rare they are matters little within one sentence."""
    return Retrieved((), dict.fromkeys(Analyzer().tokens(sentence), 1.0), vector=vector)


def analysis_of(question: Question, *, decomposition: bool = True) -> Analysis:
    """What patterns say of a question whose filters were taken out of it; see agent.narrowing."""
    small_talk = patterns.talk(question.text)
    text = standalone(question.text, question.history)
    named = patterns.references(text)
    parts = decompose.sub_questions(text) if decomposition else (SubQuestion(1, text, patterns.kind(text)),)
    meant = patterns.intent(text, named)
    return Analysis(
        standalone=text,
        intent=meant,
        complexity=decompose.complexity(text, parts),
        talk=small_talk,
        sub_questions=parts,
        references=named,
        vague=patterns.vague(text, meant),
        by="patterns" if patterns.routed(text, named) else "offline",
    )


def first_plan(analysis: Analysis, offered: Sequence[ToolSpec]) -> tuple[ToolRequest, ...]:
    """The calls that fit the intent, those of them that are offered."""
    names = {spec.name for spec in offered}
    about_the_index = patterns.administration(analysis.standalone)
    if about_the_index and INDEX_COMMAND in names:
        return (ToolRequest(INDEX_COMMAND, about_the_index, 1),)
    requests = _by_reference(analysis)
    if analysis.intent == "exact":
        for literal in patterns.literals(analysis.standalone)[:2]:
            requests.append(ToolRequest("grep_search", {"pattern": _quoted(literal), "ignore_case": True}, 1))
    if analysis.intent == "file_discovery":
        name = " ".join(patterns.content_words(analysis.standalone))[:LONGEST_NAME]
        requests.append(ToolRequest("local_file_qa", {"name": name, "question": analysis.standalone}, 1))
    if analysis.intent == "relational" or patterns.relational(analysis.standalone):
        requests.append(ToolRequest("graph_related", {"query": analysis.standalone}, 1))
    if analysis.vague:
        requests.append(ToolRequest("hyde_search", {"query": analysis.standalone}, 1))
    for part in analysis.sub_questions:
        words = " ".join((part.text, *part.constraints))
        requests.append(ToolRequest("hybrid_search", {"query": words}, part.number))
    return tuple(request for request in requests if request.name in names)


def _by_reference(analysis: Analysis) -> list[ToolRequest]:
    requests = []
    for each in analysis.references[:3]:
        match each.kind:
            case "key":
                requests.append(ToolRequest("jira_fetch", {"key": each.text}, 1))
            case "page":
                requests.append(ToolRequest("confluence_fetch", {"page": each.text}, 1))
            case "url":
                requests.append(ToolRequest("document_lookup", {"document": each.text}, 1))
                requests.append(ToolRequest("web_fetch", {"url": each.text}, 1))
            case "path":
                requests.append(ToolRequest("read_file", {"path": each.text, "question": analysis.standalone}, 1))
    return requests


def _quoted(literal: str) -> str:
    """The literal as a pattern that matches it as a whole."""
    escaped = "".join(
        letter if letter.isalnum() or letter in "_ " or ord(letter) > 127 else f"\\{letter}" for letter in literal
    )
    before = r"\b" if literal[:1].isalnum() else ""
    after = r"\b" if literal[-1:].isalnum() else ""
    return f"{before}{escaped}{after}"


def other_ways(analysis: Analysis, offered: Sequence[ToolSpec]) -> tuple[ToolRequest, ...]:
    """Another strategy: by meaning alone, by the rare words alone, by single sentences."""
    names = {spec.name for spec in offered}
    words = " ".join(patterns.content_words(analysis.standalone))
    ways = (
        ("proposition_search", analysis.standalone),
        ("vector_search", analysis.standalone),
        ("keyword_search", words),
        ("hyde_search", analysis.standalone),
    )
    return tuple(ToolRequest(name, {"query": query}, 1) for name, query in ways if name in names and query)


def judge(measure: Retrieved, passages: Sequence[Passage]) -> float:
    """How likely, 0 to 1, the passages answer the text that was measured. passages: best first."""
    analyzer = Analyzer(measure.stemming)
    covered = joint_coverage([terms_of(passage, analyzer) for passage in passages], measure.term_idf)
    if measure.vector is None:
        return covered  # words alone: the share of the question that the best passages hold
    cosine = max((float(passage.vector @ measure.vector) for passage in passages), default=0.0)
    return relevance(covered, cosine)


def grade_of(relevance_alone: float) -> float:
    """The grade of an item whose relevance, taken alone, is so high.

    Relevance is fitted to whether evidence answers; a single passage that only helps has 0.1 to 0.3. The square root
    puts those above the grade from which evidence is kept.
    """
    return sqrt(relevance_alone)


def _relevance(passage: Passage, covered: float, measure: Retrieved) -> float:
    if measure.vector is None or not passage.vector.any():
        return covered
    return relevance(covered, float(passage.vector @ measure.vector))
