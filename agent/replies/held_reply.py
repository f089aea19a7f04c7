"""A model's reply that is held back until it is known to state something. Pure."""

from agent.checking.markers import MARKER, cited_numbers, plain_markers, without_markers
from agent.prompts.synthesize import finds_nothing, is_nothing, may_find_nothing
from agent.replies.gap_statements import denies_an_answer, is_gap_statement
from agent.replies.units import complete, units

MAX_HELD = 1_000
"""Characters of statements of a gap after which a reply is handed on all the same."""

_LANGUAGES = ("markdown", "md")
_MARKS = "`~"


class HeldReply:
    """Takes a reply as it comes, and gives of it what states something.

    Held back is a reply that finds nothing: it begins by saying so, or consists of statements of what the passages do
    not say. So is one whose first line opens a fence around Markdown: where that holds all of the reply, and citations,
    the reply is what stands within.
    """

    def __init__(self) -> None:
        self._held = ""
        self._opened = False
        self._fence = _Fence()

    def push(self, text: str) -> str:
        """What may be handed on with this piece."""
        self._held += text
        self._opened = self._opened or not (
            self._fence.push(text) or may_find_nothing(self._held) or _may_be_gaps(self._held)
        )
        return self._taken() if self._opened else ""

    def end(self, *, broken: bool = False) -> str:
        """What was held back and is to be handed on, when nothing more comes; empty where nothing is found. broken: the
        reply broke off, or was cut: what it would have said is not known."""
        text = _unwrapped(self._taken())
        # a reply that begins like NOT FOUND but states something with a source is an answer
        cites = MARKER.search(plain_markers(text))
        if (finds_nothing(text) and not cites) or (broken and may_find_nothing(text)):
            return ""
        return "" if not text.strip() or (not broken and _are_gaps(text)) else text

    def _taken(self) -> str:
        text, self._held = self._held, ""
        return text


def _may_be_gaps(text: str) -> bool:
    plain = plain_markers(text, grows=True)
    return len(text) <= MAX_HELD and _are_gaps(plain[: complete(plain)])


def _are_gaps(text: str) -> bool:
    """Whether all that a text says is what the passages do not say."""
    said = ((without_markers(unit).strip(), MARKER.search(unit)) for unit in units(plain_markers(text)))
    return all(
        is_nothing(each) or (is_gap_statement(each) and (not cited or denies_an_answer(each)))
        for each, cited in said
        if any(map(str.isalnum, each))
    )


class _Fence:
    """Reads a reply as it comes for a fence around all of it. closing: the number of the line that closes it, if one
    does. A line that names a language opens another within."""

    def __init__(self) -> None:
        self.closing: int | None = None
        self._line = ""
        self._number = 0
        self._marks = ""
        self._within = False
        self._holds_all = True

    def push(self, text: str) -> bool:
        """Takes the next piece; whether the reply may stand within one fence."""
        *ended, self._line = (self._line + text if self._number else (self._line + text).lstrip()).split("\n")
        for line in ended:
            self._read(line)
            self._number += 1
        if not self._number:
            language = self._line.lstrip(_MARKS).strip().lower()
            return self._line[:1] in _MARKS and any(each.startswith(language) for each in _LANGUAGES)
        return self._holds_all and not (self.closing and self._line.strip())

    def _read(self, line: str) -> None:
        if not self._number:
            self._marks, self._holds_all = _marks(line), _is_fence(line)
        elif self.closing:
            self._holds_all = self._holds_all and not line.strip()
        elif line.strip().startswith(self._marks):
            names = bool(line.strip().strip(_MARKS))
            if not names and not self._within:
                self.closing = self._number
            self._within = names


def _unwrapped(text: str) -> str:
    """A reply without the fence around all of it."""
    lines, fence = text.strip().split("\n"), _Fence()
    if len(lines) == 1 or not fence.push(f"{text.strip()}\n"):
        return text
    within = "\n".join(lines[1 : fence.closing])
    return within if cited_numbers(plain_markers(within)) else text


def _is_fence(line: str) -> bool:
    marks = _marks(line)
    return len(marks) >= 3 and line.strip()[len(marks) :].strip().lower() in {"", *_LANGUAGES}


def _marks(line: str) -> str:
    line = line.strip()
    return line[: len(line) - len(line.lstrip(line[:1]))] if line[:1] in (*_MARKS,) else ""
