"""Collects what a document points at while it is read, and says how it stands in the text."""

import re
from collections.abc import Iterable, Mapping
from itertools import islice

from domain.documents import Mentions, PageMention
from indexer.parse.outline import one_line

MAX_MENTION_CHARACTERS = 2_000
"""Characters of one mention; a longer one names nothing."""
MAX_CHARACTERS = 150_000
"""All mentions of a document together: what comes later is in the text only."""
LONGEST_ANCHOR = 200
"""Characters kept of the words that carry a link."""
COST_OF_A_MENTION = 20
"""Characters that a mention counts for beside its own."""
UNKNOWN = "someone"
"""What stands in the text for somebody whose name nobody tells."""
_OPAQUE = re.compile(r"(?:accountid|user):|jirauser\d", re.IGNORECASE)
"""How an id begins that is nobody's name; any other one is a name to log in with."""
MAX_TERMS = 300
"""Code spans of one document that may be names."""
_TERM = re.compile(r"[A-Za-z][\w.-]{1,38}\w")
_NO_TERMS = frozenset(
    """
    true false null none nil yes not and the get post put patch delete head http https int str string bool float void
    json yaml xml html css sql bash shell sudo cat echo grep ssh curl git main master root default
    """.split()  # noqa: SIM905 - a paragraph is read and changed more easily than quoted words
)


def code_terms(spans: Iterable[str]) -> tuple[str, ...]:
    """Those of a document's code spans that may be the name of a program, a field or a topic, each once: one word."""
    found = (each.strip() for each in spans)
    named = (each for each in found if _TERM.fullmatch(each) and each.lower() not in _NO_TERMS)
    return tuple(islice(dict.fromkeys(named), MAX_TERMS))


class MentionCollector:
    """Collects mentions, each once. Every method takes what the markup says and ignores what is empty.

    names: of people, by how the markup identifies them, as far as the source tells them.
    """

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self._names = names or {}
        self._pages: dict[PageMention, None] = {}
        self._issues: dict[str, str] = {}
        self._urls: dict[str, str] = {}
        """With the words that carry each."""
        self._attachments: dict[str, str] = {}
        self._people: dict[str, str] = {}
        """With the name of each."""
        self._spent = 0

    def page(self, title: str = "", page_id: str = "", space: str = "", *, included: bool = False) -> None:
        """A page, by its title or its id."""
        page = PageMention(one_line(title), one_line(page_id), one_line(space), included)
        cost = len(page.title) + len(page.page_id) + len(page.space)
        if (page.title or page.page_id) and page not in self._pages and self._affordable(cost):
            self._pages[page] = None

    def issue(self, key: str) -> None:
        """An issue, by its key."""
        self._add(self._issues, key)

    def url(self, url: str, words: str = "") -> None:
        """Any other target, as written. words: what carries it."""
        self._add(self._urls, url, one_line(words)[:LONGEST_ANCHOR])

    def attachment(self, name: str) -> None:
        """A file attached to this or another page."""
        self._add(self._attachments, name)

    def person(self, person: str, said: str = "") -> str:
        """Someone, as the source identifies them; what stands for them in the text: their name, never an id.
        said: what the markup itself calls them."""
        person = one_line(person)
        name = self._name(person, one_line(said).removeprefix("@"))
        self._add(self._people, person, name[:LONGEST_ANCHOR])
        return name or (UNKNOWN if person else "")

    def _name(self, person: str, said: str) -> str:
        known = one_line(self._names.get(person, ""))
        if known or (said and person.partition(":")[2] not in said):
            return known or said
        return "" if _OPAQUE.match(person) else person

    def all(self) -> Mentions:
        """Everything collected."""
        return Mentions(
            tuple(self._pages),
            tuple(self._issues),
            tuple(self._urls),
            tuple(self._attachments),
            tuple(self._people),
            tuple(self._urls.values()) if any(self._urls.values()) else (),
            tuple(self._people.values()) if any(self._people.values()) else (),
        )

    def _add(self, kind: dict[str, str], text: str, beside: str = "") -> None:
        text = one_line(text)
        if text and text not in kind and self._affordable(len(text)):
            kind[text] = beside

    def _affordable(self, characters: int) -> bool:
        cost = characters + COST_OF_A_MENTION
        if characters > MAX_MENTION_CHARACTERS or self._spent + cost > MAX_CHARACTERS:
            return False
        self._spent += cost
        return True
