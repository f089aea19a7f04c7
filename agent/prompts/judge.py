"""What a model is asked that judges answers; agent.evaluation.judge says what is made of it."""

from collections.abc import Mapping, Sequence

from agent.prompts.replies import ModelReply, schema_of, texts, valid
from agent.prompts.text import DATA_RULE, fence_of
from domain.chat import ChatRequest, Message

VERSION = "judge/1"

MAX_STATEMENTS = 40
"""Statements of one answer that are judged."""

STATEMENTS = (
    """Split the answer to a question into statements. Reply with one JSON object:
- statements: the claims of the answer, each as one short sentence that is understood by itself, without pronouns.
"""
    + DATA_RULE
)
SUPPORTED = (
    """You are given numbered statements and a context. Reply with one JSON object:
- verdicts: for every statement its item (number) and supported: true if it can be inferred from the context alone,
  else false.
"""
    + DATA_RULE
)
QUESTIONS = (
    """You are given an answer. Reply with one JSON object:
- questions: three different questions that this answer answers.
- evasive: true if the answer says that it does not know, or commits itself to nothing, else false.
"""
    + DATA_RULE
)
USEFUL = (
    """You are given a question, facts of the right answer, and numbered passages. Reply with one JSON object:
- verdicts: for every passage its item (number) and useful: true if it helps to arrive at these facts, else false.
"""
    + DATA_RULE
)


class _Statements(ModelReply):
    statements: list[str]


class _Supported(ModelReply):
    item: int
    supported: bool


class _SupportedAll(ModelReply):
    verdicts: list[_Supported]


class _Questions(ModelReply):
    questions: list[str]
    evasive: bool


class _Useful(ModelReply):
    item: int
    useful: bool


class _UsefulAll(ModelReply):
    verdicts: list[_Useful]


def statements_request(question: str, answer: str) -> ChatRequest:
    """Asks for the statements of an answer."""
    return _request(STATEMENTS, "statements", _Statements, {"Question": question, "Answer": answer})


def statements_reply(found: Mapping[str, object]) -> tuple[str, ...]:
    """The statements. Raises ValueError where there is none."""
    statements = texts(found.get("statements"), MAX_STATEMENTS)
    if not statements:
        raise ValueError("there is no statement")
    return statements


def supported_request(statements: Sequence[str], context: Sequence[str]) -> ChatRequest:
    """Asks which statements follow from the context."""
    parts = {"Context": "\n\n".join(context), "Statements": _numbered(statements)}
    return _request(SUPPORTED, "supported", _SupportedAll, parts)


def supported_reply(found: Mapping[str, object], count: int) -> list[bool]:
    """Whether each statement is supported. Raises ValueError where one has no verdict."""
    given = {each.item: each.supported for each in valid(found.get("verdicts"), _Supported, 4 * count)}
    return _each(given, count)


def questions_request(answer: str) -> ChatRequest:
    """Asks for questions that the answer would answer."""
    return _request(QUESTIONS, "questions", _Questions, {"Answer": answer})


def questions_reply(found: Mapping[str, object]) -> tuple[tuple[str, ...], bool]:
    """The questions, and whether the answer is evasive. Raises ValueError where there is none, or it is not said."""
    questions, evasive = texts(found.get("questions"), 3), found.get("evasive")
    if not questions or not isinstance(evasive, bool):
        raise ValueError("there is no question, or it is not said whether the answer is evasive")
    return questions, evasive


def useful_request(question: str, facts: Sequence[str], passages: Sequence[str]) -> ChatRequest:
    """Asks which passages help to the facts."""
    parts = {"Question": question, "Facts": "\n".join(facts), "Passages": _numbered(passages)}
    return _request(USEFUL, "useful", _UsefulAll, parts)


def useful_reply(found: Mapping[str, object], count: int) -> list[bool]:
    """Whether each passage is useful. Raises ValueError where one has no verdict."""
    return _each({each.item: each.useful for each in valid(found.get("verdicts"), _Useful, 4 * count)}, count)


def _each(given: Mapping[int, bool], count: int) -> list[bool]:
    missing = [number for number in range(1, count + 1) if number not in given]
    if missing:
        raise ValueError(f"there is no verdict on {missing}")
    return [given[number] for number in range(1, count + 1)]


def _numbered(items: Sequence[str]) -> str:
    return "\n\n".join(f"{number}. {item}" for number, item in enumerate(items, start=1))


def _request(instructions: str, name: str, reply: type[ModelReply], parts: Mapping[str, str]) -> ChatRequest:
    fence = fence_of(*parts.values())
    user = "\n\n".join(f"{title}:\n{fence}\n{text}\n{fence}" for title, text in parts.items())
    messages = (Message("system", instructions.format(fence=fence)), Message("user", user))
    return ChatRequest(VERSION, messages, schema_of(name, reply))
