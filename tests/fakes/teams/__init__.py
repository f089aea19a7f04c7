"""A small Teams for tests: stateful, over real sockets, on loopback."""

from tests.fakes.teams.checks import check
from tests.fakes.teams.faults import Fault, Windows
from tests.fakes.teams.reading import citations, labelled, notified, plain
from tests.fakes.teams.records import Call, Conversation, Message, Person, TeamsError
from tests.fakes.teams.server import LocalTeams, local_teams
from tests.fakes.teams.user_activities import Said

__all__ = [
    "Call",
    "Conversation",
    "Fault",
    "LocalTeams",
    "Message",
    "Person",
    "Said",
    "TeamsError",
    "Windows",
    "check",
    "citations",
    "labelled",
    "local_teams",
    "notified",
    "plain",
]
