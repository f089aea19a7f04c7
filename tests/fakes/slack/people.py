"""What people do in the local Slack, and what the app gets to know of it."""

import copy
from typing import Any

from tests.fakes.slack import events, interactions, mrkdwn
from tests.fakes.slack.blocks import view as checked
from tests.fakes.slack.delivery import EVENTS, INTERACTIVE, SLASH, Courier, Delivery
from tests.fakes.slack.records import Body, Message, SlackError, User, View, Workspace
from tests.fakes.slack.response_urls import ResponseUrl, ResponseUrls
from tests.fakes.slack.surfaces import changed_view, new_view
from tests.fakes.slack.world import World


class Said(str):
    """The ts of what was said. deliveries: what it raised."""

    __slots__ = ("deliveries",)
    deliveries: list[Delivery]

    def __new__(cls, ts: str, deliveries: list[Delivery]) -> "Said":
        said = super().__new__(cls, ts)
        said.deliveries = deliveries
        return said


class People:
    """The part of LocalSlack that acts as a person would. subscriptions: the events that the app gets."""

    world: World
    courier: Courier
    urls: ResponseUrls
    subscriptions: set[str]
    echoes: bool

    def say(
        self, user: User | str, channel: str, text: str, thread: str | None = None, files: list[Body] | None = None
    ) -> Said:
        """Posts a message. text: as Slack keeps it: <@U…> for a mention, and &amp; &lt; &gt;. Gives its ts."""
        with self.world.changed:
            who = self._user(user)
            place = self.world.channel(channel)
            blocks = mrkdwn.typed(text)
            root = None if thread is None else str(thread)  # a Said is not copied
            message = Message(channel, self.world.new_ts(), who.id, text, blocks, team=who.team, thread_ts=root)
            message.files = files or []
            self.world.files |= {each["id"]: each for each in message.files}
            self.world.post(message)
            raised = events.of_message(self.world, self.subscriptions, place, events.posted(place, message))
            return Said(message.ts, self._raise_all(raised))

    def edit(self, channel: str, ts: str, text: str) -> list[Delivery]:
        """A person changes what they said."""
        with self.world.changed:
            message = self.world.message(channel, ts)
            before = message.presented()
            message.text, message.blocks = text, mrkdwn.typed(text)
            message.edited = {"user": message.user, "ts": self.world.new_ts()}
            message.keep()
            self.world.tell("edited", message, before)
            return self._changed(message, before)

    def delete(self, channel: str, ts: str) -> list[Delivery]:
        """A person takes back what they said."""
        with self.world.changed:
            message = self.world.message(channel, ts)
            message.deleted = True
            self.world.tell("deleted", message)
            return self._changed(message, None)

    def slash(self, user: User | str, channel: str, name: str, text: str = "") -> Delivery:
        """A command such as /kb. What the acknowledgement says is shown as Slack does it."""
        with self.world.changed:
            who, place = self._user(user), self.world.channel(channel)
            team = self._team(place.teams)
            trigger = self.world.new_trigger(who.id, team.id)
            url = self.urls.new(team.id, channel, who.id)
            payload = interactions.command(team, who, place, (name, text), trigger, url)

        def show(answer: Any) -> None:
            said = {"text": answer} if isinstance(answer, str) else answer
            if said:
                with self.world.changed:
                    self.urls.said(ResponseUrl(team.id, channel, who.id), said)

        return self.courier.send(Delivery(SLASH, payload, on_ack=show))

    def press(
        self,
        user: User | str,
        place: Message | View | Body,
        action_id: str,
        value: str | None = None,
        index: int | None = None,
    ) -> Delivery:
        """Presses a button, rates, or chooses from a menu in a message, a modal or a home tab."""
        with self.world.changed:
            who = self._user(user)
            name = place.team if isinstance(place, Message | View) else place["team_id"]
            team = self.world.workspaces.get(name) or self._team([])
            element = interactions.found_button(place, action_id, value, index)
            payload = interactions.pressed(self.world, team, who, place, element, value)
            if isinstance(place, Message):
                payload["response_url"] = self.urls.new(team.id, place.channel, who.id, place)
        return self.courier.send(Delivery(INTERACTIVE, payload))

    def submit(self, user: User | str, view_id: str, entered: Body | None = None) -> Delivery:
        """Submits a modal. entered: by block_id and action_id, a string for typed text, else the element's state."""
        with self.world.changed:
            view = self.world.views[view_id]
            team = self.world.workspaces[view.team]
            payload = interactions.submitted(self.world, team, self._user(user), view, entered or {}, "view_submission")
        return self.courier.send(Delivery(INTERACTIVE, payload, on_ack=lambda answer: self._submitted(view, answer)))

    def close_view(self, user: User | str, view_id: str) -> Delivery | None:
        """Cancels a modal; raises view_closed when it asked for that."""
        with self.world.changed:
            view = self.world.views[view_id]
            view.state = "closed"
            self.world.changed.notify_all()
            team = self.world.workspaces[view.team]
            payload = interactions.submitted(self.world, team, self._user(user), view, {}, "view_closed")
        wanted = view.content.get("notify_on_close")
        return self.courier.send(Delivery(INTERACTIVE, payload)) if wanted else None

    def open_home(self, user: User | str, tab: str = "home") -> Delivery:
        """Opens the app's home or messages tab."""
        with self.world.changed:
            who = self._user(user)
            at = self._team([who.team])
            event: Body = {"type": "app_home_opened", "user": who.id, "tab": tab, "event_ts": self.world.new_ts()}
            event["channel"] = self.world.dm(who.id, at.id).id
            shown = self.world.homes.get((at.id, who.id))
            if tab == "home" and shown:
                event["view"] = shown[-1]
        return self.send_event(event, at.id)

    def start_assistant_thread(self, user: User | str) -> Said:
        """Opens a new thread with the assistant. Gives the thread's ts."""
        with self.world.changed:
            who = self._user(user)
            team = self._team([who.team])
            channel = self.world.dm(who.id, team.id)
            root = Message(channel.id, self.world.new_ts(), team.bot_user, "New Assistant Thread", team=team.id)
            root.subtype, root.bot_id = "assistant_app_thread", team.bot_id
            self.world.post(root)
            thread: Body = {"user_id": who.id, "context": {}, "channel_id": channel.id, "thread_ts": root.ts}
            event = {"type": "assistant_thread_started", "assistant_thread": thread, "event_ts": self.world.new_ts()}
        return Said(root.ts, [self.send_event(event, team.id)])

    def join(self, user: User | str, channel: str) -> Delivery:
        """A person, or the app, comes into a channel."""
        with self.world.changed:
            who, place = self._user(user), self.world.channel(channel)
            place.members.append(who.id)
            self.world.changed.notify_all()
            event: Body = {"type": "member_joined_channel", "user": who.id, "channel": channel, "team": who.team}
            event |= {"channel_type": channel[0], "event_ts": self.world.new_ts()}
        return self.send_event(event, self._team(place.teams).id)

    def user_change(self, user: User | str) -> Delivery:
        """A person's profile has changed; the test has set the fields."""
        who = self._user(user)
        shown = who.presented(email="users:read.email" in self._team([who.team]).scopes)
        return self.send_event({"type": "user_change", "user": shown, "event_ts": self.world.new_ts()}, who.team)

    def team_join(self, user: User | str) -> Delivery:
        """A person has come into the workspace; the test has added them."""
        who = self._user(user)
        shown = who.presented(email="users:read.email" in self._team([who.team]).scopes)
        return self.send_event({"type": "team_join", "user": shown, "event_ts": self.world.new_ts()}, who.team)

    def revoke(self, team: str | None = None) -> Delivery:
        """The workspace revokes the app's token."""
        at = self._team([team] if team else [])
        at.state = "revoked"
        return self.send_event({"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [at.bot_user]}}, at.id)

    def send_event(self, event: Body, team: str | None = None) -> Delivery:
        """Any event, whether or not the app is subscribed to it."""
        at = self._team([team] if team else [])
        return self.courier.send(Delivery(EVENTS, events.envelope(self.world, at, event)))

    def deliver_for(self, delivery: Delivery, team: Workspace | str) -> Delivery:
        """The same event on behalf of another installation: same channel and ts, other team and event_id."""
        at = team if isinstance(team, Workspace) else self.world.workspaces[team]
        return self.courier.send(Delivery(EVENTS, events.on_behalf(self.world, delivery.payload, at)))

    def deliver_again(self, delivery: Delivery, *, retry: int = 1, copies: int = 1) -> list[Delivery]:
        """The same payload once more, as retry so and so; several copies go to several connections or URLs at once."""
        new = [Delivery(delivery.kind, copy.deepcopy(delivery.payload)) for _ in range(copies)]
        return [self.courier.send(each, number=retry, retries=0) for each in new]

    def _user(self, user: User | str) -> User:
        return self.world.users[user.id if isinstance(user, User) else user]

    def _team(self, names: list[str]) -> Workspace:
        """The first of these workspaces that has the app, or else the first of all."""
        found = [self.world.workspaces[name] for name in names if name in self.world.workspaces]
        return (found or list(self.world.workspaces.values()))[0]

    def _raise_all(self, payloads: list[Body]) -> list[Delivery]:
        return [self.courier.send(Delivery(EVENTS, payload)) for payload in payloads]

    def _changed(self, message: Message, before: Body | None) -> list[Delivery]:
        """before: None when the message went."""
        channel, ts = self.world.channel(message.channel), self.world.new_ts()
        gone = before is None
        event = events.deleted(channel, message, ts) if gone else events.edited(channel, message, before or {}, ts)
        return self._raise_all(events.of_message(self.world, self.subscriptions, channel, event))

    def _echo(self, what: str, message: Message, before: Body | None) -> None:
        """The app hears of its own messages too, when echoes are on."""
        if not self.echoes:
            return
        if what == "posted":
            channel = self.world.channel(message.channel)
            raised = events.of_message(self.world, self.subscriptions, channel, events.posted(channel, message))
            self._raise_all(raised)
        else:
            self._changed(message, None if what == "deleted" else before or {})

    def _submitted(self, view: View, answer: Any) -> None:
        """What Slack does with the answer to a submitted modal; one that it cannot use leaves the modal open."""
        action = answer.get("response_action") if isinstance(answer, dict) else None
        with self.world.changed:
            if action == "errors":
                inputs = {each.get("block_id") for each in view.content["blocks"] if each["type"] == "input"}
                known = answer["errors"] and set(answer["errors"]) <= inputs
                view.errors = dict(answer["errors"]) if known else {"": "We had some trouble connecting. Try again?"}
            elif action in {"update", "push"}:
                try:
                    content = checked(answer["view"], "modal")
                except SlackError:
                    view.errors = {"": "We had some trouble connecting. Try again?"}
                else:
                    shown = (self.world, view.user, view.team, content, view)
                    _ = changed_view(self.world, view, content) if action == "update" else new_view(*shown)
            else:
                gone = [each for each in self.world.views.values() if each.root == view.root]
                for each in gone if action == "clear" else [view]:
                    each.state = "submitted"
            self.world.changed.notify_all()
