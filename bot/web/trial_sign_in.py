"""One-time sign-in link for `kb try`, printed on the terminal."""

import hmac
from collections.abc import Callable
from secrets import token_urlsafe

from aiohttp import web

from bot.http_listener import Handler
from bot.web.callers import Callers
from bot.web.pages.layout import HEADERS
from bot.web.pages.routes import shown_problem
from bot.web.platform import TRIAL
from bot.web.problems import ProblemError
from domain.errors import KbError


class TrialSignIn:
    """Signs in whoever opens the link, and makes the next one. tell: is told each new link, without its host."""

    PATH = "/try"

    def __init__(self, callers: Callers, tell: Callable[[str], None]) -> None:
        self._callers = callers
        self._tell = tell
        self._secret = ""

    def renew(self) -> None:
        """Makes another link, and tells it; the one before opens nothing any more."""
        self._secret = token_urlsafe(24)
        self._tell(f"{self.PATH}?token={self._secret}")

    def turned_away(self) -> web.StreamResponse:
        """The page for somebody who is not signed in."""
        return shown_problem(closed())

    def handler(self) -> Handler:
        """Serves the link."""

        async def serve(request: web.Request) -> web.StreamResponse:
            try:
                self._callers.check_host(request)
                return await self._open(request)
            except ProblemError as error:
                return shown_problem(error)
            except KbError:
                return shown_problem(ProblemError(503, "unavailable", "This cannot be done now", "Try again."))

        return serve

    async def _open(self, request: web.Request) -> web.StreamResponse:
        # a browser that guesses must not use it up, nor a program that looks where a link leads
        if request.method != "GET" or "prefetch" in request.headers.get("Sec-Purpose", ""):
            raise ProblemError(503, "prefetch", "This address is opened by hand")
        given = request.query.get("token", "")
        if not self._secret or not hmac.compare_digest(given.encode(), self._secret.encode()):
            raise closed()
        self._secret = ""
        response = web.Response(status=303, headers={**HEADERS, "Location": "/"})
        await self._callers.sign_in(response, TRIAL)
        self.renew()
        return response


def closed() -> ProblemError:
    """The problem of whoever comes without the current link."""
    return ProblemError(
        403,
        "closed",
        "This page is opened by its address",
        "Open the last address that kb try printed; each works once.",
    )
