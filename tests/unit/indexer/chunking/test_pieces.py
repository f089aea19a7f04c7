"""What is too long is read to where it is too long, and says so in its text and in the report of the run."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.documents import ParsedFile
from indexer.parse.formats import parse
from indexer.parse.limits import ParseLimits
from indexer.parse.outline import CUT
from indexer.sources.atlassian.text_budget import CUT as TOO_MUCH
from indexer.sources.atlassian.text_budget import MAX_CHARACTERS
from indexer.sources.confluence.bundle import PAGE
from tests.fakes.atlassian import local_atlassian, storage
from tests.unit.indexer.parse.parsing import texts
from tests.unit.indexer.sources.confluence.wikis import listed, opened


def cut(source: str, name: str, characters: int) -> ParsedFile:
    return parse(source.encode(), name, "", ParseLimits(output_characters=characters))


def test_the_beginning_is_kept_to_the_end_of_a_word_and_the_end_says_so() -> None:
    source = "\n\n".join(f"Paragraph number {number} of this page." for number in range(1_000))
    file = cut(source, "a.md", 2_000)
    assert texts(file)[:2] == ["Paragraph number 0 of this page.", "Paragraph number 1 of this page."]
    assert file.metadata["cut"] == "more than 2,000 characters of text"
    assert file.blocks[-1].text == CUT.format("more than 2,000 characters of text")
    assert source.startswith("\n\n".join(texts(file)[:-1]))


def test_what_fits_says_nothing() -> None:
    assert "cut" not in cut("word " * 100, "a.md", 2_000).metadata


@given(st.lists(st.text(alphabet="ab c\n#|-*", max_size=80), max_size=30), st.integers(50, 800))
def test_a_text_that_was_cut_is_never_longer_than_it_may_be(parts: list[str], characters: int) -> None:
    source = "x\n\n" + "\n\n".join(parts)
    file = cut(source, "a.md", characters)
    said = [block for block in file.blocks if not block.text.startswith("This document goes on")]
    assert sum(len(block.text) + len(block.header) for block in said) <= characters
    assert (len(said) < len(file.blocks)) == ("cut" in file.metadata)


@pytest.mark.check
async def test_a_page_with_endless_comments_is_read_to_where_it_is_too_long() -> None:
    with local_atlassian() as local:
        world = local.world
        ann = world.add_user("Ann Lee")
        space = world.add_space("ENG", "Engineering", view=[world.groups["confluence-users"]], by=ann)
        page = world.add_page(space, "Long", storage("The beginning."), by=ann)
        for number in range(3):
            world.comment(page, storage(f"Comment {number}. " + "x" * (MAX_CHARACTERS // 2 - 1_000)), by=ann)
        async with opened(local, "datacenter") as wiki:
            fetched = await wiki.fetch((await listed(wiki)).items[f"page:{page.id}"])
    found = json.loads(fetched.raw)
    assert found["cut"] == TOO_MUCH
    assert [each["value"][3:12] for each in found["comments"]] == ["Comment 0", "Comment 1"]
    file = parse(fetched.raw, "1.json", PAGE, ParseLimits(input_bytes=1_000))
    assert file.blocks[0].text == "The beginning."
    assert file.metadata["cut"].startswith(TOO_MUCH)
