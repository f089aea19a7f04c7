"""What is asked, and which way of searching fits."""

from dataclasses import replace

from agent.answer_context import AnswerContext
from agent.questions.narrowing import merged_filters, narrowed
from agent.questions.patterns import references
from agent.questions.standalone import standalone
from agent.routing import rerouted
from agent.state import AgentState, Analysis, Update
from agent.wording import UNDERSTANDING, in_words
from domain.masking import without_masks
from domain.translation import translated


async def analyze_and_route(state: AgentState, run: AnswerContext) -> Update:
    """The first time, understands the question; later, sends the same question another way."""
    with run.recorder.stage("analyze", state.iteration):
        if state.analysis is not None:
            run.recorder.say("another strategy: what was found says little to the question")
            return {"analysis": rerouted(state.analysis), "plan": ()}
        run.recorder.progress(translated(UNDERSTANDING), 5, "analyze")
        found = await narrowed(state.question, run.search, run.common_words)
        narrowed_question = replace(found.question, filters=merged_filters(found.question.filters, found.filters))
        analysis, plan = await run.reasoner.analyze(narrowed_question, run.toolbox.offered)
        analysis = replace(
            analysis,
            # a model may have filled in masked words from the conversation
            standalone=without_masks(analysis.standalone),
            sub_questions=tuple(replace(each, text=without_masks(each.text)) for each in analysis.sub_questions),
            asked=standalone(found.question.text, found.question.history).text,
            asker_words=found.question.text if found.question.text != analysis.standalone else "",
            filters=found.filters,
            unmet=found.unmet,
            references=references(found.whole),
            asked_on=state.question.asked_on,
        )
        _explain(analysis, run)
        return {"analysis": analysis, "plan": plan}


def _explain(analysis: Analysis, run: AnswerContext) -> None:
    if analysis.talk != "question":
        run.recorder.say(f"nothing is asked: {analysis.talk}")
        return
    run.recorder.say(f"{analysis.intent}, {analysis.complexity}: {analysis.standalone} (by {analysis.by})")
    if len(analysis.sub_questions) > 1:
        for part in analysis.sub_questions:
            run.recorder.say(f"part {part.number}: {part.text} ({part.kind})")
    if analysis.unmet:
        run.recorder.say("filters in the question do not count: no document meets them")
    if analysis.filters:
        run.recorder.say(f"narrowed by the question to {in_words(analysis.filters)}")
