"""Where canaries of every kind are put, and where nothing of them may come out again."""

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import cycle, zip_longest
from pathlib import Path

from tests.command import Done, Kb, connected, rows
from tests.fakes.embeddings_server import EmbeddingsServer
from tests.fakes.model_rules import analysis, grades, purpose, read
from tests.fakes.model_server import Body, ModelServer, Reply, Rule
from tests.flows.kinds import MASKER, Canary, Sieve, canaries, framed

LANTERN = "Which lantern of the harbour is green and lit in spring?"
NEUTRAL = "The lantern of the harbour is green, and it is lit in spring."
A_NAME = 100
"""Bytes of a file name here, at most."""
BETWEEN = "\n\x1f\n"
"""Between the columns of a dump: no canary holds it, so that the end of one and the beginning of the next are none."""
A_QUESTION = 3_400
"""Characters of the canaries in one question; a question may have 4,000."""


# -- where the canaries are put


def in_file_names(found: Sequence[Canary]) -> list[str]:
    """Names of files that hold a canary each."""
    fitting = [each for each in found if each.one_line and "/" not in each.text and len(each.text) < A_NAME]
    names = [framed(each, "note {}.html", "note {} of spring.html", "{}.html", "{}") for each in fitting]
    assert None not in names, [each for each, name in zip(fitting, names, strict=True) if name is None]
    return [name for name in names if name is not None and len(name.encode()) <= A_NAME]


def planted(folder: Path) -> None:
    """Every canary in a page as it is, in one as code, in a title, in a heading, and in a file name where it fits."""
    every = canaries()
    for number, part in enumerate(batches(every, 24)):
        texts = "\n\n".join(f"{NEUTRAL}\n\n{each.text}" for each in part)
        (folder / f"plain-{number}.txt").write_text(texts)
        code = "\n\n".join(f"{NEUTRAL}\n\n~~~~~~\n{each.text}\n~~~~~~" for each in part)
        (folder / f"code-{number}.md").write_text(code)
    lines = [html.escape(each.text) for each in every if each.one_line and "\t" not in each.text]  # HTML knows no tabs
    names = in_file_names(every)
    for number, (name, title, heading) in enumerate(zip_longest(names, lines[::2], lines[1::2], fillvalue="")):
        page = f"<html><head><title>{title}</title></head><body><p>{NEUTRAL}</p><h2>{heading}</h2><p>{NEUTRAL}</p>"
        (folder / (name or f"note-{number}.html")).write_text(f"{page}</body></html>")


def batches(found: Sequence[Canary], size: int) -> list[Sequence[Canary]]:
    return [found[start : start + size] for start in range(0, len(found), size)]


def questions() -> list[str]:
    """Questions that hold all the canaries."""
    made = [LANTERN]
    for each in canaries():
        if len(made[-1]) + len(each.text) > A_QUESTION:
            made.append(LANTERN)
        made[-1] += f"\n\n{each.text}\n\n"
    return made


def lines() -> list[str]:
    """Questions of one line that hold all the canaries of one line."""
    between = "It is green. {} It is lit."
    fitting = [line for each in canaries() if each.one_line and (line := framed(each, between))]
    assert len(fitting) > 0.9 * len(canaries()), "a few must stand at the beginning of a line"
    made = [LANTERN]
    for line in fitting:
        if len(made[-1]) + len(line) > A_QUESTION:
            made.append(LANTERN)
        made[-1] += f" {line}"
    return made


# -- models


def saying(secrets: Sequence[Canary]) -> Rule:
    """A model that quotes whatever it is shown, and says some secrets as if they stood in the passages."""

    def rule(body: Body) -> Reply | None:
        if purpose(body) != "synthesize":
            return None
        shown = read(body).passages
        said = [f"{line} [{passage.number}]" for passage in shown for line in passage.text.split("\n") if line.strip()]
        said += [f"{NEUTRAL}\n{each.text}\n[{1 + place % len(shown)}]" for place, each in enumerate(secrets) if shown]
        return Reply("\n\n".join(said))

    return rule


