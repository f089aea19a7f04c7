"""Which languages the index and the questions are in, and whether the model for embeddings knows them."""

from collections import Counter
from collections.abc import Collection, Sequence

from agent.providers.known_languages import known_languages
from domain.model_ports import Embedder
from domain.text.languages import LEAST_SHARE, NAMES, written_in
from storage.index.text_samples import recent_questions, sampled_chunks
from storage.open import Storage

MAX_CHUNKS, MAX_QUESTIONS = 1_000, 500
"""So many are looked at."""

NEXT_STEP = (
    "Set KB_AGENT_EMBEDDING_BASE_URL to a server with a multilingual model to have them found by meaning, too: see"
    " docs/languages.md"
)
"""What may be done where a model does not know a language that is in use; nothing has to be."""


async def languages_in_use(storage: Storage, embedder: Embedder) -> str:
    """What to say of the index and of the last questions. Raises Transient, Misconfigured: see Embedder."""
    chunks = await sampled_chunks(storage.owner, MAX_CHUNKS)
    questions = await recent_questions(storage.owner, MAX_QUESTIONS)
    if not chunks:
        return "nothing is indexed yet"
    return unknown_languages(chunks, questions, await known_languages(embedder))


def unknown_languages(chunks: Sequence[str], questions: Sequence[str], known: Collection[str]) -> str:
    """What to say of texts from the index and of questions in languages that the model does not know.

    Args:
        known: names of languages, as `agent.providers.known_languages` gives them.
    """
    found = [
        f"{share} of {len(texts):,} {what}"
        for texts, what in ((chunks, "chunks looked at"), (questions, "questions asked lately"))
        if (share := _shares([NAMES[written_in(text)] for text in texts], known))
    ]
    if not found:
        return "the model for embeddings knows what the index and the last questions are written in"
    unknown = "; and ".join(found)
    return f"the model for embeddings does not know {unknown}: those are found by their words alone. {NEXT_STEP}"


def _shares(names: Sequence[str], known: Collection[str]) -> str:
    """`German (12 %), Chinese (7 %)`, most frequent first; empty where none of the unknown is frequent."""
    counts = Counter(name for name in names if name not in known)
    shares = {name: count / len(names) for name, count in counts.most_common()}
    return ", ".join(
        f"{name} ({share:.0%})".replace("%", " %") for name, share in shares.items() if share >= LEAST_SHARE
    )
