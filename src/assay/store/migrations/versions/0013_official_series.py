"""The official series of exams: their rules, registered models, void sittings and stored standings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "exam_series",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("allocation", sa.Text(), nullable=False),
        sa.Column("prompting", sa.String(length=10), nullable=False),
        sa.Column("sittings", sa.Integer(), nullable=False),
        sa.Column("draw", sa.Integer(), nullable=True),
        sa.Column("screened", sa.SmallInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("session_seconds", sa.Double(), nullable=False),
        sa.Column("question_seconds", sa.Double(), nullable=False),
        sa.Column("reference_organisation", sa.Integer(), nullable=False),
        sa.Column("reference_model", sa.Text(), nullable=False),
        sa.Column("changes", sa.Integer(), server_default="0", nullable=False),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.CheckConstraint("sittings >= 1", name=op.f("ck_exam_series_sittings")),
        sa.ForeignKeyConstraint(["draw"], ["draws.id"], name=op.f("fk_exam_series_draw")),
        sa.ForeignKeyConstraint(
            ["reference_organisation"],
            ["organisations.id"],
            name=op.f("fk_exam_series_reference_organisation"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exam_series")),
        sa.UniqueConstraint("name", name=op.f("uq_exam_series_name")),
    )
    op.create_table(
        "exam_entrants",
        sa.Column("series", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("organisation", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("registered_at", sa.Double(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["series"], ["exam_series.id"], name=op.f("fk_exam_entrants_series")),
        sa.ForeignKeyConstraint(
            ["organisation"], ["organisations.id"], name=op.f("fk_exam_entrants_organisation")
        ),
        sa.PrimaryKeyConstraint("series", "organisation", "model", name=op.f("pk_exam_entrants")),
    )
    op.create_table(
        "exam_standings",
        sa.Column("series", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("judge", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["series"], ["exam_series.id"], name=op.f("fk_exam_standings_series")),
        sa.PrimaryKeyConstraint("series", "judge", name=op.f("pk_exam_standings")),
    )
    op.create_table(
        "exam_voids",
        sa.Column("session", sa.String(length=36), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_exam_voids_session")),
        sa.PrimaryKeyConstraint("session", name=op.f("pk_exam_voids")),
    )
    op.execute(
        "ALTER TABLE sessions ADD COLUMN series INTEGER "
        "CONSTRAINT fk_sessions_series REFERENCES exam_series (id)"
    )
    op.execute("ALTER TABLE sessions ADD COLUMN changes INTEGER DEFAULT 0 NOT NULL")
    op.create_index("ix_sessions_series", "sessions", ["series"])


def downgrade() -> None:
    op.drop_table("exam_voids")
    op.drop_table("exam_standings")
    op.drop_table("exam_entrants")
    op.drop_index("ix_sessions_series", "sessions")
    with op.batch_alter_table("sessions") as batch:
        batch.drop_column("changes")
        batch.drop_column("series")
    op.drop_table("exam_series")
