"""The frame of every page. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.web.callers import CSRF_FIELD
from bot.web.pages.markup import Child, Html, element, joined

HEADERS: Mapping[str, str] = {
    "Server": "kb-agent",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""Of every page: nothing is loaded from elsewhere, and nothing that stands in a page runs."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks at a page. name: whom they are signed in as; empty in the trial. csrf: see Caller. administers: whether
    the pages to operate are open to them."""

    name: str
    csrf: str
    administers: bool = False


def page(title: str, *body: Child, viewer: Viewer | None, head: Child = None) -> str:
    """A whole page. head: what else its head holds."""
    meta = joined(
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{title} · kb"),
        element("link", rel="icon", href="/static/icon.svg", type="image/svg+xml"),
        element("link", rel="stylesheet", href="/static/pages.css"),
        element("script", src="/static/pages.js", defer=True),
        head,
    )
    shown = joined(
        element("a", "Skip to the content", href="#main", class_="skip"),
        _banner(viewer),
        element("main", *body, id="main", tabindex=-1),
        _footer(viewer),
    )
    return "<!DOCTYPE html>\n" + element("html", element("head", meta), element("body", shown), lang="en")


def _banner(viewer: Viewer | None) -> Html:
    links = joined(element("a", "Ask", href="/"), element("a", "History", href="/history")) if viewer else None
    if viewer and viewer.administers:
        links = joined(links, element("a", "Operate", href="/operate"))
    leave = form("/sign-out", viewer, element("button", "Sign out", class_="quiet")) if viewer and viewer.name else None
    return element(
        "header", element("a", "kb", href="/", class_="brand"), element("nav", links, aria_label="Pages"), leave
    )


def _footer(viewer: Viewer | None) -> Html:
    if viewer is None:
        return element("footer", element("p", "Answers come from documents, with their sources."))
    whose = (
        f"You are signed in as {viewer.name}, and see what this address may read."
        if viewer.name
        else "This is a trial on this machine: you ask as nobody in particular, and see what every member may read."
    )
    return element("footer", element("p", whose))


def form(action: str, viewer: Viewer | None, *fields: Child, **attributes: str) -> Html:
    """A form that changes something."""
    hidden = element("input", type="hidden", name=CSRF_FIELD, value=viewer.csrf) if viewer else None
    return element("form", hidden, *fields, method="post", action=action, **attributes)


def ask_form(viewer: Viewer, *, label: str, conversation: str = "") -> Html:
    """Where a question is typed. conversation: to go on with."""
    field = "question-more" if conversation else "question"
    return form(
        "/ask",
        viewer,
        element("label", label, for_=field),
        element(
            "textarea",
            id=field,
            name="question",
            rows=3,
            maxlength=4000,
            required=True,
            dir="auto",
            autofocus=not conversation,
            aria_describedby=f"{field}-hint",
        ),
        element("input", type="hidden", name="conversation", value=conversation) if conversation else None,
        element(
            "div",
            element("button", "Ask"),
            element("span", "Enter asks, Shift and Enter begin a new line.", class_="hint", id=f"{field}-hint"),
            class_="row",
        ),
        class_="ask",
    )


def problem_page(title: str, words: str, viewer: Viewer | None = None) -> str:
    """What went wrong, and what helps."""
    return page(title, element("h1", title), element("p", words), viewer=viewer)


def signed_out_page(elsewhere: str) -> str:
    """Somebody has signed out. elsewhere: where they sign out at the issuer, too; empty where nobody knows."""
    title = "You are signed out"
    link = element("a", "Sign out there, too", href=elsewhere)
    return page(
        title,
        element("h1", title),
        element("p", "Where you sign in, you may still be signed in. ", link) if elsewhere else None,
        element("p", element("a", "Sign in", href="/sign-in")),
        viewer=None,
    )
