"""Slack as the npm package emulate has it: a Web API with scopes, and signed events over HTTP. It has no Socket Mode,
no slash commands, no buttons and no streams."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.command import ROOT, Kb, KbProcess, own_database, wait_for
from tests.counterparts.conftest import INSTALLED, free_port, node_program
from tests.counterparts.harbour import harbour
from tests.fakes.slack import LocalSlack, local_slack
from tests.flows.platforms.test_closed_meanwhile import LEAVES, OPENS
from tests.flows.platforms.test_closed_meanwhile import QUESTION as HARBOUR

SCRIPT = Path(__file__).with_name("slack_emulator.mjs")
KNOWLEDGE_BASE = ROOT / "examples" / "knowledge-base"
SECRET = "signing-secret-of-the-emulator"
QUESTION = "How much is the daily meal allowance for a full day on a business trip?"
BOT, KB_TOKEN, ANN_TOKEN, WEAK_TOKEN = "U0KB", "xoxb-kb", "xoxp-ann", "xoxb-weak"
WEAK = ["channels:read", "channels:history", "chat:write", "users:read"]
"""What the token of an app has that was installed with too little."""


def manifest_scopes() -> list[str]:
    """What the app asks for."""
    manifest = yaml.safe_load((ROOT / "deploy" / "slack" / "manifest.yaml").read_text())
    scopes: list[str] = manifest["oauth_config"]["scopes"]["bot"]
    return scopes


def seed() -> dict[str, Any]:
    """One workspace with Ann, Ben and our app in it."""
    app = {"client_id": "1.2", "client_secret": "x", "app_id": "A0KB", "name": "kb", "redirect_uris": []}
    bot = {"bot_id": "B0KB", "bot_user_id": BOT, "bot_name": "kb"}
    people = [{"name": name, "real_name": name.title(), "email": f"{name}@tidewell.example"} for name in ("ann", "ben")]
    of_ann = ["chat:write", "channels:read", "channels:write", "channels:manage", "channels:history", "channels:join"]
    direct = ["im:read", "im:write", "im:history", "users:read", "groups:write", "groups:read", "groups:history"]
    tokens = [
        {"token": KB_TOKEN, "type": "bot", "user_id": BOT, "scopes": manifest_scopes(), "app_id": "A0KB", **bot},
        {"token": WEAK_TOKEN, "type": "bot", "user_id": BOT, "scopes": WEAK, "app_id": "A0KB", **bot},
        {"token": ANN_TOKEN, "type": "user", "user": "ann", "scopes": [*of_ann, *direct]},
    ]
    slack = {"team": {"name": "Tidewell", "domain": "tidewell"}, "users": people, "oauth_apps": [{**app, **bot}]}
    return {"slack": {**slack, "tokens": tokens, "signing_secret": SECRET, "strict_scopes": True}}


@dataclass(frozen=True)
class Office:
    """The emulator with the product at it. ann: a person's client; kb: one with our token."""

    ann: WebClient
    kb: WebClient
    people: dict[str, str]
    served: KbProcess

    def shown(self, channel: str, thread: str) -> list[dict[str, Any]]:
        """What the bot has said below a message."""
        found = self.ann.conversations_replies(channel=channel, ts=thread)["messages"]
        return [each for each in found if each["user"] == BOT]


@pytest.fixture(scope="module")
def kb(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    """The command, with the example company indexed."""
    with own_database(data_dir, "slack_emulator") as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, "KB_AGENT_SCHEDULE": "false"}
        found = Kb(env, tmp_path_factory.mktemp("working"))
        done = found("index", str(KNOWLEDGE_BASE))
        assert done.code == 0, done.err
        yield found


@pytest.fixture(scope="module")
def office(kb: Kb) -> Iterator[Office]:
    """The emulator, with `kb serve` listening to its events."""
    with emulated(kb) as found:
        yield found


