"""By what people name a page of Confluence: an id, our own id for it, a URL."""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qs, unquote_plus, urlsplit

from indexer.connectors.atlassian.site import Site

_OURS = re.compile(r"(page|blog|attachment):(\w{1,40})")
_IN_A_PATH = re.compile(r"/(?:pages|blog)/(?:\d{4}/\d\d/\d\d/)?(?:edit-v2/)?(\d{1,30})(?:/|$)")
_BY_TITLE = re.compile(r"/display/([^/]+)/([^/]+)/?$")


@dataclass(frozen=True, slots=True)
class Name:
    """kind: empty when the id may be a page's or a blog post's; `title` for a space's key in `id` and a `title`."""

    kind: Literal["", "page", "blogpost", "attachment", "title"]
    id: str
    title: str = ""


def name_of(name: str, site: Site) -> Name | None:
    """What a name names; None when it names nothing of this site."""
    name = name.strip()
    if ours := _OURS.fullmatch(name):
        kinds: dict[str, Literal["page", "blogpost", "attachment"]] = {"page": "page", "blog": "blogpost"}
        return Name(kinds.get(ours.group(1), "attachment"), ours.group(2))
    if re.fullmatch(r"\d{1,30}", name):
        return Name("", name)
    parts = urlsplit(name)
    return _of_url(name, site) if parts.scheme and parts.hostname and site.owns(name) else None


def _of_url(url: str, site: Site) -> Name | None:
    parts = urlsplit(url)
    given = parse_qs(parts.query)
    preview = re.search(r"/\d+/(\d{1,30})/", given.get("preview", [""])[0])
    if preview:
        return Name("attachment", f"att{preview.group(1)}")
    if found := _IN_A_PATH.search(parts.path):
        return Name("", found.group(1))
    number = given.get("pageId", [""])[0]
    if re.fullmatch(r"\d{1,30}", number):
        return Name("", number)
    titled = _BY_TITLE.search(site.inner(parts.path))
    return Name("title", unquote_plus(titled.group(1)), unquote_plus(titled.group(2))) if titled else None
