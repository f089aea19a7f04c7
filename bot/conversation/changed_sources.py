"""What a new version of a cited document says of a sentence that was posted."""

from collections.abc import Sequence

from agent.checking.claim_comparison import Verdict, compare_texts
from domain.answers import Citation
from domain.patterns import LinearRegex
from domain.text.sentences import sentences

NEAREST = 4
"""Chunks of the new version that a sentence is compared with: those that share most words with it."""

SAME_MATTER = 0.4
"""Share of a sentence's words in one of the new version: with fewer, what disagrees speaks of something else."""

_WORD = LinearRegex(r"\w+")


def compare_with_current_text(sentence: str, cited: Citation, texts: Sequence[str]) -> Verdict:
    """Whether a sentence still agrees with the document that it cites, of which these are the chunks now.

    Doubtful where the document is silent on it, and where it seemed to disagree with the cited words themselves.
    """
    words = _words(sentence)
    nearest = sorted(texts, key=lambda text: -len(words & _words(text)))[:NEAREST]
    verdict = compare_texts(sentence, nearest, [cited.title]).verdict
    if verdict == "disagrees" and (not _speaks_of(words, nearest) or _disagreed(sentence, cited)):
        return "doubtful"
    return verdict


def _disagreed(sentence: str, cited: Citation) -> bool:
    return compare_texts(sentence, [cited.quote], [cited.title]).verdict == "disagrees"


def _speaks_of(words: frozenset[str], texts: Sequence[str]) -> bool:
    """Whether one sentence of the texts holds enough of these words."""
    said = (_words(text[start:end]) for text in texts for start, end in sentences(text))
    return any(len(words & each) >= SAME_MATTER * len(words) for each in said)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
