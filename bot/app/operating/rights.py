"""What somebody may see of a document, and why, in the words of the page."""

from bot.app.product import Product
from bot.app.scopes import scope_of
from bot.markup.plain_text import counted
from bot.web.operating_models import ClauseCard, DocumentChoice, RightsCard
from domain.access import ORG, Clause, Scope, email_of, site
from domain.access_explained import ExplainedAccess
from domain.errors import Refused, Transient
from domain.search import Filters
from storage.permissions.access_explainer import PostgresAccessExplainer

CHOICES = 10
"""Documents that are offered where a name fits several."""

_WORDS = {"public": "everybody", "org": "every member of the organisation"}


async def documents(product: Product, name: str, scope: Scope) -> list[DocumentChoice]:
    """Documents within a scope that a name fits, best first; one alone where it is the very name of one."""
    found = await product.storage.document_catalog().find(name, scope, filters=Filters(), limit=CHOICES)
    very = [each for each in found if each.score >= 1]
    rows = very if len(very) == 1 else found
    return list(map(DocumentChoice.of, rows))


async def rights(product: Product, document: DocumentChoice, person: str) -> RightsCard:
    """What somebody with an address may see of it. Raises Refused where it is no address."""
    address = email_of(person)
    if address is None:
        raise Refused("That is not an e-mail address", next_step="Type all of it, with the domain.")
    scope = scope_of(address, product.settings.access.email_domains)
    found = await PostgresAccessExplainer(product.storage.owner).explain(document.document_id, scope)
    if found is None:
        raise Transient("The document is gone by now", next_step="Look for it again.")
    return RightsCard.of(
        found,
        document=document,
        person=address,
        member=ORG in scope.asker,
        known_as=_named(found.known_as),
        clauses=tuple(
            ClauseCard(
                principals=_named(each.principals),
                met_by=_named(each.met_by),
                origin=origin(each.principals, each.alike, found),
            )
            for each in found.clauses
        ),
    )


def _named(principals: Clause) -> tuple[str, ...]:
    return tuple(_WORDS.get(str(each), str(each)) for each in sorted(principals))


def origin(clause: Clause, alike: int, found: ExplainedAccess) -> str:
    """Where a clause comes from, as far as the index tells: it keeps clauses, and how many documents have each."""
    if clause == {site(found.source)}:
        until = f"{found.permissions_until:%Y-%m-%d %H:%M} UTC" if found.permissions_until else "they are read"
        return f"What {found.source} says of rights holds until {until}: nobody reads what it said longer ago"
    if found.permissions_until is None and found.acl_at is None:
        return f"The audience that an operator gave the source {found.source}"
    if not clause:
        return f"Its rights could not be read at {found.source}, or it admits nobody there"
    where = f"the space {found.space}" if found.space else f"the source {found.source}"
    if alike >= found.documents:
        return f"All of {where} has it ({counted(found.documents, 'document')}): who may see that place"
    if alike <= 1:
        return f"This document alone of {where} has it: a restriction of its own"
    return f"{alike} of {counted(found.documents, 'document')} of {where} have it: a restriction that they share"
