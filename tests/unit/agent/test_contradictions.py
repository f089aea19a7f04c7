from datetime import UTC, datetime

import pytest

from agent.contradictions import contradictions
from agent.state import Claim
from tests.fakes.agent import a_passage

OLD, NEW = datetime(2024, 2, 1, tzinfo=UTC), datetime(2026, 1, 12, tzinfo=UTC)


def a_claim(sentence: str, document: str, dated: datetime | None) -> Claim:
    return Claim(sentence, (a_passage(sentence, document, title=document.title(), dated=dated),))


def test_the_newer_source_is_named_first() -> None:
    claims = [
        a_claim("The allowance is 45 euros a day.", "old", OLD),
        a_claim("The allowance is 58 euros a day.", "new", NEW),
    ]
    assert contradictions(claims) == ["The sources differ: “New” (2026-01-12) is newer than “Old” (2024-02-01)."]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("The allowance is 45 euros.", "old", OLD), ("The allowance is 45 euros.", "new", NEW)),
        (("The allowance is 45 euros.", "old", OLD), ("Buses leave at 9 from the gate.", "new", NEW)),
        (("The allowance is 45 euros.", "one", OLD), ("The allowance is 58 euros.", "one", NEW)),
        (("The allowance is 45 euros.", "old", None), ("The allowance is 58 euros.", "new", NEW)),
        (("The allowance is low.", "old", OLD), ("The allowance is high.", "new", NEW)),
    ],
    ids=["same numbers", "another subject", "one document", "no date", "no numbers"],
)
def test_what_is_no_contradiction(one: tuple[str, str, datetime | None], other: tuple[str, str, datetime]) -> None:
    assert contradictions([a_claim(*one), a_claim(*other)]) == []
