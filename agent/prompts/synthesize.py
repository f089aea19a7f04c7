"""The reply itself."""

from agent.prompts.text import DATA_RULE, asked, conversation, fence_for, fenced, passages_of, within_fence
from agent.reasoner import SynthesisInput
from domain.chat import ChatRequest, Message

VERSION = "synthesize/4"

NOT_FOUND = "NOT FOUND"
"""What the model writes when the evidence does not answer."""

INSTRUCTIONS = (
    """You answer a question from numbered passages of a company's documents, and from nothing else.
- Every sentence ends with the number of the passage it is taken from, as [1] or [1][3]. A sentence without one is not
  shown, unless it introduces a list or says which part is not answered. Copy numbers, dates, names, commands and
  identifiers exactly.
- If the passages answer only a part, answer that part and say which part they do not answer.
- If they say something else than the question takes for granted, say what they say: that is an answer, too.
- If the question fits several things in them, such as two offices or two versions, answer for each and name it.
- If they answer nothing of it, write {not_found} and nothing else.
- If passages contradict each other, give both statements with their dates, first the newer one. Where it is said which
  one was replaced, give the one that counts alone, unless the question asks what it was before or what changed.
- Be brief. Write plain Markdown: paragraphs, lists, code blocks copied as they are; no tables, no images, no links.
- Answer in the language of the question.
"""
    + DATA_RULE
)
"""What the model is told."""


def request(inputs: SynthesisInput, *, temperature: float | None, model: str = "") -> ChatRequest:
    """Asks for the reply. Passages are numbered as the evidence of `inputs` is."""
    passages = passages_of(inputs.evidence)
    said = conversation(inputs.question.history, turns=2)
    fence = fence_for(passages, inputs.analysis.standalone, said)
    lines = asked(inputs.analysis.standalone, inputs.analysis.filters)
    if len(inputs.parts) > 1:
        lines += [
            f"Part {part.sub_question.number}: {part.sub_question.text}"
            f" (passages {', '.join(map(str, part.items)) or 'none'})"
            for part in inputs.parts
        ]
    places = {item.passage.document_id: number for number, item in reversed([*enumerate(inputs.evidence, start=1)])}
    documents = [item.passage.document_id for item in inputs.evidence]
    replaced = [set(pair) for pair in inputs.precedence]
    lines += [
        f"Passages {each.first} and {each.second} contradict each other: {each.first} {each.reason} {each.second}."
        for each in inputs.conflicts
        if each.reason and {documents[each.first - 1], documents[each.second - 1]} not in replaced
    ]
    lines += [
        f"Passage {places[first]} {said} passage {places[second]}."
        for (first, second), said in inputs.precedence.items()
    ]
    system = INSTRUCTIONS.format(not_found=NOT_FOUND, fence=fence)
    earlier = within_fence("Conversation so far:", said, fence)
    user = "\n".join(lines) + f"\n\n{earlier}" + fenced(passages, fence)
    return ChatRequest(
        VERSION,
        (Message("system", system), Message("user", user)),
        model=model,
        temperature=temperature,
        max_tokens=1_500,
    )
