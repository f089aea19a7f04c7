"""Asking the owner: a question without a good answer goes to the owner of a near page, once, if its asker wants."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from bot.conversation.chat_platform import ChatPlatform, OutcomeUnknown
from bot.conversation.recorded_outcome import recorded_question
from domain.answer_ports import AnswerRecords
from domain.conversation import AcceptedQuestion, Identity, Participant, Platform, scope_of
from domain.errors import KbError, Refused, Transient
from domain.ledger import Ledger
from domain.masking import MaskedText, Masker
from domain.owner_ports import DocumentOwners, OwnedDocument, OwnerRequests
from domain.text.encodable import encodable
from domain.text.languages import language_of
from domain.translation import set_language, translated

log = logging.getLogger(__name__)

LOOKED_AT = 3
"""Nearest documents whose owners are tried, in their order."""

QUESTION, NAME = 1_200, 200
"""Characters of the question, and of a name or title in what is sent, as a platform may have to write them: all of it
fits into a message of 2,500 everywhere, with the sentences after the question."""

NOT_YOUR_QUESTION = "Only who asked can send this question, as long as I remember it."
NO_OWNER = (
    "I cannot reach the owner of the nearest pages from here. Their names stand with the pages, where I know them."
)
NOT_HERE = "I send no questions to owners from a conversation with guests or other organisations. Ask me in private."
SENT_ALREADY = "That question was sent to the owner already, or may have been. I send none twice."
MAY_BE_SENT = "It may have been sent to the owner: there was no clear reply. I do not send it again."
CHANGED = "The page's owner or the text changed; nothing was sent. Please press again."
NOT_SENT = "I could not send it. Please try again later."


def why_not_sent(error: KbError) -> str:
    """What the asker reads where `OwnerQuestions` raises."""
    ours = error.what in {NOT_YOUR_QUESTION, NO_OWNER, NOT_HERE, SENT_ALREADY, MAY_BE_SENT, CHANGED}
    return translated(error.what if ours else NOT_SENT)


@dataclass(frozen=True, slots=True)
class OwnerOffer:
    """What would be sent, for the asker to agree to."""

    number: int
    document_id: str
    owner: Participant
    name: MaskedText
    """The owner's, as the platform has it: what a page says of its author may name somebody else. That stands here only
    while the platform does not say."""
    text: MaskedText
    """Word for word."""

    @property
    def digest(self) -> str:
        """Stands for this owner, page and text: what the asker agrees to."""
        return sha256(json.dumps([self.owner.id, self.document_id, self.text.text]).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class _Receiver:
    """Whom a question would be sent to."""

    asked: AcceptedQuestion
    asker: Identity
    document: OwnedDocument
    owner: Participant


@dataclass(eq=False)
class OwnerQuestions:
    """Sends questions to owners of documents. domains: see domain.conversation.scope_of."""

    ledger: Ledger
    records: AnswerRecords
    owners: DocumentOwners
    requests: OwnerRequests
    platforms: Mapping[Platform, ChatPlatform]
    masker: Masker
    domains: tuple[str, ...] = ()

    async def offer(self, number: int, person: Participant) -> OwnerOffer:
        """What would be sent to whom, for who asked question `number`.

        Raises:
            Refused: it cannot be; `what` says why, in words for the asker. Transient: something is away.
        """
        found = await self._receiver(number, person)
        return self._offer(found, await self._name(found))

    async def _receiver(self, number: int, person: Participant) -> _Receiver:
        """Whom it would be sent to. Raises as `offer`."""
        asked = await recorded_question(self.ledger, number)
        if asked is None or not asked.text or asked.asker != person:
            raise Refused(NOT_YOUR_QUESTION)
        set_language(language_of(asked.text))
        platform = self.platforms[person.platform]
        identity = await platform.identity(person)
        if not identity.member or scope_of(identity, "asker", self.domains) == scope_of(
            identity, "public", self.domains
        ):
            raise Refused(NOT_HERE)
        if (await platform.audience(asked)).audience == "public":
            raise Refused(NOT_HERE)
        if await self.requests.sent(number):
            raise Refused(SENT_ALREADY)
        for each in await self._owned(asked, identity):
            owner = await platform.find_person(each.address, asked)
            if owner is not None and owner != person:
                return _Receiver(asked, identity, each, owner)
        raise Refused(NO_OWNER)

    async def _name(self, found: _Receiver) -> str:
        """The owner's, as the platform has it, or its id: a page may name anybody. Slack mentions the owner anyway."""
        try:
            return (await self.platforms[found.owner.platform].identity(found.owner)).name or found.owner.id
        except KbError as error:
            log.info("The name of an owner is not known: %s", error.what)
            return found.owner.id

    async def possible(self, number: int, person: Participant) -> bool:
        """Whether `offer` would give something; not where anything is away."""
        try:
            await self._receiver(number, person)
        except KbError as error:
            log.info("The owner is not offered: %s", error.what)
            return False
        return True

    async def send(self, number: int, person: Participant, agreed: str) -> OwnerOffer:
        """Sends it; gives what was sent. Of two who press at once, one sends. agreed: the `digest` of the offer that
        the asker was shown.

        Raises: as `offer`; Refused, too, where another offer was shown, or it was sent already or may have been.
        """
        offer = await self.offer(number, person)
        if offer.digest != agreed:
            raise Refused(CHANGED)
        asked = await self.ledger.find(number)
        if asked is None:
            raise Refused(NOT_YOUR_QUESTION)
        post = await self.platforms[person.platform].prepare_message(offer.owner, offer.text, asked)
        # right before the post: whoever is stopped from here on may have sent it
        if not await self.requests.claim(number, offer.document_id):
            raise Refused(SENT_ALREADY)
        try:
            await post()
        except OutcomeUnknown as error:  # it may be there: better once than twice
            log.warning("Whether question %s reached the owner of a document is unknown", number)
            raise Refused(MAY_BE_SENT) from error
        except KbError:
            await self._release(number)
            raise
        log.info("Question %s was sent to the owner of a document", number)
        return offer

    async def _release(self, number: int) -> None:
        try:
            await self.requests.release(number)
        except Transient as error:
            log.warning("Question %s was not sent to an owner, but counts as sent: %s", number, error.what)

    async def _owned(self, asked: AcceptedQuestion, identity: Identity) -> list[OwnedDocument]:
        """The nearest documents that the asker may read now and whose owner has an address."""
        kept = await self.records.get(asked.number)
        nearest = kept.record.nearest[:LOOKED_AT] if kept else ()
        return await self.owners.owned(nearest, scope_of(identity, "asker", self.domains))

    def _offer(self, found: _Receiver, name: str) -> OwnerOffer:
        def short(text: str, limit: int = NAME) -> str:
            return _cut(masked(text).text, limit)  # masked first: half a secret is none that is known

        def masked(text: str) -> MaskedText:
            return self.masker.mask(encodable(text))

        words = translated(
            "{asker} asks about your page “{title}”: “{question}” I found no good answer in it. Please reply to them:"
            " I pass nothing on.",
            asker=short(found.asker.name) or translated("Somebody"),
            title=short(found.document.title),
            question=short(found.asked.text, QUESTION),
        )
        number, document_id = found.asked.number, found.document.document_id
        return OwnerOffer(number, document_id, found.owner, masked(name), masked(words))


def _cut(text: str, limit: int) -> str:
    """A text of at most `limit` UTF-16 units once a platform has escaped it, which makes five of `&`, `<` and `>`, and
    two of other marks at most; one that is longer ends with an ellipsis."""
    for at, char in enumerate(text):
        word = (char.isalnum() or char.isspace()) and char <= "\uffff"
        limit -= 5 if char in "&<>" else 1 if word else 2
        if limit < 0:
            return text[:at].rstrip() + "…"
    return text
