"""all-MiniLM-L6-v2 once more, slowly: BERT as its paper describes it, in NumPy and float64, one text at a time."""

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

Array = NDArray[np.float64]


class MiniLMReference:
    """The model in `model_dir`, for comparison."""

    def __init__(self, model_dir: Path) -> None:
        tensors = load_file(model_dir / "model.safetensors")
        self._words = tensors.pop("embeddings.word_embeddings.weight")
        self._weights = {name: tensor.astype(np.float64) for name, tensor in tensors.items()}
        self._tokenizer = Tokenizer.from_file(str(model_dir / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(256)

    def embed(self, text: str) -> Array:
        """A vector of length 1, shape (384,)."""
        mean = self.hidden(text).mean(axis=0)
        vector: Array = mean / np.linalg.norm(mean)
        return vector

    def hidden(self, text: str) -> Array:
        """The last layer's row for each token, [CLS] and [SEP] included: shape (tokens, 384)."""
        hidden = self._embeddings(self._tokenizer.encode(text).ids)
        for layer in range(6):
            hidden = self._layer(hidden, f"encoder.layer.{layer}.")
        return hidden

    def _embeddings(self, ids: list[int]) -> Array:
        words = self._words[ids].astype(np.float64)
        positions = self._weights["embeddings.position_embeddings.weight"][: len(ids)]
        segment = self._weights["embeddings.token_type_embeddings.weight"][0]
        return self._norm(words + positions + segment, "embeddings.LayerNorm.")

    def _layer(self, hidden: Array, name: str) -> Array:
        attended = self._dense(self._attention(hidden, name + "attention.self."), name + "attention.output.dense.")
        middle = self._norm(hidden + attended, name + "attention.output.LayerNorm.")
        wide = self._dense(middle, name + "intermediate.dense.")
        active = wide * 0.5 * (1.0 + _erf(wide / math.sqrt(2.0)))  # GELU as defined, not its tanh approximation
        return self._norm(middle + self._dense(active, name + "output.dense."), name + "output.LayerNorm.")

    def _attention(self, hidden: Array, name: str) -> Array:
        heads = []
        query, key, value = (self._dense(hidden, f"{name}{part}.") for part in ("query", "key", "value"))
        for start in range(0, 384, 32):
            part = slice(start, start + 32)
            scores = query[:, part] @ key[:, part].T / math.sqrt(32)
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            heads.append(shares / shares.sum(axis=1, keepdims=True) @ value[:, part])
        return np.concatenate(heads, axis=1)

    def _dense(self, hidden: Array, name: str) -> Array:
        return hidden @ self._weights[name + "weight"].T + self._weights[name + "bias"]

    def _norm(self, hidden: Array, name: str) -> Array:
        centred = hidden - hidden.mean(axis=1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-12)
        scaled: Array = centred / deviation * self._weights[name + "weight"]
        return scaled + self._weights[name + "bias"]


def _erf(values: Array) -> Array:
    """The error function to 1.5e-7 (Abramowitz and Stegun, 7.1.26)."""
    step = 1.0 / (1.0 + 0.3275911 * np.abs(values))
    factors = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592, 0.0)
    result: Array = np.sign(values) * (1.0 - np.polyval(factors, step) * np.exp(-(values**2)))
    return result
