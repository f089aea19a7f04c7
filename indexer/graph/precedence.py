"""What a document says of itself: that it replaces another one, is replaced by it, or counts where that one says
something else. Pure.

Only what a document says of itself is read. `Redpanda replaces RabbitMQ` is a statement about two programs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from domain.documents import Block
from domain.knowledge_graph import Link
from domain.patterns import LinearRegex
from domain.text.sentences import sentences

MAX_LOOKED_AT = 50
"""Places of the words of links in a document that are looked at."""

_ITSELF = r"(?:it|(?:this|the present)(?: [\w-]{1,30}){0,3}|diese[rs]?(?: [\w-]{1,30}){0,2}|sie)"
_BEGINS = rf"(?i)(?:^\W*(?:[\w ]{{1,30}}:\W*)?|(?:^|\W){_ITSELF} )"
_REPLACES = LinearRegex(
    rf"{_BEGINS}(?:(?:also|now|hereby|completely) )?(?:replaces?|supersedes?|ersetzt)(?:[^\w.;][^.;]{{0,80}})?$"
)
_REPLACED = LinearRegex(
    rf"{_BEGINS}(?:(?:is|was|has been|wird|wurde|ist) )?(?:(?:now|since) )?"
    r"(?:(?:replaced|superseded) by|ersetzt durch|abgelöst (?:durch|von))(?:[^\w.;][^.;]{0,60})?$"
)
_COUNTS = LinearRegex(
    r"(?i)(?:where|if|when|wo|wenn) (?:the |das |der |die )?(?P<name>[\w -]{3,60}?)"
    r" (?:says?|states?|differs?|contradicts?|disagrees?|sagt|abweicht|etwas anderes)(?:\W[^.]{0,60})?,"
    r" (?:this [\w-]{1,30} (?:counts|prevails|applies|wins|is right)|gilt diese)"
)


def with_precedence(links: Sequence[Link], blocks: Sequence[Block], plain: frozenset[str]) -> Iterator[Link]:
    """The links of a document, those with another predicate of which its text says that one counts before the other.

    plain: the predicates that say no more than that there is a link.
    """
    named = [each for block in blocks for each in _COUNTS.finditer(block.text)]
    counts = [set(each["name"].casefold().split()) for each in named]
    for link in links:
        if link.predicate not in plain or not link.words:
            yield link
            continue
        inverse = _said(link.words, blocks)
        if inverse is not None:
            yield replace(link, predicate="replaces", inverse=inverse)
        elif any(words <= set(link.words.casefold().split()) for words in counts):
            yield replace(link, predicate="takes precedence over")
        else:
            yield link


def _said(words: str, blocks: Sequence[Block]) -> bool | None:
    """Whether the sentence before the words of a link says that the document is replaced by what they lead to (True),
    replaces it (False), or neither."""
    for before in _before(words, blocks):
        if _REPLACED.search(before):
            return True
        if _REPLACES.search(before):
            return False
    return None


def _before(words: str, blocks: Sequence[Block]) -> Iterator[str]:
    """What stands before the words in their sentence, at each of their places."""
    looked_at = 0
    for block in blocks:
        if words not in block.text:
            continue
        for start, end in sentences(block.text):
            at = block.text.find(words, start, end)
            if at >= 0:
                looked_at += 1
                yield block.text[start:at]
            if looked_at == MAX_LOOKED_AT:
                return
