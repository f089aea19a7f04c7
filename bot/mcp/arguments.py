"""What the tools take, as types; those of the HTTP API where they are the same."""

from pydantic import Field

from bot.web.models import DocumentQuery, RelatedQuery

DOCUMENT = Field(
    pattern=r"^[A-Za-z0-9_-]{1,200}$", description="The document_id of a found passage, or of a source of an answer."
)


class PartsArguments(DocumentQuery):
    """Which document, and which parts of it."""

    document_id: str = DOCUMENT


class RelatedArguments(RelatedQuery):
    """Around which document, and how many related ones."""

    document_id: str = DOCUMENT
