"""What a claim says beyond its source. Pure."""

from collections.abc import Mapping

from agent.checking.alignment import Alignment
from agent.checking.lexicon import Language

MIN_HELD_SHARE = 0.25
"""Share of a claim's words that the source must hold; below it is doubtful whether it speaks of the same."""

MIN_ADDED_WORDS = 4
"""Words that the source does not hold, beyond those that they may stand for, from which a claim adds something."""

ADDED_IN_CLAUSE, HELD_IN_CLAUSE = 3, 0.25
"""Words of one clause that the source does not hold, and the share that it must hold where there are so many."""

ADDED_AT_END: Mapping[Language, int] = {"english": 2, "german": 3}
HELD_AT_END = 0.4
"""The same of the last of several clauses, where additions stand; German puts its verbs there."""


_LIGHT = frozenset(
    """make made take get go come becom happen thing need use say tell hear look work person peopl someon anybodi time
    mach nehm bekomm komm geh werd bleib pass sag mensch person leut zeit""".split()  # noqa: SIM905 - as read
)
"""Stems of words that a paraphrase may have without saying more."""


def added_words(pair: Alignment) -> list[str]:
    """Words that the source does not hold. A paraphrase has words of its own in place of the source's; what is added
    stands beside words that the source has, too."""
    missing = [word.text for word in pair.claim.words if word.place not in pair.held]
    if len(missing) > (1 - MIN_HELD_SHARE) * len(pair.claim.words) or len(missing) - _replaced(pair) >= MIN_ADDED_WORDS:
        return [f"not said: {', '.join(missing[:5])}"]
    return []


def _replaced(pair: Alignment) -> int:
    """Words of the source's clauses that the claim rests on and for which it has no word."""
    clauses = {match.clause for match in pair.matches}
    used = {(match.sentence, match.source.place) for match in pair.matches}
    return sum(
        (number, word.clause) in clauses and (number, word.place) not in used
        for number, sentence in enumerate(pair.sentences)
        for word in sentence.words
    )


def added_clause(pair: Alignment) -> list[str]:
    """A clause of which the source holds next to nothing."""
    for clause in range(len(pair.claim.forces)):
        words = [word for word in pair.claim.words if word.clause == clause]
        missing = [word.text for word in words if word.place not in pair.held and word.stem not in _LIGHT]
        last = 0 < clause == max((word.clause for word in pair.claim.words), default=0)
        added, held = (ADDED_AT_END[pair.claim.language], HELD_AT_END) if last else (ADDED_IN_CLAUSE, HELD_IN_CLAUSE)
        if len(missing) >= added and len(missing) > (1 - held) * len(words) - 1e-9:
            return [f"not said in one clause: {', '.join(missing[:5])}"]
    return []


def added_also(pair: Alignment) -> list[str]:
    """Something that holds `also`, and that the source does not name."""
    if pair.claim.also < 0 or any(each.also >= 0 for each in pair.sentences):
        return []
    following = next((word for word in pair.claim.words if word.place > pair.claim.also), None)
    return [f"also: {following.text}"] if following and following.place not in pair.held else []


def inexact_literals(pair: Alignment) -> list[str]:
    """Text between backticks that does not stand in the source word for word."""
    source = [" ".join(each.text.split()) for each in pair.source]
    whole = " ".join(source)
    rows = [each for each, sentence in zip(source, pair.source, strict=True) if sentence.row]
    return [
        f"not said word for word: {each}"
        for each in pair.claim.literals
        if each not in whole and not any(all(word in row for word in each.split()) for row in rows)
    ]


def own_exception(pair: Alignment) -> list[str]:
    """An exception that the source has no word of: `unless it is urgent`."""
    for clause in pair.claim.exceptions:
        words = [word for word in pair.claim.words if word.clause == clause]
        values = any(spot == clause for spot in pair.claim.value_clauses)
        if words and not values and not any(word.place in pair.held for word in words):
            return [f"exception of its own: {words[0].text}"]
    return []


def own_circumstance(pair: Alignment) -> list[str]:
    """Words behind a preposition that the source has not, in a sentence that has nearly all words of it and none in
    their place."""
    missing = [word for word in pair.claim.words if word.place not in pair.held]
    if not missing or not pair.close or len(missing) <= _replaced(pair):
        return []
    behind = {
        part.place
        for each in pair.claim.statements
        for part in each.parts
        if any(slot.startswith("p:") for slot in part.slots)
    }
    return [f"added: {word.text}" for word in missing if word.place in behind][:1]
