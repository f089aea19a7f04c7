"""What goes wrong, as types."""

from collections.abc import Mapping
from typing import Any


class ApiError(Exception):
    """Anything that this client raises by itself."""


class NotReached(ApiError):
    """The service could not be reached, the connection was lost, or what answered is no kb-agent."""


class NotInTime(ApiError):
    """It took longer than the client waits. number: of the question, by which its reply can be followed later; None
    where it was not accepted yet."""

    def __init__(self, words: str, number: int | None = None) -> None:
        super().__init__(words)
        self.number = number


class ApiProblem(ApiError):
    """The service did not do what was asked (RFC 9457). code: the same for each error of its kind. errors: what is
    wrong with the request. retry_after: seconds after which it may be tried again; None where nobody says so."""

    def __init__(self, status: int, body: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.code = str(body.get("code", ""))
        self.title = str(body.get("title", "")) or f"HTTP status {status}"
        self.detail = str(body.get("detail", ""))
        self.errors = tuple(map(str, body.get("errors") or ()))
        self.retry_after = retry_after
        super().__init__(". ".join(filter(None, (self.title, self.detail, *self.errors))))


class NotPermitted(ApiProblem):
    """401 or 403: the token does not hold, or is not good for that."""


class NothingThere(ApiProblem):
    """404: there is nothing that the token's person may see."""


class NotValid(ApiProblem):
    """422 and the like: the request is not as it should be."""


class TooManyRequests(ApiProblem):
    """429: a limit is reached."""


_KINDS: Mapping[int, type[ApiProblem]] = {
    401: NotPermitted,
    403: NotPermitted,
    404: NothingThere,
    406: NotValid,
    413: NotValid,
    415: NotValid,
    422: NotValid,
    429: TooManyRequests,
}


def problem_of(status: int, body: object, retry_after: str | None) -> ApiProblem:
    """The error of a reply. body: its JSON, whatever that is."""
    fields = body if isinstance(body, Mapping) else {}
    seconds = float(retry_after) if retry_after and retry_after.isdigit() else None
    return _KINDS.get(status, ApiProblem)(status, fields, seconds)
