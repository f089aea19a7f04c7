"""The reply to a question of a command, which only the asker sees. Slack keeps no such message: it cannot be changed,
and not be looked for."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from bot.conversation import texts
from bot.conversation.chat_platform import OutcomeUnknown, ReplyChannel
from bot.conversation.render_context import RenderContext
from bot.slack import status_messages
from bot.slack.block_kit import SlackMessage
from bot.slack.client import SlackClient
from bot.slack.render import messages
from domain.conversation import AcceptedQuestion, ExceededLimit
from domain.errors import KbError
from domain.masked_answer import MaskedAnswer

log = logging.getLogger(__name__)


class EphemeralReply(ReplyChannel):
    """The command's acknowledgement is its status message. A response URL works five times: too few for progress. What
    a command has shown cannot be deleted."""

    def __init__(self, client: SlackClient, asked: AcceptedQuestion, clock: Callable[[], datetime]) -> None:
        self._client = client
        self._asked = asked
        self._clock = clock

    async def finish(self, answer: MaskedAnswer) -> bool:
        """Shows the outcome."""
        share = not self._asked.place.channel.startswith("D")
        frame = RenderContext(self._asked.number, self._clock(), private=True, share=share)
        return await self._show(messages(answer, frame))

    async def refuse(self, excess: ExceededLimit) -> bool:
        """Says that the question is beyond a limit."""
        return await self._show([status_messages.busy(texts.excess(excess))])

    async def late(self) -> bool:
        """Says that there was no answer in time."""
        return await self._show([status_messages.timed_out(self._asked.number)])

    async def _show(self, messages: Sequence[SlackMessage]) -> bool:
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
                twice |= isinstance(error, OutcomeUnknown)
                twice |= await self._post(message)
        return twice

    async def _post(self, message: SlackMessage) -> bool:
        """Posts a message; returns whether it may be seen twice. Where Slack leaves open whether it did it, it is asked
        once more."""
        for again in (False, True):
            try:
                await self._client.call(
                    "chat.postEphemeral",
                    blindly=False,
                    channel=self._asked.place.channel,
                    user=self._asked.asker.id,
                    text=message.text,
                    blocks=list(message.blocks) or None,
                    parse="none",
                    link_names=False,
                )
            except OutcomeUnknown as error:
                level = logging.WARNING if again else logging.INFO
                log.log(level, "A reply for the asker alone may not be visible: %s (%s)", error.what, error.why)
            else:
                return again
        return True
