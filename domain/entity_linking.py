"""What a question may name: runs of its words, under the keys of domain.knowledge_graph. Pure.

Every run of up to eight words is looked up. Which of those that are known count depends on how telling they are: a
lone word in lower case may be a title somewhere, and means nothing of the kind.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz, process

from domain.knowledge_graph import (
    EntityType,
    issue_key,
    key,
    name_key,
    page_key,
    person_key,
    plain_key,
    with_blanks_for_controls,
)
from domain.text.tokens import ENGLISH_STOP_WORDS

CLOSE = 0.7
"""How alike, 0 to 1, a name must be to one that is known, by its letters or by its vector."""

MAX_MEANINGS = 3
"""Things that one span may mean."""

MAX_NAME_WORDS = 8
"""Words of a name."""

MAX_TEXT_WORDS = 120
"""Words of a text that are looked at."""

LinkMethod = Literal["exact", "alias", "fuzzy", "semantic"]

_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}]{1,1000}")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_ISSUE = re.compile(r"(?<![\w-])[A-Za-z][A-Za-z0-9_]{1,30}-\d{1,12}(?![\w-])")
_FILE = re.compile(r"(?<![\w/@.])[\w./-]{1,200}\.[A-Za-z]\w{1,5}\b")
_QUOTED = re.compile(r"[\"“”„]([^\"“”„]{2,120})[\"“”]|`([^`]{2,120})`")
_WORD = re.compile(r"[\w+#&]+(?:[.'’/-][\w+#&]+)*")
_INNER = re.compile(r"\d|[a-z][A-Z]|[A-Z]{2}")
_SMALL = frozenset("of the for de la von van der &".split())  # noqa: SIM905 - a list of words reads best as one
_CLOSES = frozenset(".?!")


@dataclass(frozen=True, slots=True)
class MentionSpan:
    """A part of a text that may name something."""

    text: str
    """The words as they stand in the text."""
    start: int
    """Position of its first character in the text, from 0."""
    end: int
    """Position behind its last character."""
    keys: tuple[str, ...]
    """Keys of the knowledge graph under which the thing may be known."""
    telling: bool = True
    """Whether it may be taken for a name at all: an id, in quotes, of several words that mean something, or a
    capitalised one that opens no sentence or is all that is asked."""


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """A thing of the graph that a key leads to."""

    entity: int
    """Number of the entity in the database."""
    kind: EntityType
    documents: int = 0
    """How many documents that the asker may read speak of it, counted until they are too many; 0: few enough."""
    by: LinkMethod = "exact"
    """How the key leads to it."""
    score: float = 1.0
    """How sure that is, 0 to 1."""


@dataclass(frozen=True, slots=True)
class LinkedEntity:
    """A thing that a span of the text means."""

    span: MentionSpan
    known: KnownEntity


def mention_spans(text: str) -> list[MentionSpan]:
    """All that may name something, each once: ids first, then quotations, then words."""
    found = [*_ids_and_quotations(text), *_runs(text)]
    once: dict[tuple[int, int, tuple[str, ...]], MentionSpan] = {}
    for each in found:
        once.setdefault((each.start, each.end, each.keys), each)
    return list(once.values())


def whole_span(name: str) -> MentionSpan:
    """A text that is a name as a whole, or a key."""
    plain = " ".join(with_blanks_for_controls(name).split())
    kinds = (
        EntityType.FILE,
        EntityType.LABEL,
        EntityType.COMPONENT,
        EntityType.VERSION,
        EntityType.SPACE,
        EntityType.FOLDER,
    )
    keys = [plain, issue_key(plain), page_key(plain), person_key(plain), name_key(plain)]
    keys += [key(EntityType.DOCUMENT, plain), *(plain_key(kind, plain) for kind in kinds)]
    return MentionSpan(plain, 0, len(plain), tuple(dict.fromkeys(_keys(*keys))))


def _ids_and_quotations(text: str) -> Iterable[MentionSpan]:
    for match in _URL.finditer(text):
        url = match.group().rstrip(".,;:!?)]")
        yield MentionSpan(url, match.start(), match.start() + len(url), _keys(page_key(url)))
    for match in _EMAIL.finditer(text):
        yield MentionSpan(match.group(), match.start(), match.end(), _keys(person_key(match.group())))
    for match in _ISSUE.finditer(text):
        yield MentionSpan(match.group(), match.start(), match.end(), _keys(issue_key(match.group())))
    for match in _FILE.finditer(text):
        yield MentionSpan(match.group(), match.start(), match.end(), _keys(plain_key(EntityType.FILE, match.group())))
    for match in _QUOTED.finditer(text):
        words = match[1] or match[2]
        yield MentionSpan(words, match.start(), match.end(), _keys(name_key(words)))


def _keys(*keys: str) -> tuple[str, ...]:
    return tuple(key for key in keys if key)


def _runs(text: str) -> Iterable[MentionSpan]:
    words = list(_WORD.finditer(text))[:MAX_TEXT_WORDS]
    alone = sum(word.group().casefold() not in ENGLISH_STOP_WORDS for word in words) == 1
    for first in range(len(words)):
        for last in range(first, min(first + MAX_NAME_WORDS, len(words))):
            start, end = words[first].start(), words[last].end()
            between = text[words[last - 1].end() : words[last].start()] if first < last else ""
            if _CLOSES & set(between) and " " in between:
                break  # no name goes on behind the end of a sentence
            key = name_key(text[start:end])
            if key:
                run = [word.group() for word in words[first : last + 1]]
                yield MentionSpan(
                    text[start:end], start, end, (key,), _telling(run, opening=not alone and _opens(text, start))
                )


def _opens(text: str, start: int) -> bool:
    """Whether a sentence begins there, so that a capital means nothing."""
    before = text[:start].rstrip(" \"'“„([")
    return not before or before[-1] in _CLOSES or before[-1] == "\n"


def _telling(words: Sequence[str], *, opening: bool) -> bool:
    content = [word for word in words if word.casefold() not in ENGLISH_STOP_WORDS and (word[1:] or word.isdigit())]
    if len(words) > 1:
        return len(content) > 1 or any(word[0].isupper() and word in content for word in words[1:])
    word = words[0]
    return bool(content) and len(word) > 1 and (bool(_INNER.search(word)) or (word[0].isupper() and not opening))


def linked_entities(
    found: Sequence[MentionSpan], known: Mapping[str, Sequence[KnownEntity]], common: int
) -> list[LinkedEntity]:
    """What the stretches mean, at most three things each: the longest first, and none within one that counts already.

    known: what each key leads to, of equally good ones the first. common: names that more documents speak of mean
    nothing.
    """
    meant: list[LinkedEntity] = []
    taken: list[tuple[int, int]] = []
    for each in sorted(found, key=lambda span: (span.start - span.end, span.start)):
        if any(start <= each.start and each.end <= end for start, end in taken):
            continue
        fitting = [one for key in each.keys for one in known.get(key, ()) if counts(each, one, common)]
        if fitting:
            taken.append((each.start, each.end))
            best = sorted(fitting, key=lambda one: (-one.score, one.documents))
            meant += [LinkedEntity(each, one) for one in best[:MAX_MEANINGS]]
    return meant


def counts(span: MentionSpan, known: KnownEntity, common: int) -> bool:
    """Whether a span may mean that: names must be telling and rare, ids speak for themselves."""
    return known.kind is not EntityType.NAME or (span.telling and known.documents <= common)


def unknown_names(found: Sequence[MentionSpan], meant: Sequence[LinkedEntity]) -> list[MentionSpan]:
    """Stretches that stand for themselves, look like names, and mean nothing that is known by that very name: longest
    first, none within another or across what is known."""
    taken = [(each.span.start, each.span.end) for each in meant]
    left: list[MentionSpan] = []
    for each in sorted(found, key=lambda span: (span.start - span.end, span.start)):
        apart = all(each.end <= start or end <= each.start for start, end in taken)
        if apart and each.telling and _stands_alone(each):
            taken.append((each.start, each.end))
            left.append(each)
    return left


def _stands_alone(span: MentionSpan) -> bool:
    """Whether all its words but small ones are capitalised or hold digits, the first and the last at any rate."""
    words = _WORD.findall(span.text)
    if not words:
        return False  # signs in quotes
    marked = [word[0].isupper() or any(letter.isdigit() for letter in word) for word in words]
    first = marked[0] and words[0].casefold() not in ENGLISH_STOP_WORDS
    within = all(mark or word in _SMALL for mark, word in zip(marked, words, strict=True))
    return first and marked[-1] and within and len(span.text) > 3


def similar_names(name: str, others: Sequence[str]) -> list[tuple[int, float]]:
    """Places in `others` of at most three names that are close to `name` by their letters, with how close, best first.
    Both normalised; the first letter must be the same."""
    found = process.extract(name, others, scorer=fuzz.ratio, score_cutoff=100 * CLOSE, limit=MAX_MEANINGS)
    return [(place, score / 100) for _, score, place in found]
