"""A hundred questions at one moment in fifty conversations of a local Teams that keeps its limits, against a model that
takes a second: `kb serve` as a process of its own, signed requests over HTTP.

    python -m benchmarks.teams [--questions N] [--conversations N] [--seconds S]

Prints one JSON object: seconds until Teams was told that a question was taken, to the first sign of each question, and
to the last outcome of each conversation (median, 95th percentile, longest); how often Teams was called, and how often
it refused that for being too much; how many conversations do not hold exactly one outcome a question, and how many
signs still stand there. The peer in the same run is the same process with one question alone.
"""

import argparse
import asyncio
import json
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.corpus import KNOWLEDGE_BASE
from storage.server.embedded import EmbeddedServer
from tests.command import Kb
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_rules import reasonable
from tests.fakes.model_server import CHAT_MODEL, SMALL_MODEL, Body, Reply, model_server
from tests.fakes.teams import LocalTeams, Said, local_teams
from tests.fakes.teams_keys import teams_keys
from tests.flows.teams.burst import Burst, ask_at_once, places
from tests.flows.teams.conftest import serving, teams_env
from tests.flows.teams.talk import Post


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
        "taken_s": spread(burst.taken),
        "first_sign_s": spread(burst.signs),
        "conversation_ended_s": spread(list(burst.ended.values())),
        "all_ended_s": round(burst.seconds, 1),
        "calls": burst.calls,
        "refused_for_too_many": burst.refused,
        "conversations_without_exactly_one_outcome_a_question": sum(n != each for n in burst.outcomes.values()),
        "signs_left": burst.left,
    }


async def measured(teams: LocalTeams, post: Post, questions: int, conversations: int) -> dict[str, object]:
    """One question alone, then all at once."""

    async def ask(said: Said) -> None:
        await asyncio.to_thread(post, said.activity)

    one = await ask_at_once(teams, ask, places(teams, 1), 1, patience=120)
    many = await ask_at_once(teams, ask, places(teams, conversations), questions, patience=600)
    at_once = described(many, questions // conversations)
    return {"questions": questions, "conversations": conversations, "alone": described(one, 1), "at_once": at_once}


def main() -> None:
    """Measures, and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--conversations", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=1.0, help="that the model takes for a reply")
    wanted = parser.parse_args()

    def slowly(body: Body) -> Reply:
        return Reply(reasonable(body).text, latency=wanted.seconds)

    with (
        tempfile.TemporaryDirectory() as folder,
        local_teams() as teams,
        teams_keys() as keys,
        model_server(rules=(slowly,)) as model,
    ):
        Path(folder).chmod(0o711)
        data = Path(folder) / "data"
        kb = Kb({"KB_AGENT_DATA_DIR": str(data)}, Path(folder), fresh=True)
        assert kb("index", str(KNOWLEDGE_BASE)).code == 0
        server = EmbeddedServer(data)
        server.start()
        try:
            settings = {
                **teams_env(teams, keys),
                "DATABASE_URL": f"postgresql://postgres@/kb?host={server.cluster}",
                "LLM_BASE_URL": model.base_url,
                "LLM_API_KEY": KEY,
                "LLM_MODEL": CHAT_MODEL,
                "LLM_SMALL_MODEL": SMALL_MODEL,
                "TEAMS_EDIT_SECONDS": "1.5",
                "WORKER_HEARTBEAT": "5",
                "WORKER_LOST": "20",
            }
            with serving(kb.having(**settings)) as (_, base):
                post = Post(base, teams, keys)
                print(json.dumps(asyncio.run(measured(teams, post, wanted.questions, wanted.conversations))))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
