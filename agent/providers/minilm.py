"""The local embedding model: all-MiniLM-L6-v2 on onnxruntime, in this process, without PyTorch."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from agent.providers.minilm_files import WEIGHTS_SHA256, cached_graph, packaged_model
from agent.providers.onnx_runtime import onnxruntime as ort
from agent.providers.wordpieces import TEXTS_AT_ONCE, WordPieces, open_tokenizer
from domain.model_ports import Embedder, EmbedderIdentity, TextKind, TokenCounter, Vectors
from domain.text.encodable import encodable

NAME = f"all-MiniLM-L6-v2@{WEIGHTS_SHA256[:8]}/fp32"
"""Model, revision and precision."""

WINDOW = 256
"""Tokens the model was trained to read at once, its two special tokens ([CLS] and [SEP]) included."""

BATCH_TOKENS = 512
"""Padded tokens in one batch at most: bigger ones embed no faster, and a question that arrives while all threads
are busy waits for the end of a batch (about 0.15 s)."""

SMALL_BATCH_TOKENS = 64
"""Padded tokens below which a batch is not split for more threads: it would take hardly less time."""

_Tokens = NDArray[np.int32]
_Result = TypeVar("_Result")


def open_minilm(cache_dir: Path, threads: int, *, model_dir: Path | None = None) -> "MiniLM":
    """Opens the packaged model; blocks for about 0.3 s, the first time with a `cache_dir` for about 2 s.

    Args:
        cache_dir: where the graph made of the weights is kept (90 MB); may be shared by any processes.
        threads: batches that run at a time over all callers, each in one thread; at least 1.
        model_dir: a folder with model.safetensors and tokenizer.json, instead of the installed package's.

    Raises:
        Misconfigured: the model is not installed or not the expected one; `cache_dir` cannot be used.
    """
    model_dir = model_dir or packaged_model()
    tokenizer = open_tokenizer(model_dir)
    session = _open_session(cached_graph(cache_dir, model_dir))
    return MiniLM(session, tokenizer, threads=threads)


def _open_session(graph: Path) -> ort.InferenceSession:
    options = ort.SessionOptions()
    # a batch has one thread and batches run side by side: threads that share each operator of a batch wait for
    # each other thousands of times, which on a busy machine halves what they get done
    options.intra_op_num_threads = 1
    # the graph is made of fused operators already: looking for more to fuse only costs time at the start
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    # would remember a memory plan for each shape ever seen, and shapes vary without end
    options.enable_mem_pattern = False
    return ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


class MiniLM(Embedder, TokenCounter):
    """all-MiniLM-L6-v2 for the callers of one event loop.

    A text longer than the model's window is represented by its beginning; `identity.max_tokens` says how
    many of the tokens that `offsets` gives that is: the special tokens are not among them.

    Args:
        session: the graph of minilm_graph.py.
        tokenizer: the model's, neither truncating nor padding.
        threads: batches that run at a time over all callers.
        batch_tokens: padded tokens in one batch at most; a single text may take more.
    """

    def __init__(
        self, session: ort.InferenceSession, tokenizer: Tokenizer, *, threads: int, batch_tokens: int = BATCH_TOKENS
    ) -> None:
        self._session = session
        self._tokenizer, self._pieces = tokenizer, WordPieces(tokenizer)
        self._threads, self._batch_tokens = max(1, threads), batch_tokens
        self._first, self._last = (_token_id(tokenizer, name) for name in ("[CLS]", "[SEP]"))
        self._dimensions: int = session.get_outputs()[0].shape[1]
        # first come, first served, and each caller asks for one batch a thread: a question takes its turn between
        # two batches of an indexing run
        self._turns = asyncio.Semaphore(self._threads)

    @property
    def identity(self) -> EmbedderIdentity:
        """Model, revision and precision; max_tokens is 254, as special tokens are not counted."""
        return EmbedderIdentity(NAME, self._dimensions, WINDOW - 2)

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """For each text, the [start, end) character range of each token; nothing is cut off."""
        return self._pieces.offsets(texts)

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:  # noqa: ARG002 - one model for both
        """One L2-normalised row for each text, in order: float32, shape (len(texts), 384).

        The work is done in worker threads, as many as this object has, over all callers.
        """
        rows = np.empty((len(texts), self._dimensions), dtype=np.float32)

        def keep(batch: list[int], tokens: Sequence[_Tokens]) -> None:
            rows[batch] = self._run("embedding", tokens)

        await self._in_batches(texts, keep)
        return rows

    async def map_tokens(self, texts: Sequence[str], read: Callable[[Vectors], _Result]) -> list[_Result]:
        """What `read` makes of each text's token vectors, in the order of the texts.

        Token vectors are many times the size of the text: `read` is called in a worker thread while a batch is at
        hand, and what it does not copy is gone afterwards.

        Args:
            texts: of each, the beginning that the model reads counts.
            read: takes the L2-normalised rows of a text's tokens, those of `offsets` up to `identity.max_tokens`:
                float32, shape (tokens, 384), of no rows for a text without tokens. It is called from several threads.
        """
        found: dict[int, _Result] = {}

        def keep(batch: list[int], tokens: Sequence[_Tokens]) -> None:
            hidden = self._run("tokens", tokens)
            for index, rows, ids in zip(batch, hidden, tokens, strict=True):
                inner = rows[1 : len(ids) - 1]  # without [CLS] and [SEP]
                found[index] = read(inner / np.linalg.norm(inner, axis=1, keepdims=True))

        await self._in_batches(texts, keep)
        return [found[index] for index in range(len(texts))]

    async def _in_batches(self, texts: Sequence[str], work: Callable[[list[int], Sequence[_Tokens]], None]) -> None:
        """Calls `work` in worker threads with the indices and tokens of one batch after the other, when it is our
        turn."""
        tokens: list[_Tokens] = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            tokens += await asyncio.to_thread(self._tokenize, texts[start : start + TEXTS_AT_ONCE])
        lengths = [len(each) for each in tokens]
        share = -(-sum(lengths) // self._threads)  # so that each thread has a share of a small job too
        waiting = batches(lengths, min(self._batch_tokens, max(share, SMALL_BATCH_TOKENS)))

        async def take() -> None:
            for batch in waiting:
                async with self._turns:
                    await asyncio.to_thread(work, batch, [tokens[index] for index in batch])

        await asyncio.gather(*(take() for _ in range(self._threads)))

    def _tokenize(self, texts: Sequence[str]) -> list[_Tokens]:
        """What the model reads of each text: the ids of at most WINDOW tokens, special tokens included."""
        encodings = self._tokenizer.encode_batch_fast([encodable(text) for text in texts], add_special_tokens=False)
        kept = (encoding.ids[: WINDOW - 2] for encoding in encodings)
        return [np.array([self._first, *ids, self._last], dtype=np.int32) for ids in kept]

    def _run(self, output: str, tokens: Sequence[_Tokens]) -> Vectors:
        """One batch through the model: `output` of minilm_graph.py, in the order given."""
        shape = (len(tokens), max(len(each) for each in tokens))
        ids, mask = np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.int32)
        for row, each in enumerate(tokens):
            ids[row, : len(each)] = each
            mask[row, : len(each)] = 1
        vectors: Vectors = self._session.run([output], {"ids": ids, "mask": mask})[0]
        return vectors


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Splits texts into batches of similar length, so that little is spent on padding.

    Args:
        lengths: tokens of each text.
        budget: padded tokens in a batch; a text longer than that makes a batch of its own.

    Yields:
        Indices into `lengths`, each exactly once over all batches, longest texts first.
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda index: -lengths[index]):
        # sorted downwards, the first text of a batch is what the others are padded to
        if batch and lengths[batch[0]] * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _token_id(tokenizer: Tokenizer, token: str) -> int:
    number = tokenizer.token_to_id(token)
    if number is None:
        raise ValueError(f"the tokenizer has no token {token}")
    return number
