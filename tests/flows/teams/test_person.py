"""Who somebody in Teams is, by their address: Teams says it of those who asked."""

from tests.command import Kb, rows, wait_for
from tests.flows.teams.talk import Post, Talk

QUESTION = "How many days of vacation does everybody have?"
ENDED = "SELECT ended_at IS NOT NULL FROM questions WHERE asker = %s"


def alone(post: Post, name: str) -> Talk:
    person = post.teams.add_person(name)
    return Talk(post, person, post.teams.personal(person))


def test_somebody_is_found_among_those_who_asked_and_erased(post: Post, kb: Kb) -> None:
    url = kb.env["KB_AGENT_DATABASE_URL"]
    ada, ben = alone(post, "ada"), alone(post, "ben")
    for each in (ada, ben):
        each.say(QUESTION)
        each.answer("thirty days")
    wait_for(lambda: all(rows(url, ENDED, [each.person.aad]) == [(True,)] for each in (ada, ben)))
    for each in (ada, ben):
        each.say("forget")
        each.told("Forgotten: 1")
    ids = [f"teams:{ada.person.aad}"]
    shown = kb("people", "export", "ada@example.com").json
    assert (shown["ids"], shown["open_ends"]) == (ids, [])
    assert [each["asker"] for each in shown["kept"]["questions"]] == [ada.person.aad]
    blind = kb.having(TEAMS_APP_ID="", TEAMS_APP_PASSWORD="", TEAMS_TENANT_ID="", TEAMS_INSECURE_DEV="")
    (why,) = blind("people", "export", "ada@example.com").json["open_ends"]
    assert "these settings do not serve Teams" in why
    named = blind("people", "export", "ada@example.com", "--id", ids[0]).json
    assert (named["ids"], named["kept"]["questions"]) == (ids, shown["kept"]["questions"])
    assert kb("people", "erase", "ada@example.com", "--yes").code == 0
    ((left, of_ben),) = rows(
        url,
        "SELECT count(*) FILTER (WHERE each::text LIKE '%%' || %s || '%%'), count(*) FILTER (WHERE asker = %s)"
        " FROM questions AS each",
        [ada.person.aad, ben.person.aad],
    )
    assert (left, of_ben) == (0, 1)
    assert kb("people", "export", "ada@example.com").json["ids"] == [], "nobody who asked is that any more"
