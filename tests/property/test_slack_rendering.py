import html
from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.conversation.actions import ShownPassage, SourceSummary
from bot.conversation.render_context import RenderContext
from bot.markup.plain_text import plain
from bot.slack import render, status_messages, views
from bot.slack.markdown import markdown_blocks
from bot.slack.mrkdwn import escaped, fallback, fallback_lines, streamable
from bot.slack.render import footer
from domain.answers import Answer, Outcome, Progress
from domain.conversation import MessageKey, RememberedQuestion
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
from tests.fakes.slack.checks import size
from tests.fakes.slack_limits import live_in_markdown, seen, wrong_with_message, wrong_with_plain, wrong_with_view

MASKER = Masker()

frames = st.builds(RenderContext, st.integers(1, 10**12), st.just(NOW), st.booleans(), st.booleans())


@given(outcomes, frames)
def test_slack_takes_any_outcome_and_nothing_in_it_is_live(outcome: Outcome, frame: RenderContext) -> None:
    answer = masked_answer(outcome, MASKER)
    messages = render.messages(answer, frame)
    assert messages
    for message in messages:
        assert wrong_with_message(message.text, message.blocks, allowed(answer.outcome)) == []
        assert len(message.blocks) <= 48
    below = footer(answer, frame)
    assert below == list(messages[-1].blocks[len(messages[-1].blocks) - len(below) :])


@given(outcomes, frames)
def test_slack_takes_any_outcome_without_blocks_and_nothing_in_it_is_live(
    outcome: Outcome, frame: RenderContext
) -> None:
    answer = masked_answer(outcome, MASKER)
    messages = render.plain_messages(answer, frame)
    assert messages
    for message in messages:
        assert wrong_with_plain(message.text, allowed(answer.outcome)) == []
        assert message.blocks == ()


@given(texts, st.integers(100, 4_000))
def test_of_a_text_that_is_parted_into_lines_nothing_is_lost(text: str, limit: int) -> None:
    lines = fallback_lines(text, limit)
    assert all(size(line) <= limit for line in lines)
    shown = html.unescape("".join(lines).replace("`", ""))
    assert "".join(shown.split()) == "".join(plain(text).replace("`", "'").split())


@given(texts)
def test_nothing_is_a_link_where_nothing_is_cited(text: str) -> None:
    answer = masked_answer(Answer(text, (), 0.0), MASKER)
    for message in render.messages(answer, RenderContext(1, NOW, private=False)):
        assert wrong_with_message(message.text, message.blocks) == []


@given(soup, st.data())
@example("a <!channel> [x](http://evil.example)", None)
def test_what_is_streamed_is_dead_however_it_is_cut(text: str, data: st.DataObject | None) -> None:
    assert live_in_markdown(streamable(text)) == []
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=8)) if data else []
    borders = sorted({0, len(text), *cuts})
    pieces = [text[start:end] for start, end in pairwise(borders)]
    shown = (streamable(piece, text[:start]) for start, piece in zip(borders, pieces, strict=False))
    assert live_in_markdown("".join(shown)) == []


@given(soup)
@example("<!channel> [a](http://evil.example) <http://evil.example> www.evil.example\n[1]: https://evil.example")
@example("[x]\x00(y)")
def test_what_is_streamed_is_dead_cut_in_two_anywhere_and_character_by_character(text: str) -> None:
    for place in range(len(text) + 1):
        assert live_in_markdown(streamable(text[:place]) + streamable(text[place:])) == []
    assert live_in_markdown("".join(map(streamable, text))) == []


@given(prose, st.booleans())
def test_no_word_is_lost_and_none_changes_its_place(spoken: list[tuple[str, str]], cited: bool) -> None:
    text = "".join(word + after for word, after in spoken)
    shown = markdown_blocks(text, {1: CITED} if cited else None)
    assert seen(shown).split() == text.split()


@given(st.lists(words, min_size=1, max_size=50), st.sampled_from(["- ", "> ", "1. ", "**", "`", "## ", "    ", "| "]))
def test_no_word_is_lost_in_markup(spoken: list[str], markup: str) -> None:
    text = "\n".join(markup + word for word in spoken)
    shown = seen(markdown_blocks(text))
    place = 0
    for word in spoken:
        place = shown.index(word, place) + len(word)


@pytest.mark.parametrize("length", [2_899, 2_900, 2_901, 12_000, 100_000])
@pytest.mark.parametrize("before", ["", "> ", "- ", "# ", "    "])
def test_a_long_line_is_all_there(length: int, before: str) -> None:
    line = ("x" * 37 + " ") * (length // 38) + "y" * (length % 38)
    assert "".join(seen(markdown_blocks(before + line)).split()).replace(before.strip(), "", 1) == "".join(line.split())


@given(texts, texts, urls, moments)
def test_slack_takes_any_passage(title: str, text: str, url: str, moment: datetime | None) -> None:
    view = views.passage_view(ShownPassage(title, url, title, title, text, moment))
    assert wrong_with_view(view, [url]) == []


@given(st.lists(st.tuples(soup, st.integers(0, 10**9), moments), max_size=120), st.booleans())
def test_slack_takes_any_home_and_any_list(rows: list[tuple[str, int, datetime | None]], admin: bool) -> None:
    key, sources = MessageKey("slack", "D1", "1.0"), [SourceSummary(*row) for row in rows]
    asked = [RememberedQuestion(name, key, moment or NOW, 1) for name, _, moment in rows]
    assert wrong_with_view(views.home_view(sources, asked, NOW, admin), [CITED]) == []
    status = views.status_message([(name, name * 5) for name, _, _ in rows])
    for message in (
        views.sources_message(sources, NOW),
        status,
        *(views.confirm_reindex(name) for name, _, _ in rows[:5]),
    ):
        assert wrong_with_message(message.text, message.blocks) == []


@given(texts, texts, st.integers(0, 100), st.integers(0, 9))
def test_slack_takes_any_notice(words: str, asked: str, percent: int, iteration: int) -> None:
    doing = Progress(MASKER.mask(words), percent, iteration=iteration)
    shown = [
        status_messages.progress(doing),
        status_messages.busy(words),
        status_messages.timed_out(7),
        status_messages.waiting(),
    ]
    shown.append(status_messages.with_question(status_messages.waiting(), MASKER.mask(asked)))
    for message in shown:
        assert wrong_with_message(message.text, message.blocks) == []
    task = status_messages.task(doing)
    assert 1 <= size(task["title"]) <= 256
    assert not any(token in task["title"] for token in ("<!", "<@", "<#"))


@given(texts, st.integers(1, 200))
def test_escaped_text_keeps_its_length(text: str, limit: int) -> None:
    assert size(escaped(text, limit)) <= limit
    assert size(fallback(text, limit)) <= limit
