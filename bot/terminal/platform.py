"""The terminal as a platform of conversations: one person, who alone reads the replies."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from uuid import uuid4

from bot.conversation.chat_platform import ChatPlatform, ReplyChannel
from bot.markup.plain_text import plain
from bot.terminal.output import say
from bot.terminal.render import text_of
from domain.access import Scope
from domain.answers import Overrides, Progress, Question, ReplyPart
from domain.conversation import (
    AcceptedQuestion,
    ConversationPlace,
    ExceededLimit,
    Identity,
    Incoming,
    MessageKey,
    Participant,
    ReplyAudience,
)
from domain.masked_answer import MaskedAnswer
from domain.scope_reason import UNRESTRICTED, ScopeReason
from domain.search import Filters

Line = Callable[[str], None]
"""Shows one line that replaces the one before; an empty one takes it away."""


@dataclass(frozen=True, slots=True)
class TerminalOptions:
    """What the command line says for all questions. scope, scope_reason: who asks. show_sources, trace: see
    bot.terminal.render."""

    scope: Scope
    filters: Filters
    overrides: Overrides
    show_sources: bool = False
    trace: bool = False
    scope_reason: ScopeReason = UNRESTRICTED


class TerminalReply(ReplyChannel):
    """What is printed on a terminal stays."""

    def __init__(self, options: TerminalOptions, line: Line) -> None:
        self._options = options
        self._line = line
        self._shown = ""
        self._ended = False

    async def progress(self, progress: Progress) -> None:
        """One line, until the reply begins."""
        if not self._shown:
            self._line(progress.text)

    async def write(self, written: ReplyPart) -> None:
        """A further part of the reply."""
        self._line("")
        part = plain(written.text)
        say(part, nl=False)
        self._shown += part

    async def finish(self, answer: MaskedAnswer) -> bool:
        """What was not written yet of the outcome."""
        options = self._options
        text = text_of(answer, show_sources=options.show_sources, trace=options.trace)
        self._end(text.removeprefix(self._shown))
        return False

    async def refuse(self, excess: ExceededLimit) -> bool:
        """A limit of conversations, none of which holds here."""
        self._end(f"The question is beyond a limit: {excess}.")
        return False

    async def late(self) -> bool:
        """There was no answer in time."""
        self._end("That took too long and was stopped. Ask again, or ask for less at once.")
        return False

    async def withdraw(self, kept: Mapping[str, str] | None = None) -> None:  # noqa: ARG002 - nothing is taken back
        """What stands on a terminal stays."""
        self._line("")

    def _end(self, text: str) -> None:
        self._line("")
        if not self._ended:
            say(f"{text}\n")
        self._ended = True


class TerminalPlatform(ChatPlatform):
    """The terminal.

    options: for all questions. line: see Line.
    """

    def __init__(self, options: TerminalOptions, line: Line) -> None:
        self._options = options
        self._line = line
        self._session = uuid4().hex
        self._asked = 0

    def incoming(self, text: str) -> Incoming:
        """What was typed, as a question of this session."""
        self._asked += 1
        place = ConversationPlace("terminal", "", self._session, private=True)
        key = MessageKey("terminal", self._session, str(self._asked))
        return Incoming(key, place, Participant("terminal", self._session), text, "asker")

    def reply(self, asked: AcceptedQuestion, patience: float) -> TerminalReply:  # noqa: ARG002 - all replies are alike here
        """The reply to a question."""
        return TerminalReply(self._options, self._line)

    async def identity(self, person: Participant) -> Identity:  # noqa: ARG002 - the command line says who it is
        """Nobody has to be asked; see `question`."""
        return Identity(None, member=False)

    async def audience(self, asked: AcceptedQuestion) -> ReplyAudience:
        """The asker alone."""
        return ReplyAudience(asked.audience)

    def narrowed_question(self, asked: AcceptedQuestion, question: Question) -> Question:  # noqa: ARG002 - all questions are alike here
        """The question, asked as the command line says."""
        options = self._options
        return replace(
            question,
            scope=options.scope,
            filters=options.filters,
            overrides=options.overrides,
            scope_reason=options.scope_reason,
        )
