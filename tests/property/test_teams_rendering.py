import re
from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.conversation.actions import ShownPassage, SourceSummary
from bot.conversation.render_context import RenderContext
from bot.teams import card_templates, render, status_messages
from bot.teams.button_data import ButtonData, read_button_data
from bot.teams.escape import escape, escaped, short_line, without_calls
from bot.teams.markdown import pages, streamable
from bot.teams.outgoing_activities import card_message, text_message
from domain.answers import Answer, Outcome, Progress
from domain.masked_answer import masked_answer
from domain.masking import Masker
from tests.fakes.odd_outcomes import (
    CITED,
    NOW,
    allowed,
    moments,
    outcomes,
    prose,
    soup,
    texts,
    urls,
    words,
)
from tests.fakes.teams_limits import length, nodes, seen, utf16, wrong_with, wrong_with_card, wrong_with_text

MASKER = Masker()
frames = st.builds(RenderContext, st.integers(1, 10**12), st.just(NOW), st.booleans(), st.booleans())


@given(outcomes, frames)
def test_teams_takes_any_outcome_and_nothing_in_it_is_live(outcome: Outcome, frame: RenderContext) -> None:
    answer = masked_answer(outcome, MASKER)
    bodies = [each.serialize() for each in render.messages(answer, frame)]
    assert bodies
    for body in bodies:
        assert wrong_with(body, allowed(answer.outcome)) == []
        assert ("text" in body) != ("attachments" in body), "Teams takes no message that is both"
        assert ("entities" in body) == ("text" in body and isinstance(answer.outcome, Answer))
    assert not any("attachments" in body for body in bodies[:-1])
    assert not any("channelData" in body for body in bodies[1:])


@given(texts)
@example("[1](http://evil.example) [1][x] [1]: x\n[1]:\nhttp://evil.example")
@example("http:`//evil.example` http:`` //evil`.example ``")
@example("<at>Ada</at> `<at>Ada</at>`\n\n    <at>Ada</at>")
def test_nothing_is_a_link_where_nothing_is_cited(text: str) -> None:
    for page in pages(text):
        assert wrong_with_text(page, ()) == []
        assert length(page) <= 7_500


@given(soup)
def test_escaped_text_is_text_and_says_the_same(text: str) -> None:
    shown = escape(text)
    assert wrong_with_text(shown, ()) == []
    said = "".join(seen({"text": shown}).split())
    assert said == "".join(seen({"text": escape(seen({"text": shown}))}).split())


@given(texts, st.integers(1, 300))
def test_what_is_made_dead_once_stays_as_it_is(text: str, limit: int) -> None:
    assert without_calls(without_calls(text)) == without_calls(text)
    assert short_line(short_line(text, limit), limit) == short_line(text, limit)
    assert length(short_line(text, limit)) <= limit
    assert length(escaped(text, limit)) <= limit
    assert wrong_with_text(escaped(text, limit), ()) == []


@given(prose)
def test_what_is_rendered_is_rendered_as_it_is(spoken: list[tuple[str, str]]) -> None:
    text = "".join(word + after for word, after in spoken)[:4_000]
    (page, *more) = pages(text)
    assert not more
    assert pages(page) == [page]


@given(soup, st.lists(st.integers(0, 2_000), max_size=6), urls)
@example("```\n```\n<!channel>~~~\n", [], "https://wiki.example/a")
def test_what_is_streamed_is_never_taken_back(text: str, cuts: list[int], url: str) -> None:
    borders = sorted({min(each, len(text)) for each in cuts} | {0, len(text)})
    shown = [streamable(text[:border]) for border in borders]
    assert all(later.startswith(earlier) for earlier, later in pairwise(shown))
    assert pages(text, [url])[0].startswith(shown[-1])
    assert wrong_with_text(shown[-1], ()) == []


@given(soup)
@example("> ~~~\n<!channel>~~~\n~~~\n")
@example("```\n```\n<!channel>```\n```\n")
def test_what_is_streamed_character_by_character_is_never_taken_back(text: str) -> None:
    shown = [streamable(text[:border]) for border in range(min(len(text), 150) + 1)]
    assert all(later.startswith(earlier) for earlier, later in pairwise(shown))


