"""Which of a question's filters hold: those that name something the asker may see. The others are words."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from functools import cache
from re import escape

from agent.questions.filters import possible_names, take_filters
from agent.questions.patterns import content_words, talk
from agent.questions.standalone import standalone
from agent.wording import SUGGESTION, filters_unmet, names_unknown, spelled_so
from domain.answers import Question
from domain.errors import KbError
from domain.masking import without_masks
from domain.patterns import LinearRegex
from domain.search import Filters
from domain.search_ports import KnowledgeSearch
from domain.text.languages import language_of
from domain.translation import TRANSLATED, catalogue

_WORDS = LinearRegex(r"[^\W\d_]{3,40}", before=r"^|[^\w./@-]", after=r"[^\w/@.-]|\.?\Z|\.\s")
"""Words of letters alone that are part of no identifier, path or address."""

_NAMES = LinearRegex(r"[^\W_]{4,40}", before=r"^|[\s(\"'“„‘‚«]", after=r"[\s)\"'”“’‘»,;!?]|[.:]?\Z|[.:]\s")
"""The same, of letters and digits, that stand alone: no part of a filter, address, path or assignment."""

_QUESTION_WORDS = {
    "wat": "what",
    "waht": "what",
    "whta": "what",
    "wich": "which",
    "whcih": "which",
    "whihc": "which",
    "wehn": "when",
    "whne": "when",
    "wher": "where",
    "whre": "where",
    "wehre": "where",
}
"""Misspelled question words in front, and what is meant."""
_FIRST_WORD = LinearRegex(r"\A\W*[a-z]{3,5}", after=r"\s", ignore_case=True)


@dataclass(frozen=True, slots=True)
class NarrowedQuestion:
    """A question as it is to be understood: without its filters, and without what stands in the place of secrets."""

    question: Question
    whole: str
    """The question so that it stands alone, with its filters in it."""
    filters: Filters = field(default_factory=Filters)
    """Filters that hold: something that the asker may see bears each name."""
    unmet: str = ""
    """Sentences on the filters that do not hold and on words that were taken for misspelled ones."""


def merged_filters(own: Filters, found: Filters) -> Filters:
    """The filters of a search: the asker's own, and in each field that those leave empty, what the text names.

    `Question.filters` count as the asker's own; the terminal alone sets any (`narrowed_question` of its platform). If a
    channel did, `no_document_has` and `filters_unmet`, which says that everything was searched, would need other words.
    """
    names = {field: given or found.names[field] for field, given in own.names.items()}
    return Filters.naming(names, own.since or found.since, own.until or found.until)


async def narrowed(question: Question, search: KnowledgeSearch, common_words: Container[str] = ()) -> NarrowedQuestion:
    """Looks up what the question names, and corrects words that nothing visible holds, but for common words, which are
    spelled right. Raises as `search` does."""
    clean = _each_text(question, lambda text: suggestion_in_english(with_question_word(without_masks(text))))
    clean, corrected = await _correct_spelling(clean, search, common_words)
    alone = standalone(clean.text, clean.history)
    whole = f"{alone.follows} – {alone.text}" if alone.follows else alone.text
    names = possible_names(whole)
    known = await search.existing_names(names, question.scope) if names else Filters()
    today = _start_of(question.asked_on)
    found = take_filters(whole, known, today)
    if found.filters and not await search.count_documents(
        question.scope, merged_filters(question.filters, found.filters)
    ):
        return NarrowedQuestion(clean, whole, unmet=f"{corrected} {filters_unmet(found.filters)}".strip())
    without = _each_text(clean, lambda text: take_filters(text, known, today).text)
    unmet = f"{corrected} {names_unknown(found.unknown, found.words)}".strip()
    return NarrowedQuestion(without, whole, found.filters, unmet)


def _start_of(day: date | None) -> datetime:
    """When a day begins; now for none."""
    return datetime.combine(day, time(), UTC) if day else datetime.now(UTC)


async def _correct_spelling(
    question: Question, search: KnowledgeSearch, common_words: Container[str]
) -> tuple[Question, str]:
    """The question with words spelled as the index has them, and a sentence on it. Short words are only looked at where
    a longer one is misspelled, too: many of them are names and units of which no document speaks."""
    if talk(question.text) != "question":
        return question, ""
    about = {word.casefold() for word in content_words(question.text)}
    words = [word for word in dict.fromkeys(_WORDS.findall(question.text)) if word.casefold() in about]
    words = [word for word in words if word.casefold() not in common_words]
    taken = {*_words_of_filters(question.text)}
    names = [word for word in _NAMES.findall(question.text) if word.casefold() not in taken]
    names = [word for word in names if word.casefold() not in common_words]
    english = language_of(question.text) == "en"
    joined: Mapping[str, str] = {}
    try:
        joined = await search.hyphenated(names, question.scope) if names else {}
        left = [word for word in words if word not in joined]
        known = dict(await search.spelled(left, question.scope, strictly=not english)) if left else {}
        if known and english:
            left = [word for word in left if word not in known and word.islower()]
            known |= await search.spelled(left, question.scope, loosely=True)
    except KbError:  # the search that follows reports the failure
        return question, ""
    text = _WORDS.sub(lambda match: known.get(match[0], match[0]), question.text)
    text = _NAMES.sub(lambda match: joined.get(match[0], match[0]), text)
    if not (joined or known):
        return question, ""
    return replace(question, text=text, typed=question.text), spelled_so({**joined, **known})


def _words_of_filters(text: str) -> list[str]:
    """The words of all names in a question that may narrow the search, folded."""
    return [word for names in possible_names(text).names.values() for name in names for word in name.casefold().split()]


def _each_text(question: Question, change: Callable[[str], str]) -> Question:
    """The question with each text that an asker wrote changed."""
    history = tuple(replace(turn, question=change(turn.question)) for turn in question.history)
    return replace(question, text=change(question.text), typed=change(question.typed), history=history)


def with_question_word(text: str) -> str:
    """A question whose first word is a misspelled question word (`wich runbooks …`) with that word corrected."""
    first = _FIRST_WORD.match(text)
    word = first[0].lstrip(" \"'“„‚‘«(¿") if first else ""
    meant = _QUESTION_WORDS.get(word.casefold())
    return text.replace(word, meant, 1) if meant else text


def suggestion_in_english(text: str) -> str:
    """A question that was suggested in another language, in English; any other as it is."""
    for pattern in _suggestions():
        if match := pattern.fullmatch(text.strip()):
            return SUGGESTION.format(**match.named())
    return text


@cache
def _suggestions() -> tuple[LinearRegex, ...]:
    templates = (escape(catalogue(language)[SUGGESTION]) for language in TRANSLATED)
    return tuple(
        LinearRegex(each.replace(r"\{section\}", "(?P<section>.{1,300})").replace(r"\{title\}", "(?P<title>.{1,300})"))
        for each in templates
    )
