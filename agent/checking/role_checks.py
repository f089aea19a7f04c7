"""Who does what to whom: names of a claim beside what the source says of them. Pure."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from agent.checking.alignment import Alignment, WordMatch, side
from agent.checking.readings import Reading, ReadWord

NEAR = 9
"""Tokens from who does something to whom it is done to."""

BEHIND = 4
"""Tokens behind a preposition that it may govern."""

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
    first, second = one.claim.place, other.claim.place
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


def exchanged_parts(pair: Alignment) -> list[str]:
    """Two things of one clause of which the source has the other behind the same preposition: `A waits for B`."""
    claim = pair.claim
    for sentence in pair.sentences:
        for name in dict.fromkeys(name for name, _ in claim.prepositions):
            ours, theirs = _governed(name, claim), _governed(name, sentence)
            behind = [(word, found) for word in ours if (found := _same_in(word, sentence)) and found not in theirs]
            instead = [(found, word) for word in theirs if (found := _same_in(word, claim)) and found not in ours]
            for one, two in behind:
                for other, four in instead:
                    if one.clause == other.clause and two.clause == four.clause:
                        return [f"roles: {name} {one.text} / {name} {other.text}"]
    return []


def _same_in(word: ReadWord, sentence: Reading) -> ReadWord | None:
    return sentence.by_stem.get(word.stem)


def _governed(preposition: str, sentence: Reading) -> list[ReadWord]:
    """The words right behind a preposition, wherever it stands: two at most, up to the next preposition."""
    found: list[ReadWord] = []
    for name, place in sentence.prepositions:
        if name == preposition:
            end = min((spot for _, spot in sentence.prepositions if spot > place), default=place + BEHIND)
            reach = min(end, place + BEHIND)
            found += [each for each in sentence.words if place < each.place <= reach][:2]
    return found


def exchanged_sides(pair: Alignment) -> list[str]:
    """Two things on the other sides of the word between them, in the same voice: `A delays B` for `B delays A`."""
    matched = [match.claim for match in pair.matches if not match.opposite]
    for one, verb, other in _acts(matched, pair.claim):
        for sentence in pair.source:
            first, middle, second = (_same_in(each, sentence) for each in (one, verb, other))
            if first and middle and second and first.clause == middle.clause == second.clause:
                turned = second.place < middle.place < first.place
                if turned and _is_agent(pair.claim, other.place, 3) == _is_agent(sentence, first.place, 3):
                    return [f"roles: {one.text}, {other.text}"]
    return []


def _acts(words: Sequence[ReadWord], claim: Reading) -> Iterator[tuple[ReadWord, ReadWord, ReadWord]]:
    """Three words that follow each other closely in one clause, the last not behind a preposition other than `by`."""
    for one, verb, other in zip(words, words[1:], words[2:], strict=False):
        near = other.place - one.place <= NEAR and one.clause == other.clause
        behind = any(verb.place < spot < other.place and name not in _BY for name, spot in claim.prepositions)
        if near and not behind:
            yield one, verb, other


def said_apart(pair: Alignment) -> list[str]:
    """Two names of one clause that no sentence of the source says together."""
    known = [
        word
        for word in pair.claim.words
        if (word.text in pair.names or word.code) and _anywhere(word, pair.source) and not _anywhere(word, pair.context)
    ]
    for number, one in enumerate(known):
        for other in known[number + 1 :]:
            near = one.clause == other.clause or (_in_rows(one, pair) and _in_rows(other, pair))
            if near and not _together(one, other, pair.source):
                return [f"not said together: {one.text}, {other.text}"]
    return _rows_apart(known, pair)


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
