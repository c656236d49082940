"""Judges' marks, one row for each sample, judge and metric."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "marks",
        sa.Column("run", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("position", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("judge", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("metric", sa.String(32), nullable=False),
        sa.Column("value", sa.Double()),
        sa.Column("reason", sa.Text()),
        sa.Column("rationale", sa.Text(), nullable=False),
        sa.Column("mode", sa.String(16), nullable=False),
        sa.Column("key", sa.LargeBinary()),
        sa.Column("reused", sa.SmallInteger(), nullable=False),
        sa.Column("marked_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("run", "position", "ordinal", "judge", "metric", name="pk_marks"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_marks_key", "marks", ["key"])


def downgrade() -> None:
    op.drop_index("ix_marks_key", "marks")
    op.drop_table("marks")
