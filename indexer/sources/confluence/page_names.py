"""By what people name a page of Confluence: an id, our own id for it, a URL."""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qs, unquote_plus, urlsplit

from indexer.sources.atlassian.site import AtlassianSite

_OURS = re.compile(r"(page|blog|attachment):(\w{1,40})")
_IN_A_PATH = re.compile(r"/(?:pages|blog)/(?:\d{4}/\d\d/\d\d/)?(?:edit-v2/)?(\d{1,30})(?:/|$)")
_BY_TITLE = re.compile(r"/display/([^/]+)/([^/]+)/?$")


@dataclass(frozen=True, slots=True)
class PageName:
    """kind: empty when the id may be a page's or a blog post's; `title` for a space's key in `id` and a `title`."""

    kind: Literal["", "page", "blogpost", "attachment", "title"]
    id: str
    title: str = ""


def page_name_of(name: str, site: AtlassianSite) -> PageName | None:
    """What a name names; None when it names nothing of this site."""
    name = name.strip()
    if ours := _OURS.fullmatch(name):
        kinds: dict[str, Literal["page", "blogpost", "attachment"]] = {"page": "page", "blog": "blogpost"}
        return PageName(kinds.get(ours.group(1), "attachment"), ours.group(2))
    if re.fullmatch(r"\d{1,30}", name):
        return PageName("", name)
    parts = urlsplit(name)
    return _of_url(name, site) if parts.scheme and parts.hostname and site.owns(name) else None


def _of_url(url: str, site: AtlassianSite) -> PageName | None:
    parts = urlsplit(url)
    given = parse_qs(parts.query)
    preview = re.search(r"/\d+/(\d{1,30})/", given.get("preview", [""])[0])
    if preview:
        return PageName("attachment", f"att{preview.group(1)}")
    if found := _IN_A_PATH.search(parts.path):
        return PageName("", found.group(1))
    number = given.get("pageId", [""])[0]
    if re.fullmatch(r"\d{1,30}", number):
        return PageName("", number)
    titled = _BY_TITLE.search(site.inner(parts.path))
    return PageName("title", unquote_plus(titled.group(1)), unquote_plus(titled.group(2))) if titled else None
