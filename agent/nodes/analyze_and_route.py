"""What is asked, and which way of searching fits."""

from dataclasses import replace
from datetime import datetime

from agent.reroute import rerouted
from agent.run import Run, filters_in
from agent.state import AgentState, Analysis, Update
from domain.search import Filters


async def analyze_and_route(state: AgentState, run: Run) -> Update:
    """The first time, understands the question; later, sends the same question another way."""
    with run.recorder.stage("analyze", state.iteration):
        if state.analysis is not None:
            run.recorder.say("another strategy: what was found says little to the question")
            return {"analysis": rerouted(state.analysis), "plan": ()}
        run.recorder.progress("Understanding the question", 5, "analyze")
        analysis, plan = await run.reasoner.analyze(state.question, run.toolbox.offered)
        analysis = await _with_filters_that_fit(replace(state, analysis=analysis), analysis, run)
        _explain(analysis, run)
        return {"analysis": analysis, "plan": () if analysis.unmet else plan}


async def _with_filters_that_fit(state: AgentState, analysis: Analysis, run: Run) -> Analysis:
    """Without the text's filters when no document meets them: `#general` may just be a word."""
    if not analysis.filters or await run.search.documents(state.question.scope, filters_in(state)):
        return analysis
    run.recorder.say("no document meets the filters in the question: they are taken as words")
    words = analysis.unfiltered or state.question.text
    parts = analysis.sub_questions
    if len(parts) == 1:
        parts = (replace(parts[0], text=words),)
    unmet = _narrowed(analysis.filters)
    return replace(analysis, filters=Filters(), standalone=words, sub_questions=parts, unmet=unmet)


def _explain(analysis: Analysis, run: Run) -> None:
    if analysis.talk != "question":
        run.recorder.say(f"nothing is asked: {analysis.talk}")
        return
    run.recorder.say(f"{analysis.intent}, {analysis.complexity}: {analysis.standalone} (by {analysis.by})")
    if len(analysis.sub_questions) > 1:
        for part in analysis.sub_questions:
            run.recorder.say(f"part {part.number}: {part.text} ({part.kind})")
    if analysis.filters:
        run.recorder.say(f"narrowed by the question to {_narrowed(analysis.filters)}")


def _narrowed(filters: Filters) -> str:
    shown = {
        "sources": filters.sources,
        "labels": filters.labels,
        "spaces": filters.spaces,
        "title": filters.title,
        "since": filters.since,
        "until": filters.until,
    }
    return ", ".join(f"{name} {_words(value)}" for name, value in shown.items() if value)


def _words(value: object) -> str:
    match value:
        case datetime():
            return f"{value:%Y-%m-%d}"
        case tuple():
            return " ".join(map(str, value))
        case _:
            return str(value)