@contextmanager
def emulated(kb: Kb) -> Iterator[Office]:
    """Inside, both run."""
    node = node_program("slack", "node")
    package = node_program("slack", "emulate").resolve().parents[1]
    assert package.is_relative_to(INSTALLED.resolve())
    port, listener = free_port(), free_port()
    config = {"port": port, "seed": seed(), "url": f"http://127.0.0.1:{listener}/slack/events"}
    pipe = subprocess.PIPE
    with subprocess.Popen([node, SCRIPT, package], stdin=pipe, stdout=pipe, text=True) as emulator:
        assert emulator.stdin is not None
        assert emulator.stdout is not None
        emulator.stdin.write(json.dumps(config) + "\n")
        emulator.stdin.flush()
        assert emulator.stdout.readline() == "ready\n"
        with _served(kb, port, listener) as found:
            yield found
        emulator.stdin.close()
        emulator.wait(10)


@contextmanager
def _served(kb: Kb, port: int, listener: int) -> Iterator[Office]:
    """Inside, `kb serve` listens to the emulator's events."""
    api = f"http://127.0.0.1:{port}/api/"
    served = kb.having(
        SLACK_BOT_TOKEN=KB_TOKEN,
        SLACK_SIGNING_SECRET=SECRET,
        SLACK_API_URL=api,
        HTTP_PORT=str(listener),
        EMAIL_DOMAINS="tidewell.example,emulate.dev",  # the latter: of the emulator's administrator, a full member
        SLACK_EDIT_SECONDS="0.1",
    ).start("-v", "serve")
    try:
        wait_for(lambda: "Serving: Slack over HTTP" in served.said or served.process.poll() is not None)
        ann, bot = WebClient(ANN_TOKEN, base_url=api), WebClient(KB_TOKEN, base_url=api)
        people = {each["name"]: each["id"] for each in bot.users_list()["members"]}
        yield Office(ann, bot, people, served)
        served.interrupt()
        assert "Traceback" not in served.end().err
    finally:
        served.close()


def answered(office: Office, channel: str, text: str) -> list[dict[str, Any]]:
    """Asks as Ann, and waits for the outcome."""
    asked = office.ann.chat_postMessage(channel=channel, text=text)["ts"]
    wait_for(lambda: "[1]" in json.dumps(office.shown(channel, asked)))
    return office.shown(channel, asked)


def check(messages: list[dict[str, Any]]) -> None:
    """One message, edited in its place, with the answer and its sources."""
    (message,) = messages
    words = json.dumps(message["blocks"], ensure_ascii=False)
    assert "€58" in words
    assert "expenses-and-travel.md" in words
    assert message["edited"]["user"] == BOT


def test_a_mention_in_a_channel_gets_one_cited_answer_in_its_thread(office: Office) -> None:
    channel = office.ann.conversations_create(name="support")["channel"]["id"]
    office.ann.conversations_invite(channel=channel, users=f"{BOT},{office.people['ben']}")
    check(answered(office, channel, f"<@{BOT}> {QUESTION}"))


def test_a_direct_message_gets_one_too(office: Office) -> None:
    channel = office.ann.conversations_open(users=BOT)["channel"]["id"]
    check(answered(office, channel, QUESTION))
    # where a stream cannot be started, a message does as well
    assert re.search("No stream|Perhaps a stream", office.served.said)
    with pytest.raises(SlackApiError):
        office.kb.chat_startStream(channel=channel, thread_ts="1.1")


def test_what_is_closed_while_it_is_written_is_not_in_the_answer_and_what_is_deleted_later_goes(
    data_dir: Path, kb: Kb, tmp_path: Path
) -> None:
    with (
        own_database(data_dir, "slack_emulator_harbour") as url,  # the other process without a model would take the job
        harbour(kb := kb.having(DATABASE_URL=url), tmp_path / "harbour") as place,
        emulated(kb.having(**place.settings, WORKER_HEARTBEAT="1")) as here,
    ):
        channel = here.ann.conversations_create(name="harbour")["channel"]["id"]
        here.ann.conversations_invite(channel=channel, users=f"{BOT},{here.people['ben']}")
        asked = here.ann.chat_postMessage(channel=channel, text=f"<@{BOT}> {HARBOUR}")["ts"]
        wait_for(place.model.halted.is_set)
        place.close_ferry()
        place.model.go.set()
        wait_for(lambda: OPENS in json.dumps(here.shown(channel, asked)))
        (closed,) = here.shown(channel, asked)
        assert LEAVES not in json.dumps(closed)
        assert kb("index", str(place.folder / "ferry.md"), "--source", "ferry", "--audience", "everyone").code == 0
        again = here.ann.chat_postMessage(channel=channel, text=f"<@{BOT}> Please: {HARBOUR}")["ts"]
        wait_for(lambda: LEAVES in json.dumps(here.shown(channel, again)))
        (whole,) = here.shown(channel, again)
        place.delete_ferry()
        wait_for(lambda: "This answer was corrected" in json.dumps(here.shown(channel, again)))
        (corrected,) = here.shown(channel, again)
        assert corrected["ts"] == whole["ts"], "the same message, edited"
        assert OPENS in json.dumps(corrected)
        assert LEAVES not in json.dumps(corrected)


