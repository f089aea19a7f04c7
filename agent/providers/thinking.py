"""What a reasoning model thinks before it replies, where its server sends that as a part of the text. Pure.

Servers that know the model's format send the thinking apart, or not at all; others leave it in the text, between
`<think>` and `</think>`, and some without the opening tag, which is a part of the model's prompt. gpt-oss writes into
channels, of which the final one is the reply.
"""

from domain.patterns import LinearRegex

_CHANNELS = ("<|channel|>", "<|start|>")
_ANALYSIS = "analysis"
_IN_CHANNELS = (*_CHANNELS, f"{_ANALYSIS}<|message|>")
"""How a text in channels begins: what opens the first may be a part of the model's prompt."""
_OPENING = (
    *("<think>", "<thinking>", "<thought>", "<reasoning>", "<seed:think>", "[THINK]", "◁think▷"),
    *("<|begin_of_thought|>", "<|START_THINKING|>", *_IN_CHANNELS),
)
_CLOSING_TAG = LinearRegex(
    r"</(?:think|thinking|thought|reasoning|seed:think)>|\[/THINK\]|◁/think▷|<\|(?:end_of_thought|END_THINKING)\|>"
)
_FINAL_CHANNEL = LinearRegex(
    r"<\|channel\|>final[^<\n]{0,30}(?:<\|constrain\|>[^<\n]{0,20})?<\|message\|>|<\|start\|>assistant<\|message\|>"
)
_FINAL_WORDS = LinearRegex("assistantfinal")
"""What is left of it where a server drops the marks of channels; then the text begins with `analysis`, and no blank."""
_TAGS_END = (">", "]", "▷", "final")
_CHANNEL_ENDS = ("<|return|>", "<|end|>", "<|call|>", *_CHANNELS)
_LONGEST_TAG = 100
_FENCES = ("```", "~~~")
_STOPS = (".", "!", "?", "…", "。", "！", "？")


def ends_thinking(text: str) -> bool:
    """Whether a whole reply begins with thinking that has no opening tag, only the closing one."""
    place = _ClosingTag().find(text)
    return place is not None and not _is_json(text) and not any(tag in text[: place[0]] for tag in _OPENING)


def lacks_thinking(text: str) -> bool:
    """Whether a whole reply in words has no tag that ends thinking."""
    tag = _ClosingTag(anywhere=text.lstrip().startswith(_OPENING))
    return bool(text.strip()) and not _is_json(text) and tag.find(text) is None


def without_thinking(text: str, *, untagged: bool = False, cut: bool = False) -> str:
    """A whole reply without the thinking at its beginning; empty where the thinking does not end.

    untagged: the model is known to think without an opening tag. cut: the reply was cut for its length.
    """
    stream = ReplyStream(untagged=ends_thinking(text) or (untagged and not _is_json(text)))
    return stream.push(text) + stream.end(cut=cut)


def _is_json(text: str) -> bool:
    return text.lstrip().startswith(("{", "```"))


class _ClosingTag:
    """Looks for the first tag that closes thinking, in a text that comes in pieces.

    anywhere: it may stand anywhere, as behind an opening one. Else it stands as models write it: at the beginning of a
    line or right behind a sentence, and not within code; at other places a reply speaks of it. tag: what it is.
    """

    def __init__(self, *, anywhere: bool = False, tag: LinearRegex = _CLOSING_TAG) -> None:
        self._anywhere = anywhere
        self._tag = tag
        self._line = ""
        self._begins = 0
        self._read = 0
        self._in_code = False

    def find(self, text: str) -> tuple[int, int] | None:
        """Takes the next piece; gives which characters [start, end) of all the pieces are the tag."""
        for number, part in enumerate(text.split("\n")):
            if number:
                self._in_code ^= self._line.lstrip().startswith(_FENCES)
                self._begins += len(self._line) + 1
                self._line, self._read = "", 0
            self._line += part
            if found := self._in_line():
                return self._begins + found[0], self._begins + found[1]
        return None

    def _in_line(self) -> tuple[int, int] | None:
        """In what was added to the line, and the characters before it that may begin a tag."""
        first, self._read = max(0, self._read - _LONGEST_TAG), len(self._line)
        added = self._line[first:]
        for tag in self._tag.finditer(added) if any(each in added for each in _TAGS_END) else ():
            if self._closes(self._line[: first + tag.start()]):
                return first + tag.start(), first + tag.end()
        return None

    def _closes(self, before: str) -> bool:
        """Whether a tag behind the beginning of a line closes thinking."""
        if self._anywhere or not before.strip():
            return self._anywhere or not self._in_code
        in_code = self._in_code or before.lstrip().startswith(_FENCES) or before.count("`") % 2
        return before.endswith(_STOPS) and not in_code


class ReplyStream:
    """The texts of one reply as they come, without the thinking at its beginning.

    untagged: the model is known to think without an opening tag. Then nothing is given away before the closing one, and
    all of it at the end if there is none.
    """

    def __init__(self, *, untagged: bool = False) -> None:
        self._untagged = untagged
        self._start = ""
        self._opened: bool | None = None
        self._tag = _ClosingTag()
        self._channel: _Channel | None = None
        self._replying = False
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
            return self._give(text)
        if self._opened is None:
            self._start = (self._start + text).lstrip()
            if any(len(self._start) < len(tag) and tag.startswith(self._start) for tag in _OPENING):
                return ""
            text, self._opened = self._start, self._start.startswith(_OPENING)
            self._tag = _ClosingTag(anywhere=self._opened)
            if self._start.startswith(_IN_CHANNELS):
                self._tag, self._channel = _ClosingTag(anywhere=True, tag=_FINAL_CHANNEL), _Channel()
            elif not self._untagged and self._start.startswith(_ANALYSIS) and self._start[len(_ANALYSIS)].isalnum():
                self._tag, self._untagged = _ClosingTag(anywhere=True, tag=_FINAL_WORDS), True
        if self._opened or self._untagged:
            self._held.append(text)
            place = self._tag.find(text)
            if place is None:
                return ""
            text = "".join(self._held)[place[1] :]
            self._watched = False
        self._replying = True
        return self._give(text)

    def end(self, *, cut: bool = False) -> str:
        """What was held back, when nothing more comes. cut: the reply was cut for its length: then what did not end is
        thinking."""
        if self._replying and self._channel:
            return self._channel.held
        if self._replying or self._opened or (self._untagged and cut):
            return ""
        return self._start if self._opened is None else "".join(self._held)

    def _give(self, text: str) -> str:
        """What of the reply is given away of this piece of it."""
        self._watch(text)
        return self._channel.push(text) if self._channel else text

    def _watch(self, text: str) -> None:
        """Looks for the closing tag of thinking in what is given away."""
        if not self._watched:
            return
        self._given.append(text)
        if self._tag.find(text):
            self._watched = False
            self._leaked = ends_thinking("".join(self._given))


class _Channel:
    """The texts of a channel as they come, until it ends. held: what may be the beginning of its end."""

    def __init__(self) -> None:
        self.held = ""
        self._is_over = False

    def push(self, text: str) -> str:
        """What of the channel has come with this piece."""
        if self._is_over:
            return ""
        text, self.held = self.held + text, ""
        if ends := [place for place in map(text.find, _CHANNEL_ENDS) if place >= 0]:
            self._is_over = True
            return text[: min(ends)]
        begun = text[text.rfind("<") :] if "<" in text else ""
        if begun and any(end.startswith(begun) for end in _CHANNEL_ENDS):
            text, self.held = text.removesuffix(begun), begun
        return text
