"""What the database says of rights, in Python: tests hold searches to it."""

from collections.abc import Mapping

from domain.access import ORG, PUBLIC, Acl, Principal, Scope, SourceDirectory, site

EVERYONE = Acl.any_of(PUBLIC, ORG)


def expanded(scope: Scope, directories: Mapping[str, SourceDirectory]) -> Scope:
    """`scope` with all that its people are in sources besides. directories: by source, those that are fresh."""
    audience = None if scope.audience is None else _expanded(scope.audience, directories)
    return Scope(_expanded(scope.asker, directories), audience)


def _expanded(who: frozenset[Principal], directories: Mapping[str, SourceDirectory]) -> frozenset[Principal]:
    users = [one.id for one in who if one.kind == "user"]
    known = {
        member for each in directories.values() for email in users for member in each.members.get(email, frozenset())
    }
    return who | known | {site(source) for source in directories}
