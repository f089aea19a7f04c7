"""The reasoner without a model: it routes by pattern, judges by words and vectors, quotes what passages say, and
knows when they say nothing."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace

from agent.options import AgentOptions
from agent.questions import patterns
from agent.questions.analysis import analysis_of
from agent.questions.expected import Expected, expected, expected_in, with_small_names
from agent.questions.listings import asks_whose_documents
from agent.reasoner import AnswerPart, Grades, PlanInput, Reasoner, SynthesisInput
from agent.reasoners.offline.asked_identifiers import holds_every_identifier, that_can_answer
from agent.reasoners.offline.bearing import (
    Bearing,
    asks_for_other,
    asks_for_several,
    tells_a_story,
    without_light_words,
    without_the_story,
)
from agent.reasoners.offline.contrary import answers_something_else
from agent.reasoners.offline.document_roles import labelled
from agent.reasoners.offline.elsewhere import that_are_meant
from agent.reasoners.offline.expansion import expansion_query, expansion_seeds
from agent.reasoners.offline.judging import PassageTerms, grade_of, judge, relevance_of
from agent.reasoners.offline.likely_answer import LIKELY, features_of, likelihood, of_a_sure_grader
from agent.reasoners.offline.planning import first_plan, listed_part, other_ways, searches_for
from agent.reasoners.offline.precedence import units_that_count
from agent.reasoners.offline.quotable_units import MAX_UNIT
from agent.reasoners.offline.quote_context import with_warnings, with_what_follows
from agent.reasoners.offline.quoting import (
    CLOSE_LOOK,
    LONG_LOOK,
    ScoredUnit,
    choose,
    nearest_units,
    of_the_kind,
    score_units,
    with_heading,
    with_whole_lists,
    with_whole_tables,
)
from agent.reasoners.offline.relations import related_rows
from agent.reasoners.offline.repeating import that_say_more
from agent.reasoners.offline.statements import as_text, stated, without_lists
from agent.reasoners.offline.superlatives import extreme_units
from agent.retrieval.relevance import LEAST_WEIGHT, coverage
from agent.retrieval.retriever import Retrieved, Retriever
from agent.retrieval.selection import best_first
from agent.state import DROP_BELOW, Analysis, CitedClaim, Evidence, ReplyPiece, SubQuestion, ToolRequest
from agent.tools.base import ToolSpec
from agent.wording import IN_OTHER_WORDS, PICKED_FROM_TABLE, QUOTED_OFFLINE, nothing_on
from domain.access import Scope
from domain.answers import Question
from domain.model_ports import Embedder
from domain.search import Passage
from domain.text.tokens import Analyzer

CONCLUSIVE_COVERAGE = 0.85
"""Share of the question's words that one passage holds from which a closer look changes nothing."""

CONCLUSIVE_RELEVANCE = 0.65

MISSING_PENALTY = 0.7
"""What it counts against an answer that what is quoted holds none of the question's weighty words; in proportion."""

MAX_BARE_WORDS = 2
"""Words of a part of a question up to which it is a mere name, to which no passage is near in meaning."""

TOGETHER_BONUS = 0.05
"""By how much the evidence is good enough for such parts where one passage holds all of them."""

SPOKEN_OF = 0.5
"""Share of the words of a part of a question, by weight, that quotations for its other parts hold, from which it is not
said to have no answer."""


