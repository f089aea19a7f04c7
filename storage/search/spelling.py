"""Words of a question that nothing visible holds, spelled as visible texts spell them."""

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, product
from typing import Any

from rapidfuzz.distance import OSA

from domain.patterns import LinearRegex
from domain.search import Filters
from domain.text.tokens import ENGLISH_STOP_WORDS, Analyzer, fold
from storage.index.packing import PostingList
from storage.index.postings import posting_lists
from storage.search.snapshot import IndexSnapshot, chunk_condition, select_chunks
from storage.server.pool import Connection

MIN_LETTERS = 4
"""Letters from which a word may be wrong in any way: of shorter ones, too many lie one letter apart."""

MIN_LETTERS_ONE_LACKS = 3
"""Letters of a word that may lack one letter, and nothing else: `hed` for `head`."""

MIN_LETTERS_TWO_WRONG = 8
"""Letters from which two may be wrong."""

ENDING = 2
"""Letters at the end of a word by which forms of it differ: `frequency` is no misspelled `frequent`."""

ENDINGS = frozenset("sdrneyxa")
"""Letters that make another form of a word, or another word, behind it."""

STEM = 3
"""Letters at its beginning that make a word another one: prefixes."""

MIN_LETTERS_STRICT = 6
"""Letters of a word that may be wrong, in languages other than English."""

