"""What documents are called in the index."""

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from domain.masking import Masker
from indexer.run.masked_names import MAX_ID, MaskedListing, masked_listing, masked_name
from indexer.sources.connector import ListedDocument, SkippedDocument
from tests.fakes.masking import MASK, SLOW, WordMasker, github_token


def listed(*ids: str) -> list[ListedDocument | SkippedDocument]:
    return [ListedDocument(each, each, f"https://shelf.example/{each}", "Title") for each in ids]


def names_of(found: Sequence[ListedDocument | SkippedDocument], *words: str) -> MaskedListing:
    return masked_listing(found, WordMasker(*words))


def stored(found: Sequence[ListedDocument | SkippedDocument], *words: str) -> dict[str, str]:
    return {each.item.external_id: each.stored.external_id for each in names_of(found, *words).listed}


def test_a_name_without_a_secret_stays_as_it_is() -> None:
    found = [
        *listed("a.md", "b (2).md", "100%25.md", "c%zz"),
        ListedDocument("https://h.example/x%20y", "h.example/x%20y", "https://h.example/x%20y"),
    ]
    names = masked_listing(found, Masker())
    assert [each.stored for each in names.listed] == [each.item for each in names.listed] == found
    assert (names.skipped, names.withheld) == ([], 0)


def test_a_secret_stands_in_nothing_that_is_stored_and_the_connector_keeps_it() -> None:
    token = github_token()
    (name,) = masked_listing(listed(f"notes-{token}.txt"), Masker()).listed
    assert name.item.external_id == f"notes-{token}.txt"
    assert token not in repr(name.stored)
    assert name.stored.path == name.stored.external_id
    assert name.stored.external_id.endswith(".txt")
    assert name.stored.title == "Title"


def test_names_that_are_masked_alike_get_numbers_in_their_own_order() -> None:
    found = listed("n-three.txt", "n-one.txt", "n-two.txt", "other.txt")
    expected = {
        "n-one.txt": f"n-{MASK}.txt",
        "n-three.txt": f"n-{MASK}.txt (2)",
        "n-two.txt": f"n-{MASK}.txt (3)",
        "other.txt": "other.txt",
    }
    assert stored(found, "one", "two", "three") == expected
    assert stored(found[::-1], "one", "two", "three") == expected


def test_a_name_that_looks_like_a_masked_one_keeps_its_own() -> None:
    taken = [f"n-{MASK}.txt", f"n-{MASK}.txt (3)"]
    found = stored(listed("n-one.txt", "n-two.txt", *taken), "one", "two")
    assert found == {"n-one.txt": f"n-{MASK}.txt (2)", "n-two.txt": f"n-{MASK}.txt (4)"} | {n: n for n in taken}


def test_what_is_passed_counts_among_the_names() -> None:
    found = [*listed("n-two.txt"), SkippedDocument("n-one.txt", "n-one.txt", "n-one.txt is too large")]
    names = names_of(found, "one", "two")
    assert [each.stored.external_id for each in names.listed] == [f"n-{MASK}.txt (2)"]
    assert names.skipped == [SkippedDocument(f"n-{MASK}.txt", f"n-{MASK}.txt", f"n-{MASK}.txt is too large")]


def test_of_a_folder_that_is_passed_what_is_certain_is_kept() -> None:
    names = names_of(
        [SkippedDocument("keep/one/", "keep/one", "no", below=True), SkippedDocument("b/", "b", "no", below=True)],
        "one",
    )
    assert names.skipped == [
        SkippedDocument("keep/", f"keep/{MASK}", "no", below=True),
        SkippedDocument("b/", "b", "no", below=True),
    ]


def test_a_secret_may_be_spelled_with_percent_signs() -> None:
    masker = WordMasker("a b", "one")
    assert masked_name("https://h.example/a%20b", masker).text == f"https://h.example/{MASK}"
    assert masked_name("https://h.example/x%20one", masker).text == f"https://h.example/x%20{MASK}"
    assert masked_name(f"https://h.example/a%20{SLOW.replace(' ', '%20')}", masker).withheld


def test_a_name_that_the_masker_gave_up_on_is_counted_and_not_listed() -> None:
    names = names_of(listed("a", f"b {SLOW}"))
    assert [each.stored.external_id for each in names.listed] == ["a"]
    assert names.withheld == 1


def test_an_id_that_is_too_long_as_it_is_stored_is_passed() -> None:
    fits = "n" * (MAX_ID - 3) + "one"
    names = names_of(listed(fits, "n" * MAX_ID), "one")
    assert [each.item.external_id for each in names.listed] == ["n" * MAX_ID]
    (passed,) = names.skipped
    assert passed.reason == "its path is longer than 2,000 bytes"


RANDOM = WordMasker("aa", "b1", "a b")


def drawn(ids: Sequence[str]) -> dict[str, str]:
    return {each.item.external_id: each.stored.external_id for each in masked_listing(listed(*ids), RANDOM).listed}


@given(st.lists(st.text("ab1 ()2", min_size=1, max_size=8), unique=True, max_size=12), st.randoms())
def test_every_document_has_a_name_of_its_own_whatever_the_order(ids: list[str], random: Random) -> None:
    found = drawn(ids)
    assert sorted(found) == sorted(ids)
    assert len(set(found.values())) == len(ids)
    for real, name in found.items():
        assert "aa" not in name
        assert (name == real) == (RANDOM.secrets(real).text == real)
    shuffled = list(ids)
    random.shuffle(shuffled)
    assert drawn(shuffled) == found