# what it refuses, the local Slack of the other tests refuses, too


@dataclass(frozen=True)
class There:
    """Ids of the same things in the emulator and in the local Slack. outsider: a member of the workspace who is not in
    the channel."""

    channel: str
    hidden: str
    archived: str
    own: str
    others: str
    ann: str
    outsider: str
    direct: str


Wrong = Callable[[WebClient, There], object]

WRONG: dict[str, Wrong] = {
    "post nowhere": lambda kb, at: kb.chat_postMessage(channel="C0NOWHERE", text="x"),
    "post nothing": lambda kb, at: kb.api_call("chat.postMessage", json={"channel": at.channel}),
    "post into a hidden channel": lambda kb, at: kb.chat_postMessage(channel=at.hidden, text="x"),
    "post into an archived channel": lambda kb, at: kb.chat_postMessage(channel=at.archived, text="x"),
    "blocks that are none": lambda kb, at: kb.chat_postMessage(channel=at.channel, text="x", blocks="no"),
    "metadata that is none": lambda kb, at: kb.api_call(
        "chat.postMessage", json={"channel": at.channel, "text": "x", "metadata": {"a": 1}}
    ),
    "tell nobody": lambda kb, at: kb.chat_postEphemeral(channel=at.channel, user="U0NOBODY", text="x"),
    "tell somebody who is not there": lambda kb, at: kb.chat_postEphemeral(
        channel=at.channel, user=at.outsider, text="x"
    ),
    "tell nothing": lambda kb, at: kb.api_call("chat.postEphemeral", json={"channel": at.channel, "user": at.ann}),
    "change what is not there": lambda kb, at: kb.chat_update(channel=at.channel, ts="1.1", text="x"),
    "change what others said": lambda kb, at: kb.chat_update(channel=at.channel, ts=at.others, text="x"),
    "change nothing": lambda kb, at: kb.api_call("chat.update", json={"channel": at.channel, "ts": at.own}),
    "delete what is not there": lambda kb, at: kb.chat_delete(channel=at.channel, ts="1.1"),
    "delete what others said": lambda kb, at: kb.chat_delete(channel=at.channel, ts=at.others),
    "look at nothing": lambda kb, at: kb.conversations_info(channel="C0NOWHERE"),
    "look at a hidden channel": lambda kb, at: kb.conversations_info(channel=at.hidden),
    "members of nothing": lambda kb, at: kb.conversations_members(channel="C0NOWHERE"),
    "members of a hidden channel": lambda kb, at: kb.conversations_members(channel=at.hidden),
    "members from a wrong page": lambda kb, at: kb.conversations_members(channel=at.channel, cursor="wrong"),
    "replies to nothing": lambda kb, at: kb.conversations_replies(channel=at.channel, ts="1.1"),
    "replies in a hidden channel": lambda kb, at: kb.conversations_replies(channel=at.hidden, ts="1.1"),
    "history of nothing": lambda kb, at: kb.conversations_history(channel="C0NOWHERE"),
    "history from a wrong page": lambda kb, at: kb.conversations_history(channel=at.channel, cursor="wrong"),
    "open with nobody": lambda kb, at: kb.conversations_open(users="U0NOBODY"),
    "open with no name": lambda kb, at: kb.conversations_open(users=""),
    "who is nobody": lambda kb, at: kb.users_info(user="U0NOBODY"),
    "list from a wrong page": lambda kb, at: kb.users_list(cursor="wrong"),
    "a home for nobody": lambda kb, at: kb.views_publish(user_id="U0NOBODY", view={"type": "home", "blocks": []}),
    "a home that is none": lambda kb, at: kb.views_publish(user_id=at.ann, view={"type": "modal", "blocks": []}),
    "a modal without a trigger": lambda kb, at: kb.views_open(
        trigger_id="1.1.x", view={"type": "modal", "title": {"type": "plain_text", "text": "x"}, "blocks": []}
    ),
    "a method that is none": lambda kb, at: kb.api_call("chat.shout", json={"text": "x"}),
}

