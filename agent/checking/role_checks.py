"""Who does what to whom: names of a claim beside what the source says of them. Pure."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from agent.checking.alignment import Alignment, WordMatch
from agent.checking.lexicon import lexicon
from agent.checking.read_sentence import Reading
from agent.checking.read_words import ReadWord
from agent.checking.vocabulary import side

_BY = {"by", "von", "vom", "durch"}


def exchanged_roles(pair: Alignment) -> list[str]:
    """Two names of which each stands where the source has the other."""
    for one, other in _pairs(pair):
        if _change_clauses(one, other, pair) or _change_sides(one, other, pair) or _change_agents(one, other, pair):
            return [f"roles: {one.claim.text}, {other.claim.text}"]
    return []


def _pairs(pair: Alignment) -> Iterator[tuple[WordMatch, WordMatch]]:
    names = [match for match in pair.matches if match.claim.text in pair.names or match.claim.name]
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            if one.claim.stem != other.claim.stem:
                yield one, other
    for number, one in enumerate(pair.matches):
        for other in pair.matches[number + 1 :]:
            if side(one.claim, other.claim) < 0:
                yield one, other


def _change_clauses(one: WordMatch, other: WordMatch, pair: Alignment) -> bool:
    """Whether each name stands in a clause of the claim with the words that the source says of the other."""
    if one.claim.clause == other.claim.clause or one.clause == other.clause:
        return False
    ours = _beside(one, other.clause, pair) > _beside(one, one.clause, pair)
    return ours and _beside(other, one.clause, pair) >= _beside(other, other.clause, pair)


def _beside(name: WordMatch, spot: tuple[int, int], pair: Alignment) -> int:
    """Words of the name's clause that stand in a clause of the source."""
    words = sum(
        match is not name and match.claim.clause == name.claim.clause and match.clause == spot for match in pair.matches
    )
    sentence = pair.sentences[spot[0]]
    theirs = [
        each for each, clause in zip(sentence.quantities, sentence.value_clauses, strict=True) if clause == spot[1]
    ]
    ours = zip(pair.claim.quantities, pair.claim.value_clauses, strict=True)
    return words + sum(
        clause == name.claim.clause and any(value.equals(each) for each in theirs) for value, clause in ours
    )


def _change_sides(one: WordMatch, other: WordMatch, pair: Alignment) -> bool:
    """Whether two names of one sentence stand on the other sides of the words between them, in the same voice."""
    if one.sentence != other.sentence or one.source.place <= other.source.place:
        return False
    if not _in_one_statement(one.claim, other.claim, pair.claim):
        return False
    first, second = one.claim.place, other.claim.place
    if first and lexicon(pair.claim.language).tags.get(pair.claim.tokens[first - 1]) == "p":
        return False  # `In Europe, …`: moved to the front
    between = [
        match
        for match in pair.matches
        if first < match.claim.place < second and other.source.place < match.source.place < one.source.place
    ]
    source = pair.sentences[one.sentence]
    return bool(between) and _is_agent(pair.claim, second, 4) == _is_agent(source, one.source.place, 4)


def _change_agents(one: WordMatch, other: WordMatch, pair: Alignment) -> bool:
    """Whether `by` stands before the one name in the claim, and before the other in a sentence that has both."""
    ours = [_is_agent(pair.claim, match.claim.place, 2) for match in (one, other)]
    if ours[0] == ours[1]:
        return False
    for sentence in pair.source:
        places = [
            next((word.place for word in sentence.words if word.stem == match.claim.stem), -1) for match in (one, other)
        ]
        if min(places) >= 0 and [_is_agent(sentence, place, 2) for place in places] == ours[::-1]:
            return True
    return False


def _is_agent(sentence: Reading, place: int, reach: int) -> bool:
    return any(0 < place - by <= reach for by in sentence.agents)


def said_apart(pair: Alignment) -> list[str]:
    """Two names of one clause that no sentence of the source says together."""
    known = [
        word
        for word in pair.claim.words
        if (word.text in pair.names or word.code) and _anywhere(word, pair.source) and not _anywhere(word, pair.context)
    ]
    for number, one in enumerate(known):
        for other in known[number + 1 :]:
            near = _in_one_statement(one, other, pair.claim) or (_in_rows(one, pair) and _in_rows(other, pair))
            if near and not _together(one, other, pair.source):
                return [f"not said together: {one.text}, {other.text}"]
    return _rows_apart(known, pair)


def _in_one_statement(one: ReadWord, other: ReadWord, claim: Reading) -> bool:
    return any({one.place, other.place} <= {part.place for part in each.parts} for each in claim.statements)


def _together(one: ReadWord, other: ReadWord, source: Sequence[Reading]) -> bool:
    """Whether one sentence holds both, or two that follow each other: `it` may stand for what the first one names."""
    spans = [*((each,) for each in source), *((a, b) for a, b in pairwise(source) if not (a.row or b.row))]
    return any(_anywhere(one, span) and _anywhere(other, span) for span in spans)


def _rows_apart(known: Sequence[ReadWord], pair: Alignment) -> list[str]:
    """A name and a number that only different rows of a table hold."""
    for word in known:
        for value in pair.claim.quantities:
            rows = [each for each in pair.source if any(value.equals(other) for other in each.quantities)]
            in_rows = bool(rows) and all(each.row for each in rows) and _in_rows(word, pair)
            if in_rows and value.kind != "code" and not any(_holds(each, word) for each in rows):
                return [f"not said together: {word.text}, {value.text}"]
    return []


def _in_rows(word: ReadWord, pair: Alignment) -> bool:
    """Whether only rows of a table hold a word."""
    return all(each.row for each in pair.source if _holds(each, word))


def _anywhere(word: ReadWord, sentences: Sequence[Reading]) -> bool:
    return any(_holds(each, word) for each in sentences)


def _holds(sentence: Reading, word: ReadWord) -> bool:
    return any(word.stem == other.stem for other in sentence.words)
