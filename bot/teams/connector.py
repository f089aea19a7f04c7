"""The Bot Framework's connector: one way to call it, with its limits kept and its errors in our words.

Activities go out as the JSON that we wrote: the library's own classes drop what they do not know, such as the label of
written answers and their citations.
"""

import asyncio
import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

import aiohttp
from botframework.connector.aiohttp_bf_pipeline import AsyncBfPipeline
from botframework.connector.auth import MicrosoftAppCredentials
from botframework.connector.bot_framework_sdk_client_async import BotFrameworkConnectorConfiguration
from msrest.async_client import ServiceClientAsync

from bot.teams.login import Credentials, Signing
from bot.teams.pace import READING, Pace
from bot.teams.replies import TooManyMembers, Unclear, read
from bot.teams.transport import AiohttpSender, Got
from domain.errors import Misconfigured, Refused, Transient

Json = Mapping[str, Any]

PAGE, PAGES = 500, 10
"""Members that are asked for at a time, the most that Teams gives, and how often."""

MOST_SERVICES = 50
"""Addresses of services whose clients are kept; there are a few, one a region."""


@dataclass(slots=True)
class Wire:
    """What all connectors of a process share.

    credentials: None for none, in development. trusted: whether an address is a service's: whoever gets a token can
    speak as us. sending, reading: see Pace.
    """

    credentials: Credentials | None
    trusted: Callable[[str], bool]
    sending: Pace = field(default_factory=Pace)
    sender: AiohttpSender = field(default_factory=AiohttpSender)
    clients: dict[str, ServiceClientAsync] = field(default_factory=dict)
    reading: Pace = field(init=False)

    def __post_init__(self) -> None:
        self.reading = self.sending.beside(READING)

    def client(self, service_url: str) -> ServiceClientAsync:
        """The library's client for a service. Raises Refused for an address that is none's."""
        if not self.trusted(service_url):
            raise Refused("The address of a conversation is not one of Teams' services", why=service_url[:200])
        if service_url not in self.clients:
            if len(self.clients) >= MOST_SERVICES:
                self.clients.clear()
            given = self.credentials or MicrosoftAppCredentials.empty()
            config = BotFrameworkConnectorConfiguration(given, service_url, sender=self.sender)
            client = ServiceClientAsync(config)
            config.credentials = (
                Signing(self.credentials) if self.credentials else None
            )  # the library takes none only now
            config.pipeline = AsyncBfPipeline(config)
            self.clients[service_url] = client
        return self.clients[service_url]


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
    """Calls the service of a conversation. A handle holds what bot.teams.reference.Reference does.

    patience: seconds for which a call that fails for now is made again, if the caller does not say otherwise. until:
    when that ends for all calls, by the monotonic clock. doubtful: whether a message was sent again of which it is
    unknown whether it had been sent before.
    """

    def __init__(self, wire: Wire, patience: float = 120.0, until: float = math.inf) -> None:
        self.wire = wire
        self.doubtful = False
        self._patience = patience
        self._until = until

    def within(self, seconds: float) -> "TeamsConnector":
        """The same, for calls that all have to be done so soon: what fails after that is not tried again."""
        return TeamsConnector(self.wire, self._patience, min(self._until, time.monotonic() + seconds))

    async def send(
        self,
        handle: Mapping[str, str],
        body: Json,
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
        call = replace(_call("POST", handle, "/activities", _addressed(handle, body)), twice=twice)
        reply = await self._made(call, patience, blindly=blindly, urgent=urgent)
        return str(reply.get("id") or "")

    async def update(
        self,
        handle: Mapping[str, str],
        activity: str,
        body: Json,
        *,
        patience: float | None = None,
        urgent: bool = True,
    ) -> None:
        """Shows something else in the place of a message of ours. Raises as `send` does."""
        path = f"/activities/{quote(activity, safe='')}"
        call = replace(_call("PUT", handle, path, {**_addressed(handle, body), "id": activity}), twice=True)
        await self._made(call, patience, urgent=urgent)

    async def delete(
        self, handle: Mapping[str, str], activity: str, *, patience: float | None = None, urgent: bool = True
    ) -> None:
        """Takes a message of ours back. Raises as `send` does."""
        call = replace(_call("DELETE", handle, f"/activities/{quote(activity, safe='')}"), twice=True)
        await self._made(call, patience, urgent=urgent)

    async def typing(self, handle: Mapping[str, str]) -> None:
        """Shows for a few seconds that something is being written, if there is room for that now. Raises as `send`."""
        await self.send(handle, {"type": "typing"}, patience=0.0, blindly=False, urgent=False)

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
        body = {
            "bot": {"id": handle["bot"]},
            "members": [{"id": person}],
            "tenantId": handle.get("tenant", ""),
            "channelData": {"tenant": {"id": handle.get("tenant", "")}},
            "isGroup": False,
        }
        call = _Call("POST", handle["service_url"], "/v3/conversations", f"with {person}", body, twice=True)
        made = await self._made(call)
        kept = {name: handle[name] for name in ("service_url", "bot", "tenant", "locale") if name in handle}
        return {**kept, "kind": "personal", "conversation": str(made["id"]), "user": person}

    async def close(self) -> None:
        """Ends the connections."""
        await self.wire.sender.close()

    async def _made(
        self, call: _Call, patience: float | None = None, *, blindly: bool = True, urgent: bool = True
    ) -> dict[str, Any]:
        """The reply to a call that is made until it is done, as long as patience lasts."""
        until = min(self._until, time.monotonic() + (self._patience if patience is None else patience))
        attempt = 0
        while True:
            try:
                return await self._once(call, until, urgent=urgent)
            except Transient as error:
                unclear = isinstance(error, Unclear) and not call.twice
                backoff = min(20.0, 0.5 * 2**attempt) * random.uniform(0.5, 1.0)  # noqa: S311 - jitter
                wait = (error.retry_after or 0.0) + backoff
                if time.monotonic() + wait > until or (unclear and not blindly):
                    raise
                self.doubtful |= unclear
            attempt += 1
            await asyncio.sleep(wait)

    async def _once(self, call: _Call, until: float, *, urgent: bool) -> dict[str, Any]:
        """One try; with a token that is not accepted, two."""
        credentials = self.wire.credentials
        token = await credentials.token() if credentials else ""
        try:
            return await self._tried(call, until, urgent=urgent)
        except Misconfigured:
            if credentials is None:
                raise
            credentials.forget(token)
            return await self._tried(call, until, urgent=urgent)

    async def _tried(self, call: _Call, until: float, *, urgent: bool) -> dict[str, Any]:
        client = self.wire.client(call.service_url)
        pace = self.wire.reading if call.reading else self.wire.sending
        async with pace.room(call.conversation, urgent=urgent, until=until):
            try:
                return read(await _sent(client, call), call.method)
            except Transient as error:
                if error.retry_after is not None:
                    pace.hold(call.conversation, error.retry_after)
                raise
            except aiohttp.ClientConnectorError as error:
                raise Transient("Teams cannot be reached", why=type(error).__name__) from error
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                raise Unclear("Teams did not answer", why=type(error).__name__) from error


async def _sent(client: ServiceClientAsync, call: _Call) -> Got:
    make = {"POST": client.post, "PUT": client.put, "DELETE": client.delete, "GET": client.get}[call.method]
    headers = {"Accept": "application/json"}
    if call.body is not None:
        headers["Content-Type"] = "application/json; charset=utf-8"
    request = make(call.path, headers=headers, content=None if call.body is None else dict(call.body))
    got: Got = await client.async_send(request)  # type: ignore[no-untyped-call] # the library's
    return got


def _call(method: str, handle: Mapping[str, str], path: str, body: Json | None = None) -> _Call:
    conversation = handle["conversation"]
    at = f"/v3/conversations/{quote(conversation, safe='')}{path}"
    return _Call(method, handle["service_url"], at, conversation.partition(";")[0], body)


def _addressed(handle: Mapping[str, str], body: Json) -> dict[str, Any]:
    """An activity with who sends it where."""
    return {**body, "from": {"id": handle["bot"]}, "conversation": {"id": handle["conversation"]}}
