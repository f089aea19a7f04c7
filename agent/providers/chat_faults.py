"""What can go wrong with a chat request, as a value, and what it is called. Pure.

No error made here contains what a server wrote: servers like to quote keys and prompts.
"""

from dataclasses import dataclass, field
from typing import Literal

from agent.providers.endpoint import PASSING, REFUSED, EndpointNames
from agent.providers.model_errors import CutOff, Late
from domain.errors import KbError, Misconfigured, Refused, Transient

TIMEOUT = "KB_AGENT_LLM_TIMEOUT"
EFFORT = "KB_AGENT_LLM_REASONING_EFFORT"

_NO_REPLY = {
    "garbled": "the reply is not of this API",
    "broken": "it broke off",
    "empty": "it has no text",
    "endless": "it is longer than any reply may be",
    "cut": "the model thought so long that no tokens were left for its text",
}
_TOO_LONG_CODES = frozenset({"context_length_exceeded", "string_above_max_length", "request_too_large"})
_TOO_LONG_WORDS = ("context length", "context window", "context size", "prompt is too long", "input is too long")
_NO_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_FILTERED = frozenset({"content_filter", "content_policy_violation"})


@dataclass(frozen=True, slots=True)
class Fault:
    """One failed request."""

    kind: Literal[
        "said",
        "lost",
        "late",
        "garbled",
        "foreign",
        "broken",
        "endless",
        "untagged",
        "empty",
        "cut",
        "cut_off",
        "declined",
    ]
    """The server said so (`said`), there was no connection (`lost`), no reply in time (`late`), a reply that is not of
    this API for now (`garbled`) or at all (`foreign`), one that broke off (`broken`), is longer than any may be
    (`endless`), or began with thinking that nothing marked (`untagged`), one without text (`empty`), one whose tokens
    were used up before its text began (`cut`) or within it (`cut_off`), or the model would not (`declined`)."""
    status: int = 0
    """Status of HTTP; 0 for an error within a stream."""
    code: str = ""
    param: str = ""
    message: str = field(default="", repr=False)
    """With `code` and `param` from the server's error, to tell errors apart."""
    retry_after: float | None = None
    """Seconds."""
    detail: str = ""
    """More about it, in words of ours."""

    @property
    def too_long(self) -> bool:
        """Whether the request is longer than the model can read."""
        words = self.message.lower()
        return self.status == 413 or self.code in _TOO_LONG_CODES or any(each in words for each in _TOO_LONG_WORDS)

    @property
    def filtered(self) -> bool:
        """Whether a filter of contents took offence."""
        return self.code in _FILTERED


def failure(fault: Fault, service: EndpointNames, host: str, model: str) -> KbError:
    """The error for a fault of the server `host`, asked for `model`."""
    server = f"The {service.noun} endpoint {host}"
    match fault.kind:
        case "said":
            return _error_of(fault, service, server, model)
        case "declined" | "cut_off":
            return _refused(fault, model)
        case "foreign":
            return Misconfigured(
                f"{server} does not answer as the API says",
                why=fault.detail,
                next_step=f"check that {service.base_url} is an address like {service.example}",
            )
        case "lost":
            return _away(fault, service, server, fault.detail)
        case "late":
            return Late(f"{server} is too slow, or hangs", why=fault.detail, next_step=f"check it, or raise {TIMEOUT}")
        case _:
            less = f"set {EFFORT} to low, or use a model that thinks less"
            return Transient(
                f"{server} gave no usable reply",
                why=_NO_REPLY[fault.kind],
                next_step=less if fault.kind == "cut" else "try again",
            )


def _refused(fault: Fault, model: str) -> Refused:
    if fault.kind == "cut_off":
        return CutOff(f"The reply of the model {model} is longer than the request allows", next_step="ask for less")
    return Refused(f"The model {model} declines to answer", next_step="ask in other words")


def _error_of(fault: Fault, service: EndpointNames, server: str, model: str) -> KbError:
    status = f"HTTP {fault.status}" if fault.status else "an error within the stream"
    if fault.code in _NO_CREDIT:
        return Misconfigured(
            f"The account at {server[0].lower()}{server[1:]} has no credit left",
            why=status,
            next_step=f"add credit, or use another key in {service.key}",
        )
    if fault.too_long and fault.status not in PASSING:
        return Refused(f"The request is longer than the model {model} can read", why=status, next_step="ask for less")
    if fault.filtered:
        return Refused(f"The model {model} declines to answer", why=status, next_step="ask in other words")
    if fault.status == 0 or fault.status in PASSING or fault.status >= 500:
        return _away(fault, service, server, status)
    return _turned_away(fault, service, server, model)


def _turned_away(fault: Fault, service: EndpointNames, server: str, model: str) -> KbError:
    status = f"HTTP {fault.status}"
    if fault.status in REFUSED:
        return Refused(f"{server} refuses the request", why=status, next_step=f"check {service.model}")
    if fault.status in {401, 403}:
        return Misconfigured(f"{server} refuses our key", why=status, next_step=f"check {service.key}")
    return Misconfigured(
        f"{server} has no model {model}, or does not speak this API at its address",
        why=status,
        next_step=f"check {service.model} and {service.base_url}",
    )


def _away(fault: Fault, service: EndpointNames, server: str, why: str) -> Transient:
    return Transient(
        f"{server} is not available",
        why=why,
        next_step=f"try again later; if it stays so, check {service.base_url}",
        retry_after=fault.retry_after,
    )
