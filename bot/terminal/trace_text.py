"""How an outcome came about, as text for a terminal. Pure: whoever prints it masks it."""

from bot.markup.plain_text import counted, one_line
from domain.answers import ToolCall, Trace


def trace_text(trace: Trace) -> str:
    """How the outcome came about: decisions, calls, evidence, times."""
    lines = ["Trace", *(f"  {one_line(line)}" for line in trace.reasoning)]
    lines += [f"  {_call(call)}" for call in trace.tool_calls]
    for place, item in enumerate(trace.evidence, start=1):
        grade = "not graded" if item.grade is None else f"grade {item.grade:.2f}"
        lines.append(
            f"  evidence {place}: {one_line(item.path)}, score {item.score:.2f}, {grade}, {', '.join(item.tools)}"
        )
    times = ", ".join(f"{name} {ms:g}" for name, ms in trace.timings_ms.items())
    lines.append(f"  ms: {times}")
    mode = f"{trace.mode} mode, " if trace.mode else ""
    return "\n".join([*lines, f"  {mode}iterations: {trace.iterations}, model calls: {trace.model_calls}"])


def _call(call: ToolCall) -> str:
    outcome = call.error or counted(call.results, "result")
    note = f" ({one_line(call.note)})" if call.note else ""
    return f"{call.iteration}. {call.name} {one_line(str(dict(call.args)))}: {one_line(outcome)}{note}, {call.ms:g} ms"
