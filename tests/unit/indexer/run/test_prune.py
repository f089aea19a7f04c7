import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.access import ORGANISATION
from domain.index_ports import IndexedDocument
from indexer.run.prune import FEW_MISSING, PruneDecision, decide_pruning


def state(external_id: str, content: bytes | None = b"x", *, hidden: bool = False) -> IndexedDocument:
    return IndexedDocument(
        external_id, f"id-{external_id}", content, ORGANISATION, hidden, external_id, "", external_id
    )


def known(*states: IndexedDocument) -> dict[str, IndexedDocument]:
    return {each.external_id: each for each in states}


def pruned(
    states: dict[str, IndexedDocument], *present: str, added: tuple[bytes, ...] = (), confirmed: bool = False
) -> PruneDecision:
    return decide_pruning(states, set(present), added, max_share=0.2, confirmed=confirmed)


def test_what_is_there_stays() -> None:
    assert pruned(known(state("a"), state("b", hidden=True)), "a", "b", "c") == PruneDecision()
    assert pruned({}, "a") == PruneDecision()
    assert pruned({}) == PruneDecision()


def test_missing_once_hides_and_twice_purges() -> None:
    states = known(state("a"), state("b"), state("c", hidden=True))
    assert pruned(states, "a") == PruneDecision(hide=("b",), purge=("c",))


def test_found_elsewhere_is_renamed_and_purged_at_once() -> None:
    states = known(state("a", b"1"), state("b", b"2"))
    assert pruned(states, "b", "c", added=(b"1",)) == PruneDecision(purge=("a",), renamed=("a",))


def test_as_many_are_renamed_as_were_added() -> None:
    states = known(state("a", b"1"), state("b", b"1"), state("c", b"1"), state("d", b"2"))
    assert pruned(states, "d", "x", "y", added=(b"1", b"1")) == PruneDecision(
        hide=("c",), purge=("a", "b"), renamed=("a", "b")
    )


def test_what_was_hidden_or_never_indexed_is_not_renamed() -> None:
    states = known(state("a", b"1", hidden=True), state("b", None))
    assert pruned(states, "x", added=(b"1",)) == PruneDecision(hide=("b",), purge=("a",))


@pytest.mark.parametrize(("missing", "total", "held"), [(1, 5, False), (1, 4, True), (10, 12, True), (2, 10, False)])
def test_where_the_source_states_rights_the_share_alone_counts(missing: int, total: int, held: bool) -> None:
    states = known(*(state(f"{n:04}") for n in range(total)))
    found = decide_pruning(states, set(list(states)[missing:]), [], max_share=0.2, confirmed=False, few=0)
    assert (len(found.deletion_suspended), len(found.hide)) == ((missing, 0) if held else (0, missing))


@pytest.mark.parametrize(
    ("missing", "total", "held"),
    [
        (FEW_MISSING, 11, False),
        (FEW_MISSING + 1, 12, True),
        (20, 100, False),
        (21, 100, True),
        (200, 1_000, False),
        (201, 1_000, True),
    ],
)
def test_too_many_at_once_are_not_believed(missing: int, total: int, held: bool) -> None:
    states = known(*(state(f"{n:04}") for n in range(total)))
    present = list(states)[missing:]
    gone = tuple(list(states)[:missing])
    expected = PruneDecision(deletion_suspended=gone) if held else PruneDecision(hide=gone)
    assert pruned(states, *present) == expected
    assert pruned(states, *present, confirmed=True) == PruneDecision(hide=gone)


def test_while_many_are_missing_those_missing_before_stay_too_and_renamed_ones_go() -> None:
    states = known(*(state(f"{n:02}") for n in range(20)), state("old", hidden=True), state("moved", b"1"))
    found = pruned(states, "new", added=(b"1",))
    assert (found.hide, found.purge, found.renamed) == ((), ("moved",), ("moved",))
    assert len(found.deletion_suspended) == 20


def test_an_empty_listing_is_never_believed() -> None:
    states = known(state("a"), state("b", hidden=True))
    assert pruned(states) == PruneDecision(deletion_suspended=("a",))
    assert pruned(states, confirmed=True) == PruneDecision(hide=("a",), purge=("b",))


@given(
    st.lists(st.tuples(st.sampled_from([None, b"1", b"2", b"3"]), st.booleans()), max_size=30),
    st.sets(st.integers(0, 35), max_size=30),
    st.lists(st.sampled_from([b"1", b"2", b"9"]), max_size=5),
    st.booleans(),
)
def test_every_missing_document_meets_exactly_one_fate(
    contents: list[tuple[bytes | None, bool]], present: set[int], added: list[bytes], confirmed: bool
) -> None:
    states = known(*(state(f"{n:02}", content, hidden=hidden) for n, (content, hidden) in enumerate(contents)))
    there = {f"{n:02}" for n in present}
    found = decide_pruning(states, there, added, max_share=0.2, confirmed=confirmed)
    fates = [*found.hide, *found.purge, *found.deletion_suspended]
    assert len(fates) == len(set(fates))
    assert not set(fates) & there, "what is there is left alone"
    assert set(found.renamed) <= set(found.purge)
    assert len(found.renamed) <= len(added)
    missing = {name for name in states if name not in there}
    shown = {name for name in missing if not states[name].hidden}
    assert shown <= set(fates)
    assert not (found.deletion_suspended and found.hide)
    if confirmed:
        assert set(fates) == missing
