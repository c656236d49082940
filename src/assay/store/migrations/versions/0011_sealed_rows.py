"""Rows of sealed suites are encrypted. Earlier rows stay as they are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

TABLES = ("calls", "samples", "grades", "marks", "issued_verdicts")


def upgrade() -> None:
    binary = "BYTEA" if op.get_bind().dialect.name == "postgresql" else "BLOB"
    op.add_column("suites", sa.Column("sealed_with", sa.String(length=8)))
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} ADD COLUMN sealed {binary}")


def downgrade() -> None:
    for table in reversed(TABLES):
        op.execute(f"ALTER TABLE {table} DROP COLUMN sealed")
    op.execute("ALTER TABLE suites DROP COLUMN sealed_with")
