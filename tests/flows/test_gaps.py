"""What an operator sees of answers afterwards: how one came about, what has no answer, how the service is used."""

from pathlib import Path
from typing import get_args

import pytest

from bot.cli.options import operator
from bot.cli.questions import OUTCOMES, PLATFORMS
from domain.conversation import Platform, Result
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
    latest = asked("questions", "--json").json["questions"]
    assert [each["result"] for each in latest] == ["not_found", "not_found", "answered"]
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
    for said in ("0", "99999999999999999999", "abc"):
        done = asked("trace", said)
        assert done.code == 2
        assert f"{said!r} is not the number of a question; kb questions lists them" in done.err


def test_questions_without_an_answer_are_one_gap_when_they_ask_for_the_same(asked: Kb) -> None:
    found = asked("gaps", "--json").json
    assert found["questions"] == 2
    assert sum(each["size"] for each in found["gaps"]) == 2
    (first, *_) = found["gaps"]
    assert "submarine" in first["example"]
    assert (first["unanswered"], first["partly"], first["badly_rated"]) == (first["size"], 0, 0)
    assert first["private"] == first["size"]
    assert all(near["title"] and near["id"] for near in first["nearest"])
    shown = asked("gaps", "--limit", "1")
    assert shown.code == 0
    assert f"kb trace {first['number']}" in shown.out
    assert asked("gaps", "--since", "2999-01-01", "--json").json["gaps"] == []
    assert asked("gaps", "--since", "soon").code == 2


def test_use_is_counted(asked: Kb) -> None:
    found = asked("stats", "--json").json
    assert (found["questions"], found["people"], found["private"]) == (3, 1, 3)
    assert found["outcomes"] == {"answered": 1, "not_found": 2}
    assert 0 < found["wait_ms"]["p50"] <= found["wait_ms"]["p95"]
    assert (found["requests"], found["tokens"], found["votes"]) == (0, 0, {"up": 0, "down": 0})
    assert "answered: 1" in asked("stats").out
    assert asked("stats", "--since", "2999-01-01", "--json").json["wait_ms"] == {"p50": None, "p95": None}


def test_questions_can_be_asked_for_by_every_outcome_and_platform() -> None:
    assert set(OUTCOMES) == {*get_args(Result), "partly"}
    assert set(PLATFORMS) == set(get_args(Platform))


def test_questions_and_votes_are_listed(asked: Kb) -> None:
    shown = asked("questions", "--outcome", "answered")
    assert shown.code == 0
    assert "answered" in shown.out
    assert "How many days of vacation?" in shown.out
    assert "No such question has ended since" in asked("questions", "--rated", "down").out
    assert asked("questions", "--since", "yesterday-ish").code == 2
    assert asked("feedback").out.splitlines()[0].endswith("0 votes for replies, 0 against")
    assert asked("feedback", "--vote", "down", "--json").json["votes"] == []


@pytest.mark.parametrize("command", ["gaps", "stats", "questions", "feedback"])
def test_where_nothing_is_kept_it_is_told_what_would_be(asked: Kb, command: str) -> None:
    told = "a single kb ask is not"
    assert told in asked(command, "--since", "2999-01-01").out
    assert (told in asked(command).out) == (command == "feedback")


def test_one_person_is_one_in_all_sessions(asked: Kb) -> None:
    assert asked("ask", "-i", stdin="How many days of vacation?\n").code == 0
    assert asked("stats", "--json").json["people"] == 1
    account = operator()
    given = ("ada@example.com", "--id", f"terminal:{account.id}")
    assert len(asked("people", "export", *given).json["kept"]["questions"]) == 4
    assert asked("people", "erase", *given, "--yes").code == 0
    assert asked("people", "export", *given).json["kept"].get("questions", []) == []
