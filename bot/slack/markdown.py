"""Standard Markdown as rich_text blocks, whose texts are literal: nothing in them can call or link by itself. Pure."""

from collections.abc import Mapping

from bot.markup.inline import NO_LINKS, AllowedLinks
from bot.markup.markdown_reading import read_markdown
from bot.markup.plain_text import plain
from bot.markup.text_parts import TextPart, TextRun, paragraphs
from bot.slack.limits import SlackBlock
from bot.slack.rich_text_blocks import header, packed_blocks


def markdown_blocks(markdown: str, cited: Mapping[int, str] | None = None) -> list[SlackBlock]:
    """Blocks that show a text of standard Markdown: header, divider and rich_text blocks that Slack takes.

    CommonMark with tables, strikethrough and task lists. cited: the addresses of citations by number; they, and what
    lies on their hosts, may be live. Raw HTML, emoji codes, definitions of links and all other addresses are literal;
    images are their alternative text and address. What is too long or nested too deeply is shown as it is written.
    Nothing is lost but blanks between words, the language of code, and the label of a link that pretends to be
    another.
    """
    links = AllowedLinks.of(cited) if cited else NO_LINKS
    return packed_blocks(_shown(part) for block in read_markdown(plain(markdown), links) for part in block)


def _shown(part: TextPart) -> TextPart:
    """A part as Slack has it: not everywhere it has headings."""
    if part.kind != "header":
        return part
    return header(part.runs, within=part.quoted or part.indent > 0, quoted=part.quoted)


def literal_blocks(text: str) -> list[SlackBlock]:
    """Blocks that show a text as it is written."""
    return packed_blocks(paragraphs(plain(text)))


def code_blocks(code: str) -> list[SlackBlock]:
    """Blocks that show code as it is."""
    return packed_blocks([TextPart("code", (TextRun(plain(code).strip("\n")),))])
