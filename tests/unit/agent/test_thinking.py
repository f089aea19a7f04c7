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
    assert not (stream.lacked and ends_thinking(text))


@given(thought=st.text(alphabet="ab <>/\n"), reply=st.text())
def test_thinking_goes_and_the_reply_stays(thought: str, reply: str) -> None:
    for tag in ("think", "thinking", "thought", "reasoning", "seed:think"):
        assert without_thinking(f"\n<{tag}>{thought}</{tag}>{reply}") == reply


@given(thought=st.text(alphabet="ab <>/|[]\n"), cut=st.integers(1, 80))
def test_thinking_goes_in_whichever_tags_a_model_has_for_it(thought: str, cut: int) -> None:
    for opening, closing in (
        ("[THINK]", "[/THINK]"),
        ("<|begin_of_thought|>", "<|end_of_thought|>"),
        ("<|START_THINKING|>", "<|END_THINKING|>"),
        ("◁think▷", "◁/think▷"),
        ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
        ("<|start|>assistant<|channel|>analysis<|message|>", "<|channel|>final <|constrain|>json<|message|>"),
    ):
        text = f"{opening}{thought}{closing}It is 14 days [1]."
        assert without_thinking(text) == "It is 14 days [1]."
        stream = ReplyStream()
        assert stream.push(text[:cut]) + stream.push(text[cut:]) + stream.end() == "It is 14 days [1]."
        assert not stream.leaked
        assert not ends_thinking(text)


def test_of_the_channels_of_a_reply_the_final_one_is_given() -> None:
    final = "<|channel|>final<|message|>"
    call = "<|channel|>commentary to=x <|constrain|>json<|message|>{}<|call|>"
    for raw in (
        f"<|channel|>analysis<|message|>Is it 14?\n</think> [1]<|end|><|start|>assistant{final}It is 14.<|return|>",
        f"{final}It is 14.<|return|>",
        f"<|start|>assistant{final}It is 14.<|end|>",
        f"<|channel|>analysis<|message|>14?<|end|>{call}<|start|>assistant{final}It is 14.",
        f"analysis<|message|>14?<|end|><|start|>assistant{final}It is 14.<|return|>",
        "<|channel|>analysis<|message|>14?<|end|><|start|>assistant<|message|>It is 14.<|return|>",
        "analysisWe need 14.\nassistantfinalIt is 14.",
        "analysisWe need 14.assistantcommentary to=x{}assistantfinalIt is 14.",
        f"<|channel|>analysis<|message|>14?<|end|><|start|>assistant{final}It is 14.<|end|><|start|>assistant{final}N",
    ):
        assert without_thinking(raw) == "It is 14."
        for width in (1, 3, 7, 40):
            stream = ReplyStream()
            pieces = [raw[at : at + width] for at in range(0, len(raw), width)]
            assert "".join([*map(stream.push, pieces), stream.end()]) == "It is 14."
        assert not ends_thinking(raw)
    assert without_thinking("<|channel|>analysis<|message|>It may be", cut=True) == ""
    assert without_thinking("analysisWe need 14", cut=True) == ""
    for raw in ("analysis<|message|>So", "<|channel|>analysis<|message|>14?<|end|><|channel|>commentary<|message|>So"):
        assert without_thinking(raw) == ""
    assert without_thinking(f"{final}Use a < b, <b> or <|x", cut=True) == "Use a < b, <b> or <|x"


def test_a_reply_that_speaks_of_the_tags_stays() -> None:
    for text in (
        "The tag <think> opens it, and </think> closes it.",
        '{"standalone": "What does </think> mean?"}',
        "<thin",
        "a <think>",
        "The block ends with </think> and the answer follows [1].",
        "The block ends with `</think>`, and others with `</thought>` or `</reasoning>` [1].",
        "The template is [1]:\n```\n{thoughts}\n</think>\n{answer}\n```\nIt has no opening tag.",
        "Write `Done.</think>` there [1].",
        "analysis",
        "analysis of the word assistantfinal [1]",
        "analysisd reads it [1].",
    ):
        assert without_thinking(text) == text
        stream = ReplyStream()
        assert "".join([*map(stream.push, text), stream.end()]) == text
        assert not stream.leaked


def test_thinking_without_an_opening_tag_goes_however_the_closing_one_is_set() -> None:
    for thought in (
        "Is it 14?\n</think>\n\n",
        "It is 14.</think>",
        "\n\n</think>\n\n",
        "They say `</think>`.\n </think>",
        "It ends with </think> there.\n</think>\n",
    ):
        assert without_thinking(f"{thought}It is 14 days [1].").strip() == "It is 14 days [1]."
        stream = ReplyStream(untagged=True)
        pieces = [*map(stream.push, f"{thought}It is 14 days [1]."), stream.end()]
        assert "".join(pieces).strip() == "It is 14 days [1]."
        assert not stream.lacked


def test_a_model_known_to_leave_out_the_opening_tag_may_have_it() -> None:
    assert without_thinking("<think>So </think>it is.", untagged=True) == "it is."
    assert without_thinking("<think>on and on", untagged=True) == ""


def test_a_model_known_to_leave_out_the_opening_tag_may_reply_without_thinking() -> None:
    stream = ReplyStream(untagged=True)
    assert [stream.push("It is "), stream.push("14 days [1]."), stream.end()] == ["", "", "It is 14 days [1]."]
    assert stream.lacked


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
