"""What leaves the product in a conversation: each text with those who read it, and the canaries that they may not."""

import inspect
import json
import logging
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, cast

from agent.rights import RightsCheck
from agent.service import AnswerService
from domain.access import ORG as ORGANISATION
from domain.access import Scope
from domain.answers import Progress, Question, ReplyPart
from domain.masked_answer import MaskedAnswer
from domain.model_ports import ReplyCache
from storage.open import Storage
from tests.flows.conversations.made_company import ORG, PUBLIC, MadeCompany

NOBODY_KNOWN = frozenset({PUBLIC})
"""Readers of what operators see: nobody in particular."""

MARK = "(in the week of {})"

PRODUCT = frozenset({"agent", "bot", "config", "domain", "indexer", "migrations", "net", "storage"})
"""The packages whose log is looked at from DEBUG on; of libraries from INFO on, which is all that `kb -v` shows."""


@dataclass(frozen=True)
class Told:
    """A text that left. where: reply, tool, trace, log … readers: all who get it."""

    where: str
    readers: frozenset[str]
    text: str


@dataclass
class Ear:
    """Collects what left. company: as it is now. rules: all that held since the last look; what left in between was
    right if it was so by one of them. told: all of it. misses: of the canaries, for a test of this class."""

    company: MadeCompany
    rules: list[MadeCompany] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)

    def __post_init__(self) -> None:
        papers = enumerate(self.company.papers)
        self._papers = {word: number for number, paper in papers for word in paper.canaries}
        self._any = re.compile("|".join(self._papers))
        self._seen: set[Told] = set()
        self.changed()

    def changed(self) -> None:
        """Rights were changed just now."""
        self.rules.append(self.company.rules())

    def settled(self) -> None:
        """All that was under way has ended, and the product knows of every change: from now on only what is so now."""
        self.rules = [self.company.rules()]

    def heard(self, where: str, readers: Iterable[str], text: str) -> None:
        """Something left."""
        self.told.append(Told(where, frozenset(readers), text))

    def canaries(self, text: str) -> set[str]:
        """Those that stand in a text, in whatever case."""
        return set(self._any.findall(text.casefold()))

    def passed(self) -> None:
        """What left until now was looked at, or is seen by somebody who came later."""
        self._seen.update(self.told)
        self.told.clear()

    def leaks(self) -> list[str]:
        """What of all that left since the last look its readers may not read."""
        found = []
        for each in dict.fromkeys(self.told):
            if each not in self._seen:
                self._seen.add(each)
                denied = [word for word in sorted(self.canaries(each.text)) if not self._right(word, each.readers)]
                found += [f"{each.where} to {sorted(each.readers)}: {self._shown(word, each)}" for word in denied]
        self.told.clear()
        return found

    def _right(self, word: str, readers: frozenset[str]) -> bool:
        number = self._papers[word]
        return any(all(rules.may_read(who, rules.papers[number]) for who in readers) for rules in self.rules)

    def _shown(self, word: str, told: Told) -> str:
        paper, at = self.company.papers[self._papers[word]], told.text.casefold().index(word)
        return f"{word} of the {paper.kind} {paper.guess!r} in …{told.text[max(0, at - 300) : at + 100]}…"


def readers_of(scope: Scope) -> frozenset[str]:
    """Who reads what is made for a scope."""
    people = {each.id.partition("@")[0] for each in scope.asker if each.kind == "user"}
    asker = people or {ORG if ORGANISATION in scope.asker else PUBLIC}
    if scope.audience is None:
        return frozenset(asker)
    return frozenset(asker | {ORG if ORGANISATION in scope.audience else PUBLIC})


Swap = Callable[[str, Scope], Scope]
"""Takes the place of a scope that a port is given; for faults that tests make. The first: the port's method."""


@dataclass
class OverheardPort:
    """A port whose results are noted, with those for whom they are."""

    port: Any
    ear: Ear
    swap: Swap

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.port, name)
        if not inspect.iscoroutinefunction(method):
            return method

        async def called(*args: object, **named: object) -> object:
            scope = next((each for each in (*args, *named.values()) if isinstance(each, Scope)), None)
            if scope is None:
                return await method(*args, **named)
            other = self.swap(name, scope)
            given = [other if each is scope else each for each in args]
            found = await method(*given, **{key: other if each is scope else each for key, each in named.items()})
            self.ear.heard(f"tool result ({name})", readers_of(scope), repr(found))
            return found

        return called


