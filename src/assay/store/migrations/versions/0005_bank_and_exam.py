"""The tables of the question bank and the exam, and triggers that refuse changes of answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

WRITTEN_ONCE = ("answers", "served")


def upgrade() -> None:
    op.create_table(
        "access_log",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("user_id", sa.String(length=36), nullable=True),
        sa.Column("session", sa.String(length=36), nullable=True),
        sa.Column("jti", sa.String(length=32), nullable=True),
        sa.Column("method", sa.String(length=8), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("told", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_access_log"),
    )
    op.create_index("ix_access_log_at", "access_log", ["at"], unique=False)
    op.create_index("ix_access_log_session", "access_log", ["session"], unique=False)
    op.create_table(
        "bank_revisions",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("deed", sa.String(length=16), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_bank_revisions"),
    )
    op.create_table(
        "exam_remarks",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("session", sa.String(length=36), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("judge", sa.Text(), nullable=False),
        sa.Column("stars", sa.SmallInteger(), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("rationale", sa.LargeBinary(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=True),
        sa.Column("marked_at", sa.Double(), nullable=False),
        sa.Column("replaced_at", sa.Double(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_exam_remarks"),
    )
    op.create_index("ix_exam_remarks_session_position", "exam_remarks", ["session", "position"], unique=False)
    op.create_table(
        "organisations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("operator", sa.SmallInteger(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_organisations"),
        sa.UniqueConstraint("name", name="uq_organisations_name"),
    )
    op.create_table(
        "passages",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_passages"),
        sa.UniqueConstraint("digest", name="uq_passages_digest"),
    )
    op.create_table(
        "reviewers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("disciplines", sa.Text(), nullable=False),
        sa.Column("daily_cap", sa.Integer(), nullable=False),
        sa.Column("hourly_rate", sa.Double(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("left_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_reviewers"),
        sa.UniqueConstraint("name", name="uq_reviewers_name"),
    )
    op.create_table(
        "signing_keys",
        sa.Column("kid", sa.String(length=16), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("retired_at", sa.Double(), nullable=True),
        sa.Column("withdrawn_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("kid", name="pk_signing_keys"),
    )
    op.create_table(
        "sources",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("synthetic", sa.SmallInteger(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("imported_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sources"),
    )
    op.create_table(
        "units",
        sa.Column("discipline", sa.String(length=16), nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("family", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("discipline", "ordinal", name="pk_units"),
        sa.UniqueConstraint("family", name="uq_units_family"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "draws",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("organisation", sa.Integer(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("allocation", sa.Text(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=True),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["organisation"], ["organisations.id"], name="fk_draws_organisation"),
        sa.PrimaryKeyConstraint("id", name="pk_draws"),
        sa.UniqueConstraint("name", name="uq_draws_name"),
    )
    op.create_table(
        "questions",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.Column("family", sa.BigInteger(), nullable=False),
        sa.Column("parent", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("discipline", sa.String(length=16), nullable=False),
        sa.Column("secondary", sa.Text(), nullable=True),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("stem", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("passage", sa.BigInteger(), nullable=True),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("source", sa.Integer(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=True),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=True),
        sa.Column("retired", sa.Integer(), nullable=True),
        sa.Column("retired_why", sa.Text(), nullable=True),
        sa.CheckConstraint("state IN ('raw','reviewed','accepted','rejected')", name="ck_questions_state"),
        sa.ForeignKeyConstraint(["passage"], ["passages.id"], name="fk_questions_passage"),
        sa.ForeignKeyConstraint(["source"], ["sources.id"], name="fk_questions_source"),
        sa.PrimaryKeyConstraint("id", name="pk_questions"),
        sa.UniqueConstraint("digest", name="uq_questions_digest"),
        sa.UniqueConstraint("uuid", name="uq_questions_uuid"),
    )
    op.create_index("ix_questions_family", "questions", ["family"], unique=False)
    op.create_index("ix_questions_source", "questions", ["source"], unique=False)
    op.create_table(
        "rejects",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("source", sa.Integer(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["source"], ["sources.id"], name="fk_rejects_source"),
        sa.PrimaryKeyConstraint("id", name="pk_rejects"),
    )
    op.create_index("ix_rejects_source", "rejects", ["source"], unique=False)
    op.create_table(
        "users",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("organisation", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("secret_hash", sa.Text(), nullable=False),
        sa.Column("reviewer", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("disabled_at", sa.Double(), nullable=True),
        sa.CheckConstraint(
            "role IN ('admin','examiner','reviewer','candidate','viewer')", name="ck_users_role"
        ),
        sa.ForeignKeyConstraint(["organisation"], ["organisations.id"], name="fk_users_organisation"),
        sa.ForeignKeyConstraint(["reviewer"], ["reviewers.id"], name="fk_users_reviewer"),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("organisation", "name", name="uq_users_organisation_name"),
    )
    op.create_table(
        "draw_questions",
        sa.Column("draw", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("question", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("family", sa.BigInteger(), nullable=False),
        sa.Column("discipline", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["draw"], ["draws.id"], name="fk_draw_questions_draw"),
        sa.ForeignKeyConstraint(["question"], ["questions.id"], name="fk_draw_questions_question"),
        sa.PrimaryKeyConstraint("draw", "position", name="pk_draw_questions"),
        sa.UniqueConstraint("draw", "family", name="uq_draw_questions_draw_family"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "duplicates",
        sa.Column("question", sa.BigInteger(), nullable=False),
        sa.Column("other", sa.BigInteger(), nullable=False),
        sa.Column("similarity", sa.Double(), nullable=False),
        sa.Column("found_at", sa.Double(), nullable=False),
        sa.Column("resolution", sa.String(length=8), nullable=True),
        sa.ForeignKeyConstraint(["other"], ["questions.id"], name="fk_duplicates_other"),
        sa.ForeignKeyConstraint(["question"], ["questions.id"], name="fk_duplicates_question"),
        sa.PrimaryKeyConstraint("question", "other", name="pk_duplicates"),
    )
    op.create_table(
        "exposures",
        sa.Column("organisation", sa.Integer(), nullable=False),
        sa.Column("family", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("draw", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["draw"], ["draws.id"], name="fk_exposures_draw"),
        sa.ForeignKeyConstraint(["organisation"], ["organisations.id"], name="fk_exposures_organisation"),
        sa.PrimaryKeyConstraint("organisation", "family", name="pk_exposures"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_exposures_draw", "exposures", ["draw"], unique=False)
    op.create_table(
        "question_versions",
        sa.Column("question", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("edited_by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("edited_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["question"], ["questions.id"], name="fk_question_versions_question"),
        sa.PrimaryKeyConstraint("question", "version", name="pk_question_versions"),
    )
    op.create_table(
        "reviews",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("question", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("reviewer", sa.Integer(), nullable=False),
        sa.Column("decision", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.CheckConstraint("decision IN ('accept','reject')", name="ck_reviews_decision"),
        sa.ForeignKeyConstraint(["question"], ["questions.id"], name="fk_reviews_question"),
        sa.ForeignKeyConstraint(["reviewer"], ["reviewers.id"], name="fk_reviews_reviewer"),
        sa.PrimaryKeyConstraint("id", name="pk_reviews"),
        sa.UniqueConstraint("question", "version", "reviewer", name="uq_reviews_question_version_reviewer"),
    )
    op.create_index("ix_reviews_reviewer_at", "reviews", ["reviewer", "at"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("organisation", sa.Integer(), nullable=False),
        sa.Column("candidate", sa.String(length=36), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("prompting", sa.String(length=10), nullable=False),
        sa.Column("draw", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("quota", sa.Integer(), nullable=False),
        sa.Column("allocated", sa.Integer(), nullable=False),
        sa.Column("pending", sa.Integer(), nullable=False),
        sa.Column("completed", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("simulated", sa.SmallInteger(), nullable=False),
        sa.Column("opened_at", sa.Double(), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=True),
        sa.Column("closed_at", sa.Double(), nullable=True),
        sa.Column("deadline", sa.Double(), nullable=False),
        sa.Column("question_seconds", sa.Double(), nullable=False),
        sa.Column("served_at", sa.Double(), nullable=True),
        sa.Column("holder", sa.String(length=64), nullable=True),
        sa.Column("held_until", sa.Double(), nullable=True),
        sa.CheckConstraint("state IN ('open','finished','expired','closed')", name="ck_sessions_state"),
        sa.CheckConstraint("allocated + pending + completed = quota", name="ck_sessions_quota"),
        sa.CheckConstraint("allocated >= 0 AND completed >= 0", name="ck_sessions_counts"),
        sa.CheckConstraint("pending IN (0,1)", name="ck_sessions_pending"),
        sa.ForeignKeyConstraint(["candidate"], ["users.id"], name="fk_sessions_candidate"),
        sa.ForeignKeyConstraint(["draw"], ["draws.id"], name="fk_sessions_draw"),
        sa.ForeignKeyConstraint(["organisation"], ["organisations.id"], name="fk_sessions_organisation"),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
    )
    op.create_index("ix_sessions_organisation", "sessions", ["organisation"], unique=False)
    op.create_table(
        "tokens",
        sa.Column("jti", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("session", sa.String(length=36), nullable=True),
        sa.Column("kid", sa.String(length=16), nullable=False),
        sa.Column("issued_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("revoked_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["kid"], ["signing_keys.kid"], name="fk_tokens_kid"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_tokens_user_id"),
        sa.PrimaryKeyConstraint("jti", name="pk_tokens"),
    )
    op.create_index("ix_tokens_session", "tokens", ["session"], unique=False)
    op.create_index("ix_tokens_user_id", "tokens", ["user_id"], unique=False)
    op.create_table(
        "served",
        sa.Column("session", sa.String(length=36), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_served_session"),
        sa.PrimaryKeyConstraint("session", "position", name="pk_served"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "answers",
        sa.Column("session", sa.String(length=36), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("receipt", sa.String(length=32), nullable=False),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("finish_reason", sa.Text(), nullable=True),
        sa.Column("received_at", sa.Double(), nullable=False),
        sa.CheckConstraint("status IN ('answered','late','timed-out')", name="ck_answers_status"),
        sa.ForeignKeyConstraint(
            ["session", "position"], ["served.session", "served.position"], name="fk_answers_session_position"
        ),
        sa.PrimaryKeyConstraint("session", "position", name="pk_answers"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "exam_exclusions",
        sa.Column("session", sa.String(length=36), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session", "position"],
            ["served.session", "served.position"],
            name="fk_exam_exclusions_session_position",
        ),
        sa.PrimaryKeyConstraint("session", "position", name="pk_exam_exclusions"),
    )
    op.create_table(
        "exam_marks",
        sa.Column("session", sa.String(length=36), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("judge", sa.Text(), nullable=False),
        sa.Column("stars", sa.SmallInteger(), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("rationale", sa.LargeBinary(), nullable=False),
        sa.Column("reply", sa.LargeBinary(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=True),
        sa.Column("marked_at", sa.Double(), nullable=False),
        sa.CheckConstraint("stars IS NULL OR stars BETWEEN 0 AND 3", name="ck_exam_marks_stars"),
        sa.ForeignKeyConstraint(
            ["session", "position"],
            ["answers.session", "answers.position"],
            name="fk_exam_marks_session_position",
        ),
        sa.PrimaryKeyConstraint("session", "position", "judge", name="pk_exam_marks"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "human_marks",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("code", sa.String(length=36), nullable=False),
        sa.Column("session", sa.String(length=36), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("reviewer", sa.Integer(), nullable=False),
        sa.Column("assigned_at", sa.Double(), nullable=False),
        sa.Column("stars", sa.SmallInteger(), nullable=True),
        sa.Column("rationale", sa.LargeBinary(), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("marked_at", sa.Double(), nullable=True),
        sa.CheckConstraint("stars IS NULL OR stars BETWEEN 0 AND 3", name="ck_human_marks_stars"),
        sa.ForeignKeyConstraint(["reviewer"], ["reviewers.id"], name="fk_human_marks_reviewer"),
        sa.ForeignKeyConstraint(
            ["session", "position"],
            ["answers.session", "answers.position"],
            name="fk_human_marks_session_position",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_human_marks"),
        sa.UniqueConstraint("code", name="uq_human_marks_code"),
        sa.UniqueConstraint(
            "session", "position", "reviewer", name="uq_human_marks_session_position_reviewer"
        ),
    )
    op.create_index(
        "ix_human_marks_reviewer_marked_at", "human_marks", ["reviewer", "marked_at"], unique=False
    )
    for table in WRITTEN_ONCE:
        _write_once(table)


def _write_once(table: str) -> None:
    told = f"{table} are written once"
    if op.get_bind().dialect.name == "sqlite":
        for deed in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{deed.lower()} BEFORE {deed} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{told}'); END"
            )
        return
    op.execute(
        f"CREATE FUNCTION {table}_kept() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{told}' USING ERRCODE = 'integrity_constraint_violation'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {table}_kept()"
    )


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for table in WRITTEN_ONCE:
            op.execute(f"DROP FUNCTION {table}_kept CASCADE")
    for table in (
        "human_marks",
        "exam_marks",
        "exam_exclusions",
        "answers",
        "served",
        "tokens",
        "sessions",
        "reviews",
        "question_versions",
        "exposures",
        "duplicates",
        "draw_questions",
        "users",
        "rejects",
        "questions",
        "draws",
        "units",
        "sources",
        "signing_keys",
        "reviewers",
        "passages",
        "organisations",
        "exam_remarks",
        "bank_revisions",
        "access_log",
    ):
        op.drop_table(table)
