"""Masked outcomes as the HTTP API has them. Pure: values in, values out."""

from collections.abc import Collection

from bot.conversation.texts import excess as excess_text
from bot.conversation.texts import instead, not_found
from bot.web.models import CitedSource, NearestBody, NearQuoteBody, OutcomeBody
from domain.answers import Answer, Citation, Declined, NearestDocument, NearQuote, NotFound
from domain.conversation import ExceededLimit, PostedReply, result_of
from domain.masked_answer import MaskedAnswer
from domain.translation import translated


def outcome_body(answer: MaskedAnswer) -> OutcomeBody:
    """An outcome of the agent."""
    outcome = answer.outcome
    result = result_of(outcome)
    match outcome:
        case Answer():
            return OutcomeBody(
                result=result,
                text=outcome.text,
                notice=outcome.notice,
                confidence=outcome.confidence,
                partial=outcome.partial,
                sources=tuple(map(CitedSource.of, outcome.citations)),
                follow_ups=outcome.follow_ups,
            )
        case NotFound():
            return OutcomeBody(
                result=result,
                text=not_found(outcome),
                notice=outcome.notice,
                advice=instead(outcome.scope_reason),
                because=outcome.scope_reason.codes,
                nearest=tuple(map(_nearest, outcome.nearest)),
            )
        case Declined():
            cause = (outcome.cause,) if outcome.cause else ()
            return OutcomeBody(result=result, text=outcome.reason, because=(*cause, *outcome.scope_reason.codes))
        case _:
            return OutcomeBody(result=result, text=outcome.words)


def busy_body(limit: ExceededLimit) -> OutcomeBody:
    """A question beyond a limit."""
    return OutcomeBody(result="busy", text=excess_text(limit), because=(limit,))


def late_body() -> OutcomeBody:
    """There was no answer in time."""
    return OutcomeBody(
        result="late",
        text=translated("That took too long and was stopped. Ask again, or ask for less at once."),
    )


def posted_reply(outcome: OutcomeBody) -> PostedReply:
    """A shown answer as what corrections work on."""
    cited = (Citation(**each.model_dump()) for each in outcome.sources)
    return PostedReply(outcome.text, tuple(cited), outcome.confidence)


def with_posted(outcome: OutcomeBody, posted: PostedReply, notice: str) -> OutcomeBody:
    """The outcome with what is left of its answer."""
    sources = tuple(map(CitedSource.of, posted.citations))
    return outcome.model_copy(
        update={"text": posted.text, "sources": sources, "notice": notice, "follow_ups": (), "partial": False}
    )


def near_citations(near: NearestBody) -> tuple[Citation, ...]:
    """The passages of a near document as references."""
    quotes = tuple(NearQuote(each.words, each.chunk_id) for each in near.quotes)
    return NearestDocument(**dict(near) | {"quotes": quotes}).cited()


def without_near(outcome: OutcomeBody, closed: Collection[str]) -> OutcomeBody:
    """The outcome without near documents and quotations whose passages are closed."""
    near = tuple(
        each.model_copy(update={"quotes": tuple(quote for quote in each.quotes if quote.chunk_id not in closed)})
        for each in outcome.nearest
        if each.chunk_id not in closed
    )
    return outcome.model_copy(update={"nearest": near})


def _nearest(found: NearestDocument) -> NearestBody:
    return NearestBody.of(found, quotes=tuple(map(NearQuoteBody.of, found.quotes)))
