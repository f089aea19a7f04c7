"""Two hundred questions at one moment against a model that takes a second: `kb serve` as a process of its own, a local
Slack over Socket Mode.

    python -m benchmarks.slack [--questions N] [--seconds S] [--people N]

Prints one JSON object for a company of so many people, with Slack's limits: for first questions in a channel of four
and in one of three thousand, seconds to the outcome and the calls that it took. Then, unless N is 0, one for the
burst: seconds to the acknowledgements and to the first visible sign below each question (median, 95th percentile,
longest), seconds to the last outcome, how the questions ended, and the memory of the process. The peer in the same run
is the same process with one question alone.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.corpus import KNOWLEDGE_BASE
from storage.server.embedded import EmbeddedServer
from tests.command import Kb, KbProcess, wait_for
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_server import CHAT_MODEL, SMALL_MODEL, model_server
from tests.fakes.slack import LocalSlack, User, local_slack, plain
from tests.flows.slack.burst import Burst, ask_at_once, taking
from tests.flows.slack.conftest import slack_env
from tests.flows.slack.talk import Talk, final


def spread(values: list[float]) -> dict[str, float]:
    """Median, 95th percentile and longest, in seconds."""
    ranked = sorted(values)
    return {
        "p50": round(median(ranked), 3),
        "p95": round(ranked[int(0.95 * (len(ranked) - 1))], 3),
        "max": round(ranked[-1], 3),
    }


def described(burst: Burst) -> dict[str, object]:
    """A burst as JSON."""
    before, most = burst.memory
    return {
        "acknowledged_s": spread(burst.acknowledged),
        "first_sign_s": spread(burst.signs),
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


def measured(kb: Kb, slack: LocalSlack, process: KbProcess, count: int) -> dict[str, object]:
    """One question alone, then all at once."""
    one = ask_at_once(kb, slack, process, 1, patience=120)
    many = ask_at_once(kb, slack, process, count, patience=600)
    return {"questions": count, "alone": described(one), "at_once": described(many)}


def burst(kb: Kb, slack: LocalSlack, count: int) -> dict[str, object]:
    """One question alone, and so many at once, to one process."""
    process = kb.start("serve")
    try:
        wait_for(lambda: bool(slack.connections))
        return measured(kb, slack, process, count)
    finally:
        process.close()


def main() -> None:
    """Measures, and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--people", type=int, default=50_000)
    parser.add_argument("--seconds", type=float, default=1.0, help="that the model takes for a reply")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        local_slack() as slack,
        model_server(rules=(taking(arguments.seconds),)) as model,
    ):
        Path(folder).chmod(0o711)
        data = Path(folder) / "data"
        kb = Kb({"KB_AGENT_DATA_DIR": str(data)}, Path(folder), fresh=True)
        assert kb("index", str(KNOWLEDGE_BASE)).code == 0
        server = EmbeddedServer(data)
        server.start()
        try:
            settings = {
                **slack_env(slack),
                "DATABASE_URL": f"postgresql://postgres@/kb?host={server.cluster}",
                "LLM_BASE_URL": model.base_url,
                "LLM_API_KEY": KEY,
                "LLM_MODEL": CHAT_MODEL,
                "LLM_SMALL_MODEL": SMALL_MODEL,
                "SLACK_EDIT_SECONDS": "1.5",
                "WORKER_HEARTBEAT": "5",
                "WORKER_LOST": "20",
            }
            print(json.dumps(in_company(kb.having(DATABASE_URL=settings["DATABASE_URL"]), arguments.people)))
            if arguments.questions:
                print(json.dumps(burst(kb.having(**settings), slack, arguments.questions)))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
