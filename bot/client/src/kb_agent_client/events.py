"""The events of a reply while it is made, and how they are read from a stream. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import problem_of
from .reading import json_of, read
from .replies import FullReply, ReplySource


@dataclass(frozen=True, slots=True)
class Accepted:
    """The first: the question is accepted."""

    number: int
    conversation: str


@dataclass(frozen=True, slots=True)
class Began:
    """Another step of the work begins. iteration: the round of search, from 1; 0 before the first."""

    stage: str
    iteration: int


@dataclass(frozen=True, slots=True)
class Advance:
    """How far it is, in words and percent."""

    text: str
    percent: int
    tool: str = ""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A further part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Restart:
    """What was said so far does not hold: the work began anew."""


@dataclass(frozen=True, slots=True)
class SourcesFound:
    """What the answer cites."""

    sources: tuple[ReplySource, ...]


@dataclass(frozen=True, slots=True)
class Finished(FullReply):
    """The last. replaces: whether the outcome's text takes the place of what was said. corrected: whether it was
    changed since it was shown first."""

    replaces: bool = False
    corrected: bool = False


Event = Accepted | Began | Advance | Spoken | Restart | SourcesFound | Finished

_KINDS: Mapping[str, Any] = {
    "question": Accepted,
    "stage": Began,
    "progress": Advance,
    "sentence": Spoken,
    "again": Restart,
    "sources": SourcesFound,
    "outcome": Finished,
}


class EventReader:
    """Puts the lines of one stream together."""

    def __init__(self) -> None:
        self._name = ""
        self._data: list[str] = []

    def line(self, line: str) -> Event | None:
        """The event that a line completes, if any; comments and kinds of a later service are none.

        Raises ApiProblem for the event that says there is no outcome, NotReached for what is no event.
        """
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                self._name = value
            elif name == "data":
                self._data.append(value)
            return None
        name, data, self._name, self._data = self._name, "\n".join(self._data), "", []
        if not data:
            return None
        if name == "problem":
            found = json_of(data)
            raise problem_of(found.get("status", 503) if isinstance(found, dict) else 503, found, None)
        kind = _KINDS.get(name)
        event: Event | None = read(kind, json_of(data)) if kind else None
        return event
