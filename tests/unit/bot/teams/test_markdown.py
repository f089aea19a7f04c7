import pytest

from bot.teams.escape import code, escape, escaped, label, without_calls
from bot.teams.markdown import literal, pages, streamable

CITED = [
    *("https://wiki.example/leave", "file:///docs/a.md", "https://wiki.example/x", "https://wiki.example/x_(y)&z"),
    *("https://wiki.example/", "https://wiki.example/a"),
]


def page(text: str) -> str:
    (only,) = pages(text, CITED)
    return only


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a & b <at>Ada</at>", "a &amp; b &lt;at&gt;Ada&lt;/at&gt;"),
        ("*a* _b_ snake_case ~c~ `d`", r"\*a\* \_b\_ snake_case \~c\~ \`d\`"),
        ("[a](b) ![c](d)", r"\[a\](b) !\[c\](d)"),
        ("[1] [2][3] [1](x) [1]: y [1][z]", r"[1] [2][3] [1]\(x) [1]\: y [1]\[z\]"),
        ("[1](1])", r"[1]\(1\])"),
        ("# a\n- b\n+ c\n1. d\n2) e\n> f\n=\n---", "\\# a\n\\- b\n\\+ c\n1\\. d\n2\\) e\n&gt; f\n\\=\n\\---"),
        ("see http://evil.example/?q=x.", "see `http://evil.example/?q=x`."),
        ("(www.evil.example), mailto:a@b.example", "(`www.evil.example`), `mailto:a@b.example`"),
        ("http://evil.example/`x`", "`http://evil.example/'x'`"),
        (r"a\*b", r"a\\\*b"),
        ("    indented", "indented"),
        ("a\x00\u202eb\u2028c", "ab\nc"),
    ],
)
def test_escaping(text: str, shown: str) -> None:
    assert escape(text) == shown


@pytest.mark.parametrize(("limit", "text"), [(5, "a…"), (7, "a &lt;…"), (12, "a &lt; b c")])
def test_a_cut_splits_no_entity(limit: int, text: str) -> None:
    assert escaped("a <\nb c", limit) == text


def test_calls_are_parted_where_texts_are_literal() -> None:
    assert without_calls("<at>x</at> <AT id='1'> <atom> < at>") == "< at>x< /at> < AT id='1'> <atom> < at>"
    assert code("<at>") == "`< at>`"
    assert label("[x] https://wiki.example") == r"\[x\] https://wiki.example"


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("10. a\n    - b", "10. a\n    - b"),
        ("[Leave](https://wiki.example/x)", "[Leave](https://wiki.example/x)"),
        ("[Leave](https://wiki.example/x_(y)&z)", "[Leave](https://wiki.example/x%5F%28y%29&amp;z)"),
        ("[Sign in](https://wiki.example/sign-in)", "Sign in (`https://wiki.example/sign-in`)"),
        ("[bank.example](https://wiki.example/)", "[https://wiki.example/](https://wiki.example/)"),
        ("<https://wiki.example/a>", "[https://wiki.example/a](https://wiki.example/a)"),
        ("http:`//evil.example`", "http:`//evil.example`"),
        ("``a ` b``", r"a \` b"),
        ("**[1]** `[1]`", "**[1]** `[1]`"),
        ("|a|b|\n|-|-|\n|1|2|", "```\na | b\n--+--\n1 | 2\n```"),
        ("", "(no text)"),
    ],
)
def test_markdown(markdown: str, shown: str) -> None:
    assert page(markdown) == shown


def test_an_item_that_begins_a_message_is_no_code() -> None:
    text = "- a\n" + "".join(f"  - {'word ' * 300}\n" for _ in range(12))
    first, *rest = pages(text)
    assert rest
    assert first.startswith("- a\n  - word")
    assert all(each.startswith("- word") for each in rest)


def test_what_is_literal_is_no_markdown() -> None:
    shown = "\\# a\n\n\\*b\\*  \n\\[`c](https://wiki.example`)"
    assert literal("# a\n\n*b*\n[c](https://wiki.example)") == [shown]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("One", ""),
        ("One.\n\n", ""),
        ("One.\n\nTwo", ""),
        ("One.\n\nTwo\n", "One."),
        ("One. [1]\n\n- a\n- b\n", "One. [1]"),
        ("One. [1]\n\n- a\n- b\n\nTwo\n", "One. [1]\n\n- a\n- b"),
        ("a\n\nhttps://wiki.example\n\nb\n\nc\n", "a"),
        ("a\n\n```\nb\n\nc\n", "a"),
        ("a\n\n|x|\n|-|\n|y|\n\nc\n", "a\n\n```\nx\n-\ny\n```"),
    ],
)
def test_what_can_be_streamed(text: str, shown: str) -> None:
    assert streamable(text) == shown


def test_a_stream_ends_where_a_message_is_full() -> None:
    text = "".join(f"{'word ' * 200}\n\n" for _ in range(20))
    assert pages(text)[0].startswith(streamable(text))
    assert 3_000 < len(streamable(text)) <= len(pages(text)[0])
