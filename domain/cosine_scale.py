"""Cosines of different embedding models, brought to one scale."""

from dataclasses import dataclass

UNRELATED, ANSWERING = 0.0900808, 0.5400082
"""Mean cosines that all-MiniLM-L6-v2 gives the questions of agent.providers.cosine_probes: with passages
that answer others, and with their own. Limits on cosines were chosen with this model."""


@dataclass(frozen=True, slots=True)
class CosineScale:
    """What one model's cosines mean: all of multilingual-e5-small's lie above 0.7, MiniLM's are spread from 0 to 1.

    What the model gives unrelated texts becomes UNRELATED, what it gives a question and its answer becomes ANSWERING,
    and 1 stays 1; all else lies on the lines between.
    """

    unrelated: float = UNRELATED
    """Mean cosine of a question and a passage on something else."""
    answering: float = ANSWERING
    """Mean cosine of a question and a passage that answers it."""

    def common(self, cosine: float) -> float:
        """A cosine of this model on the common scale, -1 to 1."""
        return _between((self.unrelated, self.answering), (UNRELATED, ANSWERING), cosine)

    def own(self, limit: float) -> float:
        """The cosine of this model that stands for a limit on the common scale."""
        return _between((UNRELATED, ANSWERING), (self.unrelated, self.answering), limit)


def _between(known: tuple[float, float], to: tuple[float, float], cosine: float) -> float:
    """The image of a cosine where two of them, and 1, have the images given."""
    low = known[0], to[0]
    middle = known[1], to[1]
    (x, y), (far_x, far_y) = (low, middle) if cosine < middle[0] else (middle, (1.0, 1.0))
    return min(1.0, max(-1.0, y + (cosine - x) * (far_y - y) / (far_x - x)))


COMMON_SCALE = CosineScale()
"""The packaged model's."""
