from typing import Any

import pytest

from tests.fakes.teams_limits import wrong_with, wrong_with_text
from tests.golden.chats import shown
from tests.golden.slack import LINKED
from tests.golden.teams import FOLDER, files

FILES = files()
CITED = ["https://wiki.example/leave?a=1&b=(2)", "https://wiki.example/vpn", *LINKED]


@pytest.mark.parametrize("name", FILES)
def test_teams_is_sent_what_the_file_holds(name: str) -> None:
    golden = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert shown(FILES[name]) == golden, "if it was meant to change: python -m tests.golden.teams --write"


def test_every_file_is_compared() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(FILES)


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("markdown_")])
def test_teams_takes_the_texts(name: str) -> None:
    for lines in FILES[name]:
        assert wrong_with_text("\n".join(lines), CITED) == []


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith(("outcome_", "notice_", "card_"))])
def test_teams_takes_the_messages(name: str) -> None:
    for body in FILES[name]:
        assert wrong_with(body, CITED) == []


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", "textFormat": "markdown", "text": text, **more}


def carded(*elements: dict[str, Any]) -> dict[str, Any]:
    card = {"type": "AdaptiveCard", "version": "1.5", "body": list(elements)}
    return said("", attachments=[{"contentType": "application/vnd.microsoft.card.adaptive", "content": card}])


def cited(*claims: dict[str, Any], **more: Any) -> dict[str, Any]:
    root = {"type": "https://schema.org/Message", "@type": "Message", "additionalType": ["AIGeneratedContent"]}
    return said("x [1]", entities=[{**root, "citation": list(claims), **more}])


def claim(**appearance: Any) -> dict[str, Any]:
    shown = {
        "@type": "DigitalDocument",
        "name": "A",
        "abstract": "B",
        "image": {"@type": "ImageObject", "name": "Text"},
    }
    return {"@type": "Claim", "position": 1, "appearance": {**shown, **appearance}}


def test_what_is_right_is_taken() -> None:
    run = {"type": "TextRun", "text": "<b> [x](y)"}
    assert wrong_with(carded({"type": "RichTextBlock", "inlines": [run]}), CITED) == []
    assert wrong_with(cited(claim(url="https://wiki.example/a")), CITED) == []


@pytest.mark.parametrize(
    "body",
    [
        said(""),
        said("<at>Ada</at>"),
        said("<b>x</b>"),
        said("[x](https://evil.example)"),
        said("see https://evil.example"),
        said("www.evil.example"),
        said("![x](https://wiki.example/x.png)"),
        said("# x"),
        said("a | b\n--|--\n1 | 2"),
        said("x\n\n---"),
        said("x" * 40_000),
        said("x", mentions=[]),
        said("x", suggestedActions={"actions": [{"value": "x"}] * 4}),
        cited(claim(), claim()),
        cited(claim(name="x" * 81)),
        cited(claim(abstract="")),
        cited(claim(url="https://evil.example")),
        said("[x](https://wiki.example/another)"),
        cited(claim(image={"@type": "ImageObject", "name": "Word"})),
        cited(claim(), additionalType=[]),
        cited({**claim(), "position": 2}),
        cited(*({**claim(), "position": n} for n in range(1, 22))),
        carded(),
        carded({"type": "TextBlock", "text": "[x](https://wiki.example)"}),
        carded({"type": "RichTextBlock", "inlines": []}),
        carded({"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": ""}]}),
        carded(
            {"type": "ActionSet", "actions": [{"type": "Action.OpenUrl", "title": "x", "url": "https://evil.example"}]}
        ),
        carded(
            {
                "type": "ActionSet",
                "actions": [{"type": "Action.ToggleVisibility", "title": "x", "targetElements": ["y"]}],
            }
        ),
        carded({"type": "Media"}),
        carded({"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": "x" * 13_000}]}),
    ],
)
def test_what_teams_would_not_take_is_seen(body: dict[str, Any]) -> None:
    assert wrong_with(body, CITED)
