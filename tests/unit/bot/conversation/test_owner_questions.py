"""Asking the owner of the nearest page: what is sent, to whom, once, and when not."""

import asyncio
import json
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from bot.conversation.chat_platform import OutcomeUnknown
from bot.conversation.owner_questions import (
    CHANGED,
    MAY_BE_SENT,
    NO_OWNER,
    NOT_HERE,
    NOT_YOUR_QUESTION,
    SENT_ALREADY,
    OwnerOffer,
    OwnerQuestions,
    why_not_sent,
)
from bot.slack.mrkdwn import fallback
from bot.slack.views import owner_message as slack_message
from bot.teams.card_templates import confirm_owner
from bot.teams.escape import escaped, without_calls
from bot.teams.status_messages import owner_message as teams_message
from domain.access import Scope
from domain.answer_ports import KeptAnswer
from domain.conversation import (
    Audience,
    ConversationPlace,
    Identity,
    Incoming,
    MessageKey,
    Participant,
    QuestionLimits,
    ReplyAudience,
)
from domain.errors import KbError, Refused, Transient
from domain.masking import Masker
from domain.owner_ports import OwnedDocument
from tests.fakes.kept_answers import kept
from tests.fakes.ledger import MemoryConversations
from tests.fakes.owners import MemoryOwnerRequests, MemoryOwners
from tests.fakes.platform import MemoryPlatform

ANN, BEN, GUEST = (Participant("slack", name, "T") for name in ("ann", "ben", "guest"))
VPN = OwnedDocument("vpn", "VPN", "Olga Owner", "olga@example.com")


@dataclass
class Records:
    """The record of any question: the nearest documents. first: the nearest."""

    nearest: tuple[str, ...] = ("gone", "vpn")

    async def get(self, number: int) -> KeptAnswer | None:
        return kept(number, "?", nearest=self.nearest)


@dataclass
class Desk:
    """Over memory. The owner of the page about the VPN is Olga."""

    conversations: MemoryConversations = field(default_factory=MemoryConversations)
    owners: MemoryOwners = field(default_factory=lambda: MemoryOwners([(VPN, None)]))
    requests: MemoryOwnerRequests = field(default_factory=MemoryOwnerRequests)
    records: Any = field(default_factory=Records)

    def __post_init__(self) -> None:
        self.platform = MemoryPlatform(
            {
                "ann": Identity("ann@example.com", member=True, name="Ann"),
                "olga": Identity("olga@example.com", member=True, name="Olga O."),
                "mallory": Identity("mallory@example.com", member=True, name="Mallory"),
                "guest": Identity("guest@example.com", member=False, reason="guest"),
            }
        )
        platforms: Any = {"slack": self.platform}
        ledger = self.conversations.ledger()
        self.asking = OwnerQuestions(ledger, self.records, self.owners, self.requests, platforms, Masker())

    async def asked(
        self, text: str = "How do I reset it?", person: Participant = ANN, audience: Audience = "asker"
    ) -> int:
        place = ConversationPlace("slack", "T", "D1", "1", private=audience == "asker")
        incoming = Incoming(MessageKey("slack", "D1", text), place, person, text, audience)
        return (await self.conversations.ledger().claim(incoming, QuestionLimits())).number

    async def send(self, number: int, person: Participant = ANN) -> OwnerOffer:
        """What somebody sends who agrees to what is shown."""
        return await self.asking.send(number, person, (await self.asking.offer(number, person)).digest)


async def refused(desk: Desk, number: int, person: Participant = ANN) -> str:
    with pytest.raises(Refused) as caught:
        await desk.send(number, person)
    assert not await desk.asking.possible(number, person)
    return caught.value.what


