"""Which of a question's filters hold: those that name something the asker may see. The others are words."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from agent.filters import Asked, asked, names_in
from agent.standalone import standalone
from domain.answers import Question
from domain.masking import without_masks
from domain.ports import KnowledgeSearch
from domain.search import Filters


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A question as it is to be understood: without its filters, and without what stands in the place of secrets.

    whole: it stands alone, with its filters. filters: those that hold. unmet: a sentence on the others.
    """

    question: Question
    whole: str
    filters: Filters = field(default_factory=Filters)
    unmet: str = ""


def joined(own: Filters, found: Filters) -> Filters:
    """What narrows the search: the asker's own filters, and where those leave something open, the text's."""
    return Filters(
        sources=own.sources or found.sources,
        labels=own.labels or found.labels,
        spaces=own.spaces or found.spaces,
        documents=own.documents or found.documents,
        titles=own.titles or found.titles,
        since=own.since or found.since,
        until=own.until or found.until,
    )


async def narrowed(question: Question, search: KnowledgeSearch) -> Narrowed:
    """Looks up what the question names. Raises as `search` does."""
    clean = _each_text(question, without_masks)
    whole = standalone(clean.text, clean.history)
    names = names_in(whole)
    known = await search.borne(names, question.scope) if names else Filters()
    found = asked(whole, known)
    if found.filters and not await search.documents(question.scope, joined(question.filters, found.filters)):
        said = f"No document you may read has {in_words(found.filters)}: everything was searched."
        return Narrowed(clean, whole, unmet=said)
    without = _each_text(clean, lambda text: asked(text, known).text)
    return Narrowed(without, whole, found.filters, _unknown(found))


def _each_text(question: Question, change: Callable[[str], str]) -> Question:
    """The question with each text that an asker wrote changed."""
    history = tuple(replace(turn, question=change(turn.question)) for turn in question.history)
    return replace(question, text=change(question.text), history=history)


def _unknown(found: Asked) -> str:
    """Names that match nothing the asker may see: what is hidden from them is reported like what does not exist."""
    said = [(found.unknown, "without it", "without them"), (found.words, "for it as a word", "for them as words")]
    return " ".join(
        f"There is no {' and no '.join(names)} that you can see; I searched {several if len(names) > 1 else one}."
        for names, one, several in said
        if names
    )


def in_words(filters: Filters) -> str:
    """Filters as a list: `labels leave, since 2026-01-31`."""
    shown = {
        "sources": " ".join(filters.sources),
        "labels": " ".join(filters.labels),
        "spaces": " ".join(filters.spaces),
        "title": " or ".join(filters.titles),
        "since": f"{filters.since:%Y-%m-%d}" if filters.since else "",
        "until": f"{filters.until:%Y-%m-%d}" if filters.until else "",
    }
    return ", ".join(f"{name} {value}" for name, value in shown.items() if value)
