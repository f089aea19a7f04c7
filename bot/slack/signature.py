"""Slack's signature of a request, checked before anything else looks at the body. Pure."""

import hashlib
import hmac

TOLERANCE = 300
"""Seconds by which a time stamp may be off: Slack's own advice against replayed requests."""


def is_signed(secret: str, timestamp: str | None, signature: str | None, body: bytes, now: float) -> bool:
    """Whether Slack signed the body, lately.

    secret: of the app. timestamp, signature: the headers X-Slack-Request-Timestamp and X-Slack-Signature. now: seconds
    since 1970.
    """
    if (
        not timestamp
        or not signature
        or not signature.isascii()
        or not timestamp.isascii()
        or not timestamp.isdigit()
        or len(timestamp) > 12
    ):
        return False
    if abs(now - int(timestamp)) > TOLERANCE:
        return False
    expected = hmac.new(secret.encode(), b"v0:" + timestamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"v0={expected}".encode(), signature.encode())
