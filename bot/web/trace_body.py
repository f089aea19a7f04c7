"""How an answer came about, as somebody may see it who may not read all that it was made from."""

from collections.abc import Sequence

from bot.web.reading_models import EvidenceBody, SearchStep, StageBody, TraceBody
from domain.access import Scope
from domain.answer_ports import KeptAnswer
from domain.conversation import CitedPassage
from domain.search_ports import KnowledgeSearch


async def trace_body(
    kept: KeptAnswer, cited: Sequence[CitedPassage], search: KnowledgeSearch, scope: Scope
) -> TraceBody | None:
    """The trace of a record. A passage that `scope` may not read has no path; and where there is one, what was searched
    for is left out, too, since words of it may stand there. None where the trace is forgotten.

    Raises Transient while the database is away.
    """
    trace = kept.record.trace
    if not trace.stages and not trace.evidence and not trace.tool_calls:
        return None
    documents = {each.chunk_id: each.document_id for each in trace.evidence}
    paths = {each.chunk_id: each.path for each in trace.evidence}
    readable = await search.readable(documents, scope, paths=paths) if documents else {}
    withheld = any(each.chunk_id not in readable for each in trace.evidence)
    used = {each.chunk_id for each in cited}
    return TraceBody.of(
        trace,
        searches=tuple(
            SearchStep.of(
                each,
                tool=each.name,
                ms=round(each.ms, 1),
                args=None if withheld else dict(each.args),
                note="" if withheld else each.note,
                error="" if withheld else each.error,
            )
            for each in trace.tool_calls
        ),
        evidence=tuple(
            EvidenceBody.of(
                each,
                path=each.path if each.chunk_id in readable else None,
                score=round(each.score, 4),
                grade=None if each.grade is None else round(each.grade, 4),
                cited=each.chunk_id in used,
            )
            for each in trace.evidence
        ),
        stages=tuple(StageBody.of(each, ms=round(each.ms, 1)) for each in trace.stages),
        reasoning=() if withheld else trace.reasoning,
        withheld=withheld,
    )
