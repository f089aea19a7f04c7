"""A server with a multilingual model for embeddings, named in the settings: questions find a page in English."""

from pathlib import Path

from tests.command import Kb, write
from tests.fakes.embeddings_server import EmbeddingsServer
from tests.fakes.multilingual_embedder import MultilingualEmbedder

PAGES = {
    "backups": "# Backups\n\nA backup is kept for 35 days, however long ago it was made.\n",
    "parking": "# Parking\n\nVisitors park behind the north gate and show a badge.\n",
    "lunch": "# Lunch\n\nThe canteen serves soup from noon until two.\n",
}
GERMAN = "# Urlaub\n\nAlle Beschäftigten haben im Jahr 28 Tage Urlaub, und der Rest verfällt im März.\n"
QUESTIONS = [
    "Wie lange werden Sicherungen aufbewahrt?",
    "Combien de temps les sauvegardes sont conservées ?",
    "备份保留多久？",
]


def test_questions_in_other_languages_find_an_english_page_by_a_multilingual_server(
    kb: Kb, docs: Path, embeddings: EmbeddingsServer
) -> None:
    write(docs, **PAGES)
    assert kb("index", str(docs)).code == 0
    assert "does not know" not in kb("doctor").out
    write(docs, urlaub=GERMAN)
    assert kb("index", str(docs)).code == 0
    told = kb("doctor").out
    assert "the model for embeddings does not know German (25 %) of 4 chunks looked at" in told
    assert "Set KB_AGENT_EMBEDDING_BASE_URL to a server with a multilingual model" in told

    embeddings.others["multilingual"] = MultilingualEmbedder(96)
    changed = kb.having(EMBEDDING_MODEL="multilingual")
    for command in (("index", str(docs)), ("search", QUESTIONS[0]), ("ask", QUESTIONS[0])):
        refused = changed(*command)
        assert refused.code == 2
        assert "It holds vectors of hash-model/64; the settings name multilingual/96." in refused.err
        assert "kb reindex --full" in refused.err

    assert changed("reindex", "--full").code == 0
    first = {each: changed("search", each, "--json").json["results"][0]["path"] for each in QUESTIONS}
    assert first == dict.fromkeys(QUESTIONS, "backups.md")
    assert "A backup is kept for 35 days, however long ago it was made. [1]" in changed("ask", QUESTIONS[0]).out
    told = changed("doctor").out
    assert "knows English, German, French, Spanish, Chinese, Japanese" in told
    assert "knows what the index and the last questions are written in" in told
