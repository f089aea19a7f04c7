"""Deliveries of webhooks of any kind of source: whether they are signed, and which ones are the same. Pure."""

import hashlib
import hmac

LONGEST_ID = 100
"""Characters of an identifier that a source gives a delivery."""


def signed(secret: str, signature: str | None, body: bytes) -> bool:
    """Whether who sent a body knows the secret. signature: the header X-Hub-Signature."""
    expected = f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"
    given = signature if signature and signature.isascii() else ""
    return hmac.compare_digest(expected.encode(), given.encode()) and bool(secret)


def delivery_id(identifier: str | None, body: bytes) -> str:
    """By what a delivery is known when it comes again. identifier: as its source gives it, see
    `WebhookFormat.delivery_header`."""
    named = identifier if identifier and identifier.isascii() and len(identifier) <= LONGEST_ID else ""
    return named or hashlib.sha256(body).hexdigest()
