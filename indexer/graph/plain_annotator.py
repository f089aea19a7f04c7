"""Our own annotator: closed classes of words and a list of verbs, no model."""

import re

from indexer.graph.annotation import Annotation, NamedSpan, WordClass, WordToken
from indexer.graph.english_words import BASES, BE, CLOSED, VERBS

_TOKEN = re.compile(r"['’]s\b|n['’]t\b|[^\W_](?:\w|[.\-&'’](?=\w)(?!s\b))*|\n+|[^\w\s]")
_PAST = re.compile(r"(?!hundred|sacred|kindred)[a-z]{3,20}(?<!e)ed")
"""The past of a verb that is not in the list."""
_ENDS = frozenset(".!?:;|…•")
_ABBREVIATED = re.compile(r"(?:\b\w|\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Inc|Ltd|Corp|Co|vs|e\.g|i\.e|etc|No|approx))\Z")


class PlainAnnotator:
    """See indexer.graph.annotation.Annotator."""

    name = "rules-2"

    def annotate(self, text: str, names: tuple[NamedSpan, ...]) -> Annotation:
        """See Annotator. It adds no names."""
        tokens: list[WordToken] = []
        for match in _TOKEN.finditer(text):
            tokens.append(_token(text, match, tokens[-1] if tokens else None))
        return Annotation(text, tuple(tokens), names)


def _token(text: str, match: re.Match[str], before: WordToken | None) -> WordToken:
    start, end = match.span()
    word = match.group()
    lemma = word.lower()
    if word[0].isalpha() or word[0] in "'’":
        part, lemma = _word(lemma, before)
    elif word[0] == "\n":
        part = "END" if len(word) > 1 or text.startswith(("-", "*", "|", "•"), end) else "X"
    elif word in _ENDS:
        part = "X" if word == "." and _ABBREVIATED.search(text, max(0, start - 8), start) else "END"
    else:
        part = "NUM" if word.isdigit() else "COMMA" if word == "," else "X"
    return WordToken(start, end, lemma, part)


def _word(lemma: str, before: WordToken | None) -> tuple[WordClass, str]:
    if lemma in {"'s", "’s"}:
        return "POSS", "'s"
    if lemma in CLOSED:
        return CLOSED[lemma], BE.get(lemma, lemma)
    if lemma in VERBS and (before is None or before.part not in {"DET", "ADJ", "POSS"}):
        return "VERB", VERBS[lemma]
    if _PAST.fullmatch(lemma) and (before is None or before.part not in {"DET", "ADJ", "POSS", "NUM"}):
        return "VERB", lemma.removesuffix("ed")
    if lemma in BASES and before is not None and (before.part in {"AUX", "PART", "PRON"} or before.lemma == "to"):
        return "VERB", lemma
    return ("ADV" if lemma.endswith("ly") else "NOUN"), lemma
