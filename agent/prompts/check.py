"""Whether passages support sentences."""

from collections.abc import Mapping, Sequence

import numpy as np

from agent.prompts.replies import ModelReply, schema_of, valid
from agent.prompts.text import DATA_RULE, asked_in, fence_for, fenced
from agent.state import Analysis, CitedClaim
from domain.chat import ChatRequest, Message
from domain.documents import BlockKind, Span
from domain.search import Passage

VERSION = "check/7"

_SYSTEM = """You check whether passages support sentences. Reply with one JSON object: support, a list with, for every
sentence, its claim (number) and score from 0 to 1: 1 the cited passages say so, 0.5 they say part of it, 0 they do not.
Shared words are no support: 0 for a sentence that denies what they affirm or affirms what they deny, makes a duty of a
choice, or changes an amount, a bound, an order, a condition, or who does what to whom. What stands above a passage,
its title and headings, is a part of it. The sentences are parts of one reply to the question, and may lean on it: a
line of a list is held against the source as what the question asks for. What follows from the passages by reckoning,
such as a sum, or from them and the day it is today, they say.
{data_rule}"""


_GATE = Passage(
    chunk_id="",
    document_id="",
    ordinal=0,
    title="Deliveries",
    url="",
    path="",
    source="",
    heading_path=(),
    text="Deliveries come through the north gate from 07:00 to 11:00. The porter signs for them, not the driver."
    " Parcels of more than 20 kg need a trolley.",
    kind=BlockKind.PROSE,
    span=Span(),
    updated_at=None,
    vector=np.zeros(0, np.float32),
)
SURE = 0.5
"""A control that is true has more, one that is not has no more."""

CONTROLS = (
    CitedClaim("The north gate takes deliveries between seven and eleven in the morning.", (_GATE,)),
    CitedClaim("At the north gate, the driver signs for deliveries.", (_GATE,)),
    CitedClaim("Parcels of less than 20 kg need a trolley.", (_GATE,)),
)
"""Stand before the sentences of each request. The first is true, the others are not: who believes them believes
everything, or does what a passage tells it to, and says nothing of the rest."""


class _Support(ModelReply):
    claim: int
    score: float


class _Checked(ModelReply):
    support: list[_Support]


def request(analysis: Analysis, claims: Sequence[CitedClaim]) -> ChatRequest:
    """Asks for the support of all claims at once, and of the controls before them. analysis: of the question that they
    answer, which may say what a line of a list is about, or whom a sentence means."""
    claims = [*CONTROLS, *claims]
    passages: dict[str, Passage] = {each.chunk_id: each for claim in claims for each in claim.passages}
    numbers = {chunk_id: number for number, chunk_id in enumerate(passages, start=1)}
    told = asked_in(analysis)
    fence = fence_for(list(passages.values()), *told, *(claim.sentence for claim in claims))
    lines = [
        f"Sentence {number} (passages {', '.join(str(numbers[each.chunk_id]) for each in claim.passages)}):"
        f" {claim.sentence}"
        for number, claim in enumerate(claims, start=1)
    ]
    user = "\n".join([*told, "", fence, *lines]) + "\n" + fenced(list(passages.values()), fence)
    return ChatRequest(
        VERSION,
        (Message("system", _SYSTEM.format(data_rule=DATA_RULE.format(fence=fence))), Message("user", user)),
        schema_of("support", _Checked),
        small=True,
        max_tokens=100 + 30 * len(claims),
    )


def reply(found: Mapping[str, object], claims: int) -> dict[int, float]:
    """Support by the claim's position from 0; of none where the controls are misjudged.

    Raises:
        ValueError: no sentence has a score.
    """
    scores = scores_of(found, claims)
    if not scores:
        raise ValueError("no sentence has a score")
    first = len(CONTROLS)
    return {place - first: score for place, score in scores.items() if place >= first and tells(scores)}


def scores_of(found: Mapping[str, object], claims: int = 0) -> dict[int, float]:
    """Support by position from 0: of the controls, and of the claims behind them."""
    most = len(CONTROLS) + claims
    kept = valid(found.get("support"), _Support, 2 * most)
    scores: dict[int, float] = {}
    for each in kept:
        if 1 <= each.claim <= most:  # of one that is scored twice, the lower score
            scores[each.claim - 1] = min(1.0, max(0.0, each.score), scores.get(each.claim - 1, 1.0))
    return scores


def tells(scores: Mapping[int, float]) -> bool:
    """Whether the controls are judged rightly. scores: by position from 0."""
    true, *false = (scores.get(place) for place in range(len(CONTROLS)))
    return true is not None and true > SURE and all(score is not None and score <= SURE for score in false)
