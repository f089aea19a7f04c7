"""Runs in a child process: `python teams_child.py JSON` opens Teams and a database as the JSON says, takes activities
as lines of JSON on standard input, and answers them, until it is ended. Says on standard output `ready`, and `taken`
behind each activity whose question it has accepted."""

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.conversation.service import ConversationOptions, ConversationService
from bot.teams.open import TeamsOptions, open_teams
from domain.answers import Answer, Outcome, Question
from domain.ledger import WorkerOptions
from domain.masking import Masker
from storage.database import DatabaseOptions
from storage.open import open_storage
from tests.fakes.platform import ScriptedAnswers
from tests.fakes.teams.saying import Said
from tests.fakes.teams.talking import talked
from tests.flows.teams.led import cited

HEARTBEAT, LOST, LEFT = 0.3, 1.5, 2.5


def scripted(parts: int) -> ScriptedAnswers:
    """An answer of so many messages."""

    def outcome(question: Question) -> Outcome:
        found = cited(question)
        assert isinstance(found, Answer)
        more = [f"Part {number}. " + "Everybody knows. " * 300 + "[1]" for number in range(2, parts + 1)]
        return replace(found, text="\n\n".join([found.text, *more]))

    return ScriptedAnswers(outcome)


async def main(wanted: Mapping[str, Any]) -> None:
    teams = await open_teams(TeamsOptions(**{**wanted["teams"], "service_hosts": ()}))
    async with open_storage(DatabaseOptions(wanted["url"], Path())) as storage:
        ledger = storage.ledger()
        service = ConversationService(
            ledger,
            storage.memory(),
            scripted(wanted["parts"]),
            Masker(),
            {"teams": teams.platform},
            ConversationOptions(watch=0.2, lease=LOST / 2),
        )

        async def answer(arguments: Mapping[str, object]) -> None:
            await service.answer(int(str(arguments["number"])))

        async def keep() -> None:
            while True:
                await ledger.left_over(["teams"], timedelta(seconds=LEFT))
                await asyncio.sleep(HEARTBEAT)

        options = WorkerOptions(("teams",), heartbeat=HEARTBEAT, lost=LOST)
        async with asyncio.TaskGroup() as group:
            group.create_task(storage.jobs().work({"answer": answer}, options))
            group.create_task(keep())
            print("ready", flush=True)
            while line := await asyncio.to_thread(sys.stdin.readline):
                group.create_task(accepted(service, json.loads(line)))


async def accepted(service: ConversationService, activity: dict[str, Any]) -> None:
    """What a request does with a question."""
    incoming = talked(Said(activity["id"], activity["conversation"]["id"], activity))
    claim = await service.receive(incoming)
    print("taken", flush=True)
    await service.welcome(incoming, claim)


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))
