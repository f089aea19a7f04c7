"""Slack's two ways of marking up text, mrkdwn and Markdown: what of it pings, and what can be clicked."""

import re
from dataclasses import dataclass

from tests.fakes.slack.records import Body

BRACKETS = re.compile(r"<([^<>\n]+)>")
URL = re.compile(r"(?:https?://|mailto:|tel:)[^\s<>|\"`]+")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_MARKDOWN_LINK = re.compile(r"!?\[((?:\\.|[^\]\\])*)\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_BROADCAST = re.compile(r"!(here|channel|everyone)(?:\|.*)?")
_BARE = re.compile(r"(?<![\w@])@(here|channel|everyone)\b")


@dataclass(frozen=True)
class Piece:
    """A piece of mrkdwn. kind: text, user, usergroup, broadcast, channel, date or link. value: the id, word or URL."""

    kind: str
    value: str
    label: str = ""


def unescaped(text: str) -> str:
    """The text with Slack's three entities as characters."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def pieces(text: str) -> list[Piece]:
    """Mrkdwn in pieces; URLs that stand alone are links."""
    found: list[Piece] = []
    end = 0
    for match in BRACKETS.finditer(text):
        piece = _bracket(match[1])
        if piece is None:
            continue
        found += _bare(text[end : match.start()])
        found.append(piece)
        end = match.end()
    return found + _bare(text[end:])


def _bracket(inside: str) -> Piece | None:
    value, _, label = inside.partition("|")
    label = unescaped(label)
    broadcast = _BROADCAST.fullmatch(inside)
    if broadcast:
        return Piece("broadcast", broadcast[1], label)
    if value.startswith("!subteam^"):
        return Piece("usergroup", value.removeprefix("!subteam^"), label)
    if value.startswith("!date^"):
        return Piece("date", value, label)
    if re.fullmatch(r"@[UWB][A-Z0-9]+", value):
        return Piece("user", value[1:], label)
    if re.fullmatch(r"#[CG][A-Z0-9]+", value):
        return Piece("channel", value[1:], label)
    return Piece("link", unescaped(value), label or unescaped(value)) if URL.fullmatch(value) else None


def _bare(text: str) -> list[Piece]:
    found: list[Piece] = []
    end = 0
    for match in URL.finditer(text):
        url = unescaped(match[0].rstrip(".,;:!?)'"))
        if match.start() > end:
            found.append(Piece("text", unescaped(text[end : match.start()])))
        found.append(Piece("link", url, url))
        rest = match[0][len(match[0].rstrip(".,;:!?)'")) :]
        if rest:
            found.append(Piece("text", rest))
        end = match.end()
    return found + ([Piece("text", unescaped(text[end:]))] if end < len(text) else [])


def read(text: str) -> str:
    """Mrkdwn as a person reads it; marks of emphasis stay."""
    return "".join(_read(piece) for piece in pieces(text))


def _read(piece: Piece) -> str:
    if piece.kind in {"text", "link"}:
        return piece.label or piece.value
    mark = {"channel": "#"}.get(piece.kind, "@")
    return piece.label if piece.kind == "date" else mark + (piece.label or piece.value)


def pings(text: str, *, bare: bool = False) -> set[str]:
    """Whom mrkdwn or Markdown would notify: ids, and !here and the like. bare: whether @here alone does so too.

    Code counts like any other text: Slack resolves <…> before it looks at marks.
    """
    found = {_named(piece) for piece in pieces(text) if piece.kind in {"user", "usergroup", "broadcast"}}
    return found | ({f"!{match[1]}" for match in _BARE.finditer(text)} if bare else set())


def _named(piece: Piece) -> str:
    return f"!{piece.value}" if piece.kind == "broadcast" else piece.value


def links(text: str) -> list[tuple[str, str]]:
    """The links of mrkdwn, as URL and label."""
    return [(piece.value, piece.label) for piece in pieces(_CODE.sub("", text)) if piece.kind == "link"]


def markdown_links(text: str) -> list[tuple[str, str]]:
    """The links of Markdown, as URL and label; none in code."""
    shown = _CODE.sub("", text)
    labelled = [(unescaped(match[2]), match[1].replace("\\", "")) for match in _MARKDOWN_LINK.finditer(shown)]
    rest = _MARKDOWN_LINK.sub("", shown)
    alone = [unescaped(match[0].rstrip(".,;:!?)'")) for match in URL.finditer(rest)]
    return labelled + [(url, url) for url in alone]


def read_markdown(text: str) -> str:
    """Markdown as a person reads it: labels for links; other marks stay."""
    return unescaped(_MARKDOWN_LINK.sub(lambda match: match[1].replace("\\", ""), text))


def typed(text: str) -> list[Body]:
    """The rich_text block that Slack makes of what a person types."""
    elements: list[Body] = []
    for piece in pieces(text):
        if piece.kind == "user":
            elements.append({"type": "user", "user_id": piece.value})
        elif piece.kind == "channel":
            elements.append({"type": "channel", "channel_id": piece.value})
        elif piece.kind == "usergroup":
            elements.append({"type": "usergroup", "usergroup_id": piece.value})
        elif piece.kind == "broadcast":
            elements.append({"type": "broadcast", "range": piece.value})
        elif piece.kind == "link":
            elements.append({"type": "link", "url": piece.value})
        else:
            elements.append({"type": "text", "text": piece.value})
    section = {"type": "rich_text_section", "elements": elements}
    return [{"type": "rich_text", "block_id": "typed", "elements": [section]}] if elements else []
