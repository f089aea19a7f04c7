"""A sentence around an announcing word, and the words in it that may be a secret."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from domain.masking.ruleset.secret_keywords import NEARLY, TIED
from domain.masking.ruleset.secret_strength import is_base64, is_placeholder
from domain.patterns import LinearRegex, Place

BEFORE, AFTER = 160, 240
"""Characters of a sentence that are looked at, before and after the announcing word."""

CJK = r"\u3000-\u303f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
_WORD = re.compile(
    rf"(?<![A-Za-z0-9.,;!?)\]*])(?:\*\*|__|[\"'`])(?P<quoted>(?:(?!\*\*)[^\n\"`]){{4,80}}?)(?:\*\*|__|[\"'`])(?=[\s.,;:!?()\]|]|$|[{CJK}]|\w)"
    rf"|(?P<bare>[^\s{CJK}\"`|,;]{{4,200}})"
)
_END = re.compile(
    r"(?:(?:\.|(?<=[^\W\d_])[!?…])[\"')\]*]*(?=\s)|[。！？])|\n[ \t>]*\r?\n|\n(?=\s*(?:[-*+•]|\d+[.)]|#|\|)\s)"
)
_FENCE = LinearRegex(r"\n[ \t>]*(?:`{3,}|~{3,})\w*[ \t]*\r?\n")
_PLAIN_ENDS = ".,;:!?()'*_~<>[]{}"
_LEADING, _TRAILING = "([{<'*_~,;:=-", ")]}>'*_~,;:.("

NOT_WORDS = re.compile(
    r"://|^\$|\$\w*/|\]\(|</|=[\"']|:x:|(?::[^:\s]*){3}|:\$\w{1,3}\$|[\"'],\s?[\"']|@\d+\.[\d.]+$|^/|^\.{1,2}[\\/]|@v\d|&\w+=|^[A-Za-z_]+@[a-z]+$|\w@\d+\.\d+|\\\\|\.{3}|\.\.|…|^AAAA[BCE]3Nza|@[0-9a-f]{7,40}$|^\d+(?:\.\d+)+\w{0,2}$|^#[a-z]"
)
"""Addresses, links, tags, attributes, lines of /etc/passwd, hashes, lists, versions of packages, paths, channels."""

_PATH = re.compile(r"(?:/[\w.-]+){2}")
_BRACKETS = LinearRegex(r"[()\[\]{}<>]|^--?[a-z]|\\[nrt]")
_OTHER_KEY = LinearRegex(
    r"\n[\s>*-]*[\w./-]+[\"']?\s*[:=]\s*\[?[\"']?$|,\s*\w*[_.-][\w.-]*\s*:\s*[\"']?$|[\"'][\w.-]+[\"']\s*[:=]\s*[\"']?$|\s[\w.-]+=[\"']?$"
)
"""Another key has the word."""

_NEGATED = LinearRegex(
    r"(?i)(?:^|\W)(?:at least|minimum|mindestens|au moins|al menos|pelo menos|almeno|minstens|co najmniej|не менее|en az|version|example|e\.g|z\.b|rfc"
    r"|such as|like|format|regex|pattern|algorithm|hashed|encrypted with|sha|commit|ticket|issue|pull request|port|line|error|status)(?:\W+)?$"
    r"|(?:至少|最少|不少于|以上|최소)\s*$"
)


_ONE_WORD = re.compile(r"\s+[^\W\d_]{3,14}\s+")


@dataclass(frozen=True, slots=True)
class CandidateWord:
    """A word of the sentence. tie: the text between it and the announcing word. after: whether it stands behind it."""

    start: int
    end: int
    text: str
    quoted: bool
    tie: str
    after: bool

    @property
    def tied(self) -> bool:
        """Whether a copula or a colon stands directly before it."""
        return self.after and TIED.occurs(self.tie[-40:])

    @property
    def next(self) -> bool:
        """Whether nothing stands between."""
        return self.after and not self.tie.strip(" \t\n\"'*_`(")

    @property
    def nearly(self) -> bool:
        """Whether a copula and one word more, one word alone, or a question stands before it."""
        return self.after and (
            NEARLY.occurs(self.tie[-60:])
            or _ONE_WORD.fullmatch(self.tie) is not None
            or self.tie.rstrip(" \n>").endswith(("?", "？"))
        )

    @property
    def other(self) -> bool:
        """Whether it is something else: an address, a path, a placeholder, the value of another key."""
        held = self.text
        if is_placeholder(held) or NOT_WORDS.search(held) or (_PATH.search(held) and not is_base64(held)):
            return True
        if not self.quoted and _BRACKETS.search(held):
            return True
        if self.after and _NEGATED.search(self.tie[-50:]):
            return True
        return "?" not in self.tie and _OTHER_KEY.search(self.tie[-100:]) is not None


def sentence(text: str, start: int, end: int) -> Place:
    """The sentence around a place; what follows too where it ends with a tie or is a question."""
    first = max(0, start - BEFORE)
    if first and not text[first - 1].isspace():
        first = next((at for at in range(first, start) if text[at].isspace()), start)
    for match in _END.finditer(text, first, start):
        first = match.end()
    last = min(len(text), end + AFTER)
    position = end
    while ending := _END.search(text, position, last):
        said = text[end : ending.end()].rstrip(" \t\r\n*_>.")
        if not said.endswith(("?", "？")) and not TIED.occurs(text[end : ending.end()].rstrip(" \t\r\n*_>")[-40:]):
            return first, ending.end()
        position = ending.end()
    return first, last


def words_of(text: str, start: int, end: int, announced: Place) -> Iterator[CandidateWord]:
    """The words in a range of a text on one side of what announces them, those in quotes as one."""
    after = start >= announced[1]
    for match in _WORD.finditer(text, start, end):
        quoted = match["quoted"] is not None
        if not quoted and match["bare"].strip(_PLAIN_ENDS).isalpha():
            continue  # most words by far: letters alone are a secret in quotes only
        word = match["quoted"] or match["bare"]
        held = word.strip() if quoted else word.lstrip(_LEADING).rstrip(_TRAILING)
        begin = match.start("quoted" if quoted else "bare") + word.find(held)
        tie = text[announced[1] : begin] if after else text[begin + len(held) : announced[0]]
        if "\n" in tie:
            tie = _FENCE.sub("\n", tie)
        glued = after and not tie.strip("*_`\"'") and text[announced[1] - 1].isascii()
        if len(held) >= 4 and not glued:
            yield CandidateWord(begin, begin + len(held), held, quoted, tie, after)
