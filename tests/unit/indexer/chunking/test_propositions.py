"""What the units of a chunk are."""

import pytest

from domain.access import ORGANISATION
from domain.documents import Block, BlockKind, Chunk, Span
from indexer.chunking.propositions import MAX_JOINED, code_lines, sentence_units


def a_chunk(text: str, kind: BlockKind = BlockKind.PROSE, headings: tuple[str, ...] = (), title: str = "") -> Chunk:
    return Chunk("d", 0, title, headings, text, kind, Span(), ORGANISATION)


def texts(text: str, kind: BlockKind = BlockKind.PROSE, code: frozenset[str] = frozenset()) -> list[str]:
    return [text[unit.start : unit.end] for unit in sentence_units(a_chunk(text, kind), code)]


def test_each_sentence_is_a_unit_with_its_place() -> None:
    text = "Visitors park on level two. Staff park on the roof of the annexe."
    first, second = sentence_units(a_chunk(text))
    assert (first.start, first.end) == (0, 27)
    assert text[second.start : second.end] == "Staff park on the roof of the annexe."


def test_title_and_last_heading_are_embedded_with_it() -> None:
    (unit,) = sentence_units(a_chunk("Visitors park on level two.", headings=("Berlin", "Cars"), title="Offices"))
    assert unit.text == "Offices > Cars\nVisitors park on level two."
    (bare,) = sentence_units(a_chunk("Visitors park on level two."))
    assert bare.text == "Visitors park on level two."
    assert bare.text_hash == a_chunk("Visitors park on level two.").text_hash, "the same text, the same vector"


@pytest.mark.parametrize(
    "text",
    [
        "The gateway writes to Redpanda. It keeps every message for three days.",
        "The gateway writes to Redpanda. This takes two seconds. It cannot be changed.",
        "Das Gateway schreibt nach Redpanda. Dieses behält Nachrichten drei Tage lang.",
        "Use Redis. It holds the sessions of all web servers.",
        "The key expires after a year.\n(This cannot be changed, not even by an administrator.)",
    ],
)
def test_what_refers_back_is_joined_to_what_is_before(text: str) -> None:
    assert texts(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is the first sentence of all. Italy is a country in Europe.", 2),
        ("The first paragraph ends here.\n\nThis is the second one of them all.", 2),
        ("- restart the gateway in Berlin\n- it takes two seconds to be ready", 2),
        ("The table has these rows below:\n| It | is a row of the table |", 2),
        ("| Name | is a row of the table |\nIt is a sentence behind a table.", 2),
    ],
)
def test_what_does_not_refer_back_stands_alone(text: str, expected: int) -> None:
    assert len(texts(text)) == expected


def test_within_a_list_item_a_sentence_may_refer_back() -> None:
    text = "- Restart the gateway. It takes two seconds.\n- Then call the engineer on duty."
    assert texts(text) == text.split("\n")


def test_rows_are_units_by_themselves() -> None:
    text = "| Service | Port | Owner |\n| billing-service | 8443 | Platform team |\n| alertd | 9 | - |"
    assert texts(text, BlockKind.TABLE) == text.split("\n")[:2]


def test_what_is_short_or_has_no_word_is_left_out() -> None:
    assert texts("Yes. No! See the handbook for all details.") == ["See the handbook for all details."]
    assert texts("1234567890 1234567890 1234567890 +++ --- 42.") == []
    assert texts("") == []


def test_wide_characters_count_twice() -> None:
    assert texts("有給休暇は年に二十日あります。短い。") == ["有給休暇は年に二十日あります。"]


def test_code_is_left_out() -> None:
    code = Block(
        BlockKind.CODE, "kubectl rollout restart deployment/gateway\n\nkubectl get pods --watch", header="$ bash"
    )
    known = code_lines([code, Block(BlockKind.PROSE, "Restart the gateway like this:")])
    assert known == {"kubectl rollout restart deployment/gateway", "kubectl get pods --watch", "$ bash"}
    mixed = f"Restart the gateway in Berlin like this:\n\n{code.text}\n\nIt is ready after two seconds at most."
    assert texts(mixed, code=known) == [
        "Restart the gateway in Berlin like this:",
        "It is ready after two seconds at most.",
    ]
    assert texts(code.text, BlockKind.CODE) == []


def test_a_joined_unit_has_an_end() -> None:
    text = "The gateway writes to Redpanda. " + "It keeps every message for three days. " * 40
    found = sentence_units(a_chunk(text))
    assert len(found) > 3
    assert max(unit.end - unit.start for unit in found) <= MAX_JOINED
