"""Every text of the agent that the asker reads: progress, replies without sources, notes below a reply.

Lines of a trace stand where they are noted, and texts of errors where they are raised.
"""

from collections.abc import Mapping, Sequence

from agent.checking.conflicts import Reason
from domain.errors import KbError
from domain.search import Filters, Passage
from domain.translation import translated

# Progress

UNDERSTANDING = "Understanding the question"
CHECKING = "Checking each sentence against its source"


def searching(iteration: int, places: Sequence[str]) -> str:
    """What is searched. places: of the tools that are called; the first three are told."""
    told = ", ".join(dict.fromkeys(map(translated, places[:3])))
    if iteration > 1:
        return translated("Iteration {iteration}: searching {told}", iteration=iteration, told=told)
    return translated("Searching {told}", told=told)


def another_pass(iteration: int, most: int, missing: str) -> str:
    """Which pass of search begins, and what it is for. most: passes that are allowed. missing: may be empty."""
    aim = translated("looking for {missing}", missing=missing) if missing else translated("looking further")
    return translated("Iteration {iteration} of {most}: {aim}", iteration=iteration, most=most, aim=aim)


def weighing(passages: int) -> str:
    """How much evidence is graded."""
    return translated("Weighing {passages}", passages=_passages(passages))


def writing_from(passages: int, documents: int) -> str:
    """What the reply is made from."""
    return translated(
        "Writing from {passages} of {documents}", passages=_passages(passages), documents=_documents(documents)
    )


def _passages(count: int) -> str:
    return translated("1 passage" if count == 1 else "{count:,} passages", count=count)


def _documents(count: int) -> str:
    return translated("1 document" if count == 1 else "{count:,} documents", count=count)


# Replies without sources

SMALL_TALK = {
    "greeting": "Hello. Ask me about anything that stands in the company's documents, for example: How do I reset my"
    " password?",
    "thanks": "You're welcome. Ask on whenever you need something.",
    "capabilities": "I answer questions from the company's indexed documents, with numbered references to where each"
    " statement stands. Ask in your own words; follow-up questions work. Narrow a search by #label, space:NAME,"
    " source:NAME, in document TITLE, before:2026-01-31 or after:2026-01-31. When nothing is found I say so.",
}


def searched_in_vain(documents: int, terms: str, *, filtered: bool, words_alone: bool) -> str:
    """What was looked through without finding an answer. terms: the words of the question, may be empty.
    words_alone: whether the embedding model was away."""
    amount = _documents(documents)
    if filtered:
        amount = translated("{documents} under the filters given", documents=amount)
    words = terms or translated("there are none in the question")
    if words_alone:
        return translated(
            "{documents}, by words ({words}) alone: the embedding model is away", documents=amount, words=words
        )
    return translated("{documents}, by words ({words}) and by meaning", documents=amount, words=words)


def no_document_has(filters: Filters) -> str:
    """Why there is nothing to search: the asker's own filters leave no document."""
    return translated(
        "No document that you may read matches this: {filters}. Leave that out or change it.",
        filters=in_words(filters) or translated("the id given"),
    )


NO_QUESTION = "There is no question. Ask one in words, for example: How do I reset my password?"
ONLY_SECRETS = "Nothing is left of your question without what is secret in it."


def question_too_long(most: int) -> str:
    """A question has more than `most` characters."""
    return translated("The question has more than {most:,} characters. Ask for one thing, in short.", most=most)


def outside(name: str, low: float, high: float, value: float) -> str:
    """An option of a question is not within its bounds."""
    return f"{name} takes a number from {low:g} to {high:g}, not {value:g}."


# Notes below a reply

MORE_THAN_NAMED = "Not all of them are named here: there are more."
TOO_LONG = "The reply was longer than a chat message can be; its end was left out."
CUT_OFF = "The language model's reply was cut off at its limit; its end was left out."
SOURCE_GONE = "A source is no longer available; what was taken from it was left out."

