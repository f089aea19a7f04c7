"""Runs planned calls: side by side, each within its budget and its deadline, none twice."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from agent.state import Evidence, ToolRequest
from agent.tools.base import Arguments, Tool, ToolContext, ToolResult, ToolSpec
from domain.answers import ToolCall
from domain.cancellation import cancel_and_wait, run_with_timeout
from domain.errors import KbError
from domain.masking import without_masks

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

    async def run(self, requests: Sequence[ToolRequest], context: ToolContext, iteration: int) -> list[ToolOutcome]:
        """Runs the requests that are new, valid and within budget; the others come back as calls with an error.
        Where a tool raises what none should, the others end too."""
        accepted: list[_Accepted] = []
        refused: list[ToolOutcome] = []
        for request in requests:
            outcome = self._accept(request)
            if isinstance(outcome, _Accepted):
                accepted.append(outcome)
            elif outcome:
                refused.append(
                    ToolOutcome(
                        request, ToolCall(request.name, dict(request.args), 0.0, 0, iteration, outcome), ToolResult()
                    )
                )
        tasks = [asyncio.create_task(_run(each, context, iteration)) for each in accepted]
        try:
            return [*await asyncio.gather(*tasks), *refused]
        finally:
            await cancel_and_wait(*tasks)

    def _accept(self, request: ToolRequest) -> _Accepted | str:
        """The call, ready to run; else why not, which is empty for one that was made before."""
        tool = self._tools.get(request.name)
        if tool is None:
            return "there is no such tool"
        given = {name: without_masks(each) if isinstance(each, str) else each for name, each in request.args.items()}
        try:
            args = tool.spec.arguments.model_validate(given)
        except ValidationError as error:
            wrong = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:3]]
            return "wrong arguments: " + "; ".join(wrong)
        # the case of words that are searched for means nothing, that of patterns and names does
        compared = {
            name: each.casefold() if name == "query" else each for name, each in args.model_dump(mode="json").items()
        }
        key = f"{request.name} {json.dumps(compared, sort_keys=True)}"
        if key in self._done:
            return ""
        if self._left <= 0 or self._used[request.name] >= tool.spec.budget:
            return "its budget for one answer is spent"
        self._done.add(key)
        self._used[request.name] += 1
        self._left -= 1
        return _Accepted(request, tool, args)


async def _run(accepted: _Accepted, context: ToolContext, iteration: int) -> ToolOutcome:
    request, seconds, error = accepted.request, accepted.tool.spec.seconds, ""
    started = time.perf_counter()
    broken: KbError | None = None
    try:
        result = await run_with_timeout(seconds, accepted.tool.run(accepted.args, context))
    except TimeoutError:
        result, error = ToolResult(), f"no result within {seconds:g} s" if seconds else "no result in time"
    except KbError as failure:
        result, error, broken = ToolResult(), failure.what, failure
    ms = 1000 * (time.perf_counter() - started)
    args = accepted.args.model_dump(mode="json", exclude_defaults=True)
    shown = ToolRequest(request.name, args, request.sub_question)
    count = len(result.found) or len(result.parts)
    call = ToolCall(shown.name, args, round(ms, 1), count, iteration, error, result.note)
    return ToolOutcome(shown, call, result, broken)


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
                stated_relations=item.stated_relations,
                linked=item.linked,
                names=frozenset(filter(None, [each.result.name])),
            )
            known = found.get(evidence.key)
            found[evidence.key] = known.joined(evidence) if known else evidence
    return found