async def test_what_is_offered_is_sent_once_word_for_word() -> None:
    desk = Desk()
    number = await desk.asked("What is the VPN password of jane.doe@example.org?")
    offer = await desk.asking.offer(number, ANN)
    assert desk.platform.told == [], "nothing is sent without a word of the asker"
    assert (offer.owner.id, offer.name.text) == ("olga", "Olga O.")
    sent = await desk.asking.send(number, ANN, offer.digest)
    assert desk.platform.told == [("olga", offer.text.text, "ann")]
    assert sent.text == offer.text
    assert offer.text.text.startswith("Ann asks about your page “VPN”: “What is the VPN password of [masked: e-mail")
    assert desk.requests.claimed == {number: "vpn"}
    assert await refused(desk, number) == SENT_ALREADY
    assert len(desk.platform.told) == 1


async def test_it_is_said_in_the_language_of_the_question() -> None:
    desk = Desk()
    offer = await desk.asking.offer(await desk.asked("Wie setze ich mein Kennwort zurück?"), ANN)
    assert offer.text.text.startswith("Ann fragt zu Ihrer Seite „VPN“")


@pytest.mark.parametrize("words", ["walrus ", "*a_ [x] ", "&", "<@U1>", "www.a ", "😀", "://a.b "])
async def test_no_platform_has_to_cut_what_is_sent(words: str) -> None:
    long = words * 700
    desk = Desk(owners=MemoryOwners([(replace(VPN, title=long), None)]))
    desk.platform.identities["ann"] = Identity("ann@example.com", member=True, name=long)
    offer = await desk.asking.offer(await desk.asked(long), ANN)
    whole = offer.text.text
    assert whole.endswith("…” I found no good answer in it. Please reply to them: I pass nothing on.")
    assert without_calls(whole) in json.dumps(confirm_owner(offer), ensure_ascii=False)
    assert teams_message(offer.text) == escaped(whole, 100_000)
    assert slack_message(offer.text, ANN).startswith(fallback(whole, 100_000))


async def test_a_secret_at_the_cut_is_masked() -> None:
    desk = Desk()
    for before in range(1_150, 1_200):
        offer = await desk.asking.offer(await desk.asked("x" * before + " jane.doe@example.org, why?" + "y" * 99), ANN)
        assert "jane" not in offer.text.text


async def test_only_the_asker_can_send() -> None:
    desk = Desk()
    assert await refused(desk, await desk.asked(), BEN) == NOT_YOUR_QUESTION
    assert await refused(desk, 999) == NOT_YOUR_QUESTION


@pytest.mark.parametrize(("person", "audience"), [(GUEST, "asker"), (ANN, "public")])
async def test_nothing_goes_out_from_guests_and_shared_channels(person: Participant, audience: Audience) -> None:
    desk = Desk()
    assert await refused(desk, await desk.asked(person=person, audience=audience), person) == NOT_HERE


async def test_a_channel_that_is_shared_by_now_counts_as_shared() -> None:
    desk = Desk()
    number = await desk.asked(audience="organisation")
    assert await desk.asking.possible(number, ANN)
    desk.platform.readers = ReplyAudience("public", "shared_channel")
    assert await refused(desk, number) == NOT_HERE


async def test_an_owner_of_a_page_that_the_asker_may_not_read_is_not_asked() -> None:
    desk = Desk(owners=MemoryOwners([(VPN, Scope.member("ben@example.com"))]))
    assert await refused(desk, await desk.asked()) == NO_OWNER


@pytest.mark.parametrize("address", ["nobody@example.com", "guest@example.com", "ann@example.com"])
async def test_an_owner_who_is_nobody_here_or_the_asker_is_not_asked(address: str) -> None:
    desk = Desk(owners=MemoryOwners([(OwnedDocument("vpn", "VPN", "O", address), None)]))
    assert await refused(desk, await desk.asked()) == NO_OWNER


async def test_the_next_document_is_tried() -> None:
    gone = OwnedDocument("gone", "Old", "N", "nobody@example.com")
    desk = Desk(owners=MemoryOwners([(gone, None), (VPN, None)]))
    assert (await desk.asking.offer(await desk.asked(), ANN)).document_id == "vpn"


