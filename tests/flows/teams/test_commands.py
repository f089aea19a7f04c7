"""Commands as messages, buttons, greetings; what is told goes to those who may read it."""

from pathlib import Path

import pytest

from tests.command import Kb, rows, wait_for, write
from tests.fakes.teams import LocalTeams, Message, Person, plain
from tests.fakes.teams_keys import TeamsKeys
from tests.flows.teams.conftest import serving, teams_env
from tests.flows.teams.talk import Post, Talk, button, buttons

pytestmark = pytest.mark.everyday

QUESTION = "How many days of vacation does everybody have?"
VAULT = "What does the vault code of the treasury begin with?"
NOTHING = "nothing good enough"


@pytest.fixture(scope="module")
def kb(indexed: Kb, teams: LocalTeams, keys: TeamsKeys, tmp_path_factory: pytest.TempPathFactory) -> Kb:
    """The command with Teams, and a document for one person alone."""
    folder = write(
        tmp_path_factory.mktemp("own") / "treasury",
        treasury="# Treasury\n\nThe vault code of the treasury begins with a seven.\n",
    )
    assert indexed("index", str(folder), "--audience", "rita@example.com").code == 0
    return indexed.having(**teams_env(teams, keys))


def alone(post: Post, name: str, email: str | None = None) -> Talk:
    person = post.teams.add_person(name, email=email)
    return Talk(post, person, post.teams.personal(person))


def together(post: Post, *people: Person) -> Talk:
    return Talk(post, people[0], post.teams.add_group(people))


@pytest.fixture(scope="module")
def rita(post: Post) -> Person:
    return post.teams.add_person("rita")


@pytest.fixture(scope="module")
def root(post: Post) -> Talk:
    return alone(post, "root", "Root@Example.com")


@pytest.mark.parametrize("text", ["help", "HELP", "hi", "", "Hello!"])
def test_help(post: Post, text: str) -> None:
    here = alone(post, f"help-{len(text)}-{text[:1]}")
    here.say(text)
    read = plain(here.told("How to ask"))
    for word in ("status", "sources", "share", "feedback", "reindex", "forget"):
        assert word in read


@pytest.mark.parametrize("text", [f"ask {QUESTION}", f"share {QUESTION}"])
def test_words_before_a_question(post: Post, text: str) -> None:
    here = together(post, post.teams.add_person(f"word-{text[:3]}"))
    here.say(text)
    here.answer("thirty days")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("statsu", "Did you mean"),
        ("ask", "Put the question behind it"),
        ("share", "for you alone"),
        (f"share {QUESTION}", "for you alone"),
        ("feedback", "feedback good"),
        ("feedback good", "no reply of mine"),
        ("reindex", "Only an administrator"),
    ],
)
def test_what_commands_say(post: Post, text: str, words: str) -> None:
    here = alone(post, f"says-{len(text)}-{len(words)}")
    here.say(text)
    here.told(words)


def test_a_command_in_a_thread_is_told_there(post: Post) -> None:
    person = post.teams.add_person("thread")
    here = Talk(post, person, post.teams.add_channel("general", [person]))
    said = here.say("sources")
    assert "handbook" in plain(here.told("What is indexed", said))


def test_status_and_sources_hold_what_all_may_read_who_are_told(post: Post, rita: Person) -> None:
    mine, ours = Talk(post, rita, post.teams.personal(rita)), together(post, rita, post.teams.add_person("other"))
    mine.say("sources")
    assert "treasury" in plain(mine.told("What is indexed"))
    ours.say("sources")
    assert "treasury" not in plain(ours.told("What is indexed"))
    mine.say("status")
    ours.say("status")
    assert documents(mine.told("Status")) == documents(ours.told("Status")) + 1


def documents(message: Message) -> int:
    _, _, after = plain(message).partition("Documents: ")
    return int(after.split()[0])


