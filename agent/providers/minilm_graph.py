"""all-MiniLM-L6-v2 as an ONNX graph of ONNX Runtime's fused operators, made straight from its weights.

No exporter and no optimiser pass are needed: a BERT encoder is a short list of operators, and written with
the fused ones (domain com.microsoft) it is already what an optimiser would make of it.

Cached graphs outlive a release: whoever changes what is built here raises GRAPH_VERSION in minilm_files.py.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

DIMENSIONS = 384
HEADS = 12
LAYERS = 6
LAYER_NORM_EPSILON = 1e-12
FUSED = "com.microsoft"

ReadTensor = Callable[[str], NDArray[np.float32]]
"""Gives a tensor of model.safetensors by name; linear layers are (out, in)."""


def build_graph(read: ReadTensor) -> onnx.ModelProto:
    """The encoder with masked mean pooling and L2 normalisation, weights included (90 MB).

    Args:
        read: gives the checkpoint's tensors; whatever it raises passes through.

    Returns:
        A model with inputs `ids` and `mask` (int32, shape (batch, tokens), mask 1 for real tokens) and two outputs:
        `embedding` (float32, shape (batch, 384), rows of length 1) and `tokens`, the last hidden state it is made of
        (float32, shape (batch, tokens, 384), of any length; what stands at masked tokens means nothing).
    """
    graph = _Graph(read)
    hidden = _embeddings(graph)
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}."
        hidden = _encoder_layer(graph, hidden, prefix, "tokens" if layer == LAYERS - 1 else prefix + "output.normal")
    _pooling(graph, hidden)
    return graph.model


class _Graph:
    """A model that grows by operators and constants; tensors are passed around by name, as ONNX does."""

    def __init__(self, read: ReadTensor) -> None:
        self.read = read
        inputs = [_tensor(name, TensorProto.INT32, "batch", "tokens") for name in ("ids", "mask")]
        # the hidden state is an output as it is, not a copy: who asks for `embedding` alone pays nothing for it
        outputs = [
            _tensor("embedding", TensorProto.FLOAT, "batch", DIMENSIONS),
            _tensor("tokens", TensorProto.FLOAT, "batch", "tokens", DIMENSIONS),
        ]
        # everything is added to this one message: putting parts together later would copy 90 MB each time
        self.model = helper.make_model(
            helper.make_graph([], "all-MiniLM-L6-v2", inputs, outputs),
            opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid(FUSED, 1)],
            ir_version=9,
            producer_name="kb-agent",
        )

    def weight(self, name: str) -> str:
        """A tensor of the checkpoint as a constant; returns its name."""
        return self.constant(name, self.read(name))

    def matrix(self, name: str) -> str:
        """A linear layer's matrix, turned to (in, out) as MatMul wants it; returns its name."""
        return self.constant(name, self.read(name).T)

    def constant(self, name: str, value: NDArray[np.float32] | NDArray[np.int64]) -> str:
        """A constant tensor; returns its name."""
        self.model.graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """A standard ONNX operator with one output; returns the output's name."""
        self.model.graph.node.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def add_fused(self, operator: str, inputs: list[str], *outputs: str, **attributes: Any) -> str:
        """One of ONNX Runtime's own operators; returns its first output's name."""
        self.model.graph.node.append(helper.make_node(operator, inputs, outputs, domain=FUSED, **attributes))
        return outputs[0]


def _tensor(name: str, element: int, *shape: str | int) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, element, shape)


def _embeddings(graph: _Graph) -> str:
    """Word plus position plus segment, layer-normalised."""
    # every token is of segment 0, so that segment's one vector can be part of each position's
    segment = graph.read("embeddings.token_type_embeddings.weight")[0]
    positions = graph.read("embeddings.position_embeddings.weight") + segment
    inputs = [
        "ids",
        "",  # segment ids
        graph.weight("embeddings.word_embeddings.weight"),
        graph.constant("embeddings.position_and_segment", positions),
        "",  # segment vectors
        graph.weight("embeddings.LayerNorm.weight"),
        graph.weight("embeddings.LayerNorm.bias"),
    ]
    outputs = ("embedded", "unused_mask_index")  # the second one is not optional
    return graph.add_fused("EmbedLayerNormalization", inputs, *outputs, epsilon=LAYER_NORM_EPSILON)


def _encoder_layer(graph: _Graph, hidden: str, layer: str, output: str) -> str:
    """Self-attention, then the feed-forward part, each added to its input and layer-normalised; gives `output`."""
    attended = _attention(graph, hidden, layer + "attention.self.")
    projected = graph.add(
        "MatMul", [attended, graph.matrix(layer + "attention.output.dense.weight")], layer + "projected"
    )
    attention = layer + "attention.output."
    middle = _add_and_normalise(graph, hidden, projected, attention, attention + "normal")
    widened = graph.add("MatMul", [middle, graph.matrix(layer + "intermediate.dense.weight")], layer + "widened")
    bias = graph.weight(layer + "intermediate.dense.bias")
    active = graph.add_fused("BiasGelu", [widened, bias], layer + "active")
    narrowed = graph.add("MatMul", [active, graph.matrix(layer + "output.dense.weight")], layer + "narrowed")
    return _add_and_normalise(graph, middle, narrowed, layer + "output.", output)


def _attention(graph: _Graph, hidden: str, prefix: str) -> str:
    """Multi-head self-attention over the unmasked tokens, before its output projection."""
    parts = ("query", "key", "value")
    matrix = np.concatenate([graph.read(f"{prefix}{part}.weight").T for part in parts], axis=1)
    bias = np.concatenate([graph.read(f"{prefix}{part}.bias") for part in parts])
    inputs = [hidden, graph.constant(prefix + "matrix", matrix), graph.constant(prefix + "bias", bias), "mask"]
    return graph.add_fused("Attention", inputs, prefix + "attended", num_heads=HEADS)


def _add_and_normalise(graph: _Graph, residual: str, change: str, prefix: str, output: str) -> str:
    """LayerNorm(residual + change + the bias of the dense layer that made `change`)."""
    scale, shift = graph.weight(prefix + "LayerNorm.weight"), graph.weight(prefix + "LayerNorm.bias")
    inputs = [residual, change, scale, shift, graph.weight(prefix + "dense.bias")]
    return graph.add_fused("SkipLayerNormalization", inputs, output, epsilon=LAYER_NORM_EPSILON)


def _pooling(graph: _Graph, hidden: str) -> None:
    """The mean of the unmasked token vectors, scaled to length 1."""
    mask = graph.add("Cast", ["mask"], "mask_numbers", to=TensorProto.FLOAT)
    axis = graph.constant("token_axis", np.array([1], dtype=np.int64))
    row_mask = graph.add("Unsqueeze", [mask, axis], "mask_rows")
    # the sum will do: the number of tokens cancels when the length becomes 1
    summed = graph.add("Squeeze", [graph.add("MatMul", [row_mask, hidden], "summed_rows"), axis], "summed")
    graph.add("LpNormalization", [summed], "embedding", axis=1, p=2)
