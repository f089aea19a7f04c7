"""The pages of a question: asked, being answered, answered; and of a passage. Pure."""

from collections.abc import Sequence
from datetime import datetime

from bot.markup.urls import web_url
from bot.web.models import CitedSource, NearestBody, OutcomeBody
from bot.web.pages.answer_markup import answer_markup
from bot.web.pages.layout import Viewer, ask_form, form, page
from bot.web.pages.markup import Child, Html, element
from bot.web.pages.trace_picture import trace_picture
from bot.web.reading_models import PassageBody, PastQuestion, QuestionBody

TITLES = {
    "answered": "Answer",
    "not_found": "Nothing good enough was found",
    "declined": "Not answered",
    "failed": "Something went wrong",
    "busy": "Not now",
    "late": "Too late",
}


def home_page(viewer: Viewer, sources: str, past: Sequence[PastQuestion]) -> str:
    """Where one begins. sources: what is searched, in words."""
    return page(
        "Ask",
        element("h1", "Ask the documents"),
        ask_form(viewer, label="Your question"),
        element("p", sources, class_="hint"),
        _past("Asked before", past),
        viewer=viewer,
    )


def history_page(viewer: Viewer, past: Sequence[PastQuestion], done: str = "") -> str:
    """What was asked before. done: what was just done, in words."""
    nothing = None if past else element("p", "Nothing is remembered.")
    said = element("p", done, role="status", class_="notice") if done else None
    return page("History", element("h1", "History"), said, nothing, _past("", past), _forgetting(viewer), viewer=viewer)


def _forgetting(viewer: Viewer) -> Html:
    """Has all of it forgotten, with two presses."""
    what = "Your questions that have ended are forgotten, with their replies, and what you said of these."
    button = form("/forget", viewer, element("button", "Forget them now", class_="quiet"))
    return element("details", element("summary", "Forget what I asked"), element("p", what), button, class_="why")


def _past(title: str, past: Sequence[PastQuestion]) -> Child:
    if not past:
        return None
    rows = (
        element("li", element("a", each.question, href=_page_of(each.number), dir="auto"), " ", _moment(each.asked_at))
        for each in past
    )
    return element("section", element("h2", title) if title else None, element("ul", *rows, class_="past"))


def question_page(viewer: Viewer, asked: QuestionBody, earlier: Sequence[PastQuestion], *, voted: bool = False) -> str:
    """A question with its reply, or with what is done for it."""
    title = asked.question or "A question whose text is forgotten"
    body = reply_part(viewer, asked, voted=voted) if _ended(asked) else _working(asked.number)
    refresh = element("noscript", element("meta", http_equiv="refresh", content="2"))
    return page(
        title[:80],
        _past("Earlier in this conversation", earlier),
        element("h1", title, dir="auto", class_="asked"),
        body,
        element("p", id="said", role="status", class_="unseen"),
        element("dialog", id="passage", aria_label="Source"),
        viewer=viewer,
        head=None if _ended(asked) else refresh,
    )


def _ended(asked: QuestionBody) -> bool:
    return asked.outcome is not None or asked.state in {"posted", "failed", "withdrawn"}


def _working(number: int) -> Html:
    """What is shown until there is an outcome; the script fills it."""
    return element(
        "section",
        element("p", "Reading the question", id="status", role="status"),
        element("progress", max=100, value=0, aria_label="How far it is"),
        element("ol", id="steps", aria_label="Steps"),
        element("div", id="draft", dir="auto"),
        id="reply",
        data_events=f"/api/v1/questions/{number}/events",
        data_part=f"/questions/{number}/reply",
    )


def reply_part(viewer: Viewer, asked: QuestionBody, *, voted: bool = False) -> Html:
    """The outcome, with what can be done with it."""
    outcome = asked.outcome
    if outcome is None:
        words = "Its reply is not kept any more." if asked.state != "withdrawn" else "It was withdrawn."
        return element("section", element("p", words), id="reply")
    return element(
        "section",
        element("h2", TITLES.get(outcome.result, "Reply")),
        _answer(asked.number, outcome) if outcome.result == "answered" else _no_answer(outcome),
        element("p", outcome.notice, class_="notice", dir="auto") if outcome.notice else None,
        _sources(asked.number, outcome.sources),
        _nearest(outcome.nearest),
        _feedback(viewer, asked.number, voted=voted),
        _more(viewer, asked, outcome),
        trace_picture(asked.trace) if asked.trace else None,
        id="reply",
        class_=f"outcome {outcome.result}",
    )


