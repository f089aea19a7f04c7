"""Whether passages support sentences."""

from collections.abc import Mapping, Sequence

from agent.prompts.replies import ModelReply, schema_of, valid
from agent.prompts.text import DATA_RULE, asked, fence_for, fenced
from agent.state import Analysis, CitedClaim
from domain.chat import ChatRequest, Message
from domain.search import Passage

VERSION = "check/5"

_SYSTEM = """You check whether passages support sentences. Reply with one JSON object: support, a list with, for every
sentence, its claim (number) and score from 0 to 1: 1 the cited passages say so, 0.5 they say part of it, 0 they do not.
Shared words are no support: 0 for a sentence that denies what they affirm or affirms what they deny, makes a duty of a
choice, or changes an amount, a bound, an order, a condition, or who does what to whom. What stands above a passage,
its title and headings, is a part of it. The sentences are parts of one reply to the question, and may lean on it: a
line of a list is held against the source as what the question asks for. What follows from the passages by reckoning,
such as a sum, or from them and the day it is today, they say.
{data_rule}"""


class _Support(ModelReply):
    claim: int
    score: float


class _Checked(ModelReply):
    support: list[_Support]


def request(analysis: Analysis, claims: Sequence[CitedClaim]) -> ChatRequest:
    """Asks for the support of all claims at once. analysis: of the question that they answer, which may say what a line
    of a list is about, or whom a sentence means."""
    passages: dict[str, Passage] = {each.chunk_id: each for claim in claims for each in claim.passages}
    numbers = {chunk_id: number for number, chunk_id in enumerate(passages, start=1)}
    fence = fence_for(list(passages.values()), analysis.standalone, *(claim.sentence for claim in claims))
    lines = [
        f"Sentence {number} (passages {', '.join(str(numbers[each.chunk_id]) for each in claim.passages)}):"
        f" {claim.sentence}"
        for number, claim in enumerate(claims, start=1)
    ]
    told = asked(analysis.standalone, analysis.filters, analysis.asked_on)
    user = "\n".join([*told, "", fence, *lines]) + "\n" + fenced(list(passages.values()), fence)
    return ChatRequest(
        VERSION,
        (Message("system", _SYSTEM.format(data_rule=DATA_RULE.format(fence=fence))), Message("user", user)),
        schema_of("support", _Checked),
        small=True,
        max_tokens=100 + 30 * len(claims),
    )


def reply(found: Mapping[str, object], claims: int) -> dict[int, float]:
    """Support by the claim's position from 0.

    Raises:
        ValueError: no claim has a score.
    """
    scores = {
        each.claim - 1: min(1.0, max(0.0, each.score))
        for each in valid(found.get("support"), _Support, 2 * claims)
        if 1 <= each.claim <= claims
    }
    if not scores:
        raise ValueError("no sentence has a score")
    return scores
