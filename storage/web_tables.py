"""The tables of what is asked over HTTP: replies while they are made, tokens of programs, who is signed in."""

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    func,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from storage import conversation_tables

metadata = conversation_tables.metadata
"""With the tables of conversations, which some of these refer to."""

_now = func.now()

web_replies = Table(
    "web_replies",
    metadata,
    Column("question_no", BigInteger, ForeignKey("questions.question_no", ondelete="CASCADE"), primary_key=True),
    Column("attempt", Integer, nullable=False),  # the one that showed it
    Column("step", Integer, nullable=False),  # counts what an attempt has shown
    Column("state", JSONB, nullable=False),  # bot.web.reply_state.ReplyState, masked
)
"""What is shown of each reply now: its progress while it is made, then its outcome."""

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("token_no", BigInteger, Identity(), primary_key=True),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False),  # whom it asks as, in lower case
    Column("scopes", ARRAY(Text), nullable=False),  # domain.web_access.TokenScope
    Column("prefix", Text, nullable=False),  # its first characters, to know it by
    Column("digest", LargeBinary, nullable=False, unique=True),  # SHA-256 of it
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_now),
    Column("expires_at", DateTime(timezone=True), nullable=False),
    Column("used_at", DateTime(timezone=True)),  # the last time, to the minute
    Column("revoked_at", DateTime(timezone=True)),
)
"""Tokens of programs."""

web_sessions = Table(
    "web_sessions",
    metadata,
    Column("digest", LargeBinary, primary_key=True),  # SHA-256 of what the browser keeps
    Column("person", Text, nullable=False),  # an e-mail address in lower case, or whoever tries the product out
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_now),
    Column("expires_at", DateTime(timezone=True), nullable=False),
    Index("web_sessions_expires", "expires_at"),
)
"""Who is signed in to the pages."""
