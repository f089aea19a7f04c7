"""Microsoft's Agents Playground as a process on loopback, and a person who talks to the bot in it."""

import asyncio
import json
import os
import subprocess
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import aiohttp

from tests.counterparts.conftest import free_port, node_program

Json = dict[str, Any]
Where = Literal["personal", "group", "channel"]

START = 60.0
"""Seconds that it may take to begin."""


@contextmanager
def playground(bot: str, folder: Path) -> Iterator[str]:
    """Inside, it runs, and talks to the bot at that address; gives its own. folder: for what it writes."""
    node, program = (node_program("playground", each) for each in ("node", "agentsplayground"))
    port, view = free_port(), Path(__file__).with_name("loopback.cjs")
    words = ["-e", f"{bot}/api/messages", "-c", "msteams", "-p", str(port), "--disable-telemetry"]
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    env = {**kept, "TEAMSAPPTESTER_BROWSER": "none"}
    with (folder / "playground.log").open("wb") as log:
        command = [str(node), "--require", str(view), str(program), *words]
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=log, stderr=log)
    try:
        _until_ready(process, f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(START)


def _until_ready(process: "subprocess.Popen[bytes]", view: str) -> None:
    for _ in range(int(START * 10)):
        assert process.poll() is None, "the Playground has ended"
        with suppress(OSError), urllib.request.urlopen(f"{view}/_debug/ping", timeout=START) as answer:
            if answer.status == 200:
                return
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
    raise AssertionError("the Playground is not ready")


@dataclass
class Bubble:
    """A message of the bot. versions: what it showed, as the Playground tells its page."""

    where: str
    versions: list[Json]

    @property
    def now(self) -> Json:
        """What it shows."""
        return self.versions[-1]

    @property
    def id(self) -> str:
        return str(self.now["messageId"])

    @property
    def text(self) -> str:
        return str(self.now.get("text") or "")


@dataclass
class Talk:
    """A person in the Playground. bubbles: all messages of the bot since, by id, in order. requests: see `log`."""

    session: aiohttp.ClientSession
    view: str
    config: Json
    bubbles: dict[str, Bubble] = field(default_factory=dict)
    requests: list[Json] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def bot(self) -> Json:
        """The bot's account."""
        account: Json = self.config["bot"]
        return account

    def place(self, where: Where) -> str:
        """The id of a conversation."""
        places = {
            "personal": self.config["personalChat"]["id"],
            "group": self.config["groupChats"][0]["id"],
            "channel": self.config["teams"][0]["channels"][1]["id"],
        }
        return str(places[where])

    async def say(self, where: Where, text: str, thread: str = "") -> str:
        """Says something, with a mention where others read along; gives the conversation that it begins or is in."""
        at = f"<at>{self.bot['name']}</at>"
        body: Json = {"from": {"id": self.config["currentUser"]["id"]}, "text": text, "textFormat": "plain"}
        if where != "personal":
            body |= {"text": f"{at} {text}", "mentions": [{"mentioned": {"id": self.bot["id"]}, "text": at}]}
        place = thread or self.place(where)
        told = await self.post(f"/_conversation/v1/conversations/{place}/messages", body)
        return str(told.get("postConversationId") or place)

    async def vote(self, bubble: Bubble, reaction: str, words: str) -> Json:
        """Presses a thumb below a message of the page, which does not say which, and says why."""
        value = {"reaction": reaction, "feedback": json.dumps({"feedbackText": words})}
        return await self.post(
            "/_conversation/v1/invoke",
            {
                "name": "message/submitAction",
                "from": {"id": self.config["currentUser"]["id"]},
                "conversation": {"id": bubble.where},
                "value": {"actionName": "feedback", "actionValue": value},
            },
        )

    async def vote_as_teams(self, bubble: Bubble, question: str, reaction: str, words: str) -> None:
        """The same as Teams sends it: with the id of the message."""
        value = {"reaction": reaction, "feedback": json.dumps({"feedbackText": words})}
        kept = {name: each for name, each in (await self.said(question)).items() if name not in ("text", "entities")}
        named = {"type": "invoke", "name": "message/submitAction", "replyToId": bubble.id}
        feedback = {"value": {"actionName": "feedback", "actionValue": value}}
        await self.post("/_internal/v1/customActivities", {**kept, **named, **feedback})

    async def said(self, text: str) -> Json:
        """The activity that the bot got of the last message that said something."""
        sent = [each["request"].get("body") or {} for each in await self.log()]
        found: Json = [each for each in sent if each.get("recipient") and text in str(each.get("text"))][-1]
        return found

    async def shown_by(self, bubble: Bubble) -> Json:
        """The activity with which the bot made a message what it is."""
        sent = [each["request"].get("body") or {} for each in await self.log() if each["from"] == "User Application"]
        found: Json = [each for each in sent if each.get("type") == "message" and each.get("text") == bubble.text][-1]
        return found

    async def edit(self, before: str, after: str) -> None:
        """Changes the last message that said something."""
        await self._change(before, "messageUpdate", "editMessage", after)

    async def delete(self, text: str) -> None:
        """Deletes the last message that said something."""
        await self._change(text, "messageDelete", "softDeleteMessage")

    async def undelete(self, text: str) -> None:
        """Takes back that the last message that said something was deleted."""
        await self._change(text, "messageUpdate", "undeleteMessage", text)

    async def _change(self, before: str, kind: str, event: str, after: str = "") -> None:
        """The page has no button for that, but for an activity of any kind: it is the one that the bot got, as Teams
        sends it of a message that was changed."""
        said = await self.said(before)
        changed = {**said, "type": kind, "text": said["text"].replace(before, after) if after else ""}
        changed["channelData"] = {**said["channelData"], "eventType": event}
        await self.post("/_internal/v1/customActivities", changed)

    async def post(self, path: str, body: Json) -> Json:
        """Does something that the page can do."""
        async with self.session.post(self.view + path, json=body) as response:
            told = await response.text()
            assert response.status == 200, told
            return json.loads(told) if told.startswith("{") else {}

    async def until(self, holds: Callable[[Bubble], bool], where: str, seconds: float) -> Bubble:
        """The first message of the bot in a conversation of which something holds, once there is one."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    found = [each for each in self.here(where) if holds(each)]
                    if found:
                        return found[0]
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            shown = [each.text for each in self.here(where)]
            raise AssertionError(f"not within {seconds:g} s; there is: {shown}") from None

    def here(self, where: str) -> list[Bubble]:
        """The bot's messages in a conversation."""
        return [each for each in self.bubbles.values() if each.where == where]

    async def log(self) -> list[Json]:
        """All requests in both directions, each with its answer, once there was none for a moment."""
        seen = -1
        while seen != len(self.requests):
            seen = len(self.requests)
            await asyncio.sleep(0.5)
        return self.requests

    async def refused(self) -> list[Json]:
        """What of the bot's calls the Playground did not do, each with its answer."""
        ours = [each for each in await self.log() if each["from"] == "User Application"]
        assert ours
        return [each for each in ours if int(each["response"]["statusCode"]) >= 400]

    async def follow(self, stream: aiohttp.ClientWebSocketResponse) -> None:
        """Takes in the log."""
        async for each in stream:
            told = json.loads(each.data)["log"]
            if "request" in told:
                self.requests.append(told)

    async def listen(self, stream: aiohttp.ClientWebSocketResponse) -> None:
        """Takes in what the page is told."""
        async for each in stream:
            told = json.loads(each.data)
            message = told.get("message")
            if message is not None:
                bubble = self.bubbles.setdefault(message["messageId"], Bubble(told["actionConversationId"], []))
                bubble.versions.append(message)
                self.changed.set()


async def _configuration(session: aiohttp.ClientSession, view: str) -> Json:
    """What the Playground runs with. It serves its page a moment before it can tell."""
    async with asyncio.timeout(15.0):
        while True:
            async with session.get(f"{view}/_internal/v1/config") as answer:
                told: Json = await answer.json()
            if "config" in told:
                config: Json = told["config"]
                return config
            await asyncio.sleep(0.1)


@asynccontextmanager
async def talking(view: str) -> AsyncIterator[Talk]:
    """Somebody looks at the Playground's page."""
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=15.0)) as session:
        talk = Talk(session, view, await _configuration(session, view))
        page, log = f"{view}/_ws_conversation/v1/conversations/stream", f"{view}/_ws/log/stream"
        async with session.ws_connect(page, max_msg_size=0) as told, session.ws_connect(log, max_msg_size=0) as noted:
            listening = (asyncio.create_task(talk.listen(told)), asyncio.create_task(talk.follow(noted)))
            try:
                yield talk
            finally:
                for each in listening:
                    each.cancel()
                await asyncio.gather(*listening, return_exceptions=True)
