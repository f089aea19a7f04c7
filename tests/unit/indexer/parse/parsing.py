"""Short forms for the tests of parsers: they parse in the test's own process, without a sandbox."""

import re
from dataclasses import replace

import pytest

from domain.documents import Block, BlockKind, ParsedFile
from indexer.parse.formats import Unparsable, parse
from indexer.parse.limits import ParseLimits
from indexer.parse.outline import CUT
from tests.fakes.atlassian.markup import ADF, STORAGE, WIKI, read_markup


def parsed(content: str | bytes, name: str, media_type: str = "", limits: ParseLimits | None = None) -> ParsedFile:
    """`content` as a file called `name`; without a file for the forms of `read_markup`."""
    if media_type in {ADF, STORAGE, WIKI} and isinstance(content, str):
        return read_markup(media_type, content, limits)
    raw = content.encode() if isinstance(content, str) else content
    return parse(raw, name, media_type, limits or ParseLimits())


def refusal(content: str | bytes, name: str, media_type: str = "", **limits: int) -> str:
    """Why `content` is refused."""
    with pytest.raises(Unparsable) as caught:
        parsed(content, name, media_type, replace(ParseLimits(), **limits))
    assert "\n" not in caught.value.what
    return caught.value.what


def shortened(content: str | bytes, name: str, media_type: str = "", **limits: int) -> str:
    """Why only a part of `content` is read, which the end of the text says, too."""
    file = parsed(content, name, media_type, replace(ParseLimits(), **limits))
    why = str(file.metadata["cut"])
    assert file.blocks[-1].text == CUT.format(why)
    assert sum(len(block.text) for block in file.blocks[:-1]) <= replace(ParseLimits(), **limits).output_characters
    return why


def words(file: ParsedFile) -> set[str]:
    """All words that the chunks of `file` can contain."""
    texts = [file.title]
    for block in file.blocks:
        texts += [*block.heading_path, block.text]
    return set(re.findall(r"\w+", " ".join(texts)))


def of_kind(file: ParsedFile, kind: BlockKind) -> list[Block]:
    """The blocks of one kind."""
    return [block for block in file.blocks if block.kind is kind]


def paths(file: ParsedFile) -> list[tuple[str, ...]]:
    """The heading path of each block."""
    return [block.heading_path for block in file.blocks]


def texts(file: ParsedFile) -> list[str]:
    """The text of each block."""
    return [block.text for block in file.blocks]


def lines_of(source: str, block: Block) -> str:
    """The source lines that a block claims to stand on."""
    return "\n".join(source.split("\n")[block.span.first_line - 1 : block.span.last_line])
