"""One strict reading of a URL: the host that is judged is the host that is connected to.

Spellings on which URL readers disagree (user names, backslashes, control characters, percent signs in the host,
numbers as hosts, trailing dots, zone ids) are refused here, so that no second reader can see another host.
"""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address

import httpx

from domain.errors import Refused

MAX_URL = 8_000
"""Characters in a URL. RFC 9110, section 4.1: everybody should support at least 8,000 octets."""

DEFAULT_PORTS = {"http": 80, "https": 443}
"""The port of each scheme that is fetched. RFC 9110, sections 4.2.1 and 4.2.2."""

_SHAPE = re.compile(r"https?://(?:\[[0-9a-f:.]+\]|[^\s/?#@\[\]:\\%]+)(?::[0-9]{1,5})?(?=[/?#]|\Z)", re.IGNORECASE)
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
# a last label that is a number would be read as an IPv4 address: https://url.spec.whatwg.org/#ends-in-a-number-checker
_NAME = re.compile(rf"(?:{_LABEL}\.)*(?!(?:[0-9]+|0x[0-9a-f]*)\Z){_LABEL}")


@dataclass(frozen=True, slots=True)
class Target:
    """What a URL names.

    url: as it is requested: no fragment, no credentials, lower-case ASCII host, no default port, a path.
    host: a DNS name, or an IP address in its shortest spelling and without brackets. port: as connected to.
    """

    url: httpx.URL
    host: str
    port: int

    @property
    def literal(self) -> IPv4Address | IPv6Address | None:
        """The address that the URL spells out; None when it gives a name."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None

    @property
    def on_default_port(self) -> bool:
        """Whether the port is the one of the scheme."""
        return self.port == DEFAULT_PORTS[self.url.scheme]

    @property
    def shown(self) -> str:
        """For messages: scheme, host and path. Not the query, which may carry a token."""
        path = self.url.raw_path.partition(b"?")[0]
        text = f"{self.url.scheme}://{(self.url.netloc + path).decode('ascii')}"
        return text if len(text) <= 200 else text[:199] + "…"


def target_of(text: str) -> Target:
    """What the URL `text` names.

    Raises:
        Refused: not an absolute http or https URL, or one that different readers read differently.
    """
    if len(text) > MAX_URL:
        raise _refused(f"it is longer than {MAX_URL:,} characters")
    # readers of URLs drop or swap these
    if "\\" in text or text != text.strip() or any(ord(char) < 0x20 or ord(char) == 0x7F for char in text):
        raise _refused("it has a backslash, a control character, or a space at its start or end")
    if not _SHAPE.match(text):
        raise _refused("it is not http://HOST/… or https://HOST/… without a user name")
    try:
        url = httpx.URL(text)
        url = url.copy_with(fragment=None, raw_path=url.raw_path)
    except (httpx.InvalidURL, ValueError) as error:
        raise _refused("its host, port or path is not valid") from error
    port = DEFAULT_PORTS[url.scheme] if url.port is None else url.port
    if not 0 < port < 65_536:
        raise _refused("its port is not between 1 and 65535")
    return Target(url, _host(url.raw_host.decode("ascii")), port)


def redirected(source: Target, location: str) -> Target:
    """Where a redirect from `source` to `location` (absolute or relative) leads.

    Raises:
        Refused: as in `target_of`; or the redirect leaves https.
    """
    try:
        joined = str(source.url.join(location))
    except (httpx.InvalidURL, ValueError) as error:
        raise _refused("the redirect's address is not valid") from error
    target = target_of(joined)
    if source.url.scheme == "https" and target.url.scheme == "http":
        raise Refused(
            f"the redirect from {source.shown} was not followed",
            why="it leads from https to http, where others could read and change the page",
            next_step="use the URL of the page itself",
        )
    return target


def _host(text: str) -> str:
    """`text` as the host of a Target. Raises Refused for what is neither an IP address nor a DNS name."""
    try:
        return str(ip_address(text))
    except ValueError:
        pass
    if len(text) > 253 or not _NAME.fullmatch(text):  # RFC 1035, section 2.3.4
        raise _refused("its host is neither a DNS name nor an IP address in the usual spelling")
    return text


def _refused(why: str) -> Refused:
    # the text itself is not shown: it may hold a password
    return Refused("the URL cannot be fetched", why=why, next_step="give the address as a browser shows it")
