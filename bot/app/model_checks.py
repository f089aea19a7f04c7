"""Asking the language model something small, for `kb doctor`: whether its address, its key and its names are right."""

import time

from bot.app.answering import model_options
from config.settings import Settings
from domain.chat import ChatRequest, Message

SECONDS = 60.0
"""What a model may take, which may have to be loaded first."""

CANNOT_CHECK = "cannot tell whether a passage says a sentence: it clears none that the rules doubt"
CANNOT_WRITE = (
    "cannot tell whether a passage says a sentence: answers are quoted without it (KB_AGENT_LLM_MODEL names another"
    " one; with KB_AGENT_LLM_READING_TEST=false it writes all the same)"
)
UNREADABLE = "gave no scores where it was to judge three sentences: it clears none that the rules doubt"
_WORD = (Message("user", "Reply with the one word: ready"),)


async def ask_language_model(settings: Settings) -> str:
    """What each model that is set said, and how long that took.

    Raises:
        Misconfigured, Transient: an address, key or name is wrong, or nothing answers.
    """
    wanted = model_options(settings)
    if wanted is None:
        return "none; answers are quotations (set KB_AGENT_LLM_BASE_URL and KB_AGENT_LLM_MODEL to have them written)"
    from agent.providers.openai import open_chat_model
    from agent.reasoners.model.reading_probe import can_read

    found = []
    async with open_chat_model(wanted.endpoint) as chat:
        for small, name in ((False, wanted.endpoint.model), (True, wanted.endpoint.small_model)):
            if name:
                started = time.monotonic()
                reply = await chat.complete(
                    ChatRequest("doctor/1", _WORD, small=small, max_tokens=200, seconds=SECONDS)
                )
                said = "answers" if reply.strip() else "answers with an empty text"
                found.append(f"{name} {said}, {time.monotonic() - started:.1f} s")
        for small, name in ((False, wanted.endpoint.model), (True, wanted.endpoint.small_model)):
            reads = await can_read(chat, SECONDS, small=small) if name else True
            if reads is None:
                found.append(f"{name} {UNREADABLE}")
            elif not reads:
                found.append(f"{name} {CANNOT_CHECK if small or not wanted.reading_test else CANNOT_WRITE}")
    return "; ".join(found)
