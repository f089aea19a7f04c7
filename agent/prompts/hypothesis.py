"""A passage as it might answer the question, to be embedded (HyDE: Gao, Ma, Lin and Callan 2022)."""

from domain.chat import ChatRequest, Message

VERSION = "hypothesis/2"

_SYSTEM = """Write a passage of 60 to 90 words as it might stand in a company's internal documentation and answer the
question. Invent no names and no numbers. Write only the passage, in {language}."""


def request(question: str, language: str = "") -> ChatRequest:
    """Asks for such a passage. language: its own; by default that of the question."""
    system = _SYSTEM.format(language=language or "the language of the question")
    messages = (Message("system", system), Message("user", question))
    return ChatRequest(VERSION, messages, small=True, max_tokens=200)
