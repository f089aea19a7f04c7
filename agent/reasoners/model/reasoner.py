"""The reasoner with a language model. Whatever the model cannot do, the offline reasoner does, and the answer says
so."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TypeVar

from agent.checking.markers import cited_numbers, plain_markers, without_loose_backticks, without_markers
from agent.prompts import analyze, check, grade, hypothesis, plan, synthesize
from agent.prompts.text import is_listed
from agent.providers.json_replies import object_of
from agent.providers.model_errors import CutOff, Late, TimeSpent
from agent.questions.analysis import analysis_of
from agent.questions.listings import listing_of
from agent.reasoner import Grades, PlanInput, Reasoner, SynthesisInput
from agent.reasoners.offline.likely_answer import GRADED
from agent.reasoners.offline.planning import first_plan
from agent.reasoners.offline.reasoner import OfflineReasoner
from agent.replies.held_reply import HeldReply
from agent.replies.units import units
from agent.retrieval.relevance import coverage
from agent.state import DROP_BELOW, LIST_ENTRIES, Analysis, CitedClaim, Evidence, ReplyPiece, ToolRequest
from agent.tools.base import ToolSpec
from agent.wording import MODEL_AWAY, MODEL_BESIDE, MODEL_BROKE_OFF, MODEL_DENIES, MODEL_LATE, MODEL_UNCITED
from domain.answers import Question
from domain.chat import ChatRequest, Message
from domain.errors import KbError
from domain.model_ports import ChatModel
from domain.search import Passage
from domain.text.tokens import Analyzer
from domain.translation import translated

T = TypeVar("T")

_WORDS = Analyzer()

MAX_REPLY_CHARACTERS = 30_000
"""Characters of a reply that are read: more than an answer may have, with what is left out of it."""

SURE_CONFIDENCE = 0.65
"""Confidence of the offline reasoner from which its excerpts stand where the model finds nothing. Of 150 questions
about the example company, 110 of them with an answer, it has 0.6 and more for 51 right answers, for 4 wrong ones, and
for 1 answer where there is none."""

MAX_KEPT_PASSAGES = 5
"""Passages that are kept by the grades of the offline reasoner where the model finds all of no use."""

OFF_TOPIC_SHARE = 0.1
"""Share of the weight of the question's words under which a reply speaks of something else."""

MIN_SHARED_LETTERS = 5
"""Letters that words of one family share."""

DEFAULT_CONFIDENCE = 0.7
"""Of a model's answer whose evidence was not graded."""


