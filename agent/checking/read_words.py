"""A word of a sentence that says something. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadWord:
    """A word that says something."""

    text: str
    """Folded."""
    stem: str
    concepts: tuple[tuple[int, int], ...]
    clause: int
    """Number of its clause in the sentence."""
    place: int
    """Number of its token in the sentence."""
    negative: bool = False
    name: bool = False
    """Whether it is written like a name."""
    code: bool = False
    """Whether it is a code of letters and digits, a path or the like."""
