"""The exam's tables: organisations, users, tokens, draws, sessions, answers, marks and the access log.

The essential rules are constraints of the database: a question is served once and in order, at most one is
pending, an answer is written once, an organisation gets a question once, and a judge marks an answer once.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
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

organisations = Table(
    "organisations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("operator", SmallInteger, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("quota", Integer),
)
"""`quota` is the number of questions that it may get in a period; None for the service's quota."""

exam_limits = Table(
    "exam_limits",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("exposure_rate", Double, nullable=False),
    Column("quota", Integer, nullable=False),
    Column("period_days", Integer, nullable=False),
    Column("drain_share", Double, nullable=False),
    CheckConstraint("exposure_rate > 0 AND exposure_rate <= 1", name="ck_exam_limits_exposure_rate"),
)
"""At most one row: the limits for new sessions. Opening a session locks it, so that no limit is exceeded."""

vendors = Table(
    "vendors",
    metadata,
    Column("name", Text, primary_key=True),
    Column("retention", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("registered_at", Double, nullable=False),
)
"""The retention of requests by a model's vendor, in the operator's words, with the source."""

users = Table(
    "users",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("organisation", Integer, ForeignKey("organisations.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("role", String(16), nullable=False),
    Column("secret_hash", Text, nullable=False),
    Column("reviewer", Integer, ForeignKey("reviewers.id")),
    Column("created_at", Double, nullable=False),
    Column("disabled_at", Double),
    UniqueConstraint("organisation", "name"),
    CheckConstraint("role IN ('admin','examiner','reviewer','candidate','viewer')", name="ck_users_role"),
)

signing_keys = Table(
    "signing_keys",
    metadata,
    Column("kid", String(16), primary_key=True),
    Column("secret", LargeBinary, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("retired_at", Double),
    Column("withdrawn_at", Double),
)
"""A retired key signs nothing new, but its tokens are accepted; those of a withdrawn key are refused."""

tokens = Table(
    "tokens",
    metadata,
    Column("jti", String(32), primary_key=True),
    Column("user_id", String(36), ForeignKey("users.id"), nullable=False, index=True),
    Column("session", String(36), index=True),
    Column("kid", String(16), ForeignKey("signing_keys.kid"), nullable=False),
    Column("issued_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("revoked_at", Double),
)

draws = Table(
    "draws",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, unique=True),
    Column("organisation", Integer, ForeignKey("organisations.id")),
    Column("revision", Integer, nullable=False),
    Column("n", Integer, nullable=False),
    Column("allocation", Text, nullable=False),
    Column("seed", Text),
    Column("made_at", Double, nullable=False),
)

draw_questions = Table(
    "draw_questions",
    metadata,
    Column("draw", Integer, ForeignKey("draws.id"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("question", BigInteger, ForeignKey("questions.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("family", BigInteger, nullable=False),
    Column("discipline", String(16), nullable=False),
    UniqueConstraint("draw", "family"),
    sqlite_with_rowid=False,
)
"""The questions of a draw in the order of serving, at most one of each family."""

exposures = Table(
    "exposures",
    metadata,
    Column("organisation", Integer, ForeignKey("organisations.id"), primary_key=True),
    Column("family", BigInteger, primary_key=True, autoincrement=False),
    Column("draw", Integer, ForeignKey("draws.id"), nullable=False, index=True),
    Index("ix_exposures_family", "family"),
    sqlite_with_rowid=False,
)
"""The families that an organisation has seen, or was allocated in a session that is still open."""

exam_series = Table(
    "exam_series",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("n", Integer, nullable=False),
    Column("allocation", Text, nullable=False),
    Column("prompting", String(10), nullable=False),
    Column("sittings", Integer, nullable=False),
    Column("draw", Integer, ForeignKey("draws.id")),
    Column("screened", SmallInteger, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("session_seconds", Double, nullable=False),
    Column("question_seconds", Double, nullable=False),
    Column("reference_organisation", Integer, ForeignKey("organisations.id"), nullable=False),
    Column("reference_model", Text, nullable=False),
    Column("changes", Integer, nullable=False, server_default="0"),
    Column("made_at", Double, nullable=False),
    Column("made_by", Text, nullable=False),
    CheckConstraint("sittings >= 1", name="ck_exam_series_sittings"),
)
"""The official series: the rules of all its sittings, and the reference that R compares with.

`draw` is the named draw of all sittings; None if each sitting has fresh questions. `screened` allows
questions that passed the screening and that no reviewer has read. `revision` is the bank's revision when the
series was made. `changes` counts changes of its models and void sittings.
"""

exam_entrants = Table(
    "exam_entrants",
    metadata,
    Column("series", Integer, ForeignKey("exam_series.id"), primary_key=True, autoincrement=False),
    Column("organisation", Integer, ForeignKey("organisations.id"), primary_key=True, autoincrement=False),
    Column("model", Text, primary_key=True),
    Column("registered_at", Double, nullable=False),
    Column("by", Text, nullable=False),
)
"""The models that the operator registered for a series, each with its organisation."""

exam_standings = Table(
    "exam_standings",
    metadata,
    Column("series", Integer, ForeignKey("exam_series.id"), primary_key=True, autoincrement=False),
    Column("judge", Text, primary_key=True),
    Column("version", Text, nullable=False),
    Column("document", Text, nullable=False),
    Column("made_at", Double, nullable=False),
)
"""A series' figures under a judge at `version`: see `store.exam.series`."""

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("organisation", Integer, ForeignKey("organisations.id"), nullable=False, index=True),
    Column("candidate", String(36), ForeignKey("users.id"), nullable=False),
    Column("model", Text, nullable=False),
    Column("prompting", String(10), nullable=False),
    Column("draw", Integer, ForeignKey("draws.id"), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("quota", Integer, nullable=False),
    Column("allocated", Integer, nullable=False),
    Column("pending", Integer, nullable=False),
    Column("completed", Integer, nullable=False),
    Column("state", String(8), nullable=False),
    Column("simulated", SmallInteger, nullable=False),
    Column("opened_at", Double, nullable=False),
    Column("started_at", Double),
    Column("closed_at", Double),
    Column("deadline", Double, nullable=False),
    Column("question_seconds", Double, nullable=False),
    Column("served_at", Double),
    Column("holder", String(64)),
    Column("held_until", Double),
    Column("series", Integer, ForeignKey("exam_series.id"), index=True),
    Column("changes", Integer, nullable=False, server_default="0"),
    CheckConstraint("allocated + pending + completed = quota", name="ck_sessions_quota"),
    CheckConstraint("pending IN (0,1)", name="ck_sessions_pending"),
    CheckConstraint("allocated >= 0 AND completed >= 0", name="ck_sessions_counts"),
    CheckConstraint("state IN ('open','finished','expired','closed')", name="ck_sessions_state"),
)
"""`served_at` is when the pending question was first served. `holder` is the client that uses the session
until `held_until` (a hash of the token's jti and the client's own name). `series` is None for an unofficial
sitting. `changes` counts the marks and exclusions that were written."""

exam_voids = Table(
    "exam_voids",
    metadata,
    Column("session", String(36), ForeignKey("sessions.id"), primary_key=True),
    Column("reason", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", Double, nullable=False),
)
"""Sittings of a series that the operator declared void, with the reason; another sitting may replace them."""

served = Table(
    "served",
    metadata,
    Column("session", String(36), ForeignKey("sessions.id"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    sqlite_with_rowid=False,
)

answers = Table(
    "answers",
    metadata,
    Column("session", String(36), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("status", String(10), nullable=False),
    Column("text", Text),
    Column("digest", String(64), nullable=False),
    Column("receipt", String(32), nullable=False),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("seconds", Double),
    Column("finish_reason", Text),
    Column("received_at", Double, nullable=False),
    ForeignKeyConstraint(["session", "position"], ["served.session", "served.position"]),
    CheckConstraint("status IN ('answered','late','timed-out')", name="ck_answers_status"),
    sqlite_with_rowid=False,
)
"""Written once: triggers refuse every update and delete. `digest` is a hash of the request, for retries."""

access_log = Table(
    "access_log",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("at", Double, nullable=False, index=True),
    Column("user_id", String(36)),
    Column("session", String(36), index=True),
    Column("jti", String(32)),
    Column("method", String(8), nullable=False),
    Column("path", Text, nullable=False),
    Column("status", SmallInteger, nullable=False),
    Column("told", Text),
)

exam_marks = Table(
    "exam_marks",
    metadata,
    Column("session", String(36), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("judge", Text, primary_key=True),
    Column("stars", SmallInteger),
    Column("why", Text),
    Column("rationale", LargeBinary, nullable=False),
    Column("reply", LargeBinary, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("run", Integer),
    Column("marked_at", Double, nullable=False),
    ForeignKeyConstraint(["session", "position"], ["answers.session", "answers.position"]),
    CheckConstraint("stars IS NULL OR stars BETWEEN 0 AND 3", name="ck_exam_marks_stars"),
    sqlite_with_rowid=False,
)
"""One mark for each answer and judge; `why` says why stars are missing. Rationale and reply are sealed."""

exam_remarks = Table(
    "exam_remarks",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("session", String(36), nullable=False),
    Column("position", Integer, nullable=False),
    Column("judge", Text, nullable=False),
    Column("stars", SmallInteger),
    Column("why", Text),
    Column("rationale", LargeBinary, nullable=False),
    Column("run", Integer),
    Column("marked_at", Double, nullable=False),
    Column("replaced_at", Double, nullable=False),
    Column("reason", Text, nullable=False),
    Column("by", Text, nullable=False),
    Index("ix_exam_remarks_session_position", "session", "position"),
)
"""Marks that were replaced, with the person who replaced them and the reason."""

exam_exclusions = Table(
    "exam_exclusions",
    metadata,
    Column("session", String(36), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("reason", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", Double, nullable=False),
    ForeignKeyConstraint(["session", "position"], ["served.session", "served.position"]),
)

human_marks = Table(
    "human_marks",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("code", String(36), nullable=False, unique=True),
    Column("session", String(36), nullable=False),
    Column("position", Integer, nullable=False),
    Column("reviewer", Integer, ForeignKey("reviewers.id"), nullable=False),
    Column("assigned_at", Double, nullable=False),
    Column("stars", SmallInteger),
    Column("rationale", LargeBinary),
    Column("seconds", Double),
    Column("marked_at", Double),
    UniqueConstraint("session", "position", "reviewer"),
    ForeignKeyConstraint(["session", "position"], ["answers.session", "answers.position"]),
    CheckConstraint("stars IS NULL OR stars BETWEEN 0 AND 3", name="ck_human_marks_stars"),
    Index("ix_human_marks_reviewer_marked_at", "reviewer", "marked_at"),
)
"""Answers assigned to experts. An expert sees the code, question, key and answer, but not the model."""
