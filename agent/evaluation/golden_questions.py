"""Golden questions: what an operator wants to be found, as a file says it, and whether it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from reprlib import Repr
from unicodedata import normalize

from agent.yaml_text import read_yaml
from domain.access import email_of
from domain.documents import digest, document_id
from domain.errors import Misconfigured
from domain.search import Passage

RESULTS = 10
"""Passages that a question is judged by: the best ones."""

_SHORT = Repr()
"""Shows a value in a message: aliases make a list of a few lines one of millions of values."""
_SHORT.maxlevel = 1
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 100

_TEXTS = ("documents", "facts")
_KEYS = ("question", *_TEXTS, "as")


@dataclass(frozen=True, slots=True)
class GoldenQuestion:
    """A question, and what has to be among the best results."""

    question: str
    documents: tuple[str, ...] = ()
    """Documents that must be found; each by path or its end, URL, title, id, or the id that its source gives it."""
    facts: tuple[str, ...] = ()
    """Texts that must stand in the results."""
    email: str = ""
    """Address of whoever asks; empty: a member without a name."""

    @property
    def key(self) -> str:
        """What names it where results are kept: it follows from everything in it."""
        return digest("golden", self.question, self.email, "", *self.documents, "", *self.facts).hex()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What of a question's expectations the results do not have."""

    documents: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing is missing."""
        return not (self.documents or self.facts)


def judge(question: GoldenQuestion, passages: Sequence[Passage]) -> Verdict:
    """What is missing in the results. Facts are compared without regard to case and to how much space is where."""
    texts = [_flat(passage.text) for passage in passages]
    return Verdict(
        tuple(name for name in question.documents if not any(_is_of(passage, name) for passage in passages)),
        tuple(fact for fact in question.facts if not any(_flat(fact) in text for text in texts)),
    )


def _is_of(passage: Passage, name: str) -> bool:
    """Whether a passage is of the document that `name` names."""
    exact = {passage.path, passage.url, passage.title, passage.document_id}
    return (
        name in exact or passage.path.endswith("/" + name) or passage.document_id == document_id(passage.source, name)
    )


def _flat(text: str) -> str:
    return " ".join(normalize("NFKC", text).casefold().split())


def read_golden(text: str, name: str) -> tuple[GoldenQuestion, ...]:
    """The questions in the text of a file. name: of the file, for messages.

    Raises:
        Misconfigured: it is not of the form; the message names the entry and what is wrong with it.
    """
    try:
        entries = read_yaml(text)
    except ValueError as error:
        raise _wrong(f"{name} is not YAML that can be read", str(error)) from None
    if not isinstance(entries, list) or not entries:
        raise _wrong(f"{name} has no list of golden questions", "It takes one entry a question: - question: …")
    found: dict[GoldenQuestion, int] = {}
    for number, entry in enumerate(entries, start=1):
        try:
            question = _question(entry)
        except ValueError as error:
            raise _wrong(f"Entry {number} of {name} is not a golden question", str(error)) from None
        if question in found:
            raise _wrong(f"Entry {number} of {name} is there twice", f"It is the same as entry {found[question]}.")
        found[question] = number
    return tuple(found)


def _wrong(what: str, why: str) -> Misconfigured:
    return Misconfigured(what, why=why, next_step="Mend the file; examples/golden.yaml shows its form.")


def _question(entry: object) -> GoldenQuestion:
    """Raises ValueError saying what is wrong."""
    if not isinstance(entry, dict):
        raise ValueError("It takes question, documents, facts and as, each as `name: value`.")  # noqa: TRY004 - of the file
    unknown = [str(key) for key in entry if key not in _KEYS]
    if unknown:
        raise ValueError(f"It has {unknown[0]}; it takes {', '.join(_KEYS)}.")
    question = _text(entry.get("question", ""), "question")
    documents, facts = (_texts(entry.get(key), key) for key in _TEXTS)
    if not (documents or facts):
        raise ValueError("It expects nothing: name documents, facts, or both.")
    return GoldenQuestion(question, documents, facts, _address(entry))


def _address(entry: Mapping[str, object]) -> str:
    if "as" not in entry:
        return ""
    address = email_of(_text(entry["as"], "as"))
    if address is None:
        raise ValueError(f"as: {_SHORT.repr(entry['as'])} is not an e-mail address.")
    return address


def _texts(value: object, key: str) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [] if value is None else [value]
    return tuple(dict.fromkeys(_text(each, key) for each in values))


def _text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{key}: {_SHORT.repr(value)} is not a text; put it in quotes.")  # noqa: TRY004 - of the file
    if not value.strip():
        raise ValueError(f"{key}: a text is missing.")
    return value.strip()
