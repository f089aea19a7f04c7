from datetime import UTC, datetime

import pytest

from agent.checking.contradictions import contradictions
from agent.state import CitedClaim
from tests.fakes.agent import a_passage

OLD, NEW = datetime(2024, 2, 1, tzinfo=UTC), datetime(2026, 1, 12, tzinfo=UTC)


def a_claim(sentence: str, document: str, dated: datetime | None) -> CitedClaim:
    return CitedClaim(sentence, (a_passage(sentence, document, title=document.title(), dated=dated),))


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


@pytest.mark.parametrize("said", ["{} part of PAY-1", "{} took 3 days, for PAY-1", "{} is blocked by PAY-9"])
def test_what_is_said_of_two_tickets_is_no_contradiction(said: str) -> None:
    claims = [
        CitedClaim(sentence, (a_passage(sentence, key, title=f"{key}: A story", dated=dated),))
        for key, dated in (("PAY-35", OLD), ("PAY-27", NEW))
        for sentence in [said.format(key).replace("3 days", f"{key[-2:]}0 days")]
    ]
    assert contradictions(claims) == []


def test_a_number_in_a_title_does_not_hide_another_one() -> None:
    claims = [
        CitedClaim(sentence, (a_passage(sentence, title, title=title, dated=dated),))
        for sentence, title, dated in (
            ("In 2024 the allowance is 45 euros.", "Policy 2024", OLD),
            ("In 2026 the allowance is 58 euros.", "Policy 2026", NEW),
        )
    ]
    assert len(contradictions(claims)) == 1
