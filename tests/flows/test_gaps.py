"""What an operator sees of answers afterwards: how one came about, what has no answer, how the service is used."""

from pathlib import Path

import pytest

from tests.command import Kb
from tests.fakes import handbook

ASKED = """\
How many days of vacation?
Which colour has the submarine of the ministry?
What colour has the ministry's submarine?
"""


@pytest.fixture(scope="module")
def asked(shared: Kb, tmp_path_factory: pytest.TempPathFactory) -> Kb:
    """An index of which three questions were asked, one of them answered."""
    folder: Path = handbook.make(tmp_path_factory.mktemp("company") / "handbook")
    assert shared("index", str(folder)).code == 0
    assert shared("ask", "-i", stdin=ASKED).code == 0
    return shared


def test_an_answer_is_looked_at_afterwards(asked: Kb) -> None:
    latest = asked("trace", "--json").json["answers"]
    assert [each["outcome"] for each in latest] == ["not_found", "not_found", "answered"]
    number = str(latest[-1]["number"])
    shown = asked("trace", number)
    assert shown.code == 0
    assert f"Question {number}: How many days of vacation?" in shown.out
    assert "Outcome: answered" in shown.out
    assert "search" in shown.out
    kept = asked("trace", number, "--json").json
    assert kept["trace"]["tool_calls"]
    assert kept["trace"]["evidence"][0]["document_id"] in kept["nearest"]
    assert {each[0] for each in kept["trace"]["stages"]} >= {"search", "write", "mask"}
    assert (kept["platform"], kept["private"], kept["votes_up"]) == ("terminal", True, 0)


def test_an_unknown_number_is_told(asked: Kb) -> None:
    done = asked("trace", "4711", "--json")
    assert (done.code, done.json["error"]["what"]) == (2, "There is no answer with the number 4711")
    assert asked("trace", "0").code == 2
    assert asked("trace", "99999999999999999999").code == 2
