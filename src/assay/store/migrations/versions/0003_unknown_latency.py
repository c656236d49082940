"""The latency of an imported call may be unknown."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("calls") as calls:
        calls.alter_column("latency", existing_type=sa.Double(), nullable=True)


def downgrade() -> None:
    op.execute("UPDATE calls SET latency = 0 WHERE latency IS NULL")
    with op.batch_alter_table("calls") as calls:
        calls.alter_column("latency", existing_type=sa.Double(), nullable=False)
