"""What serves the pages: each request is checked like one of the API, and answered with a page."""

import hashlib
import hmac
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from urllib.parse import parse_qsl

from aiohttp import web

from bot.conversation.texts import forgotten
from bot.http_listener import Handler, body_of
from bot.web.asking import WebAsking
from bot.web.callers import CSRF_FIELD, Caller
from bot.web.dependencies import WebDependencies
from bot.web.models import MAX_CHARACTERS, AskBody, FeedbackBody
from bot.web.operations import LARGEST_BODY, problem_in, read
from bot.web.pages.layout import HEADERS, Viewer, problem_page
from bot.web.pages.question_page import (
    history_page,
    home_page,
    passage_page,
    passage_part,
    question_page,
    reply_part,
)
from bot.web.platform import TRIAL
from bot.web.problems import ProblemError, not_found
from bot.web.reading import WebReading
from bot.web.reading_models import PastQuestion, QuestionBody

NUMBER = r"{number:[1-9][0-9]{0,17}}"
RECENT, HISTORY = 8, 100

OUT = "/signed-out"
"""Where somebody is sent who has signed out."""

FORGOTTEN, FORGOTTEN_SECONDS = "kb_forgotten", 60
"""What tells the history once how much was forgotten: in an address it would say so to whoever opens that."""

STATIC: Mapping[str, str] = {"pages.css": "text/css", "pages.js": "text/javascript", "icon.svg": "image/svg+xml"}

SIGNED_OUT = ProblemError(401, "unauthorized", "You are not signed in any more", "Load this page again.")

