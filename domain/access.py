"""Who may read what: principals, clauses, ACLs and the scope of a request.

An ACL is a set of clauses that must all hold; a clause is a set of principals of which the reader must be
one. A clause without principals holds for nobody, so that "unknown" denies.
"""

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

PrincipalKind = Literal["public", "org", "user", "group", "space", "role", "account", "site"]


@dataclass(frozen=True, slots=True, order=True)
class Principal:
    """A person or a set of persons, by a stable id."""

    kind: PrincipalKind
    """What sort of id it is. `public` is anybody at all, `org` every member of the organisation. `account` and `group`
    are a source's own; the source's directory says which of them somebody is. `site` is everybody, for as long as
    the permissions of a source are fresh enough to be relied on."""
    id: str = ""
    """The id within its kind: an e-mail address in lower case for `user`; empty for `public` and `org`."""

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}" if self.id else self.kind


_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+")

PUBLIC = Principal("public")
ORG = Principal("org")

Clause = frozenset[Principal]


def lowered(address: str) -> str:
    """An address, or a part of one, in the spelling that is compared: without blanks around it, its ASCII letters
    lower. Others stay as they are: a KELVIN SIGN, of which `str.lower` makes a `k`, would be another person's `k`."""
    return address.strip().translate(_LOWER)


def email_of(text: str) -> str | None:
    """The e-mail address in the spelling that is compared; None when `text` is none."""
    address = lowered(text)
    return address if _EMAIL.fullmatch(address) else None


def user(email: str) -> Principal:
    """The principal of one person. `email` is compared as `lowered` has it."""
    return Principal("user", lowered(email))


def account(source: str, name: str) -> Principal:
    """The principal of one account of a source, by the id that the source gives it."""
    return Principal("account", f"{source}/{name}")


def group(source: str, name: str) -> Principal:
    """The principal of a group of a source, by the id that the source gives it."""
    return Principal("group", f"{source}/{name}")


def site(source: str) -> Principal:
    """The principal that everybody is while the permissions of a source are fresh; see `SourceDirectory`."""
    return Principal("site", source)


@dataclass(frozen=True, slots=True)
class SourceDirectory:
    """Who the people of a source are."""

    members: Mapping[str, frozenset[Principal]]
    """For each e-mail address, in lower case, its account and all groups of that account, nested ones included. An
    address that two accounts have, or that the source does not tell, is left out: such a person is nobody there."""
    complete: bool = True
    """Whether every account was read with its address. If not, an address that seems to be one account's may be
    another's as well."""


def reliable_directory(found: SourceDirectory, before: SourceDirectory) -> SourceDirectory:
    """What of a reading may be relied on. An incomplete one says nothing of an address, unless what was known before
    has it as the same account's."""
    if found.complete:
        return found
    return SourceDirectory(
        {
            email: who
            for email, who in found.members.items()
            if any(each.kind == "account" for each in who & before.members.get(email, frozenset()))
        }
    )


@dataclass(frozen=True, slots=True)
class Acl:
    """The clauses that must all hold for a reader.

    Raises ValueError when there is no clause: that would admit everybody by omission.
    """

    clauses: frozenset[Clause]

    def __post_init__(self) -> None:
        if not self.clauses:
            raise ValueError("an ACL needs at least one clause")

    @classmethod
    def any_of(cls, *principals: Principal) -> "Acl":
        """Readable by each of `principals`; by nobody when there are none."""
        return cls(frozenset({frozenset(principals)}))

    def and_also(self, other: "Acl") -> "Acl":
        """Readable only by those whom both admit."""
        return Acl(self.clauses | other.clauses)


def admits_no_others(acl: Acl, before: Acl) -> bool:
    """Whether everybody whom `acl` admits is admitted by `before`, as far as their clauses tell."""
    return all(any(clause <= wider for clause in acl.clauses) for wider in before.clauses)


def admitted_by_both(one: Acl, other: Acl) -> Acl:
    """Whom two ACLs both admit: one of the two, where it is within the other."""
    if admits_no_others(one, other):
        return one
    return other if admits_no_others(other, one) else one.and_also(other)


ORGANISATION = Acl.any_of(ORG)
NOBODY = Acl.any_of()


@dataclass(frozen=True, slots=True)
class Scope:
    """Who asks, and who else will read the reply."""

    asker: frozenset[Principal]
    """Every principal that the asking person is."""
    audience: frozenset[Principal] | None = field(default=None)
    """The principals that all readers of the reply have in common; None when the asker alone reads it."""

    @classmethod
    def member(cls, email: str | None = None) -> "Scope":
        """A member of the organisation who alone reads the reply; `email` adds what is theirs by name."""
        own = {user(email)} if email else set()
        return cls(frozenset({PUBLIC, ORG} | own))

    @classmethod
    def outsider(cls) -> "Scope":
        """Somebody of whom nothing is known."""
        return cls(frozenset({PUBLIC}))


def permits(acl: Acl, scope: Scope) -> bool:
    """Whether `scope` may see what carries `acl`: the asker may read it, and so may the whole audience."""
    readers = [scope.asker] if scope.audience is None else [scope.asker, scope.audience]
    return all(clause & who for who in readers for clause in acl.clauses)
