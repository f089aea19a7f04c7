"""A reasonable model by rules: it reads the product's prompts and answers from what stands in them, always the same."""

import json
import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from agent.prompts.check import CONTROLS
from domain.text.tokens import ENGLISH_STOP_WORDS
from tests.fakes.model_server import CHAT_MODEL, SMALL_MODEL, Answer, Body, ModelServer, Reply, Rule

_BY_SCHEMA = {"analysis": "analyze", "grades": "grade", "plan": "plan", "support": "check"}
_BY_WORDS = {
    "You prepare the search": "analyze",
    "You judge passages": "grade",
    "You plan further searches": "plan",
    "You check whether": "check",
    "You answer a question": "synthesize",
    "Write a passage": "hypothesis",
}
_SUFFIX = re.compile(r"(?<=\w{3})(?:ings?|ers?|ed|es|s)$")
_ASKS_ON = re.compile(r",? and (?=(?:what|who|when|where|how|which)\b)")
_NAME = re.compile(r"[A-Z]\w+(?: [A-Z]\w+)+")
_HELPS = 0.3
"""Share of the question's words that a sentence holds which is worth quoting."""


@dataclass(frozen=True)
class Shown:
    """A passage as a prompt shows it."""

    number: int
    head: str
    text: str


@dataclass(frozen=True)
class Prompt:
    """What a request asks for. parts: the sub-questions, the question itself where there is none. sentences: to be
    checked, without the controls. fence: around the passages; empty without any."""

    purpose: str
    question: str
    parts: tuple[str, ...]
    sentences: tuple[str, ...]
    passages: tuple[Shown, ...]
    fence: str
    user: str


def purpose(body: Body) -> str:
    """Which of the product's prompts it is: by the schema's name, else by the system message's first words."""
    schema = (body.get("response_format") or {}).get("json_schema", {}).get("name", "")
    system = body["messages"][0]["content"]
    return _BY_SCHEMA.get(schema) or next(name for words, name in _BY_WORDS.items() if system.startswith(words))


def read(body: Body) -> Prompt:
    """The prompt in its parts."""
    user = body["messages"][1]["content"]
    fence = _first(r"(?m)^(={4}[0-9a-f]{16})", user)
    outside = user if not fence else user[: user.index(f"\n{fence}")] if f"\n{fence}" in user else user
    question = _first(r"(?m)^That means: (.*)$", outside) or _first(r"(?m)^Question: (.*)$", outside)
    question = question or user.partition("\n")[0]
    parts = re.findall(r"(?m)^(?:Sub-question|Part) \d+: (.*?)(?: \(passages [^)]*\))?$", outside)
    sentences = re.findall(r"(?m)^Sentence \d+ \([^)]*\): (.*)$", user)[len(CONTROLS) :]
    return Prompt(
        purpose(body), question, tuple(parts) or (question,), tuple(sentences), _passages(user, fence), fence, user
    )


def _passages(user: str, fence: str) -> tuple[Shown, ...]:
    if not fence:
        return ()
    found = re.findall(rf"(?ms)^{fence} \[(\d+)\] ([^\n]*)\n(.*?)(?=\n{fence})", user)
    return tuple(Shown(int(number), head, text) for number, head, text in found)


