"""The Bot Framework's connector: one way to call it, with its limits kept and its errors in our words.

Activities go out through bot.teams.outgoing_activities: the library's own operations lose the fields of entities that
they do not know, such as the label of written answers and their citations.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

import aiohttp
from botbuilder.schema import Activity, ChannelAccount, ConversationParameters
from botframework.connector.aiohttp_bf_pipeline import AsyncBfPipeline
from botframework.connector.auth import MicrosoftAppCredentials
from botframework.connector.bot_framework_sdk_client_async import BotFrameworkConnectorConfiguration
from msrest.async_client import ServiceClientAsync

from bot.conversation.chat_platform import OutcomeUnknown
from bot.teams.access_token import BearerTokenPolicy, TeamsCredentials
from bot.teams.connector_responses import TooManyMembers, read_response
from bot.teams.connector_transport import AiohttpSender, ConnectorResponse
from bot.teams.outgoing_activities import addressed, typing
from bot.teams.rate_limits import READING, CallRateLimiter
from domain.errors import Misconfigured, Refused, Transient
from net.retries import Retries, retrying

Json = Mapping[str, Any]

PAGE, PAGES = 500, 10
"""Members that are asked for at a time, the most that Teams gives, and how often."""

RETRIES = Retries(longest_pause=20.0)
"""These pauses come on top of the wait that Teams asks for."""

MOST_SERVICES = 50
"""Addresses of services whose clients are kept; there are a few, one a region."""


@dataclass(slots=True)
class ConnectorClients:
    """What all connectors of a process share.

    credentials: None for none, in development. trusted: whether an address is a service's: whoever gets a token can
    speak as us. sending, reading: see Pace.
    """

    credentials: TeamsCredentials | None
    trusted: Callable[[str], bool]
    sending: CallRateLimiter = field(default_factory=CallRateLimiter)
    sender: AiohttpSender = field(default_factory=AiohttpSender)
    by_service_url: dict[str, ServiceClientAsync] = field(default_factory=dict)
    reading: CallRateLimiter = field(init=False)

    def __post_init__(self) -> None:
        self.reading = self.sending.beside(READING)

    def client(self, service_url: str) -> ServiceClientAsync:
        """The library's client for a service. Raises Refused for an address that is none's."""
        if not self.trusted(service_url):
            raise Refused("The address of a conversation is not one of Teams' services", why=service_url[:200])
        if service_url not in self.by_service_url:
            if len(self.by_service_url) >= MOST_SERVICES:
                self.by_service_url.clear()
            given = self.credentials or MicrosoftAppCredentials.empty()
            config = BotFrameworkConnectorConfiguration(given, service_url, sender=self.sender)
            client = ServiceClientAsync(config)
            config.credentials = (
                BearerTokenPolicy(self.credentials) if self.credentials else None
            )  # the library takes none only now
            config.pipeline = AsyncBfPipeline(config)
            self.by_service_url[service_url] = client
        return self.by_service_url[service_url]


@dataclass(frozen=True, slots=True)
class _Call:
    """One call, however often it is made. conversation: whose limits it counts against. reading: about members. twice:
    whether it does no harm if it is done again."""

    method: str
    service_url: str
    path: str
    conversation: str
    body: Json | None = None
    reading: bool = False
    twice: bool = False


class TeamsConnector:
    """Calls the service of a conversation. A handle holds what bot.teams.conversation_reference.TeamsConversation does.

    patience: seconds for which a call that fails for now is made again, if the caller does not say otherwise. until:
    when that ends for all calls, by the monotonic clock. doubtful: whether a message was sent again of which it is
    unknown whether it had been sent before.
    """

    def __init__(self, clients: ConnectorClients, patience: float = 120.0, until: float = math.inf) -> None:
        self.clients = clients
        self.doubtful = False
        self._patience = patience
        self._until = until

    def within(self, seconds: float) -> "TeamsConnector":
        """The same, for calls that all have to be done so soon: what fails after that is not tried again."""
        return TeamsConnector(self.clients, self._patience, min(self._until, time.monotonic() + seconds))

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
        urgent: see Pace.room.

        Raises:
            Transient: Teams is away or wants fewer calls, for longer than our patience. Unclear: it may be there.
            TeamsRefused: it will not be sent; `code` says why. Misconfigured: the bot's credentials are not accepted.
        """
        call = replace(_call("POST", handle, "/activities", addressed(activity, handle)), twice=twice)
        reply = await self._made(call, patience, blindly=blindly, urgent=urgent)
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
        call = replace(_call("PUT", handle, path, addressed(activity, handle, message)), twice=True)
        await self._made(call, patience, urgent=urgent)

    async def delete(
        self, handle: Mapping[str, str], activity: str, *, patience: float | None = None, urgent: bool = True
    ) -> None:
        """Takes a message of ours back. Raises as `send` does."""
        call = replace(_call("DELETE", handle, f"/activities/{quote(activity, safe='')}"), twice=True)
        await self._made(call, patience, urgent=urgent)

    async def typing(self, handle: Mapping[str, str]) -> None:
        """Shows for a few seconds that something is being written, if there is room for that now. Raises as `send`."""
        await self.send(handle, typing(), patience=0.0, blindly=False, urgent=False)

    async def member(self, service_url: str, conversation: str, user: str) -> Json:
        """What the service says about a member of a conversation or team. Raises as `send` does."""
        path = f"/v3/conversations/{quote(conversation, safe='')}/members/{quote(user, safe='')}"
        base = conversation.partition(";")[0]
        return await self._made(_Call("GET", service_url, path, base, reading=True, twice=True))

    async def members(self, service_url: str, conversation: str) -> list[Json]:
        """What the service says about all members of a conversation or team. Raises as `send` does, and
        TooManyMembers."""
        base = conversation.partition(";")[0]
        path = f"/v3/conversations/{quote(conversation, safe='')}/pagedmembers?pageSize={PAGE}"
        found: list[Json] = []
        more = ""
        for _ in range(PAGES):
            call = _Call("GET", service_url, path + more, base, reading=True, twice=True)
            page = await self._made(call)
            found += [each for each in page.get("members") or [] if isinstance(each, dict)]
            if not page.get("continuationToken"):
                return found
            more = f"&continuationToken={quote(str(page['continuationToken']), safe='')}"
        raise TooManyMembers("A conversation has too many members to look at each", why=f"more than {PAGE * PAGES}")

    async def personal(self, handle: Mapping[str, str], user: str = "") -> dict[str, str]:
        """The handle of our chat with a person, made where there is none. user: the id of somebody other than who
        spoke in `handle`'s conversation. Raises as `send` does."""
        person = user or handle["user"]
        body = ConversationParameters(
            is_group=False,
            bot=ChannelAccount(id=handle["bot"]),
            members=[ChannelAccount(id=person)],
            tenant_id=handle.get("tenant", ""),
            channel_data={"tenant": {"id": handle.get("tenant", "")}},
        ).serialize()
        call = _Call("POST", handle["service_url"], "/v3/conversations", f"with {person}", body, twice=True)
        made = await self._made(call)
        kept = {name: handle[name] for name in ("service_url", "bot", "tenant", "locale") if name in handle}
        return {**kept, "kind": "personal", "conversation": str(made["id"]), "user": person}

    async def close(self) -> None:
        """Ends the connections."""
        await self.clients.sender.close()

    async def _made(
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
        credentials = self.clients.credentials
        token = await credentials.token() if credentials else ""
        try:
            return await self._tried(call, until, urgent=urgent)
        except Misconfigured:
            if credentials is None:
                raise
            credentials.forget(token)
            return await self._tried(call, until, urgent=urgent)

    async def _tried(self, call: _Call, until: float, *, urgent: bool) -> dict[str, Any]:
        client = self.clients.client(call.service_url)
        pace = self.clients.reading if call.reading else self.clients.sending
        async with pace.room(call.conversation, urgent=urgent, until=until):
            try:
                return read_response(await _sent(client, call), call.method)
            except Transient as error:
                if error.retry_after is not None:
                    pace.hold(call.conversation, error.retry_after)
                raise
            except aiohttp.ClientConnectorError as error:
                raise Transient("Teams cannot be reached", why=type(error).__name__) from error
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                raise OutcomeUnknown("Teams did not answer", why=type(error).__name__) from error


async def _sent(client: ServiceClientAsync, call: _Call) -> ConnectorResponse:
    make = {"POST": client.post, "PUT": client.put, "DELETE": client.delete, "GET": client.get}[call.method]
    headers = {"Accept": "application/json"}
    if call.body is not None:
        headers["Content-Type"] = "application/json; charset=utf-8"
    request = make(call.path, headers=headers, content=None if call.body is None else dict(call.body))
    got: ConnectorResponse = await client.async_send(request)  # type: ignore[no-untyped-call] # the library's
    return got


def _call(method: str, handle: Mapping[str, str], path: str, body: Json | None = None) -> _Call:
    conversation = handle["conversation"]
    at = f"/v3/conversations/{quote(conversation, safe='')}{path}"
    return _Call(method, handle["service_url"], at, conversation.partition(";")[0], body)
