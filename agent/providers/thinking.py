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
    is_json = text.lstrip().startswith(("{", "```"))
    return closing >= 0 and not is_json and not any(tag in text[:closing] for tag in _OPENING)


def without_thinking(text: str) -> str:
    """A whole reply without the thinking at its beginning; empty where the thinking does not end."""
    stream = ReplyStream(untagged=ends_thinking(text))
    return stream.push(text) + stream.end()


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

    def push(self, text: str) -> str:
        """What of the reply has come with this piece; empty as long as it is thinking, or may be."""
        if self._replying:
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
        self._replying = True
        return self._tail

    def end(self) -> str:
        """What was held back, when nothing more comes."""
        if self._replying:
            return ""
        return "".join(self._held) if self._inside else self._tail
