"""A question asked of `kb serve` on a platform, and the process is killed at some point of its work."""

import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from tests.command import Kb, KbProcess, connected, locked_out, wait_for
from tests.fakes.slack import LocalSlack, plain
from tests.fakes.teams import LocalTeams, citations, labelled
from tests.fakes.teams_keys import TeamsKeys
from tests.flows.slack import conftest as slack_flows
from tests.flows.slack.reading import ANSWER, QUESTION, questions, replies, settled
from tests.flows.teams import conftest as teams_flows
from tests.flows.teams.talk import Post

GREETING = "Hello!"


class KillCase(ABC):
    """See above. before, after: call back at an operation of the platform. look_up: the operation that asks who
    somebody is. first_sign, last_word: those that show them. takes_back: whether the platform tells what was sent to
    it, so that nothing is seen twice."""

    look_up: str
    takes_back: bool

    def __init__(self, kb: Kb, server: LocalSlack | LocalTeams, *, first_sign: str, last_word: str) -> None:
        self.kb, self.url = kb, kb.env["KB_AGENT_DATABASE_URL"]
        self.before: Callable[..., None] = server.before
        self.after: Callable[..., None] = server.after
        self.first_sign, self.last_word = first_sign, last_word
        self.dead = threading.Event()
        with connected(self.url) as connection:
            connection.execute("TRUNCATE questions, turns CASCADE")

    @abstractmethod
    def ask(self) -> None:
        """Delivers the question, whether or not there is anybody left to say that it was taken."""

    @abstractmethod
    def reach(self, process: KbProcess) -> None:
        """Waits until the process can be asked."""

    @abstractmethod
    def restarted(self) -> AbstractContextManager[None]:
        """Inside, another process runs, and hears again what nobody has said to be taken."""

    @abstractmethod
    def shown(self) -> list[Any]:
        """The messages that are seen below the question."""

    @abstractmethod
    def is_outcome(self, message: Any) -> bool:
        """Whether that is the answer, with its sources."""

    @abstractmethod
    def is_whole(self, message: Any) -> bool:
        """Whether nothing is added to a message any more."""

    @contextmanager
    def first(self) -> Iterator[KbProcess]:
        """Inside, the process runs that is to be killed."""
        process = self.kb.start("-v", "serve")
        try:
            self.reach(process)
            yield process
        finally:
            process.close()

    def kill_at(self, hook: Callable[..., None], operation: str, when: Callable[[], bool] = lambda: True) -> None:
        """Asks, and kills the process when it comes to that call. when: and this holds."""
        with self.first() as process:

            def die(_call: object) -> None:
                if self.dead.is_set() or not when():
                    return
                process.kill()
                self.dead.set()
                if hook == self.before:
                    raise ConnectionAbortedError

            hook(operation, die)
            self.ask()
            wait_for(self.dead.is_set)

    def kill_behind(self, table: str, reached: Callable[[], bool] = lambda: True) -> None:
        """Asks while a table cannot be written, and kills the process when it can only be waiting for that."""
        with self.first() as process, connected(self.url) as connection, connection.transaction():
            connection.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
            self.ask()
            wait_for(reached)
            wait_for(lambda: locked_out(self.url, table))
            process.kill()

    def states(self) -> list[tuple[Any, ...]]:
        """Of all questions."""
        return questions(self.kb, "state")

    def is_answered(self) -> bool:
        """Whether the answer is seen."""
        return any(map(self.is_outcome, self.shown()))

    def outcome_after_restart(self, *, doubted: bool = False) -> list[Any]:
        """Starts it again; the last message is the answer, and the ledger says so. Gives the messages before it.
        doubted: whether something may be seen twice, which is recorded."""
        with self.restarted():
            wait_for(lambda: bool(questions(self.kb)) and settled(self.kb))
        *others, outcome = self.shown()
        assert self.is_outcome(outcome)
        assert self.is_whole(outcome)
        assert not any(ANSWER in each.text for each in others)
        assert questions(self.kb, "state, result, duplicate_possible") == [("posted", "answered", doubted)]
        return others


class SlackCase(KillCase):
    """In a channel."""

    look_up, takes_back = "users.info", True

    def __init__(self, indexed: Kb, slack: LocalSlack, *, streams: bool) -> None:
        first, last = ("chat.startStream", "chat.stopStream") if streams else ("chat.postMessage", "chat.update")
        super().__init__(indexed.having(**slack_flows.slack_env(slack)), slack, first_sign=first, last_word=last)
        self.slack = slack
        self.person = slack.add_user("ann", email="ann@example.com")
        self.channel = slack.add_channel("general", [self.person], streams=streams).id
        self.asked = ""

    def ask(self) -> None:
        self.asked = self.slack.say(self.person, self.channel, f"<@{self.slack.bot}> {QUESTION}")

    def reach(self, process: KbProcess) -> None:
        wait_for(lambda: bool(self.slack.connections))

    @contextmanager
    def restarted(self) -> Iterator[None]:
        with slack_flows.serving(self.kb, self.slack):
            yield

    def shown(self) -> list[Any]:
        return replies(self.slack, self.channel, self.asked) if self.asked else []

    def is_outcome(self, message: Any) -> bool:
        return ANSWER in plain(message) and "Sources" in plain(message)

    def is_whole(self, message: Any) -> bool:
        return bool(message.streaming_state != "in_progress")


class TeamsCase(KillCase):
    """In a channel, or with streams in a personal chat, where who asks for the first time is greeted, too."""

    look_up, takes_back = "member", False

    def __init__(self, indexed: Kb, teams: LocalTeams, keys: TeamsKeys, *, streams: bool) -> None:
        first, last = ("stream", "final") if streams else ("send", "update")
        kb = indexed.having(**teams_flows.teams_env(teams, keys))
        super().__init__(kb, teams, first_sign=first, last_word=last)
        self.teams, self.keys = teams, keys
        ann = teams.add_person("ann")
        self.place = teams.personal(ann) if streams else teams.add_channel("general", [ann])
        self.said = teams.say(ann, self.place, QUESTION)
        self.base = ""

    def ask(self) -> None:
        post, body = Post(self.base, self.teams, self.keys), json.dumps(self.said.activity).encode()

        def deliver() -> None:
            with suppress(OSError):
                post.raw(body, post.headers(), 30.0)

        threading.Thread(target=deliver, daemon=True).start()

    def reach(self, process: KbProcess) -> None:
        self.base = process.address()

    @contextmanager
    def restarted(self) -> Iterator[None]:
        with teams_flows.serving(self.kb) as (process, _):
            self.reach(process)
            if not questions(self.kb):
                self.ask()
            yield

    def shown(self) -> list[Any]:
        return [each for each in self.teams.seen(self.place.id) if not each.text.startswith(GREETING)]

    def is_outcome(self, message: Any) -> bool:
        return ANSWER in message.text and bool(labelled(message)) and bool(citations(message))

    def is_whole(self, message: Any) -> bool:
        return bool(message.stream != "live")
