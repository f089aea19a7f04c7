"""What Jira and Confluence send when something changed: signed, and taken for a hint at what to look at. Pure.

Only ids are taken from it. What changed is read from the source itself, with whom it admits.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from typing import Any

from domain.errors import Refused
from indexer.connectors.atlassian.jira_names import COMMENT, ISSUE
from indexer.connectors.atlassian.site import Product

_ID = re.compile(r"\d{1,18}")
_GONE = ("_deleted", "_removed", "_trashed")
MOST = 20
"""Documents that one delivery may name."""

Body = Mapping[str, Any]


def signed(secret: str, signature: str | None, body: bytes) -> bool:
    """Whether who sent a body knows the secret. signature: the header X-Hub-Signature."""
    expected = f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"
    given = signature if signature and signature.isascii() else ""
    return hmac.compare_digest(expected.encode(), given.encode()) and bool(secret)


def delivery_id(identifier: str | None, body: bytes) -> str:
    """By what a delivery is known when it comes again. identifier: the header X-Atlassian-Webhook-Identifier."""
    named = identifier if identifier and identifier.isascii() and len(identifier) <= 100 else ""
    return named or hashlib.sha256(body).hexdigest()


def hinted(product: Product, body: bytes) -> tuple[str, ...]:
    """The external ids of the documents that may have changed; see the connectors' `one`. None of what is gone: nothing
    can be read of it, and a complete listing will miss it.

    Raises Refused when the body is no JSON object.
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused("The body is no JSON object")
    ids = _of_jira(found) if product == "jira" else _of_confluence(found)
    return tuple(dict.fromkeys(ids))[:MOST]


def _of_jira(body: Body) -> list[str]:
    event = str(body.get("webhookEvent"))
    issue, comment = _id(body.get("issue")), _id(body.get("comment"))
    if not issue:
        ends = (body.get("issueLink") or {}) if isinstance(body.get("issueLink"), dict) else {}
        linked = [_number(ends.get(name)) for name in ("sourceIssueId", "destinationIssueId")]
        return [f"{ISSUE}{each}" for each in linked if each]
    if event == "jira:issue_deleted":
        return []
    of_comment = [f"{COMMENT}{issue}/{comment}"] if comment and not event.endswith(_GONE) else []
    return [f"{ISSUE}{issue}", *of_comment]


def _of_confluence(body: Body) -> list[str]:
    gone = str(body.get("event")).endswith(_GONE)
    found: list[str] = []
    for name, kind in (("page", "page"), ("blog", "blog"), ("blogpost", "blog"), ("content", "page")):
        number = _id(body.get(name))
        found += [f"{kind}:{number}"] if number and not gone else []
    comment = body.get("comment")
    found += _home(comment.get("parent") or comment.get("container")) if isinstance(comment, dict) else []
    found += _home(body.get("attachedTo"))
    files = body.get("attachments")
    every = files if isinstance(files, list) else [body.get("attachment")]
    return found + ([] if gone else [f"attachment:att{number}" for number in map(_id, every) if number])


def _home(shown: object) -> list[str]:
    """The page or blog post that something hangs on."""
    number = _id(shown)
    blog = isinstance(shown, dict) and str(shown.get("contentType")).lower().startswith("blog")
    return [f"{'blog' if blog else 'page'}:{number}"] if number else []


def _id(shown: object) -> str:
    return _number(shown.get("id")) if isinstance(shown, dict) else ""


def _number(value: object) -> str:
    text = str(value).removeprefix("att") if isinstance(value, str | int) and not isinstance(value, bool) else ""
    return text if _ID.fullmatch(text) and text.isascii() else ""
