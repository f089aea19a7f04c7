"""Which tools are called, chosen by rules. Pure."""

from collections.abc import Sequence

from agent.questions import patterns
from agent.questions.listings import listing_of
from agent.state import LIST_ENTRIES, Analysis, SubQuestion, ToolRequest
from agent.tools.base import ToolSpec
from agent.tools.documents import LONGEST_NAME
from agent.tools.index_command import INDEX_COMMAND

SENTENCES = 3
"""Sentences that are searched for, at most."""


BEHIND = "owner contact responsible head"
"""Words that stand beside persons in lists of who does what, of which a question for one need hold none."""


def first_plan(analysis: Analysis, offered: Sequence[ToolSpec]) -> tuple[ToolRequest, ...]:
    """The calls that fit the intent, those of them that are offered."""
    names = {spec.name for spec in offered}
    about_the_index = patterns.administration(analysis.standalone)
    if about_the_index and INDEX_COMMAND in names:
        return (ToolRequest(INDEX_COMMAND, about_the_index, 1),)
    requests = _by_reference(analysis)
    if analysis.intent == "exact":
        for literal in patterns.literals(analysis.standalone)[:2]:
            requests.append(ToolRequest("grep_search", {"pattern": _quoted(literal), "ignore_case": True}, 1))
    requests += _to_be_listed(analysis)
    if analysis.intent == "file_discovery":
        name = " ".join(patterns.content_words(analysis.standalone))[:LONGEST_NAME]
        requests.append(ToolRequest("local_file_qa", {"name": name, "question": analysis.standalone}, 1))
    if analysis.intent == "relational" or patterns.relational(analysis.standalone):
        requests.append(ToolRequest("graph_related", {"query": analysis.standalone}, 1))
    if analysis.vague:
        requests.append(ToolRequest("hyde_search", {"query": analysis.standalone}, 1))
    for part in analysis.sub_questions:
        words = " ".join((part.text, *part.constraints))
        requests.append(ToolRequest("hybrid_search", {"query": words}, part.number))
        if patterns.asks_for_role(words):
            about = " ".join(patterns.content_words(words))
            requests.append(ToolRequest("hybrid_search", {"query": f"{about} {BEHIND}"}, part.number))
    return tuple(request for request in requests if request.name in names)


def listed_part(parts: Sequence[SubQuestion]) -> int:
    """The number of the part of a question that asks how many there are of what can be listed, the first of several; 0
    for none, or where the question has one part."""
    asked = ((part.number, part.added or part.text) for part in parts[1:] and parts)
    return next((number for number, text in asked if patterns.kind(text) == "number" and listing_of(text)), 0)


def _to_be_listed(analysis: Analysis) -> list[ToolRequest]:
    """What is counted or listed."""
    if number := listed_part(analysis.sub_questions):
        part = analysis.sub_question(number)
        return [ToolRequest(LIST_ENTRIES, {"question": part.added or part.text}, number)]
    listed = listing_of(analysis.standalone)
    return [ToolRequest(LIST_ENTRIES, {"question": analysis.standalone}, 1)] if listed else []


def _by_reference(analysis: Analysis) -> list[ToolRequest]:
    requests = []
    for each in analysis.references[:3]:
        match each.kind:
            case "key":
                requests.append(ToolRequest("jira_fetch", {"key": each.text}, 1))
            case "page":
                requests.append(ToolRequest("confluence_fetch", {"page": each.text}, 1))
            case "url":
                requests.append(ToolRequest("document_lookup", {"document": each.text}, 1))
                requests.append(ToolRequest("web_fetch", {"url": each.text}, 1))
            case "path":
                requests.append(ToolRequest("read_file", {"path": each.text, "question": analysis.standalone}, 1))
    return requests


def _quoted(literal: str) -> str:
    """The literal as a pattern that matches it as a whole."""
    escaped = "".join(
        letter if letter.isalnum() or letter in "_ " or ord(letter) > 127 else f"\\{letter}" for letter in literal
    )
    before = r"\b" if literal[:1].isalnum() else ""
    after = r"\b" if literal[-1:].isalnum() else ""
    return f"{before}{escaped}{after}"


def other_ways(analysis: Analysis, offered: Sequence[ToolSpec]) -> tuple[ToolRequest, ...]:
    """Another strategy: by meaning alone, by the rare words alone, by single sentences."""
    names = {spec.name for spec in offered}
    words = " ".join(patterns.content_words(analysis.standalone))
    ways = (
        ("proposition_search", analysis.standalone),
        ("vector_search", analysis.standalone),
        ("keyword_search", words),
        ("hyde_search", analysis.standalone),
    )
    return tuple(ToolRequest(name, {"query": query}, 1) for name, query in ways if name in names and query)


def searches_for(sentences: Sequence[str], offered: Sequence[ToolSpec]) -> tuple[ToolRequest, ...]:
    """A search for each of the first sentences, which should be stated somewhere."""
    if "hybrid_search" not in {spec.name for spec in offered}:
        return ()
    words = [" ".join(patterns.content_words(sentence)) for sentence in sentences[:SENTENCES]]
    return tuple(ToolRequest("hybrid_search", {"query": query}, 1) for query in words if query)
