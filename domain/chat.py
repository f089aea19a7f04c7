"""What is said to a language model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Message:
    """One message."""

    role: Literal["system", "user", "assistant"]
    """Who speaks."""
    text: str


@dataclass(frozen=True, slots=True)
class ReplySchema:
    """The JSON object that a reply should be."""

    name: str
    """Letters, digits and `_`."""
    schema: Mapping[str, object]
    """A JSON schema."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request for one reply."""

    purpose: str
    """Which prompt this is, with its version (`grade/1`), for caches and traces."""
    messages: tuple[Message, ...]
    schema: ReplySchema | None = None
    """What the reply should look like; None for text."""
    small: bool = False
    """Whether the smaller model will do."""
    model: str = ""
    """Another model than the configured one; empty for that one."""
    temperature: float | None = 0.0
    """None leaves it to the server."""
    max_tokens: int = 2_000
    """Of the reply."""
    seconds: float | None = None
    """In which all of it is wanted; None leaves it to the model."""