def making_up(secrets: Sequence[Canary]) -> Rule:
    """A model whose every typed reply holds secrets that it was not shown."""
    left = cycle(secrets)

    def some() -> str:
        return f"{NEUTRAL}\n\n" + "\n\n".join(next(left).text for _ in range(12))

    def rule(body: Body) -> Reply | None:
        prompt = read(body)
        match prompt.purpose:
            case "analyze":
                said = {**analysis(prompt), "standalone": f"{prompt.question}\n\n{some()}", "complexity": "complex"}
                said["sub_questions"] = [
                    {"text": some(), "kind": "fact", "priority": n, "constraints": [some()]} for n in (1, 2)
                ]
                said["plan"] = [
                    {"tool": "hybrid_search", "args": {"query": some()}, "sub_question": 1},
                    {"tool": some(), "args": {some(): some()}, "sub_question": 2},
                ]
            case "grade":
                marks = [{"item": each.number, "parts": [1], "score": 0.4} for each in prompt.passages]
                said = {**grades(prompt), "grades": marks, "missing": [some(), some()]}
            case "plan":
                said = {"plan": [{"tool": "hybrid_search", "args": {"query": some()}, "sub_question": 1}]}
            case "hypothesis":
                return Reply(some())
            case _:
                return None
        return Reply(json.dumps(said))

    return rule


def secrets() -> list[Canary]:
    return [each for each in canaries() if not each.personal]


# -- what is looked at


@dataclass(frozen=True)
class World:
    """The command over an index of all the canaries, with a model. indexed: what the index run said."""

    kb: Kb
    url: str
    data: Path
    model: ModelServer
    embeddings: EmbeddingsServer
    indexed: Done

    def check(self, *done: Done, documents: bool = False) -> None:
        """Nothing got out: no canary in what was printed; no secret in what the servers of models got, in the
        database, or in a file of the data folder. documents: whether the documents themselves are looked at."""
        sent = [*(asked.body for asked in self.model.requests), *(got.body for got in self.embeddings.requests)]
        files = [path for path in (*self.data.glob("*"), *self.data.glob("*/*.log")) if path.is_file()]
        found = {
            "shown": ANY.leaks("\n".join(each.out + each.err for each in done)),
            "sent": SECRET.leaks("\n".join(json.dumps(body, ensure_ascii=False) for body in sent)),
            "database": SECRET.leaks(database(self.url, "" if documents else "documents")),
            "files": SECRET.leaks("\n".join(path.read_text(errors="replace") for path in files)),
        }
        leaks = [f"{place}: {leak!r}" for place, leaks in found.items() for leak in leaks]
        assert not leaks, "\n".join(leaks)


def database(url: str, without: str = "") -> str:
    """Every column of every table but vectors, which hold no text, and what the planner keeps of them; bytes as they
    are and as text. without: a table that is left out."""
    columns = """
        SELECT table_name, string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
        WHERE table_schema = 'public' AND udt_name <> 'halfvec' AND table_name <> %s GROUP BY table_name
    """
    stats = "SELECT * FROM pg_stats WHERE schemaname = 'public' AND attname <> 'embedding' AND tablename <> %s"
    found = [str(row) for row in rows(url, stats, [without])]
    with connected(url) as connection:
        for table, names in rows(url, columns, [without]):
            for row in connection.execute(f'SELECT {names} FROM "{table}"'.encode()):
                found += [value.decode("latin-1") if isinstance(value, bytes) else str(value) for value in row]
    return BETWEEN.join(found)


@cache
def _neutral() -> tuple[str, ...]:
    return (*(f"\n{MASKER.mask(each.text).text}\n" for each in canaries()), NEUTRAL, LANTERN, '{"messages":')


ANY = Sieve(lambda _: True, _neutral)
SECRET = Sieve(lambda each: not each.personal, _neutral)
PERSONAL = Sieve(lambda each: each.personal, _neutral)
