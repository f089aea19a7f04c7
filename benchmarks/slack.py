"""Two hundred questions at one moment against a model that takes a second: `kb serve` as a process of its own, a local
Slack over Socket Mode.

    python -m benchmarks.slack [--questions N] [--seconds S] [--people N]

Prints one JSON object for a company of so many people, with Slack's limits: for first questions in a channel of four
and in one of three thousand, seconds to the outcome and the calls that it took. Then, unless N is 0, one for the
burst: seconds to the acknowledgements and to the first visible sign below each question (median, 95th percentile,
longest), seconds to the last outcome, how the questions ended, and the memory of the process. The peer in the same run
is the same process with one question alone.
"""

import json
import time

from benchmarks.measuring import parser, spread_with_max
from benchmarks.serving import indexed
from tests.command import Kb, wait_for
from tests.fakes.slack import LocalSlack, User, local_slack, plain
from tests.flows.slack.burst import Burst, ask_at_once
from tests.flows.slack.conftest import slack_env
from tests.flows.slack.talk import Talk, final


def described(burst: Burst) -> dict[str, object]:
    """A burst as JSON."""
    before, most = burst.memory
    return {
        "acknowledged_s": spread_with_max(burst.acknowledged, 3),
        "first_sign_s": spread_with_max(burst.signs, 3),
        "all_ended_s": round(burst.seconds, 1),
        "results": burst.results,
        "without_exactly_one_visible_outcome": sum(count != 1 for count in burst.visible),
        "memory_mb": {"before": round(before / 2**20), "most": round(most / 2**20)},
    }


def in_company(kb: Kb, people: int) -> dict[str, object]:
    """First questions in a workspace of so many people, with Slack's limits."""
    with local_slack() as slack:
        crowd = slack.add_crowd(people)
        slack.keep_tiers()
        process = kb.having(**slack_env(slack), EMAIL_DOMAINS="example.com").start("serve")
        try:
            wait_for(lambda: bool(slack.connections))
            rooms = {"first_in_a_channel_of_4": crowd[:4], "again": crowd[:4], "first_of_3000": crowd[-3_000:]}
            found = {name: _first_answer(slack, name, members) for name, members in rooms.items()}
            slack.until(lambda: sum(call.ok for call in slack.calls("users.list")) > people // 1_000, 600)
            return {"people": people, **found, "of_3000_later": _first_answer(slack, "later", crowd[-3_000:])}
        finally:
            process.close()


def _first_answer(slack: LocalSlack, name: str, members: list[User]) -> dict[str, object]:
    """Seconds to the outcome of one question in a new channel, and the calls until then."""
    earlier = len(slack.calls())
    here = Talk(slack, members[0], slack.add_channel(name, members).id)
    began = time.monotonic()
    asked = here.ask("How many days of parental leave are there?")
    slack.until(lambda: any(map(final, here.shown(asked))), 600)
    methods = [call.method for call in slack.calls()[earlier:]]
    (outcome,) = here.shown(asked)
    return {
        "seconds": round(time.monotonic() - began, 1),
        "answered": "Sources" in plain(outcome),
        "calls": {each: methods.count(each) for each in sorted(set(methods))},
    }


def burst(kb: Kb, slack: LocalSlack, count: int) -> dict[str, object]:
    """One question alone, and so many at once, to one process."""
    process = kb.start("serve")
    try:
        wait_for(lambda: bool(slack.connections))
        one = ask_at_once(kb, slack, process, 1, patience=120)
        many = ask_at_once(kb, slack, process, count, patience=600)
        return {"questions": count, "alone": described(one), "at_once": described(many)}
    finally:
        process.close()


def main() -> None:
    """Measures, and prints."""
    given = parser(__doc__, questions=200, people=50_000)
    given.add_argument("--seconds", type=float, default=1.0, help="that the model takes for a reply")
    arguments = given.parse_args()
    with indexed(arguments.seconds) as (kb, settings):
        print(json.dumps(in_company(kb.having(DATABASE_URL=settings["DATABASE_URL"]), arguments.people)), flush=True)
    if arguments.questions:
        # a new local Slack numbers its messages from one again: in the same database they would be deliveries repeated
        with indexed(arguments.seconds) as (kb, settings), local_slack() as slack:
            environment = {**slack_env(slack), **settings, "SLACK_EDIT_SECONDS": "1.5"}
            print(json.dumps(burst(kb.having(**environment), slack, arguments.questions)))


if __name__ == "__main__":
    main()
