"""A canary of every kind that the masker knows, put wherever text comes from: no secret leaves anywhere, and no
personal data by what a reader or an operator sees."""

import html
import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, zip_longest
from pathlib import Path
from uuid import uuid4

import pytest

from domain.masking import Masker
from domain.masking.rules import RULES
from tests.command import PATIENCE, ROOT, Done, Kb, connected, embeddings_env, own_database, rows
from tests.fakes.embeddings_server import KEY, EmbeddingsServer, embeddings_server
from tests.fakes.model_rules import analysis, fresh, grades, purpose, read, reasonable
from tests.fakes.model_server import CHAT_MODEL, Body, ModelServer, Reply, Rule, model_server
from tests.flows.kinds import Canary, Sieve, canaries, framed

LANTERN = "Which lantern of the harbour is green and lit in spring?"
NEUTRAL = "The lantern of the harbour is green, and it is lit in spring."
A_NAME = 100
"""Bytes of a file name here, at most."""
A_QUESTION = 3_400
"""Characters of the canaries in one question; a question may have 4,000."""

SPANS = """
import sys
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
from bot.cli.entry import main

provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=open(sys.argv[1], "w"))))
trace.set_tracer_provider(provider)
main(sys.argv[2:])
"""


PROMPT = """
import sys
from pathlib import Path
from bot.terminal.prompt import Prompt
from domain.masking import Masker

prompt = Prompt(Path(sys.argv[1]), Masker())
while prompt.read():
    pass
print("done", end="", flush=True)
"""


# -- where the canaries are put


def in_file_names(found: Sequence[Canary]) -> list[str]:
    """Names of files that hold a canary each."""
    fitting = [each for each in found if each.one_line and "/" not in each.text and len(each.text) < A_NAME]
    names = [framed(each, "note {}.html", "note {} of spring.html", "{}.html", "{}") for each in fitting]
    assert None not in names, [each for each, name in zip(fitting, names, strict=True) if name is None]
    return [name for name in names if name is not None and len(name.encode()) <= A_NAME]


def planted(folder: Path) -> None:
    """Every canary in a page as it is, in one as code, in a title, in a heading, and in a file name where it fits."""
    every = canaries()
    for number, part in enumerate(batches(every, 24)):
        texts = "\n\n".join(f"{NEUTRAL}\n\n{each.text}" for each in part)
        (folder / f"plain-{number}.txt").write_text(texts)
        code = "\n\n".join(f"{NEUTRAL}\n\n~~~~~~\n{each.text}\n~~~~~~" for each in part)
        (folder / f"code-{number}.md").write_text(code)
    lines = [html.escape(each.text) for each in every if each.one_line and "\t" not in each.text]  # HTML knows no tabs
    names = in_file_names(every)
    shifted = [*lines[7:], *lines[:7]]
    for number, (name, title, heading) in enumerate(zip_longest(names, lines, shifted)):
        page = f"<html><head><title>{title}</title></head><body><p>{NEUTRAL}</p><h2>{heading}</h2><p>{NEUTRAL}</p>"
        (folder / (name or f"note-{number}.html")).write_text(f"{page}</body></html>")


def batches(found: Sequence[Canary], size: int) -> list[Sequence[Canary]]:
    return [found[start : start + size] for start in range(0, len(found), size)]


def questions() -> list[str]:
    """Questions that hold all the canaries."""
    made = [LANTERN]
    for each in canaries():
        if len(made[-1]) + len(each.text) > A_QUESTION:
            made.append(LANTERN)
        made[-1] += f"\n\n{each.text}\n\n"
    return made


# -- what is looked at


