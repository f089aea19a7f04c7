"""What is asked, and the first searches for it: one prompt for both."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast, get_args

from pydantic import Field

from agent.prompts.replies import ModelReply, schema_of, texts, valid, word
from agent.prompts.text import DATA_RULE, asked, conversation, fence_of, tool_table, within_fence
from agent.questions.decompose import MAX_SUB_QUESTIONS, prioritised
from agent.state import Analysis, AnswerKind, Complexity, Intent, SubQuestion, ToolRequest
from agent.tools.base import ToolSpec
from domain.answers import Question
from domain.chat import ChatRequest, Message
from domain.text.encodable import encodable
from domain.text.tokens import Analyzer

VERSION = "analyze/6"

_WORDS = Analyzer()

CALLS = 6
"""Calls of a first plan."""

_SYSTEM = """You prepare the search for a question about a company's documents. Reply with one JSON object:
- standalone: the question so that it is understood without the conversation; keep names, numbers and the language.
- intent: exact (very words, codes, settings), conceptual, relational (how things hang together) or file_discovery.
- complexity: simple, moderate or complex.
- sub_questions: 2 to 4 only for comparisons, several questions in one, or chains where one answer is needed for the
  next; else one, the question itself. They ask nothing that the question does not ask. Each has text, kind (fact,
  number, date, person, list, procedure, explanation, comparison or yes_no), priority (1 is answered first) and
  constraints (words that narrow it).
- vague: true when the words are so general that documents will hardly use them.
- plan: the first searches, one or two a sub-question, in the words that documents would use. Each has tool, args and
  sub_question (its number from 1). Search also for what the conversation seems to have answered already: only what is
  found now can be cited.
Tools:
{tools}"""


class _Part(ModelReply):
    text: str
    kind: str = Field(default="fact", json_schema_extra={"enum": [*get_args(AnswerKind)]})
    priority: int = 1
    constraints: list[str] = Field(default_factory=list)


class Call(ModelReply):
    """A planned call."""

    tool: str
    args: dict[str, Any] = Field(default_factory=dict)
    sub_question: int = 1


class _Analysis(ModelReply):
    standalone: str
    intent: Literal["exact", "conceptual", "relational", "file_discovery"]
    complexity: Literal["simple", "moderate", "complex"]
    sub_questions: list[_Part]
    vague: bool
    plan: list[Call]


def request(
    question: Question, offered: Sequence[ToolSpec], *, decomposition: bool = True, languages: Sequence[str] = ()
) -> ChatRequest:
    """Asks for the analysis of a question. languages: see agent.prompts.text.asked."""
    said = conversation(question.history)
    system = _SYSTEM.format(tools=tool_table(offered))
    if not decomposition:
        system += "\nNever take the question apart: sub_questions holds the question alone."
    fence = fence_of(question.text, question.typed, said)
    if said:
        system += "\n" + DATA_RULE.format(fence=fence)
    lines = "\n".join(
        [
            *asked(question.text, question.filters, question.asked_on, languages),
            *([f"It was typed so, and may mean another word: {question.typed}"] if question.typed else []),
        ]
    )
    user = f"{lines}\n\n{within_fence('Conversation so far:', said, fence)}".rstrip()
    return ChatRequest(
        VERSION,
        (Message("system", system), Message("user", user)),
        schema_of("analysis", _Analysis),
        small=True,
        max_tokens=1_200,
    )


def reply(
    found: Mapping[str, object],
    basis: Analysis,
    name: str,
    said: str,
    *,
    may_rewrite: bool = True,
    decomposition: bool = True,
) -> tuple[Analysis, tuple[ToolRequest, ...]]:
    """The analysis. basis: what patterns said, which stands where the model said nothing usable: filters and ids are
    never the model's. said: by the asker, in this question and those before, and the replies; an analysis that has no
    word of it is not taken. may_rewrite: without it, the question stays as it was asked, and a model's words for it are
    only searched. decomposition: without it, the question stays one, and what was planned for further parts of it is
    dropped.

    Raises:
        ValueError: there is neither a question nor a part in it.
    """
    words = found.get("standalone")
    standalone = encodable(words).strip()[:2_000] if isinstance(words, str) else ""
    parts = [
        _part(number, part)
        for number, part in enumerate(valid(found.get("sub_questions"), _Part, MAX_SUB_QUESTIONS), start=1)
    ]
    if not standalone and not parts:
        raise ValueError("standalone and sub_questions are missing")
    if not any(grounded(text, said) for text in (standalone, *(part.text for part in parts))):
        return basis, ()
    standalone = standalone if grounded(standalone, said) else basis.standalone
    usable = tuple(part for part in parts if part.text) or (SubQuestion(1, standalone),)
    if not may_rewrite:
        standalone = basis.standalone
    planned = calls(found.get("plan"), len(usable))
    if not decomposition:
        usable = (SubQuestion(1, standalone, basis.sub_questions[0].kind),)
        planned = tuple(each for each in planned if each.sub_question == 1)
    analysis = Analysis(
        standalone=standalone,
        intent=cast("Intent", word(found.get("intent"), get_args(Intent), basis.intent)),
        complexity=cast("Complexity", word(found.get("complexity"), get_args(Complexity), basis.complexity)),
        talk=basis.talk,
        sub_questions=prioritised(usable),
        references=basis.references,
        vague=found.get("vague") is True,
        by=name,
    )
    return analysis, planned


def grounded(text: str, said: str) -> bool:
    """Whether `text` has a telling word of what was said. Where nothing telling was said, every text will do."""
    known = set(_WORDS.tokens(said))
    return not known or not known.isdisjoint(_WORDS.tokens(text))


def calls(items: object, parts: int) -> tuple[ToolRequest, ...]:
    """Planned calls; a wrong number of a sub-question means the first."""
    return tuple(
        ToolRequest(call.tool, call.args, call.sub_question if 1 <= call.sub_question <= parts else 1)
        for call in valid(items, Call, CALLS)
    )


def _part(number: int, part: _Part) -> SubQuestion:
    kind = cast("AnswerKind", word(part.kind, get_args(AnswerKind), "fact"))
    return SubQuestion(
        number, encodable(part.text)[:1_000], kind, max(1, part.priority), texts(part.constraints, 5, 80)
    )
