"""Two hundred questions at one moment against a model that takes a second: `kb serve` as a process of its own, a local
Slack over Socket Mode.

    python -m benchmarks.slack [--questions N] [--seconds S]

Prints one JSON object: seconds to the acknowledgements and to the first visible sign below each question (median,
95th percentile, longest), seconds to the last outcome, how the questions ended, and the memory of the process. The
peer in the same run is the same process with one question alone.
"""

import argparse
import json
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.corpus import KNOWLEDGE_BASE
from storage.embedded import EmbeddedServer
from tests.command import Kb, KbProcess, wait_for
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_server import CHAT_MODEL, SMALL_MODEL, model_server
from tests.fakes.slack import LocalSlack, local_slack
from tests.flows.slack.burst import Burst, ask_at_once, taking
from tests.flows.slack.conftest import slack_env


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


def measured(kb: Kb, slack: LocalSlack, process: KbProcess, count: int) -> dict[str, object]:
    """One question alone, then all at once."""
    one = ask_at_once(kb, slack, process, 1, patience=120)
    many = ask_at_once(kb, slack, process, count, patience=600)
    return {"questions": count, "alone": described(one), "at_once": described(many)}


def main() -> None:
    """Measures, and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1.0, help="that the model takes for a reply")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        local_slack() as slack,
        model_server(rules=(taking(arguments.seconds),)) as model,
    ):
        Path(folder).chmod(0o711)
        data = Path(folder) / "data"
        kb = Kb({"KB_AGENT_DATA_DIR": str(data)}, Path(folder))
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
            kb = kb.having(**settings)
            process = kb.start("serve")
            try:
                wait_for(lambda: bool(slack.connections))
                print(json.dumps(measured(kb, slack, process, arguments.questions)))
            finally:
                process.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
