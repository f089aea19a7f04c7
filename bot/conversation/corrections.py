"""Corrections: what a posted answer says goes when who reads it may not read its source any more."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from time import monotonic
from typing import Literal

from agent.checking.markers import cited_numbers, with_markers, without_markers
from agent.replies.units import units
from agent.retrieval.selection import live_document_id
from bot.conversation.changed_sources import compare_with_current_text
from bot.conversation.chat_platform import ChatPlatform, ReplyChannel
from bot.conversation.texts import CORRECTED, SOURCE_CHANGED, WHOLLY_GONE, source_contradicts
from domain.access import Scope
from domain.answers import Answer, Citation, NearestDocument, NearQuote, NotFound
from domain.conversation import Platform, PostedReply, scope_of
from domain.errors import KbError, Refused
from domain.ledger import Corrections, ReplyToCheck
from domain.masked_answer import masked_answer
from domain.masking import Masker
from domain.search_ports import DocumentCatalog, KnowledgeSearch
from domain.text.languages import language_of
from domain.translation import set_language, translated

log = logging.getLogger(__name__)

CorrectionMode = Literal["off", "rights", "all"]
"""off: nothing. rights: what may not be read any more, or is gone. all: also what its source says no more."""

UNKNOWN = frozenset({"lookup_failed", "lookup_unfinished", "missing_scope", "unknown_channel"})
"""Reasons for taking a place for public that say nothing of who reads there."""

LEASE = timedelta(minutes=5)
"""For so long a correction is somebody's; after a crash, another takes it up then."""

SECONDS = 30.0
"""For which a request to a platform is tried again."""


@dataclass(frozen=True)
class ReplyCorrector:
    """Corrects posted answers. window: how old they may be. domains: see domain.conversation.scope_of."""

    corrections: Corrections
    search: KnowledgeSearch
    catalog: DocumentCatalog
    masker: Masker
    platforms: Mapping[Platform, ChatPlatform]
    mode: CorrectionMode
    window: timedelta
    domains: tuple[str, ...] = ()

    async def run(self) -> int:
        """Corrects what is due; returns how many messages were changed. Raises Transient while the database is away."""
        await self.corrections.note_changes()  # in each mode: what changed meanwhile counts when it is switched on
        if self.mode == "off":
            return 0
        changed = 0
        since = monotonic()
        while found := await self.corrections.due(list(self.platforms), window=self.window, lease=LEASE):
            for due in found:
                if monotonic() - since > LEASE.total_seconds() / 2:
                    break  # what is left is soon somebody else's: two would change one message
                changed += await self._correct_or_log(due, since)
            since = monotonic()
        return changed

    async def _correct_or_log(self, due: ReplyToCheck, since: float) -> bool:
        """Whether the message was changed. What does not work now is taken up again after LEASE. since: what the
        platform said of its readers before this moment does not count."""
        number = due.asked.number
        try:
            return await self._correct(due, since)
        except Refused as error:  # the place is gone, and so is the message
            log.warning("The answer to question %s cannot be changed: %s", number, error.what)
            await self.corrections.give_up(due, PostedReply("", (), 0.0))
        except KbError as error:
            log.warning("A correction of question %s waits: %s", number, error.what)
        except Exception:
            log.exception("A correction of question %s failed", number)
        return False

    async def _correct(self, due: ReplyToCheck, since: float) -> bool:
        asked, posted = due.asked, due.posted
        platform = self.platforms[asked.place.platform]
        reply = platform.reply(asked, SECONDS)  # some platforms say who somebody is only where they were met
        identity = await platform.identity(asked.asker)
        readers = await platform.audience(asked, since=since)
        if readers.reason in UNKNOWN:
            log.info("A correction of question %s waits: nobody says who reads it", asked.number)
            return False
        scope = scope_of(identity, readers.audience, self.domains)
        if not any(each.n for each in posted.citations):
            return await self._correct_not_found(due, scope, reply)
        gone = await closed_citations(self.search, posted.citations, scope)
        compared = self.mode == "all" and not gone and due.rewritten
        changed = await self._outdated_citations(posted, scope) if compared else {}
        if not gone and not changed:
            await self.corrections.settle(due, posted)
            return False
        now = without(posted, gone)
        set_language(language_of(posted.text))
        notice = translated(CORRECTED) if gone else _change_notice(changed)
        answer = Answer(now.text or translated(WHOLLY_GONE), now.citations, now.confidence, notice if now.text else "")
        return await self._edit_reply(due, reply, answer, replace(now, text=answer.text))

    async def _edit_reply(
        self, due: ReplyToCheck, reply: ReplyChannel, outcome: Answer | NotFound, left: PostedReply
    ) -> bool:
        """Shows the correction, and notes what stands there from now on; False where the platform cannot change it."""
        number, kind = due.asked.number, "answer" if isinstance(outcome, Answer) else "reply"
        try:
            done = await reply.correct(masked_answer(outcome, self.masker))
        except Refused as error:
            log.info("The platform does not change it: %s", error.what)
            done = False
        if done:
            log.info("The %s to question %s was corrected where it is known to stand", kind, number)
            await self.corrections.settle(due, left)
            return True
        log.warning("The %s to question %s cannot be changed where it was shown", kind, number)
        kept = {each.chunk_id for each in left.citations}
        as_shown = tuple(each for each in due.posted.citations if each.chunk_id in kept)
        await self.corrections.give_up(due, replace(left, citations=as_shown))
        return False

    async def _correct_not_found(self, due: ReplyToCheck, scope: Scope, reply: ReplyChannel) -> bool:
        """The same for a reply that found nothing: what it names and quotes of closed documents goes."""
        posted = due.posted
        closed = await closed_chunks(self.search, posted.citations, scope)
        left = replace(posted, citations=tuple(each for each in posted.citations if each.chunk_id not in closed))
        if not closed:
            await self.corrections.settle(due, posted)
            return False
        set_language(language_of(posted.text))
        searched = posted.text or "…"  # it is forgotten
        outcome = NotFound(searched, nearest=near_documents(left.citations), notice=translated(CORRECTED))
        return await self._edit_reply(due, reply, outcome, left)

    async def _outdated_citations(self, posted: PostedReply, scope: Scope) -> dict[int, bool]:
        """Numbers of the citations whose words stand in their documents no more, where the answer no longer agrees with
        these, and whether it is contradicted there."""
        found: dict[int, bool] = {}
        for each in posted.citations:
            if not _read_live(each):
                chunks = await self.catalog.chunks(each.document_id, scope, limit=10_000)
                texts = [self.masker.mask(chunk.text).text for chunk in chunks]
                text = _in_one_line("\n".join(texts))
                if not all(_in_one_line(part) in text for part in each.quote.split(" … ")):
                    sentences = [unit for unit in units(posted.text) if each.n in cited_numbers(unit)]
                    verdicts = {
                        compare_with_current_text(without_markers(unit).strip(), each, texts) for unit in sentences
                    }
                    if verdicts - {"agrees"}:
                        found[each.n] = "disagrees" in verdicts
        return found


