import time

import pytest

from domain.documents import Block, BlockKind, Span
from tests.unit.indexer.parse.parsing import lines_of, of_kind, parsed, paths, refusal, shortened, texts, words

SAMPLE = """\
---
title: Travel policy
tags: [travel, "#money"]
author: Jane Doe
updated: 2024-01-15
space: HR
description: How to book.
layout: wide
---

# Travel policy {#top}

Intro with a [link](https://example.com/x) and an ![picture of a plane](p.png),
wrapped *here*.

## Booking

1. Ask your **lead**

   ```sh
   book --now
     # twice
   ```

   - by mail
   - by [chat][c]
2. Wait

> Quoted advice
>
> - quoted item

### Limits

| City | Limit | Note |
|------|------:|------|
| Oslo | 200 | a \\| b |
| Bern | 180 | `x` |

```python
def price():

    return 1
```

    indented code

## Nothing below

## Extras

Text with a note[^1] and <b>bold</b> <br> break, for <customer>.

<details><summary>More</summary>

Hidden detail

</details>

<table><tr><th>A<th>B<tr><td>1<td>2</table>

- [ ] open task
* other list

!!! warning "Mind the gap"
    Inside admonition

Setext heading
--------------

end\\
of it ~~...~~

[^1]: Foot text.
[^2]: Unused foot text.

[c]: https://chat.example.com "tip"
"""


def test_every_visible_word_is_in_some_block() -> None:
    visible = """Travel policy How to book Intro with a link and an picture of a plane wrapped here Booking Ask your
    lead book now twice by mail by chat Wait Quoted advice quoted item Limits City Limit Note Oslo 200 a b Bern 180 x
    def price return 1 indented code Nothing below Extras Text with a note and bold break for customer More Hidden
    detail A B 1 2 open task other list Mind the gap Inside admonition Setext heading end of it Foot text
    Unused"""
    assert set(visible.split()) <= words(parsed(SAMPLE, "a.md"))


def test_front_matter_is_metadata_and_its_description_is_text() -> None:
    file = parsed(SAMPLE, "a.md")
    assert file.title == "Travel policy"
    assert file.metadata == {
        "labels": "travel, money",
        "author": "Jane Doe",
        "updated": "2024-01-15T00:00:00+00:00",
        "space": "HR",
    }
    assert file.blocks[0] == Block(BlockKind.PROSE, "How to book.", (), Span(1, 9))


def test_first_heading_is_the_title_and_the_others_are_the_path() -> None:
    file = parsed("intro\n# One\na\n## Two\nb\n### Three\nc\n## Four\nd\n# Five\ne\n", "a.md")
    assert file.title == "One"
    assert paths(file) == [(), (), ("Two",), ("Two", "Three"), ("Four",), ("Five",)]


def test_heading_other_than_the_front_matter_title_stays_in_the_path() -> None:
    file = parsed("---\ntitle: Short\n---\n# A long heading\ntext\n", "a.md")
    assert (file.title, paths(file)) == ("Short", [("A long heading",)])


def test_heading_of_an_empty_section_becomes_text() -> None:
    file = parsed("# T\n## A\n## B\n### C\n## D\nx\n## E\n", "a.md")
    assert [(block.heading_path, block.text) for block in file.blocks] == [
        ((), "A"),
        (("B",), "C"),
        (("D",), "x"),
        ((), "E"),
    ]


def test_list_keeps_markers_numbers_nesting_and_code() -> None:
    block = of_kind(parsed(SAMPLE, "a.md"), BlockKind.LIST)[0]
    assert block.text.split("\n") == [
        "1. Ask your lead",
        "  book --now",
        "    # twice",
        "  - by mail",
        "  - by chat",
        "2. Wait",
    ]
    assert block.heading_path == ("Booking",)


def test_list_starts_at_its_number() -> None:
    assert texts(parsed("7. a\n8. b", "a.md")) == ["7. a\n8. b"]


def test_table_has_rows_and_a_header() -> None:
    block = of_kind(parsed(SAMPLE, "a.md"), BlockKind.TABLE)[0]
    assert block.header == "| City | Limit | Note |"
    assert block.text.split("\n") == [block.header, "| Oslo | 200 | a \\| b |", "| Bern | 180 | x |"]
    assert block.heading_path == ("Booking", "Limits")


def test_code_is_verbatim() -> None:
    code = [block.text for block in of_kind(parsed(SAMPLE, "a.md"), BlockKind.CODE)]
    assert code == ["def price():\n\n    return 1", "indented code"]


def test_title_of_a_code_fence_is_kept() -> None:
    assert texts(parsed('```yaml title="app.yml"\na: 1\n```', "a.md")) == ["app.yml", "a: 1"]


def test_spans_are_the_source_lines() -> None:
    file = parsed(SAMPLE, "a.md")
    by_start = {block.text.split("\n")[0].split()[0]: lines_of(SAMPLE, block) for block in file.blocks}
    assert by_start["Intro"].startswith("Intro with")
    assert by_start["Intro"].endswith("*here*.")
    assert by_start["1."].endswith("2. Wait")
    assert by_start["|"].startswith("<table>") or by_start["|"].startswith("| City")
    assert by_start["def"] == "```python\ndef price():\n\n    return 1\n```"
    assert by_start["indented"] == "    indented code"
    assert by_start["[1]"] == "[^1]: Foot text."
    assert by_start["Nothing"] == "## Nothing below"