@dataclass(frozen=True)
class World:
    """The command over an index of all the canaries, with a model. indexed: what the index run said."""

    kb: Kb
    url: str
    data: Path
    model: ModelServer
    embeddings: EmbeddingsServer
    indexed: Done

    def check_shown(self, *done: Done) -> None:
        """No canary at all stands in what was printed."""
        assert ANY.leaks("\n".join(each.out + each.err for each in done)) == []

    def check_sent(self) -> None:
        """No secret stands in what the servers of models got."""
        sent = [*self.model.requests, *self.embeddings.requests]
        assert SECRET.leaks("\n".join(json.dumps(each.body, ensure_ascii=False) for each in sent)) == []

    def check_kept(self) -> None:
        """No secret stands in the database or in a file of the data folder."""
        assert SECRET.leaks(database(self.url)) == []
        for path in (*self.data.glob("*"), *self.data.glob("*/*.log")):
            if path.is_file():
                assert SECRET.leaks(path.read_text(errors="replace")) == [], path


def database(url: str) -> str:
    """Every column of every table but vectors, which hold no text, and what the planner keeps of them; bytes as they
    are and as text."""
    columns = """
        SELECT table_name, string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
        WHERE table_schema = 'public' AND udt_name <> 'halfvec' GROUP BY table_name
    """
    stats = "SELECT * FROM pg_stats WHERE schemaname = 'public' AND attname <> 'embedding'"
    found = [str(row) for row in rows(url, stats)]
    with connected(url) as connection:
        for table, names in rows(url, columns):
            for row in connection.execute(f'SELECT {names} FROM "{table}"'.encode()):
                found += [value.decode("latin-1") if isinstance(value, bytes) else str(value) for value in row]
    return "\n".join(found)


_NEUTRAL = (*(f"\n{Masker().mask(each.text).text}\n" for each in canaries()), NEUTRAL, LANTERN)
ANY = Sieve(canaries(), _NEUTRAL)
SECRET = Sieve((each for each in canaries() if not each.personal), _NEUTRAL)
PERSONAL = Sieve((each for each in canaries() if each.personal), _NEUTRAL)


