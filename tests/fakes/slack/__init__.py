"""A small Slack for tests: stateful, over real sockets, on loopback."""

from tests.fakes.slack.blocks import message_blocks, view
from tests.fakes.slack.delivery import Attempt, Delivery
from tests.fakes.slack.faults import Fault
from tests.fakes.slack.http_mode import Forged
from tests.fakes.slack.people import Said
from tests.fakes.slack.reading import buttons, links, notified, plain
from tests.fakes.slack.records import Call, Channel, Message, SlackError, User, View, Workspace
from tests.fakes.slack.server import LocalSlack, local_slack

__all__ = [
    "Attempt",
    "Call",
    "Channel",
    "Delivery",
    "Fault",
    "Forged",
    "LocalSlack",
    "Message",
    "Said",
    "SlackError",
    "User",
    "View",
    "Workspace",
    "buttons",
    "links",
    "local_slack",
    "message_blocks",
    "notified",
    "plain",
    "view",
]
