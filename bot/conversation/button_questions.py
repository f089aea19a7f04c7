"""Questions that are asked by a button."""

from collections.abc import Awaitable, Callable
from hashlib import sha256

from domain.conversation import AcceptedQuestion
from domain.ledger import Ledger
from domain.text.encodable import encodable
from domain.translation import translated

AT_IT = "I am at that already."
ANSWERED = "I answered that already."

UNANSWERED = frozenset({"busy", "late", "failed", "unreachable"})
"""Results after which a press asks anew."""

ALONE = "alone"
"""In the handle of a question that is asked again in another place: what was said there before is none of it."""

PRESSES = 20
"""So often a button may come to nothing; then it is not asked again."""


async def ask_once(ledger: Ledger, button: str, text: str, take: Callable[[str], Awaitable[AcceptedQuestion]]) -> str:
    """Asks what a button asks: pressed twice, it asks once, unless that came to nothing. Gives what is to be said where
    nothing was asked anew, else an empty text.

    button: names who pressed which button where. text: the question, which a changed reply may put below the same
    button. take: accepts the question under a message id. Raises what `take` raises.
    """
    first = name = f"press {button} {sha256(encodable(text).encode()).hexdigest()[:12]}"
    for _ in range(PRESSES):
        accepted = await take(name)
        if accepted.fresh:
            return ""
        before = await ledger.find(accepted.number)
        if before is not None and before.result is None:
            return translated(AT_IT)
        if before is None or before.result not in UNANSWERED:
            return translated(ANSWERED)
        name = f"{first} {accepted.number}"
    return translated(ANSWERED)
