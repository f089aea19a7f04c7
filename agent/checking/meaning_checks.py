"""What a claim denies, obliges, permits and counts, beside what its source does. Each check gives differences. Pure."""

from collections import Counter

from agent.checking.alignment import CLOSE_SHARE, LOOSE_SHARE, Alignment, WordMatch
from agent.checking.lexicon import Force
from agent.checking.quantities import Quantity
from agent.checking.read_sentence import Reading
from agent.checking.vocabulary import side

MIN_HELD_SHARE = 0.5
"""Share of a clause's words that the source must hold for their denials to be compared."""

MIN_CONTRARY_WORDS = 2
"""Words more that speak for the contrary than for the same, from which a clause contradicts."""

DENIED_TOKENS = 4
"""Tokens behind a denial that are denied for sure."""

_CLASHES = (
    ("all", "some"),
    ("all", "most"),
    ("all", "only"),
    ("some", "all"),
    ("most", "all"),
    ("all", "none"),
    ("none", "all"),
    *(("few", "most"), ("most", "few"), ("few", "all"), ("all", "few"), ("few", "many"), ("many", "few")),
    *(("all", "many"), ("many", "all"), ("many", "none"), ("few", "none"), ("each", "few"), ("each", "many")),
    *(("each", "some"), ("each", "only"), ("each", "none"), ("none", "each")),
)
"""Quantifiers of a claim that another of the source speaks against."""


def denials(pair: Alignment) -> list[str]:
    """Clauses that say of most of their words the contrary, and words in place of their opposites."""
    wrong = [
        f"opposite: {match.claim.text} / {match.source.text}"
        for match in pair.matches
        if _is_opposite(match, pair) and not _by_prefix(match, pair)
    ]
    return [*wrong, *(f"negation in clause {clause + 1}" for clause in _denied_clauses(pair, LOOSE_SHARE))]


def clear_denials(pair: Alignment) -> list[str]:
    """Clauses that say the contrary almost in the words of the source, whatever stands before and behind them."""
    return [f"negation in clause {clause + 1}" for clause in _denied_clauses(pair, CLOSE_SHARE)]


def _denied_clauses(pair: Alignment, most: float) -> list[int]:
    """Clauses that say the contrary of most of their words. most: the share of their words that may be their own."""
    return [
        clause
        for clause, votes in _against(pair)
        if sum(votes) <= -MIN_CONTRARY_WORDS and pair.own_share(clause) <= most
    ]


def _is_opposite(match: WordMatch, pair: Alignment) -> bool:
    # `day or night`: the claim names both
    both = any(side(match.claim, other) < 0 for other in pair.claim.words)
    alone = all(other is match or other.sentence != match.sentence for other in pair.matches)
    return match.opposite and not both and not alone and _vote(match, pair) < 0


def _by_prefix(match: WordMatch, pair: Alignment) -> bool:
    """Whether the two words are opposites by a prefix alone (`unpaid`) and one of both sentences denies something: what
    it denies may be another word."""
    concept = any(one[0] == two[0] for one in match.claim.concepts for two in match.source.concepts)
    source = pair.sentences[match.sentence]
    waits = any(order in {"until", "before"} for order, _ in source.orders)  # `until it acknowledges`: unacknowledged
    return not concept and bool(waits or pair.claim.denials or source.denials)


def _against(pair: Alignment) -> list[tuple[int, list[int]]]:
    """The clauses whose words the source says with the contrary sign, with their votes."""
    votes: dict[int, list[int]] = {}
    for match in pair.matches:
        votes.setdefault(match.claim.clause, []).append(_vote(match, pair))
    turned = {match.claim.clause for match in pair.matches if match.opposite and _vote(match, pair) > 0}
    against = []
    for clause, given in votes.items():
        if clause in turned or ("need not" in _source_forces(clause, pair) and pair.claim.forces[clause] == "may"):
            continue  # `does not accept` for `rejects`: the denial is in the other word
        if clause in pair.claim.conditions and any(_ELSE.intersection(each.tokens) for each in pair.source):
            continue  # `if it does not answer` for `until it answers` and for `it has to answer; otherwise`
        size = sum(word.clause == clause for word in pair.claim.words)
        clear = sum(given) < (0 if 1 not in given else -1)
        if clear and len(given) >= max(2, MIN_HELD_SHARE * size) and not _excepts(pair):
            against.append((clause, given))
    return against


