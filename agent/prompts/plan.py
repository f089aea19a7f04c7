"""What to search next, given what is missing."""

from collections.abc import Mapping, Sequence

from agent.prompts.analyze import Call, calls
from agent.prompts.replies import ModelReply, schema_of
from agent.prompts.text import DATA_RULE, asked_in, cut, fence_of, head, tool_table, within_fence
from agent.reasoner import PlanInput
from agent.state import ToolRequest
from domain.chat import ChatRequest, Message

VERSION = "plan/7"

FOUND = 6
"""Passages that a planner is shown, the best of them."""
FOUND_CHARACTERS = 500
"""Of each of them."""

SENTENCE = 300
"""Characters of a sentence that failed."""

_SYSTEM = """You plan further searches for a question about a company's documents, of which the first did not find
enough. Reply with one JSON object: plan, a list of up to 4 calls, each with tool, args and sub_question (its number).
Aim at what is missing; use names and terms from what was found; do not repeat a search that was made. Nothing is
missing where what was found says that the question takes something wrong for granted, or where the rest is reckoning.
If nothing is missing, or nothing else is worth a search, the list is empty.
{data_rule}
Tools:
{tools}"""


class _Plan(ModelReply):
    plan: list[Call]


def request(need: PlanInput, languages: Sequence[str] = ()) -> ChatRequest:
    """Asks for the next calls. languages: see agent.prompts.text.asked_in."""
    grading = need.grading
    found = [
        f"{head(item.passage)}: {cut(item.passage.text, FOUND_CHARACTERS)}"
        for item in need.evidence[:FOUND]
        if not item.passage.injection
    ]
    said = (
        [
            *(f"Missing: {point}" for point in grading.missing),
            *(f"Suggested: {task}" for task in grading.tasks),
        ]
        if grading
        else []
    )
    said += [f"Written, but said by nothing found: {sentence[:SENTENCE]}" for sentence in need.failed]
    said += [f"Read: {note}" for note in need.read]
    data = "\n".join([*said, *(f"Searched: {each}" for each in need.searched), *(f"Found: {each}" for each in found)])
    lines = asked_in(need.analysis, languages)
    fence = fence_of(*lines, data)
    lines += [f"Sub-question {part.number}: {part.text}" for part in need.analysis.sub_questions]
    if need.decision == "re_retrieve":
        lines.append("What was found says little: use other tools or quite other words.")
    known = within_fence("So far:", data, fence) if data else "Nothing of use was found."
    system = _SYSTEM.format(tools=tool_table(need.offered), data_rule=DATA_RULE.format(fence=fence))
    return ChatRequest(
        VERSION,
        (Message("system", system), Message("user", "\n".join(lines) + "\n\n" + known)),
        schema_of("plan", _Plan),
        small=True,
        max_tokens=800,
    )


def reply(found: Mapping[str, object], parts: int) -> tuple[ToolRequest, ...]:
    """The calls.

    Raises:
        ValueError: there is no list of calls.
    """
    if not isinstance(found.get("plan"), list):
        raise ValueError("plan is missing")  # noqa: TRY004 - a reply that does not fit, not a wrong argument
    return calls(found["plan"], parts)
