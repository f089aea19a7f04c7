"""Whatever happens to rights in whatever order, nobody gets anything of a document that an oracle denies them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from agent.retrieval.selection import read_now
from domain.answers import Turn
from domain.search import Passage
from indexer.run.dependencies import RunOptions
from tests.command import database_url
from tests.fakes.atlassian import Fault
from tests.flows.atlassian.company_sync import DESK, WIKI
from tests.property.rights.bench import GUEST, PEOPLE, PLACES, Bench, Reader
from tests.property.rights.company import OF_PEOPLE, OF_THE_DESK, OF_THE_WIKI, Change
from tests.property.rights.oracle import ANYBODY, Names, Told, admits, told

READERS = [Reader(person, place) for person in (*PEOPLE, GUEST) for place in PLACES]
ALONE = [each for each in READERS if each.place == "asker"]
ADDRESSES = [each.address for each in ALONE if each.person != GUEST]
ALL = RunOptions(prune_max_share=1.0)
RIGHTS = RunOptions(permissions=True, prune_max_share=1.0)
ENDED, TOO_LATE = "the process ends", "nobody reads for hours"
REFUSED = ["restriction|permission|role|securitylevel", "group|user|member", "pages|search|issue", ""]
WRONG: list[str | tuple[Fault, str]] = [
    *(ENDED, ENDED, TOO_LATE),
    *((Fault.forbidden(), where) for where in REFUSED),
    (Fault.wrong(), "restriction|permission|role|group"),
]
INDEX_TOOLS = {
    "hybrid_search": "query",
    "vector_search": "query",
    "keyword_search": "query",
    "proposition_search": "query",
    "graph_related": "query",
    "grep_search": "pattern",
    "document_lookup": "document",
    "local_file_qa": "name",
    "read_file": "path",
}
"""Tools that read the index, with their argument."""
EXACT = {"keyword_search", "grep_search"}
"""Those that surely find a document by a word of it."""
BY_NAME = {"grep_search", "document_lookup", "read_file"}
"""Those that find nothing but what is asked for."""
NOWHERE = "canary100x"
"""A word of no document."""

numbers = st.integers(0, 59)
readers = st.sampled_from(READERS)
products = st.sampled_from([WIKI, DESK])
runs = st.sampled_from([RIGHTS, RIGHTS, RIGHTS, ALL])


class RightsMachine(RuleBasedStateMachine):
    """The company, the product and the oracle.

    steps: taken so far. compared: how many pairs of a reader and an indexed document the oracle was asked about.
    said: by product, what it said when it was last read as a whole, and at each attempt since then. old: products of
    which nothing may be shown, because their rights were not read for too long.
    """

    bench: Bench
    steps = 0
    compared = 0

    @initialize()
    def begin(self) -> None:
        self.run = self.bench.run
        self.run(self.bench.begin())
        self.said: dict[str, list[Told]] = {}
        self.old: set[str] = set()
        self.held: dict[str, str] = {}
        self.kept: list[Passage] = []
        self.turns: defaultdict[tuple[object, ...], list[Turn]] = defaultdict(list)
        self.views: dict[str, tuple[set[str], set[str]]] = {}
        self.turn = 0
        for name in (WIKI, DESK):
            self._read(name, ALL)
        self._everybody()
        self._remember(Reader(PEOPLE[0], "organisation"), Turn("What is said?", "Something."))

    # what the company does

    @rule(change=st.sampled_from(OF_PEOPLE), a=numbers, b=numbers, c=numbers)
    def people(self, change: Change, a: int, b: int, c: int) -> None:
        self._change(change, a, b, c)

    @rule(change=st.sampled_from(OF_THE_WIKI), a=numbers, b=numbers, c=numbers)
    def wiki(self, change: Change, a: int, b: int, c: int) -> None:
        self._change(change, a, b, c)

    @rule(change=st.sampled_from(OF_THE_DESK), a=numbers, b=numbers, c=numbers)
    def desk(self, change: Change, a: int, b: int, c: int) -> None:
        self._change(change, a, b, c)

    def _change(self, change: Change, a: int, b: int, c: int) -> None:
        self._step()
        with self.bench.at.world.lock:
            change(self.bench.company, a, b, c)

    # what the product reads

    @rule(name=products, options=runs)
    def read(self, name: str, options: RunOptions) -> None:
        self._step()
        self._read(name, options)
        self._some_of_them()

    def _read(self, name: str, options: RunOptions) -> None:
        report = self.run(self.bench.read(name, options))
        assert report.complete, report
        assert not [*report.unreadable, *report.failed, *report.skipped], report
        self.said[name] = [self._now(name)]
        self.old.discard(name)
        self.held = self.run(self.bench.held())

    @rule(name=products, options=runs, wrong=st.sampled_from(WRONG), after=st.integers(0, 20))
    def read_wrongly(self, name: str, options: RunOptions, wrong: "str | tuple[Fault, str]", after: int) -> None:
        """Requests fail, the process ends at some request, or nobody reads anything for hours."""
        self._step()
        if wrong == TOO_LATE:
            self.run(self.bench.grow_old(name))
            self.old.add(name)
        elif isinstance(wrong, str):
            self.run(self.bench.read_broken(name, options, after))
            self._attempted(name)
        else:
            self.run(self.bench.read_failing(name, options, *wrong, seed=after))
            self._attempted(name)
        self._some_of_them()

    def _attempted(self, name: str) -> None:
        self.said[name].append(self._now(name))
        self.old.discard(name)  # parts may be told of anew
        self.held = self.run(self.bench.held())

    # what people ask

    @rule(reader=readers, tool=st.sampled_from(sorted(INDEX_TOOLS)), which=numbers)
    def ask(self, reader: Reader, tool: str, which: int) -> None:
        self._step()
        self._ask(reader, tool, *self._any(which))

    def _ask(self, reader: Reader, tool: str, document: str, word: str) -> None:
        asked = word if tool in EXACT else f"Page {word}" if document.startswith("page:") else f"walrus {word}"
        outcome = self.run(self.bench.call(reader, tool, {INDEX_TOOLS[tool]: asked}, word))
        assert not outcome.call.error, outcome
        may = self._open_to(reader)
        passages = [item.passage for item in outcome.result.found]
        found = {self.held[each.document_id] for each in passages}
        assert found <= may, (found - may, outcome)
        self._no_word_of_others(may, f"{outcome.result.found} {outcome.result.note.replace(asked, '')}")
        if tool in EXACT and self._exact(document) and document in may & set(self.held.values()):
            assert document in found, outcome
        if tool in BY_NAME and document not in may:  # as if it were not there
            nowhere = self.run(
                self.bench.call(reader, tool, {INDEX_TOOLS[tool]: asked.replace(word, NOWHERE)}, NOWHERE)
            )
            said, expected = (str(each.result).replace(asked, "") for each in (outcome, nowhere))
            assert said == expected.replace(asked.replace(word, NOWHERE), ""), outcome
        self.kept = passages[:8] or self.kept
        if passages:
            self._remember(reader, Turn(f"What of {word}?", passages[0].text))

    @rule(reader=readers, which=numbers)
    def ask_the_source(self, reader: Reader, which: int) -> None:
        """jira_fetch and confluence_fetch: rights of now, for the people as they were when these were last read."""
        self._step()
        document, word = self._any(which)
        kind, number = document.split(":")
        if kind == "comment":
            return
        world = self.bench.at.world
        tool = (
            ("confluence_fetch", {"page": number})
            if kind == "page"
            else ("jira_fetch", {"key": world.issues[number].key})
        )
        outcome = self.run(self.bench.call(reader, *tool, word))
        may = self._open_at_source(reader)
        assert document in may or not outcome.result.found, outcome
        self._no_word_of_others(may, f"{outcome.result.found} {outcome.result.note}")
        if document in may and self._exact(document):
            assert word in str(outcome.result.found), outcome
        self.kept = [item.passage for item in outcome.result.found][:8] or self.kept

    @precondition(lambda self: self.kept)
    @rule(reader=readers)
    def show(self, reader: Reader) -> None:
        """The last check of a reply made earlier, for who reads it now: the asker, or those that it is shared with."""
        self._step()
        left, check = self.run(self.bench.still_open(reader, self.kept))
        indexed, live = self._open_to(reader), self._open_at_source(reader)
        urls = list(dict.fromkeys(each.url for each in self.kept))[:1]
        for each in left:
            document = self.held.get(each.document_id)
            assert read_now(each) or document in indexed, each
            if each.url in urls and each.url not in check.unchecked and document:
                assert document in live, each
        self._no_word_of_others(indexed | live, str(left))

    def _remember(self, reader: Reader, turn: Turn) -> None:
        if len(self.turns[_where(reader)]) < 3:
            self.run(self.bench.remember(reader, turn))
            self.turns[_where(reader)].append(turn)

    # what must hold

    @invariant()
    def one_reader_after_the_other(self) -> None:
        reader = READERS[self.turn % len(READERS)]
        seen = self._finds_neither_too_much_nor_too_little(reader)
        assert self.run(self.bench.counted(reader.scope)) == len(seen), reader
        # what is kept under one key is one view: a cache shows nobody what was made for others
        key = self.run(self.bench.product.search.visibility_key(reader.scope))
        there = set(self.held.values())
        before, then = self.views.setdefault(key, (seen, there))
        assert before & there == seen & then, reader
        # memory is of one person in one place
        assert list(self.run(self.bench.remembered(reader))) == self.turns[_where(reader)], reader

    def _finds_neither_too_much_nor_too_little(self, reader: Reader) -> set[str]:
        seen = {self.held[each] for each in self.run(self.bench.listed(reader.scope))}
        may = self._open_to(reader) & set(self.held.values())
        assert seen <= may, (reader, seen - may)
        type(self).compared += len(self.held)
        missed = {each for each in may - seen if self._exact(each)}
        assert not missed, (reader, missed)
        return seen

    def _everybody(self) -> None:
        for reader in [*ALONE, Reader(PEOPLE[0], "organisation"), Reader(PEOPLE[0], "public")]:
            self._finds_neither_too_much_nor_too_little(reader)

    def _some_of_them(self) -> None:
        for reader in READERS[self.turn % 4 :: 4]:
            self._finds_neither_too_much_nor_too_little(reader)

    def teardown(self) -> None:
        """In the end everything is visible to whom the oracle admits, the index has all that there is, and no tool
        gives a guest what is closed to guests."""
        if not hasattr(self, "said"):
            return
        for name in (WIKI, DESK):
            self._read(name, ALL)
        now = {document for each in self.said.values() for document in each[0].clauses}
        may = self._open_to(READERS[-1])
        closed = [each for each in self.bench.company.words.items() if each[0] in now - may][:1]
        for (document, word), tool in product(closed, INDEX_TOOLS):
            self._ask(READERS[-1], tool, document, word)
        assert set(self.held.values()) == now, set(self.held.values()) ^ now
        self._everybody()

    # the oracle

    def _now(self, name: str) -> Told:
        return told(self.bench.at.world, name, ADDRESSES)

    def _exact(self, document: str) -> bool:
        """Whether its product was read as a whole, and nobody tried to since."""
        name = _product(document)
        return len(self.said[name]) == 1

    def _open_to(self, reader: Reader) -> set[str]:
        """What somebody may get, by any of what was said since the last whole reading."""
        return {
            document
            for name, attempts in self.said.items()
            if name not in self.old
            for each in attempts
            for document, clauses in each.clauses.items()
            if admits(clauses, _names(reader, each.names), reader.place)
        }

    def _open_at_source(self, reader: Reader) -> set[str]:
        """What somebody may get by the clauses of now."""
        return {
            document
            for name, attempts in self.said.items()
            if name not in self.old
            for document, clauses in self._now(name).clauses.items()
            if any(admits(clauses, _names(reader, each.names), reader.place) for each in attempts)
        }

    def _no_word_of_others(self, may: Iterable[str], shown: str) -> None:
        told_of = {document for document, word in self.bench.company.words.items() if word in shown}
        assert told_of <= set(may), (told_of - set(may), shown)

    def _any(self, which: int) -> tuple[str, str]:
        every = list(self.bench.company.words.items())
        return every[which % len(every)]

    def _step(self) -> None:
        type(self).steps += 1
        self.turn += 1


def _product(document: str) -> str:
    return WIKI if document.startswith("page:") else DESK


def _names(reader: Reader, names: Mapping[str, Names]) -> Names:
    return Names({ANYBODY}) if reader.person == GUEST else names[reader.address]


def _where(reader: Reader) -> tuple[object, ...]:
    return reader.participant, reader.conversation.conversation


@pytest.fixture
def walls(request: pytest.FixtureRequest) -> str:
    """Which of them there are; by default the conditions of the queries alone, which are to hold by themselves."""
    return str(getattr(request, "param", "the queries alone"))


@pytest.fixture
def machine(walls: str, data_dir: Path, database: str, tmp_path: Path) -> Iterator[type[RightsMachine]]:
    """The machine over an open product: with row-level security, or as the owner, whom it does not hold."""
    owner = {"KB_AGENT_DATABASE_URL": database_url(data_dir, database)} if walls == "the queries alone" else {}

    class OverProduct(RightsMachine):
        bench = Bench(data_dir, tmp_path, database, **owner)

    yield OverProduct
    OverProduct.bench.close()


def _run(machine: type[RightsMachine], examples: int, steps: int) -> None:
    # an example is not made smaller: its steps would be run again for each attempt, which takes minutes
    how = settings(max_examples=examples, stateful_step_count=steps, phases=[Phase.generate])
    run_state_machine_as_test(machine, settings=how)


@pytest.mark.check
def test_nobody_gets_what_the_oracle_denies(machine: type[RightsMachine]) -> None:
    _run(machine, examples=3, steps=30)
    assert machine.steps >= 30


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("walls", ["the queries alone", "both walls"], indirect=True)
def test_nobody_gets_what_the_oracle_denies_in_ten_thousand_steps(machine: type[RightsMachine], part: int) -> None:
    """Twenty times five hundred steps: a test that takes longer than five minutes is ended."""
    while machine.steps < 500:
        _run(machine, examples=6, steps=100)  # the first example of a run is always the simplest one
    print(f"part {part}: {machine.steps} steps, {machine.compared} pairs")
    assert machine.steps >= 500
