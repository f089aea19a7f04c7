"""Which addresses may be connected to.

An address is public when it is global unicast and in none of the ranges below. Everything else needs the
operator: the allow-list must name the host, and a network around the address.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from domain.errors import Misconfigured, Refused
from net.targets import Target, target_of

SETTING = "KB_AGENT_FETCH_ALLOW"

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# The narrower range first: the first that contains an address is the one that counts.
# Sources: the registries iana-ipv4-special-registry, iana-ipv6-special-registry and ipv6-address-space;
# the metadata services are from their vendors' documentation.
_RANGES: tuple[tuple[str, str], ...] = (
    ("169.254.169.254/32", "a cloud metadata service"),
    ("169.254.170.2/32", "a cloud metadata service"),  # AWS ECS task credentials
    ("168.63.129.16/32", "a cloud metadata service"),  # Azure
    ("100.100.100.200/32", "a cloud metadata service"),  # Alibaba
    ("192.0.0.192/32", "a cloud metadata service"),  # Oracle
    ("fd00:ec2::254/128", "a cloud metadata service"),  # AWS
    ("fd20:ce::254/128", "a cloud metadata service"),  # Google
    ("0.0.0.0/8", "this host itself"),
    ("10.0.0.0/8", "a private network"),
    ("100.64.0.0/10", "a carrier's shared network"),
    ("127.0.0.0/8", "this host itself"),
    ("169.254.0.0/16", "a link-local network"),
    ("172.16.0.0/12", "a private network"),
    ("192.0.0.0/24", "a range of protocol assignments"),
    ("192.0.2.0/24", "a documentation range"),
    ("192.88.99.0/24", "the 6to4 relay range"),
    ("192.168.0.0/16", "a private network"),
    ("198.18.0.0/15", "a benchmarking range"),
    ("198.51.100.0/24", "a documentation range"),
    ("203.0.113.0/24", "a documentation range"),
    ("224.0.0.0/4", "a multicast range"),
    ("240.0.0.0/4", "a reserved range"),
    ("::/128", "this host itself"),
    ("::1/128", "this host itself"),
    ("::ffff:0:0/96", "an IPv4 address in an IPv6 spelling"),
    ("::/96", "an IPv4 address in an IPv6 spelling"),
    ("64:ff9b::/96", "an IPv4 address behind NAT64"),
    ("64:ff9b:1::/48", "an IPv4 address behind NAT64"),
    ("2001:db8::/32", "a documentation range"),
    ("2001::/32", "the Teredo range"),
    ("2001:2::/48", "a benchmarking range"),
    ("2001::/23", "a range of protocol assignments"),
    ("2002::/16", "the 6to4 range"),
    ("3fff::/20", "a documentation range"),
    ("fc00::/7", "a private network"),
    ("fe80::/10", "a link-local network"),
    ("fec0::/10", "a private network"),
    ("ff00::/8", "a multicast range"),
    # global unicast is 2000::/3 only: the rest of IPv6 in three pieces
    ("::/3", "a reserved range"),
    ("4000::/2", "a reserved range"),
    ("8000::/1", "a reserved range"),
)


@dataclass(frozen=True, slots=True)
class Special:
    """A range that is not public. network: its extent. name: what it is, for messages."""

    network: Network
    name: str


_SPECIAL = tuple(Special(ip_network(network), name) for network, name in _RANGES)
_IPV4_TAIL = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))


def special(address: Address) -> Special | None:
    """The narrowest special range that holds `address`; None when the address is public."""
    found = next((one for one in _SPECIAL if address in one.network), None)
    if found is None and not address.is_global:
        # a range that a newer Python knows and the table does not
        return Special(ip_network(address), "an address that is not globally routable")
    return found


@dataclass(frozen=True, slots=True)
class AllowList:
    """What the operator opens beyond public addresses and standard ports.

    hosts: a host and its port; None stands for 80 with http and 443 with https. networks: addresses that named
    hosts may have. A network opens nothing by itself, and neither does a host name.
    """

    hosts: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[Network, ...] = ()

    @classmethod
    def parse(cls, entries: Sequence[str]) -> "AllowList":
        """The list that `entries` spell: `host`, `host:port` or `network/length` each.

        Raises:
            Misconfigured: an entry is none of these, or a network is wider than one special range.
        """
        cleaned = [entry.strip() for entry in entries]
        return cls(
            frozenset(_host_entry(entry) for entry in cleaned if "/" not in entry),
            tuple(_network_entry(entry) for entry in cleaned if "/" in entry),
        )

    def opens_port(self, target: Target) -> bool:
        """Whether the port of `target` may be used: the standard one, or one that is named with the host."""
        return target.on_default_port or (target.host, target.port) in self.hosts

    def names(self, target: Target) -> bool:
        """Whether host and port of `target` are on the list."""
        port = None if target.on_default_port else target.port
        return not self.hosts.isdisjoint({(target.host, port), (target.host, target.port)})

    def covers(self, address: Address) -> bool:
        """Whether `address`, and the IPv4 address inside it if any, is public or in an allowed network."""
        span = special(address)
        if span is None:
            return True
        within = any(address in one and one.prefixlen >= span.network.prefixlen for one in self.networks)
        if within and any(address in network for network in _IPV4_TAIL):
            return self.covers(IPv4Address(int(address) & 0xFFFF_FFFF))
        return within


def vet(target: Target, addresses: Sequence[str], allow: AllowList) -> tuple[Address, ...]:
    """The addresses of `target`, every one of which may be connected to.

    Raises:
        Refused: there is none; or one is special and not opened by `allow`; or the port is not opened.
    """
    if not allow.opens_port(target):
        raise _closed(target, f"port {target.port} is not the standard one", f"`{_pair(target)}`")
    if not addresses:
        raise Refused(f"{target.host} has no address", next_step="check the spelling of the host")
    named = allow.names(target)
    return tuple(dict.fromkeys(_vetted(target, text, allow, named=named) for text in addresses))


def _vetted(target: Target, text: str, allow: AllowList, *, named: bool) -> Address:
    """`text` as an address. Raises Refused when it may not be connected to."""
    try:
        address = ip_address(text)
    except ValueError as error:
        raise Refused(f"{target.host} has an address that cannot be read") from error
    if getattr(address, "scope_id", None):
        raise Refused(f"{target.shown} may not be fetched", why="its address is bound to a network interface")
    span = special(address)
    # a literal that the list names is its own network: the operator has spelled out the very address
    if span is None or (named and (address == target.literal or allow.covers(address))):
        return address
    # the address is not shown: who asks may not know the inner network
    needed = f"`{_pair(target)}` and a network that holds its address, within its own special range"
    raise _closed(target, f"it leads to {span.name}", needed)


def _pair(target: Target) -> str:
    host = f"[{target.host}]" if ":" in target.host else target.host
    return host if target.on_default_port else f"{host}:{target.port}"


def _closed(target: Target, why: str, needed: str) -> Refused:
    return Refused(
        f"{target.shown} may not be fetched",
        why=why,
        next_step=f"if it is meant to be reached, an operator lists {needed} in {SETTING}",
    )


def _host_entry(entry: str) -> tuple[str, int | None]:
    bare = f"[{entry}]" if entry.count(":") > 1 and not entry.startswith("[") else entry
    match = re.fullmatch(r"(\[[^\[\]]+\]|[^:\[\]]+)(?::([0-9]{1,5}))?", bare)
    if match is None:
        raise _unusable(entry, "it is not a host, `host:port` or a network such as 10.0.0.0/8")
    try:
        target = target_of(f"http://{bare}/")
    except Refused as error:
        raise _unusable(entry, error.why) from error
    return target.host, int(match[2]) if match[2] else None


def _network_entry(entry: str) -> Network:
    try:
        network = ip_network(entry)
    except ValueError as error:
        raise _unusable(entry, str(error)) from error
    inside = any(network[0] in one.network and network[-1] in one.network for one in _SPECIAL)
    if not inside and any(one.network[0] in network for one in _SPECIAL):
        raise _unusable(entry, "it is wider than one special range; list each range that is meant")
    return network


def _unusable(entry: str, why: str) -> Misconfigured:
    return Misconfigured(
        f"an entry of {SETTING} cannot be used: {entry!r}",
        why=why,
        next_step="list hosts (`wiki.corp`), hosts with a port (`wiki.corp:8443`) and networks (`10.0.0.0/8`)",
    )
