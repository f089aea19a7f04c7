"""The reply to a question of a command, which only the asker sees. Slack keeps no such message: it cannot be changed,
and not be looked for."""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from bot.slack import render
from bot.slack.client import SlackClient, Unclear
from bot.slack.render import Frame, Message
from bot.slack.reply import EXCESS
from domain.answers import Progress, Written
from domain.conversation import Asked, Excess
from domain.errors import KbError
from domain.masking.shown import MaskedAnswer

log = logging.getLogger(__name__)


class AskerReply:
    """See bot.conversation.platform.Reply. The acknowledgement of the command shows the first sign."""

    def __init__(self, client: SlackClient, asked: Asked, clock: Callable[[], datetime]) -> None:
        self._client = client
        self._asked = asked
        self._clock = clock

    async def open(self) -> Mapping[str, str]:
        """Nothing is to be shown."""
        return {}

    async def resume(self) -> Mapping[str, str]:
        """Nothing is to be shown."""
        return {}

    async def progress(self, progress: Progress) -> None:
        """A response URL works five times: too few for progress."""

    async def write(self, written: Written) -> None:
        """The same."""

    async def finish(self, answer: MaskedAnswer) -> bool:
        """Shows the outcome."""
        frame = Frame(self._asked.number, self._clock(), private=True, share=not self._in_private)
        return await self._show(render.messages(answer, frame))

    async def refuse(self, excess: Excess) -> None:
        """Says that the question is beyond a limit."""
        await self._show([render.busy(EXCESS[excess])])

    async def late(self) -> None:
        """Says that there was no answer in time."""
        await self._show([render.timed_out(self._asked.number)])

    async def withdraw(self) -> None:
        """A command cannot be deleted."""

    @property
    def _in_private(self) -> bool:
        return self._asked.place.channel.startswith("D")

    async def _show(self, messages: Sequence[Message]) -> bool:
        """Through the response URL while that works; else as new messages. Returns whether they may be seen twice."""
        twice = self._asked.attempt > 1
        for message in messages:
            body = {
                "response_type": "ephemeral",
                "replace_original": False,  # Slack ignores it for commands; the message with a button pressed stays
                "text": message.text,
                "blocks": list(message.blocks),
            }
            try:
                await self._client.respond(self._asked.handle.get("response_url", ""), body)
            except KbError as error:
                log.info("A response URL did not work: %s", error.why)
                twice |= isinstance(error, Unclear)
                await self._client.call(
                    "chat.postEphemeral",
                    channel=self._asked.place.channel,
                    user=self._asked.asker.id,
                    text=message.text,
                    blocks=list(message.blocks) or None,
                    parse="none",
                    link_names=False,
                )
        return twice