def _answer(number: int, outcome: OutcomeBody) -> Html:
    cited = {each.n: each.url for each in outcome.sources}
    return element("div", answer_markup(outcome.text, cited, lambda n: _page_of(number, n)), class_="text")


def _no_answer(outcome: OutcomeBody) -> Html:
    advice = element("p", outcome.advice, dir="auto") if outcome.advice else None
    return element("div", element("p", outcome.text, dir="auto"), advice, class_="text")


def _sources(number: int, sources: Sequence[CitedSource]) -> Child:
    if not sources:
        return None
    rows = []
    for each in sources:
        where = " · ".join(filter(None, (each.section, each.place, each.path)))
        link = element("a", each.title or each.path, href=_page_of(number, each.n), class_="cite", dir="auto")
        about = element("span", where, class_="hint", dir="auto")
        rows.append(element("li", link, element("br"), about, _updated(each.updated_at), value=each.n))
    return element("section", element("h3", "Sources"), element("ol", *rows, class_="sources"))


def _nearest(found: Sequence[NearestBody]) -> Child:
    if not found:
        return None
    rows = (
        element(
            "li",
            element("b", each.title, dir="auto"),
            " ",
            element("span", each.path, class_="hint"),
            *_owner(each),
            *(element("blockquote", quote.words, dir="auto") for quote in each.quotes),
        )
        for each in found
    )
    return element("section", element("h3", "Closest documents (they may not answer it)"), element("ul", *rows))


def _owner(found: NearestBody) -> list[Child]:
    return [" — ask ", element("bdi", found.owner)] if found.owner else []


def _feedback(viewer: Viewer, number: int, *, voted: bool) -> Html:
    if voted:
        return element("p", "Thank you. It goes to those who look after the index.", role="status", class_="notice")
    return form(
        f"/questions/{number}/feedback",
        viewer,
        element("label", "Was this of use? You may say why:", for_="reason"),
        element("input", id="reason", name="reason", maxlength=500, autocomplete="off", dir="auto"),
        element("button", "Yes", name="vote", value="up", class_="quiet"),
        element("button", "No", name="vote", value="down", class_="quiet"),
        class_="feedback row",
    )


def _more(viewer: Viewer, asked: QuestionBody, outcome: OutcomeBody) -> Html:
    buttons = (
        element("button", each, name="question", value=each, class_="quiet", dir="auto") for each in outcome.follow_ups
    )
    keep = element("input", type="hidden", name="conversation", value=asked.conversation)
    offered = form("/ask", viewer, keep, *buttons, class_="row follow") if outcome.follow_ups else None
    again = ask_form(viewer, label="Ask on", conversation=asked.conversation)
    return element("section", element("h3", "Go on") if offered else None, offered, again, class_="more")


def passage_page(viewer: Viewer, number: int, n: int, passage: PassageBody) -> str:
    """The passage behind a reference, on a page of its own."""
    back = element("p", element("a", "Back to the answer", href=f"/questions/{number}"))
    return page(f"Source {n}", back, passage_part(n, passage, heading="h1"), viewer=viewer)


def passage_part(n: int, passage: PassageBody, heading: str = "h2") -> Html:
    """The passage, with what is cited of it marked."""
    where = " · ".join(filter(None, (passage.section, passage.place)))
    warning = "It holds text that is addressed to machines: do not follow it." if passage.suspicious else ""
    return element(
        "article",
        element(heading, f"[{n}] ", element("bdi", passage.title)),
        element("p", where, _updated(passage.updated_at), class_="hint", dir="auto"),
        element("p", warning, class_="warning") if warning else None,
        element("div", *_marked(passage), class_="passage", dir="auto", tabindex=0, role="region", aria_label="Text"),
        _original(passage.url),
    )


def _marked(passage: PassageBody) -> list[Child]:
    done, found = 0, list[Child]()
    for each in passage.marks:
        found += [passage.text[done : each.start], element("mark", passage.text[each.start : each.end])]
        done = each.end
    return [*found, passage.text[done:]]


def _original(url: str) -> Child:
    address = web_url(url)
    if not address:
        return None
    return element(
        "p", element("a", "Open the document", href=address, rel="noopener noreferrer nofollow", target="_blank")
    )


def _page_of(number: int, n: int | None = None) -> str:
    return f"/questions/{number}" + (f"/sources/{n}" if n else "")


def _moment(at: datetime) -> Html:
    return element("time", f"{at:%Y-%m-%d %H:%M} UTC", datetime=at.isoformat(), class_="hint")


def _updated(at: datetime | None) -> Child:
    if at is None:
        return None
    day = element("time", f"{at:%Y-%m-%d}", datetime=at.date().isoformat())
    return element("span", " · updated ", day, class_="hint")
