"""What a model reads of a tool's result. Pure: masked values in, texts out.

A passage that holds text addressed to machines is left out, as no model reads such a text anywhere in the product.
"""

from typing import TypeVar

from bot.web.models import CitedSource, NearestBody, OutcomeBody, Problem, Reply
from bot.web.reading_models import DocumentBody, HitBody, RelatedDocuments, SearchResults

LEFT_OUT = "(left out: it holds text that is addressed to machines)"

H = TypeVar("H", bound=HitBody)


def reply_words(reply: Reply) -> str:
    """The outcome of a question. What is no answer says so first."""
    outcome = reply.outcome
    again = f"Question {reply.number}. To ask on, send conversation {reply.conversation}."
    if outcome.result == "answered":
        sources = "\n".join(map(_source, outcome.sources))
        return _joined(outcome.text, outcome.notice, f"Sources:\n{sources}" if sources else "", again)
    return _joined(f"There is no answer ({outcome.result}).", outcome.text, *_instead(outcome), again)


def is_error(reply: Reply) -> bool:
    """Whether something went wrong: that nothing was found, or that a question is declined, is no error."""
    return reply.outcome.result not in {"answered", "not_found", "declined"}


def search_words(found: SearchResults) -> str:
    """What was found, best first."""
    hits = [_hit(place, each) for place, each in enumerate(found.results, start=1)]
    return _joined(found.notice, *(hits or ["Nothing was found."]))


def document_words(document: DocumentBody) -> str:
    """A part of a document, and where it goes on."""
    parts = [_joined(each.section, each.text) for each in document.parts]
    more = f"There is more: read on with first={document.next}." if document.next is not None else ""
    return _joined(_headline(document.title, document.url, document.path, document.document_id), *parts, more)


def related_words(related: RelatedDocuments) -> str:
    """The documents around one, nearest first."""
    found = [
        _joined(each.way and f"By: {each.way}", _hit(place, each)) for place, each in enumerate(related.related, 1)
    ]
    return _joined(*(found or ["Nothing that you may read hangs together with it."]))


def problem_words(problem: Problem) -> str:
    """What went wrong."""
    return " ".join(filter(None, (f"{problem.title}.", problem.detail, *problem.errors)))


def search_for_models(found: SearchResults) -> SearchResults:
    """What was found, without texts to machines."""
    return found.model_copy(update={"results": tuple(map(_without, found.results))})


def related_for_models(related: RelatedDocuments) -> RelatedDocuments:
    """The same of related documents."""
    return related.model_copy(update={"related": tuple(map(_without, related.related))})


def document_for_models(document: DocumentBody) -> DocumentBody:
    """The same of a document: its title stands in the first part."""
    parts = tuple(
        each.model_copy(update={"section": "", "text": LEFT_OUT}) if each.suspicious else each
        for each in document.parts
    )
    title = LEFT_OUT if any(each.suspicious for each in document.parts) else document.title
    return document.model_copy(update={"parts": parts, "title": title})


def _without(hit: H) -> H:
    return hit.model_copy(update={"title": LEFT_OUT, "section": "", "text": LEFT_OUT}) if hit.suspicious else hit


def _instead(outcome: OutcomeBody) -> list[str]:
    near = [_near(each) for each in outcome.nearest]
    return [outcome.advice, "\n".join(["Documents that come near:", *near]) if near else "", outcome.notice]


def _near(near: NearestBody) -> str:
    where = _headline(near.title, near.url, near.path, near.document_id)
    return "\n  ".join([f"- {where}", *(quote.words for quote in near.quotes)])


def _source(source: CitedSource) -> str:
    where = _headline(source.title, source.url, source.path, source.document_id, source.section, source.place)
    return f"[{source.n}] {where}\n    {source.quote}" if source.quote else f"[{source.n}] {where}"


def _hit(place: int, hit: HitBody) -> str:
    head = _headline(hit.title, hit.url, hit.path, hit.document_id, hit.section, hit.place)
    return f"{place}. {head}\n{hit.text}"


def _headline(title: str, url: str, path: str, document_id: str, *more: str) -> str:
    named = f"document_id {document_id}" if document_id else ""
    return ", ".join(filter(None, (title, *more, url or path, named)))


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))
