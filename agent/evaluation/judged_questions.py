"""Questions of a data set with the documents that answer them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from domain.documents import digest, document_id

Q = TypeVar("Q")


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question that somebody judged."""

    text: str
    gold: Mapping[str, int] = field(default_factory=dict)
    """Grades of the documents that answer it, by document id; empty: no document does."""

    @property
    def development(self) -> bool:
        """Which half it belongs to: thresholds are chosen on the development half, the other one only reports."""
        return digest("half", self.text)[0] % 2 == 0


def judged_questions(rows: Iterable[tuple[str, Mapping[str, int]]], source: str) -> list[JudgedQuestion]:
    """The questions of a data set that is indexed as `source`. rows: texts, and grades by the data set's own ids."""
    return [
        JudgedQuestion(text, {document_id(source, key): grade for key, grade in gold.items()}) for text, gold in rows
    ]


def drawn(questions: Sequence[Q], limit: int | None, seed: int, key: Callable[[Q], str]) -> list[Q]:
    """`limit` of the questions, in their order; they are drawn by their key and the seed, so that neither the order of
    the file nor its kinds of questions decide. None: all. key: what tells a question from others."""
    chosen = sorted(range(len(questions)), key=lambda n: digest("drawn", str(seed), key(questions[n])))[:limit]
    return [questions[number] for number in sorted(chosen)]
