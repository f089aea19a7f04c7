"""What the product has to know of a kind of source: one `SourceKind` row, which is `KIND` in the kind's own folder.

`kind.py` of a folder is imported by every command: it imports connectors and their libraries inside its functions.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from domain.access import Acl
from domain.errors import Misconfigured

if TYPE_CHECKING:
    from indexer.sources.connector import Connector


class OptionError(ValueError):
    """An option of a source that cannot be used. flag: which one, such as `--url`; empty: what they are together."""

    def __init__(self, message: str, flag: str = "") -> None:
        super().__init__(message)
        self.flag = flag


def variable_name(given: str, flag: str) -> str:
    """The name of an environment variable, as an option takes it that says where a secret is. flag: of the option.
    Raises OptionError for what is no such name, or that of a setting."""
    if not re.fullmatch(r"[A-Za-z_]\w*", given) or given.startswith("KB_AGENT_"):
        raise OptionError(
            "it takes the name of an environment variable, not the secret itself; one that KB_AGENT_ does not begin",
            flag,
        )
    return given


@dataclass(frozen=True, slots=True)
class SourceOption:
    """One option of `kb sources add KIND`, and under which name its value is handed to `SourceKind.stored`."""

    flag: str
    """Such as `--space`."""
    name: str
    help: str
    metavar: str | None = None
    required: bool = False
    multiple: bool = False
    """Given any number of times; the value is a tuple."""
    switch: bool = False
    """Takes no value; the value is a bool."""
    choices: tuple[str, ...] = ()
    default: str | None = None


@dataclass(frozen=True, slots=True)
class SourceSetup:
    """A configured source, with the settings that its connector needs."""

    name: str
    options: Mapping[str, Any]
    """As `SourceKind.stored` gave them."""
    audience: Acl
    """Whom its documents admit where the source does not state that itself."""
    secret: Callable[[str], str | None]
    """The value of an environment variable; None where it is not set."""
    patience: float
    """Seconds for one request with its repetitions."""
    max_bytes: int
    """Larger files are skipped."""
    fetch_allow: tuple[str, ...] = ()
    """Hosts and networks that may be fetched although they are private."""
    fetch_max_bytes: int = 20_000_000
    fetch_seconds: float = 30.0
    fetch_delay: float = 1.0
    """Seconds between two pages of one host."""
    fetch_max_pages: int = 1_000

    def texts(self, option: str) -> tuple[str, ...]:
        """The values of an option that is a list."""
        found = self.options.get(option)
        return tuple(str(each) for each in found) if isinstance(found, list) else ()

    def token(self, kind: str) -> str:
        """The secret in the environment variable that the option `token_env` names. kind: of the source. Raises
        Misconfigured when it is not there."""
        variable = str(self.options.get("token_env") or "")
        token = self.secret(variable)
        if token is not None:
            return token
        raise Misconfigured(
            f"The token of {self.name} is not there",
            why=f"It is read from the environment variable {variable}, which is not set."
            if variable
            else "The source names no environment variable for it.",
            next_step=f"Set {variable} where this command and kb serve run."
            if variable
            else f"Name it: kb sources add {kind} --name {self.name} --replace --token-env VARIABLE …",
        )


@dataclass(frozen=True, slots=True)
class WebhookFormat:
    """What a kind of source sends when something changed."""

    changed: Callable[[bytes], Iterable[str]]
    """External ids of the documents that a body names. Raises Refused for a body that cannot be read."""
    delivery_header: str
    """The HTTP header that has the same value when a delivery is repeated."""


@dataclass(frozen=True, slots=True)
class SourceKind:
    """One kind of source."""

    name: str
    """As it is stored with each source, and typed behind `kb sources add`."""
    title: str
    """As people know it."""
    summary: str
    """Of `kb sources add KIND --help`."""
    options: tuple[SourceOption, ...]
    stored: Callable[[Mapping[str, Any]], dict[str, object]]
    """The options to store, from those that were given. Raises OptionError and Refused."""
    open: Callable[[SourceSetup], "AbstractAsyncContextManager[Connector]"]
    """The connector. Raises Misconfigured where an option, or a secret that it names, cannot be used."""
    states_permissions: bool = False
    """Whether the source says of each document who may read it: its connector is a PermissionSource then, there are
    index runs over permissions, and documents whose permissions were not read for too long are hidden."""
    place_option: str = "url"
    """The stored option that says where the source is."""
    of_place: Callable[[str], dict[str, object] | None] | None = None
    """For `kb index PLACE`: the options to store for a path or URL; None where it is of another kind."""
    live_tool: str = ""
    """The agent's tool that reads one document at the source; its connector is a SingleSource then."""
    webhook: WebhookFormat | None = None
    """None: it sends nothing."""
    document_names: Callable[[str, str], Iterable[str]] = lambda _external_id, _url: ()
    """By what else people call a document with an external id and a URL, such as an issue by its key."""
