"""Questions that paste the message of a program: its identifier tells which one it is. Pure."""

from agent.questions.expected import code_keys
from agent.questions.follow_up_substitution import asks
from domain.patterns import LinearRegex

_COLON = LinearRegex(r"[\w.-]*[^\W_]+(?:[-_.][^\W_]+)*(?:\]|:) ", before=r"^|\W")
_FAILS = LinearRegex(
    r"error|fatal|severe|warn(?:ing)?|panic|\w*exception|traceback|unable to|cannot|could not|failed|denied|refused"
    r"|timed? ?out|fehler\w*|ausnahme",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_FRAME = LinearRegex(r"\s*(?:at [\w.$<>/]+\(|File \"|\.\.\. \d+ more|Caused by:|Traceback )")
"""A line of a stack trace."""


def without_message(question: str) -> str:
    """A question with the identifiers alone of the lines that are a program's message, without its stack trace:
    `ERROR ORA-01653: unable to extend table ORDERS` is a question for `ORA-01653`. Any other as it is."""
    kept = []
    found = False
    for line in question.splitlines():
        codes = _identifiers(line)
        if codes:
            kept.append(codes)
            found = True
        elif not (found and _FRAME.match(line)):
            kept.append(line)
    return "\n".join(kept) if found else question


def _identifiers(line: str) -> str:
    """The words before a colon that are identifiers, of a line that is a message; empty for any other."""
    if "?" in line or not _FAILS.search(line):
        return ""
    heads = [match for match in _COLON.finditer(line) if _is_identifier(match[0].rstrip("]: "))]
    said = line[heads[-1].end() :].split() if heads else []
    if not said or asks(said[0]):
        return ""
    return " ".join(dict.fromkeys(match[0].rstrip("]: ") for match in heads))


def _is_identifier(word: str) -> bool:
    return word.isupper() and bool(code_keys([word]))
