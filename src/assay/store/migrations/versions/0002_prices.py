"""Prices from the providers' own model lists."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "prices",
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("upstream", sa.Text(), nullable=False),
        sa.Column("prompt", sa.Double(), nullable=False),
        sa.Column("completion", sa.Double(), nullable=False),
        sa.Column("cached", sa.Double(), nullable=True),
        sa.Column("request", sa.Double(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("fetched_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("provider", "upstream", name=op.f("pk_prices")),
    )


def downgrade() -> None:
    op.drop_table("prices")
