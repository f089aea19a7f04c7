"""The list of attacks: each suite, and what meets it. A new tool, platform or kind of source joins by one line."""

from collections.abc import Mapping
from typing import Any

from tests.attacks import delivering, fetching, injections, parsing, reading, rendering, searching
from tests.attacks.documents import DOCUMENTS
from tests.attacks.injections import BY_OTHERS, INJECTIONS, MISSED
from tests.attacks.markup import ENDLESS, MARKUP
from tests.attacks.paths import FILE_IDS, NAMED_FILES, PATHS, SPELLINGS
from tests.attacks.patterns import PATTERNS, QUESTIONS
from tests.attacks.requests_http import DELIVERIES, NO_HTTP, NOWHERE
from tests.attacks.requests_slack import FORGED as SLACK
from tests.attacks.requests_teams import FORGED as TEAMS
from tests.attacks.requests_web import SLOW, UNINVITED
from tests.attacks.routes_web import EVERYWHERE
from tests.attacks.surface import Surface
from tests.attacks.urls import PAGE_URLS, SERVICE_URLS, TRIMMED_URLS, URLS

SUITES: Mapping[str, int] = {
    "addresses that lead inside (SSRF)": 100,
    "paths that lead out of a folder": 80,
    "patterns and questions without end": 30,
    "documents against a parser": 30,
    "mark-up that comes alive": 30,
    "forged and malformed requests": 40,
    "instructions to machines": 40,
}
"""How many attacks each has at least."""

SSRF, PATH, ENDS, PARSED, MARKED, SENT, INJECTED = SUITES


def _of(place: str, attacks: Mapping[str, Any]) -> Mapping[str, Any]:
    """Attacks that are made for one place: others have some of the same names."""
    return {f"{place}: {name}": attack for name, attack in attacks.items()}


