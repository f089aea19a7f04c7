"""Masked outcomes as text for a terminal, and as JSON. Pure: values in, text out."""

from collections.abc import Sequence
from dataclasses import asdict

from bot.markup.plain_text import one_line, plain
from bot.terminal.trace_text import trace_text
from domain.answers import Answer, Citation, Declined, Failed, NearestDocument, NotFound, Outcome
from domain.errors import laid_out
from domain.masked_answer import MaskedAnswer
from domain.translation import translated


def text_of(answer: MaskedAnswer, *, show_sources: bool = False, trace: bool = False) -> str:
    """An outcome as a person reads it."""
    outcome = answer.outcome
    match outcome:
        case Answer():
            parts = [plain(outcome.text)]
            parts += [_references(outcome.citations, quotes=show_sources)] if outcome.citations else []
            parts += [plain(outcome.notice)] if outcome.notice else []
            questions = [f"  - {one_line(question)}" for question in outcome.follow_ups]
            parts += ["\n".join([translated("You may go on with"), *questions])] if questions else []
        case NotFound():
            parts = [plain(_words(outcome))]
            parts += [_nearest(outcome.nearest)] if outcome.nearest else []
            parts += [plain(outcome.notice)] if outcome.notice else []
            parts += [
                plain(outcome.scope_reason.advice) or translated("Try other words, or index more: kb index PATH_OR_URL")
            ]
        case Declined() | Failed():
            parts = [plain(_words(outcome))]
    return "\n\n".join([*parts, *([trace_text(outcome.trace)] if trace else [])])


def rest_of(text: str, shown: str) -> str:
    """What is still to be printed of an outcome. shown: what was printed while it was written; where the outcome does
    not begin with it, because a source was closed meanwhile, all of the outcome."""
    if text.startswith(shown):
        return text[len(shown) :]
    return f"\n\n{translated('What stands above does not hold any more. The reply is:')}\n\n{text}"


def _references(citations: Sequence[Citation], *, quotes: bool = False) -> str:
    lines = [translated("References")]
    for citation in citations:
        lines.append(f"  [{citation.n}] {_reference(citation)}")
        lines.append(f"      {one_line(citation.url)}")
        if quotes:
            lines += [f"      | {line}" for line in plain(citation.quote).splitlines()]
    return "\n".join(lines)


def _nearest(documents: Sequence[NearestDocument]) -> str:
    lines = [translated("Closest documents (they may not answer it)")]
    for document in documents:
        owner = f", {one_line(document.owner)}" if document.owner else ""
        dated = f", {document.updated_at:%Y-%m-%d}" if document.updated_at else ""
        lines += [f"  - {one_line(document.title)} ({one_line(document.path)}{dated}{owner})"]
        lines += [f"    {one_line(document.url)}"]
        lines += [f"    “{one_line(quote.words)}”" for quote in document.quotes]
    return "\n".join(lines)


def _reference(citation: Citation) -> str:
    parts = [citation.title, citation.section, citation.place]
    head = " — ".join(one_line(part) for part in parts if part)
    dated = f", {citation.updated_at:%Y-%m-%d}" if citation.updated_at else ""
    return f"{head} ({one_line(citation.path)}{dated})"


def json_of(answer: MaskedAnswer) -> dict[str, object]:
    """An outcome as the documented JSON object, with moments as such."""
    outcome = answer.outcome
    status = {Answer: "answered", NotFound: "not_found", Declined: "declined", Failed: "failed"}[type(outcome)]
    trace = outcome.trace
    return {
        "status": status,
        "answer": _words(outcome),
        "citations": _citations(outcome.citations) if isinstance(outcome, Answer) else [],
        "confidence": outcome.confidence if isinstance(outcome, Answer) else 0.0,
        "notice": outcome.notice if isinstance(outcome, Answer | NotFound) else "",
        "because": _because(outcome),
        "mode": trace.mode,
        "iterations": trace.iterations,
        "tool_calls": [asdict(call) for call in trace.tool_calls],
        "reasoning_trace": list(trace.reasoning),
        "timings_ms": dict(trace.timings_ms),
        "model_calls": trace.model_calls,
        "stages": [asdict(each) for each in trace.stages],
        "evidence": [asdict(item) | {"tools": list(item.tools)} for item in trace.evidence],
        "follow_ups": list(outcome.follow_ups) if isinstance(outcome, Answer) else [],
        "nearest": list(map(asdict, outcome.nearest)) if isinstance(outcome, NotFound) else [],
    }


def _because(outcome: Outcome) -> list[str]:
    """Why there is no answer, as a code for programs: see docs/agent.md."""
    if not isinstance(outcome, NotFound | Declined):
        return []
    cause = [outcome.cause] if isinstance(outcome, Declined) and outcome.cause else []
    return [*cause, *outcome.scope_reason.codes]


def _words(outcome: Outcome) -> str:
    match outcome:
        case Answer():
            return outcome.text
        case NotFound():
            searched = translated("Not found. Searched {searched}.", searched=outcome.searched)
            return f"{searched} {outcome.scope_reason.limit}".strip()
        case Declined():
            return outcome.reason
        case Failed():
            return laid_out(outcome.message, outcome.why, outcome.next_step or outcome.advice)


def _citations(citations: Sequence[Citation]) -> list[dict[str, object]]:
    names = ("n", "title", "url", "source", "document_id", "section", "place", "path", "updated_at", "quote")
    return [{name: getattr(each, name) for name in names} for each in citations]
