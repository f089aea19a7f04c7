"""Annotations by a spaCy pipeline that the operator installed. The only module that knows spaCy."""

from collections.abc import Callable, Iterable
from typing import Any

from domain.errors import Misconfigured
from domain.knowledge_graph import name_key
from indexer.graph.annotation import Annotation, NamedSpan, WordClass, WordToken

RECOGNISED = 0.8
"""Confidence of a name that the pipeline recognises."""

_NAMES = frozenset({"PERSON", "PER", "ORG", "PRODUCT", "GPE", "LOC", "FAC", "WORK_OF_ART", "EVENT", "LAW", "MISC"})
_PARTS: dict[str, WordClass] = {
    "PROPN": "NOUN",
    "NOUN": "NOUN",
    "ADJ": "ADJ",
    "ADV": "ADV",
    "ADP": "ADP",
    "AUX": "AUX",
    "VERB": "VERB",
    "DET": "DET",
    "PRON": "PRON",
    "PART": "PART",
    "NUM": "NUM",
    "CCONJ": "CONJ",
    "SCONJ": "CONJ",
}
_ENDS = frozenset({".", "!", "?", ":", ";", "…"})


class SpacyAnnotator:
    """See indexer.graph.annotation.Annotator. name: of the pipeline and its version. parse: the pipeline, whose
    library has no types."""

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name = f"spacy/{name}"
        self._parse = parse

    def annotate(self, text: str, names: tuple[NamedSpan, ...]) -> Annotation:
        """See indexer.graph.annotation.Annotator. Adds the entities that the pipeline recognises."""
        parsed = self._parse(text)
        return Annotation(text, tuple(map(_token, parsed)), _with(names, parsed.ents))


def open_spacy(pipeline: str) -> SpacyAnnotator:
    """The annotator over an installed pipeline, such as en_core_web_sm.

    Raises Misconfigured when spaCy or the pipeline is not installed.
    """
    try:
        import spacy

        language = spacy.load(pipeline)
    except (ImportError, OSError, ValueError) as error:
        raise Misconfigured(
            f"The language pipeline {pipeline} cannot be used",
            why=str(error).split("\n", 1)[0],
            next_step="Install kb-agent with its extra spacy and the pipeline's package, or empty graph_pipeline.",
        ) from None
    version = language.meta.get("version", "")
    return SpacyAnnotator(f"{pipeline}-{version}", language)


def _token(word: Any) -> WordToken:
    end, text = word.idx + len(word.text), word.text
    if text in {"'s", "’s"} and word.pos_ == "PART":
        part: WordClass = "POSS"
    elif word.pos_ == "SPACE":
        part = "END" if text.count("\n") > 1 else "X"
    elif word.pos_ == "PUNCT":
        part = "COMMA" if text == "," else "END" if text in _ENDS else "X"
    else:
        part = _PARTS.get(word.pos_, "X")
    return WordToken(word.idx, end, word.lemma_.lower(), part)


def _with(names: tuple[NamedSpan, ...], entities: Iterable[Any]) -> tuple[NamedSpan, ...]:
    """The names and the entities that the pipeline recognised. An entity that is a name already raises its
    confidence; none is added within a key or an address."""
    found = {(each.start, each.end): each for each in names}
    for entity in entities:
        key, place = name_key(entity.text), (entity.start_char, entity.end_char)
        keys = (each for each in names if not each.key.startswith("name:"))
        inside = any(each.start <= place[0] and place[1] <= each.end for each in keys)
        if entity.label_ in _NAMES and key and not inside:
            known = found.get(place)
            confidence = max(RECOGNISED, known.confidence if known else 0)
            found[place] = NamedSpan(*place, key, entity.text, confidence)
    return tuple(sorted(found.values(), key=lambda each: (each.start, -each.end)))
