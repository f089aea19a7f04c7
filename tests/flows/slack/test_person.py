"""What is kept of one person who asked on Slack, shown and erased by an operator; what the audit log has of it."""

from datetime import UTC, datetime

import pytest

from tests.command import Kb, rows, wait_for
from tests.fakes.slack import LocalSlack
from tests.flows.slack.reading import settled
from tests.flows.slack.talk import Talk, direct, ending, newcomer, room

QUESTION = "How many days of vacation does everybody have?"


def acts(kb: Kb, *words: str) -> list[tuple[str, str, str]]:
    """Actor, act and subject of what the audit log has, newest first."""
    found = kb("audit", "--json", *words).json["entries"]
    return [(each["actor"], each["action"], each["subject"]) for each in found]


def answered(kb: Kb, here: Talk) -> Talk:
    """The same place, where somebody was answered."""
    said = here.say(QUESTION)
    here.outcome(said)
    assert ending(kb, said) == ("posted", "answered")
    return here


def test_somebody_is_shown_and_erased_by_the_address_alone(served: Kb, slack: LocalSlack) -> None:
    here = room(slack, "ada-there", person=newcomer(slack, "ada"))
    said = here.ask(QUESTION)
    here.outcome(said)
    assert ending(served, said) == ("posted", "answered")
    here.command(f"share {QUESTION}")
    wait_for(lambda: settled(served))
    shown = served("people", "export", "Ada@Example.com")
    assert shown.code == 0, shown.err
    assert (shown.json["address"], shown.json["ids"]) == ("ada@example.com", [f"slack:{here.person.id}"])
    kept = shown.json["kept"]
    assert kept["questions"][0]["text"] == QUESTION
    assert "thirty days" in kept["turns"][0]["reply"]
    assert kept["posted_replies"][0]["address"] == "ada@example.com"
    assert kept["answer_records"][0]["trace"]["tool_calls"]
    assert [each["action"] for each in kept["audit_entries"]] == ["answer_shared"]
    assert shown.json["open_ends"] == []
    assert acts(served, "--actor", "ada@example.com") == [(f"slack:{here.person.id}", "answer_shared", "")]
    assert acts(served, "--action", "person_exported")[0][1:] == ("person_exported", "")

    planned = served("people", "erase", "ada@example.com", "--dry-run")
    assert planned.code == 0
    assert f"ada@example.com is slack:{here.person.id}." in planned.out
    assert "turns of conversations" in planned.out
    assert "Left, since it is not in this database" in planned.out
    assert served("people", "export", "ada@example.com").json["kept"]["turns"] == kept["turns"], "nothing was done"

    done = served("people", "erase", "ada@example.com", "--yes", "--json").json
    assert done["erased"]["turns"] == len(kept["turns"])
    assert (done["stays"]["audit_entries"], done["open_ends"]) == (0, [])
    url = served.env["KB_AGENT_DATABASE_URL"]
    for table in ("questions", "turns", "posted_replies", "feedback", "audit_entries", "procrastinate_jobs"):
        text = rows(url, f"SELECT coalesce(string_agg(each::text, ' '), '') FROM {table} AS each")[0][0]
        assert here.person.id not in text, table
        assert "ada@example.com" not in text, table
    assert acts(served, "--action", "person_erased")[0][2] == ""
    assert served("people", "erase", "ada@example.com", "--yes").code == 3, "nothing is left"


def test_somebody_who_had_it_forgotten_is_found_by_what_slack_says(served: Kb, slack: LocalSlack) -> None:
    here = answered(served, direct(slack, newcomer(slack, "bea")))
    here.command("forget")
    assert served("people", "export", "bea@example.com").json["ids"] == [f"slack:{here.person.id}"]
    here.person.deleted = True
    assert served("people", "export", "bea@example.com").json["ids"] == [f"slack:{here.person.id}"], (
        "not in use any more"
    )

    blind = served.having(SLACK_BOT_TOKEN="", SLACK_APP_TOKEN="")
    shown = blind("people", "export", "bea@example.com").json
    assert (shown["ids"], shown["kept"]["questions"], len(shown["open_ends"])) == ([], [], 1)
    assert "these settings do not serve Slack" in shown["open_ends"][0]
    named = blind("people", "export", "bea@example.com", "--id", f"slack:{here.person.id}").json
    assert (named["ids"], named["open_ends"]) == ([f"slack:{here.person.id}"], [])
    assert len(named["kept"]["questions"]) == 1