@pytest.fixture(scope="module")
def filled(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The world, filled once for the tests of this module; each puts more into it."""
    folder, working = tmp_path_factory.mktemp("docs"), tmp_path_factory.mktemp("working")
    planted(folder)
    database_name = f"kinds_{uuid4().hex}"
    with embeddings_server() as embeddings, model_server() as model, own_database(data_dir, database_name) as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(embeddings)}
        kb = Kb(env, working)
        indexed = kb("-v", "index", str(folder), "--json")
        kb = kb.having(LLM_BASE_URL=model.base_url, LLM_API_KEY=KEY, LLM_MODEL=CHAT_MODEL, HYDE="false")
        yield World(kb, url, data_dir, model, embeddings, indexed)


@pytest.fixture
def world(filled: World) -> World:
    """The same, with a reasonable model."""
    fresh(filled.model)
    return filled


# -- the sieve


def test_there_is_a_canary_of_every_kind_and_the_sieve_sees_each() -> None:
    assert {each.kind for each in canaries()} == {rule.kind for rule in RULES}
    for each in canaries():
        for sieve in (ANY, PERSONAL if each.personal else SECRET):
            assert sieve.leaks(f"a word, then {each.text.upper()} and another"), each
        assert (PERSONAL if not each.personal else SECRET).leaks(each.text) == []


def test_the_sieve_sees_pieces() -> None:
    canary = next(each for each in canaries() if each.kind == "github token")
    (value,) = canary.values
    assert [leak.split(":")[0] for leak in SECRET.leaks(f"…{value[10:18]}…")] == ["github token"]
    assert SECRET.leaks(value[10:17]) == []


# -- indexing


def test_indexing(world: World) -> None:
    report = world.indexed.report
    assert (report["complete"], report["failed"], report["skipped"]) == (True, [], [])
    assert report["added"] > len(canaries())
    world.check_shown(world.indexed)
    world.check_sent()
    world.check_kept()
    kept = database(world.url)
    assert {each.kind for each in canaries() if not each.personal and f"[masked: {each.kind}]" not in kept} == set()
    assert {each.kind for each in canaries() if each.personal} == {leak.split(":")[0] for leak in PERSONAL.leaks(kept)}


# -- reading and asking


def test_searching(world: World) -> None:
    found = [world.kb("search", LANTERN, "-k", "100", *options) for options in ((), ("--json",))]
    found += [
        world.kb("-v", "search", question, "-k", "100", "--neighbours", "2", "--json") for question in questions()
    ]
    assert {done.code for done in found} == {0}
    shown = "".join(done.out for done in found)
    assert [kind for kind in kinds() if f"[masked: {kind}]" not in shown] == []
    world.check_shown(*found)
    world.check_sent()
    world.check_kept()


def kinds() -> list[str]:
    return sorted({each.kind for each in canaries()})


def test_asking_without_a_model(world: World) -> None:
    ways = (("--json",), ("--trace", "--show-sources", "--top-k", "50"))
    done = [
        world.kb("-v", "ask", question, "--model", "offline", *way)
        for question, way in zip(questions(), ways * len(questions()), strict=False)
    ]
    assert {each.code for each in done} == {0}
    world.check_shown(*done)
    world.check_sent()
    assert world.model.requests == []


# -- a model


def saying(secrets: Sequence[Canary]) -> Rule:
    """A model that quotes whatever it is shown, and says some secrets as if they stood in the passages."""

    def rule(body: Body) -> Reply | None:
        if purpose(body) != "synthesize":
            return None
        shown = read(body).passages
        said = [f"{line} [{passage.number}]" for passage in shown for line in passage.text.split("\n") if line.strip()]
        said += [f"{NEUTRAL} {each.text} [{1 + place % len(shown)}]" for place, each in enumerate(secrets) if shown]
        return Reply("\n\n".join(said))

    return rule


def making_up(secrets: Sequence[Canary]) -> Rule:
    """A model whose every typed reply holds secrets that it was not shown."""
    left = cycle(secrets)

    def some() -> str:
        return f"{NEUTRAL}\n\n" + "\n\n".join(next(left).text for _ in range(12))

    def rule(body: Body) -> Reply | None:
        prompt = read(body)
        match prompt.purpose:
            case "analyze":
                said = {**analysis(prompt), "standalone": f"{prompt.question}\n\n{some()}", "complexity": "complex"}
                said["sub_questions"] = [
                    {"text": some(), "kind": "fact", "priority": n, "constraints": [some()]} for n in (1, 2)
                ]
                said["plan"] = [
                    {"tool": "hybrid_search", "args": {"query": some()}, "sub_question": 1},
                    {"tool": some(), "args": {some(): some()}, "sub_question": 2},
                ]
            case "grade":
                marks = [{"item": each.number, "part": 1, "score": 0.4} for each in prompt.passages]
                said = {**grades(prompt), "grades": marks, "missing": [some(), some()], "unsupported": [some()]}
            case "plan":
                said = {"plan": [{"tool": "hybrid_search", "args": {"query": some()}, "sub_question": 1}]}
            case "hypothesis":
                return Reply(some())
            case _:
                return None
        return Reply(json.dumps(said))

    return rule


def secrets() -> list[Canary]:
    return [each for each in canaries() if not each.personal]


def test_asking_a_model(world: World) -> None:
    ways = (("--json", "--trace"), ("--trace", "--show-sources", "--top-k", "50"), ("--mode", "direct"))
    asked = questions()
    parts = batches(secrets(), 1 + len(secrets()) // len(asked))
    done = []
    for question, part, way in zip(asked, parts, cycle(ways), strict=False):
        world.model.rules[:] = [saying(part), reasonable]
        done += [world.kb("-v", "ask", question, *way), world.kb("ask", question, *way)]
    assert len(parts) == len(asked)
    assert {each.code for each in done} == {0}, done
    world.check_shown(*done)
    world.check_sent()
    world.check_kept()
    sent = "".join(json.dumps(each.body, ensure_ascii=False) for each in world.model.requests)
    assert PERSONAL.leaks(sent), "personal data may be shown to a model"
    assert any("[masked: e-mail address]" in each.out for each in done)


def test_what_a_model_makes_up(world: World) -> None:
    world.model.rules[:] = [making_up(secrets()), saying(secrets()[::9]), reasonable]
    kb = world.kb.having(HYDE="true")
    done = [
        kb("-v", "ask", f"{LANTERN} And how about number {number}?", *way)
        for number, way in enumerate((("--json",), ("--trace", "--show-sources"), ("--trace", "--top-k", "50")))
    ]
    assert {purpose(each.body) for each in world.model.requests} >= {"analyze", "grade", "plan", "synthesize"}
    world.check_shown(*done)
    world.check_sent()
    world.check_kept()


def test_kept_replies_hold_no_personal_data(world: World) -> None:
    world.model.rules[:] = [saying([]), reasonable]
    assert world.kb("ask", f"{LANTERN} Whom do I write to?", "--top-k", "50").code == 0
    replies = "\n".join(str(reply) for (reply,) in rows(world.url, "SELECT reply FROM model_replies"))
    assert NEUTRAL in replies
    assert PERSONAL.leaks(replies) == []


# -- a conversation


def lines() -> list[str]:
    """Questions of one line that hold all the canaries of one line."""
    made = [LANTERN]
    for each in canaries():
        if each.one_line:
            if len(made[-1]) + len(each.text) > A_QUESTION - 500:
                made.append(LANTERN)
            made[-1] += f" | {each.text.strip()} | {NEUTRAL}"
    return made


def test_a_conversation(world: World) -> None:
    world.model.rules[:] = [saying(secrets()[::7]), reasonable]
    given = "\n".join(lines()) + "\n"
    done = [world.kb("-v", "ask", "-i", "--trace", *way, stdin=given) for way in ((), ("--model", "offline"))]
    for each in done:
        assert (each.code, each.out.count("References")) == (0, given.count("\n"))
    world.check_shown(*done)
    world.check_sent()
    world.check_kept()


def test_the_history(tmp_path: Path) -> None:
    typed = [" ".join((LANTERN, each.text.strip())) for each in canaries() if each.one_line and "\t" not in each.text]
    history = tmp_path / "history"
    master, slave = pty.openpty()
    try:
        with subprocess.Popen(
            [sys.executable, "-c", PROMPT, str(history)], stdin=slave, stdout=slave, cwd=ROOT
        ) as child:
            for line in [*typed, "exit"]:
                until_prompted(master)
                os.write(master, f"{line}\n".encode())
            until_prompted(master, b"done")
            assert child.wait(PATIENCE) == 0
    finally:
        os.close(slave)
        os.close(master)
    kept = history.read_text()
    assert kept.count(LANTERN) == len(typed)
    assert ANY.leaks(kept) == []


def until_prompted(terminal: int, shown: bytes = b"? ") -> None:
    """Reads a terminal until that stands at its end."""
    screen = b""
    deadline = time.monotonic() + PATIENCE
    while not screen.endswith(shown):
        assert select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))[0], screen
        screen += os.read(terminal, 65_536)


# -- reports, errors, spans


def test_reports(world: World) -> None:
    commands = (("status",), ("sources", "list"), ("sources", "check"), ("runs",), ("runs", "1"), ("doctor",))
    world.check_shown(*(world.kb("-v", *words, *json) for words in commands for json in ((), ("--json",))))


def test_errors(world: World) -> None:
    kb = world.kb.having(LLM_BASE_URL="")
    done = []
    for each in canaries():
        done += [kb(each.text), kb("search", "x", "--method", each.text), kb("ask", "x", "--as", each.text, "--json")]
    assert 0 not in {each.code for each in done}
    world.check_shown(*done)


def test_spans(world: World, tmp_path: Path) -> None:
    world.model.rules[:] = [saying(secrets()[::7]), reasonable]
    spans, question = tmp_path / "spans", questions()[-1]
    kb = world.kb.having(OTEL="true")
    words = [sys.executable, "-c", SPANS, str(spans), "-v", "ask", question, "--trace"]
    ran = subprocess.run(
        words, env=kb.environment, cwd=kb.folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "HTTP Request: POST" in ran.stderr, "the log is there"
    world.check_shown(Done(ran.returncode, ran.stdout, ran.stderr))
    assert '"kb.' in spans.read_text()
    assert ANY.leaks(spans.read_text()) == []