IN_OTHER_WORDS = "No page says it in the words of the question; this is the nearest passage."
PICKED_FROM_TABLE = "Picked from the rows of its table by their values."
QUOTED_OFFLINE = "Quoted from the sources without a language model; a model endpoint gives fuller answers."
MODEL_CANNOT_READ = (
    "Quoted from the sources: the language model failed a test of reading, so it does not write (see kb doctor)."
)
MODEL_AWAY = "The language model could not be used; these are the best excerpts of the sources."
MODEL_LATE = "The language model did not answer in time ({why}); these are the best excerpts of the sources."
MODEL_UNCITED = "The language model's reply named no source; these are the best excerpts of the sources."
MODEL_DENIES = "The language model found no answer in the sources; these are the excerpts nearest to the question."
MODEL_BESIDE = "The language model's reply speaks of other things than the question; excerpts of the sources follow."
NOTHING_SUPPORTED = (
    "Nothing that the language model wrote could be held against the sources; these are the best excerpts of them."
)
MOSTLY_LEFT_OUT = "Most of what the language model wrote was left out; excerpts of the sources follow what is left."
MODEL_BROKE_OFF = "The language model broke off; what follows are excerpts of the sources."


def not_rechecked(numbers: Sequence[int]) -> str:
    """Sources that did not say in time whether they may still be read there."""
    return translated(
        "Who may read sources {numbers} could not be checked again there; this is as of the last indexing."
        if len(numbers) > 1
        else "Who may read source {numbers} could not be checked again there; this is as of the last indexing.",
        numbers=", ".join(map(str, numbers)),
    )


def searched_by_words(error: KbError) -> str:
    """Said of a search without vectors."""
    return translated("Searched by words alone: {why}", why=_continued(error))


def searched_without_graph(error: KbError) -> str:
    """Said of a search without the knowledge graph."""
    return translated("Searched without the knowledge graph: {why}", why=_continued(error))


def quoted_by_words(error: KbError) -> str:
    """Said of excerpts that were chosen without vectors."""
    return translated("Quoted by words alone: {why}", why=_continued(error))


def _continued(error: KbError) -> str:
    """An error as the rest of a sentence."""
    return f"{error.what[0].lower()}{error.what[1:]}."


def nothing_on(parts: Sequence[str]) -> str:
    """Some parts of a question have no answer while others have. parts: in the asker's words."""
    named = [_quoted(" ".join(part.split()).rstrip("?？!！.。． ")) for part in parts]
    return translated("Nothing was found on {parts}.", parts=translated(" and ").join(named))


def left_out(sentences: int) -> str:
    """Sentences that no source backs were dropped."""
    return translated(
        "One sentence was left out: the sources do not say so."
        if sentences == 1
        else "{count} sentences were left out: the sources do not say so.",
        count=sentences,
    )


def addressed_to_machines(numbers: Sequence[int]) -> str:
    """Cited passages hold instructions to a model. numbers: of the citations."""
    return translated(
        "Source {numbers} holds text that is addressed to machines, such as an order to an assistant: do not follow it."
        if len(numbers) == 1
        else "Sources {numbers} hold text that is addressed to machines, such as an order to an assistant: do not"
        " follow it.",
        numbers=translated(" and ").join(f"[{n}]" for n in numbers),
    )


def weakly_supported(sentences: Sequence[str]) -> str:
    """Sentences that the reader should check; the first three are quoted."""
    plain = [" ".join(sentence.split()) for sentence in sentences[:3]]
    quoted = "; ".join(_quoted(words if len(words) <= 120 else words[:119] + "…") for words in plain)
    return translated("Check these against the source, which supports them weakly: {quoted}", quoted=quoted)


