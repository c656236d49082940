"""Each row of `calls` is one attempt. Earlier rows become the attempt that counted, by its number."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE calls RENAME COLUMN attempts TO attempt")


def downgrade() -> None:
    op.execute("ALTER TABLE calls RENAME COLUMN attempt TO attempts")
