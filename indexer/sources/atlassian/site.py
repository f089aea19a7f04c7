"""Which Confluence or Jira, and with whose credentials."""

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from domain.errors import Misconfigured

Product = Literal["confluence", "jira"]
Flavour = Literal["cloud", "datacenter"]


@dataclass(frozen=True, slots=True)
class AtlassianSite:
    """What an operator configured of one product."""

    product: Product
    url: str
    """Where people open it; for Confluence Cloud with or without `/wiki`."""
    flavour: Flavour
    email: str
    """Whose token it is; Data Center needs none, its tokens say it themselves."""
    token: str = field(repr=False)
    api_url: str = ""
    """The gateway that scoped tokens work on, `https://api.atlassian.com/ex/…`; empty: the API is at `url`."""

    def __post_init__(self) -> None:
        for each in (self.url, self.api_url):
            parts = urlsplit(each)
            plain = not (parts.username or parts.password or parts.query or parts.fragment)
            usable = plain and parts.scheme in {"http", "https"} and parts.hostname
            if (each or each is self.url) and not usable:
                raise Misconfigured(
                    f"{parts.hostname or 'The address'} cannot be used for {self.name}",
                    why="The URL needs https:// or http:// and a host, and no user name, query or fragment.",
                    next_step="Give the address of the site, such as https://example.atlassian.net.",
                )
        if self.flavour == "cloud" and not self.email:
            raise Misconfigured(
                f"{self.name} Cloud needs the e-mail address of the account whose token it is",
                next_step="Give it with --email of kb sources add.",
            )

    @property
    def name(self) -> str:
        """The product's name, for people."""
        return "Confluence" if self.product == "confluence" else "Jira"

    @property
    def home(self) -> str:
        """The base of links that people open, without a slash at its end."""
        return self._based(self.url)

    @property
    def base(self) -> str:
        """The base of requests, without a slash at its end; paths such as `/api/v2/pages` come after it."""
        return self._based(self.api_url or self.url)

    @property
    def own_account(self) -> str:
        """The path at which a token that is accepted at all is told whose it is."""
        if self.product == "confluence":
            return "/rest/api/user/current"
        return f"/rest/api/{3 if self.flavour == 'cloud' else 2}/myself"

    def _based(self, url: str) -> str:
        url = url.rstrip("/")
        wiki = self.product == "confluence" and self.flavour == "cloud"
        return f"{url.removesuffix('/wiki')}/wiki" if wiki else url

    def link(self, path: str) -> str:
        """A link for people. path: as the API gives it, after the base or with the base's own path before it."""
        if urlsplit(path).scheme:
            return path
        return f"{self.home}/{self.inner(path).lstrip('/')}"

    def inner(self, path: str) -> str:
        """A path, with a query or without, as it stands after `base`. path: also one from the root of a host."""
        for prefix in (urlsplit(self.base).path, urlsplit(self.home).path):
            if prefix and path.startswith(f"{prefix}/"):
                return path[len(prefix) :]
        return path

    def owns(self, url: str) -> bool:
        """Whether the credentials may be sent to this absolute URL."""
        return _origin(urlsplit(url)) in {_origin(urlsplit(self.base)), _origin(urlsplit(self.home))}


def _origin(parts: SplitResult) -> tuple[str, str, int]:
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return parts.scheme, (parts.hostname or "").lower(), port
