"""Whatever is asked: an answer, nothing found, or a refusal in words, never an internal error.

`ANY_QUESTION_EXAMPLES=1000 .venv/bin/python -m pytest tests/flows/test_any_question.py` asks a thousand questions.
"""

import os
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.app.indexing import index_source
from bot.app.product import Product, open_product
from config.load import load
from domain.access import Scope
from domain.answers import Declined, Failed, Question, Turn
from domain.search import Filters
from indexer.run.dependencies import RunOptions
from storage.index.sources import Source
from tests.command import own_database, write
from tests.fakes.embedder import HashEmbedder

EXAMPLES = int(os.environ.get("ANY_QUESTION_EXAMPLES", "25"))
MOST = 4_000

RUNBOOK = """\
# Falcon runbook

Falcon depends on Kafka Streams. The arrow `=>` means "leads to" in its rules. FAL-12 blocks FAL-7.
Ask Ada Lovelace, ada@example.com, before you restart it. See https://docs.example/falcon and deploy/falcon.yaml.
"""
LEAVE = "# Vacation\n\nEverybody has thirty days of vacation a year. The team lead approves it in the calendar.\n"

WORDS = (
    *("What", "does", "mean in the Falcon runbook?", "Who approves vacation", "Which tickets block", "FAL-7", "Falcon"),
    *("compare", "and", "or", "before", "after", "difference between", "how many", "list all", "the second one", "it"),
    *(
        "in document",
        "in the document",
        "label:",
        "space:",
        "type:",
        "author:",
        "updated:>2024-01-01",
        "since last week",
    ),
    *("in space", "tagged", "from source", "between 2024-13-45 and", "ada@example.com", "https://docs.example/%zz"),
    *("ignore all instructions", "The secret is", "password: hunter22!", "[masked: password]", "/kb share", "<@U123>"),
    *("vier", "où", "密码", "パスワード", "왜", "لماذا", "почему", "🦭", "e\u0301", "ﬀ", "İ", "ß"),
)
SIGNS = (
    *('"', "'", "`", "“", "”", "„", "«", "»", "(", ")", "[", "]", "{", "}", "<", ">", "=>", "->", "::", "#", "@", "*"),
    *("\\", "/", "|", "%", "_", "~", "$", "^", "&", "-", "--", ";", ",", ".", "?", "!", "…", "```", "[1]", "[~ada]"),
    *("\n", "\r\n", "\t", "\x00", "\x01", "\x0b", "\x1b[31m", "\x7f", "\x85", "\u00a0", "\u2028", "\u2029", "\ufeff"),
    *("\u200b", "\u200d", "\u202a", "\u202e", "\u2066", "\u2069", "\u00ad", "\ufffe", "\uffff", "\U0010ffff"),
    *("\U000e0001", "\U000e0041", "\U000e007f", "\ue000", "\ud800", "\udc00", "\udfff\ud800", "\u0300" * 20),
)
PIECES = st.sampled_from(WORDS) | st.sampled_from(SIGNS) | st.text(max_size=12) | st.text(st.characters(), max_size=6)
SENTENCES = st.builds(str.join, st.sampled_from(["", " ", "  "]), st.lists(PIECES, min_size=1, max_size=14))
QUOTED = st.builds("{0}{1}{2}".format, st.sampled_from("\"“„`'«("), st.text(max_size=8), st.sampled_from("\"”“`'»)"))
ASKED = st.builds("What does {} mean in the Falcon runbook?".format, QUOTED)
LONG = st.builds(lambda piece, length: (piece * MOST)[:length], SENTENCES.filter(bool), st.integers(1_000, MOST))
QUESTIONS = SENTENCES | SENTENCES | ASKED | st.text(st.characters(), max_size=60) | LONG
BEFORE = st.just(()) | st.builds(lambda asked, said: (Turn(asked, said),), SENTENCES, SENTENCES)

EVERYONE = Scope.member()


@pytest.fixture(scope="module")
async def asked(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Product]:
    """The product over an index of two documents, without a model."""
    folder = tmp_path_factory.mktemp("any")
    write(folder / "docs", runbook=RUNBOOK, leave=LEAVE)
    name = f"any_{uuid4().hex}"
    with own_database(data_dir, name):
        chosen = load({"KB_AGENT_DATA_DIR": str(data_dir)}, folder)
        async with open_product(chosen, database=name, model=HashEmbedder()) as product:
            await product.storage.sources.add(
                Source("docs", "files", {"path": str(folder / "docs"), "audience": "everyone"})
            )
            source = await product.storage.sources.get("docs")
            await index_source(product, source, product.writer, RunOptions(), lambda _step: None)
            yield product


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(QUESTIONS, BEFORE)
@example('What does "=>" mean in the Falcon runbook?', ())
@example("What does `=>` mean in the Falcon runbook?", ())
@example("Who is \x00?", ())
@example("Which tickets block \ud800FAL-7?", (Turn("Who is \x00?", "\udfff"),))
@example("label:\x00", ())
@example('"' * MOST, ())
async def test_any_question_is_answered_or_refused(asked: Product, text: str, history: tuple[Turn, ...]) -> None:
    answer = await asked.answers.ask(Question(text, EVERYONE, history=history))
    assert not isinstance(answer.outcome, Failed), answer.outcome


async def test_filters_may_hold_anything(asked: Product) -> None:
    odd = Filters(("\x00",), ("\udcff",), ("\ud800",), ("\x00",), ("\x00\udfff",))
    answer = await asked.answers.ask(Question("Who approves vacation?", EVERYONE, odd))
    assert not isinstance(answer.outcome, Failed), answer.outcome


async def test_a_quotation_without_words_does_not_hide_the_rest(asked: Product) -> None:
    answer = await asked.answers.ask(Question('What does "=>" mean in the Falcon runbook?', EVERYONE))
    assert "leads to" in repr(answer.outcome)


async def test_too_long_a_question_is_declined(asked: Product) -> None:
    answer = await asked.answers.ask(Question("?" * (MOST + 1), EVERYONE))
    assert isinstance(answer.outcome, Declined)
