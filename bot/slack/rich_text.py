"""Standard Markdown as rich_text blocks, whose texts are literal: nothing in them can call or link by itself. Pure."""

from collections.abc import Mapping

from bot.markup.inline import NONE, Links
from bot.markup.parts import Part, Run, paragraphs
from bot.markup.reading import blocks_of
from bot.slack.limits import Block
from bot.slack.parts import blocks, header
from bot.terminal.plain import plain


def rich_text(markdown: str, cited: Mapping[int, str] | None = None) -> list[Block]:
    """Blocks that show a text of standard Markdown: header, divider and rich_text blocks that Slack takes.

    CommonMark with tables, strikethrough and task lists. cited: the addresses of citations by number; they, and what
    lies on their hosts, may be live. Raw HTML, emoji codes, definitions of links and all other addresses are literal;
    images are their alternative text and address. What is too long or nested too deeply is shown as it is written.
    Nothing is lost but blanks between words, the language of code, and the label of a link that pretends to be
    another.
    """
    links = Links.of(cited) if cited else NONE
    return blocks(_shown(part) for block in blocks_of(plain(markdown), links) for part in block)


def _shown(part: Part) -> Part:
    """A part as Slack has it: not everywhere it has headings."""
    if part.kind != "header":
        return part
    return header(part.runs, within=part.quoted or part.indent > 0, quoted=part.quoted)


def literal(text: str) -> list[Block]:
    """Blocks that show a text as it is written."""
    return blocks(paragraphs(plain(text)))


def preformatted(code: str) -> list[Block]:
    """Blocks that show code as it is."""
    return blocks([Part("code", (Run(plain(code).strip("\n")),))])
