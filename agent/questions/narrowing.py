"""Which of a question's filters hold: those that name something the asker may see. The others are words."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from agent.questions.filters import possible_names, take_filters
from agent.questions.standalone import standalone
from agent.wording import filters_unmet, names_unknown
from domain.answers import Question
from domain.masking import without_masks
from domain.search import Filters
from domain.search_ports import KnowledgeSearch


@dataclass(frozen=True, slots=True)
class NarrowedQuestion:
    """A question as it is to be understood: without its filters, and without what stands in the place of secrets."""

    question: Question
    whole: str
    """The question so that it stands alone, with its filters in it."""
    filters: Filters = field(default_factory=Filters)
    """Filters that hold: something that the asker may see bears each name."""
    unmet: str = ""
    """A sentence on the filters that do not hold."""


def merged_filters(own: Filters, found: Filters) -> Filters:
    """What narrows the search: the asker's own filters, and where those leave something open, the text's."""
    names = {field: given or found.names[field] for field, given in own.names.items()}
    return Filters.naming(names, own.since or found.since, own.until or found.until)


async def narrowed(question: Question, search: KnowledgeSearch) -> NarrowedQuestion:
    """Looks up what the question names. Raises as `search` does."""
    clean = _each_text(question, without_masks)
    whole = standalone(clean.text, clean.history)
    names = possible_names(whole)
    known = await search.existing_names(names, question.scope) if names else Filters()
    found = take_filters(whole, known)
    if found.filters and not await search.count_documents(
        question.scope, merged_filters(question.filters, found.filters)
    ):
        return NarrowedQuestion(clean, whole, unmet=filters_unmet(found.filters))
    without = _each_text(clean, lambda text: take_filters(text, known).text)
    return NarrowedQuestion(without, whole, found.filters, names_unknown(found.unknown, found.words))


def _each_text(question: Question, change: Callable[[str], str]) -> Question:
    """The question with each text that an asker wrote changed."""
    history = tuple(replace(turn, question=change(turn.question)) for turn in question.history)
    return replace(question, text=change(question.text), history=history)
