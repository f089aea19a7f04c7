"""What the app gets when a person types a command, presses a button, or submits a modal."""

from typing import Any

from tests.fakes.slack.reading import buttons
from tests.fakes.slack.records import APP, Body, Channel, Message, User, View, Workspace
from tests.fakes.slack.world import World

Place = Message | View | Body
"""Where a button is: a message, a modal, or a home tab."""


def _name(channel: Channel) -> str:
    if channel.is_im:
        return "directmessage"
    return "privategroup" if channel.is_private else channel.name


def _common(kind: str, team: Workspace, user: User, trigger: str) -> Body:
    person = {"id": user.id, "username": user.name, "name": user.name, "team_id": user.team}
    content: Body = {"type": kind, "user": person, "api_app_id": APP, "token": "local", "trigger_id": trigger}
    return content | {"team": {"id": team.id, "domain": "local"}, "enterprise": None, "is_enterprise_install": False}


def command(team: Workspace, user: User, channel: Channel, words: tuple[str, str], trigger: str, url: str) -> Body:
    """A slash command. words: the command and what follows."""
    content: Body = {"token": "local", "team_id": team.id, "team_domain": "local", "channel_id": channel.id}
    content |= {"channel_name": _name(channel), "user_id": user.id, "user_name": user.name, "command": words[0]}
    content |= {"text": words[1], "api_app_id": APP, "is_enterprise_install": "false"}
    return content | {"response_url": url, "trigger_id": trigger}


def found_button(place: Place, action_id: str, value: str | None, index: int | None) -> Body:
    """The element that is pressed. value: of a button, a rating or an option. Raises LookupError."""
    shown: Any = place.content if isinstance(place, View) else place
    matching = [each for each in buttons(shown) if each["action_id"] == action_id]
    if value is not None:
        matching = [each for each in matching if value in _values(each)]
    if index is not None:
        matching = matching[index : index + 1]
    if not matching:
        raise LookupError(f"no {action_id} with {value} to press")
    return matching[0]


def _values(element: Body) -> list[str]:
    options = [option["value"] for option in element.get("options", ())]
    ratings = [element[name]["value"] for name in ("positive_button", "negative_button") if name in element]
    return [element.get("value", ""), *options, *ratings]


def _action(element: Body, value: str | None, ts: str) -> Body:
    action: Body = {name: element[name] for name in ("type", "action_id", "block_id")} | {"action_ts": ts}
    if element["type"] == "feedback_buttons":
        rating = element["positive_button"]
        if value == element["negative_button"]["value"]:
            rating = element["negative_button"]
        return action | {"value": rating["value"], "text": rating["text"]}
    if element.get("options"):
        chosen = next((each for each in element["options"] if each["value"] == value), element["options"][0])
        many = element["type"] in {"checkboxes", "multi_static_select"}
        return action | ({"selected_options": [chosen]} if many else {"selected_option": chosen})
    return action | {name: element[name] for name in ("text", "value", "url", "style") if name in element}


def pressed(world: World, team: Workspace, user: User, place: Place, element: Body, value: str | None) -> Body:
    """block_actions, without response_url."""
    view = place.id if isinstance(place, View) else None
    content = _common("block_actions", team, user, world.new_trigger(user.id, team.id, view))
    content["actions"] = [_action(element, value, world.new_ts())]
    if isinstance(place, Message):
        return content | _in_message(world, place)
    shown = place.presented() if isinstance(place, View) else place
    return content | {"container": {"type": "view", "view_id": shown["id"]}, "view": shown}


def _in_message(world: World, message: Message) -> Body:
    channel = world.channels[message.channel]
    ephemeral = message.ts not in channel.messages
    container: Body = {"type": "message", "message_ts": message.ts, "channel_id": channel.id}
    container["is_ephemeral"] = ephemeral
    if message.thread_ts:
        container["thread_ts"] = message.thread_ts
    content: Body = {"container": container, "channel": {"id": channel.id, "name": _name(channel)}}
    content["state"] = {"values": {}}
    return content if ephemeral else content | {"message": message.presented(metadata=True)}


def submitted(world: World, team: Workspace, user: User, view: View, entered: Body, kind: str) -> Body:
    """view_submission or view_closed. entered: by block and action; a string stands for what was typed."""
    elements = {(each["block_id"], each["action_id"]): each for each in buttons(view.content)}
    values: Body = {}
    for block, actions in entered.items():
        for action, value in actions.items():
            kind_of = elements[block, action]["type"]
            state = {"type": kind_of, "value": value} if isinstance(value, str | None) else {"type": kind_of, **value}
            values.setdefault(block, {})[action] = state
    content = _common(kind, team, user, world.new_trigger(user.id, team.id, view.id))
    content["view"] = view.presented(values)
    more: Body = {"is_cleared": False} if kind == "view_closed" else {"response_urls": []}
    return content | more
