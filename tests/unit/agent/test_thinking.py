from hypothesis import given
from hypothesis import strategies as st

from agent.providers.thinking import ReplyStream, ends_thinking, without_thinking

_PIECES = st.lists(
    st.sampled_from(["<think>", "</think>", "<th", "ink>", "</thin", "k>", " ", "\n", "so [1].", "<", ">", "{", "a<b"]),
    max_size=12,
)


@given(pieces=_PIECES)
def test_a_stream_gives_what_the_whole_reply_has(pieces: list[str]) -> None:
    text = "".join(pieces)
    stream = ReplyStream(untagged=ends_thinking(text))
    assert "".join([*map(stream.push, pieces), stream.end()]) == without_thinking(text)


@given(thought=st.text(alphabet="ab <>/\n"), reply=st.text())
def test_thinking_goes_and_the_reply_stays(thought: str, reply: str) -> None:
    for tag in ("think", "thinking", "thought", "reasoning"):
        assert without_thinking(f"\n<{tag}>{thought}</{tag}>{reply}") == reply


def test_a_reply_that_speaks_of_the_tags_stays() -> None:
    for text in (
        "The tag <think> opens it, and </think> closes it.",
        '{"standalone": "What does </think> mean?"}',
        "<thin",
        "a <think>",
    ):
        assert without_thinking(text) == text


def test_a_model_known_to_leave_out_the_opening_tag_may_reply_without_thinking() -> None:
    stream = ReplyStream(untagged=True)
    assert [stream.push("It is "), stream.push("14 days [1]."), stream.end()] == ["", "", "It is 14 days [1]."]


@given(pieces=_PIECES)
def test_a_stream_tells_that_what_it_gave_was_thinking(pieces: list[str]) -> None:
    stream = ReplyStream()
    for piece in pieces:
        stream.push(piece)
    assert stream.leaked is ends_thinking("".join(pieces))


def test_what_was_cut_within_thinking_is_no_reply() -> None:
    stream = ReplyStream(untagged=True)
    assert [stream.push("It may be "), stream.end(cut=True)] == ["", ""]
    assert without_thinking("It may be ", untagged=True, cut=True) == ""
    assert without_thinking('{"score": 1', untagged=True, cut=True) == '{"score": 1', "JSON is no thinking"
    assert without_thinking("It is 14 days [1].", untagged=True) == "It is 14 days [1]."
    assert without_thinking("It is 14 days [1].", cut=True) == "It is 14 days [1]."