@pytest.mark.parametrize(
    "now",
    [replace(VPN, address="mallory@example.com"), replace(VPN, title="Layoffs"), replace(VPN, document_id="gone")],
)
async def test_what_was_not_shown_is_not_sent(now: OwnedDocument) -> None:
    desk = Desk()
    number = await desk.asked()
    agreed = (await desk.asking.offer(number, ANN)).digest
    desk.owners.documents = [(now, None)]
    for given in (agreed, ""):
        with pytest.raises(Refused) as caught:
            await desk.asking.send(number, ANN, given)
        assert caught.value.what == CHANGED
    assert (desk.platform.told, desk.requests.claimed) == ([], {})
    await desk.send(number)
    assert len(desk.platform.told) == 1


async def test_the_receiver_has_the_name_that_the_platform_knows() -> None:
    desk = Desk(owners=MemoryOwners([(replace(VPN, address="mallory@example.com"), None)]))
    offer = await desk.asking.offer(await desk.asked(), ANN)
    assert (offer.owner.id, offer.name.text) == ("mallory", "Mallory")


async def test_a_name_that_the_platform_does_not_say_now_keeps_nothing_from_being_sent() -> None:
    desk = Desk()
    number = await desk.asked()
    desk.platform.faults["identity of olga"] = [Transient("Slack is away")]
    assert await desk.asking.possible(number, ANN)
    sent = await desk.send(number)
    assert (sent.owner.id, sent.name.text) == ("olga", "olga")
    assert len(desk.platform.told) == 1


@pytest.mark.parametrize("step", ["prepare_message", "post"])
@pytest.mark.parametrize("error", [Transient("Slack is away"), Refused("Slack refused chat.postMessage")])
async def test_what_could_not_be_sent_can_be_sent_again(error: KbError, step: str) -> None:
    desk = Desk()
    number = await desk.asked()
    desk.platform.faults[step] = [error]
    with pytest.raises(type(error)):
        await desk.send(number)
    desk.platform.faults.clear()
    await desk.send(number)
    assert len(desk.platform.told) == 1


async def test_what_may_have_been_sent_is_not_sent_again() -> None:
    desk = Desk()
    number = await desk.asked()
    desk.platform.faults["post"] = [OutcomeUnknown("Slack did not answer")]
    with pytest.raises(Refused) as caught:
        await desk.send(number)
    assert why_not_sent(caught.value) == MAY_BE_SENT
    desk.platform.faults.clear()
    assert await refused(desk, number) == SENT_ALREADY


async def stopped_while(desk: Desk, number: int, step: str) -> None:
    """A process that ends while it sends a question."""
    desk.platform.slow[step] = asyncio.Event()
    sending = asyncio.create_task(desk.send(number))
    async with asyncio.timeout(30):
        await desk.platform.reached[step].wait()
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    desk.platform.slow.clear()


async def test_a_process_that_ends_before_the_post_leaves_no_claim() -> None:
    desk = Desk()
    number = await desk.asked()
    await stopped_while(desk, number, "prepare_message")
    await desk.send(number)
    assert len(desk.platform.told) == 1


async def test_of_one_that_ends_while_it_posts_it_is_said_that_it_may_have_been_sent() -> None:
    desk = Desk()
    number = await desk.asked()
    await stopped_while(desk, number, "post")
    assert "may have been" in await refused(desk, number)
    assert len(desk.platform.told) == 1


async def test_a_fault_in_preparing_leaves_no_claim() -> None:
    desk = Desk()
    number = await desk.asked()
    desk.platform.faults["prepare_message"] = [KeyError("channel")]
    with pytest.raises(KeyError):
        await desk.send(number)
    desk.platform.faults.clear()
    await desk.send(number)


async def test_why_it_was_not_sent_is_said_while_the_claim_cannot_be_released() -> None:
    desk = Desk()
    number = await desk.asked()
    desk.platform.faults["post"] = [Refused("Slack refused chat.postMessage")]
    desk.requests.away = True
    with pytest.raises(Refused, match="Slack refused"):
        await desk.send(number)
    assert "may have been" in await refused(desk, number)
