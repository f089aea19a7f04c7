"""A question that was deleted, and whose deletion was taken back."""

import pytest

from bot.conversation.delivery_buffer import MessageChange
from bot.teams.activities import parse_activity
from tests.fakes.teams import Said
from tests.flows.teams.led import SAID, leading


def change(said: Said) -> MessageChange:
    found = parse_activity(said.activity)
    assert isinstance(found, MessageChange)
    return found


@pytest.mark.parametrize("kind", ["personal", "group"])
@pytest.mark.parametrize("deletes", [True, False])
async def test_a_deletion_that_is_taken_back_asks_the_question_again(kind: str, deletes: bool) -> None:
    async with leading() as led:
        ann = led.teams.add_person("ann")
        place = led.teams.personal(ann) if kind == "personal" else led.teams.add_group([ann])
        led.teams.api.deletes = deletes
        said = led.teams.say(ann, place, "How many days?")
        number = await led.asked(said)
        await led.service.withdraw(change(led.teams.saying.delete(ann, place, said)).key)
        assert await led.ending() == ("withdrawn", "withdrawn")
        found = change(led.teams.saying.undelete(ann, place, said))
        assert found.text is not None
        await led.service.amend(found.key, found.text)
        assert await led.ending() == ("withdrawn", "withdrawn"), "a change that comes late asks nothing"
        await led.service.amend(found.key, found.text, restored=found.restored)
        await led.answer(number)
        assert await led.ending() == ("posted", "answered")
        (shown,) = led.teams.seen(place.id)
        assert SAID in shown.text
