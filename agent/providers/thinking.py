"""What a reasoning model thinks before it replies, where its server sends that as a part of the text. Pure.

Servers that know the model's format send the thinking apart, or not at all; others leave it in the text, between
`<think>` and `</think>`, and some without the opening tag, which is a part of the model's prompt.
"""

_OPENING = ("<think>", "<thinking>", "<thought>", "<reasoning>")
_CLOSING = tuple(tag.replace("<", "</") for tag in _OPENING)
_LONGEST = max(map(len, _CLOSING))


def ends_thinking(text: str) -> bool:
    """Whether a whole reply begins with thinking that has no opening tag, only the closing one."""
    closing = min((place for tag in _CLOSING if (place := text.find(tag)) >= 0), default=-1)
    return closing >= 0 and not _is_json(text) and not any(tag in text[:closing] for tag in _OPENING)


def without_thinking(text: str, *, untagged: bool = False, cut: bool = False) -> str:
    """A whole reply without the thinking at its beginning; empty where the thinking does not end.

    untagged: the model is known to think without an opening tag. cut: the reply was cut for its length.
    """
    stream = ReplyStream(untagged=ends_thinking(text) or (untagged and cut and not _is_json(text)))
    return stream.push(text) + stream.end(cut=cut)


def _is_json(text: str) -> bool:
    return text.lstrip().startswith(("{", "```"))


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

    def push(self, text: str) -> str:
        """What of the reply has come with this piece; empty as long as it is thinking, or may be."""
        if self._replying:
            self._watch(text)
            return text
        if self._untagged:
            self._held.append(text)
        self._tail += text
        if not self._inside:
            self._tail = self._tail.lstrip()
            if any(len(self._tail) < len(tag) and tag.startswith(self._tail) for tag in _OPENING):
                return ""
            self._inside = self._tail.startswith(_OPENING)
        if self._inside:
            end = min((place + len(tag) for tag in _CLOSING if (place := self._tail.find(tag)) >= 0), default=-1)
            if end < 0:
                self._tail = self._tail[-_LONGEST:]
                return ""
            self._tail = self._tail[end:]
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
            return "" if cut else "".join(self._held)
        return self._tail

    def _watch(self, text: str) -> None:
        """Looks for the first closing tag in what is given away; what comes behind it may speak of tags."""
        if not self._watched:
            return
        self._given.append(text)
        self._tail = self._tail[-_LONGEST:] + text
        if any(tag in self._tail for tag in _CLOSING):
            self._watched = False
            self._leaked = ends_thinking("".join(self._given))
