"""What macros are to a reader, for all formats that have them.

The names are those that Confluence and Jira give their own macros; all others are kept by name and title.
"""

import re
from collections.abc import Mapping

from indexer.parse.mentions import MentionCollector


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CODE = _words("code noformat")
EXPANDS = _words("expand ui-expand")
QUOTES = _words("quote")
PANELS = {
    "panel": "",
    "info": "Info",
    "note": "Note",
    "tip": "Tip",
    "warning": "Warning",
    "success": "Success",
    "error": "Error",
}
"""Boxes with a title and a body, and what a reader is told that they are."""
INCLUDES = _words(
    "include excerpt-include include-plus multiexcerpt-include multiexcerpt-include-macro multi-excerpt-include"
)
"""Shows the text of another page: its readers may be others, so that it is never followed."""
TRANSPARENT = _words(
    "excerpt section column toc-zone color align div span details layout layout-section layout-cell numberedheadings"
    " multiexcerpt-macro multiexcerpt center bgcolor"
)
"""Only arranges or marks its own body."""
_GENERATED = _words(
    "anchor toc children pagetree pagetreesearch livesearch recently-updated recently-updated-dashboard"
    " contentbylabel content-report-table detailssummary listlabels popular-labels related-labels navmap labels"
    " change-history contributors contributors-summary attachments space-attachments gallery blog-posts spaces"
    " space-details spaceslist create-from-template create-space-button index favpages network profile-list"
    " tasks-report-macro search userlister page-index global-reports loremipsum"
)
_TITLES = ("title", "name", "diagramName", "diagramDisplayName", "displayName", "label", "text", "filename", "url")
_KEY = re.compile(r"(?<![\w-])[A-Z][A-Z0-9_]{1,30}-[1-9][0-9]{0,9}(?![\w-])")
_SPACE_AND_TITLE = re.compile(r"(?P<space>[A-Z][A-Z0-9]*|~[\w.-]+):(?P<title>.+)", re.DOTALL)


def is_generated(name: str) -> bool:
    """Whether a macro without a body of its own only shows what stands elsewhere, or nothing at all."""
    return name in _GENERATED


def issue_keys(text: str) -> list[str]:
    """The issue keys in `text`, which must be of a kind that holds some: `UTF-8` looks like one."""
    return _KEY.findall(text)


def is_issue_key(text: str) -> bool:
    """Whether `text` has the form of an issue key and nothing else."""
    return _KEY.fullmatch(text) is not None


def described(name: str, parameters: Mapping[str, str]) -> str:
    """What a reader learns of a macro that is not known: its name and title."""
    title = next((parameters[key].strip() for key in _TITLES if parameters.get(key, "").strip()), "")
    return ": ".join(dict.fromkeys(part for part in (name, title) if part))


def included(parameters: Mapping[str, str]) -> tuple[str, str, str]:
    """The page that an including macro shows: as it is written, its space when that says one, and its title."""
    keys = ("", "default-parameter", "page", "pageTitle", "PageWithExcerpt", "name")
    name = next((parameters[key].strip() for key in keys if parameters.get(key, "").strip()), "")
    placed = _SPACE_AND_TITLE.fullmatch(name)
    return (name, placed["space"], placed["title"].strip()) if placed else (name, "", name)


def jira_text(parameters: Mapping[str, str], mentioned: MentionCollector) -> str:
    """What a macro that shows issues says: the key of one, or the query for several. mentioned: told the keys in it."""
    query = parameters.get("jqlQuery", "") or parameters.get("jql", "")
    key = parameters.get("key", "").strip()
    for each in issue_keys(f"{key} {query}"):
        mentioned.issue(each)
    return key or (f"Jira: {query}" if query else "")


def panel_label(name: str, title: str) -> tuple[str, str]:
    """What is said before the first block of a panel's body, and its heading line; one of the two is empty."""
    kind = PANELS.get(name, "")
    return ("", f"{kind}: {title}" if kind else title) if title else (kind, "")


def code_header(title: str, language: str) -> str:
    """What each part of a piece of code repeats: its title, and its language behind it."""
    language = "" if language.lower() in {"none", "text", "plain", "plaintext"} else language
    return f"{title} ({language})" if title and language else title or (f"Code ({language})" if language else "")
