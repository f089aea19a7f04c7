"""Addresses that may be linked: which ones are, how they are spelled, and texts that pretend to be others. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from domain.patterns import LinearRegex
from domain.text.file_endings import DOCUMENTS

URL = 2_000
"""Characters of an address that is linked: with a label, it has to fit into a text of a message. Longer ones are shown
as text."""

_SPACES = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_HOST = re.compile(r"[a-z0-9._~\[\]:-]+")
_SAFE = "%/:?#[]@!$&'()*+,;=~-._"
"""What RFC 3986 lets stand in an address, and what is encoded already."""

_SPELLED = re.compile(r"//([^\s/?#]+)")
_BARE = LinearRegex(r"\w[\w-]*\.(?:[\w-]+\.)*[a-z]{2,}", before=r"^|\W", after=r"\W|\Z", ignore_case=True)
_FILES = re.compile(rf"{DOCUMENTS}|xml|log|py|sh|sql|js|ts|go|java")
"""Endings that are more likely those of a file than of a host."""


def web_url(url: str, *, mail: bool = False) -> str:
    """An address as it may stand in a link: http or https with a host and without credentials, percent-encoded.

    Empty where it is none, or too long. mail: whether mailto is taken as well.
    """
    url = url.strip(" ")
    if _SPACES.search(url):
        return ""
    try:
        parts = urlsplit(url)
        # in lower case, and names in other scripts as the DNS spells them
        host = parts.netloc.lower() if parts.netloc.isascii() else parts.netloc.encode("idna").decode("ascii").lower()
    except ValueError:
        return ""
    scheme = parts.scheme.lower()
    if mail and scheme == "mailto" and "@" in parts.path:
        return _encoded(url)
    if scheme not in ("http", "https") or not _HOST.fullmatch(host):
        return ""
    return _encoded(parts._replace(scheme=scheme, netloc=host).geturl())


def _encoded(url: str) -> str:
    encoded = quote(url, safe=_SAFE, errors="replace")
    return encoded if len(encoded) <= URL else ""


@dataclass(frozen=True, slots=True)
class AllowedAddresses:
    """The addresses that may be live in a text: those of its citations, and places within the same pages. What else
    lies on their hosts may be anybody's.

    exact: addresses as `web_url` spells them. pages: those of pages of which any place may be linked.
    """

    exact: frozenset[str] = frozenset()
    pages: frozenset[str] = frozenset()

    @classmethod
    def of(cls, urls: Iterable[str]) -> "AllowedAddresses":
        """What citations with these addresses allow; those that are no web addresses allow nothing."""
        exact = frozenset(filter(None, map(web_url, urls)))
        return cls(exact, frozenset(filter(None, map(_page, exact))))

    def link(self, url: str) -> str:
        """The address as it may be linked, or nothing."""
        safe = web_url(url)
        return safe if safe in self.exact or _page(safe) in self.pages else ""


def _page(url: str) -> str:
    """The page in which a place lies. Some sites name their pages behind the sign for places, after a slash: of those,
    nothing is said."""
    page, _, place = url.partition("#")
    return "" if "/" in place else page


NO_ADDRESSES = AllowedAddresses()


def pretends(label: str, url: str) -> bool:
    """Whether a label names another host than the address it would lead to. Names of files are taken for such."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    bare = (name for name in _BARE.findall(label) if not _FILES.fullmatch(name.rpartition(".")[2].lower()))
    return any(_other(name, host) for name in (*_SPELLED.findall(label), *bare))


def _other(name: str, host: str) -> bool:
    named = name.lower().removeprefix("www.")
    return named != host and named.partition(":")[0] != host
