"""People and programs who ask the made company over HTTP: every operation of the API, and every page."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import get_args

import httpx

from bot.mcp.http_endpoint import PATH
from bot.web.callers import COOKIE, csrf_of, digest, new_token
from bot.web.operations import API
from domain.web_access import TokenScope
from storage.open import Storage
from tests.attacks.routes_web import PART, pages, table
from tests.flows.conversations.founding import address
from tests.flows.conversations.made_company import ORG, PUBLIC, MadeCompany, Paper
from tests.flows.conversations.overheard import Ear

NOWHERE = 987_654_321
"""The number of no question."""

STRANGERS: Mapping[str, str] = {"eve@example.com": ORG, "sam@partner.example": PUBLIC}
"""Addresses of whom nothing is known but that they are of the organisation, or are not."""

QUERIES: Mapping[str, str] = {"search": "?q=keeper&limit=50", "/operate/graph": "?name=keeper"}
"""Of operations, by name, and pages, by path, that take one."""

BODIES: Mapping[str, str] = {
    "ask": '{"question": " "}',
    "feedback": '{"number": NUMBER, "vote": "down", "reason": "mine"}',
    "reindex": '{"source": "nowhere"}',
    "/ask": "question=",
    "/questions/NUMBER/feedback": "vote=down",
    "/operate/rights": "document=keeper&person=ada%40example.com",
    **{f"/operate/{act}": "source=nowhere" for act in ("read", "prune")},
    "/operate/job": "job=nothing",
    **{f"/operate/{act}": "version=987654321" for act in ("put-to-use", "discard", "roll-back")},
}
"""What operations, by name, and pages, by path, are sent. Real questions are asked by `OverHttp.ask`."""

LAST = frozenset({f"{API}/forget", "/forget", "/sign-out"})
"""After these there is nothing to be asked for any more."""


@dataclass(frozen=True)
class Visit:
    """A request, with NUMBER and ID in the place of what varies."""

    method: str
    path: str
    body: str = ""

    @property
    def is_about_a_question(self) -> bool:
        """Whether it names one."""
        return "NUMBER" in self.path + self.body

    def about(self, number: int) -> "Visit":
        """The same, of that question."""
        return Visit(self.method, self.path.replace("NUMBER", str(number)), self.body.replace("NUMBER", str(number)))


def visits() -> Iterator[Visit]:
    """One of everything that there is; documents are opened by `OverHttp.open`."""
    for each in table():
        body = BODIES[each.name] if each.body else ""
        yield Visit(each.method, API + _named(each.path) + QUERIES.get(each.name, ""), body)
    gets, posts = pages()
    yield from (Visit("GET", path + QUERIES.get(path, "")) for path in map(_named, gets))
    yield from (
        Visit("POST", path, "" if path in LAST else BODIES[path]) for path in map(_named, posts) if path != "/x"
    )


_PARTS: Mapping[str, str] = {"number": "NUMBER", "n": "1", "id": "ID", "rest": "x", "what": "discard"}


def _named(path: str) -> str:
    return PART.sub(lambda part: _PARTS[part[1]], path)


@dataclass(frozen=True)
class WebPerson:
    """Somebody with a token and a session. reader: as the oracle calls them."""

    email: str
    reader: str
    http: httpx.AsyncClient
    token: str
    session: str
    ear: Ear

    async def call(self, method: str, path: str, body: str = "", **headers: str) -> httpx.Response:
        """An operation, or a page. All that comes back is overheard."""
        given = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if not path.startswith((API, PATH)):
            given = {"Cookie": f"{COOKIE}={self.session}", "Content-Type": "application/x-www-form-urlencoded"}
        found = await self.http.request(method, path, content=body or None, headers={**given, **headers})
        self.ear.heard(f"{method} {path}", {self.reader}, f"{found.headers} {found.text}")
        return found

    async def visit(self, visit: Visit) -> tuple[int, str]:
        """Status and body."""
        body = visit.body
        if visit.method == "POST" and not visit.path.startswith(API):
            body += f"&csrf={csrf_of(self.session)}"
        found = await self.call(visit.method, visit.path, body)
        return found.status_code, found.text

    async def finds(self, paper: Paper, method: str) -> list[str]:
        """Ids of documents with the text that stands in this paper alone, of what its words find."""
        found = await self.call("GET", f"{API}/search?q={paper.noun}+{paper.bait}&method={method}&limit=5")
        assert found.status_code == 200, found.text
        return [each["document_id"] for each in found.json()["results"] if paper.text in each["text"]]

    async def ask(self, question: str, **headers: str) -> tuple[int, str]:
        """The number of the question, and all that was replied."""
        reply = await self.call("POST", f"{API}/ask", json.dumps({"question": question}), **headers)
        number = re.search(r'"number": ?(\d+)', reply.text)
        assert number, reply.text
        return int(number[1]), reply.text


@dataclass
class OverHttp:
    """All of them."""

    company: MadeCompany
    people: list[WebPerson]
    admins: frozenset[str] = frozenset({address("ada")})
    documents: dict[Paper, str] = field(default_factory=dict)
    asked: dict[int, WebPerson] = field(default_factory=dict)

    def readable(self, papers: list[Paper]) -> list[Paper]:
        """Those that somebody here may read, and somebody may not."""
        mine = {paper: [self.company.may_read(each.reader, paper) for each in self.people] for paper in papers}
        return [paper for paper in papers if any(mine[paper]) and not all(mine[paper])]

    async def search(self, papers: list[Paper], method: str) -> list[str]:
        """Everybody searches for each of the papers; gives who does not find what they may read."""
        missing = []
        for paper in papers:
            for person, found in zip(self.people, await self._each(paper, method), strict=True):
                for each in found:
                    self.documents[paper] = each
                if self.company.may_read(person.reader, paper) and not found:
                    missing.append(f"{method}: {paper.kind} {paper.guess} to {person.reader}")
        return missing

    async def _each(self, paper: Paper, method: str) -> list[list[str]]:
        return await asyncio.gather(*(person.finds(paper, method) for person in self.people))

    async def open(self, papers: list[Paper]) -> list[str]:
        """Everybody opens documents; gives what is there for who may not read it, or the other way round."""
        wrong = []
        for paper in papers:
            path, nowhere = (f"{API}/documents/{each}" for each in (self.documents[paper], "0" * 32))
            for person in self.people:
                found = await person.call("GET", path)
                expected = paper.text in found.text
                if not self.company.may_read(person.reader, paper):
                    unknown = await person.call("GET", nowhere)
                    expected = (found.status_code, found.text) == (404, unknown.text)
                wrong += [] if expected else [f"{path} to {person.reader}: {found.status_code} {found.text[:300]}"]
        return wrong

    async def ask(self, paper: Paper) -> list[str]:
        """One who may read a paper asks what it answers, and one who may not, as events; gives who is not told."""
        may = [each for each in self.people if self.company.may_read(each.reader, paper)]
        may_not = [each for each in self.people if each not in may]
        number, told = await may[-1].ask(paper.question)
        self.asked[number] = may[-1]
        if may_not:
            other, _ = await may_not[0].ask(paper.question, Accept="text/event-stream")
            self.asked[other] = may_not[0]
        return [] if paper.text in told else [f"{paper.question} to {may[-1].reader}: {told[:600]}"]

    async def visit_everything(self) -> list[str]:
        """Everybody sends every operation and opens every page, of every question that was asked; gives what tells that
        another's question is there."""
        every = [each for each in visits() if "ID" not in each.path]
        await asyncio.gather(*(self._visits(person, every, last=False) for person in self.people))
        wrong = [each for person in self.people for each in await self._tells_of_others(person, every)]
        await asyncio.gather(*(self._visits(person, every, last=True) for person in self.people))
        return wrong

    async def _visits(self, person: WebPerson, every: list[Visit], *, last: bool) -> None:
        for each in every:
            if (each.path in LAST) is last and not each.is_about_a_question:
                await person.visit(each)

    async def _tells_of_others(self, person: WebPerson, every: list[Visit]) -> list[str]:
        """What answers somebody otherwise for another's question than for none."""
        wrong = []
        for visit in (each for each in every if each.is_about_a_question):
            nothing = await person.visit(visit.about(NOWHERE))
            for number, asker in self.asked.items():
                found = await person.visit(visit.about(number))
                if asker != person and person.email not in self.admins and found != nothing:
                    wrong.append(f"{visit} of {asker.reader} to {person.reader}: {found}"[:600])
        return wrong


@asynccontextmanager
async def over_http(base: str, storage: Storage, ear: Ear, people: Sequence[str]) -> AsyncIterator[OverHttp]:
    """Inside, these people of the company and strangers have a token for everything, and are signed in."""
    company, until = ear.company, datetime.now(UTC) + timedelta(days=1)
    readers = {**{address(each): each for each in people}, **STRANGERS}
    scopes: frozenset[TokenScope] = frozenset(get_args(TokenScope))
    found = OverHttp(company, [])
    async with httpx.AsyncClient(base_url=base, timeout=60, trust_env=False) as http:
        for email, reader in readers.items():
            token, session = new_token(), new_token()
            await storage.api_tokens().add("made", email, scopes, token[:9], digest(token), until)
            await storage.web_sessions().begin(digest(session), email, 3600)
            found.people.append(WebPerson(email, reader, http, token, session, ear))
        yield found