def test_feedback_and_forget(post: Post, kb: Kb) -> None:
    here = alone(post, "forgetful")
    here.say(QUESTION)
    here.answer("thirty days")
    ended = "SELECT count(*) FROM turns WHERE person = %s"
    wait_for(lambda: rows(kb.env["KB_AGENT_DATABASE_URL"], ended, [here.person.aad]) == [(1,)])
    here.say("feedback bad it is too short")
    here.told("Thank you")
    found = rows(
        kb.env["KB_AGENT_DATABASE_URL"], "SELECT value, reason FROM feedback WHERE person = %s", [here.person.aad]
    )
    assert found == [(-1, "it is too short")]
    here.say("forget")
    here.told("Forgotten: 1")
    assert rows(kb.env["KB_AGENT_DATABASE_URL"], ended, [here.person.aad]) == [(0,)]


def test_an_administrator_has_a_source_read_again(root: Talk, kb: Kb) -> None:
    root.say("reindex nothing-like-it")
    root.told("There is no source")
    root.say("reindex handbook")
    card = root.told("the source")
    answered = root.execute(card, button(card, "reindex"))
    assert "Started" in str(answered["value"])
    root.told("handbook: ")
    root.awaited(lambda: not any(each.get("kb") == "reindex" for each in buttons(card)) or None)
    (noted,) = kb("audit", "--actor", f"teams:{root.person.aad}", "--json").json["entries"]
    assert (noted["action"], noted["subject"]) == ("reindex", "handbook")


def test_others_have_nothing_read_again(post: Post, root: Talk) -> None:
    root.say("reindex")
    card = root.told("all sources")
    here = together(post, post.teams.add_person("mallory"))
    answered = here.execute(card, button(card, "reindex"))
    assert "Only an administrator" in answered["value"]
    cancelled = root.execute(card, button(card, "cancel"))
    assert "Nothing was started" in str(cancelled["value"])


def test_asked_again_in_private_and_shared_from_there(post: Post, rita: Person, kb: Kb) -> None:
    ours = together(post, rita, post.teams.add_person("listener"))
    ours.say(VAULT)
    ours.told(NOTHING)
    answer = ours.told("Ask privately")
    told = ours.execute(answer, button(answer, "private"))
    assert "our chat" in told["value"]
    mine = Talk(post, rita, post.teams.personal(rita))
    private = mine.answer("seven")
    assert f"Question: {VAULT}" in private.text, "nobody sees the question otherwise"
    ours.execute(answer, button(answer, "private"))
    offer = mine.told("Only you see this answer")
    mine.execute(offer, button(offer, "share"))
    confirm = mine.told("Share in channel?")
    assert VAULT in plain(confirm)
    done = mine.execute(confirm, button(confirm, "share_now"))
    assert "Shared" in str(done["value"])
    ours.told(NOTHING, count=2)
    assert not any("seven" in plain(each) for each in ours.shown())
    query = "SELECT count(*) FROM questions WHERE asker = %s AND message LIKE 'press%%'"
    assert rows(kb.env["KB_AGENT_DATABASE_URL"], query, [rita.aad]) == [(2,)], "pressed twice, it asks once"
    (noted,) = kb("audit", "--actor", f"teams:{rita.aad}", "--json").json["entries"]
    assert (noted["action"], noted["detail"]) == ("answer_shared", {"channel": ours.place.id})


def test_nobody_shares_what_another_one_asked(post: Post, rita: Person) -> None:
    mine, other = Talk(post, rita, post.teams.personal(rita)), alone(post, "thief")
    private = mine.told("Only you see this answer")
    for word in ("share", "share_now", "private"):
        told = other.execute(private, {**button(private, "share"), "kb": word})
        assert "seven" not in str(told)
    assert not any("vault" in plain(each) for each in other.shown())


