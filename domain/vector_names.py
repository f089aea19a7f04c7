"""What names the vectors of a model: vectors of different names are never compared."""

import json
from collections.abc import Sequence
from typing import NamedTuple


class VectorName(NamedTuple):
    """The parts of a name, as in `multilingual-e5-small ["passage: "]/384`."""

    model: str
    """As its server calls it."""
    told: tuple[str, ...]
    """What the model is told of passages, if anything: a prefix, and the server's word for their kind."""
    dimensions: str
    """Numbers in one vector."""

    @property
    def text(self) -> str:
        """The name."""
        told = f" {json.dumps(list(self.told), ensure_ascii=False)}" if any(self.told) else ""
        return f"{self.model}{told}/{self.dimensions}"


def vector_name(model: str, told: Sequence[str], dimensions: int) -> str:
    """The name of vectors; see VectorName."""
    return VectorName(model, tuple(told), str(dimensions)).text


def parts_of(name: str) -> VectorName:
    """The parts of such a name."""
    head, _, dimensions = name.rpartition("/")
    model, begins, listed = head.rpartition(' ["')
    try:
        told = json.loads(f'["{listed}') if begins else []
    except ValueError:
        told = []  # a model may be called so
    return VectorName(model, tuple(told), dimensions) if told else VectorName(head, (), dimensions)
