"""The way of a person to a session: to the issuer, and back."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from bot.http_listener import Handler
from bot.web.callers import Callers
from bot.web.openid import Attempt, OpenIdClient
from bot.web.operations import problem_in
from bot.web.pages.layout import signed_out_page
from bot.web.pages.routes import OUT, sent_to, shown, shown_problem
from bot.web.problems import ProblemError
from domain.errors import KbError, Refused

log = logging.getLogger(__name__)

COOKIE, SECONDS = "kb_sign_in", 600
"""What binds the way back to its beginning, and for how long."""

PATH, BACK = "/sign-in", "/sign-in/back"


@dataclass(eq=False)
class SignIn:
    """Signs people in. base: under which browsers reach us, told when we listen. signing_in: is told each address
    right before; where that fails, nobody is signed in."""

    callers: Callers
    client: OpenIdClient
    base: Callable[[], str]
    signing_in: Callable[[str], Awaitable[None]]

    def routes(self) -> dict[str, Handler]:
        """What answers GET, by path."""
        return {PATH: self._page(self._begin), BACK: self._page(self._back), OUT: self._page(self._out)}

    def turned_away(self) -> web.StreamResponse:
        """Who is not signed in is sent to sign in."""
        return sent_to(PATH)

    def _page(self, serve: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            try:
                self.callers.check_host(request)
                return await serve(request)
            except Refused as error:
                return shown_problem(ProblemError(403, "sign_in", error.what, error.next_step))
            except Exception as error:  # noqa: BLE001 - whatever fails here, the browser gets a page
                return shown_problem(problem_in(error, "Nobody can sign in"))

        return handle

    async def _begin(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002 - nothing is asked for
        attempt = Attempt.new()
        response = sent_to(await self.client.address(attempt, self.base() + BACK))
        response.set_cookie(
            COOKIE,
            attempt.kept,
            max_age=SECONDS,
            path=PATH,
            httponly=True,
            secure=self.callers.secure,
            samesite="Lax",
        )
        return response

    async def _back(self, request: web.Request) -> web.StreamResponse:
        attempt = Attempt.of(request.cookies.get(COOKIE, ""))
        if attempt is None:
            raise Refused("This sign-in was not begun here, or too long ago", next_step="Begin again.")
        address = await self.client.email(dict(request.query), attempt, self.base() + BACK)
        response = sent_to("/")
        await self.signing_in(address)
        await self.callers.sign_in(response, address)
        response.del_cookie(COOKIE, path=PATH, httponly=True, secure=self.callers.secure, samesite="Lax")
        return response

    async def _out(self, request: web.Request) -> web.StreamResponse:
        """Says that somebody is signed out. To the issuer they go by a link: browsers let no form lead elsewhere."""
        if await self.callers.find(request) is not None:
            return sent_to("/")
        try:
            elsewhere = await self.client.end_address(self.base() + OUT)
        except KbError as error:
            log.info("Where people sign out at the issuer is not known: %s", error.what)
            elsewhere = ""
        return shown(signed_out_page(elsewhere))
