"""Who reads a channel on Slack, whatever changes between questions: as long as events come, what is said is so."""

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.client import SlackClient
from bot.slack.user_directory import MAX_ASKED, SlackUserDirectory

HOME, DOMAIN = "T1", "example.com"
CROWD = MAX_ASKED + 20


@dataclass
class Registry:
    """Slack's part: people, and who is in three channels: two that their members alone may open, one of them of many,
    and a public one."""

    users: dict[str, dict[str, Any]] = field(default_factory=dict)
    rooms: dict[str, list[str]] = field(default_factory=dict)
    calls: int = 0

    def __post_init__(self) -> None:
        for number in range(CROWD):
            self.users[f"U{number}"] = {
                "id": f"U{number}",
                "team_id": HOME,
                "profile": {"email": f"u{number}@{DOMAIN}", "display_name": ""},
            }
        self.rooms = {"few": ["U0", "U1", "U2"], "many": list(self.users), "open": ["U0", "U1"]}

    async def api_call(self, method: str, data: dict[str, Any]) -> SimpleNamespace:
        self.calls += 1
        await asyncio.sleep(0)
        return SimpleNamespace(data={"ok": True, **self._said(method, data)}, headers={})

    def _said(self, method: str, data: dict[str, Any]) -> dict[str, Any]:
        match method:
            case "users.info":
                return {"user": self.users[data["user"]]}
            case "users.list":
                return {"members": list(self.users.values())}
            case "conversations.members":
                return {"members": self.rooms[data["channel"]]}
            case _:
                return {"channel": {"id": data["channel"], "is_private": data["channel"] != "open"}}

    def truth(self, channel: str) -> str:
        members = [self.users[each] for each in self.rooms[channel]]
        outside = any(each.get("is_restricted") or each.get("deleted") or each.get("left") for each in members)
        if channel == "open":  # a full member opens it without joining
            gone = ("is_restricted", "deleted")
            outside |= any(each.get("left") and not any(map(each.get, gone)) for each in self.users.values())
        return "public" if outside else "organisation"


people = st.integers(0, CROWD - 1).map(lambda number: f"U{number}") | st.sampled_from(["U0", "U1"])
channels = st.sampled_from(["few", "many", "open"])
events = st.one_of(
    st.tuples(st.just("ask"), channels),
    st.tuples(st.just("rename"), people),
    st.tuples(st.sampled_from(["is_restricted", "deleted", "left"]), people),
    st.tuples(st.just("move"), st.tuples(channels, people)),
    st.tuples(st.just("wait"), st.sampled_from([1.0, 70.0, 400.0, 4_000.0])),
)


async def _lived(history: list[tuple[str, Any]]) -> None:
    slack, now = Registry(), [0.0]
    client = SlackClient(cast("AsyncWebClient", slack), 1.0)
    found = SlackUserDirectory(client, frozenset({HOME}), (DOMAIN,), patience=5.0, clock=lambda: now[0])
    for what, about in [*history, *(("ask", channel) for channel in slack.rooms)]:
        if what == "ask":
            assert (await found.audience(about)).audience == slack.truth(about)
        elif what == "wait":
            now[0] += about
        elif what == "move":
            channel, person = about
            members = slack.rooms[channel]
            slack.rooms[channel] = [each for each in members if each != person] or [person]
            if person not in members:
                slack.rooms[channel] = [*members, person]
            found.members_changed(channel)
        elif what == "rename":
            profile = slack.users[about]["profile"]
            slack.users[about] = {**slack.users[about], "profile": {**profile, "display_name": f"{now[0]}"}}
            found.person_changed(about, slack.users[about])
        else:
            on = not slack.users[about].get(what)
            slack.users[about] = {**slack.users[about], what: on}
            if what == "left":  # for another organisation
                email = f"{about.lower()}@{'elsewhere.example' if on else DOMAIN}"
                slack.users[about]["profile"] = {**slack.users[about]["profile"], "email": email}
            found.person_changed(about, slack.users[about])
    before = slack.calls
    for channel in slack.rooms:
        await found.audience(channel)
    assert slack.calls == before, "a question right after another takes no call"
    await found.close()


@given(st.lists(events, max_size=25))
def test_what_is_said_of_readers_is_so_whatever_has_changed(history: list[tuple[str, Any]]) -> None:
    asyncio.run(_lived(history))
