"""What the people are called whom a text mentions: the markup has their ids alone."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from domain.errors import Refused
from indexer.sources.atlassian.client import AtlassianClient

MAX_PEOPLE = 200
"""Whose names are asked for because of one document; more than that is a list of a company, not a text to them."""
Lookup = Callable[[Sequence[str]], Awaitable[Mapping[str, str]]]

_ACCOUNT, _KEY = "accountid:", "user:"
_IN_STORAGE = re.compile(r"<ri:user\b([^<>]{1,500})>")
_ATTRIBUTE = re.compile(r"ri:(account-id|userkey|username)\s*=\s*[\"']([^\"'<>]{1,200})[\"']")
_PREFIXES = {"account-id": _ACCOUNT, "userkey": _KEY, "username": ""}
_IN_WIKI_MARKUP = re.compile(r"\[~([^\s\[\]~|]{1,200})\]")


class DisplayNames:
    """Names of people as markup identifies them: `accountid:…`, `user:…` (a key), or a name to log in with. Each is
    asked for once; whom the product does not tell of stays without a name."""

    def __init__(self, look_up: Lookup) -> None:
        self._look_up = look_up
        self._known: dict[str, str] = {}

    def learn(self, names: Mapping[str, str]) -> None:
        """Names that came with an answer to something else."""
        self._known.update(names)

    async def of(self, people: Iterable[str]) -> dict[str, str]:
        """The names of those that have one. Raises Transient and Misconfigured as the client does."""
        wanted = [each for each in dict.fromkeys(people) if each]
        new = [each for each in wanted if each not in self._known][:MAX_PEOPLE]
        if new:
            try:
                found = await self._look_up(new)
            except Refused:  # the account may not look people up
                found = {}
            self._known |= {each: found.get(each, "") for each in new}
        return {each: self._known[each] for each in wanted if self._known.get(each)}


async def one_by_one(client: AtlassianClient, path: str, people: Sequence[str]) -> dict[str, str]:
    """Names where the product, Data Center, has no request for many. path: where one user is asked for."""

    async def name(person: str) -> str:
        kind = {"key": person.removeprefix(_KEY)} if person.startswith(_KEY) else {"username": person}
        try:
            row = await client.get(path, kind)
        except Refused:
            return ""
        return str(row.get("displayName") or "") if isinstance(row, dict) else ""

    asked = [each for each in people if not each.startswith(_ACCOUNT)]
    return dict(zip(asked, await asyncio.gather(*map(name, asked)), strict=True))


def accounts_in(people: Iterable[str]) -> dict[str, str]:
    """Account ids of Cloud to how markup names them."""
    return {each.removeprefix(_ACCOUNT): each for each in people if each.startswith(_ACCOUNT)}


def mentioned(text: object) -> Iterator[str]:
    """Whom a text mentions: storage format, wiki markup, or ADF as JSON or as an object."""
    if isinstance(text, str) and text[:1] == "{" and '"mention"' in text:
        try:
            text = json.loads(text)
        except (ValueError, RecursionError):
            return
    if isinstance(text, dict):
        yield from _in_adf(text)
    elif isinstance(text, str):
        for user in _IN_STORAGE.finditer(text):
            yield from (_PREFIXES[kind] + name for kind, name in _ATTRIBUTE.findall(user[1]))
        yield from (found[1] for found in _IN_WIKI_MARKUP.finditer(text))


def _in_adf(document: Any) -> Iterator[str]:
    waiting = [document]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict):
            given = node.get("attrs")
            if node.get("type") == "mention" and isinstance(given, dict) and isinstance(given.get("id"), str):
                yield f"{_ACCOUNT}{given['id']}"
            waiting.append(node.get("content"))
            if isinstance(given, dict) and isinstance(given.get("cxhtml"), str):
                yield from mentioned(given["cxhtml"])
