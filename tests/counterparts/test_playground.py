"""Teams as Microsoft's Agents Playground has it: an answer is one message, and none of our calls is refused."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.command import Kb, own_database, rows, wait_for
from tests.contract.teams_service import HELD, Service
from tests.counterparts.harbour import Harbour, harbour
from tests.counterparts.playground import Bubble, Talk, Where, playground, talking
from tests.flows.conftest import handbook_database, indexed  # noqa: F401 - fixtures
from tests.flows.platforms.test_closed_meanwhile import LEAVES, OPENS
from tests.flows.platforms.test_closed_meanwhile import QUESTION as HARBOUR

SOON = 10.0
QUESTION = "How many days of vacation does everybody have?"
OTHER = "Who approves vacation?"
PLACES = ("personal", "group", "channel")


def developers(kb: Kb) -> Kb:
    """The command with Teams as a developer has it."""
    return kb.having(TEAMS_INSECURE_DEV="true", HTTP_PORT="0", EMAIL_DOMAINS="example.com", SCHEDULE="false")


@pytest.fixture(scope="module")
def kb(indexed: Kb) -> Kb:  # noqa: F811 - the fixture
    """The same over the handbook."""
    return developers(indexed)


@pytest.fixture(scope="module")
def view(kb: Kb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The Playground before a running `kb serve`."""
    process = kb.start("-v", "serve")
    try:
        with playground(process.address(), tmp_path_factory.mktemp("playground")) as opened:
            yield opened
    finally:
        process.close()


@pytest.fixture
async def talk(view: str) -> AsyncIterator[Talk]:
    async with talking(view) as opened:
        yield opened


def answered(words: str) -> Callable[[Bubble], bool]:
    """Whether a message is an answer with these words, labelled as one."""
    return lambda bubble: words in bubble.text and bool(bubble.now.get("aiEntity"))


@pytest.mark.parametrize("where", PLACES)
async def test_a_cited_answer_takes_the_place_of_the_sign(talk: Talk, kb: Kb, where: Where) -> None:
    place = await talk.say(where, QUESTION)
    sign = await talk.until(lambda each: "Reading" in str(each.versions[0]["text"]), place, SOON)
    answer = await talk.until(answered("thirty days"), place, SOON)
    assert answer is sign
    (claim, *_) = answer.now["aiEntity"]["citation"]
    assert claim["appearance"]["name"] == "Handbook"
    assert answer.now["aiEntity"]["additionalType"] == ["AIGeneratedContent"]
    assert not answer.now.get("attachments")
    # of a message that was changed, the Playground's page drops what makes the thumbs; Teams does not
    assert (await talk.shown_by(answer))["channelData"] == {"feedbackLoop": {"type": "default"}}
    assert answer.now.get("feedbackLoopEnabled", False) is (where == "personal")

    url = kb.env["KB_AGENT_DATABASE_URL"]
    ended = "SELECT state FROM questions WHERE handle ->> 'activity' = %s"
    wait_for(lambda: rows(url, ended, [answer.id]) == [("posted",)])
    given = (
        "SELECT value FROM feedback JOIN questions USING (question_no) WHERE handle ->> 'activity' = %s AND reason = %s"
    )
    await talk.vote(answer, "like", "by the page")
    wait_for(lambda: rows(url, given, [answer.id, "by the page"]) == [(1,)])
    await talk.vote_as_teams(answer, QUESTION, "dislike", "as Teams")
    wait_for(lambda: rows(url, given, [answer.id, "as Teams"]) == [(-1,)])

    await talk.edit(QUESTION, OTHER)
    changed = await talk.until(answered("team lead"), place, SOON)
    assert changed is answer, "an edited question has its answer in the same message"

    again = await talk.say(where, "Who books journeys by train?", thread=place if where == "channel" else "")
    second = await talk.until(answered("travel office"), again, SOON)
    assert second is not answer
    answers = [each for each in talk.here(place) if each.now.get("aiEntity")]
    assert answers == [answer, second], "one message an answer"
    assert [(each["displayText"], each["response"]) for each in await talk.refused()] == []


