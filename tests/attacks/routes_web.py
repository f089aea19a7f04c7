"""The same attacks on every operation of the API and on every page, made of the tables of both: a new one is tried by
itself."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bot.web.api import operations
from bot.web.callers import COOKIE, TOKEN_PREFIX
from bot.web.operations import API, LARGEST_BODY, Operation
from bot.web.pages.operate.routes import OperatePages
from bot.web.pages.routes import STATIC, WebPages
from tests.attacks.requests_http import got, posted
from tests.attacks.requests_web import (
    ASKING,
    COOKIE_HEADER,
    CSRF,
    ENDED,
    EXPIRED,
    FIELDS,
    JSON,
    READING,
    REVOKED,
    Uninvited,
    bearer,
)

PART = re.compile(r"\{(\w+)(?::(?:[^{}]|\{[^{}]*\})*)?\}")
"""A variable part of a path."""

TWISTED = (
    *("1'%20OR%20'1'='1", "1%3BDROP%20TABLE%20questions", "..%2f..%2f..%2fetc%2fpasswd", "%2e%2e", "1%00"),
    *("1%0d%0aX-Evil:%201", "%EF%BC%91", "1%EF%BC%92", "%7B%7B7*7%7D%7D", "%3Cscript%3E", "9" * 400, "%FF"),
)
"""In the place of a number or an id."""

NO_NUMBERS = (*TWISTED, "-1", "0x1", "0", "1e3")


class Nobody:
    """Stands for whatever handles a request."""

    def __getattr__(self, name: str) -> "Nobody":
        return self


def table() -> tuple[Operation, ...]:
    """The operations of the API."""
    nobody: Any = Nobody()
    return operations(nobody, nobody, nobody)


def pages() -> tuple[list[str], list[str]]:
    """The paths of pages, by GET and by POST, that are for people who have signed in."""
    nobody: Any = Nobody()
    pages = WebPages(nobody, nobody, nobody, nobody)
    both = OperatePages(pages).routes(), pages.routes()
    gets, posts = ([path for routes in both for path in routes[number]] for number in (0, 1))
    return [each for each in gets if each.removeprefix("/static/") not in STATIC], posts


def _filled(path: str, value: str = "7") -> str:
    return PART.sub(lambda _: value, path)


def _twisted(path: str) -> tuple[str, ...]:
    parts = {each[1] for each in PART.finditer(path)}
    return NO_NUMBERS if parts & {"number", "n"} else TWISTED if parts else ()


def _sent(method: str, path: str, *headers: str, body: bytes = b"{}") -> bytes:
    return got(path, *headers) if method == "GET" else posted(path, JSON, *headers, body=body)


def _elsewhere(request: bytes) -> bytes:
    return request.replace(b"Host: here", b"Host: evil.example")


def _on_an_operation(each: Operation) -> Iterator[tuple[str, Uninvited]]:
    path = _filled(API + each.path)
    held, other = (ASKING, READING) if each.scope == "ask" else (READING, ASKING)
    no_token = {
        "no token": (),
        "a forged token": (bearer(TOKEN_PREFIX + "f" * 43),),
        "a revoked token": (bearer(REVOKED),),
        "an expired token": (bearer(EXPIRED),),
        "a session that was ended": (f"Cookie: {COOKIE}={ENDED}",),
        "a token beside a session": (bearer("kba_x"), COOKIE_HEADER),
    }
    for name, headers in no_token.items():
        yield name, Uninvited(401, _sent(each.method, path, *headers))
    yield "another scope", Uninvited(403, _sent(each.method, path, bearer(other)))
    yield "another host", Uninvited(421, _elsewhere(_sent(each.method, path, bearer(held))))
    asked_first = _sent(each.method, path, "Origin: https://evil.example", "Access-Control-Request-Method: POST")
    verb = each.method.encode()
    for method in (b"OPTIONS", b"DELETE", b"TRACE"):
        yield f"{method.decode()}", Uninvited(405, asked_first.replace(verb, method, 1))
    if each.scope != "operate":
        yield "an unknown parameter", Uninvited(422, _sent(each.method, f"{path}?asker=root@example.com", bearer(held)))
    if each.method != "GET":
        yield "a session without its second token", Uninvited(403, _sent("POST", path, COOKIE_HEADER))
        cross = _sent("POST", path, COOKIE_HEADER, f"X-CSRF-Token: {CSRF}", "Origin: https://evil.example")
        yield "another site", Uninvited(403, cross)
    if each.body and each.scope != "operate":
        large = b"[" + b" " * LARGEST_BODY + b"]"
        yield "too large", Uninvited(413, _sent("POST", path, bearer(held), body=large))
    for value in _twisted(each.path):
        yield (
            f"{value[:40]} for an id",
            Uninvited(404, _sent(each.method, _filled(API + each.path, value), bearer(held))),
        )


def _on_a_page(method: str, route: str) -> Iterator[tuple[str, Uninvited]]:
    path = _filled(route)

    def sent(*headers: str, csrf: str = "", to: str = path) -> bytes:
        return got(to, *headers) if method == "GET" else posted(to, FIELDS, *headers, body=f"csrf={csrf}".encode())

    shut_out = {
        "nobody": (),
        "a session of the attacker's choice": (f"Cookie: {COOKIE}={'f' * 43}",),
        "a session that was ended": (f"Cookie: {COOKIE}={ENDED}",),
        "a program": (bearer(ASKING),),
        "a token as a session": (f"Cookie: {COOKIE}={ASKING}",),
    }
    for name, headers in shut_out.items():
        yield name, Uninvited(403, sent(*headers, csrf=CSRF))
    yield "another host", Uninvited(421, _elsewhere(sent(COOKIE_HEADER, csrf=CSRF)))
    if route.startswith("/operate"):
        yield (
            "who does not operate",
            Uninvited(403, sent(COOKIE_HEADER, csrf=CSRF, to=_filled(route, "roll-back" if "what" in route else "7"))),
        )
    if method == "POST" and "{rest" not in route:
        yield "no second token", Uninvited(403, sent(COOKIE_HEADER))
        yield "another's second token", Uninvited(403, sent(COOKIE_HEADER, csrf="0" * 64))
        yield "another site", Uninvited(403, sent(COOKIE_HEADER, "Origin: https://evil.example", csrf=CSRF))
        yield "another kind of form", Uninvited(415, _sent("POST", path, COOKIE_HEADER))
        large = posted(path, FIELDS, COOKIE_HEADER, body=b"q" * (LARGEST_BODY + 1))
        yield "too large a form", Uninvited(413, large)
    for value in () if "{rest" in route else _twisted(route):
        twisted = sent(COOKIE_HEADER, csrf=CSRF, to=_filled(route, value))
        yield f"{value[:40]} for an id", Uninvited(404, twisted)


def _everywhere() -> Iterator[tuple[str, Uninvited]]:
    for each in table():
        for name, attack in _on_an_operation(each):
            yield f"{each.name}: {name}", attack
    for method, routes in zip(("GET", "POST"), pages(), strict=True):
        for route in routes:
            yield from ((f"{method} {route}: {name}", attack) for name, attack in _on_a_page(method, route))


EVERYWHERE: Mapping[str, Uninvited] = dict(_everywhere())
