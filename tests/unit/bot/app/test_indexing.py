"""What is kept of a run, however it ends."""

import asyncio
from contextlib import AbstractAsyncContextManager

import pytest

from bot.app.indexing import index_source, reason_of, record_run
from bot.app.product import Product
from domain.errors import Misconfigured, Refused, Transient
from indexer.run.dependencies import RunOptions
from indexer.run.index_run import IndexRun
from storage.index.runs import LOST, RunRecord
from storage.index.sources import Source

TOKEN = "ghp_" + "a1B2" * 9


async def last(product: Product) -> RunRecord:
    (run,) = await product.storage.runs.latest(1)
    return run


class Failing(AbstractAsyncContextManager[IndexRun]):
    """A pass that cannot be opened."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    async def __aenter__(self) -> IndexRun:
        raise self.error

    async def __aexit__(self, *_details: object) -> None:
        """Nothing was opened."""


async def test_a_source_that_cannot_be_opened_leaves_a_run_with_the_reason(product: Product) -> None:
    options: dict[str, object] = {
        "url": "https://acme.atlassian.net/wiki",
        "token_env": "NOWHERE",
        "email": "kb@acme.example",
    }
    source = Source("wiki", "confluence", options)
    await product.storage.sources.add(source)
    with pytest.raises(Misconfigured) as caught:
        await index_source(product, source, product.writer, RunOptions(), lambda _step: None)
    run = await last(product)
    assert (run.source, run.state, run.kind) == ("wiki", "failed", "content")
    assert run.reason == reason_of(caught.value)
    assert caught.value.what in run.reason


@pytest.mark.parametrize(
    ("error", "state", "reason"),
    [
        (
            Transient("Confluence does not answer", why="status 503.\n"),
            "failed",
            "Confluence does not answer (status 503)",
        ),
        (ZeroDivisionError("secret words"), "failed", "an error of ours: ZeroDivisionError"),
        (asyncio.CancelledError(), "interrupted", "it was interrupted"),
    ],
)
async def test_why_it_ended_is_kept(product: Product, error: BaseException, state: str, reason: str) -> None:
    with pytest.raises(type(error)):
        await record_run(product, "wiki", Failing(error))
    run = await last(product)
    assert (run.state, run.reason) == (state, reason)


async def test_the_log_has_its_beginning_and_its_end(product: Product, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "bot.app.indexing")
    with pytest.raises(Refused):
        await record_run(product, "wiki", Failing(Refused("It is not there")), "hint")
    run = (await last(product)).run_id
    began, ended = (vars(each)["fields"] for each in caplog.records)
    assert began == {"event": "index_run_began", "run": run, "kind": "hint", "source": "wiki"}
    assert ended == began | {"event": "index_run_ended", "state": "failed", "seconds": ended["seconds"]}
    assert caplog.messages[0] == f"Index run {run} (hint) over wiki begins"
    assert caplog.messages[1].endswith("s: It is not there")


async def test_secrets_are_masked_in_it_and_the_operators_account_is_not(product: Product) -> None:
    with pytest.raises(Refused):
        await record_run(product, "wiki", Failing(Refused(f"kb@acme.example may not use {TOKEN}")))
    reason = (await last(product)).reason
    assert TOKEN not in reason
    assert reason.startswith("kb@acme.example may not use ")


async def test_a_run_whose_process_was_killed_says_so_when_the_next_one_begins(product: Product) -> None:
    await product.storage.runs._open("wiki", "content")
    async with product.storage.runs.begin("wiki"):
        pass
    assert [(each.state, each.reason) for each in await product.storage.runs.latest()] == [
        ("running", ""),
        ("interrupted", LOST),
    ]


def test_a_reason_is_one_line_of_a_bounded_length() -> None:
    reason = reason_of(Refused("It was refused", why="a\nb " + "c" * 10_000))
    assert "\n" not in reason
    assert len(reason) <= 500
