"""From a request to its answer: who calls, what goes wrong, which handler, and errors in the product's own form."""

import asyncio
import base64
import json
import re
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from aiohttp import web

from tests.fakes.atlassian import (
    jira,
    jira_people,
    jira_schemes,
    tokens,
    wiki_v1,
    wiki_v2,
    wiki_v2_parts,
)
from tests.fakes.atlassian.faults import Fault, Plan, drip
from tests.fakes.atlassian.records import Account, AtlassianError, Body, Call
from tests.fakes.atlassian.rights import Rights
from tests.fakes.atlassian.routing import Addresses, Route, SiteRequest
from tests.fakes.atlassian.wiki_pages import bytes_of
from tests.fakes.atlassian.world import World
from tests.fakes.slack.faults import Bucket

CLOUD_ID = "11111111-2222-4333-8444-555555555555"
_JIRA = (jira_people, jira_schemes, jira)
ROUTES: dict[str, list[Route]] = {
    "site": [*wiki_v2.ROUTES, *wiki_v2_parts.ROUTES, *wiki_v1.CLOUD, *(each for one in _JIRA for each in one.CLOUD)],
    "confluence": [*wiki_v1.DATA_CENTER, *tokens.DATA_CENTER],
    "jira": [*(each for one in _JIRA for each in one.DATA_CENTER), *tokens.DATA_CENTER],
}
_GATEWAY = re.compile(r"/ex/(confluence|jira)/([^/]+)(/.*)")
_ANSWER_KINDS = {"answer", "reset", "hang"}


@dataclass
class Limit:
    """How many requests a minute a path takes, of all accounts together."""

    pattern: re.Pattern[str]
    bucket: Bucket


@dataclass
class Front:
    """One listening host. name: site, gateway, confluence or jira."""

    name: str
    world: World
    plan: Plan
    at: Addresses = field(default_factory=Addresses)
    limits: list[Limit] = field(default_factory=list)

    @property
    def cloud(self) -> bool:
        """Of which flavour it is."""
        return self.name in {"site", "gateway"}

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        call = await self._received(request)
        with self.world.lock:
            self.plan.run_hooks(call.method, call.path)
            fault = self.plan.fault(call.method, call.path) or self._limited(call)
        if fault is not None and fault.kind in _ANSWER_KINDS:
            call.status = fault.status
            return await fault.respond(request)
        with self.world.lock:
            response = self._answered(request, call, fault)
        call.status = response.status
        if fault is not None and fault.kind == "slow":
            return await drip(request, response, fault)
        return response

    async def _received(self, request: web.Request) -> Call:
        query = {name: request.query.getall(name) for name in request.query}
        call = Call(self.name, request.method, request.rel_url.raw_path, query, time.monotonic())
        call.authorized = "Authorization" in request.headers
        raw = await request.read()
        if raw and request.content_type == "application/json":
            try:
                call.body = json.loads(raw)
            except ValueError:
                call.body = raw
        with self.world.lock:
            self.world.calls.append(call)
        return call

    def _limited(self, call: Call) -> Fault | None:
        for each in self.limits:
            if each.pattern.search(call.path):
                wait = each.bucket.wait("")
                if wait > 0:
                    return Fault.ratelimited(int(wait) + 1)
        return None

    def _answered(self, request: web.Request, call: Call, fault: Fault | None) -> web.Response:
        path = call.path
        try:
            account = self._account(request)
            path, product = self._opened(call.path, account)
            user = self.world.users[account.user] if account else None
            call.user = user.id if user else ""
            asked = SiteRequest(
                self.world, Rights(self.world, user, account), self.cloud, self.at, call.method, path, call.query
            )
            asked.body, asked.fault = call.body, fault
            return self._routed(asked, account, product)
        except AtlassianError as error:
            return web.json_response(_error(self, path, error), status=error.status)

    def _account(self, request: web.Request) -> Account | None:
        header = request.headers.get("Authorization", "")
        if not header:
            return None
        kind, _, secret = header.partition(" ")
        name = ""
        if kind == "Basic":
            name, _, secret = _plain(secret).partition(":")
        for each in self.world.accounts:
            user = self.world.users[each.user]
            named = (user.email if self.cloud else user.name) == name if kind == "Basic" else not self.cloud
            if each.secret == secret and named and each.state == "active" and user.active:
                if each.scoped and self.name == "site":
                    break
                return each
        raise AtlassianError(401, "Client must be authenticated to access this resource.")

    def _opened(self, path: str, account: Account | None) -> tuple[str, str]:
        """The path for the product, and which product it is."""
        if self.name != "gateway":
            return path, "confluence" if self.name == "confluence" or path.startswith("/wiki/") else "jira"
        found = _GATEWAY.fullmatch(path)
        if found is None or found.group(2) != CLOUD_ID:
            raise AtlassianError(404, "Not Found")
        if account is None:
            raise AtlassianError(401, "Unauthorized")
        return found.group(3), found.group(1)

    def _routed(self, asked: SiteRequest, account: Account | None, product: str) -> web.Response:
        found, other = None, False
        for each in ROUTES["site" if self.cloud else self.name]:
            match = each.pattern.fullmatch(asked.path)
            if match and each.method == asked.method:
                found = each
                asked.params = {name: unquote(value) for name, value in match.groupdict().items() if value is not None}
                break
            other = other or match is not None
        if found is None:
            raise AtlassianError(405 if other else 404, f"null for uri: {asked.path}")
        if (
            account
            and account.scopes is not None
            and self.name == "gateway"
            and found.scope not in account.scopes | {""}
        ):
            raise AtlassianError(401, "Unauthorized; scope does not match")
        if product == "confluence" and not asked.rights.wiki():
            raise AtlassianError(403 if asked.rights.user else 401, "Current user not permitted to use Confluence")
        answer = found.handler(asked)
        if isinstance(answer, web.Response):
            return answer
        return web.json_response(answer, headers=asked.headers)


