"""What the HTTP API works with; the composition root fills it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.conversation.actions import ConversationActions
from bot.conversation.service import ConversationService
from bot.web.callers import Callers
from bot.web.live_replies import LiveReplies
from bot.web.operator_port import OperatorPort
from domain.access import Scope
from domain.answer_ports import AnswerRecords
from domain.search import Filters, Method, Passage
from domain.search_ports import DocumentCatalog, GraphSearch


@dataclass(frozen=True, slots=True)
class SearchFound:
    """What a search found, best first, each with its score. notice: which ranking could not be made."""

    passages: Sequence[tuple[float, Passage]]
    notice: str


Search = Callable[[str, Scope, Filters, Method, int, bool | None], Awaitable[SearchFound]]
"""Searches words within a scope and filters, by a method, for so many passages; their candidates are ranked a second
time, or not, or as is set (None). Raises Misconfigured where nothing is indexed yet, Transient while the database is
away."""


@dataclass(frozen=True, slots=True)
class WebDependencies:
    """What operations work with."""

    conversations: ConversationService
    actions: ConversationActions
    live: LiveReplies
    callers: Callers
    records: AnswerRecords
    catalog: DocumentCatalog
    search: Search
    graph: GraphSearch
    operator: OperatorPort
