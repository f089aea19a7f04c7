"""What holds for the units of any text."""

from hypothesis import given
from hypothesis import strategies as st

from domain.access import ORGANISATION
from domain.documents import Block, BlockKind, Chunk, Span
from indexer.chunking.propositions import MIN_WIDTH, code_lines, sentence_units

PIECES = [
    "The gateway writes to Redpanda. ",
    "It keeps three days. ",
    "This, too",
    "\n",
    "\n\n",
    "- an item of the list\n",
    "| a row | of a table |\n",
    "kubectl get pods\n",
    "短い。",
    "有給休暇は年に二十日あります。",
    "e.g. ",
    "?! ",
    "42 ",
]
TEXTS = st.one_of(st.text(max_size=300), st.lists(st.sampled_from(PIECES), max_size=20).map("".join))


@given(TEXTS, st.sampled_from(BlockKind), st.sets(st.sampled_from([piece.strip() for piece in PIECES])))
def test_units_are_ordered_parts_of_the_text_that_say_something(text: str, kind: BlockKind, code: set[str]) -> None:
    chunk = Chunk("d", 0, "Title", ("Outer", "Inner"), text, kind, Span(), ORGANISATION)
    found = sentence_units(chunk, code)
    before = 0
    for unit in found:
        shown = text[unit.start : unit.end]
        assert before <= unit.start < unit.end <= len(text)
        assert shown == shown.strip()
        assert 2 * len(shown) >= MIN_WIDTH
        assert any(character.isalpha() for character in shown)
        assert unit.text == f"Title > Inner\n{shown}"
        before = unit.end
    assert not (found and kind is BlockKind.CODE)
    assert sentence_units(chunk, code) == found


@given(st.lists(st.one_of(st.text(max_size=80), st.sampled_from(PIECES))))
def test_a_text_of_known_code_has_none(lines: list[str]) -> None:
    text = "\n".join(lines)
    chunk = Chunk("d", 0, "Title", (), text, BlockKind.PROSE, Span(), ORGANISATION)
    assert sentence_units(chunk, code_lines([Block(BlockKind.CODE, text)])) == []