def without(posted: PostedReply, gone: Collection[int]) -> PostedReply:
    """A posted answer without what rests on some of its sources, the others numbered anew. What names no source may say
    what a closed one says, and goes as well."""
    if not gone:
        return posted
    kept = [each for each in posted.citations if each.n not in gone]
    sentences = [
        (unit, cited) for unit in units(posted.text) if (cited := set(cited_numbers(unit))) and not cited & set(gone)
    ]
    used = [each for each in kept if any(each.n in cited for _, cited in sentences)]
    numbers = {each.n: place for place, each in enumerate(used, start=1)}
    text = "".join(unit for unit, _ in sentences).strip()
    shown = with_markers(text, lambda number: f"[{numbers[number]}]")
    return replace(posted, text=shown, citations=tuple(replace(each, n=numbers[each.n]) for each in used))


def near_documents(citations: Sequence[Citation]) -> tuple[NearestDocument, ...]:
    """The near documents of which these are the references (NearestDocument.cited), without their owners."""
    quotes: dict[str, list[NearQuote]] = {}
    for each in citations:
        quotes.setdefault(each.document_id, []).extend([NearQuote(each.quote, each.chunk_id)] if each.quote else [])
    named = {each.document_id: each for each in citations if not each.quote}
    return tuple(
        NearestDocument(
            each.title,
            each.url,
            each.path,
            "",
            each.updated_at,
            document,
            chunk_id=each.chunk_id,
            quotes=tuple(quotes[document]),
        )
        for document, each in named.items()
    )


async def closed_chunks(search: KnowledgeSearch, citations: Collection[Citation], scope: Scope) -> frozenset[str]:
    """Passages that are referred to and may not be read; what was read live the index does not know. Raises Transient
    while the database is away."""
    kept = {each.chunk_id: each.document_id for each in citations if not _read_live(each)}
    return frozenset(kept) - frozenset(await search.readable(kept, scope) if kept else ())


async def closed_citations(search: KnowledgeSearch, citations: Collection[Citation], scope: Scope) -> frozenset[int]:
    """Numbers of the citations whose passages are closed; see closed_chunks."""
    closed = await closed_chunks(search, citations, scope)
    return frozenset(each.n for each in citations if each.chunk_id in closed)


def _read_live(citation: Citation) -> bool:
    return citation.document_id == live_document_id(citation.url)


def _change_notice(changed: Mapping[int, bool]) -> str:
    against = [n for n, contradicted in changed.items() if contradicted]
    return source_contradicts(against) if against else translated(SOURCE_CHANGED)


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