ANSWERED: ContextVar[frozenset[str]] = ContextVar("answered", default=NOBODY_KNOWN)
"""Who reads the answer that the code works on."""


@dataclass
class OverheardReplies(ReplyCache):
    """The kept replies of a model. Each is noted with those whose answer it is used for. readers: these, by key."""

    replies: ReplyCache
    ear: Ear
    readers: defaultdict[bytes, set[frozenset[str]]]

    async def get(self, key: bytes) -> str | None:
        """See ReplyCache."""
        found = await self.replies.get(key)
        if found:
            self._used(key, found)
        return found

    async def put(self, key: bytes, reply: str) -> None:
        """See ReplyCache."""
        self._used(key, reply)
        await self.replies.put(key, reply)

    def _used(self, key: bytes, reply: str) -> None:
        self.readers[key].add(ANSWERED.get())
        self.ear.heard("kept reply of a model", ANSWERED.get(), reply)


@dataclass
class OverheardStorage:
    """The store, with overheard ports for all that tools search in, and for kept replies. kept_for: see
    OverheardReplies."""

    storage: Storage
    ear: Ear
    swap: Swap = lambda _method, scope: scope
    kept_for: defaultdict[bytes, set[frozenset[str]]] = field(default_factory=lambda: defaultdict(set))

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.storage, name)
        if name == "reply_cache":
            return lambda **named: OverheardReplies(found(**named), self.ear, self.kept_for)
        if name == "replicated":
            return lambda: replace(self, storage=found())
        if name not in {"search", "grep", "document_catalog", "graph_search", "propositions"}:
            return found
        return lambda *args, **named: OverheardPort(found(*args, **named), self.ear, self.swap)

    @property
    def as_storage(self) -> Storage:
        """For who takes a store."""
        return cast("Storage", self)


@dataclass
class OverheardAnswers:
    """The agent. All that it gives for a question is noted, traces too.

    marks: who reads the reply, by the mark that was put behind the question, so that requests to a model tell for whom
    they are made; None for no marks, which a search without a model would take for words of the question.
    """

    answers: AnswerService
    ear: Ear
    marks: dict[str, frozenset[str]] | None = None

    async def ask(self, question: Question) -> MaskedAnswer:
        """See AnswerService."""
        async for event in self.stream(question):
            if isinstance(event, MaskedAnswer):
                return event
        raise AssertionError("a stream of answers ends with an outcome")

    async def stream(self, question: Question) -> AsyncIterator[Progress | ReplyPart | MaskedAnswer]:
        """See AnswerService."""
        readers = readers_of(question.scope)
        ANSWERED.set(readers)
        if self.marks is not None:
            mark = f"kw{len(self.marks)}"
            self.marks[mark] = readers
            question = replace(question, text=f"{question.text} {MARK.format(mark)}")
        async for event in self.answers.stream(question):
            if isinstance(event, MaskedAnswer):
                self.ear.heard("trace", readers, repr(event.outcome.trace))
            self.ear.heard("answer", readers, repr(event))
            yield event

    def rights(self, scope: Scope) -> RightsCheck:
        """See AnswerService."""
        return self.answers.rights(scope)


class OverheardLog(logging.Handler):
    """Notes what is logged, with its traceback."""

    def __init__(self, ear: Ear) -> None:
        super().__init__(logging.DEBUG)
        self._ear = ear
        self._lines = logging.Formatter()

    def emit(self, record: logging.LogRecord) -> None:
        """Notes one. Nobody in particular reads a log."""
        self._ear.heard(f"log ({record.name})", NOBODY_KNOWN, self._lines.format(record))


def as_text(value: object) -> str:
    """A value of JSON, with all letters as they are."""
    return json.dumps(value, ensure_ascii=False, default=str)


def without_swap(_method: str, scope: Scope) -> Scope:
    """No fault."""
    return scope


def as_if_alone(scope: Scope, insider: Scope) -> Scope:
    """The scope of somebody who reads more."""
    return replace(insider, audience=None) if scope != insider else scope


def first_lines(leaks: Sequence[str], most: int = 8) -> str:
    """For the message of a test that fails."""
    return "\n".join([f"{len(leaks)} leaks", *leaks[:most]])
