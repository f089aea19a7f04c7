"""How an answer came about, as pictures and a table: what was searched, found, graded, used and left out. Pure."""

from collections.abc import Sequence

from bot.web.pages.markup import Html, element
from bot.web.reading_models import EvidenceBody, SearchStep, StageBody, TraceBody

_STAGES = {
    "analyze": "Reading the question",
    "plan": "Planning",
    "search": "Searching",
    "grade": "Grading",
    "write": "Writing",
    "verify": "Checking",
    "mask": "Masking",
}


def trace_picture(trace: TraceBody) -> Html:
    """All of it, to open below an answer."""
    cited = sum(each.cited for each in trace.evidence)
    steps = (
        ("found by searches", sum(each.results for each in trace.searches)),
        ("kept as evidence", len(trace.evidence)),
        ("cited", cited),
    )
    return element(
        "details",
        element("summary", "Why this answer"),
        element("p", _summary(trace), class_="hint"),
        _figure("From what was found to what is cited", _bars([(name, count, str(count)) for name, count in steps])),
        _figure("Where the time went", _bars(_times(trace.stages))),
        element("h3", "What was searched"),
        element("ol", *map(_search, trace.searches), class_="searches"),
        *([element("h3", "What was read"), _table(trace.evidence)] if trace.evidence else []),
        element("h3", "Decisions") if trace.reasoning else None,
        element("ul", *(element("li", each, dir="auto") for each in trace.reasoning)) if trace.reasoning else None,
        class_="why",
    )


def _summary(trace: TraceBody) -> str:
    rounds = f"{trace.iterations} round{'' if trace.iterations == 1 else 's'} of search"
    model = f"{trace.model_calls} requests to a model" if trace.model_calls else "no language model"
    left_out = " Some words are left out: you may not read all that it was made from." if trace.withheld else ""
    return f"{rounds}, {model}.{left_out}"


def _times(stages: Sequence[StageBody]) -> list[tuple[str, float, str]]:
    rows = []
    for each in stages:
        name = _STAGES.get(each.stage, each.stage)
        label = f"{each.iteration}. {name}" if each.iteration else name
        rows.append((label, each.ms, f"{each.ms:,.0f} ms"))
    return rows


def _figure(title: str, picture: Html) -> Html:
    return element("figure", element("figcaption", title), picture)


def _bars(rows: Sequence[tuple[str, float, str]]) -> Html:
    """Bars with a name and a figure each. Their lengths are drawn: a page may not style its elements one by one."""
    most = max((value for _, value, _ in rows), default=0.0) or 1.0
    return element("ul", *(_bar(name, value / most, shown) for name, value, shown in rows), class_="bars")


def _bar(name: str, share: float, shown: str) -> Html:
    drawn = element("rect", width=max(1, round(share * 100)), height=10)
    box = element("svg", drawn, viewBox="0 0 100 10", preserveAspectRatio="none", aria_hidden="true")
    return element("li", element("span", name, class_="name"), box, element("span", shown, class_="figure"))


def _search(step: SearchStep) -> Html:
    words = ", ".join(f"{value}" for value in (step.args or {}).values() if isinstance(value, str) and value)
    what = element("q", words, dir="auto") if words else None
    outcome = step.error or f"{step.results} found"
    return element(
        "li", f"Round {step.iteration}: ", element("b", step.tool.replace("_", " ")), " ", what, f" — {outcome}"
    )


def _table(evidence: Sequence[EvidenceBody]) -> Html:
    heads = ("Passage of", "Found by", "Round", "Score", "Grade", "Used")
    head = element("tr", *(element("th", name, scope="col") for name in heads))
    rows = (
        element(
            "tr",
            element("th", each.path or "(you may not read it)", scope="row", dir="auto"),
            element("td", ", ".join(tool.replace("_", " ") for tool in each.tools)),
            element("td", str(each.iteration)),
            element("td", f"{each.score:.2f}"),
            element("td", "not graded" if each.grade is None else f"{each.grade:.2f}"),
            element("td", "cited" if each.cited else "left out"),
            class_="cited" if each.cited else None,
        )
        for each in evidence
    )
    table = element("table", element("thead", head), element("tbody", *rows))
    return element("div", table, class_="wide", role="region", aria_label="What was read", tabindex=0)