UNALLOWED: dict[str, Wrong] = {
    "look at a direct message": lambda kb, at: kb.conversations_info(channel=at.direct),
    "members of a direct message": lambda kb, at: kb.conversations_members(channel=at.direct),
    "history of a direct message": lambda kb, at: kb.conversations_history(channel=at.direct),
    "replies in a direct message": lambda kb, at: kb.conversations_replies(channel=at.direct, ts="1.1"),
    "open a direct message": lambda kb, at: kb.conversations_open(users=at.ann),
    "find by address": lambda kb, at: kb.users_lookupByEmail(email="ann@tidewell.example"),
}


def refusal(call: Wrong, kb: WebClient, at: There) -> str:
    """Slack's word for why it does not do it; empty where it does."""
    try:
        call(kb, at)
    except SlackApiError as error:
        return str(error.response.get("error") or error.response.status_code)
    return ""


@pytest.fixture(scope="module")
def there(office: Office) -> There:
    """Things in the emulator."""
    names = ("stage", "hidden", "archived")
    channel, hidden, archived = (
        office.ann.conversations_create(name=name, is_private=name == "hidden")["channel"]["id"] for name in names
    )
    for each in (channel, archived):
        office.ann.conversations_invite(channel=each, users=BOT)
    others = office.ann.chat_postMessage(channel=channel, text="words")["ts"]
    own = office.kb.chat_postMessage(channel=channel, text="words")["ts"]
    office.ann.conversations_archive(channel=archived)
    direct = office.ann.conversations_open(users=BOT)["channel"]["id"]
    return There(channel, hidden, archived, own, others, office.people["ann"], office.people["ben"], direct)


@pytest.fixture(scope="module")
def local() -> Iterator[tuple[LocalSlack, WebClient, There]]:
    """The same things in the local Slack."""
    with local_slack() as slack:
        client = WebClient(slack.bot_token, base_url=slack.base_url)
        yield slack, client, _stage(slack, client)


def _stage(slack: LocalSlack, client: WebClient) -> There:
    ann, ben = slack.add_user("ann"), slack.add_user("ben")
    channel = slack.add_channel("stage", [ann]).id
    hidden = slack.add_channel("hidden", [ann], bot=False, is_private=True).id
    archived = slack.add_channel("archived", [ann], is_archived=True).id
    own = client.chat_postMessage(channel=channel, text="words")["ts"]
    others = str(slack.say(ann, channel, "words"))
    return There(channel, hidden, archived, own, others, ann.id, ben.id, slack.dm(ann).id)


Local = tuple[LocalSlack, WebClient, There]

LENIENT = {
    *("post into a hidden channel", "metadata that is none", "members of a hidden channel", "look at a hidden channel"),
    *("members from a wrong page", "replies to nothing", "replies in a hidden channel"),
    *("history from a wrong page", "list from a wrong page"),
}
"""What the emulator allows. Slack's documentation says that Slack does not, and so the local one."""


@pytest.mark.parametrize("case", WRONG)
def test_the_local_slack_refuses_what_it_refuses(office: Office, there: There, local: Local, case: str) -> None:
    _, client, at = local
    assert bool(refusal(WRONG[case], office.kb, there)) == (case not in LENIENT)
    assert refusal(WRONG[case], client, at)


@pytest.mark.parametrize("case", UNALLOWED)
def test_the_local_slack_wants_the_same_scopes(office: Office, there: There, local: Local, case: str) -> None:
    slack, client, at = local
    weak = WebClient(WEAK_TOKEN, base_url=office.kb.base_url)
    assert refusal(UNALLOWED[case], weak, there) == "missing_scope"
    before = slack.workspace.scopes
    slack.workspace.scopes = set(WEAK)
    try:
        assert refusal(UNALLOWED[case], client, at) == "missing_scope"
    finally:
        slack.workspace.scopes = before
