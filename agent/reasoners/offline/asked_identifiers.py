"""Which units can answer what a question names by identifier or name, and how sure an identifier alone makes. Pure."""

from collections.abc import Sequence

from agent.questions.expected import Expected
from agent.reasoners.offline.bearing import Bearing, holds_codes
from agent.reasoners.offline.quoting import ScoredUnit, can_answer, of_persons
from agent.retrieval.retriever import Retrieved
from domain.search import Passage
from domain.text.codes import code_keys


def that_can_answer(scored: Sequence[ScoredUnit], passages: Sequence[Passage], wanted: Expected) -> list[ScoredUnit]:
    """The units that hold an identifier of the question, of persons where one is asked for; none where the evidence
    lacks what an answer has to hold."""
    named = [each for each in scored if holds_codes(each.unit, passages[each.unit.passage], wanted)]
    named = of_persons(named, wanted)
    return named if can_answer(wanted, named, passages) else []


def holds_every_identifier(
    named: Sequence[ScoredUnit], passages: Sequence[Passage], measure: Retrieved, wanted: Expected
) -> bool:
    """Whether one unit holds every identifier of the question, each of its weighty words, and a value where one is
    asked for. To a vector an identifier means nothing, so that no passage is near to a question of little else."""
    if not wanted.codes or wanted.kind in {"person", "yes_no"}:
        return False
    bearing = Bearing(passages, measure, wanted)
    return any(
        wanted.codes <= code_keys([unit.heading, unit.words])
        and wanted.holds_value(f"{unit.heading}\n{unit.words}")
        and not bearing.missing([unit])
        for unit in (each.unit for each in named)
    )
