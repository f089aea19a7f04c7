"""Makes facts of the knowledge graph from what a source states of a document: the document's keys and its links.
Pure. The input is masked before: see indexer.run.mask_document."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urljoin, urlsplit

from domain.documents import Mentions, SourceDocument
from domain.knowledge_graph import (
    SAME_AS,
    EntityType,
    Facts,
    Link,
    issue_key,
    key,
    name_key,
    page_key,
    person_key,
    plain_key,
    raw_key,
    settled,
    split_key,
    with_blanks_for_controls,
)
from domain.text.page_addresses import numbered, titled
from domain.text_references import account_key
from indexer.graph.precedence import with_precedence

IN_SPACE = "in space"
IN_FOLDER = "in folder"
LABELLED = "labelled"
WRITTEN_BY = "written by"
LINKS_TO = "links to"
REFERS_TO = "refers to"
INCLUDES = "includes"
NAMES = "names"
HAS_FILE = "has the file"

_PLAIN = frozenset((LINKS_TO, REFERS_TO))
_AUTHORS = frozenset({WRITTEN_BY, "reported by"})
_PART_OF_A_PAGE = re.compile(r"[?&]focused(?:Comment)?Id=", re.IGNORECASE)
_FILE = re.compile(r"[^/]+\.[A-Za-z][A-Za-z0-9]{0,4}")
_PAGES = re.compile(r"\.(?:html?|php|aspx?|jsp|action)$", re.IGNORECASE)


def document_facts(document: SourceDocument, links: tuple[Link, ...], mentions: Mentions) -> Facts:
    """What is known of a document beside its text. links: as its connector states them. mentions: as its parser found
    them."""
    links = tuple(map(_settled, links))
    stated = {link.key for link in links if not link.guarded}
    beside = (link for link in _mentioned(document, mentions) if link.key not in stated)  # said better by the connector
    described = [*_described(document, links), *_roles(mentions)]
    said = with_precedence([*links, *described, *beside], document.blocks, _PLAIN)
    found = (*said, *_replaced(document, mentions))
    keys = tuple(dict.fromkeys(filter(None, _keys(document))))
    # a path or a name may hold what no database takes
    kept = (
        replace(
            link,
            predicate=with_blanks_for_controls(link.predicate),
            words=with_blanks_for_controls(link.words),
            name=with_blanks_for_controls(link.name),
        )
        for link in found
        if link.key and link.key not in keys
    )
    return Facts(keys, tuple(dict.fromkeys(kept)), tuple(map(with_blanks_for_controls, mentions.terms)))


def _settled(link: Link) -> Link:
    predicate = link.predicate.strip().lower()
    # the source has both as separate things, so neither is an alias of the other
    return replace(link, predicate=f"the {predicate}" if predicate == SAME_AS else predicate, key=settled(link.key))


def _keys(document: SourceDocument) -> Iterator[str]:
    """The keys of a document; the one that others are most likely to use comes first."""
    address = "" if _PART_OF_A_PAGE.search(document.url) else page_key(document.url)
    if address:
        yield address
        by_title = titled(document.url, document.space, document.title)  # of a page of Confluence
        if by_title:
            yield key(EntityType.PAGE, by_title)
    yield key(EntityType.DOCUMENT, document.document_id)
    yield from _files(document)


def _files(document: SourceDocument) -> Iterator[str]:
    """The keys of a file: its name and path. A page of the web, of Confluence or of Jira is no file."""
    name = PurePosixPath(document.path).name
    on_the_web = document.url.startswith(("http://", "https://"))
    if _FILE.fullmatch(name) and not (on_the_web and _PAGES.search(name)):
        yield plain_key(EntityType.FILE, name)
        if not on_the_web:
            yield plain_key(EntityType.FILE, document.path)


def _described(document: SourceDocument, links: tuple[Link, ...]) -> Iterator[Link]:
    """The links to labels, space, author and folder."""
    for label in document.labels:
        yield Link(LABELLED, plain_key(EntityType.LABEL, label))
    if document.space:
        yield Link(IN_SPACE, plain_key(EntityType.SPACE, document.space))
    if document.author and not any(link.predicate in _AUTHORS for link in links):
        yield Link(WRITTEN_BY, name_key(document.author), document.author)
    folder = dirname(document.path)
    if folder and not document.url.startswith(("http://", "https://")):
        yield Link(IN_FOLDER, plain_key(EntityType.FOLDER, f"{document.source}/{folder}"))


def _roles(mentions: Mentions) -> Iterator[Link]:
    """Whom or what the metadata names."""
    for each in mentions.roles:
        role, _, name = each.partition(": ")
        yield Link(role, person_key(name) if "@" in name else name_key(name), name=name)


def _replaced(document: SourceDocument, mentions: Mentions) -> Iterator[Link]:
    """What the metadata says of which document replaces which. A path of a file begins at its folder, as in a link; one
    that begins with a folder that the document lies in, at the top of the source."""
    folders = dirname(document.path).split("/") if not document.url.startswith(("http://", "https://")) else []
    for named, inverse in ((mentions.replaces, False), (mentions.replaced_by, True)):
        for each in named:
            first, _, below = each.partition("/")
            for link in _led_to(document, f"/{each}" if below and first in folders else each, each):
                yield replace(link, predicate="replaces", inverse=inverse)


def _mentioned(document: SourceDocument, mentions: Mentions) -> Iterator[Link]:
    for page in mentions.pages:
        predicate = INCLUDES if page.included else LINKS_TO
        address = numbered(document.url, page.page_id)
        if not address and page.title:
            address = titled(document.url, page.space or document.space, page.title)
        if address:
            yield Link(predicate, key(EntityType.PAGE, address), page.title)
    for each in mentions.issues:
        yield Link(REFERS_TO, issue_key(each), each.upper())
    anchors = (*mentions.anchors, *([""] * len(mentions.urls)))
    for url, words in zip(mentions.urls, anchors, strict=False):
        yield from _led_to(document, url, words)
    for name in mentions.attachments:
        yield Link(HAS_FILE, plain_key(EntityType.FILE, name), name)
    called = (*mentions.called, *([""] * len(mentions.people)))
    for person, name in zip(mentions.people, called, strict=False):
        yield Link(NAMES, account_key(person), name)


def _led_to(document: SourceDocument, url: str, words: str) -> Iterator[Link]:
    """The target of a link in the text: something with an address, or a file relative to this document."""
    if document.url.startswith(("http://", "https://")):
        with suppress(ValueError):
            url = urljoin(document.url, url)
    address = page_key(url)
    if address:
        predicate = REFERS_TO if address.startswith(f"{EntityType.ISSUE}:") else LINKS_TO
        yield Link(predicate, address, words or url)
        return
    try:
        path = "" if urlsplit(url).scheme else unquote(re.split(r"[?#]", url, maxsplit=1)[0])
    except ValueError:
        return
    if path:
        target = normpath(join(dirname(document.path), path)) if not path.startswith("/") else path.lstrip("/")
        if not target.startswith(".."):
            yield Link(LINKS_TO, plain_key(EntityType.FILE, target), words or path)


def masked_links(links: tuple[Link, ...], text: Callable[[str], str], name: Callable[[str], str]) -> tuple[Link, ...]:
    """What a connector states, without secrets. text: masks words. name: masks a name, a path or an address, also what
    is spelled with `%`."""

    def plain(of: str) -> str:
        kind, said = split_key(of)
        return raw_key(kind, name(said))

    return tuple(
        replace(each, predicate=text(each.predicate), key=plain(each.key), words=text(each.words), name=text(each.name))
        for each in links
    )


def masked_mentions(found: Mentions, text: Callable[[str], str], name: Callable[[str], str]) -> Mentions:
    """What a parser found, without secrets. text, name: see masked_links."""
    pages = (
        replace(page, title=text(page.title), page_id=name(page.page_id), space=name(page.space))
        for page in found.pages
    )
    return replace(
        found,
        pages=tuple(pages),
        issues=tuple(map(name, found.issues)),
        urls=tuple(map(name, found.urls)),
        anchors=tuple(map(text, found.anchors)),
        attachments=tuple(map(name, found.attachments)),
        people=tuple(map(name, found.people)),
        called=tuple(map(text, found.called)),
        replaces=tuple(map(name, found.replaces)),
        replaced_by=tuple(map(name, found.replaced_by)),
        roles=tuple(map(text, found.roles)),
        terms=tuple(map(text, found.terms)),
    )