class ModelReasoner(Reasoner):
    """Asks a model, with the offline reasoner behind it.

    chat: the model, with its wrappers. offline: for what the model does not do. temperature, model: of the reply.
    helper: name of the model that does all but the reply. remark: takes lines for the trace. forget: drops a kept reply
    that is of no use. languages: that the documents are written in, where these are not all in that of the question:
    that first, then the most frequent.
    """

    def __init__(
        self,
        chat: ChatModel,
        offline: OfflineReasoner,
        remark: Callable[[str], None],
        *,
        forget: Callable[[ChatRequest], Awaitable[None]] | None = None,
        temperature: float | None = 0.0,
        model: str = "",
        helper: str = "",
        decomposition: bool = True,
        clean: Callable[[str], str] = str,
        languages: Sequence[str] = (),
    ) -> None:
        self._chat = chat
        self._offline = offline
        self._remark = remark
        self._forgets = forget
        self._temperature = temperature
        self._model = model
        self._helper = helper or chat.name
        self._decomposition = decomposition
        self._clean = clean
        self._languages = languages

    @property
    def name(self) -> str:
        """The model's."""
        return self._model or self._chat.name

    async def analyze(
        self, question: Question, offered: Sequence[ToolSpec]
    ) -> tuple[Analysis, tuple[ToolRequest, ...]]:
        """By patterns alone where they say all that is needed: small talk, and questions about an id."""
        basis = analysis_of(question, decomposition=self._decomposition)
        leans_on_others = basis.standalone != question.text
        if basis.talk != "question" or (basis.by == "patterns" and not leans_on_others):
            return basis, ()
        request = analyze.request(question, offered, decomposition=self._decomposition, languages=self._languages)
        said = "\n".join(
            [question.text, question.typed, *(f"{turn.question}\n{turn.reply}" for turn in question.history)]
        )
        found = await self._complete_parsed(request, partial(self._read_analysis, question, basis, said))
        analysis, planned = found or (basis, ())
        return analysis, self._with_own_words(planned, basis, offered) if planned else ()

    def _read_analysis(
        self, question: Question, basis: Analysis, said: str, reply: Mapping[str, object]
    ) -> tuple[Analysis, tuple[ToolRequest, ...]]:
        unclear = bool(question.history or question.typed)
        return analyze.reply(reply, basis, self._helper, said, may_rewrite=unclear, decomposition=self._decomposition)

    async def plan(self, need: PlanInput) -> tuple[ToolRequest, ...]:
        """The first search by rules, further ones by the model; rules where it names none although little was found."""
        if need.decision is None:
            basis = analysis_of(need.question, decomposition=self._decomposition)
            return self._with_own_words(await self._offline.plan(need), basis, need.offered)
        parts = len(need.analysis.sub_questions)
        found = await self._complete_parsed(plan.request(need, self._languages), lambda reply: plan.reply(reply, parts))
        if found == () and need.decision == "refine":
            return ()  # nothing is left to search
        return found or await self._offline.plan(need)

    def _with_own_words(
        self, planned: tuple[ToolRequest, ...], basis: Analysis, offered: Sequence[ToolSpec]
    ) -> tuple[ToolRequest, ...]:
        """The calls of a first search, that for the asker's own words where these do not search for all of them, and
        what the words ask to be listed: whatever a model makes of a question, what is found without one is found."""
        listed = [each for each in first_plan(basis, offered) if each.name == LIST_ENTRIES]
        own = ToolRequest("hybrid_search", {"query": basis.standalone}, 0)
        searched = " ".join(str(each.args.get("query", "")) for each in planned if each.name == own.name)
        lost = frozenset(_WORDS.tokens(basis.standalone)).difference(_WORDS.tokens(searched))
        missing = [own] if lost and own.name in {spec.name for spec in offered} else []
        asked = {each.name for each in planned}
        return (*planned, *missing, *(each for each in listed if each.name not in asked))

    async def conclusive(self, analysis: Analysis, evidence: Sequence[Evidence]) -> bool:
        """As the offline reasoner says."""
        return await self._offline.conclusive(analysis, evidence)

    async def grade(self, analysis: Analysis, ungraded: Sequence[Evidence], known: Sequence[Evidence]) -> Grades:
        """In batches, side by side; what no model is to read is graded offline, and what it says nothing of."""
        shown = [item for item in ungraded if not item.passage.injection]
        batches = [shown[start : start + grade.BATCH] for start in range(0, len(shown), grade.BATCH)]
        parts = len(analysis.sub_questions)
        replies = await asyncio.gather(
            *(
                self._complete_parsed(
                    # the best passages are in the first batch: the other batches are shown them
                    grade.request(analysis, batch, known if batch is batches[0] else [*known, *shown[: grade.KNOWN]]),
                    partial(grade.reply, batch=batch, parts=parts),
                )
                for batch in batches
            )
        )
        judged = [reply for reply in replies if reply]
        graded = {key for each in judged for _, key in each.grades}
        left = [item for item in ungraded if item.key not in graded]
        rest = await self._offline.grade(analysis, left, known) if left else Grades({})
        grades = {**rest.grades, **{pair: score for each in judged for pair, score in each.grades.items()}}
        grades |= _as_one_list(shown, grades)
        read = {item.key for item in shown}
        if judged and max((score for (_, key), score in grades.items() if key in read), default=0.0) < DROP_BELOW:
            grades |= await self._keep_best_offline(analysis, shown, known)
        # no batch sees the others: the one that is surest has the most of the answer, and knows best what it lacks
        surest = max(judged, key=lambda each: -1.0 if each.confidence is None else each.confidence, default=rest)
        return Grades(grades, surest.missing, surest.tasks, surest.confidence)

    async def _keep_best_offline(
        self, analysis: Analysis, refused: Sequence[Evidence], known: Sequence[Evidence]
    ) -> dict[tuple[int, str], float]:
        """Of passages that are all of no use to the model, the best by words and vectors, with the lowest grade that
        counts: a model that cannot grade must not throw away what answers without it."""
        offline = (await self._offline.grade(analysis, refused, known)).grades
        best = sorted((pair for pair, grade in offline.items() if grade >= DROP_BELOW), key=lambda pair: -offline[pair])
        return dict.fromkeys(best[:MAX_KEPT_PASSAGES], DROP_BELOW)

    async def synthesize(self, inputs: SynthesisInput) -> AsyncIterator[ReplyPiece]:
        """The model's reply as it comes; excerpts where it fails, behind what it had said when it broke off, and in
        place of a reply that cites nothing, has no word beside its citations, or was cut, and of which nothing can be
        shown; and behind one that has next to no word of the question, unless the evidence surely answers that. What
        holds text to machines is quoted where the model finds nothing in the rest."""
        kept_away = _kept_away(inputs)
        if kept_away and len(kept_away) == len(inputs.evidence):
            async for excerpt in self._offline.excerpts(inputs):
                yield excerpt
            return
        request = synthesize.request(inputs, temperature=self._temperature, model=self._model)
        said, cut = "", False
        try:
            async for piece in self._pieces(request):
                said += piece.text
                cut = cut or piece.cut
                yield piece
            yield ReplyPiece(confidence=_confidence(inputs))
            plain = plain_markers(without_loose_backticks(said))
            cites = cited_numbers(plain) and any(map(str.isalnum, without_markers(plain)))
            if said and (cut or not cites):
                await self._forget(request)
                async for excerpt in self._offline.excerpts(inputs):
                    yield replace(excerpt, spare=True)
                yield ReplyPiece(note=MODEL_BROKE_OFF if cites else MODEL_UNCITED, spare=True)
            elif said and (inputs.sure or 0.0) < GRADED and await self._is_off_topic(said, inputs):
                async for excerpt in self._offline.excerpts(inputs, MODEL_BESIDE):
                    yield replace(excerpt, confidence=None)
            if not said:
                async for excerpt in self._excerpts_instead(inputs, kept_away):
                    yield excerpt
        except KbError as error:
            self._remark(f"{self.name} failed to write: {error.what}")
            yield ReplyPiece(broken=True)
            async for excerpt in self._offline.excerpts(inputs):
                yield excerpt
            away = translated(MODEL_LATE, why=error.why) if isinstance(error, Late | TimeSpent) else MODEL_AWAY
            yield ReplyPiece(note=MODEL_BROKE_OFF if said else away)

    async def _is_off_topic(self, said: str, inputs: SynthesisInput) -> bool:
        """Whether the sentences of a reply that cite something, and the titles of what they cite, have next to nothing
        of the weight of the question's words. The company's name, which every page has, weighs next to nothing."""
        citing = [unit for unit in units(said) if cited_numbers(unit)]
        cited = set(cited_numbers(said))
        passages = [item.passage for place, item in enumerate(inputs.evidence, start=1) if place in cited]
        titles = [" ".join([each.title, *each.heading_path]) for each in passages]
        measure = await self._offline.measure(inputs.analysis.standalone)
        words = Analyzer(measure.stemming).tokens(without_markers("\n".join([*citing, *titles])))
        held = {term for term in measure.term_idf if any(_akin(term, word) for word in words)}
        return bool(citing and measure.term_idf) and coverage(frozenset(held), measure.term_idf) < OFF_TOPIC_SHARE

    async def _excerpts_instead(self, inputs: SynthesisInput, kept_away: frozenset[int]) -> AsyncIterator[ReplyPiece]:
        """What stands in the place of a reply that finds nothing: excerpts where the offline reasoner is sure that the
        evidence answers, and of what the model was not to read. A list that the model looked up is no answer to a
        question that asks for none."""
        if listing_of(inputs.analysis.standalone) is None:
            unlisted = (
                replace(item, stated_relations=()) if LIST_ENTRIES in item.tools else item for item in inputs.evidence
            )
            inputs = replace(inputs, evidence=tuple(unlisted))
        found = [piece async for piece in self._offline.excerpts(inputs, MODEL_DENIES)]
        if max((piece.confidence or 0.0 for piece in found), default=0.0) < SURE_CONFIDENCE:
            found = [piece async for piece in self._offline.excerpts(_only(inputs, kept_away))] if kept_away else []
        for piece in found:
            yield piece

    async def _pieces(self, request: ChatRequest) -> AsyncIterator[ReplyPiece]:
        """The model's words as pieces of a reply, and whether the server cut it."""
        begun = False
        try:
            async for text in self._stream_reply(request):
                begun = True
                yield ReplyPiece(text)
        except CutOff:
            if begun:
                yield ReplyPiece(cut=True)

    async def _stream_reply(self, request: ChatRequest) -> AsyncIterator[str]:
        """The model's words as they come, at most MAX_REPLY_CHARACTERS; nothing when it says that it finds nothing.
        Such a reply, too, is read to its end, because only whole replies are cached."""
        held, room = HeldReply(), MAX_REPLY_CHARACTERS
        try:
            async with aclosing(self._chat.stream(request)) as pieces:
                async for piece in pieces:
                    if text := held.push(piece):
                        yield text
                    room -= len(piece)
                    if room <= 0:
                        break
        except KbError:
            if text := held.end(broken=True):
                yield text
            raise
        if text := held.end(broken=room <= 0):
            yield text

    def excerpts(self, inputs: SynthesisInput, note: str = "") -> AsyncIterator[ReplyPiece]:
        """The offline reasoner's."""
        return self._offline.excerpts(inputs, note)

    async def near(self, question: str, passages: Sequence[Passage]) -> list[tuple[int, str]]:
        """As the offline reasoner says."""
        return await self._offline.near(question, passages)

    async def check(self, analysis: Analysis, claims: Sequence[CitedClaim]) -> list[float | None]:
        """All of them in one request, but for what cites text to machines; None for what the model does not score, and
        for all where it cannot tell."""
        asked = [
            position
            for position, claim in enumerate(claims)
            if not any(passage.injection for passage in claim.passages)
        ]
        request = check.request(analysis, [claims[position] for position in asked])
        found = await self._complete_parsed(request, lambda reply: check.reply(reply, len(asked))) if asked else None
        if found == {}:
            self._remark(f"check: {self._helper} misjudged sentences of which it is known what holds; done without it")
        scores = {position: (found or {}).get(place) for place, position in enumerate(asked)}
        return [scores.get(position) for position in range(len(claims))]

    async def hypothesise(self, question: str) -> str:
        """The model's passage; none when it fails."""
        try:
            request = hypothesis.request(question, next(iter(self._languages), ""))
            return (await self._chat.complete(request)).strip()[:2_000]
        except KbError as error:
            self._remark(f"{self._helper} wrote no hypothetical answer: {error.what}")
            return ""

    async def _forget(self, request: ChatRequest) -> None:
        if self._forgets:
            await self._forgets(request)

    async def _complete_parsed(self, request: ChatRequest, parse: Callable[[Mapping[str, object]], T]) -> T | None:
        """The reply as a value. A reply that is none is asked for once more, saying what was wrong; None when that
        fails too, or the model cannot be reached."""
        purpose = request.purpose.partition("/")[0]
        try:
            text = await self._chat.complete(request)
            found, wrong = _parsed(text, parse, self._clean)
            if wrong:
                self._remark(f"{purpose}: the reply was unusable ({wrong}); asked once more")
                again = _again(request, text, wrong)
                await self._forget(request)
                text = await self._chat.complete(again)
                found, wrong = _parsed(text, parse, self._clean)
                if wrong:
                    await self._forget(again)
                    self._remark(f"{purpose}: unusable again ({wrong}); done without the model")
            return found
        except KbError as error:
            self._remark(f"{purpose}: {error.what}; done without the model")
            return None