Routes = dict[str, Handler]
Page = Callable[[web.Request, Caller], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class WebPages:
    """The pages. sign_in: what somebody is told, or where they are sent, who is not signed in."""

    given: WebDependencies
    asking: WebAsking
    reading: WebReading
    sign_in: Callable[[], web.StreamResponse]

    def routes(self) -> tuple[Routes, Routes]:
        """What answers GET and POST, by path."""
        gets: Routes = {
            "/": self.page(self._home),
            "/history": self.page(self._history),
            f"/questions/{NUMBER}": self.page(self._question),
            f"/questions/{NUMBER}/reply": self.page(self._reply),
            f"/questions/{NUMBER}/sources/{{n:[1-9][0-9]{{0,2}}}}": self.page(self._passage),
        }
        gets |= {f"/static/{name}": _static(name, kind) for name, kind in STATIC.items()}
        gets["/{rest:(?s:.*)}"] = self.page(_nowhere)
        posts: Routes = {
            "/ask": self.page(self._ask),
            f"/questions/{NUMBER}/feedback": self.page(self._rate),
            "/forget": self.page(self._forget),
            "/sign-out": self.page(self._leave),
            "/{rest:(?s:.*)}": self.page(_nowhere),
        }
        return gets, posts

    def page(self, serve: Page) -> Handler:
        """What serves a page to who is signed in."""

        async def handle(request: web.Request) -> web.StreamResponse:
            viewer: Viewer | None = None
            try:
                self.given.callers.check_host(request)
                caller = await self.given.callers.find(request)
                if caller is None or not caller.csrf:  # pages are for people
                    return self.sign_in() if _navigates(request) else shown_problem(SIGNED_OUT)
                viewer = await self.viewer(caller)
                return await serve(request, caller)
            except Exception as error:  # noqa: BLE001 - what is no problem of a caller's is logged
                problem = problem_in(error, "A page could not be shown")
            return shown_problem(problem, viewer)

        return handle

    async def viewer(self, caller: Caller) -> Viewer:
        """Who looks at a page."""
        name = "" if caller.person.id == TRIAL else caller.person.id
        return Viewer(name, caller.csrf, await self.given.actions.administers(caller.person))

    async def _home(self, request: web.Request, caller: Caller) -> web.StreamResponse:  # noqa: ARG002 - nothing is asked for
        sources = await self.given.actions.sources(caller.person)
        names = ", ".join(f"{each.name} ({each.documents:,})" for each in sources[:12])
        words = f"Searched are documents of: {names}." if names else "There is nothing here that you may read."
        past = await self.reading.past(caller, RECENT)
        return shown(home_page(await self.viewer(caller), words, past.questions))

    async def _history(self, request: web.Request, caller: Caller) -> web.StreamResponse:
        past = await self.reading.past(caller, HISTORY)
        note = request.cookies.get(FORGOTTEN, "")
        count = note.partition(".")[0]
        ours = hmac.compare_digest(
            note.encode(errors="replace"), _forgotten_note(count, caller).encode(errors="replace")
        )
        response = shown(history_page(await self.viewer(caller), past.questions, forgotten(int(count)) if ours else ""))
        if note:
            response.del_cookie(FORGOTTEN, path="/history")
        return response

    async def _asked(self, request: web.Request, caller: Caller) -> QuestionBody:
        asked = await self.asking.own(caller, int(request.match_info["number"]))
        return await self.reading.own_question(caller, asked)

    async def _question(self, request: web.Request, caller: Caller) -> web.StreamResponse:
        asked = await self._asked(request, caller)
        earlier = await self._earlier(caller, asked)
        voted = request.query.get("voted") == "1"
        return shown(question_page(await self.viewer(caller), asked, earlier, voted=voted))

    async def _earlier(self, caller: Caller, asked: QuestionBody) -> list[PastQuestion]:
        """What was asked before in the same conversation, oldest first."""
        place = (await self.asking.own(caller, asked.number)).place
        recent = await self.given.conversations.memory.recent(caller.person, limit=HISTORY)
        before = [each for each in recent if each.key.channel == place.channel and each.number < asked.number]
        return list(map(PastQuestion.of, before))[::-1]

    async def _reply(self, request: web.Request, caller: Caller) -> web.StreamResponse:
        return shown(reply_part(await self.viewer(caller), await self._asked(request, caller)))

    async def _passage(self, request: web.Request, caller: Caller) -> web.StreamResponse:
        number, n = int(request.match_info["number"]), int(request.match_info["n"])
        found = await self.reading.cited(caller, number, n)
        if request.headers.get("X-Part"):
            return shown(passage_part(n, found))
        return shown(passage_page(await self.viewer(caller), number, n, found))

    async def _ask(self, request: web.Request, caller: Caller) -> web.StreamResponse:
        fields = await self.fields(request, caller)
        question = fields.get("question", "").replace("\r\n", "\n")
        if not question.strip():
            raise ProblemError(422, "invalid", "The question is empty")
        if len(question) > MAX_CHARACTERS:
            raise ProblemError(422, "invalid", f"A question has at most {MAX_CHARACTERS:,} characters")
        body = read(AskBody, {"question": question, "conversation": fields.get("conversation") or None})
        asked = await self.asking.accept(caller, body.question, body.conversation, "")
        return sent_to(f"/questions/{asked.number}")

    async def _rate(self, request: web.Request, caller: Caller) -> web.StreamResponse:
        fields = await self.fields(request, caller)
        number = int(request.match_info["number"])
        given = {"number": number, "vote": fields.get("vote", ""), "reason": fields.get("reason") or None}
        body = read(FeedbackBody, given)
        asked = await self.asking.own(caller, number)
        await self.given.actions.rate(asked.number, caller.person, 1 if body.vote == "up" else -1, body.reason)
        return sent_to(f"/questions/{number}?voted=1")

    async def _forget(self, request: web.Request, caller: Caller) -> web.StreamResponse:
        await self.fields(request, caller)
        count = await self.given.actions.memory.forget(caller.person)
        response = sent_to("/history")
        response.set_cookie(
            FORGOTTEN,
            _forgotten_note(str(count), caller),
            max_age=FORGOTTEN_SECONDS,
            path="/history",
            httponly=True,
            secure=self.given.callers.secure,
            samesite="Lax",
        )
        return response

    async def _leave(self, request: web.Request, caller: Caller) -> web.StreamResponse:
        await self.fields(request, caller)
        response = sent_to(OUT)
        await self.given.callers.sign_out(request, response)
        return response

    async def fields(self, request: web.Request, caller: Caller) -> dict[str, str]:
        """The fields of a form of ours. Raises ProblemError for a form of another site."""
        if request.content_type != "application/x-www-form-urlencoded":
            raise ProblemError(415, "media_type", "A form is needed")
        raw = await body_of(request, LARGEST_BODY)
        if isinstance(raw, int):
            raise ProblemError(raw, "body", "The form was not taken")
        try:
            fields = dict(parse_qsl(raw.decode(), keep_blank_values=True, max_num_fields=20))
        except ValueError:
            raise ProblemError(422, "invalid", "The form could not be read") from None
        self.given.callers.check_origin(request, caller, fields.pop(CSRF_FIELD, ""))
        return fields


def _forgotten_note(count: str, caller: Caller) -> str:
    """The value of FORGOTTEN, which holds in the caller's session alone."""
    return f"{count}.{hmac.digest(caller.csrf.encode(), count.encode(errors='replace'), 'sha256').hex()}"


def _navigates(request: web.Request) -> bool:
    """Whether a browser goes to a page; a script of a page cannot sign in, and must not begin to."""
    return request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"


def shown(markup: str, status: int = 200) -> web.Response:
    """A page, or a part of one."""
    return web.Response(text=markup, status=status, content_type="text/html", charset="utf-8", headers=dict(HEADERS))


def shown_problem(problem: ProblemError, viewer: Viewer | None = None) -> web.Response:
    """What went wrong, as a page."""
    words = problem.body.detail or "; ".join(problem.body.errors)
    response = shown(problem_page(problem.body.title, words, viewer), problem.body.status)
    response.headers.update(problem.headers)
    return response


async def _nowhere(_request: web.Request, _caller: Caller) -> web.StreamResponse:
    raise not_found()


def sent_to(path: str) -> web.Response:
    """Sends a browser on."""
    return web.Response(status=303, headers={**HEADERS, "Location": path})


def _static(name: str, kind: str) -> Handler:
    """A file that every page has. It says nothing of anybody."""
    data = files("bot.web.pages").joinpath("static", name).read_bytes()
    tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
    headers = {**HEADERS, "Cache-Control": "no-cache", "ETag": tag}

    async def serve(request: web.Request) -> web.StreamResponse:
        if request.headers.get("If-None-Match") == tag:
            return web.Response(status=304, headers=headers)
        return web.Response(body=data, content_type=kind, charset="utf-8", headers=headers)

    return serve
