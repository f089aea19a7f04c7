"""Names in one form: the same for what a text says and for what a question asks."""

import re
import unicodedata
from functools import lru_cache

from domain.patterns import LinearRegex
from domain.text.tokens import fold

_ARTICLES = frozenset({"the", "a", "an"})
_SUFFIXES = frozenset(
    """
    inc incorporated ltd limited llc llp plc corp corporation co company gmbh ag kg kgaa ohg se sa sas sarl srl spa bv
    nv oy oyj ab as asa aps pty pte kk
    """.split()  # noqa: SIM905 - a paragraph is read and changed more easily than quoted words
)
_APART = re.compile(r"[^\w+#&]+")
_POSSESSIVE = re.compile(r"['’]s?(?=\s|$)", re.IGNORECASE)
_DOTTED = LinearRegex(r"(?:\w\.){2,}", before=r"^|\W")
_BRACKETS = LinearRegex(r"\s*[(\[（][^()\[\]（）]*[)\]）]\s*$")


@lru_cache(maxsize=20_000)
def normalised(name: str) -> str:
    """A name without case, accents, punctuation, leading article and the suffix of a company's form; empty when nothing
    is left."""
    plain = unicodedata.normalize("NFKC", name)
    if not plain.isascii():
        plain = plain.replace("’", "'")
    if "'" in plain:
        plain = _POSSESSIVE.sub("", plain).replace("'", "")
    dotted = "." in plain and _DOTTED.search(plain) is not None  # as in U.S.A.
    words = [fold(word) for word in _APART.split(plain.replace(".", "") if dotted else plain) if word]
    if len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    while len(words) > 1 and words[-1] in _SUFFIXES and _a_form(name):
        words = words[:-1]
    return " ".join(words)


def without_brackets(title: str) -> str:
    """A title without what stands in brackets at its end: `Ed Wood` of `Ed Wood (film)`; empty when nothing does."""
    bare = _BRACKETS.sub("", title).strip()
    return bare if bare and bare != title.strip() else ""


def _a_form(name: str) -> bool:
    """Whether its last word can be the form of a company: it is capitalised there."""
    last = name.rstrip(" .,)").rsplit(None, 1)[-1].strip("(,.")
    return not last.islower() or last in {"gmbh", "plc", "inc", "ltd", "llc"}
