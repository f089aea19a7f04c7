"""What models for embeddings want put before a text, so that they know a question from a passage."""

from dataclasses import dataclass
from fnmatch import fnmatchcase

from domain.model_ports import TextKind


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What stands before the texts that a model reads."""

    query: str = ""
    passage: str = ""

    def of(self, kind: TextKind) -> str:
        """The one of this kind."""
        return self.query if kind == "query" else self.passage


_SEARCHING = "Represent this sentence for searching relevant passages: "
_WEB_QUERY = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"

_GEMMA = Prefixes("task: search result | query: ", "title: none | text: ")
_E5 = Prefixes("query: ", "passage: ")
_KNOWN = (
    ("*e5-*-instruct*", Prefixes(f"{_WEB_QUERY} ")),
    ("*e5-[sbl]*", _E5),
    ("*mxbai-embed-de-*", _E5),
    ("*bge-[sbl]*-en*", Prefixes(_SEARCHING)),
    ("bge-large", Prefixes(_SEARCHING)),
    ("bge-large:*", Prefixes(_SEARCHING)),
    ("*bge-[sbl]*-zh*", Prefixes("为这个句子生成表示以用于检索相关文章：")),
    ("*mxbai-embed*", Prefixes(_SEARCHING)),
    ("*arctic-embed2*", Prefixes("query: ")),
    ("*arctic-embed*-v2*", Prefixes("query: ")),
    ("*arctic-embed*", Prefixes(_SEARCHING)),
    ("*nomic-embed-text*", Prefixes("search_query: ", "search_document: ")),
    ("*qwen3-embedding*", Prefixes(_WEB_QUERY)),
    ("*embedding-gemma*", _GEMMA),
    ("*embeddinggemma*", _GEMMA),
)
"""By names, as in file names, the first that fits: what the models' own cards ask for."""


def prefixes_of(model: str) -> Prefixes:
    """What the model of this name wants before its texts; nothing where that is not known. model: as its server calls
    it, as in `intfloat/multilingual-e5-small` or `nomic-embed-text:v1.5`."""
    name = model.lower().replace("_", "-")
    return next((found for pattern, found in _KNOWN if fnmatchcase(name, pattern)), Prefixes())
