"""The people of a soak: they ask the same few questions on Slack and in Teams, at a steady pace."""

import random
import threading
import time
import urllib.error
from dataclasses import dataclass, field
from typing import Literal

from tests.fakes.slack import Said, plain
from tests.fakes.teams import Conversation, Person
from tests.fakes.teams import Said as TeamsSaid
from tests.fakes.teams import plain as teams_plain
from tests.flows.slack.reading import replies
from tests.soak.scene import REPLICAS, Scene

PEOPLE = 60
ROOMS = 10
DELIVER_SECONDS = 120.0
"""For so long a delivery of Teams is tried again."""

LONGEST_PAUSE = 15.0
"""Seconds between two tries of a delivery, at most: each waits twice as long as the one before."""

BOARD = "What is the motto of the board?"
VAULT = "What is the password of the vault?"
WORDS = {
    "How many days of vacation?": "thirty days",
    "What does the error VPN-4711 mean?": "certificate has expired",
    "Who approves journeys abroad?": "director",
    BOARD: "",
    VAULT: "",
}
"""Each question, and what every answer to it holds."""


@dataclass(frozen=True)
class Asked:
    """A question. at: seconds since the beginning. closed: whether the board's document was closed when it was asked.
    place: the channel, and the thread in it."""

    at: float
    platform: Literal["slack", "teams"]
    text: str
    place: tuple[str, str]
    message: str
    closed: bool


@dataclass(frozen=True)
class Clock:
    """Seconds since it was made. made: that moment, in seconds of the epoch, as the database has it."""

    made: float = field(default_factory=time.time)
    _began: float = field(default_factory=time.monotonic)

    def __call__(self) -> float:
        """See above."""
        return time.monotonic() - self._began


@dataclass
class Askers:
    """Asks until it is told to end. closed: whether the board's document is closed for certain."""

    scene: Scene
    every: float
    draw: random.Random
    clock: Clock
    asked: list[Asked] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    """What no replica took."""
    closed: bool = False
    over: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        slack, teams = self.scene.slack, self.scene.teams
        users = [slack.add_user(f"s{number}", email=f"s{number}@example.com") for number in range(PEOPLE)]
        rooms = [users[number::ROOMS] for number in range(ROOMS)]
        self._slack = [(slack.add_channel(f"s{number}", each).id, each) for number, each in enumerate(rooms)]
        people = [teams.add_person(f"t{number}", email=f"t{number}@example.com") for number in range(PEOPLE)]
        self._teams: list[tuple[Conversation, list[Person]]] = [
            (teams.add_channel(f"t{number}", people[number::ROOMS]), people[number::ROOMS]) for number in range(ROOMS)
        ]
        self._delivering: list[threading.Thread] = []

    def run(self) -> None:
        """Asks on both platforms in turn."""
        due = time.monotonic()
        while not self.over.wait(max(0.0, due - time.monotonic())):
            due += self.every * self.draw.uniform(0.5, 1.5)
            text = self.draw.choice(list(WORDS))
            if self.draw.random() < 0.5:
                self._on_slack(text)
            else:
                self._in_teams(text)
        for each in self._delivering:
            each.join(DELIVER_SECONDS + 30)

    def _on_slack(self, text: str) -> None:
        channel, users = self.draw.choice(self._slack)
        slack, at, closed = self.scene.slack, self.clock(), self.closed
        said: Said = slack.say(self.draw.choice(users), channel, f"<@{slack.bot}> {text}")
        self.asked.append(Asked(at, "slack", text, (channel, str(said)), str(said), closed))

    def _in_teams(self, text: str) -> None:
        place, people = self.draw.choice(self._teams)
        at, closed = self.clock(), self.closed
        said = self.scene.teams.say(self.draw.choice(people), place, text)
        thread = said.conversation.partition(";messageid=")[2]
        self.asked.append(Asked(at, "teams", text, (place.id, thread), said.id, closed))
        first = self.draw.randrange(len(REPLICAS))
        delivering = threading.Thread(target=self._deliver, args=(said, first))
        self._delivering.append(delivering)
        delivering.start()

    def _deliver(self, said: TeamsSaid, first: int) -> None:
        """Posts it to the replicas in turn until one takes it, as what balances their load does."""
        until, number, pause = time.monotonic() + DELIVER_SECONDS, first, 0.5
        while time.monotonic() < until:
            post = self.scene.posts[REPLICAS[number % len(REPLICAS)]]
            number += 1
            try:
                post(said.activity)
            except (urllib.error.URLError, OSError, AssertionError):
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                return
        self.lost.append(said.id)

    def shown(self, asked: Asked) -> list[str]:
        """The bot's messages below a question that are seen now, as text."""
        if asked.platform == "slack":
            return [plain(each) for each in replies(self.scene.slack, *asked.place)]
        # a streamed outcome has its buttons in a card of its own
        return [teams_plain(each) for each in self.scene.teams.seen(*asked.place) if each.text]

    def ever_sent(self) -> list[str]:
        """All that the bot ever sent to either platform."""
        sent = [str(call.args) for call in self.scene.slack.calls()]
        return sent + [str(call.body) for call in self.scene.teams.calls()]