SURFACES: tuple[Surface, ...] = (
    Surface("web_fetch", SSRF, TRIMMED_URLS, fetching.web_fetch),
    Surface("confluence_fetch", SSRF, PAGE_URLS, fetching.confluence_fetch),
    Surface("the fetcher", SSRF, URLS, fetching.fetcher),
    Surface("a web source", SSRF, URLS, fetching.web_source),
    Surface("a sitemap", SSRF, URLS, fetching.sitemap),
    Surface("replies to Teams", SSRF, SERVICE_URLS, fetching.teams_service),
    Surface("read_file", PATH, PATHS, reading.read_file),
    Surface("indexed documents by name", PATH, SPELLINGS, reading.named("read_file", "path")),
    Surface("document_lookup", PATH, SPELLINGS, reading.named("document_lookup", "document")),
    Surface("local_file_qa", PATH, SPELLINGS, reading.named("local_file_qa", "name")),
    Surface("folders that may be read", PATH, PATHS, reading.live_files),
    Surface("a source of files", PATH, FILE_IDS, reading.files_source),
    Surface("the parsers and archives", PATH, NAMED_FILES, reading.parsers),
    Surface("grep_search", ENDS, PATTERNS, searching.tool("grep_search", "pattern")),
    Surface("hybrid_search", ENDS, QUESTIONS, searching.tool("hybrid_search", "query")),
    Surface("vector_search", ENDS, QUESTIONS, searching.tool("vector_search", "query")),
    Surface("keyword_search", ENDS, QUESTIONS, searching.tool("keyword_search", "query")),
    Surface("proposition_search", ENDS, QUESTIONS, searching.tool("proposition_search", "query")),
    Surface("hyde_search", ENDS, QUESTIONS, searching.tool("hyde_search", "query")),
    Surface("graph_related", ENDS, QUESTIONS, searching.tool("graph_related", "query")),
    Surface("list_entries", ENDS, QUESTIONS, searching.tool("list_entries", "question")),
    Surface("rerank", ENDS, QUESTIONS, searching.tool("rerank", "query")),
    Surface("web_search", ENDS, QUESTIONS, searching.tool("web_search", "query")),
    Surface("decompose_query", ENDS, QUESTIONS, searching.tool("decompose_query", "question")),
    Surface("index_command", ENDS, QUESTIONS, searching.tool("index_command", "source", command="reindex")),
    Surface("jira_fetch", ENDS, QUESTIONS, searching.tool("jira_fetch", "key")),
    Surface("a question", ENDS, QUESTIONS, searching.questions),
    Surface("the parsers", PARSED, DOCUMENTS, parsing.parsers),
    Surface("the child process", PARSED, DOCUMENTS, parsing.sandbox, slow=True),
    Surface("slack", MARKED, MARKUP, rendering.slack_messages),
    Surface("teams", MARKED, MARKUP, rendering.teams_messages),
    Surface("terminal", MARKED, MARKUP, rendering.terminal_text),
    Surface("web", MARKED, MARKUP, rendering.web_pages),
    Surface("slack at length", MARKED, ENDLESS, rendering.slack_messages, slow=True),
    Surface("teams at length", MARKED, ENDLESS, rendering.teams_messages, slow=True),
    Surface("slack", SENT, _of("Slack", SLACK), delivering.slack_requests),
    Surface("teams", SENT, _of("Teams", TEAMS), delivering.teams_requests),
    Surface("web", SENT, _of("web", UNINVITED), delivering.web_requests),
    Surface("web", SENT, _of("web", EVERYWHERE), delivering.web_requests),
    Surface("webhooks of jira", SENT, _of("webhook", DELIVERIES), delivering.webhooks("jira")),
    Surface("webhooks of confluence", SENT, _of("webhook", DELIVERIES), delivering.webhooks("confluence")),
    Surface("pages for operators", SENT, _of("HTTP", {**NO_HTTP, **NOWHERE}), delivering.pages),
    Surface("bodies that are waited for", SENT, _of("HTTP", delivering.SLOW), delivering.slow_bodies, slow=True),
    Surface("bodies that are waited for", SENT, _of("web", SLOW), delivering.web_requests, slow=True),
    Surface("web at length", MARKED, ENDLESS, rendering.web_pages, slow=True),
    Surface("what is indexed", INJECTED, INJECTIONS, injections.indexing),
    Surface("prompts: texts", INJECTED, INJECTIONS, injections.in_texts),
    Surface("prompts: titles", INJECTED, INJECTIONS, injections.in_titles),
    Surface("prompts: headings", INJECTED, INJECTIONS, injections.in_headings),
    Surface("prompts: relations", INJECTED, INJECTIONS, injections.in_relations),
    Surface("prompts: pages that are read now", INJECTED, INJECTIONS, injections.live_pages),
    Surface("prompts: earlier replies", INJECTED, INJECTIONS, injections.earlier_replies),
    Surface("what is indexed", INJECTED, BY_OTHERS, injections.indexing, missed=MISSED),
    Surface("prompts: texts", INJECTED, BY_OTHERS, injections.in_texts, missed=MISSED),
    Surface("prompts: titles", INJECTED, BY_OTHERS, injections.in_titles, missed=MISSED),
    Surface("prompts: headings", INJECTED, BY_OTHERS, injections.in_headings, missed=MISSED),
    Surface("prompts: relations", INJECTED, BY_OTHERS, injections.in_relations, missed=MISSED),
    Surface("prompts: pages that are read now", INJECTED, BY_OTHERS, injections.live_pages, missed=MISSED),
    Surface("prompts: earlier replies", INJECTED, BY_OTHERS, injections.earlier_replies, missed=MISSED),
)


def attacks_of(suite: str) -> frozenset[str]:
    """The names of its attacks."""
    return frozenset(name for each in SURFACES if each.suite == suite for name in each.attacks)


def table() -> list[str]:
    """The rows that SECURITY.md has of them."""
    return [f"| {suite} | {len(attacks_of(suite))} | {', '.join(met_by(suite))} |" for suite in SUITES]


def met_by(suite: str) -> list[str]:
    """What meets a suite, a tool as code."""
    names = [each.name for each in SURFACES if each.suite == suite]
    return [f"`{name}`" if "_" in name or name == "rerank" else name for name in dict.fromkeys(names)]