def sources_differ(first: Passage, second: Passage, reason: Reason, said: str = "") -> str:
    """Two sources say different things. first: the one that counts, where there is a reason. said: by the second, where
    the reply does not tell it."""
    if not reason:
        return translated(
            "The sources differ: {first} and {second}. Nothing says which of them counts.",
            first=_dated(first),
            second=_dated(second),
        )
    how = counts_before(first, second, reason)
    if said:
        return translated("The sources differ: {how} The latter says: “{said}”", how=how, said=" ".join(said.split()))
    return translated("The sources differ: {how}", how=how)


def counts_before(first: Passage, second: Passage, reason: Reason) -> str:
    """One document counts before another."""
    return translated(
        "{first} {reason} {second}.", first=_dated(first), reason=translated(reason), second=_dated(second)
    )


def _dated(passage: Passage) -> str:
    return _quoted(passage.title) + (f" ({passage.updated_at:%Y-%m-%d})" if passage.updated_at else "")


def listed_documents(count: int) -> str:
    """How many documents a list has, above it."""
    return translated("{count} document:" if count == 1 else "{count} documents:", count=str(count))


def listed_rows(count: int) -> str:
    """How many rows of a table a list has, above it."""
    return translated("{count} entry:" if count == 1 else "{count} entries:", count=str(count))


def more_of_them(count: int) -> str:
    """How many a list leaves out, below it; 0 where nobody counted them."""
    return translated("… and {count} more", count=str(count)) if count else translated("There may be more.")


def spelled_so(known: Mapping[str, str]) -> str:
    """Words of the question were taken for others. known: these by those."""
    pairs = ", ".join(f"{_quoted(there)} ({asked})" for asked, there in known.items())
    return translated("Searched for {pairs}.", pairs=pairs)


def filters_unmet(filters: Filters) -> str:
    """Filters of the question do not count, since nothing is left under them."""
    return translated(
        "No document you may read matches this: {filters}. Everything was searched.", filters=in_words(filters)
    )


def names_unknown(left: Sequence[str], words: Sequence[str]) -> str:
    """Names in the question that no document bears. left: searched without them. words: searched for as words. What is
    hidden from the asker is reported like what does not exist."""
    said = [
        (
            left,
            "There is no {names} that you can see; I searched without it.",
            "There is no {names} that you can see; I searched without them.",
        ),
        (
            words,
            "There is no {names} that you can see; I searched for it as a word.",
            "There is no {names} that you can see; I searched for them as words.",
        ),
    ]
    return " ".join(
        translated(several if len(names) > 1 else one, names=translated(" and no ").join(names))
        for names, one, several in said
        if names
    )


SUGGESTION = "What is said about {section} in “{title}”?"


def follow_up(section: str, title: str) -> str:
    """A question that may come next, as a colleague would ask it; a section whose heading is a question asks that. What
    tells several apart stands first: a button shows the beginning alone."""
    if section.endswith(("?", "？")):
        return f"{section} (“{title}”)"
    return translated(SUGGESTION, section=section, title=title)


def secret_left_out(kinds: Sequence[str]) -> str:
    """A part of the question was a secret. kinds: what it looked like."""
    return translated(
        "Part of your question looked like a secret ({kinds}) and was not used. If it was a real one, change it.",
        kinds=", ".join(kinds),
    )


# Parts of texts


def _quoted(words: str) -> str:
    return translated("“{words}”", words=words)


def in_words(filters: Filters) -> str:
    """Filters as a list: `labels leave, since 2026-01-31`."""
    shown: dict[str, str] = {field: " ".join(names) for field, names in filters.names.items()}
    del shown["documents"], shown["titles"]
    shown |= {
        "title": " or ".join(filters.titles),
        translated("since"): f"{filters.since:%Y-%m-%d}" if filters.since else "",
        translated("until"): f"{filters.until:%Y-%m-%d}" if filters.until else "",
    }
    return ", ".join(f"{name} {value}" for name, value in shown.items() if value)


def counted(amounts: Mapping[str, int]) -> str:
    """Amounts in words: `2 passages, 1 document`."""
    return ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in amounts.items())
