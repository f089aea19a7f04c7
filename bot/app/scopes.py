"""Whose documents are searched, for who is named by an address."""

from domain.access import Scope, email_of, lowered
from domain.errors import Refused


def address_of(email: str) -> str:
    """What was typed behind --as, as an address. Raises Refused where it is none."""
    address = email_of(email)
    if address is None:
        raise Refused(f"{email!r} is not an e-mail address", next_step="Use --as NAME@DOMAIN")
    return address


def scope_of(email: str | None, domains: tuple[str, ...]) -> Scope:
    """The scope of somebody at this terminal; an outsider's when the settings do not count the address's domain as
    the organisation's.

    Raises Refused when `email` is none.
    """
    if email is None:
        return Scope.member()
    address = address_of(email)
    if domains and address.partition("@")[2] not in {lowered(each) for each in domains}:
        return Scope.outsider()
    return Scope.member(address)
