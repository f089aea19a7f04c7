"""The state of the local Teams, and the few ways in which it changes. One lock holds it together."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID, uuid5

from tests.fakes.teams.records import Body, Call, Conversation, Kind, Message, Person, TeamsError, channel_of

T = TypeVar("T")

TENANT = "5a7b1c00-0000-4000-8000-000000000001"
FIRST = 1_700_000_000_000
NAMES = UUID(int=7)


@dataclass
class World:
    """Everything there is. changed: notified after each change; its lock guards all fields. typing: how often the app
    was seen writing, by conversation."""

    bot: str
    people: dict[str, Person] = field(default_factory=dict)
    conversations: dict[str, Conversation] = field(default_factory=dict)
    typing: dict[str, int] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=lambda: threading.Condition(threading.RLock()))
    _number: int = 0

    def number(self) -> int:
        """1, 2, 3 …"""
        with self.changed:
            self._number += 1
            return self._number

    def add_person(self, name: str, *, email: str | None = None, guest: bool = False, tenant: str = TENANT) -> Person:
        """Somebody, with an address at example.com unless one is given; an empty one is none."""
        address = f"{name}@example.com" if email is None else email or None
        with self.changed:
            number = self.number()
            person = Person(f"29:1{name}-{number}", name, str(uuid5(NAMES, str(number))), address, tenant, guest)
            self.people[person.id] = person
            return person

    def person(self, name: str) -> Person:
        """A person by id, or by the directory's. Raises TeamsError."""
        for each in self.people.values():
            if name in (each.id, each.aad):
                return each
        raise TeamsError(404, "MemberNotFoundInConversation", "The user was not found")

    def add(self, kind: Kind, members: list[Person], name: str = "", **fields: object) -> Conversation:
        """A conversation; the form of its id follows from its kind."""
        with self.changed:
            number = self.number()
            form = {
                "personal": f"a:1local{number:06}",
                "groupChat": f"19:local{number:06}@thread.v2",
                "channel": f"19:local{number:06}@thread.tacv2",
            }
            made = Conversation(form[kind], kind, [each.id for each in members], name, tenant=TENANT)
            made.team = f"19:team{number:06}@thread.tacv2" if kind == "channel" else ""
            for field_name, value in fields.items():
                setattr(made, field_name, value)
            self.conversations[made.id] = made
            return made

    def personal(self, person: Person) -> Conversation:
        """The app's chat with a person; made when there is none."""
        with self.changed:
            for each in self.conversations.values():
                if each.kind == "personal" and each.members == [person.id]:
                    return each
            return self.add("personal", [person])

    def conversation(self, name: str) -> Conversation:
        """A conversation that the app is in, whatever thread the name leads to. Raises TeamsError."""
        found = self.conversations.get(channel_of(name)[0])
        if found is None:
            raise TeamsError(404, "ConversationNotFound", "Conversation not found.")
        if not found.installed:
            raise TeamsError(403, "BotNotInConversationRoster", "The bot is not part of the conversation roster.")
        return found

    def roster(self, name: str) -> list[str]:
        """Who is in a conversation or a team, as far as Teams tells. Under the id of a channel that is not private or
        shared, it tells of one member only: who is in its team is said under the team's. Raises TeamsError."""
        of_team = [each for each in self.conversations.values() if name and each.team == name and each.installed]
        if of_team:
            return list(dict.fromkeys(each for found in of_team for each in [*found.members, *found.everybody]))
        found = self.conversation(name)
        partial = found.kind == "channel" and found.form not in {"private", "shared"}
        return found.members[:1] if partial else found.members

    def post(self, conversation: str, sender: str, body: Body) -> Message:
        """A new message; in a channel, one without a thread begins one."""
        base, root = channel_of(conversation)
        with self.changed:
            found = self.conversations[base]
            if root and root not in found.messages:
                raise TeamsError(404, "ThreadNotFound", "The root message was not found.")
            name = str(FIRST + self.number())
            thread = (root or name) if found.kind == "channel" else ""
            message = Message(name, base, sender, {}, thread)
            message.show(body)
            found.messages[name] = message
            self.changed.notify_all()
            return message

    def own(self, conversation: str, name: str) -> Message:
        """A message of the app's that is there. Raises TeamsError."""
        message = self.conversation(conversation).messages.get(name)
        if message is None:
            raise TeamsError(400, "BadArgument", "The id is not a known activity id.")
        if message.deleted:
            raise TeamsError(404, "ActivityNotFoundInConversation", "The activity was not found.")
        if message.sender != self.bot:
            raise TeamsError(403, "Forbidden", "Only the sender may change a message.")
        return message

    def seen(self, conversation: str, thread: str = "") -> list[Message]:
        """The app's messages that are there, in order; of a thread, or of all."""
        with self.changed:
            every = self.conversations[channel_of(conversation)[0]].messages.values()
            own = [each for each in every if each.sender == self.bot and not each.deleted]
            return [each for each in own if thread in ("", each.thread)]

    def until(self, holds: Callable[[], T | None], seconds: float) -> T:
        """Waits until a condition holds, on the state or beyond it; gives what it gave. Raises TimeoutError."""
        deadline = time.monotonic() + seconds
        with self.changed:
            while not (found := holds()):
                if time.monotonic() > deadline:
                    raise TimeoutError(f"not so after {seconds:g} s")
                self.changed.wait(0.1)  # nobody tells of what changes in a database
            return found
