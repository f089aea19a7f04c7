"""The response_url of a command or an interaction: five uses within half an hour."""

import time
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from aiohttp import web

from tests.fakes.slack.blocks import message_blocks
from tests.fakes.slack.chat import TEXT
from tests.fakes.slack.faults import Fault
from tests.fakes.slack.records import Body, Message, SlackError
from tests.fakes.slack.world import World

USES = 5
SECONDS = 1800.0


@dataclass
class ResponseUrl:
    """Where an answer goes. source: the message that was acted on, or what was said here last."""

    team: str
    channel: str
    user: str
    source: Message | None = None
    at: float = field(default_factory=time.monotonic)
    left: int = USES


@dataclass
class ResponseUrls:
    """All of them, by token. faults: what the next answers meet, one after the other."""

    world: World
    base: str = ""
    given: dict[str, ResponseUrl] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def new(self, team: str, channel: str, user: str, source: Message | None = None) -> str:
        """A new one."""
        token = uuid4().hex
        self.given[token] = ResponseUrl(team, channel, user, source)
        return f"{self.base}/response/{token}"

    def expire(self) -> None:
        """Makes all that there are too old."""
        for each in self.given.values():
            each.at = float("-inf")

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """A POST to one of them."""
        fault = self.faults.pop(0) if self.faults else None
        if fault is None:
            return await self._answered(request)
        if fault.late:
            await self._answered(request)
        return await fault.respond(request)

    async def _answered(self, request: web.Request) -> web.StreamResponse:
        found = self.given.get(request.match_info["token"])
        if found is None or time.monotonic() - found.at > SECONDS:
            return web.json_response({"ok": False, "error": "expired_url"}, status=404)
        if found.left < 1:
            return web.json_response({"ok": False, "error": "used_url"}, status=404)
        try:
            body: Any = await request.json()
            with self.world.changed:
                found.left -= 1
                self.said(found, body)
        except SlackError as error:
            return web.Response(text=error.code, status=400)  # its word alone, and not what is wrong where
        except (ValueError, AttributeError):
            return web.Response(text="invalid_payload", status=400)
        return web.Response(text="ok")

    def said(self, to: ResponseUrl, body: Body) -> None:
        """Does what an answer asks for."""
        source = to.source
        if body.get("delete_original"):
            if source is not None:
                source.deleted = True
                self.world.tell("deleted", source, source.presented())
            return
        fields = _content(body)
        if body.get("replace_original") and source is not None:
            before = source.presented()
            source.text, source.blocks = fields["text"], fields["blocks"]
            source.keep()
            self.world.tell("edited", source, before)
            return
        to.source = self._new(to, body, fields)

    def _new(self, to: ResponseUrl, body: Body, fields: dict[str, Any]) -> Message:
        bot = self.world.workspaces[to.team]
        place: Body = {"thread_ts": body.get("thread_ts"), "team": to.team, "bot_id": bot.bot_id}
        message = Message(to.channel, self.world.new_ts(), bot.bot_user, **place, **fields)
        if body.get("response_type") == "in_channel":
            return self.world.post(message)
        message.recipient = to.user
        message.keep()
        self.world.ephemerals.setdefault((to.channel, to.user), {})[message.ts] = message
        self.world.changed.notify_all()
        return message


def _content(body: Body) -> dict[str, Any]:
    text = str(body.get("text") or "")
    blocks = message_blocks(body["blocks"]) if body.get("blocks") else []
    if len(text) > TEXT:
        raise SlackError("msg_too_long")
    if not text and not blocks and not body.get("attachments"):
        raise SlackError("no_text")
    return {"text": text, "blocks": blocks, "attachments": body.get("attachments") or []}
