"""How a question is led from its receipt to its outcome."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import pytest

from bot.conversation.button_questions import ALONE
from bot.conversation.texts import UNKNOWN_ASKER
from domain.access import ORG, PUBLIC, user
from domain.answers import Declined, NotFound, Outcome, failed
from domain.conversation import Identity, QuestionLimits, ReplyAudience
from domain.errors import KbError, Misconfigured, Refused, Transient
from domain.scope_reason import ScopeReason
from tests.fakes.masking import github_token
from tests.fakes.platform import MemoryPlatform, ScriptedAnswers, answer
from tests.unit.bot.conversation.conversations import Desk, incoming, meanwhile


async def test_a_question_is_shown_queued_and_answered_once() -> None:
    desk = Desk()
    number = await desk.asked(incoming())
    assert desk.platform.shown[number].signs == ["open"]
    assert desk.kept.jobs.live(f"question:{number}")
    await desk.service.answer(number)
    shown = desk.platform.shown[number]
    assert shown.signs == ["open", "30 %", "About: How? [1]", "finish"]
    assert await desk.result(number) == ("posted", "answered")
    await desk.service.answer(number)
    assert shown.signs.count("finish") == 1
    assert len(desk.answers.asked) == 1


async def test_what_is_known_already_is_not_welcomed_again() -> None:
    desk = Desk()
    first, second = await desk.asked(incoming()), await desk.asked(incoming("other words, same message"))
    assert first == second
    assert desk.platform.shown[first].signs == ["open"]


async def test_the_first_question_of_a_thread_is_known() -> None:
    desk = Desk()
    first = await desk.service.receive(incoming(message="1"))
    second = await desk.service.receive(incoming(message="2"))
    assert await desk.service.is_first(first)
    assert not await desk.service.is_first(second)


async def test_secrets_are_gone_before_anything_is_kept() -> None:
    desk, token = Desk(), github_token()
    number = await desk.answered(incoming(f"Is {token} of jane@example.org good?"))
    assert token not in desk.answers.asked[0].text
    known = await desk.ledger.find(number)
    assert known is not None
    (turn,) = await desk.turns()
    for kept in (known.text, turn.question, turn.reply):
        assert token not in kept
        assert "jane@example.org" not in kept, "personal data is not remembered"


async def test_a_conversation_is_remembered_for_each_person_alone() -> None:
    desk = Desk()
    await desk.answered(incoming("First?", message="1"))
    await desk.answered(incoming("Second?", message="2"))
    await desk.answered(incoming("Mine?", message="3", person="ben"))
    histories = [[turn.question for turn in each.history] for each in desk.answers.asked]
    assert histories == [[], ["First?"], []]


@pytest.mark.parametrize(
    ("audience", "readers", "identity", "asker", "others"),
    [
        ("asker", None, Identity("a@b.example", member=True), {PUBLIC, ORG, user("a@b.example")}, None),
        ("organisation", None, Identity("a@b.example", member=True), {PUBLIC, ORG, user("a@b.example")}, {PUBLIC, ORG}),
        (
            "organisation",
            ReplyAudience("public", "guests"),
            Identity("a@b.example", member=True),
            {PUBLIC, ORG, user("a@b.example")},
            {PUBLIC},
        ),
        ("asker", None, Identity("a@b.example", member=False), {PUBLIC}, None),
        ("asker", None, Identity(None, member=True), {PUBLIC}, None),
    ],
)
async def test_what_may_be_used_follows_asker_and_readers(
    audience: str, readers: ReplyAudience | None, identity: Identity, asker: set[object], others: set[object] | None
) -> None:
    desk = Desk(platform=MemoryPlatform({"ann": identity}, readers))
    await desk.answered(incoming(audience=audience))
    scope = desk.answers.asked[0].scope
    assert scope.asker == asker
    assert scope.audience == others


async def test_why_less_is_searched_goes_along_with_the_question() -> None:
    guest = Identity("a@b.example", member=False, reason="guest")
    desk = Desk(platform=MemoryPlatform({"ann": guest}, ReplyAudience("public", "missing_scope")))
    await desk.answered(incoming())
    assert desk.answers.asked[0].scope_reason == ScopeReason("guest", "missing_scope", shared=True)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (
            Declined("Nothing.", cause="nothing_to_search", scope_reason=ScopeReason(readers="guests", shared=True)),
            "had nothing to search: no document is readable (readers:guests)",
        ),
        (Declined("Nothing.", cause="nothing_to_search"), "no document is readable (to the asker)"),
        (
            NotFound("2 documents", scope_reason=ScopeReason("guest")),
            "was held to what is public (asker:guest) and found nothing",
        ),
        (NotFound("2 documents"), ""),
    ],
)
async def test_the_log_says_what_held_a_search(
    outcome: Declined | NotFound, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    desk = Desk(answers=ScriptedAnswers(lambda _: outcome))
    await desk.answered(incoming("What is the launch code?"))
    lines = [each.getMessage() for each in caplog.records if each.name == "bot.conversation.recorded_outcome"]
    assert len(lines) == bool(said)
    assert said in "".join(lines)
    assert "launch code" not in caplog.text


@pytest.mark.parametrize(
    ("error", "helps"),
    [
        (Transient("Slack is away", next_step="wait"), "Ask again in a few minutes."),
        (Misconfigured("no scope", next_step="add it"), "Whoever runs this service has to mend that first"),
    ],
)
async def test_who_cannot_be_known_is_told_what_helps(error: KbError, helps: str) -> None:
    desk = Desk(platform=MemoryPlatform({"ann": error}))
    number = await desk.answered(incoming())
    told = desk.platform.shown[number].text
    assert f"{UNKNOWN_ASKER}. {helps}" in told
    assert ("Ask again" in told) == isinstance(error, Transient)
    assert "next:" not in told
    assert not desk.answers.asked, "nobody is guessed"
    assert await desk.result(number) == ("failed", "failed")


async def test_beyond_a_limit_it_says_so_and_answers_nothing() -> None:
    desk = Desk(limits=QuestionLimits(waiting=1))
    await desk.asked(incoming(message="1"))
    number = await desk.asked(incoming(message="2", person="ben"))
    assert desk.platform.shown[number].signs == ["refuse waiting"]
    assert await desk.result(number) == ("failed", "busy")
    await desk.service.answer(number)
    assert not desk.answers.asked


async def test_who_could_not_be_told_of_a_limit_is_told_by_a_worker() -> None:
    desk = Desk(limits=QuestionLimits(waiting=1))
    await desk.asked(incoming(message="1"))
    desk.platform.faults["refuse"] = [Transient("Slack is away")]
    number = await desk.asked(incoming(message="2", person="ben"))
    assert (await desk.result(number))[0] == "received"
    await desk.service.answer(number)
    assert desk.platform.shown[number].signs[-1] == "refuse waiting"
    assert await desk.result(number) == ("failed", "busy")


async def test_without_a_first_sign_the_worker_shows_one() -> None:
    desk = Desk()
    desk.platform.faults["open"] = [Transient("Slack is away")]
    number = await desk.answered(incoming())
    assert desk.platform.shown[number].signs[0] == "open"
    assert await desk.result(number) == ("posted", "answered")


@pytest.mark.parametrize("method", ["open", "resume", "finish"])
async def test_what_an_operator_can_mend_leaves_a_question_open(method: str, caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk()
    desk.platform.faults[method] = [Misconfigured("Slack does not accept the token", next_step="Make a new one.")]
    number = await desk.answered(incoming())
    if method == "finish":
        assert (await desk.result(number))[1] is None
        assert "Make a new one." in caplog.text
        await desk.service.answer(number)
    assert await desk.result(number) == ("posted", "answered")


@pytest.mark.parametrize("method", ["open", "resume", "finish"])
async def test_a_place_that_cannot_be_reached_is_recorded(method: str, caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk()
    desk.platform.faults[method] = [Refused("Slack refused chat.postMessage", why="channel_not_found")]
    number = await desk.answered(incoming())
    assert await desk.result(number) == ("failed", "unreachable")
    assert "has no visible outcome" in caplog.text
    assert "channel_not_found" in caplog.text


async def test_past_its_deadline_nothing_is_answered() -> None:
    desk = Desk()
    number = await desk.asked(incoming())
    desk.kept.now += timedelta(seconds=181)
    await desk.service.answer(number)
    assert not desk.answers.asked
    assert desk.platform.shown[number].signs == ["open", "late"]
    assert await desk.result(number) == ("failed", "late")


async def test_an_answer_that_takes_too_long_is_stopped() -> None:
    desk = Desk(limits=QuestionLimits(deadline=timedelta(seconds=0.1)), answers=ScriptedAnswers(held=asyncio.Event()))
    number = await desk.answered(incoming())
    assert desk.platform.shown[number].signs == ["open", "30 %", "late"]


async def test_a_changed_question_is_answered_as_it_is_now() -> None:
    desk = Desk()
    number = await desk.asked(incoming("Old words?"))
    await meanwhile(desk, number, lambda: desk.service.amend(incoming().key, "New words?"))
    assert [each.text for each in desk.answers.asked] == ["Old words?", "New words?"]
    assert desk.platform.shown[number].signs.count("finish") == 1
    assert "New words?" in desk.platform.shown[number].text


async def test_a_question_changed_after_its_answer_is_answered_anew_in_its_place() -> None:
    desk = Desk()
    number = await desk.answered(incoming("Old words?"))
    await desk.service.amend(incoming().key, "New words?")
    assert desk.kept.jobs.live(f"question:{number}")
    await desk.service.answer(number)
    assert "New words?" in desk.platform.shown[number].text
    assert [turn.question for turn in await desk.turns()] == ["New words?"]


async def test_a_deleted_question_is_not_answered() -> None:
    desk = Desk()
    number = await desk.asked(incoming())
    await meanwhile(desk, number, lambda: desk.service.withdraw(incoming().key))
    shown = desk.platform.shown[number]
    assert shown.gone
    assert "finish" not in shown.signs
    assert await desk.result(number) == ("withdrawn", "withdrawn")
    assert not await desk.turns()


async def test_a_question_deleted_before_anybody_is_at_it_leaves_nothing() -> None:
    desk = Desk()
    number = await desk.asked(incoming())
    await desk.service.withdraw(incoming().key)
    assert desk.platform.shown[number].gone
    await desk.service.answer(number)
    assert not desk.answers.asked


async def test_the_answer_of_a_deleted_question_stays() -> None:
    desk = Desk()
    number = await desk.answered(incoming())
    await desk.service.withdraw(incoming().key)
    assert not desk.platform.shown[number].gone


async def test_an_attempt_that_was_taken_over_shows_nothing() -> None:
    desk = Desk()
    number = await desk.asked(incoming())
    await meanwhile(desk, number, lambda: desk.ledger.begin_attempt(number))
    shown = desk.platform.shown[number]
    assert "finish" not in shown.signs
    assert not shown.gone
    assert (await desk.result(number))[0] == "running"


async def test_a_mistake_of_ours_is_an_outcome_too(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk(answers=ScriptedAnswers(lambda _: ZeroDivisionError("a secret value")))
    number = await desk.answered(incoming())
    assert "went wrong on our side" in desk.platform.shown[number].text
    assert await desk.result(number) == ("failed", "failed")
    assert "ZeroDivisionError" in caplog.text


async def test_what_was_away_for_a_moment_is_asked_again() -> None:
    outcomes: Iterator[Outcome] = iter([failed(Transient("The database does not answer")), answer("Yes. [1]", "c1")])
    desk = Desk(answers=ScriptedAnswers(lambda _: next(outcomes)))
    number = await desk.answered(incoming())
    assert await desk.result(number) == ("posted", "answered")
    assert "Yes." in desk.platform.shown[number].text
    assert len(desk.answers.asked) == 2


async def test_what_was_shown_in_part_is_asked_again_and_then_shown_whole() -> None:
    outcomes: Iterator[Outcome] = iter([failed(Transient("The database does not answer")), answer("No. [1]", "c1")])
    desk = Desk(answers=ScriptedAnswers(lambda _: next(outcomes), begun="Yes. [1]"))
    number = await desk.answered(incoming())
    assert await desk.result(number) == ("posted", "answered")
    shown = desk.platform.shown[number]
    assert "No. [1]" in shown.text
    assert [sign for sign in shown.signs if sign.endswith("[1]")] == ["Yes. [1]"], "nothing is written below it"


async def test_a_question_that_ends_its_workers_is_given_up() -> None:
    desk = Desk()
    number = await desk.asked(incoming())
    for _ in range(4):
        assert await desk.ledger.begin_attempt(number) is not None
    await desk.service.answer(number)
    assert not desk.answers.asked
    assert "went wrong on our side" in desk.platform.shown[number].text
    assert await desk.result(number) == ("failed", "failed")


@pytest.mark.parametrize(
    ("outcome", "expected", "remembered"),
    [
        (answer("Yes. [1]", "c1"), ("posted", "answered"), ["Yes. [1]"]),
        (NotFound("the handbook"), ("posted", "not_found"), ["Not found. Searched the handbook."]),
        (Declined("There is no question."), ("posted", "declined"), []),
    ],
)
async def test_each_outcome_is_recorded(
    outcome: NotFound | Declined, expected: tuple[str, str], remembered: list[str]
) -> None:
    desk = Desk(answers=ScriptedAnswers(lambda _: outcome))
    assert await desk.result(await desk.answered(incoming())) == expected
    assert [turn.reply for turn in await desk.turns()] == remembered


async def test_what_was_attached_and_not_read_is_said() -> None:
    desk = Desk()
    number = await desk.answered(incoming(unread=("plan.pdf", "photo.png")))
    assert desk.platform.shown[number].text.endswith("attached to a question: plan.pdf, photo.png.")


async def test_which_passages_were_cited_is_kept() -> None:
    desk = Desk(answers=ScriptedAnswers(lambda _: answer("Both. [1] [2]", "c7", "c9")))
    known = await desk.ledger.find(await desk.answered(incoming()))
    assert known is not None
    assert [(each.n, each.chunk_id) for each in known.cited] == [(1, "c7"), (2, "c9")]


async def test_what_is_asked_again_elsewhere_has_nothing_to_do_with_what_was_said_there() -> None:
    desk = Desk()
    await desk.answered(incoming("How?"))
    await desk.answered(incoming("Why?", message="2", handle={ALONE: "1"}))
    await desk.answered(incoming("When?", message="3"))
    assert [len(each.history) for each in desk.answers.asked] == [0, 0, 2]