class OfflineReasoner(Reasoner):
    """Deterministic: the same index and question give the same answer.

    retriever: gives weights and vectors of texts. embedder: compares sentences with the question. scope: who asks.
    """

    def __init__(
        self,
        retriever: Retriever,
        embedder: Embedder,
        scope: Scope,
        options: AgentOptions | None = None,
        note: str = QUOTED_OFFLINE,
    ) -> None:
        self._note = note
        self._retriever = retriever
        self._embedder = embedder
        self._scope = scope
        self._options = options or AgentOptions()
        self._measures: dict[str, Retrieved] = {}
        self._held = PassageTerms()
        self._expanded_from: set[str] = set()
        self._expanded = 0

    @property
    def name(self) -> str:
        """What names it in traces."""
        return "offline"

    async def analyze(
        self, question: Question, offered: Sequence[ToolSpec]
    ) -> tuple[Analysis, tuple[ToolRequest, ...]]:
        """By patterns alone; see agent.questions.patterns and agent.questions.decompose."""
        del offered
        return analysis_of(question, decomposition=self._options.features.decomposition), ()

    async def plan(self, need: PlanInput) -> tuple[ToolRequest, ...]:
        """First what fits the intent; then, from the names in the best evidence on; then other ways of searching."""
        if need.decision is None:
            return first_plan(need.analysis, need.offered)
        further = self._onward(need) if need.decision == "refine" else other_ways(need.analysis, need.offered)
        return (*searches_for(need.failed, need.offered), *further)

    def _onward(self, need: PlanInput) -> tuple[ToolRequest, ...]:
        if not self._options.features.expansion or self._expanded >= self._options.expansion_depth:
            return ()
        self._expanded += 1
        plain = [item for item in need.evidence if not item.passage.injection]  # injected text must not cause searches
        found = expansion_seeds(best_first(plain), self._expanded_from, self._options.expansion_threshold)
        self._expanded_from.update(item.key for item in found)
        analyzer = Analyzer()
        requests = [
            ToolRequest(
                "hybrid_search", {"query": expansion_query(need.analysis.standalone, item.passage, analyzer)}, number
            )
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
            covered = coverage(self._held.of(item.passage, measure), measure.term_idf)
            if covered >= CONCLUSIVE_COVERAGE and relevance_of(item.passage, covered, measure) >= CONCLUSIVE_RELEVANCE:
                return True
        return False

    async def grade(self, analysis: Analysis, ungraded: Sequence[Evidence], known: Sequence[Evidence]) -> Grades:
        """Relevance of each item to the sub-question, or to the words it was found with where that is higher: what
        a search from the first evidence on found need not share a word with the question."""
        grades: dict[tuple[int, str], float] = {}
        for item in ungraded:
            searched = [await self.measure(text) for text in item.queries]
            for number in item.found_for:
                text = analysis.sub_question(number).text
                wordings = filter(None, (text, self._retriever.rewritten(text)))
                asked = [await self._measure_without_names(words, [item]) for words in wordings]
                plain = max([self._grade(item.passage, each) for each in (*asked, *searched)])
                # relations and second hops need not hold the question's words
                least = item.score if item.stated_relations else DROP_BELOW if item.linked else 0.0
                grades[number, item.key] = max(plain, least)
        return Grades(grades, await self._missing(analysis, [*ungraded, *known]))

    def _grade(self, passage: Passage, measure: Retrieved) -> float:
        terms = self._held.of(passage, measure)
        return round(grade_of(relevance_of(passage, coverage(terms, measure.term_idf), measure)), 4)

    async def _missing(self, analysis: Analysis, evidence: Sequence[Evidence]) -> tuple[str, ...]:
        """The question's words that no evidence holds, weightiest first."""
        measure = await self._measure_without_names(analysis.standalone, evidence)
        analyzer = Analyzer(measure.stemming)
        held, weights = self._terms(evidence, measure), measure.term_idf
        words = {term: word for word in patterns.content_words(analysis.standalone) for term in analyzer.tokens(word)}
        missing = sorted((term for term in weights if term not in held), key=lambda term: -weights[term])
        return tuple(dict.fromkeys(words.get(term, term) for term in missing[:5]))

    async def synthesize(self, inputs: SynthesisInput) -> AsyncIterator[ReplyPiece]:
        """The excerpts, which parts of the question have none, and that no model wrote them; nothing where none is good
        enough."""
        said: dict[int, list[str]] = {}
        async for number, piece in self._quotations(inputs):
            if piece.text:
                said.setdefault(number, []).append(piece.text)
            yield piece
        if said:
            if left := await self._unanswered(inputs, said):
                yield ReplyPiece(note=nothing_on(left))
            yield ReplyPiece(note=self._note)

    async def excerpts(self, inputs: SynthesisInput, note: str = "") -> AsyncIterator[ReplyPiece]:
        """The best units of the evidence, for each part of the question; nothing where none is good enough."""
        said = False
        async for _, piece in self._quotations(inputs):
            said = True
            yield piece
        if said and note:
            yield ReplyPiece(note=note)

    async def _quotations(self, inputs: SynthesisInput) -> AsyncIterator[tuple[int, ReplyPiece]]:
        """Each unit once, with the number of the sub-question that it was quoted for; then how sure, and notes."""
        said: set[str] = set()
        best = 0.0
        notes: dict[str, None] = {}
        listed = listed_part(inputs.analysis.sub_questions) or 1
        for part in inputs.parts:
            items = [inputs.evidence[position - 1] for position in part.items]
            items = items if part.sub_question.number == listed else without_lists(items)
            told = False
            async for piece in self._part(inputs, part, items):
                best = max(best, piece.confidence or 0.0)
                if piece.note:
                    notes |= {piece.note: None} if told else {}
                elif piece.text not in said:
                    said.add(piece.text)
                    told = True
                    yield part.sub_question.number, piece
        if said:
            yield 0, ReplyPiece(confidence=best)
            for each in notes:
                yield 0, ReplyPiece(note=each)

    async def near(self, question: str, passages: Sequence[Passage]) -> list[tuple[int, str]]:
        """The best units, however little of the question they hold."""
        measure, wanted = without_light_words(await self.measure(question)), expected(question)
        scored, _ = await score_units(self._embedder, measure, passages, wanted, LONG_LOOK)
        near = [each.unit for each in nearest_units(scored)]
        return [(each.passage, with_heading(each, passages[each.passage], wanted, measure)) for each in near]

    async def _unanswered(self, inputs: SynthesisInput, said: Mapping[int, Sequence[str]]) -> list[str]:
        """The parts of a question, in the asker's words, for which nothing was quoted and of which the quotations for
        others do not speak. None of a follow-up: it takes an earlier question along."""
        if inputs.analysis.own:
            return []
        listed = listed_part(inputs.analysis.sub_questions)  # names of documents answer nothing else
        text = " ".join(" ".join(pieces) for number, pieces in said.items() if number != listed)
        left = [part.sub_question for part in inputs.parts if part.sub_question.number not in said]
        return [each.asked for each in left if each.asked and not await self._speaks_of(text, each)]

    async def _speaks_of(self, text: str, part: SubQuestion) -> bool:
        """Whether a text holds most words of a part but for light ones; of one that takes the first part along, also
        whether it holds a value of the kind that is asked for."""
        wanted = expected(part.asked)
        if part.text != part.asked and wanted.value is not None and wanted.holds_value(text):
            return True
        measure = without_light_words(await self.measure(part.asked))
        weights = {term: weight for term, weight in measure.term_idf.items() if weight > LEAST_WEIGHT}
        held = measure.widened(Analyzer(measure.stemming).tokens(text))
        return not weights or coverage(held, weights) >= SPOKEN_OF

    async def _part(
        self, inputs: SynthesisInput, part: AnswerPart, items: Sequence[Evidence]
    ) -> AsyncIterator[ReplyPiece]:
        text = part.sub_question.text
        own = part.sub_question.added if len(inputs.parts) > 1 else inputs.analysis.own
        pieces = stated(part, items, expected(text, own))
        for piece in (pieces := pieces or labelled(own or text, part, items, await self.measure(text))):
            yield piece
        if not pieces:
            async for piece in self._quoted(inputs, part, items, own):
                yield piece

    async def _quoted(
        self, inputs: SynthesisInput, part: AnswerPart, items: Sequence[Evidence], own: str
    ) -> AsyncIterator[ReplyPiece]:
        text = part.sub_question.text
        passages = [item.passage for item in items]
        measure, confidence, words = await self._judge_wordings(text, items)
        if len(patterns.content_words(text)) <= MAX_BARE_WORDS and self._together(inputs.parts, items, measure):
            confidence = max(confidence, self._options.min_relevance + TOGETHER_BONUS)
        whose = asks_whose_documents(text)  # no document is known to be theirs: what others own answers nothing
        if whose or not passages or asks_for_other(words, list(map(as_text, passages))):
            return
        wanted = with_small_names(expected_in(words, text, own), words, "\n".join(each.text for each in passages))
        characters = max(MAX_UNIT, CLOSE_LOOK // len(inputs.parts))
        scored, degraded = await score_units(self._embedder, measure, passages, wanted, characters)
        related = related_rows(words, passages, measure)
        story = tells_a_story(inputs.analysis.standalone)
        scored = [each for each in related.of(scored) if not answers_something_else(words, each.unit)]
        if not (scored := that_are_meant(scored, "" if story else words, passages, measure, wanted)):
            return
        named = that_can_answer(scored, passages, wanted)
        least = self._options.min_relevance if holds_every_identifier(named, passages, measure, wanted) else 0.0
        confidence, note = max(confidence, least), ""
        chosen = self._chosen(named, passages, measure, wanted, confidence, len(inputs.parts), story=story)
        if not chosen and named:
            likely = not story and self._is_likely(named, passages, measure, wanted, text)
            chosen = named[:1] if likely else of_a_sure_grader(named, items, inputs.sure)
            confidence, note = (self._options.min_relevance, IN_OTHER_WORDS) if chosen else (confidence, "")
        chosen = that_say_more(chosen, named, passages, own, inputs.question.history)
        meant = that_are_meant(related.scored(scored[0]), words, passages, measure, wanted)
        if best := await extreme_units(self._retriever, self._scope, words, scored, passages, measure):
            chosen, confidence, note = best, max(confidence, self._options.min_relevance), PICKED_FROM_TABLE
        elif best := meant[: self._options.answer_sentences]:
            chosen, confidence, note = best, max(confidence, self._options.min_relevance), ""
        counting = units_that_count(with_whole_lists(chosen, scored), scored, inputs, part, passages)
        counting = with_warnings(with_what_follows(counting, scored, passages, measure, wanted), passages, measure)
        units = [each.unit for each in counting]
        if not best:
            tables = [passages[each.passage] for each in units if each.form == "row"]
            beside = await self._retriever.beside(tables, self._scope)  # a table may go on there
            units = with_whole_tables(units, passages, measure, wanted, beside)
        for unit in units:
            shown = with_heading(unit, passages[unit.passage], wanted, measure)
            yield ReplyPiece(shown, unit.text, source=part.items[unit.passage], confidence=confidence)
        for each_note in filter(None, (note, degraded)):
            yield ReplyPiece(note=each_note)

    def _is_likely(
        self,
        named: Sequence[ScoredUnit],
        passages: Sequence[Passage],
        measure: Retrieved,
        wanted: Expected,
        question: str,
    ) -> bool:
        """Whether the best unit is likely the answer, though it lacks words of the question: never where it is the
        words that a follow-up adds, where one unit cannot answer, or where its passage is addressed to machines."""
        injected = bool(passages[named[0].unit.passage].injection)
        if injected or measure.vector is None or wanted.own or asks_for_several(wanted):
            return False
        chance = likelihood(features_of(named, passages, measure, wanted, question))
        return chance >= max(LIKELY, self._options.min_relevance)

    def _chosen(
        self,
        named: Sequence[ScoredUnit],
        passages: Sequence[Passage],
        measure: Retrieved,
        wanted: Expected,
        confidence: float,
        parts: int,
        *,
        story: bool,
    ) -> list[ScoredUnit]:
        """The units that are quoted for a part of a question, where the evidence is good enough: good ones that bear
        what it names."""
        if confidence < self._options.min_relevance:
            return []
        chosen = choose(named, self._options.answer_sentences if parts == 1 else 2)
        if measure.vector is not None and not story:  # else the confidence is the share of words itself
            spare = (confidence - self._options.min_relevance) / MISSING_PENALTY
            bear = Bearing(passages, measure, wanted).bearing([each.unit for each in chosen], spare)
            chosen = [each for each, bears in zip(chosen, bear, strict=True) if bears]
        return of_the_kind(chosen, passages, wanted)

    async def _judge_wordings(self, text: str, items: Sequence[Evidence]) -> tuple[Retrieved, float, str]:
        """The measure of a text or of other words for it, of that which the evidence answers better; how likely it
        does, and which words those are."""
        passages = [item.passage for item in items]
        as_retrieved = [item.passage for item in sorted(items, key=lambda item: -item.score)]
        found = []
        for words in filter(None, (text, self._retriever.rewritten(text))):
            measure = without_light_words(await self._measure_without_names(words, items))
            if tells_a_story(words):
                measure = replace(measure, term_idf=without_the_story(measure.term_idf, self._terms(items, measure)))
            found.append((measure, max(judge(measure, passages), judge(measure, as_retrieved)), words))
        return max(found, key=lambda each: each[1])

    def _together(self, parts: Sequence[AnswerPart], items: Sequence[Evidence], measure: Retrieved) -> bool:
        """Whether one passage holds every word of several parts of a question."""
        wanted = frozenset(Analyzer(measure.stemming).tokens(" ".join(each.sub_question.text for each in parts)))
        return len(parts) > 1 and any(wanted <= self._held.of(item.passage, measure) for item in items)

    async def check(self, analysis: Analysis, claims: Sequence[CitedClaim]) -> list[float | None]:
        """Nothing here can tell more than the comparison by rules did."""
        del analysis
        return [None] * len(claims)

    async def hypothesise(self, question: str) -> str:
        """None: nothing here writes."""
        del question
        return ""

    async def _measure_without_names(self, text: str, evidence: Sequence[Evidence]) -> Retrieved:
        """Weights and vector of a text, without what the documents of the evidence were asked for by, such as a URL:
        they need not hold its words. Those that they do hold count."""
        measure, rest = await self.measure(text), text
        for each in patterns.references(text):
            if any(each.text in item.names for item in evidence):
                rest = rest.replace(each.text, " ")
        if rest == text or not patterns.content_words(rest):
            return measure
        held = self._terms(evidence, measure)
        weights = {term: idf for term, idf in measure.term_idf.items() if term in held}
        plain = await self.measure(" ".join(rest.split()))
        return replace(plain, term_idf={**weights, **plain.term_idf})

    def _terms(self, evidence: Sequence[Evidence], measure: Retrieved) -> set[str]:
        return {term for item in evidence for term in self._held.of(item.passage, measure)}

    async def measure(self, text: str) -> Retrieved:
        """Weights and vector of a text; asked for once."""
        if text not in self._measures:
            self._measures[text] = await self._retriever.measure(text, self._scope)
        return self._measures[text]
