"""The methods for modals, the home tab, and assistant threads."""

from tests.fakes.slack.api_call import ApiCall, Methods
from tests.fakes.slack.blocks import parsed
from tests.fakes.slack.blocks import view as checked
from tests.fakes.slack.records import AssistantThread, Body, SlackError, View
from tests.fakes.slack.world import World

PROMPTS = 4


def new_view(world: World, user: str, team: str, content: Body, below: View | None = None) -> View:
    """A modal that a person sees from now on."""
    name = f"V{world.number('view'):03}VIEW"
    opened = View(name, user, team, content, _hash(world), below.root if below else name, below.id if below else None)
    opened.versions.append(content)
    world.views[name] = opened
    world.changed.notify_all()
    return opened


def changed_view(world: World, view: View, content: Body) -> View:
    """The same modal with another content."""
    view.content = content
    view.errors = {}
    view.hash = _hash(world)
    view.versions.append(content)
    world.changed.notify_all()
    return view


def _hash(world: World) -> str:
    return f"17000000.h{world.number('hash'):05}"


def open_view(asked: ApiCall) -> Body:
    """views.open."""
    content = checked(asked.args.get("view"), "modal")
    trigger = asked.world.use_trigger(asked.args.get("trigger_id"))
    opened = new_view(asked.world, trigger.user, asked.workspace.id, content)
    return {"ok": True, "view": opened.presented()}


def update_view(asked: ApiCall) -> Body:
    """views.update, by view_id or external_id."""
    content = checked(asked.args.get("view"), "modal")
    external = asked.args.get("external_id")
    found = asked.world.views.get(str(asked.args.get("view_id")))
    if found is None and external:
        found = next((each for each in asked.world.views.values() if each.content.get("external_id") == external), None)
    if found is None or found.state != "open" or found.team != asked.workspace.id:
        raise SlackError("not_found")
    if asked.args.get("hash") not in (None, found.hash):
        raise SlackError("hash_conflict")
    return {"ok": True, "view": changed_view(asked.world, found, content).presented()}


def publish_view(asked: ApiCall) -> Body:
    """views.publish."""
    content = checked(asked.args.get("view"), "home")
    user = asked.world.users.get(str(asked.args.get("user_id")))
    if user is None:
        raise SlackError("user_not_found")
    homes = asked.world.homes.setdefault((asked.workspace.id, user.id), [])
    if asked.args.get("hash") and not (homes and homes[-1]["hash"] == asked.args["hash"]):
        raise SlackError("hash_conflict")
    homes.append({**content, "id": f"V{user.id}HOME", "hash": _hash(asked.world), "team_id": asked.workspace.id})
    asked.world.changed.notify_all()
    return {"ok": True, "view": homes[-1]}


def _thread(asked: ApiCall) -> AssistantThread:
    channel = asked.joined("channel_id")
    ts = str(asked.args.get("thread_ts") or "")
    if ts and ts not in channel.messages and (channel.id, ts) not in asked.world.threads:
        raise SlackError("thread_not_found")
    return asked.world.threads.setdefault((channel.id, ts), AssistantThread())


def set_status(asked: ApiCall) -> Body:
    """assistant.threads.setStatus; an empty status takes it away."""
    asked.word("thread_ts")
    loading = parsed(asked.args.get("loading_messages") or [])
    if not isinstance(loading, list) or len(loading) > 10:
        raise SlackError("invalid_arguments", "no more than 10 items allowed [json-pointer:/loading_messages]")
    thread = _thread(asked)
    thread.status = str(asked.args.get("status", ""))
    thread.statuses.append(thread.status)
    thread.loading_messages = loading
    asked.world.changed.notify_all()
    return {"ok": True}


def set_title(asked: ApiCall) -> Body:
    """assistant.threads.setTitle."""
    asked.word("thread_ts")
    _thread(asked).title = asked.word("title")
    asked.world.changed.notify_all()
    return {"ok": True}


def set_prompts(asked: ApiCall) -> Body:
    """assistant.threads.setSuggestedPrompts."""
    prompts = parsed(asked.args.get("prompts"))
    if not isinstance(prompts, list) or not 0 < len(prompts) <= PROMPTS:
        raise SlackError("invalid_arguments", f"no more than {PROMPTS} items allowed [json-pointer:/prompts]")
    if not all(isinstance(each, dict) and each.get("title") and each.get("message") for each in prompts):
        raise SlackError("invalid_arguments", "missing required field: title, message [json-pointer:/prompts]")
    thread = _thread(asked)
    thread.prompts, thread.prompts_title = prompts, str(asked.args.get("title", ""))
    asked.world.changed.notify_all()
    return {"ok": True}


_NONE: frozenset[str] = frozenset()
_ASSISTANT = frozenset({"assistant:write"})

METHODS: Methods = {
    "views.open": (open_view, _NONE),
    "views.update": (update_view, _NONE),
    "views.publish": (publish_view, _NONE),
    "assistant.threads.setStatus": (set_status, frozenset({"assistant:write", "chat:write"})),
    "assistant.threads.setTitle": (set_title, _ASSISTANT),
    "assistant.threads.setSuggestedPrompts": (set_prompts, _ASSISTANT),
}
