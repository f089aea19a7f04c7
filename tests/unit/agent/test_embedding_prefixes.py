"""What models want before questions and passages reaches the server, and makes an index of its own."""

from pathlib import Path

import numpy as np
import pytest

from agent.providers.embedding_prefixes import Prefixes, prefixes_of
from agent.providers.open_embedder import EmbedderOptions, open_embedder, open_embedder_of
from domain.errors import Misconfigured
from tests.fakes.embedder import HashEmbedder
from tests.fakes.embeddings_server import KEY, MODEL, EmbeddingsServer, embeddings_server

E5 = Prefixes("query: ", "passage: ")
SEARCHING = "Represent this sentence for searching relevant passages: "
WEB = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"


@pytest.mark.parametrize(
    ("model", "prefixes"),
    [
        ("intfloat/multilingual-e5-small", E5),
        ("e5-base-v2", E5),
        ("jeffh/intfloat-multilingual-e5-large:f16", E5),
        ("intfloat/multilingual-e5-large-instruct", Prefixes(f"{WEB} ")),
        ("bge-large:335m", Prefixes(SEARCHING)),
        ("mixedbread-ai/deepset-mxbai-embed-de-large-v1", E5),
        ("bge-multilingual-gemma2", Prefixes()),
        ("BAAI/bge-small-en-v1.5", Prefixes(SEARCHING)),
        ("BAAI/bge-large-zh-v1.5", Prefixes("为这个句子生成表示以用于检索相关文章：")),
        ("bge-m3", Prefixes()),
        ("mixedbread-ai/mxbai-embed-large-v1", Prefixes(SEARCHING)),
        ("Snowflake/snowflake-arctic-embed-m-v1.5", Prefixes(SEARCHING)),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", Prefixes("query: ")),
        ("snowflake-arctic-embed2:latest", Prefixes("query: ")),
        ("nomic-embed-text:v1.5", Prefixes("search_query: ", "search_document: ")),
        ("Qwen/Qwen3-Embedding-0.6B", Prefixes(WEB)),
        ("google/embeddinggemma-300m", Prefixes("task: search result | query: ", "title: none | text: ")),
        ("text-embedding-3-small", Prefixes()),
        ("sentence-transformers/all-MiniLM-L6-v2", Prefixes()),
    ],
)
def test_what_a_model_wants_is_known_by_its_name(model: str, prefixes: Prefixes) -> None:
    assert prefixes_of(model) == prefixes


def options(server: EmbeddingsServer, folder: Path, model: str = "e5-small", **more: object) -> EmbedderOptions:
    made = EmbedderOptions(server.base_url, KEY, model, threads=1, cache_dir=folder, patience=0.0, **more)  # type: ignore[arg-type]  # as the test names them
    server.others[model] = HashEmbedder(64)
    return made


async def test_questions_and_passages_are_told_apart(tmp_path: Path) -> None:
    with embeddings_server() as server:
        server.wants = {"query": "query: ", "passage": "passage: "}
        async with open_embedder(options(server, tmp_path)) as (embedder, _):
            assert embedder.identity.name == 'e5-small ["passage: "]/64'
            asked, found = await embedder.embed(["a lamp"], "query"), await embedder.embed(["a lamp"])
        assert np.allclose(asked, found), "the server takes the prefixes off"
        assert [request.body["input"] for request in server.requests[-2:]] == [["query: a lamp"], ["passage: a lamp"]]


async def test_settings_come_before_what_is_known(tmp_path: Path) -> None:
    with embeddings_server() as server:
        wanted = options(server, tmp_path, query_prefix="Q ", passage_prefix=" None")
        async with open_embedder(wanted) as (embedder, _):
            assert embedder.identity.name == "e5-small/64"
            await embedder.embed(["a lamp"], "query")
            await embedder.embed(["a lamp"])
        assert [request.body["input"] for request in server.requests[-2:]] == [["Q a lamp"], ["a lamp"]]
        assert "input_type" not in server.requests[-1].body


async def test_a_server_that_is_told_the_kind_of_text_gets_no_prefix(tmp_path: Path) -> None:
    with embeddings_server() as server:
        async with open_embedder(options(server, tmp_path, input_types=("search_query", "search_document"))) as (
            embedder,
            _,
        ):
            assert embedder.identity.name == 'e5-small ["", "search_document"]/64'
            await embedder.embed(["a lamp"], "query")
            await embedder.embed(["a lamp"])
        sent = [(request.body["input"], request.body["input_type"]) for request in server.requests[-2:]]
        assert sent == [(["a lamp"], "search_query"), (["a lamp"], "search_document")]


async def test_one_word_for_two_kinds_is_refused(tmp_path: Path) -> None:
    with embeddings_server() as server, pytest.raises(Misconfigured, match="takes two words"):
        async with open_embedder(options(server, tmp_path, input_types=("query",))):
            pass


@pytest.mark.parametrize("name", ['e5-small ["passage: "]/64', "e5-small/64"])
async def test_an_index_is_searched_by_what_it_was_made_with(tmp_path: Path, name: str) -> None:
    """Also by what a release told it that told models nothing."""
    with embeddings_server() as server:
        wanted = options(server, tmp_path, model=MODEL)
        server.others["e5-small"] = HashEmbedder(64)
        async with open_embedder_of(wanted, name, 64) as embedder:
            assert embedder.identity.name == name
            await embedder.embed(["a lamp"], "query")
        assert server.requests[-1].body["input"] == ["query: a lamp" if "passage" in name else "a lamp"]
        for other in ('e5-small ["Passage: "]/64', f'{MODEL} ["passage: "]/64', 'e5-small ["", "passage"]/64'):
            with pytest.raises(Misconfigured, match="cannot be reached with these settings"):
                async with open_embedder_of(wanted, other, 64):
                    pass
