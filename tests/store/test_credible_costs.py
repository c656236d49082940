"""Impossible costs of calls in databases of earlier versions."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, text

from assay.store.engine import MIGRATIONS, migrate
from assay.store.runs import count_runs

INSERT = text(
    "INSERT INTO calls (run, position, purpose, model, request_hash, attempts, status, started_at, cost)"
    " VALUES (1, :position, 'subject', 1, :hash, 1, 'ok', 1.0, :cost)"
)


def test_a_database_with_absurd_costs_can_be_summed_again(engine: Engine) -> None:
    """Two costs of 1e308 overflow a sum on PostgreSQL; after the migration they are unknown."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0005")
        for position, cost in enumerate((1e308, 1e308, -0.9, 0.25, None)):
            connection.execute(INSERT, {"position": position, "hash": b"x", "cost": cost})
    migrate(engine)
    counts = count_runs(engine, [1])[1]
    assert (counts.spend.calls, counts.spend.known, counts.spend.unknown) == (5, 0.25, 4)
