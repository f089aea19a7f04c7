"""Whom documents belong to, over PostgreSQL: by the author's address, or by the source's account."""

from typing import Any

import pytest

from domain.access import Acl, Scope, SourceDirectory, account, user
from domain.knowledge_graph import DocumentGraph, Relation, RelationOrigin, key
from storage.permissions.document_owners import address_in
from tests.contract.knowledge import Knowledge

MEMBER = Scope.member()


@pytest.mark.parametrize(
    ("author", "address"),
    [
        ("Olga Owner <Olga@Example.com>", "olga@example.com"),
        ("olga.owner+kb@example.co.uk", "olga.owner+kb@example.co.uk"),
        ("Olga Owner", ""),
        ("@olga", ""),
        ("", ""),
    ],
)
def test_an_address_in_the_author(author: str, address: str) -> None:
    assert address_in(author) == address


unused: Any = (Acl, SourceDirectory, account, user, DocumentGraph, Relation, RelationOrigin, key, Knowledge)
