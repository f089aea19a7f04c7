"""Tests whether a model can judge simple statements about a passage; one that cannot neither checks nor writes."""

from dataclasses import replace

from agent.prompts import check
from agent.providers.json_replies import object_of
from agent.state import Analysis
from domain.model_ports import ChatModel


async def can_read(chat: ChatModel, seconds: float, *, small: bool) -> bool | None:
    """Whether it tells apart what a passage says and what it does not: the controls of each check, asked alone; None
    where its reply is no judgement.

    seconds: that it may take. small: whether the model that checks is asked, or the one that writes. Raises what the
    model raises.
    """
    request = check.request(Analysis("Is this so?"), ())
    reply = await chat.complete(replace(request, seconds=seconds, small=small))
    scores = check.scores_of(object_of(reply) or {})
    return check.tells(scores) if scores else None
