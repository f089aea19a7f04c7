"""The client for Python calls the product, and stands alone."""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest
from hatchling.builders.wheel import WheelBuilder
from kb_agent_client import (
    Accepted,
    Advance,
    AsyncKbClient,
    Began,
    Event,
    Finished,
    KbClient,
    NothingThere,
    NotPermitted,
    NotReached,
    NotValid,
    SourcesFound,
    Spoken,
)

from tests.architecture.checkout import text
from tests.command import ROOT, Kb, rows
from tests.flows.web.conftest import token

EXAMPLES = re.findall(r"^```python\n(.*?)^```", text("docs/python-client.md"), re.MULTILINE | re.DOTALL)

QUESTION = "How many days of vacation?"


@pytest.fixture
def address(served: tuple[Kb, str]) -> str:
    return served[1].removesuffix("/api/v1")


@pytest.fixture(scope="module")
def key(served: tuple[Kb, str]) -> str:
    return token(served[0], "ada@example.com")


@pytest.fixture
def ada(address: str, key: str) -> Iterator[KbClient]:
    with KbClient(address, key) as client:
        yield client


def test_a_question_is_asked_followed_looked_at_and_rated(ada: KbClient) -> None:
    events = list(ada.stream(QUESTION))
    assert isinstance(events[0], Accepted)
    assert isinstance(events[-2], SourcesFound)
    last = events[-1]
    assert isinstance(last, Finished)
    assert last.outcome.answered
    assert last.outcome.sources[0].n == 1
    assert {Began, Advance} < {type(each) for each in events}
    assert list(ada.follow(last.number))[-1] == last
    asked = ada.question(last.number)
    assert (asked.question, asked.outcome) == (QUESTION, last.outcome)
    assert asked.trace
    assert asked.trace["searches"]
    assert ada.feedback(last.number, "up", "just right")
    more = ada.ask("And who approves it?", conversation=last.conversation)
    assert more.conversation == last.conversation
    found = ada.search("vacation days", limit=2)
    assert "vacation" in found.results[0].text.lower()


def test_both_clients_say_the_same(ada: KbClient, address: str, key: str) -> None:
    async def work() -> list[object]:
        async with AsyncKbClient(address, key) as client:
            reply = await client.ask(QUESTION, key="asked-by-both")
            kinds = [type(each) async for each in client.follow(reply.number)]
            return [
                reply,
                kinds[-1],
                await client.search("vacation days"),
                await client.question(reply.number),
                await client.feedback(reply.number, "down"),
            ]

    given = asyncio.run(work())
    reply = ada.ask(QUESTION, key="asked-by-both")
    number = reply.number
    assert given == [reply, Finished, ada.search("vacation days"), ada.question(number), ada.feedback(number, "down")]


def test_an_administrator_has_a_source_read_again(served: tuple[Kb, str], address: str, ada: KbClient) -> None:
    with KbClient(address, token(served[0], "root@example.com", "operate")) as root:
        assert root.reindex("*")
    with pytest.raises(NotPermitted) as raised:
        ada.reindex("*")
    assert (raised.value.status, raised.value.code) == (403, "scope")


def test_errors_have_types(ada: KbClient, address: str) -> None:
    with pytest.raises(NothingThere):
        ada.question(987_654)
    with pytest.raises(NothingThere):
        list(ada.follow(987_654))
    with pytest.raises(NotValid) as raised:
        ada.ask("x" * 4_001)
    assert "question" in raised.value.errors[0]
    with KbClient(address, "kba_nobody") as nobody, pytest.raises(NotPermitted):
        nobody.ask(QUESTION)
    with KbClient("http://127.0.0.1:1", "x") as lost, pytest.raises(NotReached):
        lost.search("x")
    with pytest.raises(ValueError, match="no address"):
        KbClient("ask.example.com", "x")


