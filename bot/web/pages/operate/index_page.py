"""The index, its sources and runs, with what an administrator can do about them. Pure."""

from collections.abc import Iterable, Sequence
from urllib.parse import urlencode

from bot.markup.plain_text import counted
from bot.web.administering_models import RunBody
from bot.web.operating_models import IndexCard, Overview, RunNote, SourceCard
from bot.web.pages.layout import Viewer, form
from bot.web.pages.markup import Child, Html, element, joined
from bot.web.pages.operate.frame import facts, moment, operator_page, table

RENEWED = "/operate/running"
"""Where the part of a page is that says which runs go on."""

DONE = {
    "queued": "It waits for a process that reads sources: kb serve or kb worker.",
    "waits": "The same reading waits to be done already.",
    "put-to-use": "The copy answers from now on. The index before stays for a way back.",
    "discard": "The copy is gone. The index answers as before.",
    "roll-back": "The index before answers again.",
}


def index_page(viewer: Viewer, found: Overview, done: str = "") -> str:
    """All of it. done: a key of DONE, of what was done last."""
    return operator_page(
        "Index",
        "/operate",
        viewer,
        element("p", DONE[done], role="status", class_="notice") if done in DONE else None,
        _problems(found.problems),
        running_part(found.runs),
        element("h2", "The index in use"),
        _index(found.index) if found.index else element("p", "Nothing is indexed yet."),
        element("h2", "Sources"),
        element("ul", *(_source(viewer, each) for each in found.sources), class_="cards"),
        _jobs(viewer, found),
        element("h2", "Latest runs"),
        _runs(found.runs) if found.runs else element("p", "There was no run yet."),
        head=element("noscript", element("meta", http_equiv="refresh", content="5")) if _going(found.runs) else None,
    )


def _problems(problems: Sequence[str]) -> Child:
    if not problems:
        return None
    rows = (element("li", each, dir="auto") for each in problems)
    return element("section", element("h2", "To be looked at"), element("ul", *rows), class_="warning")


def _going(runs: Iterable[RunBody]) -> list[RunBody]:
    return [each for each in runs if each.state == "running"]


def running_part(runs: Sequence[RunBody]) -> Html:
    """The runs that go on, each with how far it is; the script brings it up to date while there are some."""
    going = _going(runs)
    rows = [element("li", *_progress(each)) for each in going]
    return element(
        "section",
        element("h2", "Going on now") if going else None,
        element("ul", *rows, class_="cards") if going else None,
        id="running",
        data_again=RENEWED if going else None,
    )


def _progress(run: RunBody) -> list[Child]:
    step = run.progress
    known = step is not None and step.total > 0
    words = (
        f"{step.doing}, {step.done:,} of {step.total:,} documents"
        if step and known
        else step.doing
        if step
        else "begun"
    )
    bar = element(
        "progress",
        max=step.total if step and known else None,
        value=step.done if step and known else None,
        aria_label=f"How far the run over {run.source} is",
    )
    name = element("a", f"Run {run.id}", href=f"/operate/runs/{run.id}")
    return [element("p", element("bdi", run.source), f" ({run.kind}): {words}; ", name), bar]


def _index(index: IndexCard) -> Html:
    golden = f"{index.golden_failing} of {index.golden_asked} fail, asked last " if index.golden_at else None
    version = f"{index.live.number}, made with {index.live.embedder}"
    return joined(
        facts(
            (
                ("Version", version),
                ("Holds", f"{counted(index.documents, 'document')}, {counted(index.chunks, 'chunk')}"),
                ("Database", f"{index.database_bytes / 1e6:,.0f} MB"),
                ("Golden questions", joined(golden, moment(index.golden_at)) if golden else None),
                ("Before it", f"version {index.previous.number}" if index.previous else None),
            )
        ),
        _held(index),
        _way("roll-back", "Go back to the index before …", version=index.previous.number) if index.previous else None,
    )


