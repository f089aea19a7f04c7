"""What a reasoning model thinks before it replies, where its server sends that as a part of the text. Pure.

Servers that know the model's format send the thinking apart, or not at all; others leave it in the text, between
`<think>` and `</think>`, and some without the opening tag, which is a part of the model's prompt.
"""

from domain.patterns import Linear

_OPENING = ("<think>", "<thinking>", "<thought>", "<reasoning>")
_CLOSING = tuple(tag.replace("<", "</") for tag in _OPENING)
_LONGEST = max(map(len, _CLOSING))
_CLOSING_TAG = Linear(r"</(?:think|thinking|thought|reasoning)>")
_FENCES = ("```", "~~~")
_STOPS = (".", "!", "?", "…", "。", "！", "？")


def ends_thinking(text: str) -> bool:
    """Whether a whole reply begins with thinking that has no opening tag, only the closing one."""
    start, end = _closing_tag(text)
    return end > start and not _is_json(text) and not any(tag in text[:start] for tag in _OPENING)


def lacks_thinking(text: str) -> bool:
    """Whether a whole reply in words has no tag that ends thinking."""
    return bool(text.strip()) and not _is_json(text) and _end_of_thinking(text) < 0


def without_thinking(text: str, *, untagged: bool = False, cut: bool = False) -> str:
    """A whole reply without the thinking at its beginning; empty where the thinking does not end.

    untagged: the model is known to think without an opening tag. cut: the reply was cut for its length.
    """
    stream = ReplyStream(untagged=ends_thinking(text) or (untagged and not _is_json(text)))
    return stream.push(text) + stream.end(cut=cut)


def _is_json(text: str) -> bool:
    return text.lstrip().startswith(("{", "```"))


def _closing_tag(text: str) -> tuple[int, int]:
    """Characters [start, end) of the first tag that closes thinking without an opening one; its length twice if there
    is none. It stands as models write it: at the beginning of a line or right behind a sentence, and not within code.
    Anywhere else a reply speaks of it."""
    position, fenced = 0, False
    for line in text.split("\n"):
        if line.lstrip().startswith(_FENCES):
            fenced = not fenced
        elif not fenced and "</" in line:
            for tag in _CLOSING_TAG.finditer(line):
                before = line[: tag.start()]
                if not before.strip() or (before.endswith(_STOPS) and before.count("`") % 2 == 0):
                    return position + tag.start(), position + tag.end()
        position += len(line) + 1
    return len(text), len(text)


def _end_of_thinking(text: str) -> int:
    """Where the tag ends that closes the thinking at the beginning of a text; -1 if there is none. Behind an opening
    tag, any closing one does."""
    if text.lstrip().startswith(_OPENING):
        tag = _CLOSING_TAG.search(text)
        return tag.end() if tag else -1
    start, end = _closing_tag(text)
    return end if end > start else -1


class ReplyStream:
    """The texts of one reply as they come, without the thinking at its beginning.

    untagged: the model is known to think without an opening tag. Then nothing is given away before the closing one, and
    all of it at the end if there is none.
    """

    def __init__(self, *, untagged: bool = False) -> None:
        self._untagged = untagged
        self._inside = untagged
        self._replying = False
        self._tail = ""
        self._held: list[str] = []
        self._given: list[str] = []
        self._watched = not untagged
        self._leaked = False

    @property
    def leaked(self) -> bool:
        """Whether what was given away was thinking: a closing tag came that no opening one stands before."""
        return self._leaked

    @property
    def lacked(self) -> bool:
        """Whether the whole reply, which was held back as thinking, turned out to be none."""
        return self._untagged and not self._replying and lacks_thinking("".join(self._held))

    def push(self, text: str) -> str:
        """What of the reply has come with this piece; empty as long as it is thinking, or may be."""
        if self._replying:
            self._watch(text)
            return text
        self._held.append(text)
        self._tail += text
        if not self._inside:
            self._tail = self._tail.lstrip()
            if any(len(self._tail) < len(tag) and tag.startswith(self._tail) for tag in _OPENING):
                return ""
            self._inside = self._tail.startswith(_OPENING)
        if self._inside:
            held = "".join(self._held) if any(tag in self._tail for tag in _CLOSING) else ""
            end = _end_of_thinking(held)
            if end < 0:
                self._tail = self._tail[-_LONGEST:]
                return ""
            self._tail = held[end:]
            self._watched = False
        self._replying = True
        reply, self._tail = self._tail, ""
        self._watch(reply)
        return reply

    def end(self, *, cut: bool = False) -> str:
        """What was held back, when nothing more comes. cut: the reply was cut for its length: then what did not end is
        thinking."""
        if self._replying:
            return ""
        if self._inside:
            held = "".join(self._held)
            return "" if cut or held.lstrip().startswith(_OPENING) else held
        return self._tail

    def _watch(self, text: str) -> None:
        """Looks for the closing tag of thinking in what is given away."""
        if not self._watched:
            return
        self._given.append(text)
        self._tail = self._tail[-_LONGEST:] + text
        if any(tag in self._tail for tag in _CLOSING):
            given = "".join(self._given)
            self._leaked = ends_thinking(given)
            self._watched = not (self._leaked or _is_json(given) or any(tag in given for tag in _OPENING))