def _plain(secret: str) -> str:
    try:
        return base64.b64decode(secret, validate=True).decode()
    except ValueError:
        return ""


def _error(front: Front, path: str, error: AtlassianError) -> Any:
    status, message = error.status, error.message
    if front.name == "gateway" and status == 401:
        return {"code": 401, "message": message}
    if path.startswith("/wiki/api/v2"):
        code = {401: "UNAUTHORIZED", 403: "FORBIDDEN", 404: "NOT_FOUND"}.get(status, "INVALID_REQUEST_PARAMETER")
        return {"errors": [{"status": status, "code": code, "title": message, "detail": None}]}
    if front.name == "confluence" or path.startswith("/wiki/"):
        data: Body = {
            "authorized": status not in {401, 403, 404},
            "valid": status != 400,
            "errors": [],
            "successful": False,
        }
        return {"statusCode": status, "data": data, "message": message}
    return {"errorMessages": [message], "errors": {}}


@dataclass
class Media:
    """The host that Cloud keeps files on: only with the token of the redirect, and without credentials."""

    world: World
    plan: Plan

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        query = {name: request.query.getall(name) for name in request.query}
        call = Call("media", request.method, request.path, query, time.monotonic())
        call.authorized = "Authorization" in request.headers
        with self.world.lock:
            self.world.calls.append(call)
            fault = self.plan.fault(call.method, call.path)
        if fault is not None and fault.kind in _ANSWER_KINDS:
            call.status = fault.status
            return await fault.respond(request)
        response = self._file(request)
        call.status = response.status
        await asyncio.sleep(0)
        return await drip(request, response, fault) if fault and fault.kind == "slow" else response

    def _file(self, request: web.Request) -> web.Response:
        if "Authorization" in request.headers:
            return web.Response(status=400, text="Only one auth mechanism allowed")
        with self.world.lock:
            key = request.path.split("/")[2] if request.path.count("/") > 1 else ""
            issues = (each for issue in self.world.issues.values() for each in issue.attachments)
            found = next((each for each in [*self.world.attachments.values(), *issues] if each.id == key), None)
        if found is None or request.query.get("token") != f"media-{key}":
            return web.Response(status=403, text="Forbidden")
        content = bytes_of(found, request.query.get("version", ""))
        return web.Response(body=content, content_type=found.media_type)
