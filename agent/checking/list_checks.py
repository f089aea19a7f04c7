"""What is joined with what: `and` for `or`, and members of a list that the source does not name. Pure."""

from collections.abc import Iterator

from agent.checking.alignment import CLOSE_SHARE, Alignment
from agent.checking.read_sentence import Reading
from agent.checking.read_words import ReadWord
from agent.checking.vocabulary import same

_AND, _OR = frozenset({"and", "und", "sowie"}), frozenset({"or", "oder"})
MAX_TOKENS_FROM_AND = 4
"""Tokens beside an `and` in which what it joins stands."""


def joined_otherwise(pair: Alignment) -> list[str]:
    """`Both` where the source says that one is enough, and one of two where it wants both."""
    for words, others, forced in ((_AND, _OR, False), (_OR, _AND, True)):
        for one, two in _joined(pair.claim, words):
            for sentence in pair.sentences:
                if sentence.denials or pair.claim.denials or (forced and "must" not in sentence.forces):
                    continue
                if any(_same_two(one, two, *theirs) for theirs in _joined(sentence, words)):
                    continue
                if any(_same_two(one, two, *theirs) for theirs in _joined(sentence, others)):
                    return [f"joined otherwise: {one.text}, {two.text}"]
    return []


def own_member(pair: Alignment) -> list[str]:
    """Something beside what the source names, joined to it by `and`."""
    own = [word for word in pair.claim.words if word.place not in pair.held]
    if len(own) > max(1, CLOSE_SHARE * len(pair.claim.words)):
        return []
    verbs = {each.verb.place for each in pair.claim.statements if each.verb}
    for one, two in _joined(pair.claim, _AND | _OR):
        if verbs & {one.place, two.place}:
            continue
        if (one.place in pair.held) != (two.place in pair.held):
            return [f"joined to it: {(two if one.place in pair.held else one).text}"]
    return []


def _joined(sentence: Reading, words: frozenset[str]) -> Iterator[tuple[ReadWord, ReadWord]]:
    for place, token in enumerate(sentence.tokens):
        if token in words:
            before = [each for each in sentence.words if place - MAX_TOKENS_FROM_AND <= each.place < place]
            behind = [each for each in sentence.words if place < each.place <= place + MAX_TOKENS_FROM_AND]
            if before and behind and before[-1].stem != behind[0].stem:
                yield before[-1], behind[0]


def _same_two(one: ReadWord, two: ReadWord, first: ReadWord, second: ReadWord) -> bool:
    return (same(one, first) and same(two, second)) or (same(one, second) and same(two, first))
