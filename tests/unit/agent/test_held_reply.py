"""What of a reply is handed on as it comes, and what only once it is whole."""

import time

import pytest

from agent.replies.held_reply import HeldReply

WIDTHS = (1, 4, 11, 1_000)
SAID = "Leave is 30 days [1]."


def given(text: str, width: int, *, broken: bool = False) -> tuple[str, str]:
    """What is handed on while a reply comes in pieces, and at its end."""
    reply = HeldReply()
    early = "".join(reply.push(text[at : at + width]) for at in range(0, len(text), width))
    return early, reply.end(broken=broken)


def whole(text: str, *, broken: bool = False) -> str:
    """What is handed on in all; in whichever pieces a reply comes, it is the same."""
    (found,) = {"".join(given(text, width, broken=broken)) for width in WIDTHS}
    return found


@pytest.mark.parametrize("fence", ["```markdown", "```md", "```", "```Markdown", "````markdown", "~~~md", " ```\tmd "])
def test_a_reply_within_a_fence_is_what_stands_within_it(fence: str) -> None:
    marks = fence.strip().rstrip("Mmarkdown\t")
    assert whole(f"{fence}\n{SAID}\n\n- It ends in March. [2]\n{marks}\n") == f"{SAID}\n\n- It ends in March. [2]"


def test_code_within_a_reply_within_a_fence_stays() -> None:
    inner = f"{SAID} Run it [2]:\n\n```sh\nkb index\n```\n\nThen ask [3]."
    assert whole(f"```markdown\n{inner}\n```") == inner
    bare = inner.replace("```sh", "```")
    assert whole(f"````markdown\n{bare}\n````") == bare


@pytest.mark.parametrize(
    "text",
    [
        SAID,
        f"```\nkb index\n```\n{SAID}",
        f"```markdown\n# Title [1]\n```\n{SAID}",
        f"{SAID}\n```markdown\n# Title [1]\n```",
        "```\nkb index\n```",
        "```sh\nkb index [1]\n```",
        f"```\nkb index\n```\n{SAID}\n```\nkb ask\n```",
        "`kb index` makes it [1].",
        f"```markdown\n{SAID}\n```\n\n \nAnd so on",
        f"```markdown\n{SAID}\n```\n```",
    ],
)
def test_other_code_is_code(text: str) -> None:
    assert whole(text) == text


@pytest.mark.parametrize("line", ["x = 1\n", "x\n"])
def test_a_long_reply_within_a_fence_is_read_once(line: str) -> None:
    text = f"```markdown\n```python\n{line * (28_000 // len(line))}"
    start = time.process_time()
    given(text, 4)
    assert time.process_time() - start < 2


def test_a_reply_within_a_fence_that_breaks_off_is_what_stands_within_it() -> None:
    for width in WIDTHS:
        assert given(f"```markdown\n{SAID} It", width, broken=True) == ("", f"{SAID} It")


@pytest.mark.parametrize(
    "text",
    [
        "NOT FOUND",
        "**Not found**, I am afraid.",
        "NOT FOUND [1]",
        "The passages do not say how many there are [1].",
        "I cannot determine how many there are from the passages [1].",
        "I cannot determine how many there are from the passages [1]. The sources contain no information on that [2].",
        "NOT FOUND. The passages do not say how many there are [1].",
        "Die Passagen sagen nicht, wie viele es sind [1].",
        "```markdown\nThe passages do not say how many there are [1].\n```",
        " \n",
    ],
)
def test_a_reply_that_only_says_what_is_not_said_finds_nothing(text: str) -> None:
    assert whole(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        f"The passages do not say how many there are [1]. {SAID}",
        f"{SAID} The passages do not say how many there are.",
        "The passages do not say how many there are [1]. They only say that lunch is served there [1].",
        f"NOT FOUND, but {SAID}",
        "The cause of the fire could not be determined from the evidence [1].",
        "The contract document does not specify a fixed end, it renews each year by 12 months [1].",
        "The sources do not mention a fixed end, it renews each year [1].",
        "The public documents do not contain names of customers [1].",
        "Die Ursache des Brandes kann aus den Belegen nicht bestimmt werden, die Versicherung zahlt die Hälfte [1].",
    ],
)
def test_a_reply_with_a_statement_beside_it_is_one(text: str) -> None:
    assert whole(text) == text


def test_a_reply_is_handed_on_from_its_first_statement() -> None:
    rest = " It begins in January, as the handbook has it. It ends in December, which nobody knew before."
    early, late = given(SAID + rest, 1)
    assert early.startswith(SAID)
    assert late == ""


def test_of_a_reply_that_breaks_off_what_was_held_is_handed_on() -> None:
    assert whole("Leave is", broken=True) == "Leave is"
    assert whole("NOT FO", broken=True) == ""
