"""A client of the Web API of Slack whose calls end as they are told to, and the errors that they end with."""

from types import SimpleNamespace
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient


def slack_error(code: str | None, status: int = 200, **headers: str) -> SlackApiError:
    data = {"ok": False} if code is None else {"ok": False, "error": code}
    return raised("no", SimpleNamespace(data=data, status_code=status, headers=headers))


def raised(message: str, response: Any) -> SlackApiError:
    return SlackApiError(message, response)  # type: ignore[no-untyped-call] # slack_sdk's


SOON = slack_error("ratelimited", 429, **{"Retry-After": "0.1"})


class Web(AsyncWebClient):
    """A client whose calls end as given, one after the other."""

    def __init__(self, *outcomes: Exception | dict[str, Any]) -> None:
        super().__init__()
        self.outcomes = list(outcomes)
        self.called: list[tuple[str, dict[str, Any]]] = []

    async def api_call(self, api_method: str, **arguments: Any) -> Any:
        self.called.append((api_method, arguments))
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return SimpleNamespace(data=outcome, headers={})
