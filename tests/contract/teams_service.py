"""What Teams' service takes and refuses, as it was measured: held against the local Teams of the tests, and by `make
counterparts` against the Agents Playground. So the one that the tests run on forgives nothing that a real one refuses.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import aiohttp

Body = Mapping[str, Any]
CARD = {
    "contentType": "application/vnd.microsoft.card.adaptive",
    "content": {"type": "AdaptiveCard", "version": "1.5", "body": [{"type": "TextBlock", "text": "A card"}]},
}
LABEL = {
    "type": "https://schema.org/Message",
    "@type": "Message",
    "@context": "https://schema.org",
    "additionalType": ["AIGeneratedContent"],
    "citation": [
        {
            "@type": "Claim",
            "position": 1,
            "appearance": {"@type": "DigitalDocument", "name": "Handbook", "abstract": "Thirty days."},
        }
    ],
}


@dataclass(frozen=True)
class Service:
    """One conversation of several people at a service. base: as activities name it. headers: of every request."""

    session: aiohttp.ClientSession
    base: str
    conversation: str
    headers: Mapping[str, str]

    async def call(self, method: str, activity: str = "", body: Body | None = None) -> tuple[int, Any]:
        """Status and answer of one call; None for an answer without a body."""
        path = f"{self.base.rstrip('/')}/v3/conversations/{quote(self.conversation, safe='')}/activities"
        url = f"{path}/{activity}" if activity else path
        async with self.session.request(method, url, json=body, headers=dict(self.headers)) as response:
            told = await response.read()
            return response.status, await response.json() if told[:1] == b"{" else None

    async def message(self, text: str = "A text") -> str:
        """The id of a new message."""
        status, told = await self.call("POST", body=said(text))
        assert status == 201
        return str(told["id"])


def said(text: str, **more: Any) -> dict[str, Any]:
    """A message."""
    return {"type": "message", "textFormat": "markdown", **({"text": text} if text else {}), **more}


async def a_message_becomes_no_two(service: Service) -> None:
    """A change to a text and a card is refused, and changes nothing."""
    name = await service.message()
    status, told = await service.call("PUT", name, said("Both", attachments=[CARD]))
    assert (status, told["error"]["code"]) == (400, "BadSyntax")
    assert told["error"]["message"] == "Activity resulted into multiple skype activities"


async def a_text_and_a_card_are_two_messages_without_an_id(service: Service) -> None:
    """Nobody can change them, and no vote comes with an id that the app knows."""
    status, told = await service.call("POST", body=said("Both", attachments=[CARD]))
    assert status == 202
    assert not (told or {}).get("id")


async def a_text_is_changed_with_all_that_belongs_to_it(service: Service) -> None:
    """Label, citations and thumbs go with a text."""
    name = await service.message()
    more = {"entities": [LABEL], "channelData": {"feedbackLoop": {"type": "default"}}}
    status, _ = await service.call("PUT", name, said("Thirty days. [1]", **more))
    assert status == 200


async def a_card_is_sent_and_changed_alone(service: Service) -> None:
    """A card is a message of its own; it may become a text."""
    status, told = await service.call("POST", body=said("", attachments=[CARD]))
    assert status == 201
    for body in (said("", attachments=[CARD]), said("A text now")):
        assert (await service.call("PUT", str(told["id"]), body))[0] == 200


async def nothing_empty_is_sent_and_no_message_becomes_empty(service: Service) -> None:
    """Neither a new message nor a change may be without text and card."""
    name = await service.message()
    for method, activity in (("POST", ""), ("PUT", name)):
        status, told = await service.call(method, activity, said(""))
        assert (status, told["error"]["code"]) == (400, "BadSyntax")


async def a_message_becomes_no_sign_of_typing(service: Service) -> None:
    """A change is to a message."""
    status, told = await service.call("PUT", await service.message(), {"type": "typing"})
    assert (status, told["error"]["code"]) == (400, "BadArgument")


async def what_is_not_there_is_not_changed(service: Service) -> None:
    """Some say that they do not know it, some that it is not there; no service makes a new one of it."""
    status, told = await service.call("PUT", "00000000-0000-4000-8000-000000000000", said("A text"))
    assert (status, told["error"]["code"]) in {(400, "BadArgument"), (404, "ActivityNotFoundInConversation")}


async def a_deletion_is_done_or_not_known(service: Service) -> None:
    """Some services have none."""
    name = await service.message()
    status, told = await service.call("DELETE", name)
    assert status == 200 or (status, told["error"]["code"]) == (501, "DeleteActivityAPINotImplemented")


async def nothing_is_streamed_to_several_people(service: Service) -> None:
    """Streams are for chats with one person."""
    info = {"type": "streaminfo", "streamType": "informative", "streamSequence": 1}
    at = {"channelId": "msteams", "conversation": {"id": service.conversation, "conversationType": "groupChat"}}
    status, _ = await service.call("POST", body={"type": "typing", "text": "A text", "entities": [info], **at})
    assert status in {400, 403, 405, 500}, "some say which, some break down"


HELD = (
    a_message_becomes_no_two,
    a_text_and_a_card_are_two_messages_without_an_id,
    a_text_is_changed_with_all_that_belongs_to_it,
    a_card_is_sent_and_changed_alone,
    nothing_empty_is_sent_and_no_message_becomes_empty,
    a_message_becomes_no_sign_of_typing,
    what_is_not_there_is_not_changed,
    a_deletion_is_done_or_not_known,
    nothing_is_streamed_to_several_people,
)
