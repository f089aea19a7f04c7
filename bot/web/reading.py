"""What is read over HTTP: passages, documents, and the caller's own questions. All of it within what the caller may
read at this moment."""

import asyncio
from dataclasses import dataclass

from bot.conversation.recorded_outcome import LOOK_SECONDS, LOOKS
from bot.web.asking import WebAsking, conversation_of
from bot.web.callers import Caller
from bot.web.dependencies import WebDependencies
from bot.web.models import Body, DocumentQuery, NoQuery, RelatedQuery, SearchQuery
from bot.web.operations import ApiCall
from bot.web.problems import ProblemError, not_found
from bot.web.readable import readable_now
from bot.web.reading_models import (
    DocumentBody,
    History,
    HitBody,
    Mark,
    Part,
    PassageBody,
    PastQuestion,
    QuestionBody,
    RelatedBody,
    RelatedDocuments,
    SearchResults,
)
from bot.web.trace_body import trace_body
from domain.access import Scope
from domain.conversation import AcceptedQuestion
from domain.graph_search import GraphRequest
from domain.masking import without_masks
from domain.search import Filters, Passage
from domain.text.encodable import encodable
from domain.translation import translated

NO_WORDS = "The query has no letter and no digit."
ONLY_SECRETS = "Nothing is left of the query without what is secret in it."

STARTS = 20
"""Parts of a document from which its surroundings are looked for."""


