"""The knowledge graph as values: things by their keys, where documents show them, how they hang together.

A key is `kind:name`, made from a text or from what a source says alone, never from what else is indexed. So the part of
one document does not depend on any other, whatever is indexed first. A document states under which keys it is known
(`Role.IDENTITY`, `Role.TITLE`); whoever speaks of it uses one of the same keys; the two meet when a question is asked.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import Literal

from domain.access import lowered
from domain.text.name_forms import normalised
from domain.text.page_addresses import canonical_address

SAME_AS = "same as"
"""The predicate of an alias: its subject is another name of its object (`name:cdp`, `name:customer data platform`)."""

OWNING = ("owner", "owned", "maintain", "author", "written", "responsible")
"""How the predicates begin that say whom a document belongs to."""

Precedence = Literal["replaces", "takes precedence over"]
"""The predicates of a document that counts where another one says something else: as its next version, or because it
says so of the other."""

LONGEST_NAME = 300
"""Characters of the name in a key; a longer one is cut, and a digest of the whole keeps it apart."""

_MASKED = "[masked: "
"""How a mask of domain.masking begins."""

_UNSTORABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


class EntityType(StrEnum):
    """What an entity is; the namespace of its key."""

    NAME = "name"
    """Anything with a name: a title, a heading, a person, a product. As domain.text.name_forms.normalised has it."""
    ISSUE = "issue"
    """A ticket, by its key in capitals."""
    PAGE = "page"
    """What has an address, by its canonical form; see domain.text.page_addresses."""
    DOCUMENT = "doc"
    """A document of the index, by its id."""
    FILE = "file"
    """A file, by its name in lower case; also by its path in its source."""
    FOLDER = "folder"
    """A folder, by its source and path."""
    PERSON = "person"
    """Somebody, by e-mail address in lower case or by the account as the source identifies it."""
    LABEL = "label"
    """A label, in lower case."""
    COMPONENT = "component"
    """A component of a Jira project: `PAY/web`."""
    VERSION = "version"
    """A version of a Jira project: `PAY/2.1`."""
    SPACE = "space"
    """A space of Confluence or a project of Jira, by its key."""


_FOLDED = frozenset(
    {EntityType.FILE, EntityType.FOLDER, EntityType.LABEL, EntityType.COMPONENT, EntityType.VERSION, EntityType.SPACE}
)


class MentionRole(StrEnum):
    """As what a chunk shows an entity."""

    IDENTITY = "identity"
    """The document is that: its issue key, its address, its id, its file name."""
    TITLE = "title"
    """It is the document's title, or what is left of that without what stands in brackets."""
    HEADING = "heading"
    """It is the last heading above the chunk."""
    MENTION = "mention"
    """The text speaks of it."""
    LINK = "link"
    """The source states it, and the text need not: an assignee, a label, the target of a link."""
    GUARDED = "guarded"
    """The source states it, the text must not, and those alone are told who may read a document that is it."""


class RelationOrigin(StrEnum):
    """How a relation was found."""

    STRUCTURE = "structure"
    """The source states it."""
    REFERENCE = "reference"
    """The text names the other by a key or an address."""
    VERB = "verb"
    """Subject, verb, object."""
    COPULA = "copula"
    """A is a B of C."""
    POSSESSION = "possession"
    """A's b is C; A has C."""
    PREPOSITION = "preposition"
    """A in B, A for B."""
    FIELD = "field"
    """A label of the document with a name behind it: `Owner: Femi`."""
    TABLE = "table"
    """The first cell of a row, the header of another one, and the name in that."""
    ACRONYM = "acronym"
    """A long name with its short one in brackets behind it, or the other way round."""
    BRACKETS = "brackets"
    """A title, and the same without what stands in brackets."""


