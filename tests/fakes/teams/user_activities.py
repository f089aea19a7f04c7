"""What people do, as the activities that Teams would post to the app."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tests.fakes.teams.records import Body, Conversation, Message, Person
from tests.fakes.teams.world import TENANT, World


@dataclass(frozen=True)
class Said:
    """A message of somebody's, and the activity that tells the app of it. conversation: with its thread, where it is
    in a channel: what a reply is sent to."""

    id: str
    conversation: str
    activity: Body


@dataclass
class Saying:
    """Makes activities. service_url: the connector's. name: the app's."""

    world: World
    service_url: str
    name: str = "kb"

    def say(
        self, person: Person, place: Conversation, text: str, *, mention: bool = True, thread: str = "", **more: Any
    ) -> Said:
        """Somebody says something, in a group or channel with a mention of the app. thread: id of the message that a
        thread begins with. more: further fields of the activity."""
        mentioned = mention and place.kind != "personal"
        shown = f"<at>{self.name}</at> {text}" if mentioned else text
        at = f"{place.id};messageid={thread}" if thread else place.id
        message = self.world.post(at, person.id, {"type": "message", "text": shown})
        where = f"{place.id};messageid={message.thread}" if place.kind == "channel" else place.id
        activity = self._activity("message", person, place, where, message.id)
        activity |= {"text": shown, "textFormat": "plain", "attachments": [_html(shown)]}
        if mentioned:
            activity["entities"].append(self._mention())
        return Said(message.id, where, activity | more)

    def edit(self, person: Person, place: Conversation, said: Said, text: str) -> Said:
        """Somebody changes what they said."""
        shown = f"<at>{self.name}</at> {text}" if said.activity["text"].startswith("<at>") else text
        self.world.conversations[place.id].messages[said.id].show({"type": "message", "text": shown})
        activity = self._activity("messageUpdate", person, place, said.conversation, said.id)
        activity |= {"text": shown, "entities": said.activity["entities"], "textFormat": "plain"}
        activity["channelData"]["eventType"] = "editMessage"
        return Said(said.id, said.conversation, activity)

    def delete(self, person: Person, place: Conversation, said: Said) -> Said:
        """Somebody deletes what they said."""
        self.world.conversations[place.id].messages[said.id].deleted = True
        activity = self._activity("messageDelete", person, place, said.conversation, said.id)
        activity["channelData"]["eventType"] = "softDeleteMessage"
        return Said(said.id, said.conversation, activity)

    def undelete(self, person: Person, place: Conversation, said: Said) -> Said:
        """Somebody takes back that they deleted what they said."""
        message = self.world.conversations[place.id].messages[said.id]
        message.deleted = False
        activity = self._activity("messageUpdate", person, place, said.conversation, said.id)
        activity |= {"text": message.text, "entities": said.activity["entities"], "textFormat": "plain"}
        activity["channelData"]["eventType"] = "undeleteMessage"
        return Said(said.id, said.conversation, activity)

    def install(self, person: Person, place: Conversation) -> Body:
        """Somebody adds the app to a conversation."""
        place.installed = True
        activity = self._activity("conversationUpdate", person, place, place.id, str(self.world.number()))
        return activity | {"membersAdded": [{"id": self.world.bot}]}

    def joined(self, person: Person, place: Conversation) -> Body:
        """Somebody has come into a conversation; the test has put them there."""
        activity = self._activity("conversationUpdate", person, place, place.id, str(self.world.number()))
        return activity | {"membersAdded": [{"id": person.id, "aadObjectId": person.aad}]}

    def feedback(self, person: Person, place: Conversation, message: Message, reaction: str, words: str = "") -> Body:
        """Somebody likes or dislikes a message: an invoke."""
        activity = self._activity("invoke", person, place, self._at(place, message), str(self.world.number()))
        value = {"reaction": reaction, "feedback": f'{{"feedbackText": "{words}"}}'}
        named = {"name": "message/submitAction", "replyToId": message.id}
        return activity | named | {"value": {"actionName": "feedback", "actionValue": value}}

    def press(self, person: Person, place: Conversation, message: Message, data: Body) -> Body:
        """Somebody presses an Action.Submit: a message without text."""
        activity = self._activity("message", person, place, self._at(place, message), str(self.world.number()))
        return activity | {"value": data, "replyToId": message.id}

    def execute(self, person: Person, place: Conversation, message: Message, verb: str, data: Body) -> Body:
        """Somebody presses an Action.Execute: an invoke."""
        activity = self._activity("invoke", person, place, self._at(place, message), str(self.world.number()))
        action = {"type": "Action.Execute", "verb": verb, "data": data}
        named = {"name": "adaptiveCard/action", "replyToId": message.id}
        return activity | named | {"value": {"action": action, "trigger": "manual"}}

    def _at(self, place: Conversation, message: Message) -> str:
        return f"{place.id};messageid={message.thread}" if place.kind == "channel" else place.id

    def _activity(self, kind: str, person: Person, place: Conversation, where: str, name: str) -> Body:
        tenant = {"tenant": {"id": place.tenant or TENANT}}
        channel = {"id": place.id, **({"type": place.form} if place.form else {})}
        in_team = {
            "channel": channel,
            **({"team": {"id": place.team}} if place.team else {}),
            "teamsChannelId": place.id,
        }
        conversation: Body = {"id": where, "conversationType": place.kind, "tenantId": place.tenant or TENANT}
        if place.kind != "personal":
            conversation |= {"isGroup": True, "name": place.name}
        return {
            "type": kind,
            "id": name,
            "timestamp": datetime.now(UTC).isoformat(),
            "serviceUrl": self.service_url,
            "channelId": "msteams",
            "from": {"id": person.id, "name": person.name, "aadObjectId": person.aad},
            "recipient": {"id": self.world.bot, "name": self.name},
            "conversation": conversation,
            "channelData": tenant | (in_team if place.kind == "channel" else {}),
            "entities": [{"type": "clientInfo", "locale": "en-US", "country": "US", "platform": "Web"}],
            "locale": "en-US",
        }

    def _mention(self) -> Body:
        account = {"id": self.world.bot, "name": self.name}
        return {"type": "mention", "mentioned": account, "text": f"<at>{self.name}</at>"}


def _html(text: str) -> Body:
    return {"contentType": "text/html", "content": f"<div>{text}</div>"}
