"""One request as the handlers see it, the table of paths, and the pages of listings in Atlassian's several manners."""

import base64
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode

from aiohttp import web

from tests.fakes.atlassian.faults import Fault
from tests.fakes.atlassian.records import AtlassianError, Body
from tests.fakes.atlassian.rights import Rights
from tests.fakes.atlassian.world import World

T = TypeVar("T")


@dataclass(frozen=True)
class Addresses:
    """Where the fronts are: origins without a path."""

    site: str = ""
    gateway: str = ""
    media: str = ""
    confluence: str = ""
    jira: str = ""


@dataclass
class SiteRequest:
    """A request. cloud: of which flavour. path: as sent to the product, without a gateway's prefix.

    fault: one for listings. links: response headers that a listing adds.
    """

    world: World
    rights: Rights
    cloud: bool
    at: Addresses
    method: str
    path: str
    query: Mapping[str, list[str]]
    body: Any = None
    params: dict[str, str] = field(default_factory=dict)
    fault: Fault | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def one(self, name: str, default: str = "") -> str:
        """A parameter of the query."""
        found = self.query.get(name)
        return found[0] if found else default

    def many(self, name: str) -> list[str]:
        """A parameter that may be repeated, or hold values between commas."""
        return [each.strip() for value in self.query.get(name, ()) for each in value.split(",") if each.strip()]

    def flag(self, name: str) -> bool:
        """A parameter that is true or false."""
        return self.one(name).lower() == "true"

    def whole(self, name: str, default: int, most: int) -> int:
        """A number that is not negative; more than `most` is taken as that."""
        text = self.one(name, str(default))
        if not re.fullmatch(r"\d{1,9}", text):
            raise AtlassianError(400, f"Invalid value for {name}: {text}")
        return min(int(text), most)

    def expands(self, name: str) -> bool:
        """Whether a part is asked for, itself or something within it."""
        return any(each == name or each.startswith(f"{name}.") for each in self.many("expand"))

    def given(self, name: str) -> Any:
        """A field of the JSON body, None without one."""
        return self.body.get(name) if isinstance(self.body, dict) else None

    @property
    def site(self) -> str:
        """The origin in links, also through the gateway."""
        return self.at.site if self.cloud else self.at.jira

    @property
    def api(self) -> str:
        """Jira's base path for links."""
        return f"{self.site}/rest/api/{3 if self.cloud else 2}"

    def again(self, **changes: object) -> str:
        """This request's path and query with other parameters; None takes one away."""
        rows = {name: values for name, values in self.query.items() if name not in changes}
        rows |= {name: [str(value)] for name, value in changes.items() if value is not None}
        return f"{self.path}?{urlencode(rows, doseq=True)}" if rows else self.path


Answer = Body | list[Any] | web.Response
Handler = Callable[[SiteRequest], Answer]


@dataclass(frozen=True)
class Route:
    """A path and what answers it. scope: what a scoped token needs."""

    method: str
    pattern: re.Pattern[str]
    handler: Handler
    scope: str


def route(path: str, handler: Handler, scope: str, method: str = "GET") -> Route:
    """A route; {name} stands for one part of the path."""
    pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)
    return Route(method, re.compile(pattern + "/?"), handler, scope)


def encode(**content: object) -> str:
    """An opaque cursor."""
    return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")


def decode(cursor: str) -> Body:
    """What is in a cursor; {} when it is none of ours."""
    try:
        found = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


@dataclass
class Slice:
    """A part of a listing. rows: what is in it. start: where it was asked to begin. next: where the next one begins."""

    rows: list[Any]
    start: int
    limit: int
    total: int
    next: int | None


def cut_out(asked: SiteRequest, every: Sequence[T], start: int, limit: int) -> Slice:
    """A part of a listing, with the fault of the request done to it."""
    fault, total = asked.fault, len(every)
    kind = fault.kind if fault else ""
    if fault is None or kind == "slow":
        found = list(every[start : start + limit])
        return Slice(found, start, limit, total, start + limit if start + limit < total else None)
    if kind == "empty":
        return Slice([], start, limit, 0, None)
    if kind == "endless":
        return Slice([], start, limit, total, start + limit)
    if kind == "loop":
        return Slice(list(every[:limit]), start, limit, total + start + limit + 1, start)
    begin = max(0, start + fault.by) if kind == "shifted" else start
    rows = list(every[begin : begin + limit])
    following = start + limit if start + limit < total else None
    return Slice(rows[: len(rows) - fault.by] if kind == "short" else rows, start, limit, total, following)


def by_cursor(
    asked: SiteRequest, every: Sequence[T], shown: Callable[[T], Any], *, most: int = 250, default: int = 25
) -> Body:
    """A page of Confluence Cloud's v2: results, _links.next and the Link header."""
    cursor = asked.one("cursor")
    start = decode(cursor).get("from") if cursor else 0
    if not isinstance(start, int):
        raise AtlassianError(400, "Invalid cursor")
    part = cut_out(asked, every, start, asked.whole("limit", default, most) or default)
    links: Body = {"base": f"{asked.at.site}/wiki"}
    if part.next is not None:
        links["next"] = asked.again(cursor=encode(**{"from": part.next}))
        asked.headers["Link"] = f'<{links["next"]}>; rel="next", <{asked.at.site}/wiki>; rel="base"'
    return {"results": [shown(each) for each in part.rows], "_links": links}


def by_offset(
    asked: SiteRequest,
    every: Sequence[T],
    shown: Callable[[T], Any],
    *,
    most: int = 200,
    default: int = 25,
    allowed: Callable[[T], bool] = lambda _: True,
) -> Body:
    """A page of Confluence's v1: results, start, limit, size, and _links.next with start. allowed: which rows of the
    page the caller may see."""
    start = asked.whole("start", 0, 10**9)
    part = cut_out(asked, every, start, asked.whole("limit", default, most) or default)
    context = "/wiki" if asked.cloud else ""
    base = f"{asked.at.site if asked.cloud else asked.at.confluence}{context}"
    links: Body = {"base": base, "context": context, "self": f"{base}{asked.again().removeprefix(context)}"}
    if part.next is not None:
        links["next"] = asked.again(start=part.next, limit=part.limit).removeprefix(context)
    rows = [shown(each) for each in part.rows if allowed(each)]
    return {"results": rows, "start": start, "limit": part.limit, "size": len(rows), "_links": links}


def page_bean(
    asked: SiteRequest, every: Sequence[T], shown: Callable[[T], Any], *, most: int = 100, default: int = 50
) -> Body:
    """A page of Jira: values, startAt, maxResults, total, isLast."""
    part = jira_slice(asked, every, most=most, default=default)
    content: Body = {"self": f"{asked.site}{asked.again()}", "maxResults": part.limit, "startAt": part.start}
    content |= {"total": part.total, "isLast": part.next is None, "values": [shown(each) for each in part.rows]}
    if part.next is not None:
        content["nextPage"] = f"{asked.site}{asked.again(startAt=part.next, maxResults=part.limit)}"
    return content


def jira_slice(asked: SiteRequest, every: Sequence[T], *, most: int, default: int = 50) -> Slice:
    """A part of a listing by startAt and maxResults."""
    limit = asked.whole("maxResults", default, most)
    return cut_out(asked, every, asked.whole("startAt", 0, 10**9), limit)
