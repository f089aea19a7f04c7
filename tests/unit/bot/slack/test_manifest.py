"""The app's manifest asks for what the code needs, and for nothing else."""

import ast
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from bot.conversation.commands import COMMANDS
from bot.slack.events import SUGGESTED_PROMPTS
from bot.slack.http_endpoint import PATH
from config.load import load
from tests.architecture.checkout import ROOT, modules, text, tree

MANIFEST = "deploy/slack/manifest.yaml"
APP = "bot/slack/app.py"

READ = {"channels:read", "groups:read", "im:read", "mpim:read"}
HISTORY = {"channels:history", "groups:history", "im:history", "mpim:history"}

METHODS: dict[str, set[str]] = {
    "assistant.threads.setStatus": {"chat:write"},
    "assistant.threads.setSuggestedPrompts": {"assistant:write"},
    "assistant.threads.setTitle": {"assistant:write"},
    "auth.test": set(),
    "chat.appendStream": {"chat:write"},
    "chat.delete": {"chat:write"},
    "chat.postEphemeral": {"chat:write"},
    "chat.postMessage": {"chat:write"},
    "chat.startStream": {"chat:write"},
    "chat.stopStream": {"chat:write"},
    "chat.update": {"chat:write"},
    "conversations.history": HISTORY,
    "conversations.info": READ,
    "conversations.members": READ,
    "conversations.open": {"im:write"},
    "conversations.replies": HISTORY,
    "users.info": {"users:read", "users:read.email"},
    "users.lookupByEmail": {"users:read.email"},
    "users.list": {"users:read"},
    "views.open": set(),
    "views.publish": set(),
    "views.update": set(),
}
"""The scopes that each method takes for all kinds of conversations, from its page in Slack's documentation."""

NOT_METHODS = {"apps.connections.open", "slack.com", "hooks.slack.com"}
"""One that the app token alone calls, which takes its own scope; and hosts."""

EVENTS: dict[str, set[str]] = {
    "app_home_opened": set(),
    "app_mention": {"app_mentions:read"},
    "app_uninstalled": set(),
    "channel_shared": {"channels:read", "groups:read"},
    "channel_unshared": {"channels:read", "groups:read"},
    "member_joined_channel": {"channels:read", "groups:read"},
    "member_left_channel": {"channels:read", "groups:read"},
    "message.channels": {"channels:history"},
    "message.groups": {"groups:history"},
    "message.im": {"im:history"},
    "message.mpim": {"mpim:history"},
    "team_join": {"users:read"},
    "tokens_revoked": set(),
    "user_change": {"users:read"},
}
"""The scopes that each event takes, from the same place."""

MESSAGES = {"message.channels", "message.groups", "message.im", "message.mpim"}
"""What a listener to `message` hears."""


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    loaded = yaml.safe_load(text(MANIFEST))
    assert isinstance(loaded, dict)
    return loaded


def is_listener(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "event"


def words(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def listened_to() -> set[str]:
    """The events of `app.event("…")`, and of those in a loop over names."""
    found: set[str] = set()
    for node in ast.walk(tree(APP)):
        if isinstance(node, ast.Call) and is_listener(node):
            found.update(words(node.args[0]))
        if isinstance(node, ast.For) and any(is_listener(each) for each in ast.walk(node)):
            found.update(words(node.iter))
    return found - {""}  # without the listener for all others


def called() -> set[str]:
    """All names of methods in the code that talks to Slack."""
    name = re.compile(r"(?!bot\.|slack_)[a-z]+(\.[a-zA-Z]+)+")
    every = (word for path in modules("bot") if path.startswith("bot/slack/") for word in words(tree(path)))
    return {word for word in every if name.fullmatch(word)} - NOT_METHODS


def test_what_is_listened_to_is_subscribed_to(manifest: dict[str, Any]) -> None:
    events = listened_to()
    assert {"message", "app_mention", "channel_shared"} < events
    subscribed = manifest["settings"]["event_subscriptions"]["bot_events"]
    older = {"assistant_thread_started", "assistant_thread_context_changed"}  # of apps made before agent_view
    assert set(subscribed) == events - {"message"} - older | MESSAGES
    assert len(set(subscribed)) == len(subscribed)


def test_every_method_that_is_called_has_its_scopes(manifest: dict[str, Any]) -> None:
    assert called() == set(METHODS)
    scopes = manifest["oauth_config"]["scopes"]["bot"]
    needed = set().union(*METHODS.values(), *EVENTS.values(), {"commands"})
    assert set(scopes) == needed
    assert len(set(scopes)) == len(scopes)


def test_every_event_has_its_scopes(manifest: dict[str, Any]) -> None:
    assert set(manifest["settings"]["event_subscriptions"]["bot_events"]) == set(EVENTS)


def test_the_command_is_there(manifest: dict[str, Any]) -> None:
    [command] = manifest["features"]["slash_commands"]
    assert command["command"] == load({}, ROOT / "deploy").slack.slack_command
    assert set(command["usage_hint"].split(", ")) == {each.usage for each in COMMANDS if each.name != "reindex"}


def test_an_empty_conversation_suggests_the_same_everywhere(manifest: dict[str, Any]) -> None:
    prompts = manifest["features"]["agent_view"]["suggested_prompts"]
    assert [each["message"] for each in prompts] == list(SUGGESTED_PROMPTS)


def test_it_is_for_socket_mode_and_says_what_http_takes(manifest: dict[str, Any]) -> None:
    assert manifest["settings"]["socket_mode_enabled"] is True
    assert manifest["settings"]["interactivity"] == {"is_enabled": True}
    assert len(re.findall(rf"^#.*url: https://\S+{PATH}\b", text(MANIFEST), re.MULTILINE)) == 2
