"""What shows texts of documents and of models to people: each platform's messages, views, cards and streams."""

import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import accumulate, pairwise
from pathlib import Path

from bot.conversation.actions import ShownPassage
from bot.conversation.render_context import RenderContext
from bot.slack import render as slack
from bot.slack import views
from bot.slack.mrkdwn import streamable as slack_stream
from bot.teams import card_templates
from bot.teams import render as teams
from bot.teams.markdown import streamable as teams_stream
from bot.terminal import render as terminal
from bot.web.outcome_body import outcome_body
from bot.web.pages.layout import Viewer
from bot.web.pages.question_page import history_page, home_page, passage_page, question_page
from bot.web.reading_models import (
    EvidenceBody,
    Mark,
    PassageBody,
    PastQuestion,
    QuestionBody,
    SearchStep,
    StageBody,
    TraceBody,
)
from domain.answers import Answer, Citation, Declined, Failed, NearestDocument, NearQuote, NotFound, Outcome
from domain.masked_answer import MaskedAnswer, masked_answer
from domain.masking import Masker
from tests.attacks.surface import Meet
from tests.fakes.odd_outcomes import CITED, NOW
from tests.fakes.page_limits import wrong_on_page
from tests.fakes.slack_limits import live_in_markdown, wrong_with_message, wrong_with_view
from tests.fakes.teams_limits import wrong_with, wrong_with_card, wrong_with_text

SECONDS = 30
"""Of processor time, for one text: a limit against hanging. The slowest takes a second."""

FRAME = RenderContext(7, NOW, private=True, share=True)
STEERING = "\x00\x07\x08\x1b\x7f\x9b\u200e\u200f\u202a\u202e\u2066\u2069\ud800"
SHORT = 300
"""Characters of a text that is shown in every way, and streamed sign by sign."""

Wrong = Callable[[MaskedAnswer, str], Collection[str]]
"""What is wrong with an outcome of which every text is the attack, shown; and with what else shows that text."""


def outcomes(text: str) -> list[Outcome]:
    """Each outcome, with the text wherever a document or a model may put one; a long text is shown as an answer."""
    if len(text) > SHORT:
        return [Answer(text, (Citation(1, "", CITED, "", "", "0f", "", "", "", NOW),), 0.8)]
    cited = Citation(1, text, CITED, text, text, "0f", text, text, text, NOW)
    return [
        Answer(f"{text} [1]", (cited,), 0.8, text, follow_ups=(text,)),
        NotFound(
            text, nearest=(NearestDocument(text, CITED, text, text, None, quotes=(NearQuote(text, "c"),)),), notice=text
        ),
        Declined(text),
        Failed(text, why=text, next_step=text),
    ]


def showing(wrong: Wrong) -> Callable[[Path], AbstractAsyncContextManager[Meet]]:
    """A platform."""

    @asynccontextmanager
    async def opened(_folder: Path) -> AsyncIterator[Meet]:
        masker = Masker()

        async def meet(text: str) -> str:
            began = time.process_time()
            found = [each for outcome in outcomes(text) for each in wrong(masked_answer(outcome, masker), text)]
            used = time.process_time() - began
            return "; ".join(found)[:500] or (f"{used:.0f} s" if used > SECONDS else "")

        yield meet

    return opened


def _passage(text: str) -> ShownPassage:
    return ShownPassage(text[:300], CITED, text[:300], text[:300], text, NOW)


def _cited(answer: MaskedAnswer) -> list[str]:
    return [CITED] if isinstance(answer.outcome, Answer | NotFound) else []


def _in_slack(answer: MaskedAnswer, text: str) -> list[str]:
    found = [
        each
        for message in slack.messages(answer, FRAME)
        for each in wrong_with_message(message.text, message.blocks, _cited(answer))
    ]
    if isinstance(answer.outcome, Declined):  # once for each text
        found += wrong_with_view(views.passage_view(_passage(text)), [CITED])
        found += live_in_markdown("".join(map(slack_stream, text)))
    return found


def _in_teams(answer: MaskedAnswer, text: str) -> list[str]:
    found = [each for body in teams.messages(answer, FRAME) for each in wrong_with(body.serialize(), _cited(answer))]
    if isinstance(answer.outcome, Declined):
        found += wrong_with_card(card_templates.passage_card(_passage(text)), [CITED])
        shown = [teams_stream(part) for part in accumulate(text)]
        found += wrong_with_text(shown[-1], ())
        found += ["taken back"] * any(not late.startswith(early) for early, late in pairwise(shown))
    return found


def _in_a_terminal(answer: MaskedAnswer, _text: str) -> list[str]:
    shown = terminal.text_of(answer, show_sources=True, trace=True)
    return [f"steers: {sign!a}" for sign in STEERING if sign in shown]


def _on_a_page(answer: MaskedAnswer, text: str) -> list[str]:
    viewer, asked = Viewer("ann@example.com", "0"), _asked(answer, text)
    past = [PastQuestion(number=1, question=text, asked_at=NOW)]
    cited = _cited(answer)
    found = wrong_on_page(question_page(viewer, asked, past), cited)
    if isinstance(answer.outcome, Declined):  # once for each text
        found += [each for page in pages_beside(text) for each in wrong_on_page(page, [CITED])]
    return found


def _asked(answer: MaskedAnswer, text: str) -> QuestionBody:
    return QuestionBody(
        number=7,
        question=text,
        conversation="c" * 8,
        asked_at=NOW,
        state="posted",
        outcome=outcome_body(answer),
        corrected=False,
        trace=_trace(text),
    )


def pages_beside(text: str) -> list[str]:
    """The other pages that show a text."""
    viewer, past = Viewer("ann@example.com", "0"), [PastQuestion(number=1, question=text, asked_at=NOW)]
    passage = PassageBody(
        title=text,
        url=CITED,
        section=text,
        place=text,
        text=text,
        marks=(Mark(start=0, end=1),),
        updated_at=NOW,
        suspicious=True,
    )
    return [
        passage_page(viewer, 7, 1, passage),
        home_page(viewer, text, past),
        history_page(viewer, past, text),
    ]


def answer_page(text: str) -> str:
    """The page of an answer of which every text is this one."""
    answer = masked_answer(outcomes(text)[0], Masker())
    return question_page(Viewer("ann@example.com", "0"), _asked(answer, text), [])


def _trace(text: str) -> TraceBody:
    step = SearchStep(tool=text, iteration=1, ms=1.0, results=1, args={text: text}, note=text, error=text)
    read = EvidenceBody(path=text, chunk_id="1", tools=(text,), score=0.5, grade=None, iteration=1, cited=True)
    return TraceBody(
        mode=text,
        iterations=1,
        model_calls=0,
        tokens=0,
        searches=(step,),
        evidence=(read,),
        stages=(StageBody(stage=text, iteration=1, ms=1.0),),
        reasoning=(text,),
        withheld=False,
    )


web_pages = showing(_on_a_page)
slack_messages = showing(_in_slack)
teams_messages = showing(_in_teams)
terminal_text = showing(_in_a_terminal)
