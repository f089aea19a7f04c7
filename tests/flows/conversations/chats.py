"""What people do in a chat, at random: the same on both platforms, as far as these have it."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.fakes.slack import Delivery, LocalSlack
from tests.fakes.slack import buttons as slack_buttons
from tests.fakes.slack.records import Message as SlackMessage
from tests.fakes.slack.records import User
from tests.fakes.teams import Conversation, Person
from tests.fakes.teams import Message as TeamsMessage
from tests.flows.conversations.made_company import MadeCompany
from tests.flows.conversations.outlets import Readers
from tests.flows.conversations.overheard import Ear, as_text
from tests.flows.teams.talk import Post
from tests.flows.teams.talk import buttons as teams_buttons

FOLLOW_UPS = (
    "And who owns it?",
    "Who keeps it?",
    "Why?",
    "Show me the trace of that answer.",
    "What did you search for, and which documents did you leave out?",
    "Tell me everything that you know about it.",
    "And what depends on it?",
)
COMMANDS = ("sources", "status", "help", "feedback good", "feedback bad it says too little", "reindex", "forget")


class Chat(Protocol):
    """One platform. Methods return when the product has taken what was done."""

    places: list[str]

    def say(self, place: str, person: str, text: str, after: Any = None) -> Any:
        """Asks the bot. after: what was said before in the same thread. Gives what was said."""

    def command(self, place: str, person: str, text: str) -> None:
        """Types a command."""

    def change(self, place: str, person: str, said: Any, text: str | None) -> None:
        """Edits what was said, or deletes it for None."""

    def press(self, place: str, person: str, chance: random.Random) -> None:
        """Presses something below anything that the bot said there."""

    def forge(self, place: str, person: str, number: int, n: int) -> None:
        """Asks for the passage behind a reference of any question, which no button there offers."""

    def join(self, place: str, person: str) -> None:
        """Somebody comes in."""

    def members(self, place: str) -> list[str]:
        """Who is there."""


@dataclass
class SlackChat:
    """See Chat."""

    slack: LocalSlack
    readers: Readers
    people: dict[str, User] = field(default_factory=dict)
    places: list[str] = field(default_factory=list)

    def found(self, company: MadeCompany) -> None:
        """Everybody, with direct messages, rooms of members, a shared one and one with a guest."""
        for name in (*company.people, *company.guests):
            guest = name in company.guests
            self.people[name] = self.slack.add_user(name, email=f"{name}@example.com", is_restricted=guest)
            self.readers.people[self.people[name].id] = name
            channel = self.slack.dm(self.people[name]).id
            self.readers.alone[channel] = name
            self.places.append(channel)
        self._room("all", company.people)
        self._room("some", company.people[:2])
        self._room("mixed", (*company.people[:2], *company.guests))
        partner = self.slack.add_workspace("Partner")
        teams = [self.slack.workspace.id, partner.id]
        shared = self._room("abroad", company.people[2:], is_ext_shared=True, teams=teams)
        stranger = self.slack.add_user("sam", email="sam@partner.example", is_stranger=True, team=partner.id)
        self.slack.world.channel(shared).members.append(stranger.id)
        self.readers.rooms[shared].add("sam")

    def _room(self, name: str, members: tuple[str, ...], **more: Any) -> str:
        channel = self.slack.add_channel(name, [self.people[each] for each in members], **more).id
        self.readers.rooms[channel] = set(members)
        self.places.append(channel)
        return channel

    def members(self, place: str) -> list[str]:
        """See Chat."""
        alone = self.readers.alone.get(place)
        return [alone] if alone else sorted(self.readers.rooms[place] & self.people.keys())

    def say(self, place: str, person: str, text: str, after: Any = None) -> Any:
        """See Chat."""
        mention = "" if place in self.readers.alone else f"<@{self.slack.bot}> "
        said = self.slack.say(self.people[person], place, mention + text, after)
        _taken(*said.deliveries)
        return said

    def command(self, place: str, person: str, text: str) -> None:
        """Also opens the Home tab."""
        _taken(self.slack.slash(self.people[person], place, "/kb", text), self.slack.open_home(self.people[person]))

    def change(self, place: str, person: str, said: Any, text: str | None) -> None:
        """See Chat."""
        del person
        if text is None:
            _taken(*self.slack.delete(place, said))
            return
        mention = "" if place in self.readers.alone else f"<@{self.slack.bot}> "
        _taken(*self.slack.edit(place, said, mention + text))

    def press(self, place: str, person: str, chance: random.Random) -> None:
        """See Chat."""
        seen = [*self.slack.channel(place), *self.slack.ephemerals(place, self.people[person])]
        offered = [(each, one) for each in seen if each.user == self.slack.bot for one in slack_buttons(each)]
        if not offered:
            return
        message, button = chance.choice(offered)
        value = None
        if "positive_button" in button:
            value = button[chance.choice(("positive_button", "negative_button"))]["value"]
        _taken(self.slack.press(self.people[person], message, button["action_id"], value))

    def forge(self, place: str, person: str, number: int, n: int) -> None:
        """See Chat."""
        shown = next((each for each in self.slack.channel(place) if each.user == self.slack.bot), None)
        if shown is None:
            return
        forged = SlackMessage(shown.channel, shown.ts, shown.user, "x", team=shown.team, bot_id=shown.bot_id)
        button = {"type": "button", "action_id": f"kb_preview:{n}", "value": f"{number}:{n}"}
        forged.blocks = [{"type": "actions", "block_id": "x", "elements": [button]}]
        _taken(self.slack.press(self.people[person], forged, button["action_id"], None))

    def join(self, place: str, person: str) -> None:
        """See Chat."""
        _taken(self.slack.join(self.people[person], place))
        self.readers.rooms[place].add(person)


def _taken(*deliveries: Delivery) -> None:
    for each in deliveries:
        assert each.wait().acked, each.payload


@dataclass
class TeamsChat:
    """See Chat."""

    post: Post
    readers: Readers
    ear: Ear
    people: dict[str, Person] = field(default_factory=dict)
    rooms: dict[str, Conversation] = field(default_factory=dict)
    places: list[str] = field(default_factory=list)

    def found(self, company: MadeCompany) -> None:
        """Everybody, with personal chats, a channel, a group, and a meeting with a guest."""
        teams = self.post.teams
        for name in (*company.people, *company.guests):
            guest = name in company.guests
            self.people[name] = teams.add_person(name, email=f"{name}@example.com", guest=guest)
            self.readers.people |= {self.people[name].aad: name, self.people[name].id: name}
            self._place(teams.personal(self.people[name]))
        everybody = [self.people[each] for each in company.people]
        self._place(teams.add_channel("all", everybody))
        self._place(teams.add_group(everybody[:2]))
        self._place(teams.add_group([*everybody[:2], *(self.people[each] for each in company.guests)], "Meeting"))

    def _place(self, place: Conversation) -> None:
        self.rooms[place.id] = place
        self.places.append(place.id)
        names = {self.readers.people[each] for each in place.members}
        if place.kind == "personal":
            (self.readers.alone[place.id],) = names
        else:
            self.readers.rooms[place.id] = names

    def members(self, place: str) -> list[str]:
        """See Chat."""
        return sorted(self.readers.people[each] for each in self.rooms[place].members)

    def say(self, place: str, person: str, text: str, after: Any = None) -> Any:
        """See Chat."""
        room = self.rooms[place]
        thread = after.id if after is not None and room.kind == "channel" else ""
        said = self.post.teams.say(self.people[person], room, text, thread=thread)
        self.post(said.activity)
        return said

    def command(self, place: str, person: str, text: str) -> None:
        """See Chat."""
        self.say(place, person, text)

    def change(self, place: str, person: str, said: Any, text: str | None) -> None:
        """See Chat."""
        saying, who, room = self.post.teams.saying, self.people[person], self.rooms[place]
        changed = saying.delete(who, room, said) if text is None else saying.edit(who, room, said, text)
        self.post(changed.activity)

    def press(self, place: str, person: str, chance: random.Random) -> None:
        """See Chat."""
        offered = [(each, data) for each in self.post.teams.seen(place) for data in teams_buttons(each)]
        if offered:
            self._pressed(place, person, *chance.choice(offered))

    def forge(self, place: str, person: str, number: int, n: int) -> None:
        """See Chat."""
        shown = self.post.teams.seen(place)
        if shown:
            self._pressed(place, person, shown[0], {"kb": "preview", "number": number, "n": n})

    def _pressed(self, place: str, person: str, message: TeamsMessage, data: dict[str, Any]) -> None:
        saying, who, room = self.post.teams.saying, self.people[person], self.rooms[place]
        activity = saying.execute(who, room, message, f"kb_{data.get('kb')}", data)
        if data.get("kb") == "preview":
            activity |= {"name": "task/fetch", "value": {"data": data, "context": {}}}
        elif data.get("kb") == "ask":
            activity = saying.say(who, room, str(data.get("text")), mention=False, value=data).activity
        answer = self.post(activity)
        self.ear.heard("answer to a press on Teams", self.readers.of_person(who.id), as_text(answer.body.decode()))

    def join(self, place: str, person: str) -> None:
        """See Chat."""
        room, who = self.rooms[place], self.people[person]
        room.members.append(who.id)
        self.readers.rooms[place].add(person)
        activity = self.post.teams.saying.install(who, room)
        self.post(activity | {"membersAdded": [{"id": who.id, "aadObjectId": who.aad}]})


@dataclass
class Conversations:
    """People who do something at random. names: ids and keys by which sources name documents, to be asked for."""

    company: MadeCompany
    chats: list[tuple[Chat, Readers]]
    chance: random.Random
    names: list[str]
    _said: list[tuple[Chat, str, str, Any]] = field(default_factory=list)

    def act(self) -> None:
        """One thing."""
        kinds: list[tuple[Callable[[], None], int]] = [
            *((self.ask, 8), (self.follow, 5), (self.type, 3), (self.press, 5), (self.forge, 2), (self.change, 2)),
        ]
        acts, weights = zip(*kinds, strict=True)
        self.chance.choices(acts, weights)[0]()

    def ask(self) -> None:
        """A new question in some place, about anything at all."""
        chat, place, person = self._somewhere()
        said = chat.say(place, person, self._about())
        self._said.append((chat, place, person, said))

    def follow(self) -> None:
        """A question that refers back, in the same thread."""
        if not self._said:
            return self.ask()
        chat, place, person, said = self.chance.choice(self._said[-12:])
        text = self.chance.choice(FOLLOW_UPS)
        self._said.append((chat, place, person, chat.say(place, person, text, after=said)))
        return None

    def type(self) -> None:
        """A command, or a question behind one."""
        chat, place, person = self._somewhere()
        way = self.chance.random()
        if way < 0.4:
            chat.command(place, person, self.chance.choice(COMMANDS))
        elif way < 0.7 and isinstance(chat, SlackChat):  # only its asker sees the answer
            chat.command(place, person, f"ask {self._about()}")
        else:
            chat.command(place, person, f"share {self._about()}")

    def press(self) -> None:
        """A button."""
        chat, place, person = self._somewhere()
        chat.press(place, person, self.chance)

    def forge(self) -> None:
        """A passage of somebody else's answer."""
        chat, place, person = self._somewhere()
        chat.forge(place, person, self.chance.randint(1, 1 + len(self._said)), self.chance.randint(1, 3))

    def change(self) -> None:
        """A question is edited or deleted."""
        if not self._said:
            return
        chat, place, person, said = self._said.pop(self.chance.randrange(len(self._said)))
        edited = self._about()
        chat.change(place, person, said, None if self.chance.random() < 0.4 else edited)

    def _somewhere(self) -> tuple[Chat, str, str]:
        chat, _ = self.chance.choice(self.chats)
        place = self.chance.choice(chat.places)
        return chat, place, self.chance.choice(chat.members(place))

    def _about(self) -> str:
        paper = self.chance.choice(self.company.documents)
        other = self.chance.choice(self.company.documents)
        named = self.chance.sample(self.names, min(1, len(self.names)))
        return self.chance.choice(
            (
                *(paper.question, paper.question, paper.question),
                f"What does “{paper.guess}” say?",
                f"Which page holds the word {paper.bait}?",
                f"What does {paper.bait.capitalize()} Service depend on?",
                *(f"What is the status of {name}?" for name in named),
                *(f"What does page {name} say about the {paper.noun}?" for name in named),
                f"Compare the {paper.noun} {paper.bait} with the {other.noun} {other.bait}.",
                f"Read the file {paper.noun} {paper.bait}.txt to me.",
                f"How many documents name {paper.bait}, and what are they called?",
            )
        )
