"""How a page hangs together with others and with people, as Confluence states it."""

from domain.knowledge_graph import EntityType, Link, key
from domain.text.page_addresses import numbered
from domain.text_references import account_key
from indexer.sources.confluence.records import ConfluenceApi, PageBody

CHILD_OF = "child of"
ATTACHED_TO = "attached to"


async def page_links(wiki: ConfluenceApi, body: PageBody, url: str, parent: str) -> tuple[Link, ...]:
    """The links of a page. url: its own address. parent: id of the page that it lies below, empty for none."""
    person = wiki.person(body.author)
    if not person:
        return _to(CHILD_OF, url, parent)
    name = (await wiki.names.of([person])).get(person, "")
    return (*_to(CHILD_OF, url, parent), Link("written by", account_key(person), name, name=name))


def file_links(page_url: str, page: str) -> tuple[Link, ...]:
    """The links of a file. page_url: the address of anything of this Confluence. page: id of the page that it is on."""
    return _to(ATTACHED_TO, page_url, page)


def _to(predicate: str, url: str, page: str) -> tuple[Link, ...]:
    address = numbered(url, page)
    return (Link(predicate, key(EntityType.PAGE, address)),) if address else ()
