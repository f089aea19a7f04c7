"""Addresses of pages in one form, whichever way they are written.

Confluence gives a page many addresses; those with the page's number are one, those with its title another. Which number
has which title only the page itself can tell, which states both.
"""

from base64 import b64decode
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, quote, unquote, unquote_plus, urlencode, urlsplit

from domain.patterns import LinearRegex

_TRACKING = LinearRegex(r"utm_\w+|fbclid|gclid|atl\w*|focusedcommentid|focusedid|os_\w+", ignore_case=True)
_NUMBERED = LinearRegex(
    r"(?P<base>.*?)/spaces/[^/]+/(?:pages|blog(?:/\d{4}/\d\d/\d\d)?)/(?:edit-v2/)?(?P<page>\d{1,20})(?:/|$)"
)
_TITLED = LinearRegex(r"(?P<base>.*?)/display/(?P<space>[^/]+)/(?P<title>[^/]+)/?$")
_TITLED_BY_DAY = LinearRegex(r"(?P<base>.*?)/display/(?P<space>[^/]+)/\d{4}/\d\d/\d\d/(?P<title>[^/]+)/?$")
_BASE = LinearRegex(r"(.*?)/(?:pages/\d+|display/[^/]+/.+)$")
_TINY = LinearRegex(r"(?P<base>.*?)/x/(?P<code>[\w-]{2,16})/?$")
_ISSUE = LinearRegex(r"/(?:browse|issues)/(?P<key>[A-Za-z][A-Za-z0-9_]{1,30}-\d{1,12})/?$")
_ACTION = LinearRegex(r"(?P<base>.*?)/pages/[\w-]+\.action$")
_HIDING = LinearRegex(r"%(?:3\d|[46][1-9A-F]|[57][0-9A]|2D|2E|5F)", ignore_case=True)
"""A letter, digit, point or dash spelled with `%`."""
_INDEX = LinearRegex(r"/(?:index|default)\.(?:html?|php|aspx?)$", ignore_case=True)


@dataclass(frozen=True, slots=True)
class PageAddress:
    """What an address leads to."""

    address: str
    """Host and path, without a scheme."""
    issue: str = ""
    """The key of a Jira issue, where it is one."""


def canonical_address(url: str) -> PageAddress | None:
    """What `url` leads to; None for what is no address of the web.

    None too where a letter or a digit is spelled with `%`: no program writes it so, and who does can hide from a masker
    what would then stand in the address.
    """
    parts = _split(url)
    if parts is None or _HIDING.search(f"{parts.path}?{parts.query}"):
        return None
    name, port = (parts.hostname or "").removeprefix("www.").rstrip("."), parts.port
    host, path = name if port in {None, 80, 443} else f"{name}:{port}", unquote(parts.path)
    query = dict(parse_qsl(parts.query))
    page = _wiki_page(host, parts.path, path, query)  # first: a page may be called like an issue
    if page:
        return PageAddress(page)
    issue = _ISSUE.search(path)
    named = issue["key"] if issue else query.get("selectedIssue", "")
    if named:
        return PageAddress(f"{host}{path}", named.upper())
    kept = sorted((name, value) for name, value in query.items() if not _TRACKING.fullmatch(name))
    plain = _INDEX.sub("", path).rstrip("/")
    return PageAddress(f"{host}{quote(plain, safe='/:@!$&()*+,;=~-._')}{'?' + urlencode(kept) if kept else ''}")


def numbered(url: str, page: str) -> str:
    """The canonical address of another page of the Confluence that `url` is of, by its number; empty when `url` is of
    none."""
    base = _base(url)
    return f"{base}/pages/{page}" if base is not None and page else ""


def titled(url: str, space: str, title: str) -> str:
    """The same by space and title."""
    base = _base(url)
    return _by_title(base, space, title) if base is not None and space and title else ""


def _wiki_page(host: str, raw: str, path: str, query: dict[str, str]) -> str:
    """The canonical address of a page of Confluence; empty when it is none. raw: the path as written."""
    if found := _NUMBERED.match(path):
        return f"{host}{found['base']}/pages/{found['page']}"
    action = _ACTION.match(path)
    if action and query.get("pageId", "").isdigit():
        return f"{host}{action['base']}/pages/{query['pageId']}"
    if action and query.get("title") and query.get("spaceKey"):
        return _by_title(f"{host}{action['base']}", query["spaceKey"], query["title"])
    if found := _TITLED_BY_DAY.match(raw) or _TITLED.match(raw):
        return _by_title(f"{host}{found['base']}", unquote_plus(found["space"]), unquote_plus(found["title"]))
    if (found := _TINY.match(path)) and (number := _tiny_number(found["code"])):
        return f"{host}{found['base']}/pages/{number}"
    return ""


def _by_title(base: str, space: str, title: str) -> str:
    return f"{base}/display/{space.casefold()}/{' '.join(title.casefold().split())}"


def _base(url: str) -> str | None:
    """Where the Confluence lies that a page's address is of, and None when it is none."""
    found = canonical_address(url)
    base = _BASE.match(found.address) if found else None
    return base[1] if base else None


def _tiny_number(code: str) -> str:
    """The page's number in a short link: its bytes, the lowest first, without zeros at the end."""
    code = code.rstrip("/").replace("-", "/").replace("_", "+")
    try:
        number = int.from_bytes(b64decode((code + "A" * 11)[:11] + "=", validate=True), "little")
    except ValueError:
        return ""
    return str(number) if 0 < number < 10**15 else ""


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url.strip())
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme.lower() in {"http", "https"} and parts.hostname else None
