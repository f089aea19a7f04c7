"""The reply itself."""

from collections.abc import Sequence

from agent.prompts.text import DATA_RULE, asked_in, conversation, fence_for, fenced, in_prompt, is_listed, within_fence
from agent.reasoner import SynthesisInput
from agent.state import Evidence
from domain.chat import ChatRequest, Message

VERSION = "synthesize/8"

NOT_FOUND = "NOT FOUND"
"""What the model writes when the evidence does not answer."""

INSTRUCTIONS = (
    """You answer a question from numbered passages of a company's documents, and from nothing else.
- Every sentence, and every item of a list, ends with the number of the passage it is taken from, as [1] or [1][3].
  One without is not shown, unless it introduces a list or says which part is not answered. Copy numbers, dates,
  names, commands and identifiers exactly. What you reckon out stands in one sentence with all that it is made of:
  €29 + €58 = €87; 19 % of €200 are €38; 60 minutes before 22:00, at 21:00.
- If the passages answer only a part, answer that part and say which part they do not answer.
- If they say something else than the question takes for granted, say what they say: that is an answer, too. Earlier
  replies are no passages, and cannot be cited.
- If the question fits several things in them, such as two offices or two versions, answer for each and name it.
- If they neither answer anything of it nor correct it, write {not_found} and nothing else.
- If passages contradict each other, give both statements with their dates, first the newer one. Where it is said which
  one was replaced, give the one that counts alone, unless the question asks what it was before or what changed.
- Be brief. Write plain Markdown: paragraphs, lists, code blocks copied as they are, without a number (the sentence
  before one has it); no tables, no images, no links.
- Answer in the language of the question.
"""
    + DATA_RULE
)
"""What the model is told."""


def request(inputs: SynthesisInput, *, temperature: float | None, model: str = "") -> ChatRequest:
    """Asks for the reply. Passages are numbered as the evidence of `inputs` is."""
    listed = "\n".join(_listed(inputs.evidence))
    passages = [in_prompt(item) for item in inputs.evidence]
    said = conversation(inputs.question.history, turns=2)
    lines = asked_in(inputs.analysis)
    fence = fence_for(passages, *lines, said, listed)
    if len(inputs.parts) > 1:
        lines += [
            f"Part {part.sub_question.number}: {part.sub_question.text}"
            f" (passages {', '.join(map(str, part.items)) or 'none'})"
            for part in inputs.parts
        ]
    documents = [item.passage.document_id for item in inputs.evidence]
    replaced = [set(pair) for pair in inputs.precedence]
    lines += [
        f"Passages {each.first} and {each.second} contradict each other: {each.first} {each.reason} {each.second}."
        for each in inputs.conflicts
        if each.reason and {documents[each.first - 1], documents[each.second - 1]} not in replaced
    ]
    lines += [
        f"The document of {_of(first, documents)} {reason} the document of {_of(second, documents)}."
        for (first, second), reason in inputs.precedence.items()
    ]
    system = INSTRUCTIONS.format(not_found=NOT_FOUND, fence=fence)
    earlier = within_fence("Conversation so far:", said, fence)
    counted = within_fence("Looked up in the whole index, each line with the passage to cite for it:", listed, fence)
    user = "\n".join(lines) + f"\n\n{earlier}{counted}" + fenced(passages, fence)
    return ChatRequest(
        VERSION,
        (Message("system", system), Message("user", user)),
        model=model,
        temperature=temperature,
        max_tokens=1_500,
    )


def _listed(evidence: Sequence[Evidence]) -> list[str]:
    """The lines of a count or list that was looked up: in the passages that they were found by, one here and one there,
    no model would see a list."""
    listed = [(number, item) for number, item in enumerate(evidence, start=1) if is_listed(item)]
    asked = (
        [query for query in listed[0][1].queries if all(query in item.queries for _, item in listed)] if listed else []
    )
    return [
        *(f"Asked for: {query}" for query in asked[:1]),
        *(f"{line} [{number}]" for number, item in listed for line in item.stated_relations),
    ]


def _of(document: str, documents: Sequence[str]) -> str:
    """The numbers of the passages from a document."""
    return ", ".join(f"[{number}]" for number, each in enumerate(documents, start=1) if each == document)


_NOTHING = (NOT_FOUND.replace(" ", ""), "NICHTGEFUNDEN")
"""How a reply begins that finds nothing, also in German."""
_OPENING, _LABEL = 60, 12
"""Characters at its beginning within which it says so, and of a label before that."""


def finds_nothing(text: str) -> bool:
    """Whether a reply begins by saying that it finds nothing, in whichever letters and behind a label or not."""
    return _letters(text).startswith(_NOTHING)


def is_nothing(text: str) -> bool:
    """Whether that is all that a text says."""
    return _letters(text) in _NOTHING


def may_find_nothing(text: str) -> bool:
    """Whether a reply of which this is the beginning may still be one that finds nothing; a single word may become a
    label."""
    plain, begun = _plain(text), _letters(text)
    may_be_label = plain.isalpha() and len(plain) <= _LABEL
    return may_be_label or any(each.startswith(begun[: len(each)]) for each in _NOTHING)


def _plain(text: str) -> str:
    return text[:_OPENING].lstrip(" \n\"'*`#(")


def _letters(text: str) -> str:
    plain = _plain(text)
    label, colon, rest = plain.partition(":")
    return "".join(filter(str.isalpha, rest if colon and len(label) <= _LABEL else plain)).upper()
