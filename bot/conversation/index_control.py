"""Administration of the index from a conversation: how fresh it is, and a request to read a source again."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.conversation.actions import ALL_SOURCES, AllSources, SourceSummary, check_source, readable_sources
from domain.access import ORG, Scope, user
from domain.errors import Refused
from domain.masking import Masker
from domain.search_ports import KnowledgeSearch
from domain.tool_ports import IndexControl


@dataclass(eq=False)
class ChatIndexControl(IndexControl):
    """See domain.tool_ports.IndexControl. It starts nothing: whoever confirms goes by the chat's command, the button
    that the chat shows below the reply, or the command line, and these ask again who they are.

    admins: addresses, in lower case. commands: what is typed, by the chat's name. A reply does not know which chat it
    is read in: where there are several, it names each.
    """

    all_sources: AllSources
    search: KnowledgeSearch
    masker: Masker
    admins: frozenset[str]
    commands: Mapping[str, str]

    def is_administrator(self, scope: Scope) -> bool:
        """See domain.tool_ports.IndexControl. What others read along does not matter: it is about who asks."""
        return ORG in scope.asker and bool({user(each) for each in self.admins} & scope.asker)

    async def status(self, scope: Scope) -> str:
        """See domain.tool_ports.IndexControl. Of what everybody may read who reads the reply."""
        rows = await readable_sources(self.all_sources, self.search, self.masker, scope)
        return (
            "The index: " + "; ".join(map(_described, rows)) + "." if rows else "Nothing is indexed that you may read."
        )

    async def propose(self, command: str, source: str, scope: Scope) -> str:
        """See domain.tool_ports.IndexControl."""
        if command != "reindex" or not self.is_administrator(scope):
            raise Refused("Only administrators of the index may do that", next_step="Ask one of them.")
        wanted = source.strip() or ALL_SOURCES
        await check_source(self.all_sources, self.masker, wanted)
        every = wanted == ALL_SOURCES
        what = "all sources" if every else f"the source {self.masker.mask(wanted).text}"
        several, rest = len(self.commands) > 1, "" if every else f" {wanted}"
        typed = [f"{word}{rest} {f'in {chat}' if several else 'here'}" for chat, word in self.commands.items()]
        terminal = "kb reindex" if every else f"kb reindex --source {wanted}"
        ways = f"{', '.join(typed)}, or {terminal} in a terminal."
        return f"Nothing was started. To have {what} read again, confirm it: {ways}"


def _described(row: SourceSummary) -> str:
    count = f"{row.documents:,} document{'' if row.documents == 1 else 's'}"
    return f"{row.name}, {count}, " + (f"last read {row.updated_at:%Y-%m-%d %H:%M} UTC" if row.updated_at else "unread")
