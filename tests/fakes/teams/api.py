"""The connector's REST interface: tokens, conversations, activities, members."""

import json
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.fakes.slack.faults import cut
from tests.fakes.teams.checks import check, check_change, split, stream_of
from tests.fakes.teams.faults import APP, READING, SENDING, Fault, Waiting, Windows, refusal
from tests.fakes.teams.records import Body, Call, Operation, TeamsError, channel_of
from tests.fakes.teams.streams import Streams
from tests.fakes.teams.world import World

Hook = Callable[[Call], None]

PAGE = 500
"""Members that are told of at a time, at most."""
SCOPE = "https://api.botframework.com/.default"
WRITING = frozenset({"send", "typing", "stream", "final", "update", "delete"})


@dataclass
class Api:
    """What the app calls. tokens: those that are good. faults: by operation, * for all, or a conversation's id.
    before, after: called around the effect of an operation; a `before` that raises
    ConnectionAbortedError keeps it from happening. sending, reading, app: what is taken of messages, of questions about
    members, and of all. token_seconds, scope: for which a token is good. deletes: whether messages can be deleted: not
    everywhere.
    """

    world: World
    streams: Streams
    app_id: str
    password: str
    tokens: set[str] = field(default_factory=set)
    faults: dict[str, list[Waiting]] = field(default_factory=lambda: defaultdict(list))
    before: dict[str, list[Hook]] = field(default_factory=lambda: defaultdict(list))
    after: dict[str, list[Hook]] = field(default_factory=lambda: defaultdict(list))
    sending: Windows = field(default_factory=lambda: Windows(SENDING))
    reading: Windows = field(default_factory=lambda: Windows(READING))
    app: Windows = field(default_factory=lambda: Windows(APP))
    token_seconds: int = 3600
    deletes: bool = True
    scope: str = SCOPE

    def routes(self) -> list[web.RouteDef]:
        """The paths."""
        at = "/amer/v3/conversations"
        return [
            web.post("/{tenant}/oauth2/v2.0/token", self.token),
            web.post(at, self.create),
            web.post(at + "/{conversation}/activities", self.send),
            web.post(at + "/{conversation}/activities/{activity}", self.send),
            web.put(at + "/{conversation}/activities/{activity}", self.update),
            web.delete(at + "/{conversation}/activities/{activity}", self.delete),
            web.get(at + "/{conversation}/members", self.members),
            web.get(at + "/{conversation}/pagedmembers", self.members),
            web.get(at + "/{conversation}/members/{person}", self.member),
        ]

    async def token(self, request: web.Request) -> web.StreamResponse:
        """Client credentials."""
        form = await request.post()

        def effect() -> tuple[int, Body]:
            if form.get("grant_type") != "client_credentials" or form.get("scope") != self.scope:
                raise TeamsError(400, "invalid_request")
            if form.get("client_id") != self.app_id:
                raise TeamsError(400, "unauthorized_client", "Application was not found in the directory")
            if form.get("client_secret") != self.password:
                raise TeamsError(401, "invalid_client", "AADSTS7000215: Invalid client secret provided.")
            token = f"token-{self.world.number()}"
            self.tokens.add(token)
            return 200, {"token_type": "Bearer", "expires_in": self.token_seconds, "access_token": token}

        return await self._done(request, "token", {name: str(value) for name, value in form.items()}, effect)

    async def create(self, request: web.Request) -> web.StreamResponse:
        """A chat with one person."""
        body = await _json(request)

        def effect() -> tuple[int, Body]:
            given = check_create(body)
            person = self.world.person(given)
            return 201, {"id": self.world.personal(person).id}

        return await self._done(request, "create", body, effect)

    async def send(self, request: web.Request) -> web.StreamResponse:
        """A message, a sign of typing, or a part of a stream."""
        body = await _json(request)
        conversation = request.match_info["conversation"]
        info = stream_of(body) if isinstance(body, dict) else None
        kind: Operation = "typing" if isinstance(body, dict) and body.get("type") == "typing" else "send"
        if info is not None:
            kind = "stream" if kind == "typing" else "final"

        def effect() -> tuple[int, Body]:
            check(body)
            found = self.world.conversation(conversation)
            if info is not None:
                self.streams.allowed(conversation)
                return (self.streams.chunk if kind == "stream" else self.streams.end)(conversation, body, info)
            if kind == "typing":
                self.world.typing[found.id] = self.world.typing.get(found.id, 0) + 1
                return 202, {}
            first, *more = [self.world.post(conversation, self.world.bot, each) for each in split(body)]
            return (202, {}) if more else (201, {"id": first.id})

        return await self._done(request, kind, body, effect)

    async def update(self, request: web.Request) -> web.StreamResponse:
        """A message looks otherwise."""
        body = await _json(request)

        def effect() -> tuple[int, Body]:
            check_change(body)
            message = self.world.own(request.match_info["conversation"], request.match_info["activity"])
            self.streams.changeable(message)
            message.show(body)
            self.streams.edited(message)
            return 200, {"id": message.id}

        return await self._done(request, "update", body, effect)

    async def delete(self, request: web.Request) -> web.StreamResponse:
        """A message is none any more."""

        def effect() -> tuple[int, Body]:
            if not self.deletes:
                raise TeamsError(
                    501, "DeleteActivityAPINotImplemented", "The API to delete activity is not implemented"
                )
            message = self.world.own(request.match_info["conversation"], request.match_info["activity"])
            message.deleted = True
            self.streams.edited(message)
            return 200, {}

        return await self._done(request, "delete", {}, effect)

    async def member(self, request: web.Request) -> web.StreamResponse:
        """One member."""

        def effect() -> tuple[int, Body]:
            roster = self.world.roster(request.match_info["conversation"])
            person = self.world.person(request.match_info["person"])
            if person.id not in roster:
                raise TeamsError(404, "MemberNotFoundInConversation", "The user is not in this conversation")
            return 200, person.account()

        return await self._done(request, "member", {}, effect)

    async def members(self, request: web.Request) -> web.StreamResponse:
        """All members, as a page where that is asked for."""

        def effect() -> tuple[int, Any]:
            every = [
                self.world.people[each].account() for each in self.world.roster(request.match_info["conversation"])
            ]
            if not request.path.endswith("pagedmembers"):
                return 200, every
            start, wanted = int(request.query.get("continuationToken", 0)), int(request.query.get("pageSize", PAGE))
            size = max(50, min(PAGE, wanted))
            rest = len(every) > start + size
            page: Body = {"members": every[start : start + size]}
            return 200, page | ({"continuationToken": str(start + size)} if rest else {})

        return await self._done(request, "members", {}, effect)

    async def _done(
        self, request: web.Request, operation: Operation, body: Any, effect: Callable[[], tuple[int, Any]]
    ) -> web.StreamResponse:
        """What all operations share: faults, rights, limits, hooks, and that the call is noted."""
        fault = self._fault(operation, request.match_info.get("conversation", "").partition(";")[0], body)
        response: web.StreamResponse | None = None
        if fault is None or fault.late:
            try:
                response = self._effect(request, operation, body, effect)
            except ConnectionAbortedError:
                cut(request)
                return web.Response(status=500)
        if fault is not None:
            self._note(request, operation, body, fault.status if response is None else -fault.status)
            return await fault.respond(request)
        assert response is not None
        return response

    def _effect(
        self, request: web.Request, operation: Operation, body: Any, effect: Callable[[], tuple[int, Any]]
    ) -> web.Response:
        with self.world.changed:
            try:
                self._allowed(request, operation)
                for hook in list(self.before[operation]):
                    hook(self._call(request, operation, body, 0))
                status, reply = effect()
            except TeamsError as error:
                self._note(request, operation, body, error.status)
                if operation == "token":
                    told = {"error": error.code, "error_description": error.message}
                    return web.json_response(told, status=error.status)
                return refusal(error)
            call = self._note(request, operation, body, status)
            for hook in list(self.after[operation]):
                hook(call)
            return web.json_response(reply, status=status)

    def _allowed(self, request: web.Request, operation: Operation) -> None:
        if operation == "token":
            return
        if request.headers.get("Authorization", "").removeprefix("Bearer ") not in self.tokens:
            raise TeamsError(401, "Unauthorized", "Authorization has been denied for this request.")
        base, _ = channel_of(request.match_info.get("conversation", ""))
        windows = self.sending if operation in WRITING or operation == "create" else self.reading
        wait = windows.take(base) or self.app.take("")
        if wait:
            raise TeamsError(429, "TooManyRequests", "API calls quota exceeded", max(0.05, round(wait, 2)))

    def _fault(self, operation: Operation, conversation: str, body: Any) -> Fault | None:
        text = str(body.get("text") or "") if isinstance(body, dict) else ""
        with self.world.changed:
            for name in (operation, conversation, "*"):
                waiting = next((each for each in self.faults[name] if each.holding in text), None)
                if waiting is None:
                    continue
                if waiting.times is not None:
                    waiting.times -= 1
                if waiting.times == 0:
                    self.faults[name].remove(waiting)
                return waiting.fault
        return None

    def _call(self, request: web.Request, operation: Operation, body: Any, status: int) -> Call:
        base, _ = channel_of(request.match_info.get("conversation", ""))
        given = body if isinstance(body, dict) else {}
        return Call(operation, base, request.match_info.get("activity", ""), given, status, time.monotonic())

    def _note(self, request: web.Request, operation: Operation, body: Any, status: int) -> Call:
        with self.world.changed:
            call = self._call(request, operation, body, status)
            self.world.calls.append(call)
            self.world.changed.notify_all()
            return call


def check_create(body: Any) -> str:
    """Whom a chat is to be made with. Raises TeamsError."""
    people = body.get("members") if isinstance(body, dict) else None
    if not isinstance(people, list) or len(people) != 1 or not people[0].get("id"):
        raise TeamsError(400, "BadSyntax", "A chat is made with one member")
    if not (body.get("tenantId") or (body.get("channelData") or {}).get("tenant", {}).get("id")):
        raise TeamsError(400, "BadSyntax", "The tenant is missing")
    return str(people[0]["id"])


async def _json(request: web.Request) -> Any:
    try:
        return json.loads(await request.text())
    except ValueError:
        return None
