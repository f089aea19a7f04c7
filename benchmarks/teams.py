"""A hundred questions at one moment in fifty conversations of a local Teams that keeps its limits, against answers that
take a second: the way of a question from its acceptance on, over a database of its own.

    python -m benchmarks.teams [--questions N] [--conversations N] [--seconds S] [--concurrency N]

Prints one JSON object: seconds to the first sign of each question and to the last outcome of each conversation (median,
95th percentile, longest), how often Teams was called and how often it refused that for being too much, and how many
conversations do not hold exactly one outcome a question. The peer in the same run is one question alone.
"""

import argparse
import asyncio
import json
import tempfile
from pathlib import Path
from statistics import median

from storage.database import DatabaseOptions
from storage.open import open_storage
from tests.fakes.teams import LocalTeams, local_teams
from tests.flows.teams.burst import Burst, Served, ask_at_once, places


def spread(values: list[float]) -> dict[str, float]:
    """Median, 95th percentile and longest, in seconds."""
    ranked = sorted(values)
    return {
        "p50": round(median(ranked), 3),
        "p95": round(ranked[int(0.95 * (len(ranked) - 1))], 3),
        "max": round(ranked[-1], 3),
    }


def described(burst: Burst, each: int) -> dict[str, object]:
    """A burst as JSON. each: questions of a conversation."""
    return {
        "first_sign_s": spread(burst.signs),
        "conversation_ended_s": spread(list(burst.ended.values())),
        "all_ended_s": round(burst.seconds, 1),
        "calls": burst.calls,
        "refused_for_too_many": burst.refused,
        "conversations_without_exactly_one_outcome_a_question": sum(n != each for n in burst.outcomes.values()),
        "messages_that_are_no_outcome": burst.left,
    }


async def measured(data: Path, teams: LocalTeams, wanted: argparse.Namespace) -> dict[str, object]:
    """One question alone, then all at once."""
    async with open_storage(DatabaseOptions(None, data)) as storage:
        served = Served(storage, teams, wanted.seconds, wanted.concurrency)
        async with served.serving():
            one = await ask_at_once(served, places(teams, 1), 1, patience=120)
            seen = len(teams.calls())
            many = await ask_at_once(served, places(teams, wanted.conversations), wanted.questions, patience=600)
    return {
        "questions": wanted.questions,
        "conversations": wanted.conversations,
        "alone": described(one, 1),
        "at_once": described(many, wanted.questions // wanted.conversations) | {"calls": many.calls - seen},
    }


def main() -> None:
    """Measures, and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--conversations", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=1.0, help="that an answer takes")
    parser.add_argument("--concurrency", type=int, default=4, help="answers at a time")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, local_teams() as teams:
        Path(folder).chmod(0o711)
        print(json.dumps(asyncio.run(measured(Path(folder) / "data", teams, wanted))))


if __name__ == "__main__":
    main()
