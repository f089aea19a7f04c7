"""Socket Mode: up to ten open connections of an app, each envelope to one of them."""

import asyncio
import json
from dataclasses import dataclass, field
from uuid import uuid4

from aiohttp import WSMsgType, web

from tests.fakes.slack.delivery import DIED, EVENTS, Attempt, Delivery
from tests.fakes.slack.faults import cut
from tests.fakes.slack.records import APP, Body
from tests.fakes.slack.world import World

MOST = 10


@dataclass(frozen=True)
class Waiting:
    """An envelope without acknowledgement so far. answered: done when it came, or when it is too late for it."""

    delivery: Delivery
    attempt: Attempt
    answered: asyncio.Future[str]


@dataclass(eq=False)
class Connection:
    """One open socket. waiting: the envelopes that it has not acknowledged."""

    name: str
    socket: web.WebSocketResponse
    request: web.Request
    waiting: dict[str, Waiting] = field(default_factory=dict)


@dataclass
class Hub:
    """All connections of the app. hellos: connections there ever were. acknowledged: envelope ids that came back."""

    world: World
    base: str = ""
    connections: list[Connection] = field(default_factory=list)
    hellos: int = 0
    acknowledged: list[str] = field(default_factory=list)
    _tickets: set[str] = field(default_factory=set)
    _turn: int = 0
    _some: asyncio.Event = field(default_factory=asyncio.Event)

    def ticket(self) -> str:
        """The address of a new connection; good for one."""
        name = uuid4().hex
        self._tickets.add(name)
        return f"{self.base.replace('http', 'ws', 1)}/link/?ticket={name}&app_id={APP}"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """A connection from its beginning to its end."""
        if request.query.get("ticket") not in self._tickets:
            return web.Response(status=404)
        self._tickets.discard(request.query["ticket"])
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        if len(self.connections) >= MOST:
            await socket.send_json(_disconnect("too_many_websockets"))
            await socket.close()
            return socket
        self.hellos += 1
        connection = Connection(f"connection {self.hellos}", socket, request)
        await socket.send_json(self._hello())
        self._opened(connection)
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    self._acknowledged(connection, message.data)
        finally:
            self._closed(connection)
        return socket

    def _hello(self) -> Body:
        info = {"host": "applink-local", "build_number": 1, "approximate_connection_time": 18060}
        count = len(self.connections) + 1
        return {"type": "hello", "num_connections": count, "debug_info": info, "connection_info": {"app_id": APP}}

    def _opened(self, connection: Connection) -> None:
        with self.world.changed:
            self.connections.append(connection)
            self._some.set()
            self.world.changed.notify_all()

    def _closed(self, connection: Connection) -> None:
        with self.world.changed:
            if connection in self.connections:
                self.connections.remove(connection)
            if not self.connections:
                self._some.clear()
            self.world.changed.notify_all()
        for waiting in connection.waiting.values():
            if not waiting.answered.done():
                waiting.answered.set_result(DIED)

    def _acknowledged(self, connection: Connection, text: str) -> None:
        try:
            content = json.loads(text)
        except ValueError:
            return
        waiting = connection.waiting.pop(content.get("envelope_id"), None)
        if waiting is None:
            return
        self.acknowledged.append(content["envelope_id"])
        waiting.attempt.acknowledge(content.get("payload"))
        if not waiting.answered.done():
            waiting.delivery.taken(content.get("payload"))
            waiting.answered.set_result("")

    async def carry(self, delivery: Delivery, attempt: Attempt, seconds: float) -> str:
        """Sends an envelope to the connection whose turn it is, and waits for its acknowledgement."""
        try:
            async with asyncio.timeout(seconds):
                return await self._carry(delivery, attempt)
        except TimeoutError:
            return "timeout"

    async def _carry(self, delivery: Delivery, attempt: Attempt) -> str:
        await self._some.wait()
        connection = self.connections[self._turn % len(self.connections)]
        self._turn += 1
        attempt.to = connection.name
        answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        envelope: Body = {"envelope_id": str(uuid4()), "type": delivery.kind, "payload": delivery.payload}
        envelope["accepts_response_payload"] = delivery.kind != EVENTS
        if delivery.kind == EVENTS:
            envelope |= {"retry_attempt": attempt.number, "retry_reason": "timeout" if attempt.reason else ""}
        connection.waiting[envelope["envelope_id"]] = Waiting(delivery, attempt, answered)
        try:
            await connection.socket.send_json(envelope)
        except ConnectionError:
            return DIED
        return await answered

    async def refresh(self, reason: str) -> None:
        """Tells connections to go; a client then comes back by itself."""
        for connection in list(self.connections):
            await connection.socket.send_json(_disconnect(reason))

    async def cut(self, name: str | None = None) -> None:
        """Drops connections, or one, without a word."""
        for connection in list(self.connections):
            if name in (None, connection.name):
                cut(connection.request)

    async def close(self) -> None:
        """Closes what is open."""
        for connection in list(self.connections):
            await connection.socket.close()


def _disconnect(reason: str) -> Body:
    return {"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-local"}}
