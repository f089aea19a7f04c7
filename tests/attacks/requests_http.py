"""What is no HTTP, or HTTP that readers disagree on, and deliveries of webhooks that nobody signed."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass

from bot.http_listener import LONGEST_LINE


def posted(path: str, *headers: str, body: bytes = b"", length: int | None = None) -> bytes:
    """A request. length: that it says it has, if not the right one."""
    said = len(body) if length is None else length
    lines = [f"POST {path} HTTP/1.1", "Host: here", f"Content-Length: {said}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def got(path: str, *headers: str) -> bytes:
    """A request for a page."""
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: here", "Connection: close", *headers, "", ""]).encode()


NO_HTTP: Mapping[str, bytes] = {
    "too long a header": posted("/length", f"Authorization: {'a' * (LONGEST_LINE + 1)}"),
    "a negative length": posted("/length", length=-5),
    "garbage": b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
    "a header without a name": posted("/length", ": x"),
    "two lengths": posted("/length", "Content-Length: 5"),
    "a length and pieces": posted("/length", "Transfer-Encoding: chunked"),
    "a length that is no number": posted("/length", "X: y").replace(b"Content-Length: 0", b"Content-Length: 0x5"),
    "a NUL in a header": posted("/length", "X: a\0b"),
    "a name with a blank": posted("/length", "X : y"),
    "another version": posted("/length").replace(b"HTTP/1.1", b"HTTP/9.9"),
    "too long a line": got("/" + "a" * (LONGEST_LINE + 1)),
}
"""Answered 400 without words."""

NOWHERE: Mapping[str, bytes] = {
    "a file above": got("/../../../../etc/passwd"),
    "a file above, encoded": got("/%2e%2e/%2e%2e/etc/passwd"),
    "another page": got("/metrics"),
    "a page with more": got("/health/../../x"),
    "two slashes": got("//health"),
    "a page of another host": got("http://169.254.169.254/latest/meta-data/"),
    "a tunnel": got("x").replace(b"GET x", b"CONNECT 10.0.0.1:22"),
    "a method that is none": got("/health").replace(b"GET", b"SPY"),
    "a page that is written": posted("/health"),
}
"""Answered 400, 404 or 405."""

SECRET, BODY = "a long secret", b'{"webhookEvent": "jira:issue_updated", "issue": {"id": "10001"}}'


def sign(body: bytes = BODY, secret: str = SECRET) -> str:
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


@dataclass(frozen=True)
class Delivery:
    """A delivery to the webhook of a source. signature: None leaves it out."""

    signature: str | None = sign()
    body: bytes = BODY
    source: str = "desk"
    status: int = 401
    headers: tuple[str, ...] = ()


DELIVERIES: Mapping[str, Delivery] = {
    "no signature": Delivery(None),
    "an empty signature": Delivery(""),
    "the algorithm alone": Delivery("sha256="),
    "no sign between": Delivery("sha256"),
    "a signature cut short": Delivery(sign()[:-1]),
    "a signature with more": Delivery(sign() + "0"),
    "capital letters": Delivery(sign().upper()),
    "no algorithm": Delivery(sign().removeprefix("sha256=")),
    "another algorithm": Delivery(sign().replace("sha256", "sha1")),
    "another body": Delivery(sign(b"other")),
    "another secret": Delivery(sign(secret="other")),
    "no secret": Delivery(sign(secret="")),
    "no ASCII": Delivery("sha256=é"),
    "another source": Delivery(source="wiki"),
    "no source, with no secret": Delivery(sign(secret=""), source="wiki"),
    "a source above": Delivery(source="%2e%2e%2fdesk"),
    "packed": Delivery(headers=("Content-Encoding: gzip",), status=415),
    "too large": Delivery(body=b" " * 1_000_001, status=413),
    **{
        f"unreadable: {body[:6]!r}": Delivery(sign(body), body, status=400)
        for body in (b"", b"[]", b"1", b"{", b"\xff", b"[" * 100_000)
    },
}
