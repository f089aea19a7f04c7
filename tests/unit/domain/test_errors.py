"""Errors as a terminal lays them out, and as somebody in a chat reads them."""

import pytest

from domain.answers import Declined, Failed, NotFound, failed, with_remark
from domain.errors import Bug, KbError, Misconfigured, Refused, Transient, in_sentences

WORDS = [
    (Transient("the model is away", why="503", next_step="check KB_AGENT_LLM_BASE_URL"), "Ask again in a few minutes."),
    (
        Misconfigured("The server refuses our key", why="401", next_step="check KB_AGENT_LLM_API_KEY"),
        "Whoever runs this service has to mend that first: please tell them.",
    ),
    (Refused("There is no source x", next_step="there are: docs"), "There are: docs."),
    (Refused("No"), ""),
    (Bug("It broke", next_step="see the log"), "Ask again; if it stays so, tell whoever runs this service."),
]


@pytest.mark.parametrize(("error", "helps"), WORDS)
def test_a_chat_reads_sentences(error: KbError, helps: str) -> None:
    told = in_sentences(error)
    assert told == f"{error.what[:1].upper()}{error.what[1:]}. {helps}".strip()
    assert failed(error).words == told
    for part in ("next:", "why:", "\n", "KB_AGENT", "503", "401"):
        assert part not in told


def test_a_terminal_reads_lines() -> None:
    assert str(WORDS[0][0]) == "the model is away\n  why: 503\n  next: check KB_AGENT_LLM_BASE_URL"
    assert str(Refused("No")) == "No"


def test_a_remark_is_said_with_every_outcome() -> None:
    assert with_remark(NotFound("2 documents"), "More.") == NotFound("2 documents", notice="More.")
    assert with_remark(Declined("No."), "More.") == Declined("No. More.")
    assert with_remark(Failed("It broke", advice="Wait."), "More.") == Failed("It broke", advice="Wait. More.")
