"""What a text names by a key, an address or a file's name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from domain.knowledge_graph import EntityType, issue_key, page_key, person_key, plain_key
from domain.text.file_endings import DOCUMENTS

_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}]{1,1000}")
_ISSUE = re.compile(r"(?<![\w./-])[A-Z][A-Z0-9_]{1,15}-[1-9]\d{0,7}(?![\w-]|\.\d)")
_NOT_ISSUES = frozenset(
    """
    UTF ISO SHA HTTP TLS AES RSA MD COVID UTC GMT EN IEC DIN CVE RFC IEEE ANSI NIST PEP JSR
    """.split()  # noqa: SIM905 - a paragraph is read and changed more easily than quoted words
)
_EMAIL = re.compile(r"(?<![\w.+@/-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.)+[A-Za-z]{2,12}(?![\w@])")
_FILE = re.compile(
    r"(?<![\w/:@.])(?:[\w.-]{1,64}/){0,12}[\w-][\w.-]{0,100}"
    rf"\.(?:{DOCUMENTS}|xml|py|ts|js|go|java|rs|rb|sql|sh|ps1|tf|ipynb|log|zip)(?![\w/])"
)
_PERSON = re.compile(r"\[~((?:accountid:|user:)?[^\s\[\]~]{1,200})\]")


@dataclass(frozen=True, slots=True)
class TextReference:
    """Characters [start, end) of a text that name what has this key."""

    start: int
    end: int
    key: str
    surface: str


def references_in(text: str) -> list[TextReference]:
    """Addresses, tickets, people by address or account, and files, in the order of their beginnings. None lies within
    another."""
    found: list[TextReference] = []
    taken: list[tuple[int, int]] = []
    for start, end, key in _all(text):
        if key and not any(begin < end and start < until for begin, until in taken):
            taken.append((start, end))
            found.append(TextReference(start, end, key, text[start:end]))
    return sorted(found, key=lambda each: each.start)


def account_key(said: str) -> str:
    """The key of somebody as markup identifies them: `accountid:…`, `user:…` or a user name."""
    return person_key(said.removeprefix("accountid:"))


def _all(text: str) -> Iterator[tuple[int, int, str]]:
    if "://" in text:
        for match in _URL.finditer(text):
            url = match.group().rstrip(".,;:!?)]}")
            yield match.start(), match.start() + len(url), page_key(url)
    if "[~" in text:
        for match in _PERSON.finditer(text):
            yield *match.span(), account_key(match[1])
    if "@" in text:
        for match in _EMAIL.finditer(text):
            yield *match.span(), person_key(match.group())
    if "-" in text:
        for match in _ISSUE.finditer(text):
            if match.group().rpartition("-")[0] not in _NOT_ISSUES:
                yield *match.span(), issue_key(match.group())
    if "." in text:
        for match in _FILE.finditer(text):
            yield *match.span(), plain_key(EntityType.FILE, match.group().rpartition("/")[2])
