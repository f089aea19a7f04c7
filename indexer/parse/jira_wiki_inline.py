"""The running text of Jira's wiki markup: links, mentions, images, escapes and marks.

What is no markup (code, URLs, escaped signs) is put away and replaced by a placeholder, see `CodeShelf`.
All patterns stop at a character that their next match begins with, so that time is linear in the text.
"""

import re
from dataclasses import dataclass

from indexer.parse import macros
from indexer.parse.html_elements import BREAK
from indexer.parse.mentions import MentionCollector
from indexer.parse.superscripts import as_superscript, with_carets

_OPEN, _CLOSE = "\x01", "\x02"
_FORCED = "\x03"
"""Before a mark in braces, which needs no boundary of a word."""
_PLACEHOLDER = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")
_URL = r"(?:https?|ftps?|file)://[^\s|\[\]{}<>\"\x01\x02]*[^\s|\[\]{}<>\"\x01\x02.,;:!?'()*_]"
_FILE = r"[^\s!|][^!|\n]{0,300}?\.(?:png|jpe?g|gif|bmp|svg|webp|tiff?|ico|pdf|mp4|mov|avi|webm|swf)"
_PIECE = re.compile(
    r"\\(?P<escaped>[{}\[\]*_+^~!|?#@-])"
    r"|(?P<break>\\\\)(?=\s|$)"
    r"|\{\{(?P<mono>(?:[^{}\n]|\{(?!\{)|\}(?!\}))+)\}\}"
    r"|\{(?P<forced>[*_+^~-]|\?\?)\}"
    rf"|!(?P<image>{_FILE}|https?://[^\s!|]+)(?:\|(?P<options>[^!\n]{{0,500}}))?!"
    r"|\[(?P<link>[^\[\]\n\x01\x02]{1,2000})\]"
    rf"|(?P<url>{_URL})",
    re.IGNORECASE,
)
_TARGET = re.compile(r"(?:https?|ftps?|file|mailto|tel|smb|ssh|git)\b:\S+|//\S+|/\S*|www\.\S+|\\\\\S+", re.IGNORECASE)
_MARK = re.compile(rf"{_FORCED}?(?:\?\?|[*_+^~-])|\n")
_BEFORE_STRIKE = frozenset("([{*_+^~|\"'“„‚‘«")
_AFTER_STRIKE = frozenset(f")]}}*_+^~|\"'”“’‘»:;,.!?…{_FORCED}")
"""What may stand beside text that is struck out, other than blanks: with less, hyphens and ranges would do so."""
_NOT_STRUCK = re.compile(r"[\d,.;:)\"']|[*_+^~|](?!\w)|\S+[,;](?!\S)|[^\"]*[^\"\s(\[{]\"|.* -")
"""How text begins between two hyphens that strike nothing: as an amount, between signs, as an option, in quotes, or
with one more hyphen that begins a word."""
_GOES_ON = re.compile(r" (?:and|or|und|oder|bis)\b", re.IGNORECASE)
"""What follows a word of which a part is left out: `pre- and post-checks`."""
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_UP, _DOWN = as_superscript("\n").split("\n")
_QUOTED_ALT = re.compile(r"(?:^|,)\s*alt\s*=\s*\"([^\"]{1,500})\"", re.IGNORECASE)
_SHOWN_AS = frozenset({"thumbnail", "border", "left", "right", "center"})
"""Options of an image that have no value."""


@dataclass(frozen=True, slots=True)
class WikiCode:
    """Text that is no markup. header: its title and language."""

    text: str
    title: str = ""
    language: str = ""

    @property
    def is_block(self) -> bool:
        """Whether it cannot stand in a line."""
        return "\n" in self.text or bool(self.title)


@dataclass(frozen=True, slots=True)
class WikiTag:
    """A tag that begins or ends a box. parameters: what is behind its colon."""

    name: str
    parameters: str


class CodeShelf:
    """Puts things away, each under a placeholder that no text contains."""

    def __init__(self) -> None:
        self._kept: list[str | WikiCode | WikiTag] = []

    def put(self, thing: str | WikiCode | WikiTag) -> str:
        """The placeholder of `thing`."""
        self._kept.append(thing)
        return f"{_OPEN}{len(self._kept) - 1}{_CLOSE}"

    def only(self, text: str) -> str | WikiCode | WikiTag | None:
        """What the one placeholder that `text` consists of stands for; None when it is anything else."""
        found = _PLACEHOLDER.fullmatch(text.strip())
        return self._kept[int(found[1])] if found else None

    def apart(self, text: str) -> str:
        """`text` with every block of code and every tag on a line of its own."""

        def place(found: re.Match[str]) -> str:
            kept = self._kept[int(found[1])]
            alone = isinstance(kept, WikiTag) or (isinstance(kept, WikiCode) and kept.is_block)
            return f"\n{found[0]}\n" if alone else found[0]

        return _PLACEHOLDER.sub(place, text)

    def restored(self, text: str) -> str:
        """`text` with everything back in its place."""

        def shown(found: re.Match[str]) -> str:
            kept = self._kept[int(found[1])]
            if isinstance(kept, WikiCode):
                return f"{kept.title} {kept.text}" if kept.title else kept.text
            return kept if isinstance(kept, str) else ""

        return _PLACEHOLDER.sub(shown, text)


def without_placeholders(text: str) -> str:
    """`text` as it must be before anything is put away: without the signs for that, which no reader sees."""
    return text.replace(_OPEN, "").replace(_CLOSE, "").replace(_FORCED, "")


