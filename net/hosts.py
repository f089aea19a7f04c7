"""Which hosts may be asked at all, where not every public one may."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from domain.errors import Misconfigured, Refused
from net.targets import Target, target_of

_BARE = re.compile(r"\[[^\[\]/]+\]|[^:/?#\[\]]+")


@dataclass(frozen=True, slots=True)
class OnlyHosts:
    """The hosts that an operator admits.

    hosts: admitted by their very name. domains: each with a dot in front; what ends in one is admitted, the bare
    domain itself is not.
    """

    hosts: frozenset[str]
    domains: tuple[str, ...]

    @classmethod
    def parse(cls, entries: Sequence[str]) -> "OnlyHosts":
        """The hosts that `entries` spell: `example.com` or `.example.com` each, no entry admitting no host.

        Raises:
            Misconfigured: an entry is neither.
        """
        cleaned = [entry.strip() for entry in entries]
        return cls(
            frozenset(_target(entry).host for entry in cleaned if not entry.startswith(".")),
            tuple("." + _domain(entry) for entry in cleaned if entry.startswith(".")),
        )

    def admits(self, host: str) -> bool:
        """Whether `host`, in the spelling of `Target.host`, is one of them."""
        return host in self.hosts or host.endswith(self.domains)

    def check(self, target: Target) -> None:
        """Raises Refused when the host of `target` is not one of them."""
        if not self.admits(target.host):
            raise Refused(
                f"{target.shown} may not be fetched",
                why="its host is not one of those that pages may be fetched from",
                next_step="if it is meant to be reached, an operator adds the host to that list",
            )


def _target(entry: str) -> Target:
    """What the host `entry` names. Raises Misconfigured when it is no host, or has more than a host."""
    bare = f"[{entry}]" if entry.count(":") > 1 and not entry.startswith("[") else entry
    if not _BARE.fullmatch(bare):
        raise _unusable(entry, "it is not a host alone")
    try:
        return target_of(f"http://{bare}/")
    except Refused as error:
        raise _unusable(entry, error.why) from error


def _domain(entry: str) -> str:
    target = _target(entry.removeprefix("."))
    if target.literal:
        raise _unusable(entry, "an IP address has no subdomains")
    return target.host


def _unusable(entry: str, why: str) -> Misconfigured:
    return Misconfigured(
        f"an entry of the list of hosts that pages may be fetched from cannot be used: {entry!r}",
        why=why,
        next_step="list hosts (`www.example.com`) and, for every host below a domain, the domain with a dot in front "
        "(`.example.com`)",
    )