def _first(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    return match[1] if match else ""


# --- the model ------------------------------------------------------------------------------------------------------


def reasonable(body: Body) -> Reply:
    """The rule of a model that does what each prompt asks for."""
    return Reply(said(read(body)))


def said(prompt: Prompt) -> str:
    """Its reply to a prompt."""
    match prompt.purpose:
        case "synthesize":
            return reply(prompt)
        case "hypothesis":
            return f"Our handbook says about “{prompt.question.rstrip('?')}” what everybody needs to know."
        case name:
            typed: dict[str, Callable[[Prompt], Body]] = {
                "analyze": analysis,
                "grade": grades,
                "plan": plan,
                "check": support,
            }
            return json.dumps(typed[name](prompt))


def analysis(prompt: Prompt) -> Body:
    """The question taken apart where it asks on (`…, and who …`), one hybrid search a part."""
    parts = _ASKS_ON.split(prompt.question)
    chained = " that " in prompt.question
    return {
        "standalone": prompt.question,
        "intent": "conceptual",
        "complexity": "complex" if len(parts) > 1 else "moderate" if chained else "simple",
        "sub_questions": [
            {"text": part, "kind": "fact", "priority": place, "constraints": []}
            for place, part in enumerate(parts, start=1)
        ],
        "vague": False,
        "plan": [
            {"tool": "hybrid_search", "args": {"query": part}, "sub_question": place}
            for place, part in enumerate(parts, start=1)
        ],
    }


def grades(prompt: Prompt) -> Body:
    """For each passage the share of a sub-question's words that it holds, for the sub-question that it serves best."""
    marks: list[Body] = []
    for shown in prompt.passages:
        shares = [share(part, f"{shown.head} {shown.text}") for part in prompt.parts]
        best = max(range(len(shares)), key=lambda place: shares[place])
        marks.append({"item": shown.number, "parts": [best + 1], "score": round(shares[best], 2)})
    held = " ".join(f"{shown.head} {shown.text}" for shown in prompt.passages)
    missing = sorted(words(prompt.question) - words(held))
    sure = round(max((mark["score"] for mark in marks), default=0.0), 2)
    return {"grades": marks, "missing": missing, "tasks": [], "confidence": sure}


def plan(prompt: Prompt) -> Body:
    """One search for the question with the names in what was found that the question does not hold."""
    found = prompt.user.partition("Found: ")[2]
    names = dict.fromkeys(name.removeprefix("The ") for name in _NAME.findall(found))
    new = [name for name in names if name not in prompt.question]
    query = " ".join([prompt.question, *new[:3]])
    return {"plan": [{"tool": "hybrid_search", "args": {"query": query}, "sub_question": 1}]}


def support(prompt: Prompt) -> Body:
    """Every sentence is supported well."""
    return scored([0.9] * len(prompt.sentences))


def scored(scores: Iterable[float], controls: Iterable[float] = (1.0, 0.0, 0.0)) -> Body:
    """A checker's reply: a score for each sentence in turn, behind those for the controls."""
    marks = [{"claim": place, "score": score} for place, score in enumerate([*controls, *scores], start=1)]
    return {"support": marks}


def reply(prompt: Prompt) -> str:
    """The best sentence of each of the best passages, for each part, with its number."""
    quoted: dict[str, None] = {}
    for part in prompt.parts:
        best = sorted(((*_best(part, shown), shown.number) for shown in prompt.passages), key=lambda each: -each[0])
        good = [each for each in best if each[0] >= max(_HELPS, best[0][0] / 2)]
        quoted |= {f"{sentence} [{number}]": None for _, sentence, number in good[:2]}
    return " ".join(quoted) or "NOT FOUND"


def _best(question: str, shown: Shown) -> tuple[float, str]:
    sentences = [each.strip() for each in re.split(r"(?<=[.!?])\s+|\n+", shown.text) if each.strip()]
    return max(((share(question, each), each) for each in sentences), key=lambda each: each[0], default=(0.0, ""))


def share(question: str, text: str) -> float:
    """Share, 0 to 1, of the question's words that the text holds."""
    asked = words(question)
    return len(asked & words(text)) / max(1, len(asked))


def words(text: str) -> set[str]:
    """The words that carry meaning, without their endings."""
    return {_SUFFIX.sub("", word) for word in re.findall(r"\w+", text.lower()) if word not in ENGLISH_STOP_WORDS}


def fresh(server: ModelServer) -> ModelServer:
    """A server as at its start, with the reasonable model."""
    server.rules[:] = [reasonable]
    server.models = {CHAT_MODEL, SMALL_MODEL}
    for used in (server.requests, server.answers, server.refuses):
        used.clear()
    return server


# --- other rules ----------------------------------------------------------------------------------------------------


def always(name: str, answer: Answer) -> Rule:
    """That answer to every request of a purpose; an empty `name` means every request."""
    return lambda body: answer if name in {"", purpose(body)} else None


def at(name: str, *answers: Answer) -> Rule:
    """Those answers to the first requests of a purpose, one each; an empty `name` means every purpose."""
    left = deque(answers)
    return lambda body: left.popleft() if left and name in {"", purpose(body)} else None