class Cut(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A stream whose connection is lost after so many events."""

    def __init__(self, stream: object, events: int) -> None:
        self._stream, self._left = stream, events

    def _kept(self, part: bytes) -> bytes:
        self._left -= part.count(b"\n\n")
        if self._left < 0:
            raise httpx.ReadError("the connection is lost")
        return part

    def __iter__(self) -> Iterator[bytes]:
        assert isinstance(self._stream, httpx.SyncByteStream)
        yield from map(self._kept, self._stream)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        assert isinstance(self._stream, httpx.AsyncByteStream)
        async for part in self._stream:
            yield self._kept(part)


class Losing:
    """Which connections are lost: each of these, after so many events."""

    def __init__(self, *after: int) -> None:
        self.after, self.requests = list(after), list[str]()

    def answered(self, request: httpx.Request, response: httpx.Response) -> httpx.Response:
        self.requests.append(request.method)
        stream = Cut(response.stream, self.after.pop(0)) if self.after else response.stream
        return httpx.Response(response.status_code, headers=response.headers, stream=stream)


class LosingTransport(httpx.HTTPTransport):
    def __init__(self, losing: Losing) -> None:
        super().__init__()
        self._losing = losing

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._losing.answered(request, super().handle_request(request))


class LosingAsyncTransport(httpx.AsyncHTTPTransport):
    def __init__(self, losing: Losing) -> None:
        super().__init__()
        self._losing = losing

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return self._losing.answered(request, await super().handle_async_request(request))


def over_threads(address: str, key: str, losing: Losing) -> list[Event]:
    with KbClient(address, key, transport=LosingTransport(losing)) as client:
        return list(client.stream(QUESTION))


def over_a_loop(address: str, key: str, losing: Losing) -> list[Event]:
    async def work() -> list[Event]:
        async with AsyncKbClient(address, key, transport=LosingAsyncTransport(losing)) as client:
            return [each async for each in client.stream(QUESTION)]

    return asyncio.run(work())


@pytest.mark.parametrize("streamed", [over_threads, over_a_loop])
def test_a_reply_is_whole_when_connections_are_lost(
    served: tuple[Kb, str], address: str, key: str, streamed: Callable[[str, str, Losing], list[Event]]
) -> None:
    url = served[0].env["KB_AGENT_DATABASE_URL"]
    ((before,),) = rows(url, "SELECT count(*) FROM questions")
    losing = Losing(0, 2)
    events = streamed(address, key, losing)
    assert losing.requests[:3] == ["POST", "POST", "GET"]
    assert rows(url, "SELECT count(*) FROM questions") == [(before + 1,)], "it was asked once"
    last = events[-1]
    assert isinstance(last, Finished)
    said = "".join(each.text for each in events if isinstance(each, Spoken))
    assert last.outcome.text.startswith(said)
    assert [type(each) for each in events].count(Accepted) == 1


def test_it_brings_one_name_and_runs_without_the_product(tmp_path: Path, address: str, key: str) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(build, cwd=ROOT / "bot" / "client", capture_output=True, check=True, timeout=60)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    alone = tmp_path / "alone"
    with ZipFile(wheel) as packed:
        packed.extractall(alone)
    brought = {each.name for each in alone.iterdir() if not each.name.endswith(".dist-info")}
    assert brought == {"kb_agent_client"}
    assert (alone / "kb_agent_client" / "py.typed").exists()
    for name in ("httpx", "httpcore", "h11", "anyio", "certifi", "idna"):
        found = distribution(name)
        (alone / name).symlink_to(str(found.locate_file(name)))
    (alone / "typing_extensions.py").symlink_to(
        str(distribution("typing_extensions").locate_file("typing_extensions.py"))
    )
    code = (
        f"import sys; sys.path.append({str(alone)!r})\n"
        "from importlib.util import find_spec\n"
        "from kb_agent_client import KbClient\n"
        "print([name for name in ('config', 'agent', 'bot', 'domain', 'pydantic') if find_spec(name)])\n"
        f"print(KbClient({address!r}, {key!r}).ask({QUESTION!r}).outcome.result)"
    )
    # neither the environment's packages (-S) nor its variables and the working folder (-I)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.splitlines() == ["[]", "answered"], done.stderr


def test_the_product_does_not_contain_it() -> None:
    packed = {each.distribution_path for each in WheelBuilder(str(ROOT)).recurse_included_files()}
    assert "bot/web/api.py" in packed
    assert not [path for path in packed if "client/" in path]


@pytest.mark.parametrize("block", EXAMPLES)
def test_what_the_page_shows_runs(
    block: str, address: str, key: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {"ADDRESS": address, "TOKEN": key}.items():
        monkeypatch.setenv(name, value)
    exec(compile(block, "docs/python-client.md", "exec"), {"__name__": "example"})
    assert "thirty days of vacation" in capsys.readouterr().out
