"""A canary of every kind that the masker knows, put wherever text comes from: no secret leaves anywhere, and no
personal data by what a reader or an operator sees. test_canaries.py puts a few of them in the same places."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from uuid import uuid4

import pytest

from domain.masking import RULES
from tests.command import PATIENCE, ROOT, Done, Kb, connected, embeddings_env, own_database
from tests.fakes.embeddings_server import KEY, embeddings_server
from tests.fakes.model_rules import fresh, purpose, reasonable
from tests.fakes.model_server import CHAT_MODEL, model_server
from tests.flows.kinds import canaries, framed
from tests.flows.planted import (
    ANY,
    LANTERN,
    PERSONAL,
    SECRET,
    World,
    batches,
    database,
    lines,
    making_up,
    planted,
    questions,
    saying,
    secrets,
)

pytestmark = pytest.mark.slow

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
"""


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
def world(filled: World) -> Iterator[World]:
    """The same, with a reasonable model, and what was sent and kept before forgotten afterwards."""
    fresh(filled.model)
    yield filled
    filled.embeddings.requests.clear()
    with connected(filled.url) as connection:
        connection.execute("TRUNCATE model_replies")


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


def test_the_sieve_takes_no_digest_for_a_piece() -> None:
    """A piece that could stand in a digest counts when it is longer."""
    hexadecimal = re.compile(r"[0-9a-f]{12}")
    found = {
        match[0] for each in canaries() if not each.personal for match in map(hexadecimal.search, each.values) if match
    }
    assert found
    for piece in found:
        assert SECRET.leaks(f"…{piece[:8]}…") == []
        assert SECRET.leaks(f"…{piece}…"), piece


# -- indexing


def test_indexing(world: World) -> None:
    report = world.indexed.report
    assert (report["complete"], report["failed"], report["skipped"]) == (True, [], [])
    assert report["added"] > len(kinds())
    world.check(world.indexed, documents=True)
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
    world.check(*found)


def kinds() -> list[str]:
    return sorted({each.kind for each in canaries()})


def test_asking_without_a_model(world: World) -> None:
    ways = (("--json",), ("--trace", "--show-sources", "--top-k", "50"))
    done = [
        world.kb("-v", "ask", question, "--model", "offline", *way)
        for question, way in zip(questions(), ways * len(questions()), strict=False)
    ]
    assert {each.code for each in done} == {0}
    world.check(*done)
    assert world.model.requests == []


# -- a model


def test_asking_a_model(world: World) -> None:
    ways = (("--json", "--trace"), ("--trace", "--show-sources", "--top-k", "50"), ("--mode", "direct"))
    asked = questions()
    parts = batches(secrets(), 1 + len(secrets()) // len(asked))
    done = []
    for question, part, way in zip(asked, parts, cycle(ways), strict=False):
        world.model.rules[:] = [saying(part), reasonable]
        done.append(world.kb("-v", "ask", question, *way))
    assert len(parts) == len(asked)
    # where little of a question is left without its secrets, nothing is found
    assert 0 in {each.code for each in done} <= {0, 3}, done
    world.check(*done)
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
    world.model.requests.clear()  # what it says itself, it may be told again
    world.check(*done)


# -- a conversation


def test_a_conversation(world: World) -> None:
    world.model.rules[:] = [saying(secrets()[::7]), reasonable]
    asked = lines()
    done = [
        world.kb("-v", "ask", "-i", "--trace", stdin="\n".join(asked)),
        world.kb("-v", "ask", "-i", "--model", "offline", stdin="\n".join(asked[-2:])),
    ]
    assert [(each.code, each.out.count("References")) for each in done] == [(0, len(asked)), (0, 2)]
    world.check(*done)


def test_the_history(tmp_path: Path) -> None:
    typed = [" ".join((LANTERN, each.text.strip())) for each in canaries() if each.one_line and "\t" not in each.text]
    history = tmp_path / "history"
    master, slave = pty.openpty()
    try:
        with subprocess.Popen(
            [sys.executable, "-c", PROMPT, str(history)], stdin=slave, stdout=slave, cwd=ROOT
        ) as child:
            prompted(master, history, 0)
            for number, line in enumerate(typed, start=1):
                os.write(master, f"{line}\n".encode())
                prompted(master, history, number)
            os.write(master, b"exit\n")
            assert child.wait(PATIENCE) == 0
    finally:
        os.close(slave)
        os.close(master)
    assert kept_lines(history) == len(typed)
    assert ANY.leaks(history.read_text()) == []


def prompted(terminal: int, history: Path, number: int) -> None:
    """Reads a terminal until so many lines are kept and it asks for another one."""
    screen = b""
    deadline = time.monotonic() + PATIENCE
    while not screen.endswith(b"? ") or kept_lines(history) < number:
        assert time.monotonic() < deadline, (number, screen)
        if select.select([terminal], [], [], 0.05)[0]:
            screen += os.read(terminal, 65_536)


def kept_lines(history: Path) -> int:
    return history.read_text().count(LANTERN) if history.exists() else 0


# -- reports, errors, spans


def test_reports(world: World) -> None:
    commands = (("status",), ("sources", "list"), ("sources", "check"), ("runs",), ("runs", "1"), ("doctor",))
    world.check(*(world.kb("-v", *words, *json) for words in commands for json in ((), ("--json",))))


def test_errors(world: World) -> None:
    kb = world.kb.having(LLM_BASE_URL="")
    ways = (("search", "x", "--json", "--method"), ("search", "x", "-k"), ("sources",))
    found = [each for each in canaries() if framed(each, "No such command '{}'.")]
    assert len(found) > 0.9 * len(canaries()), "a few must stand at the beginning of a line"
    done = [kb(*way, each.text) for way, each in zip(cycle(ways), found, strict=False)]
    assert {each.code for each in done} == {2}
    world.check(*done)


def test_spans(world: World, tmp_path: Path) -> None:
    world.model.rules[:] = [saying(secrets()[::7]), reasonable]
    spans, question = tmp_path / "spans", questions()[0]
    kb = world.kb.having(OTEL="true")
    words = [sys.executable, "-c", SPANS, str(spans), "-v", "ask", question, "--trace"]
    ran = subprocess.run(
        words, env=kb.environment, cwd=kb.folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "HTTP Request: POST" in ran.stderr, "the log is there"
    world.check(Done(ran.returncode, ran.stdout, ran.stderr))
    assert '"kb.' in spans.read_text()
    assert ANY.leaks(spans.read_text()) == []
