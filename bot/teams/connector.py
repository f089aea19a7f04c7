"""The Bot Framework's connector: one way to call it, with its limits kept and its errors in our words.

Activities go out through bot.teams.outgoing_activities: the library's own operations lose the fields of entities that
they do not know, such as the label of written answers and their citations.
"""

import logging
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

import aiohttp
from botbuilder.schema import Activity, ChannelAccount, ConversationParameters

from bot.conversation.chat_platform import OutcomeUnknown
from bot.teams.connector_session import ConnectorSession, TooManyMembers, read_response
from bot.teams.conversation_reference import TeamsConversation
from bot.teams.json_reading import Json, each_table, text
from bot.teams.outgoing_activities import addressed
from domain.errors import KbError, Misconfigured, Transient
from domain.metrics import outgoing_request
from net.retries import Retries, retrying

log = logging.getLogger(__name__)

PAGE, PAGES = 500, 10
"""Members that are asked for at a time, the most that Teams gives, and how often."""

RETRIES = Retries(longest_pause=20.0)
"""These pauses come on top of the wait that Teams asks for."""


@dataclass(frozen=True, slots=True)
class _Call:
    method: str
    service_url: str
    path: str
    conversation: str
    """Whose limits it counts against."""
    body: Json | None = None
    reading: bool = False
    """Whether it is about members."""
    twice: bool = False
    """Whether it does no harm if it is done again."""


