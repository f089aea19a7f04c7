"""Why somebody may see a document: the clauses, which of them they meet, and by what."""

import pytest

from domain.access import ORG, Acl, Scope, SourceDirectory, account, group, site, user
from storage.index.writer import PostgresWriter
from storage.open import Storage
from storage.permissions.access_explainer import PostgresAccessExplainer
from tests.contract.knowledge import HOUR
from tests.fakes.documents import SOURCE, a_document, put
from tests.unit.storage.conftest import EMBEDDER

ADA = Scope.member("ada@example.com")
STAFF, LEADS = group(SOURCE, "staff"), group(SOURCE, "leads")
SPACE = Acl.any_of(STAFF).and_also(Acl.any_of(site(SOURCE)))
OWN = SPACE.and_also(Acl.any_of(LEADS, user("eve@example.com")))


@pytest.mark.check
async def test_each_clause_says_who_meets_it_and_how_many_documents_have_it(
    storage: Storage, writer: PostgresWriter
) -> None:
    access = storage.access_writer(HOUR)
    members = frozenset({account(SOURCE, "1"), STAFF})
    await access.replace_directory(SOURCE, SourceDirectory({"ada@example.com": members}))
    for name, acl in (("open", SPACE), ("own", OWN), ("parts", SPACE)):
        secret = [("for leads", OWN), ("for staff", SPACE)] if name == "parts" else []
        await put(writer, EMBEDDER, a_document(name, space="HR", acl=acl), "text", *secret)
    await put(writer, EMBEDDER, a_document("elsewhere", space="IT", acl=Acl.any_of(ORG)), "text")
    explainer = PostgresAccessExplainer(storage.owner)
    ids = {name: a_document(name).document_id for name in ("open", "own", "parts", "elsewhere")}

    before = await explainer.explain(ids["open"], ADA)
    assert before is not None
    assert not before.may_see, "nobody reads what was never said to be fresh"
    await access.mark_fresh(SOURCE, await access.now())

    found = await explainer.explain(ids["own"], ADA)
    assert found is not None
    assert (found.may_see, found.space, found.documents) == (False, "HR", 3)
    rows = [(sorted(map(str, each.principals)), each.met_by, each.alike) for each in found.clauses]
    assert rows == [
        (["group:docs/leads", "user:eve@example.com"], frozenset(), 1),
        (["group:docs/staff"], {STAFF}, 3),
        (["site:docs"], {site(SOURCE)}, 3),
    ]
    assert found.known_as == {*members, user("ada@example.com")}

    parts = await explainer.explain(ids["parts"], ADA)
    assert parts is not None
    assert (parts.may_see, parts.parts, parts.parts_met) == (True, 1, 0)
    outside = await explainer.explain(ids["elsewhere"], Scope.outsider())
    assert outside is not None
    assert not outside.may_see
    assert await explainer.explain("0" * 32, ADA) is None
