"""Every issue of a verdict is kept. Earlier verdicts become the first issues of their days."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "issued_verdicts",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("model", sa.Integer(), nullable=False),
        sa.Column("suite", sa.String(length=64), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("thresholds", sa.String(length=64), nullable=True),
        sa.Column("rules", sa.Integer(), nullable=True),
        sa.Column("issued_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["model"], ["models.id"], name=op.f("fk_issued_verdicts_model")),
        sa.ForeignKeyConstraint(["suite"], ["suites.digest"], name=op.f("fk_issued_verdicts_suite")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_issued_verdicts")),
    )
    op.create_index("ix_issued_verdicts_suite_model_day", "issued_verdicts", ["suite", "model", "day"])
    op.execute(
        "INSERT INTO issued_verdicts (model, suite, day, state, verdict, issued_at) "
        "SELECT model, suite, day, state, verdict, judged_at FROM watch_days ORDER BY judged_at"
    )
    op.drop_table("watch_days")


def downgrade() -> None:
    op.create_table(
        "watch_days",
        sa.Column("model", sa.Integer(), nullable=False),
        sa.Column("suite", sa.String(length=64), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("judged_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["model"], ["models.id"], name=op.f("fk_watch_days_model")),
        sa.ForeignKeyConstraint(["suite"], ["suites.digest"], name=op.f("fk_watch_days_suite")),
        sa.PrimaryKeyConstraint("model", "suite", "day", name=op.f("pk_watch_days")),
    )
    op.execute(
        "INSERT INTO watch_days (model, suite, day, state, verdict, judged_at) "
        "SELECT model, suite, day, state, verdict, issued_at FROM issued_verdicts WHERE id IN "
        "(SELECT max(id) FROM issued_verdicts GROUP BY model, suite, day)"
    )
    op.drop_table("issued_verdicts")