@dataclass(frozen=True, slots=True)
class Link:
    """A relation of a document that its source states."""

    predicate: str
    """In lower case, as it reads from subject to object."""
    key: str
    """Key of the other end. A connector gives it as its source has it (`raw_key`); `settled` makes it a key."""
    words: str = ""
    """What shows the relation in the text, such as the key or title of the target. Empty: nothing does, and the first
    chunk stands for the document."""
    inverse: bool = False
    """Whether the document is the object of the relation, not its subject."""
    name: str = ""
    """What the other end is called, where the text says so."""
    guarded: bool = False
    """Whether the relation is told to those only who may read the other end, too."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a source states of a document."""

    keys: tuple[str, ...] = ()
    """Keys that the document is known under; first the one that others use for it."""
    links: tuple[Link, ...] = ()
    terms: tuple[str, ...] = ()
    """What the markup shows as a name of a program, a field or a command: its code spans."""


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity in a chunk."""

    key: str
    chunk: int
    """Ordinal of the chunk in its document."""
    role: MentionRole
    confidence: float
    """0 to 1."""
    surface: str
    """The name as the chunk has it."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A directed edge."""

    subject: str
    predicate: str
    object: str
    chunk: int
    """Ordinal of the chunk that shows it."""
    confidence: float
    """How sure the relation is, 0 to 1. Both ends are mentions in the chunk."""
    pattern: RelationOrigin
    guarded: bool = False
    """Whether it is told to those only who may read a document for each end."""


@dataclass(frozen=True, slots=True)
class DocumentGraph:
    """One document's part of the graph."""

    revision: int = 0
    """Version of the rules that it was made by, above 0. 0: the document has no part."""
    facts: Facts = Facts()
    mentions: tuple[Mention, ...] = ()
    """Sorted; each key once a chunk and role."""
    relations: tuple[Relation, ...] = ()
    """Sorted; each once a chunk and pattern."""

    @property
    def keys(self) -> frozenset[str]:
        """Every entity of this part."""
        return frozenset(each.key for each in self.mentions)


def with_blanks_for_controls(said: str) -> str:
    """`said` with blanks in place of control characters, of which the database refuses one, and of halves of
    characters. Blanks, for what is closed up could spell what a masker has not seen."""
    return _UNSTORABLE.sub(" ", said)


def key(kind: EntityType, name: str) -> str:
    """The key of what has a name of a kind. The name is taken as it is, its blanks and control characters apart."""
    name = " ".join(with_blanks_for_controls(name).split())
    if len(name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME - 20]}…{blake2b(name.encode(), digest_size=8).hexdigest()}"
    return f"{kind}:{name}"


def split_key(of: str) -> tuple[EntityType, str]:
    """Kind and name of a key. Raises ValueError for what is none."""
    kind, _, name = of.partition(":")
    return EntityType(kind), name


def shown_key(of: str, name: str, shown: Callable[[str], str]) -> str:
    """A key as `shown` shows texts. That of a name is folded: where a part of the name is not shown, the key would
    still spell it."""
    masked = shown(name)
    return f"{EntityType.NAME}:{masked}" if masked != name and split_key(of)[0] is EntityType.NAME else shown(of)


def name_key(name: str) -> str:
    """The key of a name as it stands in a text; empty when nothing of it counts, or a part of it is masked: what is
    left names something else, or nothing."""
    plain = "" if _MASKED in name else normalised(name)
    return key(EntityType.NAME, plain) if plain else ""


def issue_key(of: str) -> str:
    """The key of a ticket."""
    return key(EntityType.ISSUE, of.upper())


def page_key(url: str) -> str:
    """The key of what an address leads to: the same for all forms of it that can be told by looking at them. Empty when
    it is no address of the web. The address of a Jira issue is the issue."""
    found = canonical_address(url)
    if found is None:
        return ""
    return issue_key(found.issue) if found.issue else key(EntityType.PAGE, found.address)


def person_key(said: str) -> str:
    """The key of somebody, from an address or an account."""
    return key(EntityType.PERSON, lowered(said) if "@" in said else said)


def plain_key(kind: EntityType, name: str) -> str:
    """The key of a file, folder, label, component, version or space: case does not count."""
    return key(kind, name.casefold())


def raw_key(kind: EntityType, name: str) -> str:
    """What becomes a key once it is masked, see `settled`: a masker knows no secret that was folded or cut."""
    return f"{kind}:{name}"


def settled(raw: str) -> str:
    """The key that a masked `raw_key` stands for; a key stays as it is. Raises ValueError for what is neither."""
    kind, name = split_key(raw)
    return plain_key(kind, name) if kind in _FOLDED else key(kind, name)
