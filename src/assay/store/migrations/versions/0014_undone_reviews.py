"""Reviewers can undo a decision: a further row says so, and each row keeps the state from before it."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

BEFORE = "decision IN ('accept','reject')"
AFTER = "decision IN ('accept','reject','unaccept','unreject')"
ONCE = ("question", "version", "reviewer")
COPIED = "id, question, version, reviewer, decision, reason, at, seconds"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _rebuild(AFTER, (*ONCE, "turn"), more=True)
        return
    op.add_column("reviews", sa.Column("turn", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("reviews", sa.Column("state_before", sa.String(length=8)))
    _constrain(AFTER, "uq_reviews_question_version_reviewer", (*ONCE, "turn"))


def downgrade() -> None:
    op.execute("DELETE FROM reviews WHERE turn > 1 OR decision IN ('unaccept','unreject')")
    if op.get_bind().dialect.name == "sqlite":
        _rebuild(BEFORE, ONCE, more=False)
        return
    _constrain(BEFORE, "uq_reviews_question_version_reviewer_turn", ONCE)
    op.drop_column("reviews", "state_before")
    op.drop_column("reviews", "turn")


def _constrain(decisions: str, dropped: str, once: tuple[str, ...]) -> None:
    op.execute("ALTER TABLE reviews DROP CONSTRAINT ck_reviews_decision")
    op.execute(f"ALTER TABLE reviews ADD CONSTRAINT ck_reviews_decision CHECK ({decisions})")
    op.execute(f"ALTER TABLE reviews DROP CONSTRAINT {dropped}")
    op.create_unique_constraint(f"uq_reviews_{'_'.join(once)}", "reviews", list(once))


def _rebuild(decisions: str, once: tuple[str, ...], *, more: bool) -> None:
    """Copy the reviews into a new table, because SQLite cannot change constraints."""
    new: list[sa.Column[Any]] = [
        sa.Column("turn", sa.Integer(), nullable=False, server_default="1"),
        sa.Column("state_before", sa.String(length=8)),
    ]
    op.create_table(
        "reviews_new",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("question", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("reviewer", sa.Integer(), nullable=False),
        sa.Column("decision", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=True),
        *(new if more else ()),
        sa.CheckConstraint(decisions, name=op.f("ck_reviews_decision")),
        sa.ForeignKeyConstraint(["question"], ["questions.id"], name=op.f("fk_reviews_question")),
        sa.ForeignKeyConstraint(["reviewer"], ["reviewers.id"], name=op.f("fk_reviews_reviewer")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reviews")),
        sa.UniqueConstraint(*once, name=op.f(f"uq_reviews_{'_'.join(once)}")),
    )
    op.execute(f"INSERT INTO reviews_new ({COPIED}) SELECT {COPIED} FROM reviews")
    op.drop_table("reviews")
    op.rename_table("reviews_new", "reviews")
    op.create_index("ix_reviews_reviewer_at", "reviews", ["reviewer", "at"])
