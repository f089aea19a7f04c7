"""What an Atlassian API itself says is wrong with a request, as far as it may be shown."""

import json
from collections.abc import Iterator
from functools import cache

import requests
from requests import Response

from domain.knowledge_graph import storable
from domain.masking import Masker

MOST_READ = 8000
"""Bytes of an answer."""
LONGEST = 300
"""Characters that are shown."""


def complaint(response: Response) -> str:
    """The messages of an error in JSON, without secrets, and cut; empty when there are none in it. Personal data stays:
    the account that is meant may be the operator's own, and whoever shows it masks it."""
    try:
        start: bytes = next(response.iter_content(MOST_READ), b"")
    except (requests.RequestException, OSError):
        return ""
    try:
        said = json.loads(start)
    except ValueError:
        return ""
    told = "; ".join(dict.fromkeys(_messages(said)))
    shown = " ".join(
        _masker().secrets(storable(told)).text.split()
    )  # masked before it is cut: half a secret is not known for one
    return shown if len(shown) <= LONGEST else shown[:LONGEST].rstrip() + "…"


def _messages(said: object) -> Iterator[str]:
    """Jira has `errorMessages` and `errors` by field, Confluence `message`, its v2 a list of errors with a title."""
    if isinstance(said, str) and said.strip():
        yield said.strip()
    elif isinstance(said, list):
        for each in said:
            yield from _messages(each)
    elif isinstance(said, dict):
        for name in ("errorMessages", "message", "title", "detail"):
            yield from _messages(said.get(name))
        errors = said.get("errors")
        yield from _messages(list(errors.values()) if isinstance(errors, dict) else errors)


@cache
def _masker() -> Masker:
    return Masker()