def test_a_passage_of_others_stays_closed(post: Post, rita: Person) -> None:
    mine, other = Talk(post, rita, post.teams.personal(rita)), alone(post, "curious")
    private = mine.told("Only you see this answer")
    look = {"kb": "preview", "number": button(private, "share")["number"], "n": 1}
    assert "seven" in str(mine.open_dialog(private, look))
    assert "cannot be shown" in str(other.open_dialog(private, look))


def test_a_suggested_question_is_asked(post: Post) -> None:
    here = together(post, post.teams.add_person("suggested"))
    here.say(QUESTION)
    here.answer("thirty days")
    pressed = {"kb": "ask", "text": "Who approves vacation?"}  # as cards of earlier versions hold it
    said = here.teams.say(here.person, here.place, pressed["text"], mention=False, value=pressed)
    post(said.activity)
    here.awaited(lambda: len(here.shown()) == 2 or None)


def test_greeted_once_where_it_is_added(post: Post, teams: LocalTeams) -> None:
    person = teams.add_person("admin")
    here = Talk(post, person, teams.add_channel("new", [person]))
    added = teams.saying.install(person, here.place)
    post(added)
    post({**added, "type": "installationUpdate", "action": "add"})
    here.told("Hello")
    post(added)
    assert len(here.shown()) == 1
    removed = {**added, "type": "installationUpdate", "action": "remove"}
    post({name: each for name, each in removed.items() if name != "membersAdded"})
    post(added)
    here.awaited(lambda: len(here.shown()) == 2 or None)


def test_where_we_are_no_longer_a_press_says_so(post: Post, rita: Person) -> None:
    ours = together(post, rita, post.teams.add_person("gone"))
    ours.say(VAULT)
    ours.told(NOTHING)
    answer = ours.told("Ask privately")
    mine = post.teams.personal(rita)
    mine.installed = False
    try:
        told = ours.execute(answer, button(answer, "private"))
    finally:
        mine.installed = True
    assert told["statusCode"] == 200


def test_slack_and_teams_are_both_named_where_there_is_neither(indexed: Kb, tmp_path: Path) -> None:
    done = indexed("serve")
    assert done.code == 2
    assert "docs/slack.md" in done.err
    assert "docs/teams.md" in done.err


HALF = {
    "no id": {"TEAMS_APP_ID": ""},
    "no secret": {"TEAMS_APP_PASSWORD": ""},
    "no tenant": {"TEAMS_TENANT_ID": ""},
    "keys without protection": {"TEAMS_TOKEN_URL": "https://login.example/t"},
    "tokens without protection": {"TEAMS_OPENID_URL": "https://login.example/o"},
}


@pytest.mark.parametrize("name", HALF)
def test_what_would_let_strangers_in_is_refused(kb: Kb, name: str) -> None:
    done = kb.having(TEAMS_INSECURE_DEV="", **HALF[name])("serve")
    assert done.code == 2
    assert "KB_AGENT_TEAMS_" in done.err


def test_development_is_for_one_machine(kb: Kb) -> None:
    done = kb.having(TEAMS_APP_ID="", HTTP_HOST="0.0.0.0")("serve")
    assert done.code == 2
    assert "KB_AGENT_HTTP_HOST" in done.err


def test_a_secret_that_microsoft_does_not_accept(kb: Kb) -> None:
    done = kb.having(TEAMS_APP_PASSWORD="another")("serve")
    assert done.code == 2
    assert "docs/teams.md" in done.err


def test_development_needs_no_id(kb: Kb, teams: LocalTeams, keys: TeamsKeys) -> None:
    with serving(kb.having(TEAMS_APP_ID="", TEAMS_APP_PASSWORD="", TEAMS_TENANT_ID="")) as (_, base):
        post = Post(base, teams, keys)
        person = teams.add_person("dev")
        said = teams.say(person, teams.personal(person), "help")
        assert post.raw(b"{}", {"Content-Type": "application/json"}).status == 401, "no service is named"
        assert post(said.activity).status == 200
