"""Asking for administration of the index from a conversation: nothing is done without a person's confirmation."""

from typing import Literal

from agent.tools.base import Arguments, Tool, ToolContext, ToolResult, ToolSpec
from domain.errors import Refused
from domain.tool_ports import IndexControl

INDEX_COMMAND = "index_command"


class IndexArguments(Arguments):
    """command: status, or reindex, which an administrator has to confirm. source: one source; empty for all."""

    command: Literal["status", "reindex"]
    source: str = ""


class IndexCommand(Tool[IndexArguments]):
    """For administrators: how fresh the index is, or a request to read a source again."""

    spec = ToolSpec(
        INDEX_COMMAND, "an administrator asks how fresh the index is, or wants a source read again", IndexArguments, 1
    )

    def __init__(self, control: IndexControl) -> None:
        self._control = control

    async def run(self, args: IndexArguments, context: ToolContext) -> ToolResult:
        """What is the case, or what is asked of the administrator now."""
        if not self._control.is_administrator(context.scope):
            raise Refused("Only administrators of the index may do that", next_step="Ask one of them.")
        if args.command == "status":
            return ToolResult(note=await self._control.status(context.scope))
        return ToolResult(note=await self._control.propose(args.command, args.source, context.scope))
