"""Posting lists and their scores, without a database."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from storage.index import bm25
from storage.index.packing import ENTRY, MAX_COUNT, MEMBER, PostingList, among, cancel, pack, unpack
from storage.index.postings import posting_lists

words = st.sampled_from("abcdefgh") | st.text(min_size=1, max_size=3)
texts = st.lists(words, max_size=12)
dense = st.integers(0, 40)
sparse = st.integers(0, 2**31 - 1)
numbers = st.sampled_from([dense, sparse]).flatmap(lambda kind: st.lists(kind, unique=True, min_size=1, max_size=20))
corpora = st.tuples(numbers, st.lists(texts, min_size=20, max_size=20)).map(
    lambda pair: dict(zip(pair[0], pair[1], strict=False))
)
Corpus = Mapping[int, Sequence[str]]


def scored(tokens_of: Corpus, terms: Sequence[str], gone: Corpus | None = None) -> dict[int, float]:
    """What our parts make of a corpus, the way a search puts them together. gone: chunks that were removed from it."""
    segments = [(tokens_of, False)] + ([(gone, False), (gone, True)] if gone else [])
    lists = posting_lists(
        (term, removed, entries.tobytes()) for part, removed in segments for term, entries in pack(part)[0].items()
    )
    chunks = len(tokens_of)
    idf = {term: bm25.raw_idf(each.holding, chunks) for term, each in lists.items()}
    frequencies = Counter(each.holding for each in lists.values())
    floor = bm25.EPSILON * bm25.mean_idf(frequencies, chunks)
    idf = {term: floor if value < 0 else value for term, value in idf.items()}
    tokens = sum(map(len, tokens_of.values()))
    found = bm25.scores(terms, lists, idf, bm25.Collection(chunks, tokens))
    best, values = found.best(len(tokens_of) + len(gone or {}))
    scores = dict(zip(best.tolist(), values.tolist(), strict=True))
    assert len(scores) == len(best)
    assert {number: scores.get(number, 0.0) for number in tokens_of} == found.of(list(tokens_of))
    return scores


@given(corpora.filter(lambda corpus: any(corpus.values())), st.lists(words, max_size=6))
def test_scores_are_those_of_rank_bm25(tokens_of: Corpus, terms: list[str]) -> None:
    reference = BM25Okapi(list(tokens_of.values())).get_scores(terms)
    expected = {
        number: float(score)
        for (number, tokens), score in zip(tokens_of.items(), reference, strict=True)
        if set(tokens) & set(terms)
    }
    assert scored(tokens_of, terms) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(corpora.filter(lambda corpus: any(corpus.values())), st.lists(words, max_size=6), st.integers(2, 5))
def test_chunks_that_were_removed_have_no_score_and_change_no_other(
    tokens_of: Corpus, terms: list[str], share: int
) -> None:
    stay = {number: tokens for place, (number, tokens) in enumerate(tokens_of.items()) if place % share}
    gone = {number: tokens for number, tokens in tokens_of.items() if number not in stay}
    if any(stay.values()):
        assert scored(stay, terms, gone) == pytest.approx(scored(stay, terms), rel=1e-12)


def test_a_removed_chunk_has_no_score_where_0_is_one() -> None:
    entry = np.array([(3, 1, 2), (5, 1, 2), (8, 1, 2)], ENTRY)
    lists = {"a": PostingList((entry,), np.array([5], np.int32))}
    for idf in (0.0, -1.0):
        found = bm25.scores(["a"], lists, {"a": idf}, bm25.Collection(2, 4))
        assert sorted(found.best(9)[0].tolist()) == [3, 8]


@pytest.mark.parametrize("number", [0, 50, 105, 500, 2**31 - 1])
def test_a_removal_without_an_addition_takes_nothing_from_other_chunks(number: int) -> None:
    """As of a release that made other tokens of the same text."""
    entry = np.array([(chunk, 1, 2) for chunk in (100, 102, 109)], ENTRY)
    collection = bm25.Collection(20, 40)
    for removals in ([number], [number] * 3, [number] * 4, [number, 102]):
        each = PostingList((entry,), np.array(removals, np.int32))
        assert each.holding > 0
        found = bm25.scores(["a"], {"a": each}, {"a": 2.0}, collection)
        assert set(found.best(9)[0].tolist()) == {100, 102, 109} - set(removals)


@given(st.lists(dense | sparse, min_size=1), st.lists(dense | sparse, min_size=1))
def test_which_of_many_numbers_are_among_a_few(numbers: list[int], few: list[int]) -> None:
    told = among(np.array(numbers, np.int32), np.array(few, np.int32))
    assert told.tolist() == [each in few for each in numbers]


def test_far_and_near_chunk_numbers_score_alike() -> None:
    near = {number: ["a", "b"] if number % 3 else ["a", "c", "c"] for number in range(50)}
    far = {number * 40_000_000: tokens for number, tokens in near.items()}
    for terms in (["a"], ["c", "c", "b"], ["b", "missing"], ["missing"], []):
        spread = {number // 40_000_000: score for number, score in scored(far, terms).items()}
        assert spread == pytest.approx(scored(near, terms), rel=1e-12)


@given(corpora)
def test_packed_lists_hold_each_chunk_of_a_term_once_with_its_counts(tokens_of: Corpus) -> None:
    lists, members = pack(tokens_of)
    held = {
        (term, int(entry["chunk"])): (int(entry["frequency"]), int(entry["length"]))
        for term, entries in lists.items()
        for entry in entries
    }
    assert sum(map(len, lists.values())) == len(held)
    assert held == {
        (term, number): (times, len(tokens))
        for number, tokens in tokens_of.items()
        for term, times in Counter(tokens).items()
    }
    assert [tuple(member) for member in members] == [(number, len(tokens_of[number])) for number in sorted(tokens_of)]


@given(corpora, st.integers(1, 5))
def test_bytes_come_back_as_they_were_however_many_pieces_they_are_in(tokens_of: Corpus, pieces: int) -> None:
    _, members = pack(tokens_of)
    raw = [piece.tobytes() for piece in np.array_split(members, pieces)]
    assert unpack(raw, MEMBER).tolist() == members.tolist()
    assert unpack([], ENTRY).tolist() == []


def test_a_chunk_has_at_most_65535_tokens() -> None:
    lists, _ = pack({7: ["a"] * MAX_COUNT})
    assert lists["a"].tolist() == [(7, MAX_COUNT, MAX_COUNT)]
    with pytest.raises(ValueError, match="chunk 7 has 65536 tokens"):
        pack({7: ["a"] * (MAX_COUNT + 1)})


def test_nothing_packs_to_nothing() -> None:
    lists, members = pack({})
    assert lists == {}
    assert members.dtype == MEMBER
    assert len(members) == 0


@given(st.sets(sparse | dense, max_size=20), st.sets(sparse | dense, max_size=20))
def test_each_removal_takes_its_addition_along(added: set[int], removed: set[int]) -> None:
    left, unmet = cancel(_entries(added), _entries(removed))
    assert set(left["chunk"].tolist()) == added - removed
    assert set(unmet["chunk"].tolist()) == removed - added


def _entries(chunks: set[int]) -> np.ndarray:
    return np.array([(chunk, 1, 2) for chunk in chunks], ENTRY)


@given(corpora, st.randoms(use_true_random=False))
def test_lists_hold_what_was_added_and_not_removed_in_whatever_order(tokens_of: Corpus, chance: object) -> None:
    gone = {number: tokens for number, tokens in tokens_of.items() if number % 2}
    stay = {number: tokens for number, tokens in tokens_of.items() if not number % 2}
    rows = [
        (term, removed, entries.tobytes())
        for part, removed in [(gone, False), (stay, False), (gone, True)]
        for term, entries in pack(part)[0].items()
    ]
    chance.shuffle(rows)  # type: ignore[attr-defined] # a Random
    lists = posting_lists(rows)
    found = {term: sorted(each.chunks().tolist()) for term, each in lists.items()}
    assert found == {term: entries["chunk"].tolist() for term, entries in pack(stay)[0].items()}
    assert all(each.holding == len(found[term]) for term, each in lists.items())


@given(
    st.lists(st.tuples(st.integers(0, 1000), st.sampled_from([-1.5, 0.0, 0.5, 0.5, 2.0])), unique_by=lambda p: p[0]),
    st.integers(1, 12),
)
def test_the_best_are_first_and_lower_numbers_first_among_equals(pairs: list[tuple[int, float]], limit: int) -> None:
    chunks, values = np.array([p[0] for p in pairs], np.int32), np.array([p[1] for p in pairs], np.float64)
    order = np.argsort(chunks)
    best, best_values = bm25.Scores(values[order], chunks[order]).best(limit)
    expected = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:limit]
    assert list(zip(best.tolist(), best_values.tolist(), strict=True)) == expected


def test_a_term_of_more_than_half_of_the_chunks_has_a_negative_idf() -> None:
    assert bm25.raw_idf(6, 10) < 0 < bm25.raw_idf(4, 10)
    assert bm25.raw_idf(5, 10) == 0
