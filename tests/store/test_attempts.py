"""Migrating calls from versions that did not store every attempt."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, text

from assay.store.engine import MIGRATIONS, migrate
from assay.store.ledger import subject_calls
from assay.store.runs import count_runs

INSERT = text(
    "INSERT INTO calls (run, position, purpose, model, request_hash, attempts, status, started_at, cost,"
    " answer)"
    " VALUES (1, 7, 'subject', 1, :hash, 3, 'ok', 1.0, 0.25, 'an answer')"
)


def test_a_call_of_before_is_the_attempt_that_counted(engine: Engine) -> None:
    """A call that took three attempts becomes the third; its answer and cost stay."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0006")
        connection.execute(INSERT, {"hash": b"x"})
    migrate(engine)
    row = subject_calls(engine, 1, [7])[7]
    assert (row.attempt, row.answer, row.cost) == (3, "an answer", 0.25)
    assert count_runs(engine, [1])[1].spend.known == 0.25
