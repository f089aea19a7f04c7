"""Which evidence a reply is made from. Pure."""

from collections.abc import Collection, Mapping, Sequence

from agent.state import DROP_BELOW, Analysis, Evidence
from domain.documents import digest
from domain.relation_matching import MAX_STATED
from domain.search import Passage


def live_document_id(url: str) -> str:
    """The document id of passages that were fetched from a page now; the index has no such id."""
    return digest("live", url).hex()


def read_now(passage: Passage) -> bool:
    """Whether a passage is of a page that was fetched, not of the index."""
    return passage.document_id == live_document_id(passage.url)


def kept(evidence: Sequence[Evidence]) -> list[Evidence]:
    """What is current, without what was graded and found to say nothing."""
    return [item for item in current(evidence) if not item.grades or item.grade >= DROP_BELOW]


def current(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Without what the index holds of a document that was read at its source now: it may have said something else
    then."""
    now = {item.passage.url for item in evidence if read_now(item.passage)}
    return [item for item in evidence if item.passage.url not in now or read_now(item.passage)]


def best_first(evidence: Sequence[Evidence]) -> list[Evidence]:
    """By grade, then by retrieval's score. Evidence of the first pass comes before what was found by going on from
    it when both are equal."""
    return sorted(evidence, key=lambda item: (-round(item.grade, 1), -item.score, item.iteration, item.key))


def leaves_out(evidence: Mapping[str, Evidence], used: Collection[str]) -> bool:
    """Whether there is more that states an answer by itself than the items used. Both by key."""
    return any(item.stated_relations and item.key not in used for item in kept(list(evidence.values())))


def select(evidence: Sequence[Evidence], analysis: Analysis, limit: int) -> list[Evidence]:
    """The `limit` items that a reply is made from, best first, and those that state an answer by themselves.

    Every sub-question gets its share. Of what remains, half goes to the first pass, and half to later ones by what
    they made of it: what answers the part of a question that the first pass could not lose against it on the
    question's own words.
    """
    pool = best_first(kept(evidence))
    if len(pool) <= limit:
        return pool
    chosen: dict[str, Evidence] = {}
    numbers = [each.number for each in analysis.sub_questions]
    share = limit // (2 * len(numbers)) if len(numbers) > 1 else 0
    for number in numbers:
        for item in [each for each in pool if number in each.found_for][:share]:
            chosen.setdefault(item.key, item)
    first = _of_pass(pool, 1, 1)
    later = _of_pass(pool, 2, max(item.iteration for item in pool) + 8)
    _take(chosen, first, (limit + len(chosen)) // 2 if later else limit)
    _take(chosen, later, limit)
    _take(chosen, pool, limit)
    _take(chosen, [item for item in pool if item.stated_relations][:MAX_STATED], limit + MAX_STATED)
    return best_first(list(chosen.values()))


def _of_pass(pool: Sequence[Evidence], first: int, last: int) -> list[Evidence]:
    """What some iterations found, in the order of the score they gave."""
    found = []
    for item in pool:
        scores = [score for iteration, score in item.scores.items() if first <= iteration <= last]
        if scores:
            found.append((max(scores), item))
    return [item for _, item in sorted(found, key=lambda pair: (-pair[0], pair[1].key))]


def _take(chosen: dict[str, Evidence], candidates: Sequence[Evidence], limit: int) -> None:
    for item in candidates:
        if len(chosen) >= limit:
            return
        chosen.setdefault(item.key, item)


BEST = {"simple": 2, "moderate": 5, "complex": 2}
"""Items of each sub-question that its average is taken of: one good passage may be luck, and a chain of facts needs
several."""


def average(evidence: Sequence[Evidence], analysis: Analysis) -> float:
    """The mean over the sub-questions of the mean grade of the best items of each. A sub-question of which nothing is
    kept counts as 0."""
    best = BEST[analysis.complexity]
    means = []
    for part in analysis.sub_questions:
        grades = sorted((item.grades[part.number] for item in evidence if part.number in item.grades), reverse=True)
        good = [grade for grade in grades[:best] if grade >= DROP_BELOW]
        means.append(sum(good) / len(good) if good else 0.0)
    return sum(means) / len(means) if means else 0.0
