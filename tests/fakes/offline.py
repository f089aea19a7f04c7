"""The reasoner without a language model, over words of known weights, and what it writes."""

from dataclasses import dataclass

from agent.options import AgentOptions
from agent.reasoner import AnswerPart, SynthesisInput
from agent.reasoners.offline.reasoner import OfflineReasoner
from agent.replies.writer import ReplyWriter
from agent.retrieval.retriever import RetrievalOptions, Retrieved, Retriever
from agent.state import ReplyDraft, ReplyPiece
from domain.answers import Question
from domain.masking import Masker
from domain.search import Passage
from tests.fakes.agent import ASKED, MEMBER, MODEL, an_analysis, an_evidence
from tests.fakes.documents import a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge


@dataclass
class Weighed(Retriever):
    """A retriever that knows the weights of a question's words. idf: as the index would weigh them. away: whether
    there are no vectors."""

    idf: dict[str, float]
    away: str = ""

    async def measure(self, text: str, scope: object) -> Retrieved:
        del scope
        vector = None if self.away else MODEL.vectors([text])[0]
        return Retrieved((), self.idf, "english", vector, {"dense": self.away} if self.away else {})

    def rewritten(self, text: str) -> str:
        del text
        return ""


WALRUS = {"walrus": 3.0, "fed": 2.0}


def a_reasoner(
    idf: dict[str, float] | None = None,
    *,
    away: str = "",
    model: HashEmbedder = MODEL,
    options: AgentOptions | None = None,
) -> OfflineReasoner:
    return OfflineReasoner(Weighed(WALRUS if idf is None else idf, away), model, MEMBER, options)


async def a_zoo_reasoner(**options: float) -> OfflineReasoner:
    """Over an index with a walrus in it."""
    knowledge = MemoryKnowledge(MODEL.identity)
    for name, text in {"walrus": "The walrus is fed at noon.", "bus": "Buses leave at nine."}.items():
        await put(knowledge, MODEL, a_document(name), text)
    retriever = Retriever(knowledge, MODEL, RetrievalOptions())
    return OfflineReasoner(retriever, MODEL, MEMBER, AgentOptions(**options))  # type: ignore[arg-type]


def a_brief(*passages: Passage, text: str = ASKED) -> SynthesisInput:
    analysis = an_analysis(text)
    positions = tuple(range(1, len(passages) + 1))
    parts = (AnswerPart(analysis.sub_questions[0], positions),)
    return SynthesisInput(Question(text, MEMBER), analysis, parts, tuple(an_evidence(each) for each in passages))


async def pieces(reasoner: OfflineReasoner, brief: SynthesisInput) -> list[ReplyPiece]:
    return [piece async for piece in reasoner.synthesize(brief)]


async def written(reasoner: OfflineReasoner, *passages: Passage, text: str = ASKED) -> ReplyDraft:
    """The reply as it is shown."""
    brief = a_brief(*passages, text=text)
    writer = ReplyWriter(brief, Masker(), lambda _: None)
    for piece in await pieces(reasoner, brief):
        writer.feed(piece)
    return writer.finish()
