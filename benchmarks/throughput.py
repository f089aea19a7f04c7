"""Questions a second that one, two and four answering processes sustain with a model that takes a second a call.

    python -m benchmarks.throughput [--questions N] [--seconds S] [--places N]

`kb serve` listens to a local Slack and answers nothing; so many `kb worker` answer, N places each. All questions are
asked at one moment. A rate is that of the questions answered, from the first one asked to the last outcome; ratios are
to one process. Prints what it does on standard error and one JSON object on standard output, with the machine's load.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from benchmarks.measuring import parser, report, say
from benchmarks.serving import indexed
from tests.command import Kb, KbProcess, wait_for
from tests.fakes.slack import LocalSlack, local_slack
from tests.flows.slack.burst import ask_at_once
from tests.flows.slack.conftest import slack_env

WORKERS = (1, 2, 4)


@contextmanager
def running(kb: Kb, words: str, ready: str) -> Iterator[KbProcess]:
    """Inside, a process runs that has said that it is ready."""
    process = kb.start(words)
    try:
        wait_for(lambda: ready in process.said)
        yield process
    finally:
        process.close()


def measured(kb: Kb, slack: LocalSlack, places: int, workers: int, questions: int) -> dict[str, object]:
    """So many questions at once to so many workers."""
    with ExitStack() as stack:
        for _ in range(workers):
            working = kb.having(WORKER_CONCURRENCY=str(places), WORKER_TAKES="questions")
            stack.enter_context(running(working, "worker", "Working on questions"))
        process = stack.enter_context(running(kb.having(WORKER_CONCURRENCY="0"), "serve", "Serving"))
        return rate(kb, slack, process, questions)


def rate(kb: Kb, slack: LocalSlack, process: KbProcess, questions: int) -> dict[str, object]:
    """Asks, first a few to warm up."""
    ask_at_once(kb, slack, process, 4, patience=300)
    many = ask_at_once(kb, slack, process, questions, patience=900)
    return {
        "questions": questions,
        "results": many.results,
        "seconds": round(many.seconds, 1),
        "a_second": round(many.results.get("answered", 0) / many.seconds, 3),
        "load": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Measures, and prints."""
    given = parser(__doc__, questions=60, seconds=1.0, places=4).parse_args()
    found: dict[int, dict[str, object]] = {}
    more = {"SLACK_EDIT_SECONDS": "1.5", "QUESTIONS_WAITING": "1000", "ANSWER_DEADLINE": "900"}
    with indexed(given.seconds) as (bare, settings), local_slack() as slack:
        kb = bare.having(**{**slack_env(slack), **settings, **more}, MODEL_CACHE_ENTRIES="0")
        for workers in WORKERS:
            say(f"{workers} answering")
            found[workers] = measured(kb, slack, given.places, workers, given.questions)
            say(str(found[workers]))
    one = float(str(found[1]["a_second"]))
    ratios = {workers: round(float(str(each["a_second"])) / one, 2) for workers, each in found.items()}
    report({"seconds_a_call": given.seconds, "places_a_process": given.places, "workers": found, "ratios": ratios})


if __name__ == "__main__":
    main()
