"""Migrating reviews from versions in which a decision could not be undone."""

from __future__ import annotations

import pytest
from alembic import command
from alembic.config import Config
from banked import NOW, choice, fill
from sqlalchemy import Engine, text

from assay.bank.review import decide
from assay.bank.undo import undo
from assay.core.errors import Conflict
from assay.questions.screen import Decided, Decision
from assay.store.bank.questions import question_by_uuid
from assay.store.bank.reviewers import add_reviewer
from assay.store.bank.reviews import reviews_of
from assay.store.engine import MIGRATIONS, migrate, reading

LAW = choice(1)[0].uuid


def test_reviews_of_before_stay(engine: Engine) -> None:
    """A downgrade forgets undone rows only; after the upgrade the old decision is there and final."""
    fill(engine, [choice(1)])
    add_reviewer(engine, name="ada", disciplines=[], daily_cap=9, hourly_rate=None, now=NOW)
    for decision in (Decision.ACCEPT, Decision.REJECT):
        decide(engine, "ada", Decided(LAW, decision, "why", 9.0), now=NOW)
        if decision is Decision.ACCEPT:
            undo(engine, "ada", 1, now=NOW)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0013")
    with reading(engine) as connection:
        assert connection.execute(text("SELECT decision, reason FROM reviews")).all() == [("accept", "why")]
    migrate(engine)
    (review,) = reviews_of(engine, question_by_uuid(engine, LAW).id)
    assert (review.reviewer, review.decision, review.seconds) == ("ada", "accept", 9.0)
    with pytest.raises(Conflict, match="not recorded"):
        undo(engine, "ada", 1, now=NOW)
