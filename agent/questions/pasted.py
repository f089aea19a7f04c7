"""Questions that paste the message of a program: its identifier tells which one it is. Pure."""

from agent.questions.follow_up_substitution import asks
from domain.patterns import LinearRegex
from domain.text.codes import code_keys

_HEAD = LinearRegex(r"[\w.-]*[^\W_]+(?:[-_.][^\W_]+)*(?:\]|:) ", before=r"^|\W")
_FAILS = LinearRegex(
    r"error|fatal|severe|warn(?:ing)?|panic|\w*exception|traceback|unable to|cannot|could not|failed|denied|refused"
    r"|timed? ?out|fehler\w*|ausnahme",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_ASKED = LinearRegex(r"[A-ZÄÖÜ][\w'’]{1,20}(?: [\w'’-]{1,30}){0,12} ?\?\W*\Z", before=r"^|\s")
"""A question at the end, without a colon or comma in it."""


def without_message(question: str) -> str:
    """Of a question that is or holds the message of a program, with or without a stack trace, the identifiers that
    stand there before a colon or in brackets, and what is asked at its end: of `ERROR ORA-01653: unable to extend table
    ORDERS. What now?`, `ORA-01653. What now?`. Any other as it is."""
    asked = _ASKED.search(question)
    message = question[: asked.start()] if asked and asks(asked[0].split()[0]) else question
    heads = [match for match in _HEAD.finditer(message) if _is_identifier(_named(match[0]))]
    said = message[heads[-1].end() :].split() if heads else []
    if not said or asks(said[0]) or "?" in message or not _FAILS.search(message):
        return question
    codes = " ".join(dict.fromkeys(_named(match[0]) for match in heads))
    return codes if message == question else f"{codes}. {question[len(message) :].strip()}"


def _named(head: str) -> str:
    return head.rstrip("]: ")


def _is_identifier(word: str) -> bool:
    return word.isupper() and bool(code_keys([word]))