SMALL_WORDS = ENGLISH_STOP_WORDS | frozenset(
    """
    what when where which whose many much does have from about before after until should could would must your every
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
"""English words that tell nothing of what a question is about, so that the index need not hold them."""

_COMMON = frozenset(
    """
    like want need take took make made give gave keep kept help find send sent call look come came goes went gone done
    said says tell told show turn work move stop open shut walk talk read hold pick drop join meet stay sell sold wear
    paid runs used uses able sure good best ever even also still back away down soon late last next long same such
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
"""English words of four letters and more that are spelled right, whatever the index holds."""

MAX_WORDS = 8
"""Words of a question that are looked at."""

_MAX_NEAR_TERMS = 12  # visible terms near a word that are compared
_MORE = 4  # times as many terms are tested in each further step
_MAX_CHUNKS_TESTED = 5_000  # chunks of each of them
_MAX_CHUNKS_READ = 20  # chunks of the nearest that are read for how they write it

_TERMS = b"""
    SELECT DISTINCT term FROM postings
    WHERE version_id = %(version)s AND term >= %(first)s AND term < %(after)s
      AND char_length(term) BETWEEN %(shortest)s AND %(longest)s
"""
_LISTS = b"SELECT term, removed, entries FROM postings WHERE version_id = %(version)s AND term = ANY(%(terms)s)"
_WORD = LinearRegex(r"[^\W\d_]+")
_HYPHENATED_WORD = LinearRegex(r"\w+(?:[-.]\w+){0,4}")
_BORDER = LinearRegex(r"[^\W\d_]+|\d+")
MAX_NAME_LETTERS = 40
"""Letters and digits of a name that may lack hyphens."""


async def spelled(
    connection: Connection,
    snapshot: IndexSnapshot,
    words: Collection[str],
    analyzer: Analyzer,
    *,
    loosely: bool,
    strictly: bool = False,
) -> dict[str, str]:
    """For each word that no visible text holds, the one nearest to it that a visible text does, as it stands there.

    Near is what begins with the same letter and lies one letter apart, two from MIN_LETTERS_TWO_WRONG letters on
    (optimal string alignment: Damerau 1964); of equally near ones, what most visible texts hold. loosely: a word of
    MIN_LETTERS_ONE_LACKS letters is near to what has one letter more, too, and any word to a small word of English.
    strictly: for languages whose words have many forms, and of which no list says what is spelled right: one letter of
    at least MIN_LETTERS_STRICT is wrong, and none of the last ones.
    """
    least = MIN_LETTERS_STRICT if strictly else MIN_LETTERS_ONE_LACKS if loosely else MIN_LETTERS
    tokens = {
        word: analyzer.tokens(word)
        for word in [word for word in words if len(word) >= least and word not in _COMMON][:MAX_WORDS]
    }
    asked = {word: found[0] for word, found in tokens.items() if len(found) == 1 and len(found[0]) >= least}
    close = {token: await _close(connection, snapshot, token) for token in asked.values()}
    seen = await _visible_of(connection, snapshot, close)
    found: dict[str, str] = {}
    for word, token in asked.items():
        if seen.get(token):
            continue
        near = [term for term in close[token] if seen.get(term)][:_MAX_NEAR_TERMS]
        # a short word that lacks a letter would be another word: `prio` is no `pro`
        there = [term for term in near if len(term) >= min(len(token), MIN_LETTERS)]
        best = min(there, key=lambda term: (letters_apart(token, term), -len(seen[term]), term), default="")
        written = await _as_written(connection, snapshot, best, seen[best][:_MAX_CHUNKS_READ], analyzer) if best else []
        text = min(written, key=lambda each: letters_apart(word.casefold(), each.casefold()), default="")
        small = "" if strictly else small_word(word)
        if loosely and small:
            found[word] = small
        elif text and not small and _alike(word, text) and not (strictly and may_be_a_form(word, text)):
            found[word] = text
    return found


async def hyphenated(
    connection: Connection, snapshot: IndexSnapshot, words: Collection[str], analyzer: Analyzer
) -> dict[str, str]:
    """For each word that no visible text holds, one that a visible text does and that is the same but for its hyphens,
    as it stands there; of several, what most visible texts hold. See `spellings` for what is looked at."""
    asked = {word: spellings(word) for word in words}
    telling = sorted((word for word in words if asked[word]), key=lambda word: (word.isalpha(), -len(word)))[:MAX_WORDS]
    terms = sorted({term for word in telling for term in (*analyzer.tokens(word), *asked[word])})
    if not terms:
        return {}
    lists = posting_lists(await _rows(connection, {"version": snapshot.version.version_id, "terms": terms}))
    seen = await _visible(connection, snapshot, lists)
    # of a term in very many chunks, not all are tested: it counts as known
    known = {term for term, each in lists.items() if seen.get(term) or len(each.chunks()) > _MAX_CHUNKS_TESTED}
    found: dict[str, str] = {}
    for word in telling:
        there = [term for term in asked[word] if seen.get(term)]
        if there and known.isdisjoint(analyzer.tokens(word)):
            best = max(there, key=lambda term: (len(seen[term]), term))
            texts = await _texts(connection, snapshot, seen[best][:_MAX_CHUNKS_READ])
            written = (each for text in texts for each in _HYPHENATED_WORD.findall(text))
            found[word] = next((each for each in written if fold(each) == best), best)
    return found


def spellings(word: str) -> list[str]:
    """What a word may be written as, folded: one of letters with a hyphen anywhere (`e-mail`), one of letters and
    digits with a hyphen, point or underscore between them (`lx-400`). Nothing for a number: `1500` is no `15.00`."""
    token = fold(unicodedata.normalize("NFKC", word))
    if (
        not MIN_LETTERS <= len(token) <= MAX_NAME_LETTERS
        or not token.isalnum()
        or token.isdigit()
        or max(token) >= _UNSPACED
    ):
        return []
    if token.isalpha():
        return [f"{token[:place]}-{token[place:]}" for place in range(1, len(token))]
    parts = _BORDER.findall(token)
    if len(parts) > MAX_PARTS:
        return []
    signs = product(("", "-", ".", "_"), repeat=len(parts) - 1)
    joined = ("".join(chain.from_iterable(zip(parts, (*each, ""), strict=True))) for each in signs)
    return [each for each in joined if each != token]


MAX_PARTS = 4
"""Runs of letters and of digits that such a name is made of."""

_UNSPACED = "\u2e80"
"""Chinese, Japanese and Korean are above it: they have no hyphens."""


def small_word(word: str) -> str:
    """The English small word that a word lacks one letter of, has one too many of within, or has two letters exchanged
    of; empty for another."""
    meant = (each for each in sorted(SMALL_WORDS) if len(each) > MIN_LETTERS_ONE_LACKS and each[0] == word[0])
    return next((each for each in meant if _is_slip(word, each)), "")


def _is_slip(word: str, meant: str) -> bool:
    exchanged = len(word) == len(meant) and sorted(word) == sorted(meant) and word != "form"
    too_many = len(word) == len(meant) + 1 and word[-1] == meant[-1]
    return (exchanged or too_many or len(word) + 1 == len(meant)) and letters_apart(word, meant) == 1


def _alike(word: str, text: str) -> bool:
    """Whether one may be meant by the other: an ending more or less is another form, and a name is no common word."""
    one, other = word.casefold(), text.casefold()
    if word[0].isupper() and text[0].islower():
        return False
    if one.startswith(other) or not may_lack_its_end(one, other):
        return False
    apart = letters_apart(one, other)
    if len(one) == MIN_LETTERS and len(other) == MIN_LETTERS and sorted(one) != sorted(other):
        return False  # of so few letters, another one makes another word
    if len(one) == MIN_LETTERS_ONE_LACKS and (len(other) != len(one) + 1 or one[-1] != other[-1]):
        return False
    other_ending = apart > 1 and one[:-ENDING] == other[: len(one) - ENDING]
    return apart <= _apart(word) + 1 and not other_ending


def may_lack_its_end(word: str, text: str) -> bool:
    """Whether a word, where another one begins with it, lacks that one's last letter as `depo` and `dril` do, and is no
    other form of it; also where it does not begin with it."""
    if not text.startswith(word):
        return True
    return len(text) == len(word) + 1 and (text[-1] == word[-1] or text[-1] not in ENDINGS)


def may_be_a_form(word: str, text: str) -> bool:
    """Whether both may be forms of one word, or two words: `brauche` and `braucht`, `absegnen` and `absenden`,
    `abmelden` and `anmelden`."""
    one, other = word.casefold(), text.casefold()
    begin_alike = one[:STEM] == other[:STEM] or sorted(one) == sorted(other)
    return not begin_alike or letters_apart(one, other) > 1 or one[:-ENDING] == other[: len(one) - ENDING]


def _apart(word: str) -> int:
    return 2 if len(word) >= MIN_LETTERS_TWO_WRONG else 1


async def _close(connection: Connection, snapshot: IndexSnapshot, token: str) -> list[str]:
    """The terms of all texts, hidden ones included, that lie near a token, nearest first."""
    apart = _apart(token)
    shortest = MIN_LETTERS if len(token) == MIN_LETTERS_ONE_LACKS else len(token) - apart
    bound = _beginning_alike(snapshot, token, shortest, len(token) + apart)
    terms = [row[0] for row in await (await connection.execute(_TERMS, bound)).fetchall()]
    close = [term for term in terms if term != token and letters_apart(token, term) <= apart]
    return sorted(close, key=lambda term: (letters_apart(token, term), term))


async def _visible_of(
    connection: Connection, snapshot: IndexSnapshot, close: Mapping[str, Sequence[str]]
) -> dict[str, Sequence[int]]:
    """The visible chunks of each token and of the nearest of its terms, by number. Of these, as many are tested as it
    takes to find _MAX_NEAR_TERMS visible ones, so that terms of hidden texts alone change nothing; each step tests
    _MORE times as many, so that there are few steps. close: terms by token, nearest first."""
    seen: dict[str, Sequence[int]] = {}
    left, upto = close, _MAX_NEAR_TERMS
    while left:
        terms = {*left, *(term for each in left.values() for term in each[:upto])}.difference(seen)
        bound = {"version": snapshot.version.version_id, "terms": sorted(terms)}
        there = await _visible(connection, snapshot, posting_lists(await _rows(connection, bound)))
        seen |= {term: there.get(term, ()) for term in terms}
        left = {
            token: each
            for token, each in left.items()
            if not seen[token] and len(each) > upto and sum(bool(seen[term]) for term in each[:upto]) < _MAX_NEAR_TERMS
        }
        upto *= _MORE
    return seen


def _beginning_alike(snapshot: IndexSnapshot, token: str, shortest: int, longest: int) -> dict[str, object]:
    """The values of a query for terms that begin as a token does."""
    after = chr(min(ord(token[0]) + 1, 0x10FFFF))
    bounds = {"shortest": shortest, "longest": longest}
    return {"version": snapshot.version.version_id, "first": token[0], "after": after, **bounds}


async def _rows(connection: Connection, bound: Mapping[str, object]) -> list[tuple[Any, ...]]:
    return await (await connection.execute(_LISTS, bound, binary=True)).fetchall()


def letters_apart(one: str, other: str) -> int:
    """Letters by which two words differ; of a stem that ends in the `i` of a `y`, as of `policy`, by either."""
    distance = OSA.distance(one, other)
    return min(distance, OSA.distance(one, f"{other[:-1]}y")) if other.endswith("i") else distance


async def _visible(
    connection: Connection, snapshot: IndexSnapshot, lists: Mapping[str, PostingList]
) -> dict[str, Sequence[int]]:
    """The visible chunks that hold each term, by number."""
    narrowed = chunk_condition(Filters(), snapshot.acls)
    tested = {term: each.chunks()[-_MAX_CHUNKS_TESTED:].tolist() for term, each in lists.items()}
    numbers = sorted({number for each in tested.values() for number in each})
    query = select_chunks(snapshot, "c.chunk_no", narrowed) + b" AND c.chunk_no = ANY(%(numbers)s)"
    rows = await (await connection.execute(query, {**narrowed.values, "numbers": numbers}, binary=True)).fetchall()
    there = {row[0] for row in rows}
    return {term: sorted(there.intersection(each)) for term, each in tested.items()}


async def _as_written(
    connection: Connection, snapshot: IndexSnapshot, term: str, numbers: Sequence[int], analyzer: Analyzer
) -> list[str]:
    """How visible chunks, their titles and headings write a term, first ones first."""
    words = (word for text in await _texts(connection, snapshot, numbers) for word in _WORD.findall(text))
    return [word for word in dict.fromkeys(words) if analyzer.tokens(word) == [term]]


async def _texts(connection: Connection, snapshot: IndexSnapshot, numbers: Sequence[int]) -> list[str]:
    """Of these chunks those that are visible, each with its title and headings, in the order of their numbers."""
    narrowed = chunk_condition(Filters(), snapshot.acls)
    written = "concat_ws(' ', c.text, d.title, array_to_string(c.heading_path, ' '))"
    query = select_chunks(snapshot, f"c.chunk_no, {written}", narrowed) + b" AND c.chunk_no = ANY(%(numbers)s)"
    rows = await (await connection.execute(query, {**narrowed.values, "numbers": list(numbers)})).fetchall()
    return [text for _, text in sorted(rows)]
