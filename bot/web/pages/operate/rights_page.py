"""What somebody may see of a document, and why. Pure."""

from collections.abc import Sequence

from bot.markup.plain_text import counted
from bot.web.operating_models import ClauseCard, DocumentChoice, RightsCard
from bot.web.pages.layout import Viewer, form
from bot.web.pages.markup import Child, Html, element, joined
from bot.web.pages.operate.frame import facts, field, moment, operator_page, table

MAX_PRINCIPALS = 12
"""Of a clause, that are named."""


def rights_page(
    viewer: Viewer,
    document: str = "",
    person: str = "",
    *,
    choices: Sequence[DocumentChoice] = (),
    rights: RightsCard | None = None,
) -> str:
    """Where it is asked, and what the answer is. choices: documents that the name fits, where it is several."""
    asked = bool(document)
    nothing = element("p", "There is no document of that name that you may read yourself.", role="status")
    return operator_page(
        "Rights",
        "/operate/rights",
        viewer,
        form(
            "/operate/rights",
            viewer,
            field("Document", "document", document, hint="Its title, path, URL or id."),
            field("Person", "person", person, hint="The e-mail address. Nobody is told."),
            element("button", "Explain"),
            class_="asking",
        ),
        _answer(rights) if rights else _choices(viewer, person, choices) if choices else nothing if asked else None,
    )


def _choices(viewer: Viewer, person: str, choices: Sequence[DocumentChoice]) -> Html:
    rows = (
        element(
            "li",
            element("button", each.title or each.path, name="document", value=each.document_id, class_="quiet"),
            element("span", f" {each.source}: {each.path}", class_="hint", dir="auto"),
        )
        for each in choices
    )
    hidden = element("input", type="hidden", name="person", value=person)
    return form("/operate/rights", viewer, element("h2", "Which one?"), hidden, element("ul", *rows, class_="choices"))


def _answer(rights: RightsCard) -> Html:
    name = rights.document.title or rights.document.path
    verdict = "may read" if rights.may_see else "may not read"
    return element(
        "section",
        element("h2", element("bdi", rights.person), f" {verdict} ", element("bdi", name)),
        element("p", _because(rights), role="status"),
        facts(
            (
                ("Document", f"{rights.document.source}: {rights.document.path}"),
                ("Its rights were read", moment(rights.acl_at)),
                (f"In {rights.document.source} this person is", ", ".join(rights.known_as) or "nobody known"),
                ("Parts with rights of their own", _parts(rights)),
            )
        ),
        element("h3", "All of these must be met"),
        table(
            "Clauses of the document's rights",
            ("State", "One of these", "Met by", "Where it comes from"),
            map(_clause, rights.clauses),
        ),
    )


def _because(rights: RightsCard) -> str:
    missing = sum(not each.met_by for each in rights.clauses)
    if not rights.shown:
        return "The document is not in the index that answers now, or it is hidden."
    if not missing:
        return "Every clause is met."
    member = "" if rights.member else " The address does not count as the organisation's (KB_AGENT_EMAIL_DOMAINS)."
    return f"{counted(missing, 'clause')} of {len(rights.clauses)} not met.{member}"


def _parts(rights: RightsCard) -> str | None:
    return f"{rights.parts_met} of {rights.parts} may be read" if rights.parts else None


def _clause(clause: ClauseCard) -> Sequence[Child]:
    return (
        element("span", "met" if clause.met_by else "not met", class_="met" if clause.met_by else "warning"),
        _names(clause.principals) or "nobody",
        _names(clause.met_by) or "—",
        clause.origin,
    )


def _names(principals: Sequence[str]) -> Html:
    shown = [
        joined(", " if place else None, element("code", each)) for place, each in enumerate(principals[:MAX_PRINCIPALS])
    ]
    more = len(principals) - MAX_PRINCIPALS
    return joined(*shown, f" and {more} more" if more > 0 else None)
