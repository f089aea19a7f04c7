"""Which languages a model for embeddings knows, seen from how near it places translations."""

from collections.abc import Mapping

import numpy as np

from agent.providers.cosine_probes import measured_scale
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

MARGIN = 0.25
"""By how much translations must be nearer than the other sentences, in cosines on the common scale, for a model to know
the language. The packaged MiniLM comes to 0.08 at most, multilingual-e5-small to 0.43 at least."""


async def known_languages(embedder: Embedder) -> list[str]:
    """English, and the languages of which two sentences lie nearer to their English translations than to the other one.

    Raises:
        Transient, Misconfigured: see domain.model_ports.Embedder.
    """
    texts = [*_ENGLISH, *(text for pair in _TRANSLATIONS.values() for text in pair)]
    vectors = np.asarray(await embedder.embed(texts, "query"), dtype=np.float32)
    scale = await measured_scale(embedder)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    known = ["English"]
    for place, name in enumerate(_TRANSLATIONS):
        cosines = (unit[2 * place + 2 : 2 * place + 4] @ unit[:2].T).tolist()
        (first, strange), (stranger, second) = [[scale.common(each) for each in row] for row in cosines]
        if min(first, second) - max(strange, stranger) >= MARGIN:
            known.append(name)
    return known
