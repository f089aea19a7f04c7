import pytest

from bot.markup.urls import AllowedAddresses, pretends, web_url
from bot.slack.mrkdwn import escape, escaped, fallback, link, mrkdwn, plain_text, streamable
from tests.fakes.slack.checks import size


def test_exactly_three_characters_are_escaped() -> None:
    assert escape("a & b <!channel> *c* _d_ `e` \"f\" 'g' 😀") == (
        "a &amp; b &lt;!channel&gt; *c* _d_ `e` \"f\" 'g' 😀"
    )


def test_an_entity_is_escaped_as_well() -> None:
    assert escape("&lt;!here&gt;") == "&amp;lt;!here&amp;gt;"


def test_what_steers_a_display_is_dropped() -> None:
    assert escape("a\x00\u202eb\u2028c") == "ab\nc"


@pytest.mark.parametrize(("limit", "text"), [(7, "a &lt;…"), (6, "a…"), (9, "a &lt; b…"), (12, "a &lt; b c d")])
def test_a_cut_splits_no_entity(limit: int, text: str) -> None:
    assert escaped("a <\nb c d", limit) == text


def test_a_cut_splits_no_character() -> None:
    assert escaped("😀😀😀", 5) == "😀😀…"
    assert size(escaped("😀" * 9, 6)) <= 6


@pytest.mark.parametrize(
    ("url", "label", "text"),
    [
        ("https://host.example/a", "A page", "<https://host.example/a|A page>"),
        ("https://host.example/?a=1&b=2", "R&D", "<https://host.example/?a=1&amp;b=2|R&amp;D>"),
        ("https://host.example/a b|c>", "x|y<z>\nw", "<https://host.example/a%20b%7Cc%3E|x¦y‹z› w>"),
        ("https://host.example/ü", "", "<https://host.example/%C3%BC|https://host.example/ü>"),
        ("mailto:ada@host.example", "Ada", "<mailto:ada@host.example|Ada>"),
        ("javascript:alert(1)", "<b>", "&lt;b&gt;"),
        ("file:///docs/a.md", "A", "A"),
        ("slack://open", "A", "A"),
        ("", "A", "A"),
        ("https://host.example/" + "a" * 3_000, "A", "A"),
        ("https://host.example/" + "&" * 1_000, "A", "A"),
        ("https://host.example/", "bank.example", "bank.example <https://host.example/>"),
    ],
)
def test_links(url: str, label: str, text: str) -> None:
    assert link(url, label) == text


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("HTTPS://Host.Example/Path", "https://host.example/Path"),
        ("https://host.example:8443/a?b#c", "https://host.example:8443/a?b#c"),
        ("https://host.example/%20", "https://host.example/%20"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://user@host.example/", ""),
        ("https://good.example\\@host.example/", ""),
        ("https://host.example/a\nb", ""),
        ("https:///a", ""),
        ("https://[::1/", ""),
        ("//host.example", ""),
        ("ftp://host.example", ""),
        ("mailto:a@b.example", ""),
    ],
)
def test_addresses_that_may_be_linked(url: str, safe: str) -> None:
    assert web_url(url) == safe


def test_an_address_is_allowed_for_itself_and_places_in_its_page() -> None:
    cited = ["https://wiki.example/a", "https://wiki.example/b#one", "https://wiki.example/#/c", "file:///docs"]
    allowed = AllowedAddresses.of([*cited, "https://port.example:8443/"])
    for page in ("a", "a#two", "b", "b#one", "b#two", "#/c"):
        assert allowed.link(f"https://WIKI.example/{page}") == f"https://wiki.example/{page}"
    for other in (
        *(
            "https://wiki.example/other",
            "https://wiki.example/a/",
            "https://wiki.example/a?x=1",
            "http://wiki.example/a",
        ),
        *("https://wiki.example/", "https://wiki.example/#/other", "https://wiki.example/a#/other"),
        "https://wiki.example.evil.example/a",
        "https://wiki.example:81/",
        "https://port.example/",
        "file:///docs",
    ):
        assert allowed.link(other) == ""


@pytest.mark.parametrize("label", ["bank.example", "see https://bank.example/x", "//bank.example", "www.bank.example"])
def test_labels_that_pretend(label: str) -> None:
    assert pretends(label, "https://host.example/a")


@pytest.mark.parametrize(
    "label", ["host.example", "www.host.example/b", "https://host.example", "leave.md", "v1.2", "a.b"]
)
def test_labels_that_do_not(label: str) -> None:
    assert not pretends(label, "https://host.example/a")


def test_text_objects() -> None:
    assert mrkdwn("*a*") == {"type": "mrkdwn", "text": "*a*", "verbatim": True}
    assert plain_text("<!here>\nall :tada:", 75)["text"] == "< !here> all :tada:"
    assert plain_text(" \n", 75)["text"] == "–"
    assert plain_text("a" * 80, 75)["text"] == "a" * 74 + "…"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a <!channel> & b", "a &lt;!channel&gt; &amp; b"),
        ("see https://evil.example/?q=1&r=2.", "see `https://evil.example/?q=1&amp;r=2.`"),
        ("`www.evil.example`", "`'www.evil.example'`"),
        ("  two\nlines  ", "two\nlines"),
    ],
)
def test_the_text_of_a_message(text: str, shown: str) -> None:
    assert fallback(text) == shown


def test_the_text_of_a_message_is_cut() -> None:
    assert size(fallback("word " * 1_000)) <= 3_000
    assert fallback("word " * 1_000).endswith("…")
    assert fallback("a https://evil.example/long", 12) == "a …"
    assert fallback("<" * 10, 10) == "&lt;&lt;…"


@pytest.mark.parametrize(
    ("part", "shown"),
    [
        ("Thirty days. [1]", "Thirty days. [1]"),
        ("**a** `b`\n> c\n# d\n- e", "**a** `b`\n> c\n# d\n- e"),
        ("<!channel> a < b", "&lt;!channel> a &lt; b"),
        ("[x](http://evil.example)", "[x] (http:// evil.example)"),
        ("![x](http://evil.example)", "![x] (http:// evil.example)"),
        ("[1]: http://evil.example", "[1] : http:// evil.example"),
        ("www.evil.example", "www .evil.example"),
        ("(so)", " (so)"),
        ("/etc", " /etc"),
        ("", ""),
    ],
)
def test_pieces_of_a_stream(part: str, shown: str) -> None:
    assert streamable(part) == shown


@pytest.mark.parametrize(
    ("before", "part", "shown"),
    [
        ("cd ", "/etc", "/etc"),
        ("see\n", "(so)", "(so)"),
        ("[x]", "(http://evil.example)", " (http:// evil.example)"),
        ("[x]\x0b", "(http://evil.example)", " (http:// evil.example)"),
        ("http:", "//evil.example", " //evil.example"),
    ],
)
def test_a_piece_of_a_stream_that_begins_a_word_is_left_as_it_is(before: str, part: str, shown: str) -> None:
    assert streamable(part, before) == shown


def test_a_label_that_is_too_long_ends_with_a_whole_word() -> None:
    label = "“5 Changing the battery” – what does “Installation guide: Drop and Collar sensors” say about it?"
    assert plain_text(label, 75)["text"] == "“5 Changing the battery” – what does “Installation guide: Drop and Collar…"
