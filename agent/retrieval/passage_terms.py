"""The tokens of passages, made once for all texts that a passage is held to."""

from domain.search import Passage
from domain.text.tokens import Analyzer, Stemming


class PassageTerms:
    """Remembers the tokens of the passages of one question, by chunk id."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, Stemming], frozenset[str]] = {}

    def of(self, passage: Passage, stemming: Stemming) -> frozenset[str]:
        """The tokens of a passage with its title and headings."""
        key = (passage.chunk_id, stemming)
        if key not in self._held:
            self._held[key] = terms_of(passage, Analyzer(stemming))
        return self._held[key]


def terms_of(passage: Passage, analyzer: Analyzer) -> frozenset[str]:
    """The tokens of a passage with its title and headings."""
    return frozenset(analyzer.tokens("\n".join((passage.title, *passage.heading_path, passage.text))))
