"""Replies are followed while they are made, here and in another process."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.web.live_replies import LiveReplies
from bot.web.models import OutcomeBody
from bot.web.reply_state import ReplyState
from domain.web_access import StateAt
from tests.fakes.web_access import MemoryShownReplies

DONE = ReplyState(1, 3, outcome=OutcomeBody(result="answered", text="Yes."))


async def heard(live: LiveReplies, number: int, seconds: float = 5.0) -> list[ReplyState]:
    return [each async for each in live.follow(number, seconds) if each is not None]


async def test_followers_hear_states_up_to_the_outcome() -> None:
    live = LiveReplies(MemoryShownReplies())
    following = [asyncio.create_task(heard(live, 1)) for _ in range(3)]
    await asyncio.sleep(0)
    live.show(1, ReplyState(1, 1, words="Reading"))
    await asyncio.sleep(0.01)
    await live.save(1, DONE)
    for each in await asyncio.gather(*following):
        assert [state.words for state in each] == ["Reading", ""]
        assert each[-1] == DONE
    await live.close()


async def test_what_another_process_shows_is_heard() -> None:
    kept = MemoryShownReplies()
    here, there = LiveReplies(kept), LiveReplies(kept)
    following = asyncio.create_task(heard(here, 1))
    await asyncio.sleep(0)
    there.show(1, ReplyState(1, 1, words="Reading"))
    await asyncio.sleep(0.4)
    await there.save(1, DONE)
    found = await following
    assert (found[0].words, found[-1]) == ("Reading", DONE)
    await here.close()
    await there.close()


async def test_a_follower_who_is_slow_misses_steps_and_no_memory_grows() -> None:
    live = LiveReplies(MemoryShownReplies())
    states = live.follow(1, 5.0)
    for step in range(1, 200):
        live.show(1, ReplyState(1, step, words=f"Step {step}"))
    await live.save(1, ReplyState(1, 500, outcome=DONE.outcome))
    found = [each async for each in states if each]
    assert [each.step for each in found] == [500]
    await live.close()


async def test_following_ends_after_its_time_though_nothing_comes() -> None:
    live = LiveReplies(MemoryShownReplies())
    assert await heard(live, 1, 0.05) == []
    await live.close()


async def test_a_reply_that_cannot_be_read_keeps_no_other_from_being_heard() -> None:
    kept = MemoryShownReplies()
    here, there = LiveReplies(kept), LiveReplies(kept)
    unread = {**DONE.as_json(), "outcome": {"result": "of a newer release", "text": "Yes."}}
    await kept.put(1, DONE.at, unread)
    one, other = (asyncio.create_task(heard(here, number, 30.0)) for number in (1, 2))
    await asyncio.sleep(0.4)
    await there.save(2, DONE)
    assert await other == [DONE]
    assert await here.load(1) is None
    await there.save(1, replace(DONE, step=9))
    assert await one == [replace(DONE, step=9)], "what can be read is heard later"
    await here.close()


@dataclass
class OnceBroken(MemoryShownReplies):
    """Fails unexpectedly the first time that it is looked into."""

    looks: int = 0

    async def newer(self, known: Mapping[int, StateAt]) -> Mapping[int, Mapping[str, Any]]:
        self.looks += 1
        if self.looks == 1:
            raise RuntimeError("odd")
        return await super().newer(known)


async def test_looking_goes_on_after_an_unexpected_error() -> None:
    kept = OnceBroken()
    here, there = LiveReplies(kept), LiveReplies(kept)
    following = asyncio.create_task(heard(here, 1, 30.0))
    await asyncio.sleep(0.1)
    await there.save(1, DONE)
    assert await following == [DONE]
    await here.close()
