"""Runs planned calls: side by side, each within its budget and its deadline, none twice."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from agent.state import Evidence, ToolRequest
from agent.tools.base import Arguments, Tool, ToolContext, ToolResult, ToolSpec
from domain.answers import ToolCall
from domain.errors import KbError
from domain.masking import without_masks
from domain.tasks import within

CALLS = 12
"""Calls in one answer, over all tools."""


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """One call with what came of it."""

    request: ToolRequest
    call: ToolCall
    result: ToolResult
    failure: KbError | None = None
    """Why it gave nothing, where something broke."""


@dataclass(frozen=True, slots=True)
class _Accepted:
    request: ToolRequest
    tool: Tool[Any]
    args: Arguments


class Toolbox:
    """The tools of one answer. What was called, and how often, is remembered here.

    tools: all that are configured. calls: allowed in all.
    """

    def __init__(self, tools: Iterable[Tool[Any]], *, calls: int = CALLS) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}
        self._left = calls
        self._used: Counter[str] = Counter()
        self._done: set[str] = set()

    @property
    def offered(self) -> tuple[ToolSpec, ...]:
        """The tools that can still be called."""
        return tuple(
            tool.spec
            for tool in self._tools.values()
            if self._left > 0 and self._used[tool.spec.name] < tool.spec.budget
        )

    def has(self, name: str) -> bool:
        """Whether there is such a tool with calls left."""
        return any(spec.name == name for spec in self.offered)

    async def run(self, requests: Sequence[ToolRequest], context: ToolContext, iteration: int) -> list[ToolOutcome]:
        """Runs the requests that are new, valid and within budget; the others come back as calls with an error."""
        accepted: list[_Accepted] = []
        refused: list[ToolOutcome] = []
        for request in requests:
            outcome = self._accept(request)
            if isinstance(outcome, _Accepted):
                accepted.append(outcome)
            elif outcome:
                refused.append(ToolOutcome(request, _call(request, iteration, 0.0, 0, error=outcome), ToolResult()))
        ran = await asyncio.gather(*(_run(each, context, iteration) for each in accepted))
        return [*ran, *refused]

    def _accept(self, request: ToolRequest) -> _Accepted | str:
        """The call, ready to run; else why not, which is empty for one that was made before."""
        tool = self._tools.get(request.name)
        if tool is None:
            return "there is no such tool"
        try:
            args = tool.spec.arguments.model_validate(_searchable(request.args))
        except ValidationError as error:
            return "wrong arguments: " + "; ".join(_complaint(dict(each)) for each in error.errors()[:3])
        key = f"{request.name} {json.dumps(_folded(args.model_dump(mode='json')), sort_keys=True)}"
        if key in self._done:
            return ""
        if self._left <= 0 or self._used[request.name] >= tool.spec.budget:
            return "its budget for one answer is spent"
        self._done.add(key)
        self._used[request.name] += 1
        self._left -= 1
        return _Accepted(request, tool, args)


def _searchable(args: Mapping[str, object]) -> dict[str, object]:
    """Arguments without what stands in the place of masked words."""
    return {name: without_masks(value) if isinstance(value, str) else value for name, value in args.items()}


def _folded(args: dict[str, Any]) -> dict[str, Any]:
    """Arguments as they are compared: the case of words that are searched for means nothing, that of patterns and
    names does."""
    return {name: value.casefold() if name == "query" else value for name, value in args.items()}


async def _run(accepted: _Accepted, context: ToolContext, iteration: int) -> ToolOutcome:
    request, seconds, error = accepted.request, accepted.tool.spec.seconds, ""
    started = time.perf_counter()
    broken: KbError | None = None
    try:
        result = await within(seconds, accepted.tool.run(accepted.args, context))
    except TimeoutError:
        result, error = ToolResult(), f"no result within {seconds:g} s" if seconds else "no result in time"
    except KbError as failure:
        result, error, broken = ToolResult(), failure.what, failure
    ms = 1000 * (time.perf_counter() - started)
    args = accepted.args.model_dump(mode="json", exclude_defaults=True)
    shown = ToolRequest(request.name, args, request.sub_question)
    count = len(result.found) or len(result.parts)
    return ToolOutcome(shown, _call(shown, iteration, ms, count, error=error, note=result.note), result, broken)


def _call(
    request: ToolRequest, iteration: int, ms: float, results: int, *, error: str = "", note: str = ""
) -> ToolCall:
    return ToolCall(
        request.name, dict(request.args), round(ms, 1), results, iteration=iteration, error=error, note=note
    )


def _complaint(error: Mapping[str, Any]) -> str:
    return f"{'.'.join(str(part) for part in error['loc'])}: {error['msg']}"


def evidence_of(ran: Iterable[ToolOutcome], iteration: int) -> dict[str, Evidence]:
    """All that the calls found, each passage once."""
    found: dict[str, Evidence] = {}
    for each in ran:
        for item in each.result.found:
            evidence = Evidence(
                item.passage,
                {iteration: min(1.0, max(0.0, item.score))},
                (each.request.name,),
                frozenset({each.request.sub_question}),
                (each.result.query,) if each.result.query else (),
                states=item.states,
                linked=item.linked,
            )
            known = found.get(evidence.key)
            found[evidence.key] = known.joined(evidence) if known else evidence
    return found