def test_spans_count_every_kind_of_line_end() -> None:
    file = parsed("---\r\ntitle: T\r\n---\r\n\r\none\r\n\r\ntwo\u2028three\r\n\r\nfour", "a.md")
    assert [block.span.first_line for block in file.blocks] == [5, 7, 9]


def test_html_becomes_text_tables_and_headings() -> None:
    file = parsed("<h1 align=center>Tool</h1>\n\n<p>Hello<br>you</p>\n\n<!-- no -->\n\n<h2>Use</h2>\n\nx\n", "a.md")
    assert file.title == "Tool"
    assert [(block.text, block.heading_path, block.span.first_line) for block in file.blocks] == [
        ("Hello\nyou", (), 3),
        ("x", ("Use",), 9),
    ]


def test_html_table_with_blank_lines_and_markdown_in_it_is_one_table() -> None:
    rows = "<tr><th>A</th><th>B</th></tr>\n\n<tr><td>\n\n**bold** [x](y)\n\n- one\n\n</td><td>2</td></tr>"
    block = parsed(f"before\n\n<table>\n\n{rows}\n\n</table>\n\nafter\n", "a.md").blocks[1]
    assert (block.kind, block.header) == (BlockKind.TABLE, "| A | B |")
    assert block.text.split("\n")[1] == "| bold x - one | 2 |"
    assert (block.span.first_line, block.span.last_line) == (3, 15)


def test_html_table_without_an_end_takes_nothing_with_it() -> None:
    file = parsed("<table>\n<tr><td>a</td><td>b</td></tr>\n\n# T\n\n## Next\n\ntext\n", "a.md")
    assert file.title == "T"
    assert file.blocks[-1].heading_path == ("Next",)


def test_html_in_table_cells_keeps_words_apart() -> None:
    file = parsed("| a |\n|---|\n| <ul><li>one</li><li>two</li></ul> x<sup>2</sup> |\n", "a.md")
    assert file.blocks[0].text.split("\n")[1] == "| - one - two x^2 |"


def test_placeholders_that_look_like_tags_stay() -> None:
    file = parsed("Set `<a>` and <your-token> for <b>x</b>.\n\n<your_name> here\n", "a.md")
    assert texts(file) == ["Set <a> and <your-token> for x.", "<your_name> here"]


def test_headings_in_quotes_do_not_divide() -> None:
    file = parsed("# T\n## A\n> ## Inside\n\nafter\n", "a.md")
    assert [(block.text, block.heading_path) for block in file.blocks] == [("Inside", ("A",)), ("after", ("A",))]


def test_a_heading_as_long_as_a_paragraph_is_text() -> None:
    file = parsed(f"# T\n## {'long ' * 100}\nx\n", "a.md")
    assert paths(file) == [(), ()]


@pytest.mark.parametrize(
    "matter", ["- a\n- b", "just text", "a: [", "a: &x [1]\nb: *x", "a: !!python/name:os.system x"]
)
def test_front_matter_that_is_no_mapping_is_kept_as_text(matter: str) -> None:
    file = parsed(f"---\n{matter}\n---\n# T\nbody\n", "a.md")
    if "python" in matter:
        assert file.metadata == {}
    else:
        assert (file.blocks[0].kind, file.blocks[0].text) == (BlockKind.CODE, matter)
    assert file.blocks[-1].text == "body"


def test_front_matter_of_odd_values() -> None:
    matter = "title: 12\ndate: 2023-02-31\ntags: {a: b}\nauthor: [Ann, {name: Bob}]\nnumber: " + "9" * 5_000
    file = parsed(f"---\n{matter}\n---\nx\n", "a.md")
    assert (file.title, file.metadata) == ("12", {"author": "Ann, Bob"})


def test_front_matter_too_large_or_deep_is_text() -> None:
    for matter in ("a: " + "x" * 70_000, "a: " + "[" * 1_000):
        file = parsed(f"---\n{matter}\n---\nx\n", "a.md")
        assert file.blocks[0].text == matter


def test_nesting_that_is_allowed_is_complete() -> None:
    assert "deep" in words(parsed("> " * 40 + "deep", "a.md"))


def test_gigantic_table_is_refused() -> None:
    table = "|a|b|\n|-|-|\n" + "|1|2|\n" * 2_000
    assert shortened(table, "a.md", table_rows=1_000) == "a table of more than 1,000 rows"


def test_output_is_bounded_with_its_headings() -> None:
    text = f"# T\n## {'h' * 250}\n" + "x\n\n" * 1_000
    assert shortened(text, "a.md", output_characters=100_000) == "more than 100,000 characters of text"


def test_title_alone_is_a_document() -> None:
    file = parsed("# Only a title\n", "a.md")
    assert (file.title, file.blocks) == ("Only a title", ())


def test_comments_alone_are_empty() -> None:
    assert refusal("<!-- nothing -->\n\n[x]: https://example.com\n", "a.md") == "empty: no text in it"


def test_control_characters_do_not_come_through() -> None:
    file = parsed("a\x07b\u200bc&#0;d so\u00adft \ufeffx\n", "a.md")
    assert file.blocks[0].text == "abc\ufffdd soft x"


def test_speed() -> None:
    page = SAMPLE.split("---\n", 2)[2] * 20
    started = time.process_time()
    parsed(page, "a.md")
    assert time.process_time() - started < 10
