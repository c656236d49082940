"""Limits on the exposure of questions, and a separate state for questions that no reviewer has read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

BEFORE = "'raw','reviewed','accepted','rejected'"
AFTER = "'raw','reviewed','screened','accepted','rejected'"
MECHANICAL = "mechanical: no finding"


def upgrade() -> None:
    _allow(BEFORE, AFTER)
    op.execute(
        "UPDATE questions SET state = 'screened' WHERE state = 'accepted' AND NOT EXISTS (SELECT 1 "
        "FROM reviews WHERE reviews.question = questions.id AND reviews.version = questions.version "
        f"AND reviews.decision = 'accept' AND reviews.reason <> '{MECHANICAL}')"
    )
    op.execute(f"DELETE FROM reviews WHERE reason = '{MECHANICAL}'")

    _limit_exposure()


def _limit_exposure() -> None:
    op.add_column("organisations", sa.Column("quota", sa.Integer()))
    op.add_column("units", sa.Column("since_draw", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("ix_exposures_family", "exposures", ["family"])
    op.create_table(
        "exam_limits",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("exposure_rate", sa.Double(), nullable=False),
        sa.Column("quota", sa.Integer(), nullable=False),
        sa.Column("period_days", sa.Integer(), nullable=False),
        sa.Column("drain_share", sa.Double(), nullable=False),
        sa.CheckConstraint("exposure_rate > 0 AND exposure_rate <= 1", name="ck_exam_limits_exposure_rate"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exam_limits")),
    )
    op.create_table(
        "vendors",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("retention", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("registered_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_vendors")),
    )


def downgrade() -> None:
    op.drop_table("vendors")
    op.drop_table("exam_limits")
    op.drop_index("ix_exposures_family", "exposures")
    op.execute("ALTER TABLE units DROP COLUMN since_draw")
    op.execute("ALTER TABLE organisations DROP COLUMN quota")
    op.execute("UPDATE questions SET state = 'raw' WHERE state = 'screened'")
    _allow(AFTER, BEFORE)


def _allow(before: str, after: str) -> None:
    """Let the column hold other states. SQLite keeps a table's constraints in the text of its definition."""
    bind = op.get_bind()
    if bind.dialect.name == "postgresql":
        op.execute("ALTER TABLE questions DROP CONSTRAINT ck_questions_state")
        op.execute(f"ALTER TABLE questions ADD CONSTRAINT ck_questions_state CHECK (state IN ({after}))")
        return
    version = bind.exec_driver_sql("PRAGMA schema_version").scalar_one()
    bind.exec_driver_sql("PRAGMA writable_schema = ON")
    changed = bind.exec_driver_sql(
        "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = 'questions' "
        "AND instr(sql, ?) > 0",
        (before, after, before),
    )
    assert changed.rowcount == 1
    bind.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    bind.exec_driver_sql("PRAGMA writable_schema = OFF")
