"""What one chat platform does not take keeps the people of another one from nothing."""

import asyncio
from dataclasses import dataclass

from bot.app.product import Product
from bot.app.serving import ServingProcess
from bot.conversation.answer_job import ConversationOptions
from bot.conversation.chat_platform import ChatPlatform
from bot.conversation.service import ConversationService
from domain.cancellation import cancel_and_wait
from domain.conversation import AcceptedQuestion, ConversationPlace, Incoming, MessageKey, Participant, Platform
from domain.masked_answer import MaskedAnswer
from domain.masking import Masker
from tests.fakes.platform import MemoryPlatform, MemoryReply, ScriptedAnswers


@dataclass(frozen=True)
class Named:
    """An open platform, as far as who works for it asks."""

    name: Platform


class HangingReply(MemoryReply):
    """A reply that no platform takes."""

    async def finish(self, answer: MaskedAnswer) -> bool:
        await asyncio.Event().wait()
        return await super().finish(answer)


class HangingPlatform(MemoryPlatform):
    """A platform that takes no outcome, and refuses none."""

    def reply(self, asked: AcceptedQuestion, patience: float) -> MemoryReply:
        return HangingReply(self, asked)


def question(platform: Platform, number: int) -> Incoming:
    place = ConversationPlace(platform, "T1", f"C{number}")
    person = Participant(platform, f"U{number}", "T1")
    return Incoming(MessageKey(platform, place.channel, "1"), place, person, "How?", "organisation")


async def test_replies_that_hang_on_one_platform_take_no_place_of_another(product: Product) -> None:
    storage = product.storage
    platforms: dict[Platform, ChatPlatform] = {"slack": MemoryPlatform(), "teams": HangingPlatform()}
    options = ConversationOptions(poll_seconds=0.05)
    service = ConversationService(
        *(storage.ledger(), storage.memory(), ScriptedAnswers(), Masker(), platforms), options=options
    )
    serving = ServingProcess(product, [Named("slack"), Named("teams")], service, None)  # type: ignore[list-item,arg-type] # no action is asked for
    for number in range(product.settings.serve.worker_concurrency + 2):
        await service.acknowledge(await service.receive(question("teams", number)))
    working = asyncio.create_task(serving.work("questions"))
    try:
        asked = await service.receive(question("slack", 1))
        await service.acknowledge(asked)
        async with asyncio.timeout(60):
            while (known := await storage.ledger().find(asked.number)) is None or known.result is None:  # noqa: ASYNC110 - the database tells nobody
                await asyncio.sleep(0.05)
        assert known.result == "answered"
    finally:
        await cancel_and_wait(working, again=0.1, limit=30.0)
