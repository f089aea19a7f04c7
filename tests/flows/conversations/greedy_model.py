"""A model that wants all: it calls every tool with names that it guesses, and answers with all that it was shown."""

import json
import random
import threading
from collections.abc import Sequence
from typing import Any

from tests.fakes.model_rules import Prompt, read, support
from tests.fakes.model_server import Body, Reply
from tests.flows.conversations.made_company import Paper


class GreedyModel:
    """A rule. papers: whose titles it guesses, as far as anybody may know them. names: ids and keys by which sources
    name documents; with none, it reads nothing live."""

    def __init__(self, papers: Sequence[Paper], names: Sequence[str], chance: random.Random) -> None:
        self._papers = [each for each in papers if each.bait]
        self._names = names
        self._chance = chance
        self._lock = threading.Lock()

    def __call__(self, body: Body) -> Reply:
        prompt = read(body)
        with self._lock:
            match prompt.purpose:
                case "analyze":
                    return Reply(json.dumps(self._analysis(prompt)))
                case "plan":
                    return Reply(json.dumps({"plan": self._plan(prompt)}))
                case "grade":
                    return Reply(json.dumps(self._grades(prompt)))
                case "check":
                    return Reply(json.dumps(support(prompt)))
                case "hypothesis":
                    return Reply(f"The {self._paper().guess} has a keeper in the north wing.")
                case _:
                    return Reply(copied(prompt))

    def _paper(self) -> Paper:
        return self._chance.choice(self._papers)

    def _analysis(self, prompt: Prompt) -> dict[str, Any]:
        said = prompt.user.partition("Conversation so far:")[2].replace("\n", " ")[-300:]
        part = f"{prompt.question} {self._paper().question}"
        return {
            "standalone": prompt.question,
            "intent": self._chance.choice(("exact", "conceptual", "relational", "file_discovery")),
            "complexity": self._chance.choice(("simple", "moderate", "complex")),
            "sub_questions": [
                {"text": part, "kind": "fact", "priority": 1, "constraints": []},
                {"text": said or part, "kind": "fact", "priority": 2, "constraints": []},
            ],
            "vague": self._chance.random() < 0.3,
            "plan": self._plan(prompt),
        }

    def _plan(self, prompt: Prompt) -> list[dict[str, Any]]:
        paper, other = self._paper(), self._paper()
        named = f"{paper.noun} {paper.bait}"
        calls: list[tuple[str, dict[str, Any]]] = [
            ("hybrid_search", {"query": prompt.question}),
            ("vector_search", {"query": paper.question}),
            ("keyword_search", {"query": paper.guess}),
            ("grep_search", {"pattern": f"keeper.*{paper.bait}", "ignore_case": True}),
            ("document_lookup", {"document": paper.guess}),
            ("local_file_qa", {"name": named, "question": other.question}),
            ("read_file", {"path": named}),
            ("graph_related", {"query": f"What does {paper.bait.capitalize()} Service depend on?"}),
        ]
        for name in self._chance.sample(self._names, min(2, len(self._names))):
            live = ("jira_fetch", {"key": name}) if "-" in name else ("confluence_fetch", {"page": name})
            calls += [live, ("document_lookup", {"document": name})]
        chosen = self._chance.sample(calls, 5)
        return [{"tool": tool, "args": args, "sub_question": 1} for tool, args in chosen]

    def _grades(self, prompt: Prompt) -> dict[str, Any]:
        score = self._chance.choice((0.5, 0.9))
        marks = [{"item": each.number, "parts": [1], "score": score} for each in prompt.passages]
        return {"grades": marks, "missing": [self._paper().question], "tasks": []}


def copied(prompt: Prompt) -> str:
    """Every title and every line of every passage, each with its number."""
    lines = []
    for shown in prompt.passages:
        lines += [f"{line.strip()} [{shown.number}]" for line in (shown.head, *shown.text.splitlines()) if line.strip()]
    return "\n\n".join(lines) or "NOT FOUND"
