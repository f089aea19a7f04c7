"""Replies as they are shown, written over three passages: care, toner and seal."""

from agent.reasoner import SynthesisInput
from agent.replies.writer import ReplyWriter
from agent.state import ReplyDraft, ReplyPiece
from domain.answers import Question
from domain.masking import Masker
from tests.fakes.agent import MEMBER, a_passage, an_analysis, an_evidence

CARE = a_passage(
    "The walrus is fed at noon. It weighs 900 kg, see https://x.example/walrus.\n\n"
    "```\nkb index docs\nkb ask\nrm -rf /tmp/cache\n```",
    "care",
)
TONER = a_passage("The toner costs 30 euros.", "toner")
SEAL = a_passage("Ada feeds the seal.", "seal")


def written(*texts: str, question: str = "x") -> ReplyDraft:
    """The reply of these pieces, over care, toner and seal as 1, 2 and 3. What was shown is its text."""
    shown: list[str] = []
    evidence = tuple(an_evidence(each) for each in (CARE, TONER, SEAL))
    writer = ReplyWriter(
        SynthesisInput(Question(question, MEMBER), an_analysis(), (), evidence),
        Masker(),
        lambda part: shown.append(part.text),
    )
    for text in texts:
        writer.feed(ReplyPiece(text))
    reply = writer.finish()
    assert "".join(shown) == reply.text
    return reply


def text_of(*texts: str) -> str:
    return written(*texts).text
