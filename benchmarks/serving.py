"""What `kb serve` is measured with: the example knowledge base in a database of its own, and a slow model."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from benchmarks.measuring import KNOWLEDGE_BASE, new_folder
from storage.server.embedded import EmbeddedServer
from tests.command import Kb
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_server import CHAT_MODEL, SMALL_MODEL, model_server
from tests.flows.slack.burst import taking


@contextmanager
def indexed(seconds: float) -> Iterator[tuple[Kb, Mapping[str, str]]]:
    """`kb` in a folder of its own, and settings of the database and of a model that takes so many seconds a call."""
    with new_folder() as folder, model_server(rules=(taking(seconds),)) as model:
        data = folder / "data"
        kb = Kb({"KB_AGENT_DATA_DIR": str(data)}, folder, fresh=True)
        assert kb("index", str(KNOWLEDGE_BASE)).code == 0
        server = EmbeddedServer(data)
        server.start()
        try:
            yield (
                kb,
                {
                    "DATABASE_URL": f"postgresql://postgres@/kb?host={server.cluster}",
                    "LLM_BASE_URL": model.base_url,
                    "LLM_API_KEY": KEY,
                    "LLM_MODEL": CHAT_MODEL,
                    "LLM_SMALL_MODEL": SMALL_MODEL,
                    "WORKER_HEARTBEAT": "5",
                    "WORKER_LOST": "20",
                },
            )
        finally:
            server.stop()
