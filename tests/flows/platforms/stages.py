"""Every chat platform as the tests of what must hold on all of them see it: people, places, and what is shown there."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from tests.command import Kb, KbProcess
from tests.fakes import slack as fake_slack
from tests.fakes import teams as fake_teams
from tests.fakes.slack import LocalSlack, local_slack
from tests.fakes.teams import LocalTeams, local_teams
from tests.fakes.teams_keys import TeamsKeys, teams_keys
from tests.flows.slack import conftest as slack_flows
from tests.flows.slack.talk import Talk as SlackTalk
from tests.flows.slack.talk import awaited, final
from tests.flows.teams import conftest as teams_flows
from tests.flows.teams.talk import Post
from tests.flows.teams.talk import Talk as TeamsTalk

ACTS = frozenset({"edit", "preview", "complain", "mistype"})
"""What people may do beside asking, as Spot has it."""


class Spot(Protocol):
    """One person in one place. What `ask` gives names the question. Of ACTS, a platform has those of its stage."""

    def ask(self, text: str, file: str = "") -> Any:
        """Asks the bot. file: name of an attached one."""

    def outcome(self, asked: Any, words: str = "") -> str:
        """All that is shown as the outcome of a question, once it is there and holds these words."""

    def seen(self, asked: Any) -> str:
        """All that is shown for a question at this moment, also what is only begun."""

    def edit(self, asked: Any, text: str) -> None:
        """Changes the question."""

    def preview(self, asked: Any) -> None:
        """Opens the passage behind the first source."""

    def complain(self, asked: Any, reason: str) -> None:
        """Says that the answer is of no help, and why."""

    def mistype(self, asked: Any, text: str) -> None:
        """Types what looks like a command, and is asked about it."""

    def joined(self, person: Any, *, told: bool) -> None:
        """Somebody else comes in. told: whether the bot hears of it."""


class Stage(Protocol):
    """One platform, on this machine."""

    name: str
    acts: frozenset[str]
    """Those of ACTS that it has; nobody calls the methods of the others."""

    def settings(self) -> Mapping[str, str]:
        """Settings that point the product to it, without their prefix. Asked for before there are people."""

    def serving(self, kb: Kb) -> AbstractContextManager[KbProcess]:
        """Inside, `kb serve` runs and hears what is said."""

    def person(self, name: str, email: str = "", *, guest: bool = False) -> Any:
        """Somebody; with an address of the organisation, where none is given."""

    def private(self, person: Any) -> Spot:
        """Somebody alone with the bot."""

    def room(self, name: str, person: Any, *others: Any) -> Spot:
        """Somebody where others read along."""

    def everything(self) -> str:
        """All that the bot ever sent there, as JSON."""


class SlackStage:
    """See Stage."""

    name, acts = "slack", ACTS

    def __init__(self, slack: LocalSlack) -> None:
        self.slack = slack
        self.answers: list[str] = []

    def settings(self) -> Mapping[str, str]:
        """Over Socket Mode."""
        return slack_flows.slack_env(self.slack)

    def serving(self, kb: Kb) -> AbstractContextManager[KbProcess]:
        """See Stage."""
        return slack_flows.serving(kb, self.slack)

    def person(self, name: str, email: str = "", *, guest: bool = False) -> Any:
        """See Stage."""
        return self.slack.add_user(name, email=email or f"{name}@example.com", is_restricted=guest)

    def private(self, person: Any) -> Spot:
        """See Stage."""
        return SlackSpot(self, SlackTalk(self.slack, person, self.slack.dm(person).id), mention="")

    def room(self, name: str, person: Any, *others: Any) -> Spot:
        """See Stage."""
        channel = self.slack.add_channel(name, [person, *others]).id
        return SlackSpot(self, SlackTalk(self.slack, person, channel), mention=f"<@{self.slack.bot}> ")

    def everything(self) -> str:
        """With what commands were acknowledged with."""
        return json.dumps([self.answers, [call.args for call in self.slack.calls()]], ensure_ascii=False)


class SlackSpot:
    """See Spot."""

    def __init__(self, stage: SlackStage, talk: SlackTalk, mention: str) -> None:
        self._stage = stage
        self._talk = talk
        self._mention = mention

    def ask(self, text: str, file: str = "") -> Any:
        """See Spot."""
        files = [{"id": "F1", "name": file, "mimetype": "application/pdf"}] if file else None
        return self._talk.say(self._mention + text, files=files)

    def _message(self, asked: Any, words: str = "") -> fake_slack.Message:
        def there() -> fake_slack.Message | None:
            shown = self._talk.shown(asked)
            return shown[-1] if shown and final(shown[-1]) and words in fake_slack.plain(shown[-1]) else None

        return awaited(self._talk.slack, there, lambda: self._talk.shown(asked))

    def outcome(self, asked: Any, words: str = "") -> str:
        """See Spot."""
        return fake_slack.plain(self._message(asked, words))

    def seen(self, asked: Any) -> str:
        """See Spot."""
        return "\n".join(fake_slack.plain(each) for each in self._talk.shown(asked))

    def edit(self, asked: Any, text: str) -> None:
        """See Spot."""
        self._talk.slack.edit(self._talk.channel, asked, self._mention + text)

    def _view(self, words: str) -> fake_slack.View:
        slack = self._talk.slack
        return slack.until(lambda: next((each for each in slack.views if words in json.dumps(each.content)), None))

    def preview(self, asked: Any) -> None:
        """See Spot."""
        self._talk.press(self._message(asked), "kb_preview:1")
        self._view("gate code")

    def complain(self, asked: Any, reason: str) -> None:
        """See Spot."""
        message = self._message(asked)
        (no,) = set(re.findall(r'"(\d+:-1)"', json.dumps(message.blocks)))
        self._talk.press(message, "kb_feedback", no)
        view = self._view("reason")
        field = next(block for block in view.content["blocks"] if block["type"] == "input")
        entered = {field["block_id"]: {field["element"]["action_id"]: reason}}
        self._talk.slack.submit(self._talk.person, view.id, entered).wait()

    def mistype(self, asked: Any, text: str) -> None:
        """See Spot."""
        self._talk.command(text)
        self._stage.answers.append(fake_slack.plain(self._talk.told("Did you mean")))
        self._talk.slack.open_home(self._talk.person).wait()
        self._talk.slack.until(lambda: self._talk.slack.home(self._talk.person))

    def joined(self, person: Any, *, told: bool) -> None:
        """See Spot."""
        slack, channel = self._talk.slack, self._talk.channel
        if told:
            slack.join(person, channel).wait()
            return
        with slack.world.changed:
            slack.world.channel(channel).members.append(person.id)


class TeamsStage:
    """See Stage."""

    name, acts = "teams", ACTS

    def __init__(self, teams: LocalTeams, keys: TeamsKeys) -> None:
        self.teams = teams
        self.dialogs: list[Any] = []
        self._keys = keys
        self._base = ""

    @property
    def post(self) -> Post:
        """Where what people do is delivered to."""
        return Post(self._base, self.teams, self._keys)

    def settings(self) -> Mapping[str, str]:
        """See Stage."""
        return teams_flows.teams_env(self.teams, self._keys)

    @contextmanager
    def serving(self, kb: Kb) -> Iterator[KbProcess]:
        """See Stage."""
        with teams_flows.serving(kb) as (process, self._base):
            yield process

    def person(self, name: str, email: str = "", *, guest: bool = False) -> Any:
        """See Stage."""
        return self.teams.add_person(name, email=email or f"{name}@example.com", guest=guest)

    def private(self, person: Any) -> Spot:
        """See Stage."""
        return TeamsSpot(self, TeamsTalk(self.post, person, self.teams.personal(person)))

    def room(self, name: str, person: Any, *others: Any) -> Spot:
        """See Stage."""
        return TeamsSpot(self, TeamsTalk(self.post, person, self.teams.add_channel(name, [person, *others])))

    def everything(self) -> str:
        """With what dialogs were answered with."""
        return json.dumps([self.dialogs, [call.body for call in self.teams.calls()]], ensure_ascii=False)


class TeamsSpot:
    """See Spot."""

    def __init__(self, stage: TeamsStage, talk: TeamsTalk) -> None:
        self._stage = stage
        self._talk = talk

    def ask(self, text: str, file: str = "") -> Any:
        """See Spot."""
        kind = "application/vnd.microsoft.teams.file.download.info"
        return self._talk.say(text, attachments=[{"contentType": kind, "name": file}] if file else [])

    def outcome(self, asked: Any, words: str = "") -> str:
        """An answer, or that there is none."""
        return fake_teams.plain(self._talk.told(words or "nothing good enough", asked))

    def seen(self, asked: Any) -> str:
        """See Spot."""
        return "\n".join(fake_teams.plain(each) for each in self._talk.shown(asked))

    def edit(self, asked: Any, text: str) -> None:
        """See Spot."""
        saying = self._stage.teams.saying
        self._stage.post(saying.edit(self._talk.person, self._talk.place, asked, text).activity)

    def preview(self, asked: Any) -> None:
        """See Spot."""
        answer = self._talk.answer("", asked)
        earlier = {
            "kb": "preview",
            "number": 1,
            "n": 1,
        }  # what a button of earlier versions sends, of the first question
        dialog = self._talk.open_dialog(answer, earlier)
        assert "gate code" in json.dumps(dialog)
        self._stage.dialogs.append(dialog)

    def complain(self, asked: Any, reason: str) -> None:
        """See Spot."""
        answer = self._talk.answer("", asked)
        saying = self._stage.teams.saying
        self._stage.post(saying.feedback(self._talk.person, self._talk.place, answer, "dislike", reason))

    def mistype(self, asked: Any, text: str) -> None:
        """See Spot."""
        self._talk.say(text, thread=asked.id)
        self._talk.told("Did you mean", asked)

    def joined(self, person: Any, *, told: bool) -> None:
        """See Spot."""
        teams, place = self._stage.teams, self._talk.place
        place.members.append(person.id)
        if told:
            self._stage.post(teams.saying.joined(person, place))


@contextmanager
def _slack() -> Iterator[Stage]:
    with local_slack() as slack:
        yield SlackStage(slack)


@contextmanager
def _teams() -> Iterator[Stage]:
    with local_teams() as teams, teams_keys() as keys:
        yield TeamsStage(teams, keys)


PLATFORMS: Mapping[str, Callable[[], AbstractContextManager[Stage]]] = {"slack": _slack, "teams": _teams}
"""All of them. What holds for one has to hold for each: a new one is added here."""