@dataclass(frozen=True)
class WebReading:
    """Reads for callers."""

    given: WebDependencies
    asking: WebAsking

    async def found(self, caller: Caller, wanted: SearchQuery) -> SearchResults:
        """The passages that fit best."""
        query = encodable(wanted.q)
        words = without_masks(self.given.conversations.masker.secrets(query).text)
        if not any(map(str.isalnum, words)):
            return SearchResults(results=(), notice=translated(NO_WORDS if words == query else ONLY_SECRETS))
        scope = await self.given.actions.scope(caller.person)
        filters = Filters(sources=(wanted.source,) if wanted.source else ())
        found = await self.given.search(words, scope, filters, wanted.method, wanted.limit, wanted.rerank)
        hits = (self._hit(passage, score) for score, passage in found.passages)
        return SearchResults(results=tuple(hits), notice=found.notice)

    def _hit(self, passage: Passage, score: float) -> HitBody:
        return HitBody.of(
            self.given.actions.shown(passage),
            document_id=passage.document_id,
            chunk_id=passage.chunk_id,
            path=passage.path,
            source=passage.source,
            score=round(score, 6),
        )

    async def parts(self, caller: Caller, document_id: str, wanted: DocumentQuery) -> DocumentBody:
        """A document, part after part. Raises ProblemError where it is not there, or closed to the caller."""
        scope, first, limit = await self.given.actions.scope(caller.person), wanted.first, wanted.limit
        found = await self._chunks(document_id, scope, first, limit + 1)
        return DocumentBody.of(
            self.given.actions.shown(found[0]),
            document_id=found[0].document_id,
            path=found[0].path,
            source=found[0].source,
            parts=tuple(map(self._part, found[:limit])),
            next=found[limit].ordinal if len(found) > limit else None,
        )

    async def _chunks(self, document_id: str, scope: Scope, first: int, limit: int) -> list[Passage]:
        found = await self.given.catalog.chunks(document_id, scope, first=first, limit=limit)
        if not found or await self.given.actions.rights(scope).closed(found, found[:1]):
            raise not_found()
        return found

    async def around(self, caller: Caller, document_id: str, wanted: RelatedQuery) -> RelatedDocuments:
        """Documents to which the knowledge graph leads from one. Raises ProblemError where that one is not there, or
        closed to the caller."""
        scope = await self.given.actions.scope(caller.person)
        begun = await self._chunks(document_id, scope, 0, STARTS)
        hits = {each.chunk_id: 1.0 for each in begun}
        walk = GraphRequest("", hits, limit=wanted.limit + 1)  # one of them may be the document itself
        reached = await self.given.graph.related_chunks(walk, scope)
        there = {each.chunk_id: each for each in reached if each.document_id != begun[0].document_id}
        passages = await self.given.actions.search.passages(list(there)[: wanted.limit], scope)
        return RelatedDocuments(
            document_id=begun[0].document_id,
            related=tuple(
                RelatedBody(**dict(self._hit(each, there[each.chunk_id].score)), way=there[each.chunk_id].how)
                for each in passages
            ),
        )

    def _part(self, passage: Passage) -> Part:
        return Part.of(self.given.actions.shown(passage), chunk_id=passage.chunk_id, ordinal=passage.ordinal)

    async def cited(self, caller: Caller, number: int, n: int) -> PassageBody:
        """The passage behind a reference of a reply to a question of the caller's. Raises ProblemError where it is
        gone, or closed to the caller."""
        asked = await self.asking.own(caller, number)
        shown = await self.given.actions.passage(asked.number, n, caller.person)
        if shown is None:
            raise not_found()
        state = await self.given.live.load(number)
        sources = state.outcome.sources if state and state.outcome else ()
        quote = next((each.quote for each in sources if each.n == n), "")
        return PassageBody.of(shown, marks=tuple(marks(shown.text, quote)))

    async def past(self, caller: Caller, limit: int) -> History:
        """The caller's last questions."""
        recent = await self.given.conversations.memory.recent(caller.person, limit=limit)
        return History(questions=tuple(map(PastQuestion.of, recent)))

    async def question(self, call: ApiCall[NoQuery, NoQuery]) -> Body:
        """A question of the caller's; for an administrator also another's, without what was replied."""
        number = int(call.path("number"))
        try:
            return await self.own_question(call.caller, await self.asking.own(call.caller, number))
        except ProblemError:
            if "operate" not in call.caller.scopes or not await self.given.actions.administers(call.caller.person):
                raise
        return await self._others_question(call.caller, number)

    async def own_question(self, caller: Caller, asked: AcceptedQuestion) -> QuestionBody:
        """A question of the caller's, as it is now: what was taken from a source that is closed by now is left out."""
        asked = await self._wait_until_settled(asked)
        scope = await self.given.actions.scope(caller.person)
        state = await self.given.live.load(asked.number)
        outcome, corrected = (state.outcome, state.corrected) if state else (None, False)
        if outcome is not None:
            now = await readable_now(self.given.actions.search, outcome, scope)
            outcome, corrected = now, corrected or now != outcome
        kept = await self.given.records.get(asked.number)
        return QuestionBody(
            number=asked.number,
            question=self.given.actions.masked(asked.text),
            conversation=conversation_of(asked),
            asked_at=asked.received_at,
            state=asked.state,
            outcome=outcome,
            corrected=corrected,
            trace=await trace_body(kept, asked.cited, self.given.actions.search, scope) if kept else None,
        )

    async def _wait_until_settled(self, asked: AcceptedQuestion) -> AcceptedQuestion:
        """The question once its outcome is recorded, where one is shown: that takes a moment."""
        for _ in range(LOOKS):
            state = await self.given.live.load(asked.number) if asked.state in {"running", "posting"} else None
            if state is None or state.outcome is None:
                break
            await asyncio.sleep(LOOK_SECONDS)
            asked = await self.given.conversations.ledger.find(asked.number) or asked
        return asked

    async def _others_question(self, caller: Caller, number: int) -> QuestionBody:
        known = await self.given.conversations.ledger.find(number)
        known = known and await self._wait_until_settled(known)
        kept = await self.given.records.get(number)
        if kept is None or known is None:
            raise not_found()
        scope = await self.given.actions.scope(caller.person)
        return QuestionBody(
            number=number,
            question=kept.record.question,
            conversation="",
            asked_at=kept.asked_at,
            state=known.state,
            outcome=None,
            corrected=False,
            trace=await trace_body(kept, known.cited, self.given.actions.search, scope),
        )


def marks(text: str, quote: str) -> list[Mark]:
    """Where the parts of a quotation stand in a text, whatever blanks divide their words; overlapping ones are one."""
    flat, origin = _flat(text)
    found: list[Mark] = []
    for part in quote.split(" … "):
        words, _ = _flat(part)
        at = flat.find(words.strip()) if words.strip() else -1
        if at >= 0:
            found.append(Mark(start=origin[at], end=origin[at + len(words.strip()) - 1] + 1))
    merged: list[Mark] = []
    for each in sorted(found, key=lambda mark: mark.start):
        if merged and each.start <= merged[-1].end:
            merged[-1] = Mark(start=merged[-1].start, end=max(each.end, merged[-1].end))
        else:
            merged.append(each)
    return merged


def _flat(text: str) -> tuple[str, list[int]]:
    """A text with one blank wherever it has some, and where each of its characters stood."""
    kept: list[tuple[str, int]] = []
    for place, letter in enumerate(text):
        if not letter.isspace():
            kept.append((letter, place))
        elif kept and kept[-1][0] != " ":
            kept.append((" ", place))
    return "".join(letter for letter, _ in kept), [place for _, place in kept]
