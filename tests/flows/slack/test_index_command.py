"""Administration of the index in words, on Slack: an administrator confirms before anything is read."""

from dataclasses import replace

import pytest

from tests.command import Kb, rows
from tests.fakes.slack import LocalSlack, plain
from tests.flows.slack.talk import Talk, direct, harmless, newcomer, pressable, room


@pytest.fixture(scope="module")
def admin(slack: LocalSlack) -> Talk:
    return room(slack, "engine-room", newcomer(slack, "nosy"), person=newcomer(slack, "root"))


def _queued(kb: Kb) -> int:
    url = kb.env["KB_AGENT_DATABASE_URL"]
    ((runs,),) = rows(url, "SELECT count(*) FROM runs WHERE source = 'handbook'")
    ((jobs,),) = rows(url, "SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'reindex'")
    return int(runs) + int(jobs)


def test_an_administrator_is_told_and_confirms(served: Kb, slack: LocalSlack, admin: Talk) -> None:
    before = _queued(served)
    outcome = admin.outcome(admin.ask("reindex handbook"))
    assert "Nothing was started." in plain(outcome)
    assert "/kb reindex handbook" in plain(outcome)
    assert harmless(outcome)
    assert pressable(outcome) == ["kb_again"]
    admin.press(outcome, "kb_again")
    question = admin.told("Read the source *handbook* again?")
    assert pressable(question) == ["kb_reindex", "kb_cancel"]
    assert _queued(served) == before, "nothing before it is confirmed"
    admin.press(question, "kb_reindex")
    slack.until(lambda: question.deleted or "Started." in plain(question))
    (told,) = slack.until(lambda: slack.channel(direct(slack, admin.person).channel))
    assert plain(told).startswith("handbook: ")
    assert "Nothing was started." in plain(outcome), "the reply stays"


def test_the_status_is_told_in_words(served: Kb, admin: Talk) -> None:
    outcome = admin.outcome(admin.ask("How fresh is the index?"))
    assert "The index: handbook, 6 documents, last read " in plain(outcome)
    assert pressable(outcome) == []
    del served


def test_others_get_no_button_and_pressing_one_does_not_help(served: Kb, slack: LocalSlack, admin: Talk) -> None:
    before = _queued(served)
    other = replace(admin, person=next(each for each in slack.world.users.values() if each.name == "nosy"))
    outcome = other.outcome(other.ask("reindex handbook"))
    assert "kb_again" not in pressable(outcome)
    assert "/kb reindex" not in plain(outcome)
    assert "The index:" not in plain(other.outcome(other.ask("How fresh is the index?")))
    offered = admin.outcome(admin.ask("reindex"))
    assert pressable(offered) == ["kb_again"]
    other.press(offered, "kb_again")
    other.told("Only an administrator")
    assert _queued(served) == before
