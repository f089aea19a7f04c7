"""Texts and patterns from a small alphabet, so that one often occurs in the other."""

import re2
from hypothesis import strategies as st

WORDS = """
    time timeout Timeout TIMEOUTS sometimes data database date table tables validate running ran the about thereabouts
    operationalizations nationality skies dying hopping user's getUserName HTTPServer PDFs iPhone l'iPhone OneDrive
    d'OneDrive KB_AGENT_DATA_DIR kb_agent v1.2.3 10.0.0.1 5432 1'000'000 2024-05-17 CVE-2024-1234 PROJ-12 ORA_00942
    résumé Émile naïve cafe\u0301 straße Größe ﬁle пароль Пароли ключ 密码 数据库 パスワード foo.bar don't inOut InOut_x
    e-mail co-op readme.md a.b.c x'inOut aB'cD'eF ＡＢＣ user\u2019sTimeOut Kelvin \u212aelvin e2e utf8 ½ tImEoUt
""".split()  # noqa: SIM905 - read and changed more easily as lines
JOINS = [" ", " ", " ", "\n", "_", "-", ".", "'", "’", "/", "(", "=", ", ", ": ", "é", "x", "S", "s", "1", ""]

texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(JOINS)), min_size=1, max_size=8).map(
    lambda pairs: "".join(word + join for word, join in pairs)
)


@st.composite
def pieces(draw: st.DrawFn, text: str) -> str:
    """A pattern for a part of `text`, more or less exact."""
    start = draw(st.integers(0, max(0, len(text) - 1)))
    part = text[start : start + draw(st.integers(1, 14))]
    quoted = str(re2.escape(part))
    whole = draw(
        st.sampled_from(["{}", "{}", "{}", r"\b{}", r"{}\b", r"\b{}\b", "({})", "(?:{})+", "(?P<n>{})", "{}$"])
    )
    how = draw(st.sampled_from(["as it is", "class", "optional", "any", "other", "quoted", "cased", "twice", "words"]))
    at = draw(st.integers(0, len(part) - 1))
    before, here, after = (re2.escape(each) for each in (part[:at], part[at], part[at + 1 :]))
    made = {
        "as it is": quoted,
        "class": f"{before}[{here if here != '^' else '.'}zq]{after}",
        "optional": f"{before}{here}?{after}",
        "any": f"{before}.*{after}",
        "other": f"(?:{quoted}|zebra)",
        "quoted": rf"\Q{part}\E" if "\\" not in part else quoted,
        "cased": f"{before}(?i:{here}{after})",
        "twice": f"{before}(?:{here}){{1,2}}{after}",
        "words": rf"{before}\w+{after}",
    }
    return whole.replace("{}", made[how])


@st.composite
def patterns(draw: st.DrawFn, text: str) -> str:
    """A pattern that may match within `text`: pieces of it, one after the other, or one of several."""
    parts = draw(st.lists(pieces(text), min_size=1, max_size=2))
    flags = draw(st.sampled_from(["", "", "(?i)", "^"]))
    return flags + draw(st.sampled_from([".*", "|", r"\s+", ""])).join(parts)
