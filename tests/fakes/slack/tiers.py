"""How many calls Slack takes, by method: "Rate limits" of its documentation, and the page of each method.

A tier's number is what is promised for a minute; bursts beyond it are Slack's favour, and not granted here but for
tier 1, of which Slack says that it tolerates small ones.
"""

from tests.fakes.slack.faults import Bucket

TIERS = {1: 1, 2: 20, 3: 50, 4: 100}
"""Calls a minute, for each method and workspace."""

BURST = 5
"""Calls of a method of tier 1 at one moment."""

METHODS = {
    "apps.connections.open": 1,
    "chat.appendStream": 4,
    "chat.delete": 3,
    "chat.postEphemeral": 4,
    "chat.startStream": 2,
    "chat.stopStream": 2,
    "chat.update": 3,
    "conversations.history": 3,
    "conversations.info": 3,
    "conversations.members": 4,
    "conversations.open": 3,
    "conversations.replies": 3,
    "users.info": 4,
    "users.list": 2,
    "users.lookupByEmail": 3,
    "views.open": 4,
    "views.publish": 4,
    "views.update": 4,
}
"""The tier of each method. auth.test and the assistant's take hundreds."""

PER_CHANNEL = {"chat.postMessage": Bucket(60, 5, per_channel=True)}
"""One message a second in a channel, with short bursts."""


def buckets() -> dict[str, Bucket]:
    """The limits of all methods, with nothing used."""
    tiered = {method: Bucket(TIERS[tier], max(BURST, TIERS[tier])) for method, tier in METHODS.items()}
    apart = {method: Bucket(each.per_minute, each.burst, each.per_channel) for method, each in PER_CHANNEL.items()}
    return {**tiered, **apart}
