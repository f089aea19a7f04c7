"""The Web API: who may call which method, what goes wrong with it, and what it answers."""

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from aiohttp import web

from tests.fakes.slack import chat, lookups, streams, surfaces
from tests.fakes.slack.api_call import ApiCall, Methods
from tests.fakes.slack.faults import Bucket, Fault
from tests.fakes.slack.records import Body, Call, SlackError, Workspace
from tests.fakes.slack.world import World

METHODS: Methods = {**chat.METHODS, **streams.METHODS, **lookups.METHODS, **surfaces.METHODS}
OPEN = "apps.connections.open"
ALL = "*"

Hook = Callable[[Call], None]
"""Called with a call, in a thread of its own; the server waits for it."""

_STATES = {"revoked": "token_revoked", "uninstalled": "account_inactive"}


@dataclass
class WebApi:
    """Answers POST and GET of /api/<method>. connect: gives the address for a new socket.

    latency: seconds by method. faults: with how often they still happen.
    """

    world: World
    connect: Callable[[], str]
    latency: dict[str, float] = field(default_factory=dict)
    buckets: dict[str, Bucket] = field(default_factory=dict)
    before: dict[str, list[Hook]] = field(default_factory=lambda: defaultdict(list))
    after: dict[str, list[Hook]] = field(default_factory=lambda: defaultdict(list))
    faults: dict[str, list[tuple[Fault, int | None]]] = field(default_factory=lambda: defaultdict(list))

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        call = await self._received(request)
        await asyncio.sleep(self.latency.get(call.method, 0))
        fault = self._fault(call.method)
        if fault is not None and not fault.late:
            return await self._failed(request, call, fault)
        wait = self._wait(call)
        if wait > 0:
            return await self._failed(request, call, Fault.ratelimited(retry_after=int(wait) + 1))
        try:
            await _run(self.before, call)
        except ConnectionAbortedError:  # who called is dead, and the call never came
            return web.Response(status=500)
        body = self._effect(call)
        call.status, call.response = (200, body) if fault is None else (fault.status, fault.body())
        await _run(self.after, call)
        self._notify()
        if fault is not None:
            return await fault.respond(request)
        return web.json_response(body, headers=self._headers(call))

    async def _received(self, request: web.Request) -> Call:
        args: Body = dict(request.query)
        if request.content_type == "application/json":
            try:
                args |= await request.json()
            except (json.JSONDecodeError, TypeError, ValueError):
                args["invalid_json"] = True
        else:
            args |= dict(await request.post())
        header = request.headers.get("Authorization", "")
        token = header.removeprefix("Bearer ").strip() or str(args.pop("token", ""))
        call = Call(request.match_info["method"], args, token, time.monotonic())
        with self.world.changed:
            call.team = next((each.id for each in self.world.workspaces.values() if each.token == token), "")
            self.world.calls.append(call)
            self.world.changed.notify_all()
        return call

    def _fault(self, method: str) -> Fault | None:
        with self.world.changed:
            for name in (method, ALL):
                if self.faults[name]:
                    fault, left = self.faults[name].pop(0)
                    if left is None or left > 1:
                        self.faults[name].insert(0, (fault, None if left is None else left - 1))
                    return fault
        return None

    async def _failed(self, request: web.Request, call: Call, fault: Fault) -> web.StreamResponse:
        call.status, call.response = fault.status, fault.body()
        self._notify()
        return await fault.respond(request)

    def _wait(self, call: Call) -> float:
        bucket = self.buckets.get(call.method)
        if bucket is None:
            return 0.0
        with self.world.changed:
            return bucket.wait(call.team, str(call.args.get("channel")) if bucket.per_channel else "")

    def _effect(self, call: Call) -> Body:
        try:
            with self.world.changed:
                return self._answer(call)
        except SlackError as error:
            return error.body()

    def _answer(self, call: Call) -> Body:
        if call.args.get("invalid_json"):
            raise SlackError("invalid_json")
        if call.method == OPEN:
            return self._opened(call)
        if call.method not in METHODS:
            raise SlackError("unknown_method", req_method=call.method)
        workspace = self._workspace(call)
        method, scopes = METHODS[call.method]
        if scopes and not scopes & workspace.scopes:
            provided = ",".join(sorted(workspace.scopes))
            raise SlackError("missing_scope", needed=",".join(sorted(scopes)), provided=provided)
        return method(ApiCall(self.world, workspace, call.args))

    def _workspace(self, call: Call) -> Workspace:
        if not call.token:
            raise SlackError("not_authed")
        if call.token in self.world.app_tokens:
            raise SlackError("not_allowed_token_type")
        if not call.team:
            raise SlackError("invalid_auth")
        workspace = self.world.workspaces[call.team]
        if workspace.state in _STATES:
            raise SlackError(_STATES[workspace.state])
        return workspace

    def _opened(self, call: Call) -> Body:
        if not call.token:
            raise SlackError("not_authed")
        if call.token not in self.world.app_tokens:
            raise SlackError("not_allowed_token_type" if call.team else "invalid_auth")
        return {"ok": True, "url": self.connect()}

    def _headers(self, call: Call) -> dict[str, str]:
        workspace = self.world.workspaces.get(call.team)
        return {"x-oauth-scopes": ",".join(sorted(workspace.scopes))} if workspace else {}

    def _notify(self) -> None:
        with self.world.changed:
            self.world.changed.notify_all()


async def _run(hooks: dict[str, list[Hook]], call: Call) -> None:
    for hook in (*hooks.get(call.method, ()), *hooks.get(ALL, ())):
        await asyncio.to_thread(hook, call)
