"""Whether a model can do what the checker is for."""

from dataclasses import replace

from agent.prompts import check
from agent.providers.json_replies import object_of
from agent.state import Analysis
from domain.model_ports import ChatModel


async def can_check(chat: ChatModel, seconds: float) -> bool:
    """Whether it tells apart what a passage says and what it does not: the controls of each check, asked alone.

    seconds: that it may take. Raises what the model raises.
    """
    reply = await chat.complete(replace(check.request(Analysis("Is this so?"), ()), seconds=seconds))
    return check.tells(check.scores_of(object_of(reply) or {}))
