"""How good each passage is, and what is missing."""

from collections.abc import Mapping, Sequence

from pydantic import Field

from agent.prompts.replies import ModelReply, schema_of, texts, valid
from agent.prompts.text import DATA_RULE, asked_in, cut, fence_for, fenced, head, passages_of, repeats, within_fence
from agent.reasoner import Grades
from agent.state import Analysis, Evidence
from domain.chat import ChatRequest, Message

VERSION = "grade/8"

BATCH = 24
"""Passages in one request."""

KNOWN = 4
"""Passages of passes before that are shown again, the best of them."""
KNOWN_CHARACTERS = 700
"""Of each of them."""

INSTRUCTIONS = (
    """You judge passages from a company's documents as evidence for a question. Reply with one JSON object:
- grades: for every passage that says something to the question its item (number), parts (numbers of the sub-questions
  it says something to) and score: 1 answers these outright, 0.7 answers most of them, 0.4 is needed and not enough
  alone, 0.1 hardly helps, as an old version that was replaced, unless that is asked for. The other passages are left
  out.
- missing: points of the question that neither these passages nor those known already, if any, cover; empty if there
  are none, and if they say that the question takes something wrong for granted.
- tasks: searches that may find what is missing, in words.
- confidence: from 0 to 1, how surely these passages and those known already together answer the whole question: 1 they
  do, 0.5 a part of it is open, 0 they do not.
"""
    + DATA_RULE
)
"""What the model is told."""


class _Grade(ModelReply):
    item: int
    score: float
    parts: list[int] = Field(default_factory=lambda: [1])


class _Grades(ModelReply):
    grades: list[_Grade]
    missing: list[str]
    tasks: list[str]
    confidence: float


def request(analysis: Analysis, batch: Sequence[Evidence], known: Sequence[Evidence]) -> ChatRequest:
    """Asks for grades of a batch. known: good evidence from before, best first, for judging what is missing."""
    passages = passages_of(batch)
    shown = [item.passage for item in known if not item.passage.injection][:KNOWN]
    before = "\n\n".join(f"{head(passage)}: {cut(passage.text, KNOWN_CHARACTERS)}" for passage in shown)
    lines = asked_in(analysis)
    fence = fence_for(passages, *lines, before)
    lines += [f"Sub-question {part.number}: {part.text}" for part in analysis.sub_questions]
    user = "\n".join(lines) + "\n\n" + within_fence("Known already:", before, fence) + fenced(passages, fence)
    return ChatRequest(
        VERSION,
        (Message("system", INSTRUCTIONS.format(fence=fence)), Message("user", user)),
        schema_of("grades", _Grades),
        small=True,
        max_tokens=200 + 40 * len(batch),
    )


def reply(found: Mapping[str, object], batch: Sequence[Evidence], parts: int) -> Grades:
    """The grades that fit, each as `share` takes it, and the confidence where it is a number. What is left out has 0;
    no grade where the model does not say how sure it is: it may have stopped too early.

    Raises:
        ValueError: there are grades, and none of them is of an item of the batch.
    """
    grades: dict[tuple[int, str], float] = {}
    for each in valid(found.get("grades"), _Grade, 4 * len(batch)):
        if 1 <= each.item <= len(batch):
            served = [part for part in each.parts if 1 <= part <= parts] or [1]
            grades |= dict.fromkeys(((part, batch[each.item - 1].key) for part in served), share(each.score))
    said = found.get("confidence")
    sure = share(said) if isinstance(said, int | float) and not isinstance(said, bool) else None
    if not grades and (found.get("grades") != [] or sure is None):
        raise ValueError("no passage has a grade")
    if sure is not None:
        named = {key for _, key in grades}
        grades |= dict.fromkeys(((1, item.key) for item in batch if item.key not in named), 0.0)
    # what is missing is told to the asker
    missing = tuple(each for each in texts(found.get("missing"), 5) if not repeats(each, INSTRUCTIONS))
    return Grades(grades, missing, texts(found.get("tasks"), 4), sure)


def share(value: float) -> float:
    """A number from 0 to 1: what lies beyond is cut, 2 to 100 are taken as per cent."""
    return min(1.0, max(0.0, value / 100 if 1 < value <= 100 else value))
