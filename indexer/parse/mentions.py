"""Collects what a document points at while it is read, and says how it stands in the text."""

from domain.documents import Mentions, PageMention
from indexer.parse.outline import one_line

LONGEST = 2_000
"""Characters of one mention; a longer one names nothing."""
MOST_CHARACTERS = 150_000
"""All mentions of a document together: what comes later is in the text only."""
LONGEST_ANCHOR = 200
"""Characters kept of the words that carry a link."""
COST_OF_A_MENTION = 20
"""Characters that a mention counts for beside its own."""


class Mentioned:
    """Collects mentions, each once. Every method takes what the markup says and ignores what is empty."""

    def __init__(self) -> None:
        self._pages: dict[PageMention, None] = {}
        self._issues: dict[str, None] = {}
        self._urls: dict[str, None] = {}
        self._anchors: list[str] = []
        self._attachments: dict[str, None] = {}
        self._people: dict[str, None] = {}
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
        known = len(self._urls)
        self._add(self._urls, url)
        if len(self._urls) > known:
            self._anchors.append(one_line(words)[:LONGEST_ANCHOR])

    def attachment(self, name: str) -> None:
        """A file attached to this or another page."""
        self._add(self._attachments, name)

    def person(self, person: str) -> str:
        """Someone, as the source identifies them; what stands for them in the text: `[~accountid:…]`."""
        self._add(self._people, person)
        return person_token(person)

    def all(self) -> Mentions:
        """Everything collected."""
        return Mentions(
            tuple(self._pages),
            tuple(self._issues),
            tuple(self._urls),
            tuple(self._attachments),
            tuple(self._people),
            tuple(self._anchors) if any(self._anchors) else (),
        )

    def _add(self, kind: dict[str, None], text: str) -> None:
        text = one_line(text)
        if text and text not in kind and self._affordable(len(text)):
            kind[text] = None

    def _affordable(self, characters: int) -> bool:
        cost = characters + COST_OF_A_MENTION
        if characters > LONGEST or self._spent + cost > MOST_CHARACTERS:
            return False
        self._spent += cost
        return True


def person_token(person: str) -> str:
    """What stands in a text for someone whose name is not known there; a later step may put a name in its place."""
    return f"[~{one_line(person)}]" if one_line(person) else ""
