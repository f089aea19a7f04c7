"""A person in a place on the local Slack: what they ask, and what they see of the bot."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest

from tests.command import Kb, rows, wait_for
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_rules import reasonable
from tests.fakes.model_server import CHAT_MODEL, SMALL_MODEL, Body, ModelServer, Reply, model_server
from tests.fakes.slack import Delivery, LocalSlack, Message, Said, User, buttons, notified, plain

T = TypeVar("T")


@dataclass(frozen=True)
class Talk:
    """One person in one channel, or in the direct messages with the bot."""

    slack: LocalSlack
    person: User
    channel: str

    def say(self, text: str, thread: str | None = None, files: list[Body] | None = None) -> Said:
        """Says something. thread: below that message."""
        return self.slack.say(self.person, self.channel, text, thread, files)

    def ask(self, text: str, thread: str | None = None, files: list[Body] | None = None) -> Said:
        """The same, with a mention of the bot."""
        return self.say(f"<@{self.slack.bot}> {text}", thread, files)

    def shown(self, thread: str) -> list[Message]:
        """The bot's messages in a thread, as they are now."""
        said = [each for each in self.slack.thread(self.channel, thread) if each.user == self.slack.bot]
        return [each for each in said if each.subtype != "assistant_app_thread"]

    def outcome(self, thread: str, count: int = 1) -> Message:
        """The last message of the bot in a thread, once so many are there and all of them are final."""

        def there() -> Message | None:
            shown = self.shown(thread)
            return shown[-1] if len(shown) == count and all(map(final, shown)) else None

        return awaited(self.slack, there, lambda: self.shown(thread))

    def command(self, text: str, name: str = "/kb") -> Delivery:
        """Types a command; returns when it is acknowledged."""
        delivery = self.slack.slash(self.person, self.channel, name, text).wait()
        assert delivery.acked, text
        assert not delivery.rejected, delivery.rejected
        return delivery

    def told(self, words: str = "", count: int = 0) -> Message:
        """The last message that only this person sees, once it holds these words and so many are there."""

        def there() -> Message | None:
            seen = self.slack.ephemerals(self.channel, self.person)
            return seen[-1] if len(seen) >= count and seen and words in plain(seen[-1]) else None

        return awaited(self.slack, there, lambda: self.slack.ephemerals(self.channel, self.person))

    def press(self, place: Message | Body, action: str, value: str | None = None) -> Delivery:
        """Presses a button; returns when that is acknowledged."""
        delivery = self.slack.press(self.person, place, action, value).wait()
        assert delivery.acked, action
        return delivery


def awaited(slack: LocalSlack, holds: Callable[[], T | None], seen: Callable[[], Sequence[Message]]) -> T:
    """Waits until something holds; fails with what is seen instead."""
    try:
        return slack.until(holds)
    except TimeoutError:
        pytest.fail(f"there is only: {[plain(each) for each in seen()]}")


def final(message: Message) -> bool:
    """Whether a message of the bot's is the outcome of a question, by its metadata."""
    payload = (message.metadata or {}).get("event_payload", {})
    return message.streaming_state != "in_progress" and bool(payload.get("final"))


def pressable(message: Message | Body) -> list[str]:
    """The action ids of the buttons."""
    return [each["action_id"] for each in buttons(message)]


def harmless(message: Message) -> bool:
    """Whether none of the forms that a message ever had pings anybody."""
    return not notified(message) and not any(map(notified, message.versions))


def newcomer(slack: LocalSlack, name: str, *, email: str | None = None, **fields: Any) -> User:
    """A person with an address at example.com, or another one; with none where that is empty."""
    address = f"{name}@example.com" if email is None else email
    return slack.add_user(name, email=address or None, **fields)


def room(slack: LocalSlack, name: str, *others: User, person: User | None = None, **fields: Any) -> Talk:
    """A new channel with a new person in it, and others."""
    who = person or newcomer(slack, f"{name}-person")
    return Talk(slack, who, slack.add_channel(name, [who, *others], **fields).id)


def direct(slack: LocalSlack, person: User) -> Talk:
    """Somebody in the direct messages with the bot."""
    return Talk(slack, person, slack.dm(person).id)


@dataclass
class Thinker:
    """A reasonable model. seconds: that it takes for each reply from now on; a reply waits until that time is over."""

    server: ModelServer
    seconds: float = 0.0

    def asked(self, words: str) -> bool:
        """Whether it was asked something that holds these words."""
        return any(words in str(each.body.get("messages")) for each in list(self.server.requests))


@contextmanager
def thinking() -> Iterator[Thinker]:
    """A model that may be made slow."""

    def rule(body: Body) -> Reply:
        return Reply(reasonable(body).text, latency=thinker.seconds)

    with model_server(rules=(rule,)) as server:
        thinker = Thinker(server)
        yield thinker


def model_env(model: ModelServer) -> dict[str, str]:
    """Settings that make a local model answer, each time anew."""
    base = {"LLM_BASE_URL": model.base_url, "LLM_API_KEY": KEY}
    return {
        **base,
        "LLM_MODEL": CHAT_MODEL,
        "LLM_SMALL_MODEL": SMALL_MODEL,
        "MODEL_CACHE_ENTRIES": "0",
        "LLM_READING_TEST": "false",
    }


def recorded(kb: Kb, key: str, fields: str = "state, result") -> tuple[Any, ...]:
    """Fields of the question that came with a message."""
    found = rows(
        kb.env["KB_AGENT_DATABASE_URL"],
        f"SELECT {fields} FROM questions WHERE message = %s ORDER BY question_no",
        [str(key)],
    )
    return found[0] if found else ()


def ending(kb: Kb, key: str) -> tuple[str, str]:
    """State and result of the question that came with a message, once it has ended."""
    wait_for(lambda: recorded(kb, key, "ended_at IS NOT NULL AND state <> 'received'") == (True,))
    state, result = recorded(kb, key)
    return state, result


def questions_of(kb: Kb) -> int:
    """How many questions there are."""
    ((count,),) = rows(kb.env["KB_AGENT_DATABASE_URL"], "SELECT count(*) FROM questions")
    return int(count)
