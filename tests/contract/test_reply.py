"""What Reply promises, held against every platform: an outcome is seen once, however often it is shown."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.conversation.chat_platform import ChatPlatform, ReplyChannel
from bot.slack.client import SlackClient, TokenBucket
from bot.slack.platform import SlackPlatform
from bot.slack.reply import SlackReplyContext
from bot.slack.user_directory import SlackUserDirectory
from bot.teams.access_token import TeamsCredentials
from bot.teams.connector import TeamsConnector
from bot.teams.connector_session import ConnectorSession
from bot.teams.platform import TeamsPlatform
from bot.teams.reply_context import TeamsReplyContext
from bot.terminal.platform import TerminalPlatform
from bot.web.live_replies import LiveReplies
from bot.web.platform import WebPlatform
from bot.web.reply_state import state_of
from domain.access import Scope
from domain.answers import Progress, Question, ReplyPart
from domain.conversation import AcceptedQuestion, ConversationPlace, MessageKey, Participant
from domain.masked_answer import masked_answer
from domain.masking import Masker
from tests.fakes.platform import MemoryPlatform, answer
from tests.fakes.slack import LocalSlack, local_slack, plain
from tests.fakes.teams import local_teams
from tests.fakes.teams import plain as plain_activity
from tests.fakes.teams.received_questions import Strangers, talked
from tests.fakes.web_access import MemoryShownReplies

NOW = datetime(2026, 1, 1, tzinfo=UTC)
MASKER = Masker()
OUTCOME = masked_answer(answer("Everybody has thirty days. [1]", "c1"), MASKER)


@dataclass(frozen=True)
class PlatformCase:
    """One platform, and a question asked on it. seen: all that a reader sees of the reply now, as one text. takes_back:
    whether what is shown can be changed. finds: whether the platform says what was shown before. other_message: what
    the handle holds when another message than that of the reply is kept. settled: waits for what is taken away in the
    background."""

    platform: ChatPlatform
    asked: AcceptedQuestion
    seen: Callable[[], str]
    takes_back: bool = True
    finds: bool = True
    other_message: Mapping[str, str] = field(default_factory=dict)
    close: Callable[[], Awaitable[None]] | None = None
    settled: Callable[[], Awaitable[None]] | None = None
    one_place: bool = False
    """Whether all attempts show their reply in one place: nobody's is another's."""


def question(platform: str, place: ConversationPlace, message: str, **fields: object) -> AcceptedQuestion:
    key = MessageKey(place.platform, place.channel, message)
    given: dict[str, object] = {"audience": "organisation", "handle": {}, "attempt": 1, "revision": 0, **fields}
    person = Participant(key.platform, str(fields.pop("person", "U1")), place.workspace)
    given.pop("person", None)
    left = timedelta(hours=1)
    return AcceptedQuestion(1, key, place, person, "How many days?", received_at=NOW, time_left=left, **given)  # type: ignore[arg-type] # of the test


@contextmanager
def on_slack(*, streams: bool, ephemeral: bool = False) -> Iterator[PlatformCase]:
    with local_slack() as slack:
        ann = slack.add_user("ann")
        channel = slack.add_channel("general", [ann], streams=streams).id
        slack.subscriptions.clear()
        asked_at = str(slack.say(ann, channel, "How many days?"))
        client = SlackClient(AsyncWebClient(token=slack.bot_token, base_url=slack.base_url), 5.0)
        shared = SlackReplyContext(client, slack.bot, MASKER, True, 0.0, TokenBucket(6_000))
        handle: dict[str, str] = {}
        if ephemeral:
            url = slack.urls.new(slack.workspace.id, channel, ann.id)
            handle = {"mode": "ephemeral", "response_url": url}
        place = ConversationPlace("slack", slack.workspace.id, channel, asked_at)
        asked = question("slack", place, asked_at, person=ann.id, handle=handle)
        yield PlatformCase(
            SlackPlatform(shared, SlackUserDirectory(client, frozenset({slack.workspace.id}))),
            asked,
            lambda: _on_screen(slack, channel, asked_at, ann.id),
            not ephemeral,
            other_message={"ts": "1.2"},
        )


def _on_screen(slack: LocalSlack, channel: str, thread: str, person: str) -> str:
    shown = [each for each in slack.thread(channel, thread) if each.user == slack.bot]
    return "\n".join(plain(each) for each in (*shown, *slack.ephemerals(channel, person)))


@contextmanager
def on_teams(where: str) -> Iterator[PlatformCase]:
    with local_teams() as teams:
        teams.unlimited()
        ann = teams.add_person("ann")
        there = {"group": lambda: teams.add_group([ann]), "thread": lambda: teams.add_channel("general", [ann])}
        place = there.get(where, lambda: teams.personal(ann))()
        place.streams = where == "streams"
        said = teams.say(ann, place, "How many days?")
        handle = talked(said).handle
        credentials = TeamsCredentials(teams.app_id, teams.password, teams.token_url)
        connector = TeamsConnector(ConnectorSession(credentials, lambda _: True), 5.0)
        shared = TeamsReplyContext(connector, edit_seconds=0.0, stream_seconds=0.0)
        private = where in {"streams", "messages"}
        at = ConversationPlace("teams", teams.tenant, place.id, said.conversation.partition("=")[2], private=private)
        asked = question("teams", at, said.id, person=ann.aad, handle=handle)
        yield PlatformCase(
            TeamsPlatform(shared, Strangers()),
            replace(asked, received_at=datetime.now(UTC)),
            lambda: "\n".join(plain_activity(each) for each in teams.seen(place.id)),
            finds=False,
            other_message={"activity": "12"},
            close=connector.close,
            settled=lambda: shared.deletions.finish(30.0),
        )


@pytest.fixture(
    params=[
        *("memory", "terminal", "web", "slack: messages", "slack: streams", "slack: for the asker alone"),
        *("teams: streams", "teams: messages", "teams: group", "teams: thread"),
    ]
)
def case(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Iterator[PlatformCase]:
    """Each platform in turn."""
    name = request.param
    if name.startswith("teams"):
        with on_teams(name.partition(": ")[2]) as opened:
            yield opened
    elif name.startswith("slack"):
        with on_slack(streams=name.endswith("streams"), ephemeral=name.endswith("alone")) as opened:
            yield opened
    elif name == "terminal":
        written: list[str] = []

        def seen() -> str:
            written.append(capsys.readouterr().out)
            return "".join(written)

        place = ConversationPlace("terminal", "", "s", private=True)
        terminal = TerminalPlatform(Question("", Scope.member()), lambda _: None, Participant("terminal", "ada"))
        yield PlatformCase(terminal, question("terminal", place, "1"), seen, False)
    elif name == "web":
        kept = MemoryShownReplies()
        web = WebPlatform(LiveReplies(kept))
        place = ConversationPlace("web", "", "c", private=True)
        asked = question("web", place, "1", audience="asker")
        yield PlatformCase(web, asked, lambda: text_in(kept), close=web.live.close, one_place=True)
    else:
        memory = MemoryPlatform()
        place = ConversationPlace("slack", "T", "C", "1")
        yield PlatformCase(
            memory,
            question("slack", place, "1"),
            lambda: memory.shown[1].text if 1 in memory.shown and not memory.shown[1].gone else "",
            other_message={"ts": "1.2"},
        )


def text_in(kept: MemoryShownReplies) -> str:
    """What a reader sees of the states of a reply: its outcome, or else what is said until then."""
    seen = []
    for state in (state_of(each) for _, each in kept.kept.values()):
        outcome = state.outcome
        seen += [outcome.text, outcome.notice] if outcome else [state.words, state.written]
    return "\n".join(filter(None, seen))


@pytest.fixture
async def reply(case: PlatformCase) -> AsyncIterator[ReplyChannel]:
    yield case.platform.reply(case.asked, 30.0)
    if case.close is not None:
        await case.close()


async def told(reply: ReplyChannel) -> None:
    """What is shown before an outcome."""
    for percent in (10, 60):
        await reply.progress(Progress(MASKER.mask("Looking for days"), percent))
    await reply.write(ReplyPart(MASKER.mask("Everybody has thirty days. [1]")))


async def test_signs_then_an_outcome_seen_once_also_where_it_is_shown_twice(
    case: PlatformCase, reply: ReplyChannel
) -> None:
    await reply.open()
    await told(reply)
    assert await reply.finish(OUTCOME) is False
    assert case.seen().count("Everybody has thirty days. [1]") == 1
    assert "Reading your question" not in case.seen()
    await reply.finish(OUTCOME)
    seen = case.seen().count("Everybody has thirty days. [1]")
    assert seen == 1 or case.asked.handle.get("mode") == "ephemeral"


async def test_another_process_goes_on_with_what_is_kept(case: PlatformCase, reply: ReplyChannel) -> None:
    handle = {**case.asked.handle, **await reply.open()}
    await told(reply)
    if not case.takes_back:
        return  # what stands there stays
    again = case.platform.reply(replace(case.asked, handle=handle, attempt=2), 30.0)
    await again.resume()
    await again.finish(OUTCOME)
    assert case.seen().count("Everybody has thirty days. [1]") == 1


async def test_another_process_finds_what_nobody_has_kept(case: PlatformCase, reply: ReplyChannel) -> None:
    await reply.open()
    if not case.takes_back:
        return
    again = case.platform.reply(replace(case.asked, attempt=2), 30.0)
    await again.resume()
    twice = await again.finish(OUTCOME)
    assert case.seen().count("Everybody has thirty days. [1]") == 1
    assert twice is not case.finds
    assert "Reading" not in case.seen() or not case.finds


@pytest.mark.check
async def test_a_changed_question_has_its_new_outcome_in_the_place_of_the_old(
    case: PlatformCase, reply: ReplyChannel
) -> None:
    handle = {**case.asked.handle, **await reply.open()}
    long = masked_answer(answer("\n\n".join(f"Part {n} " + "word " * 500 for n in range(12)), "c1"), MASKER)
    await reply.finish(long)
    if not case.takes_back:
        return
    again = case.platform.reply(replace(case.asked, handle=handle, attempt=2, revision=1), 30.0)
    await again.resume()
    await again.finish(OUTCOME)
    if case.settled is not None:
        await case.settled()
    assert case.seen().count("Everybody has thirty days. [1]") == 1
    assert "Part" not in case.seen()


async def test_a_refusal_and_a_delay_take_the_place_of_signs(case: PlatformCase, reply: ReplyChannel) -> None:
    await reply.open()
    await reply.progress(Progress(MASKER.mask("Looking for days"), 10))
    await (reply.late() if case.asked.number % 2 else reply.refuse("waiting"))
    assert "Looking for days" not in case.seen()


async def test_another_process_learns_how_it_ended(case: PlatformCase, reply: ReplyChannel) -> None:
    handle = {**case.asked.handle, **await reply.open()}
    again = case.platform.reply(replace(case.asked, handle=handle, attempt=2), 30.0)
    assert await again.outcome() is None
    await reply.finish(OUTCOME)
    for known in (handle, case.asked.handle):
        again = case.platform.reply(replace(case.asked, handle=known, attempt=2), 30.0)
        assert await again.outcome() == ("answered" if case.takes_back and case.finds else None)
    changed = case.platform.reply(replace(case.asked, handle=handle, attempt=2, revision=1), 30.0)
    assert await changed.outcome() is None, "that was of another text"


async def test_that_there_is_no_answer_is_an_outcome_too(case: PlatformCase, reply: ReplyChannel) -> None:
    handle = {**case.asked.handle, **await reply.open()}
    await reply.late()
    again = case.platform.reply(replace(case.asked, handle=handle, attempt=2), 30.0)
    assert await again.outcome() == ("late" if case.takes_back and case.finds else None)
    twice = await again.late()
    assert twice == (case.asked.handle.get("mode") == "ephemeral")


async def test_what_others_go_on_with_is_not_taken_back(case: PlatformCase, reply: ReplyChannel) -> None:
    handle = await reply.open()
    await reply.late()
    shown = case.seen()
    await reply.withdraw(handle)
    assert case.seen() == shown
    await reply.withdraw(None if case.one_place else {**handle, **case.other_message})
    assert not case.takes_back or not case.seen()


@pytest.mark.check
async def test_a_long_outcome_is_taken_back_with_all_its_parts(case: PlatformCase, reply: ReplyChannel) -> None:
    await reply.open()
    long = masked_answer(answer("\n\n".join(f"Part {n} " + "word " * 500 for n in range(12)), "c1"), MASKER)
    await reply.finish(long)
    await reply.withdraw()
    assert not case.takes_back or not case.seen()


async def test_what_is_withdrawn_is_not_seen(case: PlatformCase, reply: ReplyChannel) -> None:
    await reply.open()
    await reply.progress(Progress(MASKER.mask("Looking for days"), 10))
    await reply.withdraw()
    assert not case.takes_back or not case.seen()


async def test_a_correction_takes_the_place_of_an_outcome_wherever_that_can_be_changed(
    case: PlatformCase, reply: ReplyChannel
) -> None:
    handle = {**case.asked.handle, **await reply.open()}
    await told(reply)
    await reply.finish(OUTCOME)
    kept = replace(case.asked, handle={**handle, **reply.correctable()})
    less = masked_answer(replace(answer("Ask your lead. [1]", "c1"), notice="This was corrected."), MASKER)
    changed = [await case.platform.reply(kept, 30.0).correct(less) for _ in range(2)]
    if case.settled is not None:
        await case.settled()
    seen = case.seen()
    if not case.takes_back:
        assert changed == [False, False]
        assert "corrected" not in seen
        return
    assert changed == [True, True]
    assert seen.count("Ask your lead. [1]") == seen.count("This was corrected.") == 1
    assert "thirty days" not in seen
