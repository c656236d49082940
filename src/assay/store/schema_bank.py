"""The bank's tables: sources, questions with sealed keys, reviews, duplicates, and drawable families.

Sealed columns hold texts encrypted by `core.sealed.Sealer`; no table has an answer key in the clear.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from assay.store.schema import RowId, metadata

sources = Table(
    "sources",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("profile", Text, nullable=False),
    Column("synthetic", SmallInteger, nullable=False),
    Column("account", Text, nullable=False),
    Column("imported_at", Double, nullable=False),
)

passages = Table(
    "passages",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("text", Text, nullable=False),
)

questions = Table(
    "questions",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("family", BigInteger, nullable=False, index=True),
    Column("parent", BigInteger),
    Column("kind", String(20), nullable=False),
    Column("discipline", String(16), nullable=False),
    Column("secondary", Text),
    Column("language", String(2), nullable=False),
    Column("stem", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("passage", BigInteger, ForeignKey("passages.id")),
    Column("key", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("source", Integer, ForeignKey("sources.id"), nullable=False, index=True),
    Column("place", Text, nullable=False),
    Column("made_by", Text),
    Column("state", String(8), nullable=False),
    Column("version", Integer, nullable=False),
    Column("since", Integer),
    Column("retired", Integer),
    Column("retired_why", Text),
    CheckConstraint(
        "state IN ('raw','reviewed','screened','accepted','rejected')", name="ck_questions_state"
    ),
)
"""`family` is the id of the original that a question was made from; an original has its own id. `digest` is
a hash of the normalised content. `since` and `retired` are the bank's revisions in which it became drawable
and was retired. No index begins with `state`: SQLite's planner would use it instead of the index on `family`
and scan all accepted questions."""

question_versions = Table(
    "question_versions",
    metadata,
    Column("question", BigInteger, ForeignKey("questions.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("content", Text, nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("edited_by", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("edited_at", Double, nullable=False),
)
"""The earlier versions of edited questions; the first row of a question is its original."""

rejects = Table(
    "rejects",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("source", Integer, ForeignKey("sources.id"), nullable=False, index=True),
    Column("place", Text, nullable=False),
    Column("lines", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("text", LargeBinary, nullable=False),
)
"""Texts that an import rejected. They are sealed, because they may contain a key."""

reviewers = Table(
    "reviewers",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("disciplines", Text, nullable=False),
    Column("daily_cap", Integer, nullable=False),
    Column("hourly_rate", Double),
    Column("created_at", Double, nullable=False),
    Column("left_at", Double),
)

reviews = Table(
    "reviews",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("question", BigInteger, ForeignKey("questions.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("reviewer", Integer, ForeignKey("reviewers.id"), nullable=False),
    Column("decision", String(8), nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("seconds", Double),
    Column("turn", Integer, nullable=False, server_default="1"),
    Column("state_before", String(8)),
    UniqueConstraint("question", "version", "reviewer", "turn"),
    CheckConstraint("decision IN ('accept','reject','unaccept','unreject')", name="ck_reviews_decision"),
    Index("ix_reviews_reviewer_at", "reviewer", "at"),
)
"""Rows are never changed. `unaccept` and `unreject` undo the reviewer's last decision that is still in force.
`turn` numbers the rows of a reviewer on a version. `state_before` is the question's state before the row;
None in rows of versions that did not record it."""

duplicates = Table(
    "duplicates",
    metadata,
    Column("question", BigInteger, ForeignKey("questions.id"), primary_key=True),
    Column("other", BigInteger, ForeignKey("questions.id"), primary_key=True),
    Column("similarity", Double, nullable=False),
    Column("found_at", Double, nullable=False),
    Column("resolution", String(8)),
)

units = Table(
    "units",
    metadata,
    Column("discipline", String(16), primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("family", BigInteger, nullable=False, unique=True),
    Column("since_draw", Integer, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
)
"""The families that can be drawn, numbered 0, 1, 2 … without a gap in each discipline. `since_draw` is the
number of draws that had been made when the family was added; its exposure is counted from there on."""

bank_revisions = Table(
    "bank_revisions",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("deed", String(16), nullable=False),
    Column("told", Text, nullable=False),
    Column("at", Double, nullable=False),
)
