"""Administration of the index from a conversation: how fresh it is, and a request to read a source again."""

from bot.conversation.desk import EVERYTHING, IndexFacts, SourceRow, check_source, readable_sources
from domain.access import ORG, Scope, user
from domain.errors import Refused
from domain.masking import Masker
from domain.ports import IndexControl, KnowledgeSearch


class ChatControl(IndexControl):
    """See domain.ports.IndexControl. It starts nothing: whoever confirms goes by the chat's command, the button that
    the chat shows below the reply, or the command line, and these ask again who they are.

    admins: addresses, in lower case. command: the slash command, as it is called here.
    """

    def __init__(
        self, facts: IndexFacts, search: KnowledgeSearch, masker: Masker, admins: frozenset[str], command: str
    ) -> None:
        self._facts = facts
        self._search = search
        self._masker = masker
        self._admins = frozenset(user(each) for each in admins)
        self._command = command

    def may(self, scope: Scope) -> bool:
        """See domain.ports.IndexControl. What others read along does not matter: it is about who asks."""
        return ORG in scope.asker and bool(self._admins & scope.asker)

    async def status(self, scope: Scope) -> str:
        """See domain.ports.IndexControl. Of what everybody may read who reads the reply."""
        rows = await readable_sources(self._facts, self._search, self._masker, scope)
        return "The index: " + "; ".join(map(_told, rows)) + "." if rows else "Nothing is indexed that you may read."

    async def propose(self, command: str, source: str, scope: Scope) -> str:
        """See domain.ports.IndexControl."""
        if command != "reindex" or not self.may(scope):
            raise Refused("Only administrators of the index may do that", next_step="Ask one of them.")
        wanted = source.strip() or EVERYTHING
        await check_source(self._facts, self._masker, wanted)
        every = wanted == EVERYTHING
        what = "all sources" if every else f"the source {self._masker.mask(wanted).text}"
        chat = self._command if every else f"{self._command} {wanted}"
        terminal = "kb reindex" if every else f"kb reindex --source {wanted}"
        return f"Nothing was started. To have {what} read again, confirm it: {chat} here, or {terminal} in a terminal."


def _told(row: SourceRow) -> str:
    count = f"{row.documents:,} document{'' if row.documents == 1 else 's'}"
    return f"{row.name}, {count}, " + (f"last read {row.updated_at:%Y-%m-%d %H:%M} UTC" if row.updated_at else "unread")
