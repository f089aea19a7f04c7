"""The operations of the HTTP API, version 1, and what serves them."""

from dataclasses import dataclass

from aiohttp import web

from bot.http_listener import Handler
from bot.web.administering import WebAdministering
from bot.web.administering_models import Gaps, Queued, Runs, Sources, Stats
from bot.web.asking import WebAsking
from bot.web.dependencies import WebDependencies
from bot.web.description import description
from bot.web.models import (
    AskBody,
    DocumentQuery,
    FeedbackBody,
    LimitQuery,
    OutcomeEvent,
    ReindexBody,
    RelatedQuery,
    Reply,
    SearchQuery,
    SinceQuery,
)
from bot.web.operations import API, HEADERS, Operation, handler, met
from bot.web.problems import ProblemError, not_found
from bot.web.reading import WebReading
from bot.web.reading_models import (
    DocumentBody,
    Done,
    Forgotten,
    History,
    PassageBody,
    QuestionBody,
    RelatedDocuments,
    SearchResults,
)

_NUMBER = r"{number:[1-9][0-9]{0,17}}"
_PASSAGE = f"/questions/{_NUMBER}/sources/{{n:[1-9][0-9]{{0,2}}}}"
_DOCUMENT = "/documents/{id:[A-Za-z0-9_-]{1,200}}"


def operations(asking: WebAsking, reading: WebReading, administering: WebAdministering) -> tuple[Operation, ...]:
    """All of them."""
    return (
        Operation(
            *("ask", "POST", "/ask", "Ask a question", "ask", Reply, asking.ask),
            body=AskBody,
            streams=True,
            slow=True,
            description="With Accept: text/event-stream it answers with events, else with one JSON object at the end.",
        ),
        Operation(
            *("history", "GET", "/questions", "Your last questions", "ask", History),
            *(lambda call: reading.past(call.caller, call.query.limit), LimitQuery),
        ),
        Operation(
            *("question", "GET", f"/questions/{_NUMBER}", "A question, its outcome and its trace", "ask"),
            *(QuestionBody, reading.question),
            description="Your own; for administrators also others', without what was replied.",
        ),
        Operation(
            *("follow", "GET", f"/questions/{_NUMBER}/events", "Follow a question of yours", "ask"),
            *(OutcomeEvent, asking.follow),
            streams=True,
            description="From its state of now on; an outcome that is there already comes at once.",
        ),
        Operation(
            *("passage", "GET", _PASSAGE, "The passage behind [n]", "ask", PassageBody),
            lambda call: reading.cited(call.caller, int(call.path("number")), int(call.path("n"))),
        ),
        Operation(
            *("feedback", "POST", "/feedback", "Say what you think of a reply", "ask", Done, asking.rate),
            body=FeedbackBody,
        ),
        Operation(
            *("forget", "POST", "/forget", "Have your questions forgotten", "ask", Forgotten, asking.forget),
            description="Those that have ended, with their replies and what you said of these.",
        ),
        Operation(
            *("search", "GET", "/search", "Search passages", "search", SearchResults),
            *(lambda call: reading.found(call.caller, call.query), SearchQuery),
        ),
        Operation(
            *("document", "GET", _DOCUMENT, "A document, part after part", "search"),
            *(DocumentBody, lambda call: reading.parts(call.caller, call.path("id"), call.query), DocumentQuery),
        ),
        Operation(
            *("related", "GET", f"{_DOCUMENT}/related", "What a document hangs together with"),
            *("search", RelatedDocuments),
            *(lambda call: reading.around(call.caller, call.path("id"), call.query), RelatedQuery),
        ),
        Operation("sources", "GET", "/sources", "The sources you may read", "search", Sources, administering.sources),
        Operation("runs", "GET", "/runs", "The latest index runs", "operate", Runs, administering.runs, LimitQuery),
        Operation(
            *("reindex", "POST", "/reindex", "Have a source read again", "operate", Queued, administering.reindex),
            body=ReindexBody,
            status=202,
        ),
        Operation("gaps", "GET", "/gaps", "What has no answer", "operate", Gaps, administering.gaps, SinceQuery),
        Operation("stats", "GET", "/stats", "How it is used", "operate", Stats, administering.stats, SinceQuery),
    )


Routes = dict[str, Handler]


@dataclass(frozen=True, slots=True)
class ApiRoutes:
    """What answers GET, POST and other methods, by path."""

    gets: Routes
    posts: Routes
    others: Routes


def api_routes(given: WebDependencies, asking: WebAsking, reading: WebReading) -> ApiRoutes:
    """What serves the API."""
    rows = operations(asking, reading, WebAdministering(given))
    masker = given.conversations.masker
    by_method: dict[str, Routes] = {"GET": {}, "POST": {}}
    for each in rows:
        by_method[each.method][API + each.path] = handler(each, given.callers, masker)
    described = description(rows)

    @met
    async def describe(request: web.Request) -> web.StreamResponse:
        given.callers.check_host(request)
        return web.json_response(described, headers=dict(HEADERS))

    by_method["GET"][f"{API}/openapi.json"] = describe
    others = {path: refusing("GET, HEAD") for path in by_method["GET"]}
    others |= {path: refusing("POST") for path in by_method["POST"]}
    others[f"{API}/{{rest:(?s:.*)}}"] = _nowhere
    return ApiRoutes(by_method["GET"], by_method["POST"], others)


def refusing(allowed: str) -> Handler:
    """What answers a method that a path has not."""

    @met
    async def refuse(_request: web.Request) -> web.StreamResponse:
        raise ProblemError(405, "method", "There is no such method here", headers={"Allow": allowed})

    return refuse


@met
async def _nowhere(_request: web.Request) -> web.StreamResponse:
    raise not_found()
