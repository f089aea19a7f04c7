"""Requests to the API and the pages that nobody who may call has made."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from bot.web.callers import COOKIE, CSRF_HEADER, TOKEN_PREFIX
from bot.web.operations import LARGEST_BODY
from tests.attacks.requests_http import got, posted

ASKING, READING = TOKEN_PREFIX + "asking" * 7, TOKEN_PREFIX + "reading" * 6
"""Tokens that hold: one to ask, one to search."""

REVOKED, EXPIRED = TOKEN_PREFIX + "revoked" * 6, TOKEN_PREFIX + "expired" * 6
"""Tokens that held before."""

SECRET, ENDED = "s" * 43, "e" * 43
"""Of a session that holds, and of one that somebody has ended."""
CSRF = sha256(b"csrf\0" + SECRET.encode()).hexdigest()

ASK, FORM = "/api/v1/ask", "/ask"
QUESTION = json.dumps({"question": "How many days of leave?"}).encode()
CALL = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask"}}).encode()
JSON, FIELDS = "Content-Type: application/json", "Content-Type: application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Uninvited:
    """A request and the status that it gets."""

    status: int
    request: bytes


def bearer(token: str) -> str:
    return f"Authorization: Bearer {token}"


def asked(status: int, *headers: str, body: bytes = QUESTION, length: int | None = None) -> Uninvited:
    return Uninvited(status, posted(ASK, JSON, *headers, body=body, length=length))


def called(status: int, *headers: str, body: bytes = CALL) -> Uninvited:
    """A call of a tool."""
    accepted = "Accept: application/json, text/event-stream"
    return Uninvited(status, posted("/mcp", JSON, accepted, *headers, body=body))


def sent(status: int, *headers: str, csrf: str = "", path: str = FORM) -> Uninvited:
    body = f"question=How+many+days%3F&csrf={csrf}".encode()
    return Uninvited(status, posted(path, FIELDS, f"Cookie: {COOKIE}={SECRET}", *headers, body=body))


def read(status: int, path: str, *headers: str) -> Uninvited:
    return Uninvited(status, got(path, *headers))


COOKIE_HEADER = f"Cookie: {COOKIE}={SECRET}"

SLOW: Mapping[str, Uninvited] = {
    "a body that breaks off": asked(408, bearer(ASKING), body=b'{"qu', length=100),
    "a form that breaks off": Uninvited(408, posted(FORM, FIELDS, COOKIE_HEADER, body=b"qu", length=100)),
}

OPERATING: Mapping[str, Uninvited] = {
    "an action by a link": read(404, "/operate/roll-back?version=1", COOKIE_HEADER),
    "an action by a token": Uninvited(403, posted("/operate/discard", FIELDS, bearer(ASKING), body=b"version=1")),
    "what no page confirms": read(403, "/operate/confirm/drop-everything", COOKIE_HEADER),
    "a run that is a path": read(404, "/operate/runs/..%2f..%2fetc%2fpasswd", COOKIE_HEADER),
}

UNINVITED: Mapping[str, Uninvited] = {
    **OPERATING,
    "a script of a page whose session has ended": read(401, "/", "Sec-Fetch-Mode: cors"),
    "no token": asked(401),
    "an empty token": asked(401, bearer("")),
    "the prefix alone": asked(401, bearer(TOKEN_PREFIX)),
    "a token cut short": asked(401, bearer(ASKING[:-1])),
    "a token with more": asked(401, bearer(ASKING + "x")),
    "capital letters": asked(401, bearer(ASKING.upper())),
    "a token without its prefix": asked(401, bearer(ASKING.removeprefix(TOKEN_PREFIX))),
    "the digest of a token": asked(401, bearer(TOKEN_PREFIX + sha256(ASKING.encode()).hexdigest())),
    "a long token": asked(401, bearer(TOKEN_PREFIX + "a" * 20_000)),
    "no ASCII": asked(401, bearer(TOKEN_PREFIX + "é" * 40)),
    "two tokens": asked(401, bearer("kba_x"), bearer(ASKING)),
    "another scheme": asked(401, f"Authorization: Basic {ASKING}"),
    "a signed token": asked(401, bearer("eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb290In0.")),
    "a token in the address": Uninvited(401, posted(f"{ASK}?access_token={ASKING}", JSON, body=QUESTION)),
    "a token as a cookie": asked(401, f"Cookie: {COOKIE}={ASKING}"),
    "a session as a token": asked(401, bearer(SECRET)),
    "a session that is none": asked(401, f"Cookie: {COOKIE}={'t' * 43}"),
    "a session of the attacker's choice": read(403, "/", f"Cookie: {COOKIE}=chosen"),
    "a scope that does not reach": asked(403, bearer(READING)),
    "another host": Uninvited(421, asked(0, bearer(ASKING)).request.replace(b"Host: here", b"Host: evil.example")),
    "no host": Uninvited(400, asked(0, bearer(ASKING)).request.replace(b"Host: here", b"X-Host: here")),
    "a page by another host": Uninvited(421, got("/", COOKIE_HEADER).replace(b"Host: here", b"Host: evil.example")),
    "a session without its second token": asked(403, COOKIE_HEADER),
    "a session with another's second token": asked(403, COOKIE_HEADER, f"{CSRF_HEADER}: {'0' * 64}"),
    "a session with a second token that is not UTF-8": Uninvited(
        403, asked(0, COOKIE_HEADER, f"{CSRF_HEADER}: odd").request.replace(b"odd", b"\xff")
    ),
    "a session that is not UTF-8": Uninvited(401, asked(0, f"Cookie: {COOKIE}=odd").request.replace(b"odd", b"\xff")),
    "another site, by a form": sent(403, "Origin: https://evil.example", csrf=CSRF),
    "another site, that hides": sent(403, "Origin: null", csrf=CSRF),
    "another site, whose name is none": sent(403, "Origin: http://[", csrf=CSRF),
    "another site, says the browser": sent(403, "Sec-Fetch-Site: cross-site", csrf=CSRF),
    "a site beside us": sent(403, "Sec-Fetch-Site: same-site", csrf=CSRF),
    "a form without its token": sent(403),
    "signing somebody out": sent(403, path="/sign-out"),
    "a form as text": Uninvited(
        415, posted(FORM, "Content-Type: text/plain", COOKIE_HEADER, body=b"csrf=" + CSRF.encode())
    ),
    "JSON as text, from another site": Uninvited(
        415, posted(ASK, "Content-Type: text/plain", bearer(ASKING), body=QUESTION)
    ),
    "too large": asked(413, bearer(ASKING), body=b" " * (LARGEST_BODY + 1)),
    "too large a form": Uninvited(413, posted(FORM, FIELDS, COOKIE_HEADER, body=b"q" * (LARGEST_BODY + 1))),
    "packed": asked(415, bearer(ASKING), "Content-Encoding: gzip"),
    "no JSON": asked(422, bearer(ASKING), body=b"{"),
    "deep JSON": asked(422, bearer(ASKING), body=b"[" * 50_000),
    "a list": asked(422, bearer(ASKING), body=b"[]"),
    "not UTF-8": asked(422, bearer(ASKING), body=b'{"question": "\xff"}'),
    "a field of ours": asked(422, bearer(ASKING), body=b'{"question": "x", "scope": "root"}'),
    "whose question it is": asked(422, bearer(ASKING), body=b'{"question": "x", "asker": "root@example.com"}'),
    "a conversation that is a path": asked(422, bearer(ASKING), body=b'{"question": "x", "conversation": "../../etc"}'),
    "a question that is a document": asked(422, bearer(ASKING), body=json.dumps({"question": "x" * 4_001}).encode()),
    "a name of a question that is a path": asked(422, bearer(ASKING), "Idempotency-Key: ../../../etc/passwd"),
    "a parameter twice": read(422, "/api/v1/search?q=a&q=b", bearer(READING)),
    "a parameter of ours": read(422, "/api/v1/search?q=a&audience=organisation", bearer(READING)),
    "a number below": read(422, "/api/v1/search?q=a&limit=-1", bearer(READING)),
    "a document above": read(404, "/api/v1/documents/..%2f..%2fetc%2fpasswd", bearer(READING)),
    "a file of the pages": read(403, "/static/..%2froutes.py"),
    "a file above the pages": read(403, "/static/../../../../etc/passwd"),
    "a number that is none": read(404, "/api/v1/questions/1'%20OR%20'1'='1", bearer(ASKING)),
    "a number beyond": read(404, f"/api/v1/questions/{10**19}", bearer(ASKING)),
    "zero": read(404, "/api/v1/questions/0", bearer(ASKING)),
    "a tool without a token": called(401),
    "a tool with the digest of a token": called(401, bearer(TOKEN_PREFIX + sha256(ASKING.encode()).hexdigest())),
    "a tool by a session": called(401, COOKIE_HEADER, f"{CSRF_HEADER}: {CSRF}"),
    "a tool by another host": Uninvited(
        421, called(0, bearer(ASKING)).request.replace(b"Host: here", b"Host: evil.example")
    ),
    "a tool by a page of another site": called(403, bearer(ASKING), "Origin: https://evil.example"),
    "a tool by a page that hides": called(403, bearer(ASKING), "Origin: null"),
    "a tool by a page whose name is none": called(403, bearer(ASKING), "Origin: http://["),
    "a tool by a page whose name is another in NFKC": called(403, bearer(ASKING), "Origin: http://a\u2100b"),
    "a tool by a large body": called(413, bearer(ASKING), body=b" " * (LARGEST_BODY + 1)),
    "a tool by a packed body": called(415, bearer(ASKING), "Content-Encoding: gzip"),
    "a tool by no JSON": called(400, bearer(ASKING), body=b"{"),
    "a tool by deep JSON": called(400, bearer(ASKING), body=b"[" * 50_000),
    "the link of a trial, with nothing": read(403, "/try"),
    "the link of a trial, guessed": read(403, "/try?token=guessed"),
    "the link of a trial, by a browser that guesses": read(503, "/try?token=right", "Sec-Purpose: prefetch"),
    "the link of a trial, by who only looks where it leads": Uninvited(
        503, got("/try?token=right").replace(b"GET ", b"HEAD ", 1)
    ),
}