class TeamsConnector:
    """Calls the service of a conversation. A handle holds what bot.teams.conversation_reference.TeamsConversation does.

    patience: seconds for which a call that fails for now is made again, if the caller does not say otherwise. until:
    when that ends for all calls, by the monotonic clock. doubtful: whether a message was sent again of which it is
    unknown whether it had been sent before.
    """

    def __init__(self, session: ConnectorSession, patience: float = 120.0, until: float = math.inf) -> None:
        self.session = session
        self.doubtful = False
        self._patience = patience
        self._until = until

    def within(self, seconds: float) -> "TeamsConnector":
        """The same, for calls that all have to be done so soon: what fails after that is not tried again."""
        return TeamsConnector(self.session, self._patience, min(self._until, time.monotonic() + seconds))

    async def send(
        self,
        handle: Mapping[str, str],
        activity: Activity,
        *,
        patience: float | None = None,
        blindly: bool = True,
        twice: bool = False,
        urgent: bool = True,
    ) -> str:
        """Sends an activity; gives its id, empty where it has none.

        blindly: whether it is sent again when it is unknown whether it was sent. twice: whether that does no harm.
        urgent: see CallRateLimiter.room.

        Raises:
            Transient: Teams is away or wants fewer calls, for longer than our patience. OutcomeUnknown: it may be
                there.
            TeamsRefused: it will not be sent; `code` says why. Misconfigured: the bot's credentials are not accepted.
        """
        call = _call("POST", handle, "/activities", addressed(activity, handle), twice=twice)
        reply = await self._make(call, patience, blindly=blindly, urgent=urgent)
        return str(reply.get("id") or "")

    async def update(
        self,
        handle: Mapping[str, str],
        message: str,
        activity: Activity,
        *,
        patience: float | None = None,
        urgent: bool = True,
    ) -> None:
        """Shows something else in the place of a message of ours. Raises as `send` does."""
        path = f"/activities/{quote(message, safe='')}"
        call = _call("PUT", handle, path, addressed(activity, handle, message), twice=True)
        await self._make(call, patience, urgent=urgent)

    async def delete(
        self, handle: Mapping[str, str], activity: str, *, patience: float | None = None, urgent: bool = True
    ) -> None:
        """Takes a message of ours back. Raises as `send` does."""
        call = _call("DELETE", handle, f"/activities/{quote(activity, safe='')}", twice=True)
        await self._make(call, patience, urgent=urgent)

    async def member(self, service_url: str, conversation: str, user: str) -> Json:
        """What the service says about a member of a conversation or team. Raises as `send` does."""
        place = {"service_url": service_url, "conversation": conversation}
        return await self._make(_call("GET", place, f"/members/{quote(user, safe='')}", reading=True, twice=True))

    async def members(self, service_url: str, conversation: str) -> list[Json]:
        """What the service says about all members of a conversation or team. Raises as `send` does, and
        TooManyMembers."""
        place = {"service_url": service_url, "conversation": conversation}
        found: list[Json] = []
        more = ""
        for _ in range(PAGES):
            path = f"/pagedmembers?pageSize={PAGE}{more}"
            page = await self._make(_call("GET", place, path, reading=True, twice=True))
            found += each_table(page.get("members"))
            if not page.get("continuationToken"):
                return found
            more = f"&continuationToken={quote(str(page['continuationToken']), safe='')}"
        raise TooManyMembers("A conversation has too many members to look at each", why=f"more than {PAGE * PAGES}")

    async def personal_chat(self, reference: TeamsConversation) -> TeamsConversation:
        """Our chat with who spoke, made where there is none. Raises as `send` does: they may not have one with us."""
        if reference.kind == "personal":
            return reference
        body = ConversationParameters(
            is_group=False,
            bot=ChannelAccount(id=reference.bot),
            members=[ChannelAccount(id=reference.user)],
            tenant_id=reference.tenant,
            channel_data={"tenant": {"id": reference.tenant}},
        ).serialize()
        lane = f"with {reference.user}"
        made = await self._make(_Call("POST", reference.service_url, "/v3/conversations", lane, body, twice=True))
        chat = text(made.get("id"))
        if not chat:
            raise OutcomeUnknown("Teams does not say which chat it made")
        return replace(reference, kind="personal", conversation=chat, reply_to="", team="", form="")

    async def say(
        self,
        reference: TeamsConversation,
        activity: Activity,
        *,
        patience: float | None = None,
        blindly: bool = True,
        urgent: bool = True,
    ) -> None:
        """Says something where somebody spoke; what goes wrong is logged. blindly, urgent: see `send`."""
        try:
            await self.send(reference.handle, activity, patience=patience, blindly=blindly, urgent=urgent)
        except KbError as error:
            log.warning("Something could not be said: %s (%s)", error.what, error.why or "no cause given")

    async def close(self) -> None:
        """Ends the connections."""
        await self.session.close()

    async def _make(
        self, call: _Call, patience: float | None = None, *, blindly: bool = True, urgent: bool = True
    ) -> dict[str, Any]:
        """The reply to a call that is made until it is done, as long as patience lasts."""
        until = min(self._until, time.monotonic() + (self._patience if patience is None else patience))
        unclear = False

        async def attempt() -> dict[str, Any]:
            nonlocal unclear
            self.doubtful |= unclear
            try:
                return await self._once(call, until, urgent=urgent)
            except Transient as error:
                unclear = isinstance(error, OutcomeUnknown) and not call.twice
                raise

        again = retrying(
            lambda failed, error: (error.retry_after or 0.0) + RETRIES.pause(failed),
            until=until,
            when=lambda _: blindly or not unclear,
        )
        return await again(attempt)

    async def _once(self, call: _Call, until: float, *, urgent: bool) -> dict[str, Any]:
        """One try; with a token that is not accepted, two."""
        token = await self.session.token(until)
        try:
            return await self._try(call, token, until, urgent=urgent)
        except Misconfigured:
            if self.session.credentials is None:
                raise
            self.session.credentials.forget(token)
            return await self._try(call, await self.session.token(until), until, urgent=urgent)

    async def _try(self, call: _Call, token: str, until: float, *, urgent: bool) -> dict[str, Any]:
        pace = self.session.reading if call.reading else self.session.sending
        async with pace.room(call.conversation, urgent=urgent, until=until):
            try:
                with outgoing_request("teams", call.method):
                    got = await self.session.request(call.method, call.service_url, call.path, call.body, token)
                    return read_response(got, call.method)
            except Transient as error:
                if error.retry_after is not None:
                    pace.hold(call.conversation, error.retry_after)
                raise
            except aiohttp.ClientConnectorError as error:
                raise Transient("Teams cannot be reached", why=type(error).__name__) from error
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                raise OutcomeUnknown("Teams did not answer", why=type(error).__name__) from error


def _call(
    method: str, handle: Mapping[str, str], path: str, body: Json | None = None, *, reading: bool = False, twice: bool
) -> _Call:
    """A call about the conversation of a handle. path: behind its own."""
    conversation = handle["conversation"]
    at = f"/v3/conversations/{quote(conversation, safe='')}{path}"
    return _Call(method, handle["service_url"], at, conversation.partition(";")[0], body, reading, twice)
