"""What serves the pages to operate: only administrators get in, as in the API."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from aiohttp import web

from bot.http_listener import Handler
from bot.web.administering import WebAdministering, since_of
from bot.web.callers import Caller
from bot.web.models import Body, ReindexBody, SinceQuery
from bot.web.operating_models import SettingCard
from bot.web.operations import masked, read
from bot.web.operator_port import OperatorPort
from bot.web.pages.layout import Viewer
from bot.web.pages.operate.confirm_page import CONFIRMED, confirm_page
from bot.web.pages.operate.gaps_page import gaps_page
from bot.web.pages.operate.graph_page import graph_page
from bot.web.pages.operate.index_page import index_page, run_page, running_part
from bot.web.pages.operate.rights_page import rights_page
from bot.web.pages.operate.settings_page import settings_page
from bot.web.pages.operate.use_page import use_page
from bot.web.pages.routes import NUMBER, Routes, WebPages, sent_to, shown
from bot.web.problems import ProblemError, not_found
from domain.audit import EVERY_SOURCE
from domain.errors import Refused
from domain.text.encodable import encodable

RUNS = 20
LONGEST_NAME = 500
"""Characters of what is looked for."""

B = TypeVar("B", bound=Body)
Seen = Callable[[web.Request, Caller, Viewer], Awaitable[web.StreamResponse]]
Act = Callable[[Caller, Mapping[str, str]], Awaitable[str]]
"""Does something by the fields of a form; gives where the browser goes on to."""


@dataclass(frozen=True)
class OperatePages:
    """The pages to operate, beside the others."""

    pages: WebPages

    def routes(self) -> tuple[Routes, Routes]:
        """What answers GET and POST, by path; to be asked before those of the other pages."""
        gets: Routes = {
            "/operate": self._seen(self._index),
            "/operate/running": self._seen(self._running),
            f"/operate/runs/{NUMBER}": self._seen(self._run),
            "/operate/use": self._seen(self._use),
            "/operate/gaps": self._seen(self._gaps),
            "/operate/rights": self._seen(self._rights),
            "/operate/graph": self._seen(self._graph),
            "/operate/settings": self._seen(self._settings),
            "/operate/confirm/{what:[a-z-]{1,20}}": self._seen(self._confirm),
        }
        posts: Routes = {
            "/operate/rights": self.pages.page(self._explain),
            "/operate/read": self._acts(self._read),
            "/operate/prune": self._acts(self._prune),
            "/operate/job": self._acts(self._job),
            "/operate/put-to-use": self._acts(self._put_to_use),
            "/operate/discard": self._acts(self._discard),
            "/operate/roll-back": self._acts(self._roll_back),
        }
        return gets, posts

    @property
    def _operator(self) -> OperatorPort:
        return self.pages.given.operator

    @property
    def _administering(self) -> WebAdministering:
        return WebAdministering(self.pages.given)

    def _seen(self, serve: Seen) -> Handler:
        async def handle(request: web.Request, caller: Caller) -> web.StreamResponse:
            await self._administering.check(caller)
            return await serve(request, caller, await self.pages.viewer(caller))

        return self.pages.page(handle)

    def _acts(self, act: Act) -> Handler:
        """Serves a form: its token is checked first, then whose it is."""

        async def handle(request: web.Request, caller: Caller) -> web.StreamResponse:
            fields = await self.pages.fields(request, caller)
            await self._administering.check(caller)
            return sent_to(await act(caller, fields))

        return self.pages.page(handle)

    def _masked(self, body: B) -> B:
        return masked(body, self.pages.given.conversations.masker.mask)

    def _without_secrets(self, body: B) -> B:
        """For what names people and settings, which an operator has to be able to read."""
        return masked(body, self.pages.given.conversations.masker.secrets)

    async def _index(self, request: web.Request, caller: Caller, viewer: Viewer) -> web.StreamResponse:  # noqa: ARG002 - all see the same
        found = self._masked(await self._operator.overview(RUNS))
        return shown(index_page(viewer, found, request.query.get("done", "")))

    async def _running(self, request: web.Request, caller: Caller, viewer: Viewer) -> web.StreamResponse:  # noqa: ARG002 - as above
        return shown(running_part([self._masked(each) for each in await self._operator.runs(RUNS)]))

    async def _run(self, request: web.Request, caller: Caller, viewer: Viewer) -> web.StreamResponse:  # noqa: ARG002 - as above
        try:
            note = await self._operator.run(int(request.match_info["number"]))
        except Refused:
            raise not_found() from None
        return shown(run_page(viewer, self._masked(note)))

    async def _use(self, request: web.Request, caller: Caller, viewer: Viewer) -> web.StreamResponse:  # noqa: ARG002 - as above
        query = read(SinceQuery, dict(request.query))
        stats = await self._operator.stats(since_of(query))
        return shown(use_page(viewer, stats, query.days))

    async def _gaps(self, request: web.Request, caller: Caller, viewer: Viewer) -> web.StreamResponse:
        query = read(SinceQuery, dict(request.query))
        scope = await self.pages.given.actions.scope(caller.person)
        gaps = await self._operator.gaps(since_of(query), query.limit, scope)
        return shown(gaps_page(viewer, self._masked(gaps), query.days))

    async def _rights(self, request: web.Request, caller: Caller, viewer: Viewer) -> web.StreamResponse:  # noqa: ARG002 - nothing is asked for
        return shown(rights_page(viewer))

    async def _explain(self, request: web.Request, caller: Caller) -> web.StreamResponse:
        fields = await self.pages.fields(request, caller)
        await self._administering.check(caller)
        viewer = await self.pages.viewer(caller)
        document, person = _typed(fields, "document"), _typed(fields, "person")
        found = await self._operator.documents(document, await self.pages.given.actions.scope(caller.person))
        if len(found) != 1:
            choices = [self._masked(each) for each in found]
            return shown(rights_page(viewer, document, person, choices=choices))
        rights = self._without_secrets(await self._operator.rights(found[0], person))
        return shown(rights_page(viewer, document, person, rights=rights))

    async def _graph(self, request: web.Request, caller: Caller, viewer: Viewer) -> web.StreamResponse:
        given = self.pages.given
        name = given.conversations.masker.secrets(encodable(request.query.get("name", "")[:LONGEST_NAME])).text.strip()
        found = await self._operator.around(name, await given.actions.scope(caller.person)) if name else []
        return shown(graph_page(viewer, name, [self._masked(each) for each in found]))

    async def _settings(self, request: web.Request, caller: Caller, viewer: Viewer) -> web.StreamResponse:  # noqa: ARG002 - as above
        rows: list[SettingCard] = [self._without_secrets(each) for each in self._operator.settings()]
        return shown(settings_page(viewer, rows))

    async def _confirm(self, request: web.Request, caller: Caller, viewer: Viewer) -> web.StreamResponse:  # noqa: ARG002 - as above
        what = request.match_info["what"]
        if what not in CONFIRMED:
            raise not_found()
        if CONFIRMED[what].field == "version":
            return shown(confirm_page(viewer, what, str(_version(request.query))))
        about = _one_source(request.query)
        try:
            await self.pages.given.actions.check_source(about)
        except Refused:
            raise not_found() from None
        return shown(confirm_page(viewer, what, about))

    async def _read(self, caller: Caller, fields: Mapping[str, str]) -> str:
        body = read(ReindexBody, {"source": fields.get("source", "")})
        return await self._queue(caller, body.source, prune_confirmed=False)

    async def _prune(self, caller: Caller, fields: Mapping[str, str]) -> str:
        source = _one_source(fields)
        going = [each for each in await self._operator.runs(RUNS) if (each.source, each.state) == (source, "running")]
        if any(each.kind != "permissions" for each in going):
            raise ProblemError(
                409, "busy", "The source is being read", "Look again at what is missing when that is over."
            )
        return await self._queue(caller, source, prune_confirmed=True)

    async def _queue(self, caller: Caller, source: str, *, prune_confirmed: bool) -> str:
        queued = await self._administering.queued(caller, source, prune_confirmed=prune_confirmed)
        return f"/operate?done={'queued' if queued else 'waits'}"

    async def _job(self, caller: Caller, fields: Mapping[str, str]) -> str:
        await self._operator.queue(_typed(fields, "job"), caller.person)
        return "/operate?done=queued"

    async def _put_to_use(self, caller: Caller, fields: Mapping[str, str]) -> str:
        await self._operator.put_to_use(_version(fields), caller.person)
        return "/operate?done=put-to-use"

    async def _discard(self, caller: Caller, fields: Mapping[str, str]) -> str:
        await self._operator.discard(_version(fields), caller.person)
        return "/operate?done=discard"

    async def _roll_back(self, caller: Caller, fields: Mapping[str, str]) -> str:
        await self._operator.roll_back(_version(fields), caller.person)
        return "/operate?done=roll-back"


def _typed(fields: Mapping[str, str], name: str) -> str:
    """A field's text. Raises ProblemError where there is none."""
    text = encodable(fields.get(name, "").strip())
    if not 0 < len(text) <= LONGEST_NAME:
        raise ProblemError(422, "invalid", f"The field {name} takes 1 to {LONGEST_NAME} characters")
    return text


def _one_source(fields: Mapping[str, str]) -> str:
    """The name of a source: what is missing is confirmed of one at a time. Raises ProblemError."""
    source = read(ReindexBody, {"source": encodable(fields.get("source", ""))}).source
    if source == EVERY_SOURCE:
        raise ProblemError(422, "invalid", "Name one source")
    return source


def _version(fields: Mapping[str, str]) -> int:
    """The number of an index version. Raises ProblemError where it is none."""
    text = fields.get("version", "")
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ProblemError(422, "invalid", "There is no such index version")
    return int(text)