def unmatched_denials(pair: Alignment) -> list[str]:
    """A denial of the one that the other has in no form, where the source holds all words of the claim."""
    if (
        len(pair.held) < len(pair.claim.words)
        or not pair.sentences
        or _denies(pair.claim) == _denies(pair.sentences[0])
    ):
        return []
    if _denies(pair.claim):
        return (
            []
            if any(_denies(each) for each in pair.sentences) or any(m.opposite for m in pair.matches)
            else ["a denial of its own"]
        )
    best = pair.sentences[0]
    if best.waits:
        return []
    denied = {
        match.source.clause for match in pair.matches if match.sentence == 0 and best.negated[match.source.clause]
    }
    return ["a denial left out"] if denied and not any(m.opposite for m in pair.matches) else []


def _denies(sentence: Reading) -> bool:
    limited = sentence.quantifiers & {"except", "none", "late"}
    return bool(sentence.denials or limited or any(sentence.negated) or any(word.negative for word in sentence.words))


def denied_words(pair: Alignment) -> list[str]:
    """Words that the source denies and the claim, which denies nothing, does not."""
    if pair.claim.denials or _AWAY.intersection(pair.claim.tokens):
        return []
    shared = Counter(match.sentence for match in pair.matches)
    denied = [
        match.claim.text
        for match in pair.matches
        if shared[match.sentence] > 1
        and not match.opposite
        and not match.claim.negative
        and _vote(match, pair) < 0
        and _in_focus(match, pair)
    ]
    return [f"denied: {', '.join(denied[:3])}"] if denied and not _excepts(pair) else []


_ELSE = frozenset({"until", "till", "otherwise", "else", "bis", "sonst", "andernfalls"})
"""Words behind which, or in front of which, a condition stands with the other sign."""
_AWAY = frozenset(
    """off out away hidden instead avoid avoids refrain prevents protected spared exempt impossible aus weg verborgen
    verzichten verschont ausgenommen stattdessen unmöglich gesperrt tabu""".split()  # noqa: SIM905 - as read
)
"""Words that say a denial otherwise: `keep out of`."""


def own_without(pair: Alignment) -> list[str]:
    """Something that the claim does `without` and the source does not."""
    missed = [
        match.claim.text
        for match in pair.matches
        if match.claim.negative != pair.claim.negated[match.claim.clause]
        and pair.claim.forces[match.claim.clause] not in {"must", "must not"}
        and _vote(match, pair) * (1 if match.claim.negative else -1) < 0
    ]
    return [f"without: {missed[0]}"] if missed else []


def _vote(match: WordMatch, pair: Alignment) -> int:
    """1 where the source says a word as the claim does, -1 where it says the contrary, 0 where it does both."""
    signs: set[int] = set()
    for sentence in pair.sentences:
        for other in sentence.words:
            relation = 1 if match.claim.stem == other.stem else side(match.claim, other)
            if relation == (-1 if match.opposite else 1):
                # the cells of a row say too little to tell what a `no` among them denies
                signs |= (
                    {1, -1}
                    if (sentence.row or sentence.waits) and not match.opposite
                    else {-relation if other.negative else relation}
                )
    if len(signs) != 1:
        return 0
    return 1 if (-1 if match.claim.negative else 1) in signs else -1


def _in_focus(match: WordMatch, pair: Alignment) -> bool:
    """Whether the source's word stands right behind what denies it."""
    return any(0 < match.source.place - cue <= DENIED_TOKENS for cue in pair.sentences[match.sentence].denials)


