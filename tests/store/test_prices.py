"""Storing prices."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

from assay.core.money import Prices
from assay.store.engine import MIGRATIONS, connect, head, migrate, revision
from assay.store.prices import ListedPrices, keep_prices, read_prices


def test_prices_come_back_with_their_source_and_time(engine: Engine) -> None:
    """Stored prices are returned by provider and upstream name; a provider without a refresh has none."""
    listed = {"a/b": Prices(0.25, 2.0, 0.025), "c": Prices(1.0, 3.0, None, 0.01)}
    keep_prices(engine, "one", listed, source="https://one.example/models", clock=lambda: 5.0)
    assert read_prices(engine, ["one", "two"]) == {
        "one": {
            name: ListedPrices(prices, "https://one.example/models", 5.0) for name, prices in listed.items()
        },
        "two": {},
    }


def test_a_refresh_forgets_what_is_no_longer_listed(engine: Engine) -> None:
    """Prices of a model that left the list are unknown again; other providers keep theirs."""
    keep_prices(engine, "one", {"old": Prices(1, 1)}, source="s", clock=lambda: 1.0)
    keep_prices(engine, "two", {"other": Prices(1, 1)}, source="s", clock=lambda: 1.0)
    keep_prices(engine, "one", {"new": Prices(1, 1)}, source="s", clock=lambda: 2.0)
    stored = read_prices(engine, ["one", "two"])
    assert [list(stored["one"]), list(stored["two"])] == [["new"], ["other"]]


def test_a_database_of_the_first_schema_is_upgraded(tmp_path: Path) -> None:
    """A database without the table gets it from `migrate`, and can then hold prices."""
    engine = connect(str(tmp_path / "old.db"))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    migrate(engine)
    assert revision(engine) == head()
    assert read_prices(engine, ["one"]) == {"one": {}}
    engine.dispose()
