"""What an answer of Atlassian means: content, something to try again, or an error for an operator."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import requests
from requests import Response

from domain.errors import KbError, Misconfigured, Refused
from domain.knowledge_graph import with_blanks_for_controls
from domain.masking import Masker
from indexer.sources.atlassian.retry import RequestFailure
from indexer.sources.atlassian.site import AtlassianSite
from indexer.sources.connector import NotThere
from net.retries import retry_after

_ODD = re.compile(
    rb"\\u(?:00[0189][0-9a-fA-F]|007[fF]|[dD][89a-fA-F][0-9a-fA-F]{2})|[\x00-\x08\x0b\x0c\x0e-\x1f]|\xc2[\x80-\x9f]"
)
"""Controls and halves of characters as JSON has them."""
MAX_READ = 8000
"""Bytes of an answer."""
MAX_SHOWN_CHARACTERS = 300
"""Characters that are shown."""
_RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})


def read(site: AtlassianSite, path: str, response: Response) -> Any:
    """The JSON of an answer.

    Raises RequestFailure for what may be repeated, Misconfigured and Refused; of the answer's body they show at most
    the API's own message, masked.
    """
    check(site, path, response)
    kind = response.headers.get("Content-Type", "").lower()
    if "html" in kind or response.content.lstrip()[:1] == b"<":
        raise Misconfigured(
            f"{site.name} answered {path} with a web page",
            why="A login page, of a single sign-on or a proxy, answers instead of the API.",
            next_step="Check the URL and the token.",
        )
    try:
        found = json.loads(response.content, strict=False)
    except ValueError:
        raise RequestFailure("the answer is no JSON, or broke off") from None
    return _storable(found) if _ODD.search(response.content) else found


def _storable(found: Any) -> Any:
    """An answer with blanks in place of controls and halves of characters, which some tools leave in titles and names:
    no store takes them, and nobody sees them."""
    whole = [found]
    waiting: list[Any] = [whole]
    while waiting:
        part = waiting.pop()
        for key, each in list(part.items() if isinstance(part, dict) else enumerate(part)):
            if isinstance(each, str):
                part[key] = with_blanks_for_controls(each)
            elif isinstance(each, dict | list):
                waiting.append(each)
    return whole[0]


def check(site: AtlassianSite, path: str, response: Response) -> None:
    """Raises as `read` does unless an answer is a success."""
    status = response.status_code
    if 200 <= status < 300:
        return
    complained = _complaint(response)
    told = f": {complained}" if complained else ""
    if status in _RETRIED_STATUSES:
        reason = response.headers.get("RateLimit-Reason", "")
        named = f" ({reason})" if re.fullmatch(r"[\w-]{1,60}", reason) else ""
        wait = retry_after(response.headers.get("Retry-After"))
        limited = status == 429 or wait is not None
        raise RequestFailure(f"status {status}{named}{told}", wait, limited=limited, outage=status != 429)
    if 300 <= status < 400:
        host = urlsplit(response.headers.get("Location", "")).hostname or "another path"
        raise Misconfigured(
            f"{site.name} redirects {path} to {host}",
            why="An API does not redirect: the site has another address, or a login page stands before it.",
            next_step="Check the URL and the token.",
        )
    raise _error(site, response, f"{site.name} answered {path} with status {status}{told}", told)


def _error(site: AtlassianSite, response: Response, said: str, told: str) -> KbError:
    """What to tell an operator. told: what the answer says of itself; empty where it does not."""
    status = response.status_code
    if status == 401:
        return _unknown(site, said, response)
    if status == 403:
        return _forbidden(site, said, response)
    if status == 404:
        return NotThere(said, why="It is not there, or the account may not see it.")
    if status == 410:
        return Misconfigured(
            said,
            why="This part of the API was removed.",
            next_step=f"Check that the site is {'Cloud' if site.flavour == 'cloud' else 'Data Center'}; "
            "if it is, this version of the bot is too old for it.",
        )
    return Refused(
        said,
        why="The request was not accepted as it stands" + (", and it does not say why." if not told else "."),
        next_step="If that names a space, project or field, correct the source: see kb sources check. "
        "Else this version of the product takes other requests than the bot makes: please report it.",
    )


def _unknown(site: AtlassianSite, said: str, response: Response) -> KbError:
    told = response.headers.get("WWW-Authenticate", "") + response.text[:2000]
    expired = "expired" in told.lower()
    return Misconfigured(
        f"{site.name} refuses the token" + (": it has expired" if expired else ""),
        why=f"{said}. A token may have expired, been revoked, or belong to another account"
        + (f" than {site.email}." if site.email else "."),
        next_step="Make a new token and set it; scoped tokens of Cloud need --api-url as well, the gateway.",
    )


def _forbidden(site: AtlassianSite, said: str, response: Response) -> KbError:
    if "CAPTCHA" in response.headers.get("X-Authentication-Denied-Reason", ""):
        return Misconfigured(
            f"{site.name} wants the account to solve a CAPTCHA",
            why=f"{said} after failed logins.",
            next_step="Log in once in a browser with this account.",
        )
    return Refused(
        said,
        why="The account may not do this, or its token lacks a scope.",
        next_step="Give the account the right, or use a token with the scope.",
    )


def _complaint(response: Response) -> str:
    """The messages of an error in JSON, without secrets, and cut; empty when there are none in it. Personal data stays:
    the account that is meant may be the operator's own, and whoever shows it masks it."""
    try:
        start: bytes = next(response.iter_content(MAX_READ), b"")
    except (requests.RequestException, OSError):
        return ""
    try:
        said = json.loads(start)
    except ValueError:
        return ""
    told = "; ".join(dict.fromkeys(_messages(said)))
    shown = " ".join(
        _masker().secrets(with_blanks_for_controls(told)).text.split()
    )  # masked before it is cut: half a secret is not known for one
    return shown if len(shown) <= MAX_SHOWN_CHARACTERS else shown[:MAX_SHOWN_CHARACTERS].rstrip() + "…"


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
