"""The sets of cases that the masker is scored on."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.masking import development
from tests.masking.case import Negative, Positive
from tests.masking.everyday import cases as everyday
from tests.masking.leaks import cases as leaks
from tests.masking.operations import cases as operations


@dataclass(frozen=True, slots=True)
class CaseSet:
    """A set. seed: with which it is scored. blind: whether those who wrote it had not seen the
    rules."""

    name: str
    make_positives: Callable[[int], list[Positive]]
    make_negatives: Callable[[int], list[Negative]]
    seed: int
    blind: bool = True

    def positives(self) -> list[Positive]:
        """Texts with secrets."""
        return self.make_positives(self.seed)

    def negatives(self) -> list[Negative]:
        """Texts without any."""
        return self.make_negatives(self.seed)


SETS: tuple[CaseSet, ...] = (
    CaseSet("development", development.positives, development.negatives, 7, blind=False),
    CaseSet("operations", operations.positives, operations.negatives, 11),
    CaseSet("leaks", leaks.positives, leaks.negatives, 29),
    CaseSet("everyday", everyday.positives, everyday.negatives, 47),
)
