"""What is said to a language model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Message:
    """One message. role: who speaks."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class ReplySchema:
    """The JSON object that a reply should be. name: letters, digits and `_`. schema: a JSON schema."""

    name: str
    schema: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request for one reply.

    purpose: which prompt this is, with its version (`grade/1`), for caches and traces.
    messages: in order. schema: what the reply should look like; None for text.
    small: whether the smaller model will do. model: another model than the configured one, when not empty.
    temperature: None leaves it to the server. max_tokens: of the reply. seconds: in which all of it is wanted;
    None leaves it to the model.
    """

    purpose: str
    messages: tuple[Message, ...]
    schema: ReplySchema | None = None
    small: bool = False
    model: str = ""
    temperature: float | None = 0.0
    max_tokens: int = 2_000
    seconds: float | None = None
