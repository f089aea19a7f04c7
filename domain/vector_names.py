"""What names the vectors of a model: vectors of different names are never compared."""

import json
from collections.abc import Sequence
from typing import NamedTuple


class VectorName(NamedTuple):
    """The parts of a name, as in `multilingual-e5-small ["passage: "]/384`."""

    model: str
    """As its server calls it."""
    passage_prefix: tuple[str, ...]
    """Prefix (instruction) put before a passage, if any, and the server's word for its kind."""
    dimensions: str
    """Numbers in one vector."""

    @property
    def text(self) -> str:
        """The name."""
        shown = f" {json.dumps(list(self.passage_prefix), ensure_ascii=False)}" if any(self.passage_prefix) else ""
        return f"{self.model}{shown}/{self.dimensions}"


def vector_name(model: str, passage_prefix: Sequence[str], dimensions: int) -> str:
    """The name of vectors; see VectorName."""
    return VectorName(model, tuple(passage_prefix), str(dimensions)).text


def parts_of(name: str) -> VectorName:
    """The parts of such a name."""
    head, _, dimensions = name.rpartition("/")
    model, begins, listed = head.rpartition(' ["')
    try:
        passage_prefix = json.loads(f'["{listed}') if begins else []
    except ValueError:
        passage_prefix = []  # a model may be called so
    return VectorName(model, tuple(passage_prefix), dimensions) if passage_prefix else VectorName(head, (), dimensions)
