"""Holding an answer of eight sentences against its sources, without a model: all checks of a unit of a reply.

    python -m benchmarks.claims [--answers N]

The sentences are true paraphrases of the development set, each with a citation, two for each of four passages of 1,500
characters of the example company. Nothing of one answer is remembered in the next. Prints one JSON object on standard
output: milliseconds of processor time, and by the clock.
"""

import time
from collections.abc import Sequence

from agent.checking import claim_comparison
from agent.checking.readings import read
from agent.reasoner import SynthesisInput
from agent.replies.unit_checks import UnitChecks
from benchmarks.measuring import KNOWLEDGE_BASE, ms_since, parser, report, spread_with_max
from domain.answers import Question
from domain.search import Passage
from tests.claims.score import SentencePair, pairs
from tests.fakes.agent import MEMBER, a_passage, an_analysis, an_evidence

PASSAGES, SENTENCES, CHARACTERS = 4, 2, 1_500
"""Passages of an answer, sentences for each, and the length of a passage."""

STEP = 7
"""Passages of one document follow each other in the set: every so many is taken in turn."""

Cited = tuple[Passage, Sequence[str]]
"""A passage, and the sentences that cite it."""


def measure(answers: int) -> dict[str, object]:
    """Milliseconds for each answer."""
    cited = _cited()
    _check(cited[:PASSAGES])
    spent, waited = [], []
    for number in range(answers):
        chosen = [cited[(number * PASSAGES + n) % len(cited)] for n in range(PASSAGES)]
        for cache in (read, claim_comparison.readings_of, claim_comparison.source_text):
            cache.cache_clear()
        started, clock = time.process_time(), time.perf_counter()
        _check(chosen)
        spent.append((time.process_time() - started) * 1_000)
        waited.append(ms_since(clock))
    return {
        "answers": answers,
        "sentences": PASSAGES * SENTENCES,
        "characters": CHARACTERS,
        "processor_ms": spread_with_max(spent, 1),
        "clock_ms": spread_with_max(waited, 1),
    }


def _check(cited: Sequence[Cited]) -> None:
    evidence = tuple(an_evidence(passage) for passage, _ in cited)
    checks = UnitChecks(SynthesisInput(Question("What holds here?", MEMBER), an_analysis(), (), evidence))
    for position, (_, sentences) in enumerate(cited, start=1):
        for sentence in sentences:
            checks.checked(f"{sentence.rstrip('.')} [{position}].")


def _cited() -> list[Cited]:
    """Passages with two paraphrases each, in an order that mixes documents."""
    true = [pair for pair in pairs("development", "english") if pair.kind == "paraphrase" and _stands(pair)]
    by_source: dict[str, list[SentencePair]] = {}
    for pair in true:
        by_source.setdefault(pair.source, []).append(pair)
    both = [group[:SENTENCES] for group in by_source.values() if len(group) >= SENTENCES]
    mixed = [group for n in range(STEP) for group in both[n::STEP]]
    return [(_passage(group[0], str(number)), [pair.claim for pair in group]) for number, group in enumerate(mixed)]


def _stands(pair: SentencePair) -> bool:
    file = KNOWLEDGE_BASE / pair.document
    return file.suffix == ".md" and pair.source in file.read_text("utf-8")


def _passage(pair: SentencePair, name: str) -> Passage:
    """The source of a pair with what stands around it."""
    text = (KNOWLEDGE_BASE / pair.document).read_text("utf-8")
    start = max(0, min(text.index(pair.source), len(text) - CHARACTERS))
    return a_passage(text[start : start + CHARACTERS], name, title=name)


if __name__ == "__main__":
    report(measure(parser(__doc__, answers=50).parse_args().answers))
