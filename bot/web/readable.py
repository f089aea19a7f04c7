"""What of an outcome that is kept may still be shown to a caller: what cites a document that was closed to them since
then is left out."""

from bot.conversation.corrections import closed_chunks, closed_citations, without
from bot.conversation.texts import CORRECTED, WHOLLY_GONE
from bot.web.models import OutcomeBody
from bot.web.outcome_body import near_citations, posted_reply, with_posted, without_near
from domain.access import Scope
from domain.search_ports import KnowledgeSearch
from domain.translation import translated


async def readable_now(search: KnowledgeSearch, outcome: OutcomeBody, scope: Scope) -> OutcomeBody:
    """The outcome without what cites a document that `scope` may not read any more."""
    if not (outcome.sources or outcome.nearest):
        return outcome
    named = [cited for each in outcome.nearest for cited in near_citations(each)]
    if closed := await closed_chunks(search, named, scope):
        outcome = without_near(outcome, closed)
    posted = posted_reply(outcome)
    gone = await closed_citations(search, posted.citations, scope)
    if not gone:
        return outcome
    left = without(posted, gone)
    if left.text:
        return with_posted(outcome, left, translated(CORRECTED))
    removed = {"text": translated(WHOLLY_GONE), "sources": (), "notice": "", "follow_ups": ()}
    return outcome.model_copy(update=removed)
