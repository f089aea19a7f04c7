"""Which languages the texts of an index are in, as noted when a run ends."""

from pathlib import Path

import pytest

from domain.text.tokens import Analyzer
from storage.index.sources import Source
from storage.index.text_samples import index_languages
from storage.open import open_storage
from storage.server.database import DatabaseOptions
from tests.command import database_url
from tests.fakes.documents import SOURCE, a_document, put
from tests.fakes.embedder import HashEmbedder

pytestmark = pytest.mark.check


async def test_languages_are_noted_when_a_run_ends(data_dir: Path, database: str) -> None:
    embedder = HashEmbedder()
    async with open_storage(DatabaseOptions(database_url(data_dir, database), data_dir)) as storage:
        assert await index_languages(storage.pool) == {}, "nothing is indexed"
        await storage.sources.add(Source(SOURCE, "files", {}))
        writer = await storage.writer(embedder.identity, Analyzer())
        await writer.finish()
        assert await index_languages(storage.pool) == {}, "it is empty"
        texts = ("The walrus is fed at noon by the keeper.",) * 3 + ("Das Walross wird von der Pflegerin gefüttert.",)
        for number, each in enumerate(texts):
            await put(writer, embedder, a_document(f"d{number}"), each)
        await put(writer, embedder, a_document("gone"), "Le morse est nourri par la gardienne.")
        await writer.hide(SOURCE, ["gone"])
        assert await index_languages(storage.pool) == {}, "no run has ended since"
        await writer.finish()
        assert await index_languages(storage.pool) == {"en": 0.75, "de": 0.25}
