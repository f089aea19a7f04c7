"""Options that sources of Confluence and Jira share: what an operator gives, what is stored, and the site of it."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from domain.access import email_of
from indexer.sources.atlassian.site import AtlassianSite, Product
from indexer.sources.kind import OptionError, SourceOption, SourceSetup, variable_name

if TYPE_CHECKING:
    from indexer.sources.atlassian.client import AtlassianClient

TRIES = 4
"""How often a request that hangs is made within the patience."""

SITE_OPTIONS = (
    SourceOption("--url", "url", "Where people open it.", metavar="URL", required=True),
    SourceOption("--flavour", "flavour", "By default cloud at *.atlassian.net.", choices=("cloud", "datacenter")),
    SourceOption("--email", "email", "Cloud: of the account whose token it is.", metavar="EMAIL", default=""),
    SourceOption(
        "--token-env", "token_env", "The environment variable that holds the token.", metavar="VAR", required=True
    ),
    SourceOption(
        "--api-url", "api_url", "Cloud, scoped tokens: https://api.atlassian.com/ex/…", metavar="URL", default=""
    ),
    SourceOption(
        "--organisation-group",
        "organisation_groups",
        "A group that stands for everybody: what it may read is used in channels. Repeat for several.",
        metavar="GROUP",
        multiple=True,
    ),
    SourceOption(
        "--open-to-all", "open_to_all", "The site lets people in from anywhere who are not logged in.", switch=True
    ),
    SourceOption(
        "--webhook-secret-env",
        "webhook_secret_env",
        "The environment variable that holds the secret of its webhooks: docs/webhooks.md.",
        metavar="VAR",
        default="",
    ),
    SourceOption("--no-attachments", "no_attachments", "Do not read attached files.", switch=True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedOptions:
    """What an operator says of either product, beside where it is."""

    organisation_groups: frozenset[str] = frozenset()
    """Groups that stand for the whole organisation: what admits one of them admits every member of it, with an account
    or without."""
    open_to_all: bool = False
    """Whether the site admits people who are not logged in, from anywhere, which no API tells. What spaces and schemes
    say of them counts only then; in Jira it is said of all who may use it otherwise."""
    attachments: bool = True
    """Whether files are read."""
    max_bytes: int = 25_000_000
    """Larger files are skipped."""


def shared_options(setup: SourceSetup) -> dict[str, Any]:
    """The fields of SharedOptions as they are configured."""
    return {
        "organisation_groups": frozenset(setup.texts("organisation_groups")),
        "open_to_all": bool(setup.options.get("open_to_all")),
        "attachments": bool(setup.options.get("attachments", True)),
        "max_bytes": setup.max_bytes,
    }


def stored_site(given: Mapping[str, Any]) -> dict[str, object]:
    """What is stored of `SITE_OPTIONS`. Raises OptionError."""
    url = given["url"].strip().rstrip("/")
    host = re.sub(r"^\w+://([^/:]+).*", r"\1", url).lower()
    flavour = given["flavour"] or ("cloud" if host.endswith((".atlassian.net", ".jira.com")) else "datacenter")
    email = email_of(given["email"]) if given["email"] else ""
    if email is None:
        raise OptionError(f"{given['email']!r} is not an e-mail address", "--email")
    options: dict[str, object] = {
        "url": url,
        "flavour": flavour,
        "email": email,
        "token_env": variable_name(given["token_env"], "--token-env"),
        "api_url": given["api_url"].strip().rstrip("/"),
        "organisation_groups": list(given["organisation_groups"]),
        "open_to_all": given["open_to_all"],
        "attachments": not given["no_attachments"],
    }
    if given["webhook_secret_env"]:
        options["webhook_secret_env"] = variable_name(given["webhook_secret_env"], "--webhook-secret-env")
    return options


@asynccontextmanager
async def open_client(setup: SourceSetup, product: Product) -> "AsyncIterator[AtlassianClient]":
    """The client of a source's site. Raises Misconfigured when its token is not in the environment, or its address
    cannot be used."""
    from indexer.sources.atlassian.client import AtlassianClient  # its library takes a while to import

    options, patience = setup.options, setup.patience
    site = AtlassianSite(
        product=product,
        url=str(options.get("url", "")),
        flavour="datacenter" if options.get("flavour") == "datacenter" else "cloud",
        email=str(options.get("email") or ""),
        token=setup.token(product),
        api_url=str(options.get("api_url") or ""),
    )
    async with AtlassianClient(site, patience=patience, timeout=patience / TRIES) as client:
        yield client
