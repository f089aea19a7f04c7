"""Embedding with MiniLM here against sentence-transformers on PyTorch: the same weights, texts and threads.

    python benchmarks/embedding_vs_torch.py [--texts FOLDER] [--model FOLDER] [--rounds 6] [--chunks 48]

PyTorch is no dependency of this project: run it in an environment that has this project's requirements and
torch and sentence-transformers beside them. Each side first finds its best batch size, then
they take turns, so that other work on the machine troubles both alike. Start, question time and memory are
measured in processes of their own.
"""

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
THREADS = 2
CHUNK_TOKENS = (212, 252)  # with the two special tokens 234 on average
OURS_BATCHES = (256, 512, 1024, 2048)  # padded tokens
TORCH_BATCHES = (4, 8, 16, 32)  # texts
QUESTIONS = 60
SIDES = ("ours", "torch")

Embed = Callable[[Sequence[str]], Any]


def main() -> None:
    """Runs all measurements and prints two tables."""
    sys.path.insert(0, str(ROOT))  # this project need not be installed beside PyTorch
    options = _arguments()
    if options.probe:
        print(json.dumps(_probe(options.probe, options.model, options.cache)))
        return
    missing = [name for name in ("torch", "sentence_transformers", "psutil") if find_spec(name) is None]
    if missing:
        sys.exit(f"This comparison needs {' and '.join(missing)}, which this environment does not have.")
    _throughput(options)
    _processes(options)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--texts", type=Path, default=ROOT, help="folder with .md, .txt or .rst files")
    parser.add_argument("--model", type=Path, help="folder with model.safetensors; default: the installed package's")
    parser.add_argument("--cache", type=Path, default=Path("/tmp/kb-agent-benchmark"), help="folder for the graph")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--chunks", type=int, default=48, help="chunks in one round")
    parser.add_argument("--probe", choices=SIDES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.model is None:
        from agent.providers.minilm_files import packaged_model

        options.model = packaged_model()
    return options


def _open_ours(model: Path, cache: Path, batch_tokens: int = 512) -> tuple[Any, Embed]:
    """The local model, and a blocking way to embed with it."""
    from agent.providers.minilm import open_minilm

    opened = open_minilm(cache, THREADS, model_dir=model, batch_tokens=batch_tokens)
    loop = asyncio.new_event_loop()
    return opened, lambda texts: loop.run_until_complete(opened.embed(texts))


def _open_torch(model: Path, batch_size: int = 32) -> Embed:
    from sentence_transformers import SentenceTransformer

    import_module("torch").set_num_threads(THREADS)  # by name: no type checker here knows torch
    opened = SentenceTransformer(str(model), device="cpu")
    return lambda texts: opened.encode(
        list(texts), batch_size=batch_size, normalize_embeddings=True, show_progress_bar=False
    )


def _throughput(options: argparse.Namespace) -> None:
    model, _ = _open_ours(options.model, options.cache)
    chunks = _chunks(options.texts, model, options.chunks)
    candidates: dict[str, dict[int, Embed]] = {
        "ours": {size: _open_ours(options.model, options.cache, size)[1] for size in OURS_BATCHES},
        "torch": {size: _open_torch(options.model, size) for size in TORCH_BATCHES},
    }
    best = {side: _fastest(found, chunks) for side, found in candidates.items()}
    rates: dict[str, list[float]] = {side: [] for side in SIDES}
    for turn in range(options.rounds):
        for side in SIDES if turn % 2 else SIDES[::-1]:
            rates[side].append(len(chunks) / _seconds(candidates[side][best[side]], chunks))
    ours, torch = (candidates[side][best[side]](chunks) for side in SIDES)
    print(f"{len(chunks)} chunks of 234 tokens on average, {THREADS} threads, {options.rounds} rounds in turn")
    print(f"{'':8}{'best batch':>14}{'chunks/s median':>18}{'best':>8}")
    for side, unit in zip(SIDES, ("tokens", "texts"), strict=True):
        batch = f"{best[side]} {unit}"
        print(f"{side:8}{batch:>14}{statistics.median(rates[side]):>18.1f}{max(rates[side]):>8.1f}")
    ratios = [first / second for first, second in zip(rates["ours"], rates["torch"], strict=True)]
    print(f"ours / torch: median {statistics.median(ratios):.2f}, rounds {' '.join(f'{r:.2f}' for r in ratios)}")
    print(f"ours / torch, best round of each: {max(rates['ours']) / max(rates['torch']):.2f}")
    print(f"cosine of both sides' vectors: at least {float((ours * torch).sum(axis=1).min()):.7f}\n")


def _chunks(folder: Path, model: Any, count: int) -> list[str]:
    """Pieces of running text, cut on token borders."""
    draw = random.Random(11)
    files = sorted(path for suffix in ("md", "txt", "rst") for path in folder.rglob(f"*.{suffix}"))
    draw.shuffle(files)
    chunks: list[str] = []
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        (ranges,) = model.offsets([text])
        start = 0
        while start + CHUNK_TOKENS[1] < len(ranges) and len(chunks) < count:
            end = start + draw.randint(*CHUNK_TOKENS)
            chunks.append(text[ranges[start][0] : ranges[end - 1][1]])
            start = end
    if len(chunks) < count:
        sys.exit(f"{folder} has text for {len(chunks)} chunks only; name another folder with --texts.")
    return chunks


def _fastest(candidates: dict[int, Embed], chunks: Sequence[str]) -> int:
    for embed in candidates.values():
        embed(chunks[:4])
    times = dict.fromkeys(candidates, float("inf"))
    for _ in range(4):  # in turn, and the best of each: other work on the machine only ever adds time
        for size, embed in candidates.items():
            times[size] = min(times[size], _seconds(embed, chunks))
    return min(times, key=lambda size: times[size])


def _seconds(embed: Embed, texts: Sequence[str]) -> float:
    start = time.perf_counter()
    embed(texts)
    return time.perf_counter() - start


def _processes(options: argparse.Namespace) -> None:
    """Start, question time and memory, each side three times in turn."""
    found: dict[str, list[dict[str, float]]] = {side: [] for side in SIDES}
    for _ in range(3):
        for side in SIDES:
            command = [sys.executable, __file__, "--probe", side]
            places = ["--model", str(options.model), "--cache", str(options.cache)]
            child = subprocess.run(command + places, check=True, capture_output=True, text=True)
            found[side].append(json.loads(child.stdout.splitlines()[-1]))
    print(f"{'':8}{'import to first vector':>24}{'question p50':>14}{'memory':>10}")
    middle = {
        side: {key: statistics.median(each[key] for each in found[side]) for key in found[side][0]} for side in SIDES
    }
    for side in SIDES:
        figures = middle[side]
        print(f"{side:8}{figures['start_s']:>22.2f} s{figures['question_ms']:>11.1f} ms{figures['rss_mb']:>7.0f} MB")
    ratios = [middle["torch"][key] / middle["ours"][key] for key in ("start_s", "question_ms", "rss_mb")]
    print(f"{'torch / ours':12}{ratios[0]:>20.1f}{ratios[1]:>14.1f}{ratios[2]:>10.1f}")


def _probe(side: str, model: Path, cache: Path) -> dict[str, float]:
    """In a fresh process: seconds from the first import to the first vector, a question's time, memory in use."""
    start = time.perf_counter()
    embed = _open_ours(model, cache)[1] if side == "ours" else _open_torch(model)
    embed(["first"])
    first = time.perf_counter() - start
    import psutil

    questions = [f"How do I get access to the staging cluster number {number}?" for number in range(QUESTIONS)]
    times = [_seconds(embed, [question]) for question in questions]
    memory = psutil.Process().memory_info().rss / 2**20
    return {"start_s": first, "question_ms": statistics.median(times) * 1000, "rss_mb": memory}


if __name__ == "__main__":
    main()
