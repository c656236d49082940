"""The last batch of each writer of the ledger, so that a commit of unknown outcome can be tried again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "writers",
        sa.Column("writer", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("writer", name=op.f("pk_writers")),
    )


def downgrade() -> None:
    op.drop_table("writers")
