"""Outcomes as text for a terminal, and as JSON. Pure: values in, text out."""

from collections.abc import Sequence
from datetime import datetime

from bot.terminal.plain import counted, one_line, plain
from domain.answers import Answer, Citation, Declined, Failed, NotFound, Outcome, Trace


def text_of(outcome: Outcome, *, show_sources: bool = False, trace: bool = False) -> str:
    """An outcome as a person reads it."""
    match outcome:
        case Answer():
            parts = [plain(outcome.text), references(outcome.citations, quotes=show_sources)]
            parts += [plain(outcome.notice)] if outcome.notice else []
        case NotFound():
            parts = [plain(_words(outcome)), "Try other words, or index more: kb index PATH_OR_URL"]
        case Declined() | Failed():
            parts = [plain(_words(outcome))]
    return "\n\n".join([*parts, *([trace_of(outcome.trace)] if trace else [])])


def references(citations: Sequence[Citation], *, quotes: bool = False) -> str:
    """The numbered list of references."""
    lines = ["References"]
    for citation in citations:
        lines.append(f"  [{citation.n}] {reference(citation)}")
        lines.append(f"      {one_line(citation.url)}")
        if quotes:
            lines += [f"      | {line}" for line in plain(citation.quote).splitlines()]
    return "\n".join(lines)


def reference(citation: Citation) -> str:
    """One reference: title, section, place, path, date."""
    parts = [citation.title, citation.section, citation.place]
    head = " — ".join(one_line(part) for part in parts if part)
    dated = f", {citation.updated_at:%Y-%m-%d}" if citation.updated_at else ""
    return f"{head} ({one_line(citation.path)}{dated})"


def trace_of(trace: Trace) -> str:
    """How the outcome came about."""
    lines = ["Trace", *(f"  {one_line(line)}" for line in trace.reasoning)]
    lines += [
        f"  {call.name} {one_line(str(dict(call.args)))}: {counted(call.results, 'result')}, {call.ms:g} ms"
        for call in trace.tool_calls
    ]
    lines += [f"  {name}: {ms:g} ms" for name, ms in trace.timings_ms.items()]
    return "\n".join([*lines, f"  iterations: {trace.iterations}, model calls: {trace.model_calls}"])


def json_of(outcome: Outcome) -> dict[str, object]:
    """An outcome as the documented JSON object."""
    status = {Answer: "answered", NotFound: "not_found", Declined: "declined", Failed: "failed"}[type(outcome)]
    trace = outcome.trace
    return {
        "status": status,
        "answer": _words(outcome),
        "citations": [citation_json(each) for each in outcome.citations] if isinstance(outcome, Answer) else [],
        "confidence": outcome.confidence if isinstance(outcome, Answer) else 0.0,
        "notice": outcome.notice if isinstance(outcome, Answer) else "",
        "iterations": trace.iterations,
        "tool_calls": [
            {"name": call.name, "args": dict(call.args), "ms": call.ms, "results": call.results}
            for call in trace.tool_calls
        ],
        "reasoning_trace": list(trace.reasoning),
        "timings_ms": dict(trace.timings_ms),
        "model_calls": trace.model_calls,
        "follow_ups": [],
    }


def _words(outcome: Outcome) -> str:
    match outcome:
        case Answer():
            return outcome.text
        case NotFound():
            return f"Not found. Searched {outcome.searched}."
        case Declined():
            return outcome.reason
        case Failed():
            return outcome.message


def citation_json(citation: Citation) -> dict[str, object]:
    """A citation as the documented JSON object."""
    return {
        "n": citation.n,
        "title": citation.title,
        "url": citation.url,
        "source": citation.source,
        "document_id": citation.document_id,
        "section": citation.section,
        "place": citation.place,
        "path": citation.path,
        "updated_at": iso(citation.updated_at),
        "quote": citation.quote,
    }


def iso(moment: datetime | None) -> str | None:
    """A moment as ISO 8601, or null."""
    return moment.isoformat() if moment else None
