"""The JSON that Jira and Confluence send when something changed. Pure.

Only ids are taken from it. What changed is read from the source itself, with whom it admits.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from domain.errors import Refused
from indexer.sources.kind import WebhookFormat

_ID = re.compile(r"\d{1,18}")
GONE = ("_deleted", "_removed", "_trashed")
"""How the names of events end after which there is nothing to read: a complete listing will miss the document."""
MAX_DOCUMENTS = 20
"""Documents that one delivery may name."""

WebhookBody = Mapping[str, Any]


def webhook_format(ids: Callable[[WebhookBody], Iterable[str]]) -> WebhookFormat:
    """The format of a product. ids: the external ids of the documents that a body names, perhaps several times."""

    def changed(body: bytes) -> tuple[str, ...]:
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise Refused("The body is no JSON object")
        return tuple(dict.fromkeys(ids(found)))[:MAX_DOCUMENTS]

    return WebhookFormat(changed, "X-Atlassian-Webhook-Identifier")


def id_of(shown: object) -> str:
    """The number of something that is shown as a JSON object with an `id`; empty where there is none."""
    return number_of(shown.get("id")) if isinstance(shown, dict) else ""


def number_of(value: object) -> str:
    """An id as digits; empty for anything else."""
    text = str(value).removeprefix("att") if isinstance(value, str | int) and not isinstance(value, bool) else ""
    return text if _ID.fullmatch(text) and text.isascii() else ""
