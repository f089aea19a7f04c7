"""Whom documents admit of which a source says so itself."""

from domain.access import ORG, Acl, Scope, SourceDirectory, permits, user
from indexer.run.acl_sync import admitted
from tests.fakes.rights import expanded

ANN = Scope.member("ann@example.com")
FRESH = {"wiki": SourceDirectory({})}


def test_what_a_source_states_holds_while_its_permissions_are_fresh() -> None:
    for acl in (Acl.any_of(user("ann@example.com")), Acl.any_of(ORG)):
        assert permits(admitted("wiki", acl), expanded(ANN, FRESH))
        assert not permits(admitted("wiki", acl), ANN)
        assert not permits(admitted("wiki", acl), expanded(ANN, {"another wiki": SourceDirectory({})}))


def test_where_a_source_states_nothing_nobody_is_admitted() -> None:
    assert not permits(admitted("wiki", None), expanded(ANN, FRESH))
