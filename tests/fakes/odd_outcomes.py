"""Outcomes and texts that are odd in every way we could think of, to be rendered for chat platforms."""

from datetime import UTC, datetime

from hypothesis import strategies as st

from domain.answers import Answer, Citation, Declined, Failed, NearestDocument, NotFound, Outcome

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
CITED = "https://wiki.example/leave"

SLACK = (
    *("<!channel>", "<!here>", "<!everyone>", "<@U12345>", "<@U12345|ada>", "<#C12345|general>", "<!subteam^S1>"),
    *("<!date^1392734382^{date}|x>", "<http://evil.example|bank.com>", "<mailto:a@evil.example|b>", "<!", "<@", "<#"),
    *("<", ">", "!channel>", "@U12345>", "|", "&lt;!channel&gt;", "&#60;!here&#62;", "&", "&amp;", ":tada:", "@here"),
)
MARKDOWN = (
    *("\n", "\n\n", "  \n", "# ", "###### ", "> ", ">", "- ", "* ", "1. ", "7) ", "    ", "\t", "```\n", "~~~\n", "`"),
    *("``", "**", "*", "_", "__", "~~", "[", "]", "(", ")", "](", "![", "[1]", "[2]", "[1]: ", "| ", "|\n", "|-|-|\n"),
    *("---\n", "***\n", "===\n", "<b>", "<br>", "<!--", "\\", "- [ ] ", "- [x] ", "&nbsp;", "&colon;", "<a href="),
)
URLS = (
    *("http://evil.example/?q=secret", "https://wiki.example/leave", "https://wiki.example@evil.example/x", "://"),
    *("http:", "//", "www.", "www.evil.example", "(http://evil.example)", "<http://evil.example>", "evil.example"),
    *("https://wiki.example:8443/x", "HTTPS://WIKI.EXAMPLE/y", "javascript:alert(1)", "file:///etc/passwd"),
    *("https://wiki.example\\@evil.example", "https://wiki.example\u2028.evil.example", "https://évil.example/ü"),
)
TEAMS = (
    *(
        "<at>Ada</at>",
        "<at id='0'>",
        "< at >",
        "</at>",
        "<AT>x</AT>",
        "&lt;at&gt;",
        "<b onclick=x>",
        "<img src=x>",
        "<!--",
    ),
    *(
        "[1](",
        "[1]:",
        "[1][",
        "![1](",
        "[2]](http://evil.example)",
        "\\",
        "\\[",
        "`<at>`",
        "~~~\n",
        "````\n",
        "|-|\n",
        "==",
    ),
)
ODD = (
    "\x00",
    "\x1b",
    "\u202e",
    "\u200b",
    "\u2028",
    "\u0301",
    "\ud800",
    "😀",
    "👩‍👩‍👧",
    "名前",
    "Ω",
    "\u00a0",
    "\ufeff",
)

soup = st.lists(
    st.sampled_from([*SLACK, *TEAMS, *MARKDOWN, *URLS, *ODD, "word", " ", "a", "The answer is 42."])
    | st.text(max_size=20),
    max_size=60,
).map("".join)
long_soup = st.builds(lambda part, times: part * times, soup, st.integers(1, 300)).map(lambda text: text[:100_000])
texts = soup | long_soup | st.text(max_size=300)
urls = st.sampled_from([CITED, "file:///docs/a b.md", "https://wiki.example/|<!here>", *URLS]) | soup
moments = st.none() | st.datetimes(timezones=st.just(UTC))

citations = st.builds(
    Citation,
    n=st.integers(1, 999),
    title=soup,
    url=urls,
    path=soup,
    source=soup,
    document_id=st.just("0f"),
    section=soup,
    place=soup,
    quote=st.just(""),
    updated_at=moments,
)
answers = st.builds(
    Answer,
    texts,
    st.lists(citations, max_size=70, unique_by=lambda each: each.n).map(tuple),
    st.floats(0, 1),
    notice=texts,
    follow_ups=st.lists(texts, max_size=8).map(tuple),
)
nearest = st.lists(st.builds(NearestDocument, soup, urls, soup, soup, moments), max_size=40).map(tuple)
outcomes: st.SearchStrategy[Outcome] = st.one_of(
    answers,
    st.builds(NotFound, texts, nearest=nearest, notice=texts),
    st.builds(Declined, texts),
    st.builds(Failed, texts),
)


def allowed(outcome: Outcome) -> list[str]:
    match outcome:
        case Answer():
            found = [each.url for each in outcome.citations]
        case NotFound():
            found = [each.url for each in outcome.nearest]
        case _:
            found = []
    return found


words = st.text(st.characters(categories=["L"]), min_size=1, max_size=12)
prose = st.lists(
    st.tuples(words, st.sampled_from([" ", " ", " ", ". ", "\n", "\n\n", ", ", " [1] "])), min_size=1, max_size=3_000
)