def _excepts(pair: Alignment) -> bool:
    """Whether one of both says `only` and the other `all but`: then the denial changes sides."""
    both = pair.claim.quantifiers | pair.quantifiers
    return "except" in both and ("only" in pair.claim.quantifiers) != ("only" in pair.quantifiers)


def modality(pair: Alignment) -> list[str]:
    """Clauses that oblige where the source permits, and the like."""
    wrong = []
    for clause, force in enumerate(pair.claim.forces):
        theirs = [each for each in _source_forces(clause, pair) if each]
        # `you can do without it` for `it is not needed`
        spared = (force == "may" and "need not" in theirs) or (force == "need not" and "may" in theirs)
        if force and theirs and force not in theirs and not spared and not pair.loose:
            wrong.append(f"modality: {force} / {theirs[0]}")
    return wrong


def _source_forces(clause: int, pair: Alignment) -> list[Force]:
    """The forces of the source's clauses that share most with a clause of the claim, or one word less."""
    votes: dict[tuple[int, int], float] = {}
    for match in pair.matches:
        if match.claim.clause == clause:
            sentence, number = match.clause
            known = 0.5 if pair.sentences[sentence].forces[number] else 0.0
            votes[match.clause] = votes.get(match.clause, known) + 1
    for sentence, each in enumerate(pair.sentences):
        for value, spot in zip(each.quantities, each.value_clauses, strict=True):
            if (sentence, spot) in votes and any(value.equals(own) for own in _values(clause, pair)):
                votes[sentence, spot] += 1
    most = max(votes.values(), default=0.0)
    return [_force(pair, spot) for spot, given in votes.items() if given >= max(1.0, most - 0.5)]


def _values(clause: int, pair: Alignment) -> list[Quantity]:
    places = zip(pair.claim.quantities, pair.claim.value_clauses, strict=True)
    return [value for value, spot in places if spot == clause]


def _force(pair: Alignment, spot: tuple[int, int]) -> Force:
    sentence, number = spot
    force = pair.sentences[sentence].forces[number]
    # `may only with X` is `must with X`
    return "" if force == "may" and pair.sentences[sentence].quantifiers & {"only", "late"} else force


def quantifiers(pair: Alignment) -> list[str]:
    """`All` where the source says `some`, and the like."""
    ours, theirs = pair.claim.quantifiers, pair.sentences[0].quantifiers if pair.sentences else frozenset()
    return [
        f"quantifier: {one} / {other}"
        for one, other in _CLASHES
        if one in ours
        and other in theirs
        and other not in ours
        and one not in theirs
        and not (one == "each" and pair.claim.denials)  # `not in any` is `in none`
    ]


def own_quantifiers(pair: Alignment) -> list[str]:
    """`Only`, `all` and `even if` that the source does not say."""
    ours, theirs = pair.claim.quantifiers, pair.quantifiers
    if "regardless" in ours and not theirs & {"regardless", "all", "each"} and _limited(pair):
        return ["quantifier: regardless of a condition"]
    if pair.loose:
        return []
    alone = any(word.text.endswith("-only") for each in pair.sentences for word in each.words)
    if "only" in ours and not alone and not theirs & {"only", "except"} and not _permitted(pair):
        return ["quantifier: only"]
    limits = any(value.bound and value.kind != "code" for each in pair.sentences[:1] for value in each.quantities)
    if ours & {"all", "each"} and limits and not any(value.bound for value in pair.claim.quantities):
        return ["quantifier: a limit left out"]
    denied = not pair.claim.denials and any(each.denials for each in pair.sentences[:1])
    if "all" in ours and not denied and ("only" in theirs or not theirs & {"all", "each", "none"}):
        return ["quantifier: all"]
    return []


def _limited(pair: Alignment) -> bool:
    """Whether the source names a condition, a circumstance or an exception."""
    return any(
        each.conditional or each.circumstance or each.quantifiers & {"only", "except"} for each in pair.sentences
    )


def _permitted(pair: Alignment) -> bool:
    """Whether the source permits something under a condition, which a reader takes for `only`."""
    return pair.claim.conditional and any(each.conditional and "may" in each.forces for each in pair.sentences)
