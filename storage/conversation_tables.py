"""The tables of questions, the memory of conversations, and votes."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Identity,
    Index,
    Integer,
    Interval,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, UUID

metadata = MetaData()

_now = func.now()

questions = Table(
    "questions",
    metadata,
    Column("question_no", BigInteger, Identity(), primary_key=True),
    Column("platform", Text, nullable=False),
    Column("workspace", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("thread", Text, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("asker", Text, nullable=False),
    Column("asker_workspace", Text, nullable=False),  # for show: an id names one person, wherever that is known
    Column("audience", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("text_hash", LargeBinary),  # SHA-256 of the text as it was asked; null when it is forgotten
    Column("handle", JSONB, nullable=False),
    Column("unread", ARRAY(Text), nullable=False),
    Column("state", Text, nullable=False, server_default="received"),  # domain.conversation.State
    Column("result", Text),  # domain.conversation.Result
    Column("excess", Text),  # domain.conversation.ExceededLimit
    Column("attempt", Integer, nullable=False, server_default=text("0")),
    Column("revision", Integer, nullable=False, server_default=text("0")),
    Column("begun_revision", Integer),  # the one that the last attempt began with
    Column("token", UUID, nullable=False),  # of the call that claimed or began it last
    Column("received_at", DateTime(timezone=True), nullable=False, server_default=_now),
    Column("queued_at", DateTime(timezone=True)),
    Column("started_at", DateTime(timezone=True)),  # of the last attempt
    Column("ended_at", DateTime(timezone=True)),  # null exactly while it is open
    Column("deadline_at", DateTime(timezone=True), nullable=False),
    Column("allowed", Interval, nullable=False),  # a whole deadline
    Column("duplicate_possible", Boolean, nullable=False, server_default=text("false")),
    Column("cited", JSONB, nullable=False, server_default=text("'[]'")),  # pairs of a number and a chunk's id
    UniqueConstraint("platform", "channel", "message", name="questions_message_once"),
    Index("questions_asker", "platform", "asker", "received_at"),
    Index("questions_channel", "platform", "channel", "received_at"),
    Index("questions_thread", "platform", "channel", "thread"),
    Index(
        "questions_team",
        "platform",
        text("(handle ->> 'team')"),
        postgresql_where=text("handle ->> 'team' IS NOT NULL"),
    ),
    Index("questions_open", "state", "received_at", postgresql_where=text("ended_at IS NULL")),
    Index("questions_ended", "ended_at"),
)
"""Accepted questions, and what became of them; the text goes when the memory of it goes."""

posted_replies = Table(
    "posted_replies",
    metadata,
    Column("question_no", BigInteger, ForeignKey("questions.question_no", ondelete="CASCADE"), primary_key=True),
    Column("reply", Text, nullable=False),
    Column("citations", JSONB, nullable=False),  # domain.answers.Citation
    Column("confidence", Float, nullable=False),
    Column("posted_at", DateTime(timezone=True), nullable=False, server_default=_now),
    Column("state", Text),  # of the cited documents when this was settled last; null: never
    Column("claimed_until", DateTime(timezone=True)),  # until when somebody may be at it
    Column("fixed", Boolean, nullable=False, server_default=text("false")),  # it cannot be changed where it was shown
    Column("address", Text, nullable=False, server_default=""),  # of the asker, in lower case; empty when forgotten
    # what the address was in the cited sources when somebody looked last; null: who reads it may be others now
    Column("rights", Text, server_default=""),
    Column("unchecked", Boolean, nullable=False, server_default=text("true")),  # new, or it cites what changed since
    Index("posted_replies_posted", "posted_at"),
    Index(
        "posted_replies_unchecked",
        "posted_at",
        postgresql_where=text("NOT fixed AND (unchecked OR rights IS NULL OR claimed_until IS NOT NULL)"),
    ),
    Index(
        "posted_replies_cited",
        text("jsonb_path_query_array(citations, '$[*].document_id')"),
        postgresql_using="gin",
        postgresql_where=text("NOT fixed"),
    ),
    Index("posted_replies_address", "address", postgresql_where=text("NOT fixed AND address <> ''")),
)
"""Answers with sources as they are shown, so that they can be corrected."""

correction_queue = Table(
    "correction_queue",
    metadata,
    Column("entry_no", BigInteger, Identity(), primary_key=True),
    Column("document_id", Text),
    Column("email", Text),
)
"""Documents that changed and people whose groups changed, as triggers noted: their posted replies are to be found."""

answer_records = Table(
    "answer_records",
    metadata,
    Column("question_no", BigInteger, ForeignKey("questions.question_no", ondelete="CASCADE"), primary_key=True),
    Column("outcome", Text, nullable=False),  # domain.answer_records.RecordedAs
    Column("cause", Text, nullable=False),  # domain.answers.DeclineCause
    Column("question", Text, nullable=False),  # masked; empty when it is forgotten
    Column("confidence", Float, nullable=False),
    Column("requests", Integer, nullable=False),  # to a language model
    Column("tokens", Integer, nullable=False, server_default=text("0")),
    Column("nearest", JSONB, nullable=False),  # ids of documents, best first
    Column("trace", JSONB, nullable=False),  # domain.answer_records.trace_json; {} when it is forgotten
    Column("masked", Integer, nullable=False, server_default=text("0")),  # values in the question and its reply
    Column("quality", Float),  # domain.answer_ports.AnswerQuality; null: not scored, or not to be told
    Column("supported", Float),
    Column("relevance", Float),
    Column("scored_at", DateTime(timezone=True)),
    Index("answer_records_unscored", "question_no", postgresql_where=text("scored_at IS NULL")),
)
"""How answers came about, and how good they are; what is text of them goes when the question's text goes."""

owner_requests = Table(
    "owner_requests",
    metadata,
    Column("question_no", BigInteger, ForeignKey("questions.question_no", ondelete="CASCADE"), primary_key=True),
    Column("document_id", Text, nullable=False),
    Column("sent_at", DateTime(timezone=True), nullable=False, server_default=_now),
)
"""Questions that were sent to the owner of a document."""

turns = Table(
    "turns",
    metadata,
    Column("turn_no", BigInteger, Identity(), primary_key=True),
    Column("platform", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("person_workspace", Text, nullable=False),
    Column("conversation", Text, nullable=False),
    Column("question_no", BigInteger, ForeignKey("questions.question_no", ondelete="SET NULL")),
    Column("question", Text, nullable=False),
    Column("reply", Text, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_now),
    Index("turns_conversation", "platform", "person", "conversation", "turn_no"),
    Index("turns_question", "question_no"),
    Index("turns_created", "created_at"),
)
"""The memory of conversations: what was asked and replied, masked."""

feedback = Table(
    "feedback",
    metadata,
    Column("question_no", BigInteger, ForeignKey("questions.question_no", ondelete="CASCADE"), nullable=False),
    Column("platform", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("value", SmallInteger, nullable=False),
    Column("reason", Text),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_now),
    Column("updated_at", DateTime(timezone=True), nullable=False, server_default=_now),
    PrimaryKeyConstraint("question_no", "platform", "person"),
    Index("feedback_updated", "updated_at"),
)
"""Votes on replies: one a person and question."""
