"""A hundred questions at one moment in fifty conversations of a local Teams that keeps its limits, against a model that
takes a second: `kb serve` as a process of its own, signed requests over HTTP.

    python -m benchmarks.teams [--questions N] [--conversations N] [--seconds S]

Prints one JSON object: seconds until Teams was told that a question was taken, to the first sign of each question, and
to the last outcome of each conversation (median, 95th percentile, longest); how often Teams was called, and how often
it refused that for being too much; how many conversations do not hold exactly one outcome a question, and how many
signs still stand there. The peer in the same run is the same process with one question alone.
"""

import asyncio
import json

from benchmarks.measuring import parser, spread_with_max
from benchmarks.serving import indexed
from tests.fakes.teams import LocalTeams, Said, local_teams
from tests.fakes.teams_keys import teams_keys
from tests.flows.teams.burst import Burst, ask_at_once, places
from tests.flows.teams.conftest import serving, teams_env
from tests.flows.teams.talk import Post


def described(burst: Burst, each: int) -> dict[str, object]:
    """A burst as JSON. each: questions of a conversation."""
    return {
        "taken_s": spread_with_max(burst.taken, 3),
        "first_sign_s": spread_with_max(burst.signs, 3),
        "conversation_ended_s": spread_with_max(list(burst.ended.values()), 3),
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
    given = parser(__doc__, questions=100, conversations=50)
    given.add_argument("--seconds", type=float, default=1.0, help="that the model takes for a reply")
    wanted = given.parse_args()
    with indexed(wanted.seconds) as (kb, settings), local_teams() as teams, teams_keys() as keys:
        environment = {**teams_env(teams, keys), **settings, "TEAMS_EDIT_SECONDS": "1.5"}
        with serving(kb.having(**environment)) as (_, base):
            post = Post(base, teams, keys)
            print(json.dumps(asyncio.run(measured(teams, post, wanted.questions, wanted.conversations))))


if __name__ == "__main__":
    main()
