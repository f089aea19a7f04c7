"""Errors as problem details, by RFC 9457."""

from collections.abc import Mapping, Sequence
from math import ceil

from aiohttp import web

from bot.web.models import Problem
from domain.errors import OUR_FAULT, KbError, Misconfigured, Refused, Transient

MEDIA_TYPE = "application/problem+json"

RETRY_SECONDS = 5
"""Seconds after which it may be tried again where nobody says how long."""

BUSY_SECONDS = 60
"""The same for limits of a minute, and for what others wait for."""


class ProblemError(Exception):
    """A request that is not met. code: the same for each error of its kind."""

    def __init__(
        self,
        status: int,
        code: str,
        title: str,
        detail: str = "",
        *,
        errors: Sequence[str] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(title)
        self.body = Problem(title=title, status=status, detail=detail, code=code, errors=tuple(errors))
        self.headers = dict(headers or {})

    def response(self) -> web.Response:
        """What is sent."""
        return web.Response(
            body=self.body.model_dump_json(),
            status=self.body.status,
            headers=self.headers,
            content_type=MEDIA_TYPE,
        )


def not_found() -> ProblemError:
    """Nothing is there, or the caller may not see it: the same answer for both."""
    return ProblemError(404, "not_found", "There is nothing here that you may see")


def busy(detail: str, seconds: float = BUSY_SECONDS) -> ProblemError:
    """Too much was asked for. detail: masked. seconds: after which it may be asked for again."""
    again = {"Retry-After": str(max(1, ceil(seconds)))}
    return ProblemError(429, "too_many_requests", "Too much was asked for", detail, headers=again)


def problem_of(error: KbError) -> ProblemError:
    """An error of ours as a caller reads it. What only operators may know stays in the log."""
    match error:
        case Transient():
            again = {"Retry-After": str(RETRY_SECONDS)}
            return ProblemError(503, "unavailable", "This cannot be done now", "Try again in a moment.", headers=again)
        case Refused():
            return ProblemError(422, "refused", "The request cannot be met", f"{error.what}. {error.next_step}".strip())
        case Misconfigured():
            return ProblemError(503, "misconfigured", "Whoever runs this service has to mend something first")
        case _:
            return fault()


def fault() -> ProblemError:
    """A mistake of ours."""
    return ProblemError(500, "fault", OUR_FAULT)
