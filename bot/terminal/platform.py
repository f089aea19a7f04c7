"""The terminal as a platform of conversations: one person, who alone reads the replies."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from uuid import uuid4

from bot.conversation.chat_platform import ChatPlatform, ReplyChannel
from bot.markup.plain_text import plain
from bot.terminal.output import say
from bot.terminal.render import rest_of, text_of
from domain.answers import Progress, Question, ReplyPart
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
from domain.translation import translated

Line = Callable[[str], None]
"""Shows one line that replaces the one before; an empty one takes it away."""


class TerminalReply(ReplyChannel):
    """What is printed on a terminal stays. show: see bot.terminal.render.text_of."""

    def __init__(self, show: Mapping[str, bool], line: Line) -> None:
        self._show = show
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
        self._end(rest_of(text_of(answer, **self._show), self._shown))
        return False

    async def refuse(self, excess: ExceededLimit) -> bool:
        """A limit of conversations, none of which holds here."""
        self._end(f"The question is beyond a limit: {excess}.")
        return False

    async def late(self) -> bool:
        """There was no answer in time."""
        self._end(translated("That took too long and was stopped. Ask again, or ask for less at once."))
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

    asked: a question as the command line has all of them asked. line: see Line. asker: the same one in every session.
    show: see TerminalReply.
    """

    def __init__(self, asked: Question, line: Line, asker: Participant, show: Mapping[str, bool] | None = None) -> None:
        self._question = asked
        self._line = line
        self._show = show or {}
        self._session = uuid4().hex
        self._asker = asker
        self._asked = 0

    def incoming(self, text: str) -> Incoming:
        """What was typed, as a question of this session."""
        self._asked += 1
        place = ConversationPlace("terminal", "", self._session, private=True)
        key = MessageKey("terminal", self._session, str(self._asked))
        return Incoming(key, place, self._asker, text, "asker")

    def reply(self, asked: AcceptedQuestion, patience: float) -> TerminalReply:  # noqa: ARG002 - all replies are alike here
        """The reply to a question."""
        return TerminalReply(self._show, self._line)

    async def identity(self, person: Participant) -> Identity:  # noqa: ARG002 - the command line says who it is
        """Nobody has to be asked; see `narrowed_question`."""
        return Identity(None, member=False)

    async def audience(self, asked: AcceptedQuestion, *, since: float | None = None) -> ReplyAudience:  # noqa: ARG002 - it does not change
        """The asker alone."""
        return ReplyAudience(asked.audience)

    def narrowed_question(self, asked: AcceptedQuestion, question: Question) -> Question:  # noqa: ARG002 - all questions are alike here
        """The question, asked as the command line says."""
        return replace(self._question, text=question.text, history=question.history, seconds=question.seconds)
