"""What a question's words say by themselves, without a model. Pure."""

from agent.questions import decompose, patterns
from agent.questions.listings import asked_once
from agent.questions.pasted import without_message
from agent.questions.standalone import standalone
from agent.state import Analysis, SubQuestion
from domain.answers import Question


def analysis_of(question: Question, *, decomposition: bool = True) -> Analysis:
    """What patterns say of a question whose filters were taken out of it; see agent.questions.narrowing."""
    small_talk = patterns.talk(question.text)
    text, own, _ = standalone(question.text, question.history)
    text = asked_once(patterns.without_courtesy(without_message(text)))
    named = patterns.references(text)
    parts = decompose.sub_questions(text) if decomposition else (SubQuestion(1, text, patterns.kind(text)),)
    meant = patterns.intent(text, named)
    return Analysis(
        standalone=text,
        own=own,
        intent=meant,
        complexity=decompose.complexity(text, parts),
        talk=small_talk,
        sub_questions=parts,
        references=named,
        vague=patterns.vague(text, meant),
        by="patterns" if patterns.routed(text, named) else "offline",
    )
