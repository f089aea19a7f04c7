"""Reads the names by which people and programs call an issue, a comment or a file of Jira."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from indexer.sources.atlassian.site import AtlassianSite

ISSUE, COMMENT, ATTACHMENT = "issue:", "comment:", "attachment:"
"""What external ids begin with."""
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*-\d{1,18}")
_OURS = re.compile(rf"({ISSUE}|{COMMENT}|{ATTACHMENT})(\d{{1,18}})(/\d{{1,18}})?")
_BROWSE = re.compile(rf"/(?:browse|issues)/({_KEY.pattern})/?$")
_FILE = re.compile(r"/attachment/(?:content/)?(\d{1,18})(?:/|$)")


@dataclass(frozen=True, slots=True)
class IssueName:
    """A document that is looked for. external_id: empty for an issue that is not named by its own. issue: the id or key
    of its issue; empty for an attachment of which it is not known."""

    external_id: str = ""
    issue: str = ""


def is_key(text: str) -> bool:
    """Whether it has the form of an issue's key."""
    return _KEY.fullmatch(text) is not None


def issue_named(name: str, site: AtlassianSite, homes: Mapping[str, str]) -> IssueName | None:
    """What `name` names: an external id, the id or key of an issue, or a URL of this site; None when it names nothing.

    homes: the ids of issues by the ids of their attachments.
    """
    if re.fullmatch(r"\d{1,18}", name) or _KEY.fullmatch(name):
        return IssueName("", name)
    ours = _OURS.fullmatch(name)
    if ours and bool(ours[3]) == (ours[1] == COMMENT):
        return IssueName(name, ours[2] if ours[1] != ATTACHMENT else homes.get(ours[2], ""))
    return _of_url(name, homes) if site.owns(name) else None


def _of_url(url: str, homes: Mapping[str, str]) -> IssueName | None:
    parts = urlsplit(url)
    if found := _BROWSE.search(parts.path):
        return IssueName("", found[1])
    if found := _FILE.search(parts.path):
        return IssueName(f"{ATTACHMENT}{found[1]}", homes.get(found[1], ""))
    selected = parse_qs(parts.query).get("selectedIssue", [""])[0]
    return IssueName("", selected) if _KEY.fullmatch(selected) else None