class WikiInline:
    """Reads running text and notes what it points at."""

    def __init__(self, shelf: CodeShelf, mentioned: MentionCollector) -> None:
        self._shelf = shelf
        self._mentioned = mentioned

    def protected(self, text: str) -> str:
        """`text` with what is no markup any more put away, links and images as what they say."""
        return _PIECE.sub(self._piece, text)

    def text(self, protected: str) -> str:
        """What a reader sees: marks dropped, everything back in its place; BREAK where a line is broken.

        A bare issue key is a link, too: Jira makes one of it when there is such an issue.
        """
        plain = without_marks(protected)
        for key in macros.issue_keys(plain):
            self._mentioned.issue(key)
        return self._shelf.restored(plain)

    def _piece(self, found: re.Match[str]) -> str:
        if found["link"]:
            return self._link(found["link"])
        if found["image"]:
            return self._image(found["image"].strip(), found["options"] or "")
        if found["url"]:
            self._mentioned.url(found["url"])
            return self._shelf.put(found["url"])
        if found["break"]:
            return self._shelf.put(BREAK)
        if found["forced"]:
            return f"{_FORCED}{found['forced']}"
        return self._shelf.put(found["escaped"] or found["mono"] or "")

    def _image(self, name: str, options: str) -> str:
        if "://" in name:
            self._mentioned.url(name)
        else:
            self._mentioned.attachment(name)
        given, free = parameters(options, ",")
        quoted = _QUOTED_ALT.search(options)
        alt = (
            (quoted and quoted[1])
            or given.get("alt")
            or given.get("title")
            or " ".join(each for each in free if each not in _SHOWN_AS)
        )
        return self._shelf.put(alt.strip("\"'") or name)

    def _link(self, inner: str) -> str:
        """What a link says; brackets that are no link stay."""
        label, _, target = inner.partition("|")
        target = target.partition("|")[0] or label
        said = self._noted(target.strip(), label if target is not label else "")
        if said is None:
            return f"[{self.protected(inner)}]"
        if label.strip() and target is not label:
            return self.protected(label)
        return self._shelf.put(said)

    def _noted(self, target: str, label: str) -> str | None:
        """Note what a link leads to; how it is called where the link has no text; None when it leads nowhere.
        label: its text."""
        sign, name = target[:1], target[1:].strip()
        if sign == "~" and name:
            return self._mentioned.person(name)
        if sign == "^" and name:
            self._mentioned.attachment(name)
            return name
        if sign == "#" and name:
            return name
        if macros.is_issue_key(target):
            self._mentioned.issue(target)
            return target
        if _TARGET.fullmatch(target):
            self._mentioned.url(target, with_carets(without_marks(label)))
            return target.removeprefix("mailto:")
        return None


def without_marks(text: str) -> str:
    """`text` without the signs around bold, emphasised … words, and without what is struck out; superscripts as
    `as_superscript` has them. Signs without a partner stay."""
    open_at: dict[str, tuple[int, int]] = {}
    changes: dict[int, tuple[int, str]] = {}
    for found in _MARK.finditer(text):
        mark, start, end = found[0], found.start(), found.end()
        if mark == "\n":
            open_at.clear()  # no mark goes on in the next line
        elif mark in open_at and _closes(text, mark, start, end) and open_at[mark][1] < start:
            first, behind = open_at.pop(mark)
            if mark[-1] == "-":
                if mark[0] == _FORCED or _is_struck(text, behind, start):
                    changes[first] = end, ""
            else:
                changes |= (
                    {first: (behind, _UP), start: (end, _DOWN)}
                    if mark[-1] == "^"
                    else {first: (behind, ""), start: (end, "")}
                )
        elif _opens(text, mark, start, end):
            if mark != "-" or mark not in open_at:  # of options, the first tells the others
                open_at[mark] = start, end
            if mark[0] == _FORCED:
                changes[start] = end, ""
    pieces, place = list[str](), 0
    for start, (end, new) in sorted(changes.items()):
        if start >= place:
            pieces += text[place:start], new
            place = end
    return "".join([*pieces, text[place:]])


def _opens(text: str, mark: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    if mark[0] == _FORCED:
        return True
    if mark == "-":
        return (not before.strip() or before in _BEFORE_STRIKE) and after.strip() != "" and after not in "->"
    return after.strip() != "" and after != mark[0] and not before.isalnum() and before != mark[0]


def _closes(text: str, mark: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    if mark[0] == _FORCED:
        return True
    if mark == "-":
        return before.strip() != "" and before not in "-<" and (not after.strip() or after in _AFTER_STRIKE)
    return before.strip() != "" and not after.isalnum()


def _is_struck(text: str, start: int, end: int) -> bool:
    """Whether what stands between two hyphens, [start, end), was struck out. In doubt it was not: text that does not
    hold any more is better than text that is lost."""
    inner, expected = text[start:end], list[str]()
    if _NOT_STRUCK.match(inner) or _GOES_ON.match(text, end + 1) or inner.count('"') % 2:
        return False
    for sign in inner:
        if sign in _PAIRS:
            expected.append(_PAIRS[sign])
        elif sign in ")]}" and (not expected or expected.pop() != sign):
            return False
    return not expected


def parameters(text: str, between: str = "|") -> tuple[dict[str, str], list[str]]:
    """What is behind the colon of a tag: its `key=value` pairs, keys in lower case, and what has no key."""
    given: dict[str, str] = {}
    free: list[str] = []
    for part in text.split(between):
        key, sign, value = part.partition("=")
        if sign:
            given[key.strip().lower()] = value.strip()
        elif part.strip():
            free.append(part.strip())
    return given, free
