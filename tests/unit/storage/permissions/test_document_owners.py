"""Whom documents belong to: by the author's address, or by the account that the source tells of."""

from dataclasses import replace

import numpy as np
import pytest

from domain.access import ORGANISATION, Acl, Scope, SourceDirectory, account, user
from domain.documents import SourceDocument
from domain.knowledge_graph import DocumentGraph, Mention, MentionRole, Relation, RelationOrigin, key
from domain.knowledge_graph import EntityType as Kind
from domain.text_references import account_key
from storage.index.writer import PostgresWriter
from storage.open import Storage
from storage.permissions.document_owners import address_in
from tests.contract.conversations import MANY, incoming
from tests.contract.knowledge import HOUR
from tests.fakes.documents import SOURCE, a_document, chunks_of
from tests.unit.storage.conftest import EMBEDDER, OTHER

MEMBER = Scope.member()
PEOPLE = SourceDirectory(
    {
        "ada@example.com": frozenset({account(SOURCE, "5570:Ab-1")}),
        "bob@example.com": frozenset({account(SOURCE, "ff80")}),
        "cy@example.com": frozenset({account(OTHER, "5570:Ab-1")}),
    }
)


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


async def put(
    writer: PostgresWriter, name: str, author: str, written_by: str = "", acl: Acl = ORGANISATION
) -> SourceDocument:
    document = replace(a_document(name, title=name, acl=acl), author=author)
    chunks = chunks_of(document, [f"about {name}"])
    page = key(Kind.PAGE, name)
    relation = Relation(page, "written by", account_key(written_by), 0, 1.0, RelationOrigin.STRUCTURE)
    mentions = tuple(Mention(each, 0, MentionRole.MENTION, 1.0, each) for each in sorted((page, relation.object)))
    graph = DocumentGraph(1, mentions=mentions, relations=(relation,)) if written_by else DocumentGraph()
    vectors = EMBEDDER.vectors([each.embedded_text for each in chunks]).astype(np.float32)
    await writer.put(document, chunks, vectors, (), graph)
    return document


async def test_owners_are_known_by_address_or_account(storage: Storage, writer: PostgresWriter) -> None:
    await storage.access_writer(HOUR).replace_directory(SOURCE, PEOPLE)
    written = [
        await put(writer, "addressed", "Olga <olga@example.com>", "accountid:5570:Ab-1"),
        await put(writer, "cloud", "Ada", "accountid:5570:Ab-1"),
        await put(writer, "data centre", "Bob", "user:ff80"),
        await put(writer, "unknown account", "Eve", "accountid:9"),
        await put(writer, "nobody", "Eve"),
        await put(writer, "closed", "Ada <ada@example.com>", acl=Acl.any_of(user("ada@example.com"))),
    ]
    ids = [each.document_id for each in reversed(written)]
    found = await storage.document_owners().owned([*ids, ids[0], "0" * 32], MEMBER)
    assert [(each.title, each.owner, each.address) for each in found] == [
        ("data centre", "Bob", "bob@example.com"),
        ("cloud", "Ada", "ada@example.com"),
        ("addressed", "Olga", "olga@example.com"),
    ]
    assert await storage.document_owners().owned([], MEMBER) == []


async def test_two_addresses_of_one_account_are_none(storage: Storage, writer: PostgresWriter) -> None:
    two = SourceDirectory({f"{name}@example.com": frozenset({account(SOURCE, "ff80")}) for name in ("bob", "bobby")})
    await storage.access_writer(HOUR).replace_directory(SOURCE, two)
    page = await put(writer, "page", "Bob", "user:ff80")
    assert await storage.document_owners().owned([page.document_id], MEMBER) == []


async def test_a_question_is_noted_as_sent_once(storage: Storage) -> None:
    requests = storage.owner_requests()
    assert not await requests.claim(1, "d"), "nothing is known of the question"
    number = (await storage.ledger().claim(incoming("a"), MANY)).number
    assert [await requests.claim(number, "d"), await requests.claim(number, "d")] == [True, False]
    assert await requests.sent(number)
    await requests.release(number)
    assert not await requests.sent(number)
    assert await requests.claim(number, "d")