@given(prose, st.booleans())
def test_no_word_is_lost_and_none_changes_its_place(spoken: list[tuple[str, str]], cited: bool) -> None:
    text = "".join(word + after for word, after in spoken)
    shown = pages(text, [CITED] if cited else [])
    assert " ".join(seen({"text": page}) for page in shown).split() == text.split()


@given(st.lists(words, min_size=1, max_size=50), st.sampled_from(["- ", "> ", "1. ", "**", "`", "## ", "    ", "| "]))
def test_no_word_is_lost_in_markup(spoken: list[str], markup: str) -> None:
    shown = "\n".join(seen({"text": page}) for page in pages("\n".join(markup + word for word in spoken)))
    place = 0
    for word in spoken:
        place = shown.index(word, place) + len(word)


@pytest.mark.parametrize("size", [7_499, 7_500, 7_501, 15_000, 100_000])
@pytest.mark.parametrize("before", ["", "> ", "- ", "# ", "    "])
def test_a_long_line_is_all_there(size: int, before: str) -> None:
    line = ("x" * 37 + " ") * (size // 38) + "y" * (size % 38)
    shown = "".join("".join(seen({"text": page}).split()) for page in pages(before + line))
    assert shown.removeprefix(before.strip()) == "".join(line.split())


@given(texts, texts, urls, moments)
def test_teams_takes_any_passage(title: str, text: str, url: str, moment: datetime | None) -> None:
    card = card_templates.passage_card(ShownPassage(title, url, title, title, text, moment))
    assert wrong_with_card(card, [url]) == []
    assert utf16(card_templates.dialog_response(title, card)) < 30_000


@given(st.lists(st.tuples(soup, st.integers(0, 10**9), moments), max_size=120))
def test_teams_takes_any_list_and_any_question_back(rows: list[tuple[str, int, datetime | None]]) -> None:
    cards = [
        card_templates.sources_card([SourceSummary(*row) for row in rows], NOW),
        card_templates.status_card([(name, name * 5) for name, _, _ in rows]),
    ]
    for name, _, _ in rows[:5]:
        cards += [
            card_templates.confirm_reindex(name),
            card_templates.confirm_share(7, MASKER.mask(name)),
            card_templates.sentence_card(name),
        ]
    for card in cards:
        assert wrong_with(card_message(card, "x").serialize()) == []


@given(texts, texts, st.integers(-5, 105), st.integers(0, 9))
def test_teams_takes_any_notice(said: str, asked: str, percent: int, iteration: int) -> None:
    doing = Progress(MASKER.mask(said), percent, iteration=iteration)
    for text in (status_messages.progress(doing), status_messages.refused(f"{said}. {asked}")):
        assert wrong_with(text_message(text).serialize()) == []
        assert wrong_with(render.with_question(text_message(text), MASKER.mask(asked)).serialize()) == []
    assert len(status_messages.progress(doing).encode("utf-16-le")) <= 1_024


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.sampled_from(["ask", "preview", "reindex"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["kb", "data", "action", "number", "n", "text", "kb_reason", "x"]), inner)
    ),
)


@given(json_values)
def test_whatever_comes_back_is_a_press_or_none(value: object) -> None:
    found = read_button_data(value)
    assert found is None or (0 <= found.number < 10**18 and isinstance(found.text, str))


@given(st.sampled_from(["ask", "preview", "again", "share"]), st.integers(0, 10**12), st.integers(0, 99), soup)
def test_a_press_comes_back_however_teams_delivers_it(word: str, number: int, n: int, text: str) -> None:
    sent = ButtonData(word, number, n, re.sub(r"[\ud800-\udfff]", "", text))  # type: ignore[arg-type] # one of them
    data = sent.payload
    assert (
        read_button_data(data)
        == read_button_data({"action": {"type": "Action.Execute", "data": data}})
        == read_button_data({"data": data})
    )
    found = read_button_data(data)
    assert found is not None
    assert (found.action, found.number, found.n) == (word, number, n)


def test_each_button_of_a_card_says_what_it_does() -> None:
    for card in (card_templates.confirm_reindex("wiki"), card_templates.confirm_share(7, MASKER.mask("Why?"))):
        sent = [node["data"] for node in nodes(card) if "data" in node]
        assert sent
        assert all(read_button_data(data) for data in sent)