def test_where_slack_does_not_answer_the_end_is_open(served: Kb, slack: LocalSlack) -> None:
    here = answered(served, direct(slack, newcomer(slack, "cleo")))
    broken = served.having(SLACK_BOT_TOKEN="xoxb-wrong")
    done = broken("people", "erase", "cleo@example.com", "--yes", "--json")
    assert done.code == 1, "others of the same person may be there"
    assert done.json["ids"] == [f"slack:{here.person.id}"]
    assert "could not be asked" in done.json["open_ends"][0]
    assert done.json["erased"]["turns"] == 1


@pytest.mark.parametrize(("answer", "code"), [("n\n", 1), ("", 2)])
def test_nothing_is_erased_unless_someone_says_so(served: Kb, slack: LocalSlack, answer: str, code: int) -> None:
    answered(served, direct(slack, newcomer(slack, f"dora{code}")))
    done = served("people", "erase", f"dora{code}@example.com", stdin=answer)
    assert done.code == code
    assert "Nothing was erased" in done.err
    assert served("people", "erase", f"dora{code}@example.com", "--json").code == 2, "with --json nobody is asked"
    assert len(served("people", "export", f"dora{code}@example.com").json["kept"]["turns"]) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("export", "ada"), "is not an e-mail address"),
        (("erase", "ada@example.com", "--id", "U1", "--dry-run"), "is not slack:ID or teams:ID or terminal:ID"),
        (("erase", "ada@example.com", "--id", "web:root", "--dry-run"), "is not slack:ID or teams:ID or terminal:ID"),
        (("erase", "ada@example.com", "--id", "slack: ", "--dry-run"), "is not slack:ID or teams:ID or terminal:ID"),
    ],
)
def test_what_names_nobody_is_refused(served: Kb, words: tuple[str, ...], said: str) -> None:
    done = served("people", *words)
    assert done.code == 2
    assert said in done.err


def test_an_unknown_person_is_not_found(served: Kb) -> None:
    planned = served("people", "erase", "nobody@example.com", "--dry-run")
    assert planned.code == 3
    assert "nobody@example.com is nobody on Slack or in Teams." in planned.out
    shown = served("people", "export", "nobody@example.com")
    assert (shown.code, shown.json["ids"]) == (3, [])


def test_what_an_administrator_starts_in_a_chat_is_noted_as_by_command(served: Kb, slack: LocalSlack) -> None:
    root = slack.add_user("root", email="root@example.com")
    admin, stranger = room(slack, "operators", person=root), room(slack, "strangers")
    admin.command("reindex handbook")
    admin.press(admin.told("handbook"), "kb_reindex")
    admin.told("Started")
    assert acts(served, "--actor", "slack:" + root.id) == [(f"slack:{root.id}", "reindex", "handbook")]
    stranger.command("reindex handbook")
    assert acts(served, "--actor", "slack:" + stranger.person.id) == [], "nothing was started"
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    listed = served("audit", "--since", today, "--actor", f"slack:{root.id}")
    assert f"slack:{root.id}" in listed.out
    assert "reindex" in listed.out


def test_who_shares_below_an_answer_is_noted(served: Kb, slack: LocalSlack) -> None:
    here = room(slack, "sharing")
    here.command(QUESTION)
    answer = here.told("Sources")
    number = rows(
        served.env["KB_AGENT_DATABASE_URL"], "SELECT max(question_no) FROM questions WHERE asker = %s", [here.person.id]
    )[0][0]
    slack.until(
        lambda: rows(
            served.env["KB_AGENT_DATABASE_URL"],
            "SELECT 1 FROM questions WHERE question_no = %s AND ended_at IS NOT NULL",
            [number],
        )
    )
    here.press(answer, "kb_share")
    who = f"slack:{here.person.id}"
    slack.until(lambda: acts(served, "--actor", who) or None)
    here.press(answer, "kb_share")
    here.told("already")
    assert acts(served, "--actor", who) == [(who, "answer_shared", str(number))], "pressed twice, it is shared once"
