"""Requests as Teams makes them, and a person in a place on the local Teams: what they ask, and what they see."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest

from tests.fakes.teams import Conversation, LocalTeams, Message, Person, Said, labelled, plain
from tests.fakes.teams_keys import TeamsKeys

T = TypeVar("T")
Body = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What a request was answered. body: empty for none."""

    status: int
    body: bytes

    @property
    def json(self) -> Any:
        """The body's JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Post:
    """Posts to a running `kb serve`. base: its address."""

    base: str
    teams: LocalTeams
    keys: TeamsKeys

    def raw(self, body: bytes, headers: Mapping[str, str], seconds: float = 60.0) -> Answer:
        """Any request."""
        asked = urllib.request.Request(f"{self.base}/api/messages", body, dict(headers), method="POST")
        try:
            with urllib.request.urlopen(asked, timeout=seconds) as response:
                return Answer(response.status, response.read())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.read())

    def headers(self, **token: Any) -> dict[str, str]:
        """The headers of an authentic request; token: see TeamsKeys.token."""
        bearer = self.keys.token(self.teams.app_id, self.teams.service_url, **token)
        return {"Authorization": f"Bearer {bearer}", "Content-Type": "application/json; charset=utf-8"}

    def __call__(self, activity: Body) -> Answer:
        """An authentic request, which is taken."""
        answer = self.raw(json.dumps(activity).encode(), self.headers())
        assert answer.status == 200, (answer, activity)
        return answer


@dataclass(frozen=True)
class Talk:
    """One person in one conversation."""

    post: Post
    person: Person
    place: Conversation

    @property
    def teams(self) -> LocalTeams:
        """Where that is."""
        return self.post.teams

    def say(self, text: str, *, thread: str = "", **more: Any) -> Said:
        """Says something, with a mention where others read along."""
        said = self.teams.say(self.person, self.place, text, thread=thread, **more)
        self.post(said.activity)
        return said

    def shown(self, said: Said | None = None) -> list[Message]:
        """The bot's messages that are there, of the thread in which something was said."""
        thread = said.conversation.partition(";messageid=")[2] if said is not None else ""
        return self.teams.seen(self.place.id, thread)

    def told(self, words: str, said: Said | None = None, count: int = 1) -> Message:
        """The last message with these words, once so many of them are there."""

        def there() -> Message | None:
            found = [each for each in self.shown(said) if words in plain(each) and each.stream != "live"]
            return found[-1] if len(found) >= count else None

        return self.awaited(there, said)

    def answer(self, words: str, said: Said | None = None, count: int = 1) -> Message:
        """The same of an answer: it is labelled as one."""

        def there() -> Message | None:
            found = [each for each in self.shown(said) if words in plain(each) and labelled(each)]
            found = [each for each in found if each.stream != "live"]
            return found[-1] if len(found) >= count else None

        return self.awaited(there, said)

    def awaited(self, holds: Callable[[], T | None], said: Said | None = None) -> T:
        """Waits until something holds; fails with what is seen instead."""
        try:
            return self.teams.until(holds)
        except TimeoutError:
            pytest.fail(f"there is only: {[plain(each) for each in self.shown(said)]}")

    def press(self, message: Message, data: Body) -> Answer:
        """Presses an Action.Submit."""
        return self.post(self.teams.saying.press(self.person, self.place, message, data))

    def execute(self, message: Message, data: Body) -> Any:
        """Presses an Action.Execute; gives what Teams is answered."""
        activity = self.teams.saying.execute(self.person, self.place, message, f"kb_{data['kb']}", data)
        return self.post(activity).json

    def open_dialog(self, message: Message, data: Body) -> Any:
        """Presses a button that opens a dialog; gives what Teams is answered."""
        activity = self.teams.saying.execute(self.person, self.place, message, "", {})
        return self.post({**activity, "name": "task/fetch", "value": {"data": data, "context": {}}}).json


def buttons(message: Message) -> list[Body]:
    """What the buttons of a message's cards send, those in hidden parts too."""
    found: list[Body] = []
    look: list[Any] = [each["content"] for each in message.body.get("attachments", [])]
    while look:
        each = look.pop(0)
        if isinstance(each, dict):
            if isinstance(each.get("data"), dict):
                found.append(each["data"])
            look += each.values()
        elif isinstance(each, list):
            look += each
    return found


def button(message: Message, word: str, **wanted: Any) -> Body:
    """The one of them that does this."""
    right = [each for each in buttons(message) if each.get("kb") == word]
    found = [each for each in right if all(each.get(name) == value for name, value in wanted.items())]
    assert found, buttons(message)
    return found[0]
