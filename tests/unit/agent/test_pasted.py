"""Messages of programs that are pasted into a question."""

import pytest

from agent.questions.analysis import analysis_of
from agent.questions.pasted import without_message
from domain.answers import Question
from tests.fakes.agent import MEMBER

TRACE = """2026-02-03 04:05:06 ERROR [pool-1] org.zoo.FeedException: FED-204: cannot open BUCKET 12
  at org.zoo.Feeder.open(Feeder.java:17)
  at java.lang.Thread.run(Thread.java:750)
What now?"""


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("error FED-204: the BUCKET is empty", "FED-204"),
        ("FED-204: unable to open bucket", "FED-204"),
        ("FATAL [F204] connection refused", "F204"),
        ("Hello.\nWarning: FED-204: no herring\nWhat is that?", "FED-204. What is that?"),
        (TRACE, "FED-204. What now?"),
        (" ".join(TRACE.split()), "FED-204. What now?"),
    ],
)
def test_of_a_message_its_identifier_is_asked_about(question: str, asked: str) -> None:
    assert without_message(question) == asked
    assert analysis_of(Question(question, MEMBER)).standalone == asked


@pytest.mark.parametrize(
    "question",
    [
        "error FED-204: what does it mean?",
        "FED-204: the second feeding",
        "FED-204: cannot find it, who has it?",
        "What does error FED-204 mean?",
        "error: cannot open the bucket",
        "Python3.11: cannot install it",
        "at noon: what failed?",
    ],
)
def test_any_other_question_stays_as_it_is(question: str) -> None:
    assert without_message(question) == question
