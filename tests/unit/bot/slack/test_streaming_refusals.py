"""For how long, and where, streams are not tried."""

import pytest

from bot.slack.stream import EVERYWHERE, HERE, MAX_REFUSALS, REFUSED_SECONDS, StreamingRefusals


@pytest.mark.parametrize("code", sorted(HERE))
def test_a_refusal_holds_in_its_channel_for_a_while(code: str) -> None:
    now = [0.0]
    refused = StreamingRefusals(lambda: now[0])
    assert "C1" not in refused
    assert refused.note("C1", code)
    assert "C1" in refused
    assert "C2" not in refused
    now[0] = REFUSED_SECONDS
    assert "C1" not in refused


@pytest.mark.parametrize("code", sorted(EVERYWHERE))
def test_what_the_workspace_has_not_is_not_tried_anywhere_for_a_while(code: str) -> None:
    now = [0.0]
    refused = StreamingRefusals(lambda: now[0])
    assert refused.note("C1", code)
    assert "C2" in refused
    now[0] = REFUSED_SECONDS
    assert "C2" not in refused


def test_other_errors_are_no_refusal_of_streams() -> None:
    refused = StreamingRefusals()
    assert not refused.note("C1", "is_archived")
    assert "C1" not in refused


def test_it_stays_small() -> None:
    refused = StreamingRefusals()
    for number in range(MAX_REFUSALS + 5):
        refused.note(f"C{number}", "not_allowed")
    assert "C4" not in refused
    assert f"C{MAX_REFUSALS + 4}" in refused
