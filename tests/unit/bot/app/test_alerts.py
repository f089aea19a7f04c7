"""What operators are told of, and how often."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest

from bot.app.alerts import AGE, GOLDEN, LONGEST_LINE, SOURCES_NAMED, Alert, AlertSender, alert_of_run, current_alerts
from bot.app.people import CHATS
from bot.app.product import Product
from bot.app.serving import ServingProcess, _check_served
from bot.app.serving_teams import OpenTeams, open_for_teams
from bot.conversation.chat_platform import OutcomeUnknown
from config.load import load
from config.schedule import _ALERT_PLATFORMS, AlertChannel
from domain.conversation import Platform
from domain.errors import KbError, Misconfigured, Refused, Transient
from domain.masking import Masker
from domain.schedule import REGISTERED, ScheduledRun, ScheduledRunProgress, SourceTask, SourceTaskKey
from storage.index.sources import Source
from storage.open import Storage
from tests.fakes.teams import Fault, LocalTeams, local_teams, plain
from tests.unit.storage.rows import change

FAILED = Alert("content", "content of tonight: 1 of 2 sources need a look", ("wiki: 12 documents missing",))
WELL = Alert("content", "content of tonight: 0 of 2 sources need a look")


@dataclass
class Process:
    """One of the processes that tell. said: what it told. error: what keeps it from that."""

    storage: Storage
    trouble: Alert = FAILED
    said: list[Sequence[str]] = field(default_factory=list)
    error: KbError | None = None

    async def find(self) -> list[Alert]:
        return [self.trouble]

    async def tell(self, lines: Sequence[str]) -> None:
        if self.error is not None:
            raise self.error
        self.said.append(lines)

    async def look(self) -> int:
        """How often it has told after another look."""
        await AlertSender(self.storage.alerts(), self.find, self.tell).look()
        return len(self.said)


@pytest.fixture
def process(storage: Storage) -> Process:
    return Process(storage)


async def later(storage: Storage, minutes: int) -> None:
    """So much time has passed since the last attempt."""
    await change(storage, f"UPDATE alerts SET tried_at = tried_at - interval '{minutes} minutes'")


async def test_a_trouble_is_told_once_by_one_process(process: Process, storage: Storage) -> None:
    other = Process(storage)
    assert [await each.look() for each in (process, other, process, other)] == [1, 0, 1, 0]
    await later(storage, 61)
    assert [await process.look(), await other.look()] == [1, 0]
    assert process.said == [
        ["content of tonight: 1 of 2 sources need a look", "• wiki: 12 documents missing", "More: kb schedule, kb runs"]
    ]


async def test_other_numbers_are_the_same_trouble_and_another_cause_is_not(process: Process) -> None:
    await process.look()
    process.trouble = Alert("content", "content of another night", ("wiki: 13 documents missing",))
    assert await process.look() == 1
    process.trouble = Alert("content", "content of another night", ("wiki: does not answer",))
    assert await process.look() == 2


def alert_of(name: str, said: str) -> Alert:
    task = SourceTask("attention", said)
    now = datetime.now(UTC)
    found = alert_of_run(ScheduledRun("content", "tonight", now, now, now, now, ScheduledRunProgress("", {name: task})))
    assert found is not None
    return found


async def test_the_same_trouble_of_a_source_with_another_number_is_another(process: Process) -> None:
    for name, missing, told in (("wiki1", 12, 1), ("wiki2", 12, 2), ("wiki2", 13, 2), ("2", 13, 3), ("3", 13, 4)):
        process.trouble = alert_of(name, f"{missing} documents missing")
        assert await process.look() == told


async def test_what_was_over_is_told_when_it_comes_again(process: Process) -> None:
    await process.look()
    process.trouble = WELL
    assert await process.look() == 1
    process.trouble = FAILED
    assert await process.look() == 2


@pytest.mark.parametrize("error", [Transient("Slack is away"), Refused("Slack refused", why="not_in_channel")])
async def test_what_could_not_be_told_is_told_when_it_can_be(
    process: Process, storage: Storage, error: KbError, caplog: pytest.LogCaptureFixture
) -> None:
    other = Process(storage)
    process.error = error
    for minutes in (6, 11, *[61] * 30):  # a night and a day
        await process.look()
        assert await other.look() == 0, "it was tried just now"
        await later(storage, minutes)
    assert len(caplog.records) == 32, "each attempt is in the log"
    assert await other.look() == 1
    process.error = None
    await later(storage, 61)
    assert await process.look() == 0


async def test_what_the_platform_refuses_is_an_error_in_the_log(
    process: Process, caplog: pytest.LogCaptureFixture
) -> None:
    process.error = Refused("Slack refused chat.postMessage", why="not_in_channel")
    for _ in range(2):
        await process.look()
    assert [each.message for each in caplog.records] == [
        "An alert cannot be told where KB_AGENT_ALERT_CHANNEL says: Slack refused chat.postMessage (not_in_channel)"
    ]


async def test_alerts_that_break_do_not_end_the_process(storage: Storage, caplog: pytest.LogCaptureFixture) -> None:
    broke = asyncio.Event()

    async def find() -> list[Alert]:
        broke.set()
        raise ZeroDivisionError

    keeping = asyncio.create_task(AlertSender(storage.alerts(), find, Process(storage).tell).run_forever())
    await asyncio.wait_for(broke.wait(), 20)
    await asyncio.sleep(0.01)
    assert not keeping.done()
    keeping.cancel()
    assert "An alert failed" in caplog.text


def test_a_message_is_of_a_bounded_length() -> None:
    told = Alert("content", "head", tuple(f"source{number}: {'x' * 5000}" for number in range(99))).message
    assert len(told) == SOURCES_NAMED + 3
    assert told[-2] == f"… and {99 - SOURCES_NAMED} more"
    assert max(map(len, told)) <= LONGEST_LINE + 2


async def test_what_went_wrong_on_the_schedule_is_found_without_addresses(product: Product) -> None:
    runs = product.storage.scheduled_runs()
    await product.storage.sources.add(Source("jira", "jira", {}))
    at = datetime.now(UTC)
    await runs.register("prune", at)
    await runs.claim("content", "2026-07-01T03:30", at, ["a", "b", "c"], queue="")
    await runs.claim("permissions", "2026-07-01T03:30Z", at, ["a"], queue="")
    for name, state, said in (("a", "failed", "ann@example.com may not"), ("b", "done", "3 added")):
        await runs.finish_task(SourceTaskKey("content", "2026-07-01T03:30", name), state, said)  # type: ignore[arg-type] # of the test
    service = ServingProcess(product, [], None, None)  # type: ignore[arg-type] # nobody is served
    assert [each.topic for each in await current_alerts(service)] == [AGE, GOLDEN], "no run that is under way"
    await runs.finish_task(SourceTaskKey("content", "2026-07-01T03:30", "c"), "attention", "1 document missing")
    content, age, golden = await current_alerts(service)
    assert content.head == "content of 2026-07-01T03:30: 2 of 3 sources need a look"
    assert content.lines[1] == "c: 1 document missing"
    assert "ann@" not in content.lines[0]
    assert (age.topic, age.lines) == (AGE, ())
    assert (golden.topic, golden.lines) == (GOLDEN, ())


async def test_a_run_that_read_nothing_does_not_end_the_trouble_of_the_one_before(product: Product) -> None:
    runs, at = product.storage.scheduled_runs(), datetime.now(UTC)
    for name in ("first", "second"):
        await runs.claim("content", name, at, ["wiki"], queue="index")
        at += timedelta(days=1)
    service = ServingProcess(product, [], None, None)  # type: ignore[arg-type] # nobody is served
    (content,) = [each for each in await current_alerts(service) if each.topic == "content"]
    assert content.lines == ("wiki: not begun: the run of first still waits",)


async def test_the_start_of_a_schedule_is_no_run(storage: Storage) -> None:
    await storage.scheduled_runs().register("content", datetime.now(UTC))
    row = await storage.scheduled_runs().latest("content")
    assert row is not None
    assert row.name == REGISTERED
    assert alert_of_run(row) is None


@pytest.mark.parametrize(
    "name", ["slack:C0123ABCD", "slack:G01", "slack:D01", "teams:19:a-b_c@thread.tacv2", "teams:a:1x"]
)
def test_a_channel_is_named_by_its_platform_and_its_id(name: str) -> None:
    channel = AlertChannel(name)
    assert f"{channel.platform}:{channel.id}" == str(channel) == name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("C0123ABCD", "It begins with slack: or teams:"),
        ("mail:ops@example.com", "It begins with slack: or teams:"),
        ("slack:#ops", "the id of a channel, such as C0123ABCD; not its name"),
        ("slack:U0123ABCD", "the id of a channel"),
        ("teams:General", "the id of a conversation"),
        ("teams:19:../../x y", "the id of a conversation"),
    ],
)
def test_another_name_is_refused_with_the_reason(name: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="KB_AGENT_ALERT_CHANNEL does not take") as caught:
        load({"KB_AGENT_ALERT_CHANNEL": name}, tmp_path)
    assert why in caught.value.why


def test_every_chat_takes_alerts() -> None:
    assert set(_ALERT_PLATFORMS) == set(CHATS) == set(get_args(Platform)) - {"terminal", "web"}, (
        "nobody reads along there"
    )


def test_a_channel_of_a_platform_that_is_not_served_is_refused_at_start() -> None:
    _check_served("KB_AGENT_ALERT_CHANNEL", None, ["slack"])
    _check_served("KB_AGENT_ALERT_CHANNEL", AlertChannel("slack:C01"), ["slack"])
    with pytest.raises(Misconfigured, match="of teams, which is not served"):
        _check_served("KB_AGENT_ALERT_CHANNEL", AlertChannel("teams:19:x@thread.tacv2"), ["slack"])


@pytest.fixture
def teams() -> Iterator[LocalTeams]:
    with local_teams() as opened:
        yield opened


@pytest.fixture
async def served(teams: LocalTeams, tmp_path: Path) -> AsyncIterator[OpenTeams]:
    names = {
        "TEAMS_APP_ID": teams.app_id,
        "TEAMS_APP_PASSWORD": teams.password,
        "TEAMS_TENANT_ID": teams.tenant,
        "TEAMS_TOKEN_URL": teams.token_url,
        "TEAMS_INSECURE_DEV": "true",
    }
    settings = load({f"KB_AGENT_{name}": value for name, value in names.items()}, tmp_path)
    opened = await open_for_teams(settings, Masker())
    yield opened
    await opened.close()


async def test_teams_is_told_in_a_conversation(teams: LocalTeams, served: OpenTeams) -> None:
    ann = teams.add_person("Ann")
    group = teams.add_group([ann], "Operations")
    handle = {"service_url": teams.service_url}
    await served.check()
    await served.announce(group.id, ["content of tonight", "• wiki_1: *x* is away"], handle)
    AlertChannel(f"teams:{group.id}")
    (message,) = teams.seen(group.id)
    assert plain(message) == "content of tonight\n\n• wiki_1: \\*x\\* is away"


async def test_what_teams_may_have_shown_is_not_sent_again(
    teams: LocalTeams, served: OpenTeams, caplog: pytest.LogCaptureFixture
) -> None:
    ann = teams.add_person("Ann")
    group, personal = teams.add_group([ann], "Operations"), teams.personal(ann)
    handle = {"service_url": teams.service_url}
    teams.fail("send", Fault.gateway(late=True), 2)
    with pytest.raises(OutcomeUnknown):
        await served.announce(group.id, ["content of tonight"], handle)
    chat = {**handle, "kind": "personal", "conversation": personal.id, "bot": f"28:{teams.app_id}"}
    await served.tell({"channel": json.dumps(chat)}, "wiki: 3 new")
    assert [len(teams.seen(each.id)) for each in (group, personal)] == [1, 1]
    assert "Somebody may not have been told of a run" in caplog.text
