"""The conditions of every sample. Earlier samples have none besides the facts in their calls."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "conditions",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conditions")),
        sa.UniqueConstraint("digest", name=op.f("uq_conditions_digest")),
    )
    op.execute("ALTER TABLE samples ADD COLUMN conditions BIGINT")


def downgrade() -> None:
    op.execute("ALTER TABLE samples DROP COLUMN conditions")
    op.drop_table("conditions")
