"""A reply comes in pieces of any size; what becomes of it must not depend on them."""

import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.reasoner import SynthesisInput
from agent.replies.units import complete, units
from agent.replies.writer import ReplyWriter
from agent.state import ReplyDraft, ReplyPiece
from domain.answers import Question
from domain.masking import Masker
from tests.fakes.agent import MEMBER, a_passage, an_analysis, an_evidence

PASSAGES = (
    a_passage("The walrus is fed at noon. It weighs 900 kg.\n\n```\nkb ask\nkb index docs\n```", "care"),
    a_passage("The toner costs 30 euros. See https://x.example/toner.", "toner"),
)
BRIEF = SynthesisInput(Question("x", MEMBER), an_analysis(), (), tuple(an_evidence(each) for each in PASSAGES))
SECRET = "hunter-2wo-Two!9"
KEY = f"-----BEGIN PRIVATE KEY-----\nMIIE\n\n{SECRET}\n\n-----END PRIVATE KEY-----"
PARTS = st.sampled_from(
    [
        *("The walrus is fed at noon [1].", "It weighs 900 kg [1].", "It weighs 901 kg [1].", "The toner costs [2]"),
        *("The walrus is not fed at noon [1].", "Yes. ", "**Care**\n", "The sources do not say who feeds it. "),
        *("Something else happened.", "30 euros", "[1]", "[2]", "[9]", "[1, 2]", ". ", "! ", "? ", ".", ":", "e.g. "),
        *("\n", "\n\n", " ", " ", "- ", "1. ", "# ", "| a | b |\n", "\n```\n", "kb ask\n", "\n~~~\n", "```"),
        *("![x](https://evil.example/q)", "[a](https://x.example/toner)", "https://x.example/toner", "Dr. ", "No. 5"),
        *(
            "the password",
            "=",
            f"password={SECRET}",
            f"password: {SECRET}",
            KEY,
            f"postgresql://a:{SECRET}@h/d",
            "token ",
        ),
        *("。", "…", "“", "”", "walrus ", "noon ", "The ", "and "),
    ]
)
TEXTS = st.lists(PARTS, min_size=1, max_size=14).map("".join)


def split(text: str, cuts: list[int]) -> list[str]:
    places = sorted({cut % (len(text) + 1) for cut in cuts} | {0, len(text)})
    return [text[start:end] for start, end in pairwise(places)]


def written(pieces: list[str]) -> tuple[ReplyDraft, list[str]]:
    """What became of a reply, and what was shown after each piece."""
    shown: list[str] = [""]
    states: list[str] = []
    writer = ReplyWriter(BRIEF, Masker(), lambda part: shown.append(part.text))
    for piece in pieces:
        writer.feed(ReplyPiece(piece))
        states.append("".join(shown))
    reply = writer.finish()
    return reply, [*states, "".join(shown)]


@settings(max_examples=40)
@given(TEXTS, st.lists(st.integers(0, 10_000), max_size=12))
def test_a_reply_in_pieces_is_the_reply_as_a_whole(text: str, cuts: list[int]) -> None:
    whole, _ = written([text])
    in_pieces, states = written(split(text, cuts))
    by_letters, _ = written(list(text))
    assert in_pieces == by_letters == whole
    assert all(later.startswith(earlier) for earlier, later in pairwise(states))
    assert states[-1] == whole.text


@settings(max_examples=30)
@given(TEXTS)
def test_nothing_is_shown_that_must_not_be(text: str) -> None:
    draft = written(list(text))[0]
    used = [int(n) for n in re.findall(r"\[(\d{1,3})\]", draft.text)]
    assert list(dict.fromkeys(used)) == [citation.n for citation in draft.citations]
    assert [citation.n for citation in draft.citations] == list(range(1, len(draft.citations) + 1))
    assert draft.found == bool(draft.citations)
    assert SECRET not in draft.text
    assert Masker().mask(draft.text).text == draft.text
    assert "901" not in draft.text
    assert "not fed" not in draft.text or any("not fed" in note for note in draft.notes)  # beside many other words
    assert "evil" not in draft.text


@given(TEXTS)
def test_units_together_are_the_text(text: str) -> None:
    assert "".join(units(text)) == text
    assert 0 <= complete(text) <= len(text)
