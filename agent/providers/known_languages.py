"""Which languages a model for embeddings knows, seen from how near it places translations."""

from collections.abc import Mapping

import numpy as np

from domain.model_ports import Embedder

ENGLISH_ONLY = (
    "knows English only: pages in other languages are found by their words alone, unless KB_AGENT_EMBEDDING_BASE_URL"
    " names a server with a multilingual model"
)
"""Said of a model."""

_ENGLISH = ("The kitchen is closed on Sundays.", "Who approves the invoice?")
_TRANSLATIONS: Mapping[str, tuple[str, str]] = {
    "German": ("Die Küche ist sonntags geschlossen.", "Wer genehmigt die Rechnung?"),
    "French": ("La cuisine est fermée le dimanche.", "Qui approuve la facture ?"),
    "Spanish": ("La cocina está cerrada los domingos.", "¿Quién aprueba la factura?"),
    "Chinese": ("厨房星期天不开放。", "谁批准发票?"),
    "Japanese": ("キッチンは日曜日は閉まっています。", "誰が請求書を承認しますか?"),
}

NEAR = 0.4
"""Cosine of a sentence and its translation from which a model knows the language. The packaged MiniLM
gives 0.16 at most."""


async def known_languages(embedder: Embedder) -> list[str]:
    """English, and the languages of which two sentences lie near their English translations, and nearer than to the
    other one.

    Raises:
        Transient, Misconfigured: see domain.model_ports.Embedder.
    """
    texts = [*_ENGLISH, *(text for pair in _TRANSLATIONS.values() for text in pair)]
    vectors = np.asarray(await embedder.embed(texts), dtype=np.float32)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = (unit[2:] @ unit[:2].T).reshape(-1, 2, 2)
    known = [
        bool(np.diagonal(each).min() >= NEAR and each[0, 0] > each[0, 1] and each[1, 1] > each[1, 0])
        for each in cosines
    ]
    return ["English", *(name for name, is_known in zip(_TRANSLATIONS, known, strict=True) if is_known)]