@pytest.mark.parametrize("where", ["personal", "group"])
def test_what_is_closed_while_it_is_written_is_not_in_the_answer_and_what_is_deleted_later_goes(
    data_dir: Path, tmp_path: Path, where: Where
) -> None:
    with served_over_harbour(data_dir, tmp_path, f"playground_{where}") as (place, opened):
        asyncio.run(_closed_and_deleted(opened, place, where))


@contextmanager
def served_over_harbour(data_dir: Path, folder: Path, database: str) -> Iterator[tuple[Harbour, str]]:
    """`kb serve` over a harbour whose pages can be closed, and the address of the Playground that talks to it."""
    with (
        own_database(data_dir, database) as url,
        harbour(
            developers(Kb({"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url}, folder)), folder
        ) as place,
    ):
        process = place.kb.having(**place.settings, WORKER_HEARTBEAT="1").start("-v", "serve")
        try:
            with playground(process.address(), folder) as opened:
                yield place, opened
        finally:
            process.close()


async def _closed_and_deleted(view: str, place: Harbour, where: Where) -> None:
    async with talking(view) as talk:
        await _answered_twice(talk, place, where)
        assert [(each["displayText"], each["response"]) for each in await talk.refused()] == []


async def _answered_twice(talk: Talk, place: Harbour, where: Where) -> None:
    said = await talk.say(where, HARBOUR)
    await asyncio.to_thread(wait_for, place.model.halted.is_set)
    await asyncio.to_thread(place.close_ferry)
    place.model.go.set()
    closed = await talk.until(answered(OPENS), said, SOON)
    assert LEAVES not in closed.text
    assert "Ferry" not in closed.text
    path = str(place.folder / "ferry.md")
    opened = await asyncio.to_thread(place.kb, "index", path, "--source", "ferry", "--audience", "everyone")
    assert opened.code == 0
    again = await talk.say(where, f"Please: {HARBOUR}")
    whole = await talk.until(answered(LEAVES), again, SOON)
    assert whole is not closed
    await asyncio.to_thread(place.delete_ferry)
    corrected = await talk.until(answered("no longer available, and what was taken from it"), again, 60.0)
    assert corrected is whole, "the same message, edited"
    assert OPENS in corrected.text
    assert LEAVES not in corrected.text


async def test_two_questions_at_once_wait_for_no_deletion(talk: Talk) -> None:
    place = await talk.say("group", QUESTION)
    await talk.say("group", OTHER)
    second = await talk.until(answered("team lead"), place, SOON)
    first = await talk.until(lambda each: answered("thirty days")(each) and "lead" not in each.text, place, SOON)
    assert first is not second
    assert await talk.refused() == []


async def test_who_installs_it_is_greeted(talk: Talk) -> None:
    place = talk.place("group")
    async with talk.session.get(
        f"{talk.view}/_internal/v1/customActivities/template", params={"conversationId": place, "type": "install"}
    ) as template:
        install = await template.json()
    await talk.post("/_internal/v1/customActivities", install)
    greeted = await talk.until(lambda each: each.text.startswith("Hello!"), place, SOON)
    assert "Mention me" in greeted.text


@pytest.mark.parametrize("held", HELD, ids=lambda held: held.__name__)
async def test_the_local_teams_of_the_tests_is_like_it(talk: Talk, held: Callable[[Service], Awaitable[None]]) -> None:
    await held(Service(talk.session, f"{talk.view}/_connector", talk.place("group"), {}))


def test_it_listens_on_this_machine_alone(view: str) -> None:
    port = int(view.rpartition(":")[2])
    listening = {each.laddr for each in psutil.net_connections("tcp") if each.status == "LISTEN" and each.laddr}
    assert {ip for ip, where in map(tuple, listening) if where == port} == {"127.0.0.1"}
