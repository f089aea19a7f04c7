"""Programs of people who ask the made company by the Model Context Protocol: every tool, by requests made by hand."""

import json
from dataclasses import dataclass
from typing import Any

from bot.mcp.http_endpoint import PATH
from bot.mcp.tools import TOOLS
from tests.flows.conversations.made_company import Paper
from tests.flows.conversations.over_http import OverHttp, WebPerson


@dataclass(frozen=True)
class OverMcp:
    """All of them. http: the same people over HTTP; it learns which documents there are, and who asked what."""

    http: OverHttp

    async def call_everything(self, papers: list[Paper], asked: list[Paper]) -> list[str]:
        """Everybody searches for each of the papers, and opens and goes round those that the first people may read and
        others may not; of `asked`, one who may read it and one who may not ask for it. Gives who is not told what they
        may read, and what tells that there is something which they may not."""
        tools = {"search": self._search, "read_document": self._open, "related": self._open, "ask": self._ask}
        assert tools.keys() == TOOLS.keys(), "a tool that nobody tries here"
        wrong = [each for paper in papers for each in await self._search("search", paper)]
        for name in ("read_document", "related"):
            for paper in self.http.readable(papers):
                wrong += await self._open(name, paper)
        for paper in asked:
            wrong += await self._ask("ask", paper)
        return wrong

    async def _search(self, name: str, paper: Paper) -> list[str]:
        wrong = []
        for person in self.http.people:
            found = await called(person, name, q=f"{paper.noun} {paper.bait}", method="lexical", limit=5)
            hits = [hit["document_id"] for hit in found["structuredContent"]["results"] if paper.text in hit["text"]]
            if hits:
                self.http.documents[paper] = hits[0]
            elif self._may(person, paper):
                wrong.append(f"{name}: {paper.kind} {paper.guess} to {person.reader}")
        return wrong

    async def _open(self, name: str, paper: Paper) -> list[str]:
        wrong = []
        for person in self.http.people:
            found = await called(person, name, document_id=self.http.documents[paper])
            nothing = await called(person, name, document_id="0" * 32)
            assert nothing["isError"], nothing
            if self._may(person, paper) is found["isError"] or (found["isError"] and found != nothing):
                wrong.append(f"{name} of {paper.kind} {paper.guess} to {person.reader}: {found}"[:600])
        return wrong

    async def _ask(self, name: str, paper: Paper) -> list[str]:
        wrong = []
        may = [each for each in self.http.people if self._may(each, paper)]
        may_not = [each for each in self.http.people if each not in may]
        for person in (*may[-1:], *may_not[:1]):
            found = await called(person, name, question=paper.question)
            self.http.asked[found["structuredContent"]["number"]] = person
            if person in may and paper.text not in str(found):
                wrong.append(f"{paper.question} to {person.reader}: {found}"[:600])
        return wrong

    def _may(self, person: WebPerson, paper: Paper) -> bool:
        return self.http.company.may_read(person.reader, paper)


async def called(person: WebPerson, name: str, **given: object) -> Any:
    """The result of a tool. All that the server sends is overheard, progress too."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": given}}
    reply = await person.call("POST", PATH, json.dumps(request), Accept="application/json, text/event-stream")
    lines = (line.removeprefix("data: ") for line in reply.text.splitlines() if line.startswith("data: {"))
    results = [each["result"] for each in map(json.loads, lines) if each.get("id") == 1]
    assert len(results) == 1, reply.text
    return results[0]
