"""A small deterministic embedder for several languages: a word stands where its English one does."""

import re
from collections.abc import Sequence

from domain.model_ports import Vectors
from tests.fakes.embedder import HashEmbedder

LEXICON = {
    "backup": "sicherungen sauvegardes copias 备份 バックアップ",
    "kept": "aufbewahrt conservées guardan 保留 保存",
    "long": "lange combien tiempo 多久 いつまで",
    "kitchen": "küche cuisine cocina 厨房 キッチン",
    "closed": "geschlossen fermée cerrada 不开放 閉まって",
    "sundays": "sonntags dimanche domingos 星期天 日曜日",
    "approves": "genehmigt approuve aprueba 批准 承認",
    "invoice": "rechnung facture factura 发票 請求書",
}
"""English words, and their translations."""

_SMALL = re.compile(r"\b(?:wie|werden|wird|die|der|das|ist|wer|le|la|les|est|qui|el|los|quién|who|the|is|on|are|how)\b")
_ENGLISH = {word: english for english, words in LEXICON.items() for word in words.split()}
_KNOWN = re.compile("|".join(sorted(_ENGLISH, key=len, reverse=True)))


class MultilingualEmbedder(HashEmbedder):
    """Puts known words of five languages into English, and counts words and trigrams of what comes of it."""

    def vectors(self, texts: Sequence[str]) -> Vectors:
        return super().vectors([_KNOWN.sub(_english, _SMALL.sub(" ", text.lower())) for text in texts])


def _english(found: re.Match[str]) -> str:
    return f" {_ENGLISH[found.group()]} "
