"""What was said on the local Teams, as the product has it when it was read: for tests that begin behind that."""

from bot.teams.conversation_reference import TeamsConversation
from bot.teams.user_directory import TeamsUserDirectory
from domain.conversation import Audience, ConversationPlace, Identity, Incoming, MessageKey, Participant, ReplyAudience
from tests.fakes.teams.user_activities import Said


class Strangers(TeamsUserDirectory):
    """Everybody is a member with an address at example.com."""

    def __init__(self) -> None:
        """Nobody is asked."""

    def person_seen(self, person: Participant, reference: TeamsConversation) -> None:
        pass

    async def identity(self, person: Participant) -> Identity:
        return Identity(f"{person.id}@example.com", member=True)

    async def audience(self, told: Audience, reference: TeamsConversation, since: float | None = None) -> ReplyAudience:
        return ReplyAudience(told)


def talked(said: Said) -> Incoming:
    """The question that somebody asked."""
    activity = said.activity
    conversation, person = activity["conversation"], activity["from"]
    base, _, root = conversation["id"].partition(";messageid=")
    reference = TeamsConversation(
        activity["serviceUrl"],
        conversation["id"],
        conversation["conversationType"],
        activity["recipient"]["id"],
        conversation["tenantId"],
        person["id"],
        activity["id"],
        activity["locale"],
        activity["channelData"].get("team", {}).get("id", ""),
        activity["channelData"].get("channel", {}).get("type", ""),
    )
    private = reference.kind == "personal"
    text = activity["text"].partition("</at>")[2].strip() or activity["text"]
    return Incoming(
        MessageKey("teams", base, said.id),
        ConversationPlace("teams", reference.tenant, base, root, private=private),
        Participant("teams", person["aadObjectId"], reference.tenant),
        text,
        "asker" if private else "organisation",
        reference.handle,
    )
