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
from bot.slack.client import TOO_MUCH, SlackClient, SlackRefused
from bot.slack.render import messages, plain_messages
from domain.conversation import AcceptedQuestion, ExceededLimit
from domain.errors import Transient
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
        return await self._show(messages(answer, frame), plain_messages(answer, frame))

    async def refuse(self, excess: ExceededLimit) -> bool:
        """Says that the question is beyond a limit."""
        return await self._show([status_messages.busy(texts.excess(excess))])

    async def late(self) -> bool:
        """Says that there was no answer in time."""
        return await self._show([status_messages.timed_out(self._asked.number)])

    async def _show(self, messages: Sequence[SlackMessage], plain: Sequence[SlackMessage] = ()) -> bool:
        """Shows messages; returns whether they may be seen twice. plain: the same without blocks, where that is more
        than their texts."""
        twice = self._asked.attempt > 1
        for place, message in enumerate(messages):
            try:
                twice |= await self._show_one(message)
            except SlackRefused as error:
                if error.code not in TOO_MUCH or not message.blocks:
                    raise
                log.error("Question %s: Slack took no blocks: %s", self._asked.number, error.code)  # noqa: TRY400 - it is handled
                again = await self._show(plain or [SlackMessage(each.text, ()) for each in messages])
                return twice or again or place > 0  # what was shown before cannot be taken back
        return twice

    async def _show_one(self, message: SlackMessage) -> bool:
        """Through the response URL while that works; else as a new message. Where Slack takes no new one, and the URL
        did not work for now, both are tried again. Returns whether it may be seen twice."""
        body = {
            "response_type": "ephemeral",
            "replace_original": False,  # Slack ignores it for commands; the message with a button pressed stays
            "text": message.text,
            "blocks": list(message.blocks),
        }
        unclear = 0  # how often the URL may have shown it

        async def attempt() -> bool:
            nonlocal unclear
            try:
                await self._client.respond(self._asked.handle.get("response_url", ""), body)
            except (SlackRefused, Transient) as error:
                log.info("A response URL did not work: %s", error.why)
                unclear += isinstance(error, OutcomeUnknown)
                if isinstance(error, SlackRefused) and error.code in TOO_MUCH:
                    raise
                try:
                    return await self._post(message) or unclear > 0
                except SlackRefused as refused:
                    if unclear > 1:
                        return True
                    if isinstance(error, SlackRefused) or refused.code in TOO_MUCH:
                        raise
                    raise error from refused
            return unclear > 0

        return await self._client.until_done(attempt)

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