def _held(index: IndexCard) -> Child:
    if index.held is None:
        return None
    return element(
        "section",
        element("h3", f"A run is held back in version {index.held.number}"),
        element(
            "p", "A golden question would fail in it that holds in the index in use; the run's reason says how many."
        ),
        element(
            "p",
            _way("put-to-use", "Put it to use all the same …", version=index.held.number),
            " ",
            _way("discard", "Discard it …", version=index.held.number),
        ),
    )


def _way(what: str, words: str, **about: str | int) -> Html:
    return element("a", words, href=f"/operate/confirm/{what}?{urlencode(about)}", class_="act")


def _source(viewer: Viewer, source: SourceCard) -> Html:
    content = (
        joined(source.state, " " if source.ended_at else None, moment(source.ended_at))
        if source.state
        else "never read"
    )
    before = (
        joined("done last ", moment(source.done_at)) if source.done_at != source.ended_at and source.done_at else None
    )
    size = f"{counted(source.documents, 'document')}, {counted(source.chunks, 'chunk')}"
    hidden = f"; {source.hidden:,} hidden" if source.hidden else ""
    gone = f"Confirm that {counted(source.held_back, 'document')} are gone …"
    return element(
        "li",
        element("h3", source.name, dir="auto"),
        facts(
            (
                ("Kind", source.kind),
                ("Holds", size + hidden),
                ("Content", joined(content, "; " if before else None, before)),
                ("Reason", source.reason),
                ("Rights", source.permissions),
                ("Next", _next(source)),
            )
        ),
        form(
            "/operate/read",
            viewer,
            element(
                "button",
                "Read it now",
                name="source",
                value=source.name,
                class_="quiet",
                aria_label=f"Read {source.name} now",
            ),
            _way("prune", gone, source=source.name) if source.held_back else None,
            class_="row",
        ),
    )


def _next(source: SourceCard) -> Html:
    if not source.next_runs:
        return element("span", "by hand alone")
    rows = (element("li", f"{each.job} ", moment(each.at), f", by {each.why}") for each in source.next_runs)
    return element("ul", *rows)


def _jobs(viewer: Viewer, found: Overview) -> Child:
    if not found.sources:
        return None
    buttons = (element("button", f"Run {each} now", name="job", value=each, class_="quiet") for each in found.jobs)
    off = "The schedule starts nothing here: KB_AGENT_SCHEDULE is false. " if not found.takes_part else ""
    words = element("p", f"{off}A job reads all sources that it is about.", class_="hint")
    return element("section", element("h2", "Schedule"), words, form("/operate/job", viewer, *buttons, class_="row"))


def _runs(runs: Sequence[RunBody]) -> Html:
    rows = (
        (
            element("a", f"{each.id}", href=f"/operate/runs/{each.id}"),
            element("bdi", each.source),
            each.kind,
            each.state,
            moment(each.started_at),
            "; ".join(filter(None, (each.reason, each.counts)))
            or ("" if each.state == "running" else "nothing has changed"),
        )
        for each in runs
    )
    return table("Latest runs", ("Run", "Source", "Kind", "State", "Begun", "What it did"), rows)


def run_page(viewer: Viewer, note: RunNote) -> str:
    """All about one run that names no document."""
    run = note.run
    stages = ", ".join(f"{name} {spent:.1f} s" for name, spent in note.stages.items())
    return operator_page(
        f"Run {run.id}",
        "",
        viewer,
        running_part([run]),
        facts(
            (
                ("Source", run.source),
                ("Kind", run.kind),
                ("State", run.state),
                ("Reason", run.reason),
                ("Begun", moment(run.started_at)),
                ("Ended", moment(run.finished_at)),
                ("Documents", run.counts),
                ("Chunks written", f"{note.chunks:,}" if note.chunks else None),
                ("Took", f"{note.seconds:.1f} s" if note.seconds else None),
                ("Time", stages),
                ("Requests to the source", f"{note.requests:,}" if note.requests else None),
                ("Model", f"{note.embedder}, {note.tokens:,} tokens" if note.embedder else None),
            )
        ),
        element(
            "p",
            "Which documents these were, kb runs says on the machine: not every administrator may read them.",
            class_="hint",
        ),
        element("p", element("a", "All runs", href="/operate")),
    )
