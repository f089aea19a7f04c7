"""Questions with the facts of their answers, as a file says it: examples/questions tells the form at its head."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.yaml_text import read_yaml
from domain.errors import Misconfigured


@dataclass(frozen=True, slots=True)
class FactQuestion:
    """A question, and what its answer has to say."""

    id: str
    text: str
    kind: str
    before: str = ""
    """The question asked before it in the same conversation; empty: none."""
    facts: tuple[tuple[str, ...], ...] = ()
    """All have to be in the answer; of each, one wording is enough."""
    wrong: tuple[str, ...] = ()
    """Wordings that make an answer wrong."""
    sources: tuple[str, ...] = ()
    """Paths of the documents that hold the answer, or ends of them."""
    answerable: bool = True


def read_fact_questions(text: str, name: str) -> list[FactQuestion]:
    """The questions in the text of a file. name: of the file, for messages.

    Raises:
        Misconfigured: it is not of the form; the message names the entry and what is wrong with it.
    """
    try:
        entries = read_yaml(text)
    except ValueError as error:
        raise _wrong(f"{name} is not YAML that can be read", str(error)) from None
    if not isinstance(entries, list) or not entries:
        raise _wrong(f"{name} has no list of questions", "It takes one entry a question: - id: …")
    found: dict[str, FactQuestion] = {}
    for number, entry in enumerate(entries, start=1):
        try:
            question = _question(entry)
        except ValueError as error:
            raise _wrong(f"Entry {number} of {name} is not a question", str(error)) from None
        if question.id in found:
            raise _wrong(f"Entry {number} of {name} has the id of another", f"It is {question.id}.")
        found[question.id] = question
    return list(found.values())


def _wrong(what: str, why: str) -> Misconfigured:
    return Misconfigured(what, why=why, next_step="Mend the file; examples/questions/development.yaml shows its form.")


def _question(entry: object) -> FactQuestion:
    """Raises ValueError saying what is wrong."""
    if not isinstance(entry, dict):
        raise ValueError("It takes id, question, facts and sources, each as `name: value`.")  # noqa: TRY004 - of the file
    answerable = entry.get("answerable", True)
    if not isinstance(answerable, bool):
        raise ValueError("answerable is neither true nor false.")  # noqa: TRY004 - of the file
    facts = entry.get("facts") or []
    if not isinstance(facts, list) or not all(isinstance(each, list) and each for each in facts):
        raise ValueError("facts is not a list of lists of wordings.")
    if answerable != bool(facts):
        raise ValueError("It needs facts, or `answerable: false` and no facts.")
    return FactQuestion(
        id=_text(entry, "id"),
        text=_text(entry, "question"),
        kind=_text(entry, "kind") if "kind" in entry else "",
        before=_text(entry, "before") if "before" in entry else "",
        facts=tuple(_texts(each, "facts") for each in facts),
        wrong=_texts(entry.get("wrong") or [], "wrong"),
        sources=_texts(entry.get("sources") or [], "sources"),
        answerable=answerable,
    )


def _text(entry: Mapping[str, Any], key: str) -> str:
    (text,) = _texts([entry.get(key, "")], key)
    return text


def _texts(values: object, key: str) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise ValueError(f"{key} is not a list.")  # noqa: TRY004 - of the file
    for each in values:
        if not isinstance(each, str) or not each.strip():
            raise ValueError(f"{key}: a text is missing, or is not in quotes.")
    return tuple(each.strip() for each in values)
