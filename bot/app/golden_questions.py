"""Golden questions asked of the index: of the live version, and of the one that is to take its place."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from agent.evaluation.golden_comparison import AskedQuestions, IndexComparison, LiveResults, compare, held_by_key
from agent.evaluation.golden_questions import GoldenQuestion, Verdict
from agent.evaluation.golden_runs import ask_golden
from agent.providers.open_embedder import open_embedder_of
from agent.retrieval.retriever import Retriever
from bot.app.embedding import embedder_options
from bot.app.golden_file import golden_of
from bot.app.product import Product
from bot.app.searching import searching
from domain.documents import compose
from domain.errors import KbError, Misconfigured
from domain.model_ports import Embedder
from domain.search import Filters, Passage
from storage.index.versions import IndexVersion, changed_meanwhile

SAME = 0.98
"""Cosine from which two vectors of one text come from one model, kept at half precision in between."""


async def ask_live(product: Product, asked: AskedQuestions, show: Callable[[int], object]) -> list[Verdict]:
    """How the live index fares with the model that the settings name, in the order of the questions; it is recorded.

    Raises:
        Misconfigured, Transient: nothing is indexed, the index was made with another model, or something is away.
    """
    verdicts = await ask_golden(product.retriever, asked, show)
    live = await product.storage.version("live")
    if live is not None:
        await product.storage.golden_results().save(live.version_id, held_by_key(asked, verdicts))
    return verdicts


async def failing_after_run(product: Product) -> list[GoldenQuestion]:
    """The golden questions that the settings name and that fail now in the live index, and held when they were asked
    last, or were not asked yet; none where the settings name none, or want no gate. All results are recorded.

    Raises:
        Misconfigured, Transient: the file cannot be read, or the index not be asked.
    """
    settings = product.settings
    if settings.schedule.golden_gate == "off" or (live := await product.storage.version("live")) is None:
        return []
    golden = golden_of(settings, None, lambda text: product.masker.secrets(text).text)
    if golden is None:
        return []
    before = (await product.storage.golden_results().load(live.version_id)).passed
    verdicts = await ask_live(product, golden.asked, lambda _done: None)
    rows = compare([question for question, _ in golden.asked], before, verdicts)
    return [row.question for row in rows if row.worse]


async def failing_golden(product: Product) -> list[str]:
    """In words for operators: which golden questions failed when they were asked last of the live index."""
    live = await product.storage.version("live")
    if live is None or product.settings.schedule.golden_gate == "off":
        return []
    try:
        golden = golden_of(product.settings, None, lambda text: product.masker.secrets(text).text)
    except KbError as error:
        return [error.what]
    held = (await product.storage.golden_results().load(live.version_id)).passed if golden else {}
    asked = golden.asked if golden else []
    return [f"It fails: {question.question}" for question, _ in asked if held.get(question.key) is False]


async def compare_with_live(
    product: Product, asked: AskedQuestions, show: Callable[[int], object], *, number: int | None = None
) -> IndexComparison:
    """Asks the new version and the live one, each with the model that it was made with; both results are recorded.
    number: that the new one must have.

    Raises:
        Misconfigured, Transient: the new one cannot be asked. Refused: it is another one than `number`, or none.
    """
    new = await product.storage.version("building")
    if number is not None and (new is None or new.version_id != number):
        raise changed_meanwhile()
    if new is None:
        raise Misconfigured("There is no new index to compare", next_step="Make one: kb reindex --full")
    _, retriever = searching(product.settings, product.storage, product.embedder, state="building")
    after = await ask_golden(retriever, asked, show)
    await product.storage.golden_results().save(new.version_id, held_by_key(asked, after))
    before = await _before(product, asked, lambda done: show(len(asked) + done))
    rows = compare([question for question, _ in asked], before.held, after)
    return IndexComparison(tuple(rows), before, new.version_id)


async def _before(product: Product, asked: AskedQuestions, show: Callable[[int], object]) -> LiveResults:
    live = await product.storage.version("live")
    if live is None:
        return LiveResults({question.key: False for question, _ in asked}, "none")
    try:
        async with _retriever_of(product, live, asked) as retriever:
            held = held_by_key(asked, await ask_golden(retriever, asked, show))
    except KbError as error:
        record = await product.storage.golden_results().load(live.version_id)
        known = {question.key: record.passed[question.key] for question, _ in asked if question.key in record.passed}
        why = f"{error.what}. {error.why}" if error.why else f"{error.what}."
        return LiveResults(known, "recorded" if known else "unknown", why, record.at)
    await product.storage.golden_results().save(live.version_id, held)
    return LiveResults(held, "asked")


@asynccontextmanager
async def _retriever_of(product: Product, live: IndexVersion, asked: AskedQuestions) -> AsyncIterator[Retriever]:
    """Searches the live version with its own model.

    Raises Misconfigured where that one is not to be had.
    """
    if live.embedder == product.embedder.identity.name:
        yield product.retriever
        return
    options = embedder_options(product.settings)
    async with open_embedder_of(options, live.embedder, live.dimensions) as embedder:
        await _check(product, asked, embedder, live)
        yield searching(product.settings, product.storage, embedder)[1]


async def _check(product: Product, asked: AskedQuestions, embedder: Embedder, live: IndexVersion) -> None:
    """Some servers take any model's name for the one that they have: what it makes of a text, of a passage that one of
    the askers may see, has to be what the index holds. Raises Misconfigured when it is not."""
    catalog = product.storage.document_catalog()
    samples: list[Passage] = []
    for scope in dict.fromkeys(scope for _, scope in asked):
        for document in () if samples else await catalog.find("", scope, filters=Filters(), limit=1):
            samples += await catalog.chunks(document.document_id, scope, limit=1)
    if not samples:
        return
    (vector,) = await embedder.embed([compose(samples[0].title, samples[0].heading_path, samples[0].text)])
    cosine = float(vector @ samples[0].vector)
    if cosine < SAME:
        raise Misconfigured(
            f"The server's model {live.embedder} is not the one that the live index was made with",
            why=f"It makes another vector of the same text (cosine {cosine:.2f}).",
            next_step="Put the embedding settings back that the index was made with.",
        )