def _as_one_list(evidence: Sequence[Evidence], grades: Mapping[tuple[int, str], float]) -> dict[tuple[int, str], float]:
    """The grades of what was looked up for a count or a list: of all its passages that of the best. A line is no less a
    part of the list because its passage says little else."""
    listed = {item.key for item in evidence if is_listed(item)}
    best: dict[int, float] = {}
    for (part, key), grade_of_it in grades.items():
        if key in listed:
            best[part] = max(best.get(part, 0.0), grade_of_it)
    return {(part, key): grade_of_list for part, grade_of_list in best.items() for key in listed}


def _akin(one: str, other: str) -> bool:
    """Whether two tokens are one, or long ones that begin alike or of which one holds the other, as in German the word
    `Übernachtungspreis` holds `Preis`, and begins as `übernachten` does."""
    if min(len(one), len(other)) < MIN_SHARED_LETTERS:
        return one == other
    return one[:MIN_SHARED_LETTERS] == other[:MIN_SHARED_LETTERS] or one in other or other in one


def _kept_away(inputs: SynthesisInput) -> frozenset[int]:
    """Positions of the evidence that no model is to read."""
    return frozenset(place for place, item in enumerate(inputs.evidence, start=1) if item.passage.injection)


def _only(inputs: SynthesisInput, positions: frozenset[int]) -> SynthesisInput:
    """The input with no other evidence for its parts; the numbers stay."""
    parts = (replace(part, items=tuple(k for k in part.items if k in positions)) for part in inputs.parts)
    return replace(inputs, parts=tuple(parts))


def _parsed(text: str, parse: Callable[[Mapping[str, object]], T], clean: Callable[[str], str]) -> tuple[T | None, str]:
    # masked before anything is cut from it: a part of a secret is not recognised as one
    found = object_of(text, clean)
    if found is None:
        return None, "it holds no JSON object"
    try:
        return parse(found), ""
    except ValueError as error:
        return None, str(error)


def _again(request: ChatRequest, text: str, wrong: str) -> ChatRequest:
    messages = (
        *request.messages,
        Message("assistant", text[:2_000] or "(empty)"),
        Message("user", f"That is not the JSON object asked for: {wrong}. Reply with that object alone."),
    )
    return replace(request, messages=messages)


def _confidence(inputs: SynthesisInput) -> float:
    """The mean of the best three grades, or what the critic says of all where that is less."""
    grades = sorted((item.grade for item in inputs.evidence if item.grades), reverse=True)[:3]
    mean = sum(grades) / len(grades) if grades else DEFAULT_CONFIDENCE
    return mean if inputs.sure is None else min(mean, inputs.sure)
