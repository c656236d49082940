"""Impossible costs become unknown, because PostgreSQL cannot add two costs of 1e308."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("UPDATE calls SET cost = NULL WHERE cost IS NOT NULL AND NOT (cost >= 0 AND cost <= 10000)")


def downgrade() -> None:
    """Nothing to undo: what the costs were is not known any more."""
