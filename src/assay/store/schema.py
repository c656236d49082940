"""The tables. Times are UTC seconds since 1970, days are ISO dates, costs US dollars, scores 0-100.

Every change needs a migration (`migrations/`); a test compares this file with the migrated schema.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
# SQLite numbers rows automatically only in a column declared INTEGER.
RowId = BigInteger().with_variant(Integer, "sqlite")

suites = Table(
    "suites",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("visibility", String(8), nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("stored_at", Double, nullable=False),
    Column("sealed_with", String(8)),
    UniqueConstraint("name", "version"),
)

cases = Table(
    "cases",
    metadata,
    Column("suite", String(64), ForeignKey("suites.digest"), primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("case_id", Text, nullable=False),
    Column("use_case", Text, nullable=False),
    UniqueConstraint("suite", "case_id"),
)

models = Table(
    "models",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("fingerprint", String(64), nullable=False, unique=True),
    Column("name", Text, nullable=False, index=True),
    Column("spec", Text, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("suite", String(64), ForeignKey("suites.digest"), nullable=False),
    Column("day", String(10), index=True),
    Column("plan", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("reason", Text),
    Column("simulated", SmallInteger, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("finished_at", Double),
    Index("ix_runs_suite_day", "suite", "day"),
)

run_models = Table(
    "run_models",
    metadata,
    Column("run", Integer, ForeignKey("runs.id"), primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("model", Integer, ForeignKey("models.id"), nullable=False, index=True),
)

calls = Table(
    "calls",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("run", Integer, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("purpose", String(16), nullable=False),
    Column("model", Integer, nullable=False),
    Column("request_hash", LargeBinary, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("status", String(8), nullable=False),
    Column("error", Text),
    Column("detail", Text),
    Column("http_status", Integer),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("reasoning_tokens", Integer),
    Column("cached_tokens", Integer),
    Column("cost", Double),
    Column("provider", Text),
    Column("served_model", Text),
    Column("fingerprint", Text),
    Column("finish_reason", Text),
    Column("native_finish_reason", Text),
    Column("started_at", Double, nullable=False),
    Column("latency", Double),
    Column("answer", Text),
    Column("sealed", LargeBinary),
    Index("ix_calls_run_position", "run", "position"),
)

conditions = Table(
    "conditions",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("digest", String(64), nullable=False, unique=True),
    Column("body", Text, nullable=False),
)

samples = Table(
    "samples",
    metadata,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("model", Integer, nullable=False),
    Column("case_ordinal", Integer, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("status", String(8), nullable=False),
    Column("score", Double),
    Column("routing_changed", SmallInteger, nullable=False),
    Column("finished_at", Double, nullable=False),
    Column("conditions", BigInteger),
    Column("sealed", LargeBinary),
    sqlite_with_rowid=False,
)

grades = Table(
    "grades",
    metadata,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("grader", Text, nullable=False),
    Column("value", Double),
    Column("reason", Text),
    Column("evidence", Text, nullable=False),
    Column("sealed", LargeBinary),
    sqlite_with_rowid=False,
)

marks = Table(
    "marks",
    metadata,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("judge", Integer, primary_key=True, autoincrement=False),
    Column("metric", String(32), primary_key=True),
    Column("value", Double),
    Column("reason", Text),
    Column("rationale", Text, nullable=False),
    Column("mode", String(16), nullable=False),
    Column("key", LargeBinary, index=True),
    Column("reused", SmallInteger, nullable=False),
    Column("marked_at", Double, nullable=False),
    Column("sealed", LargeBinary),
    sqlite_with_rowid=False,
)

issued_verdicts = Table(
    "issued_verdicts",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("model", Integer, ForeignKey("models.id"), nullable=False),
    Column("suite", String(64), ForeignKey("suites.digest"), nullable=False),
    Column("day", String(10), nullable=False),
    Column("state", String(16), nullable=False),
    Column("verdict", Text, nullable=False),
    Column("thresholds", String(64)),
    Column("rules", Integer),
    Column("issued_at", Double, nullable=False),
    Column("sealed", LargeBinary),
    Index("ix_issued_verdicts_suite_model_day", "suite", "model", "day"),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("event", Text, nullable=False),
    Column("hook", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("http_status", Integer),
    Column("error", Text),
    Column("created_at", Double, nullable=False),
    Column("finished_at", Double),
    UniqueConstraint("event", "hook"),
)

locks = Table(
    "locks",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("holder", Text, nullable=False),
    Column("taken_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
)

writers = Table(
    "writers",
    metadata,
    Column("writer", String(32), primary_key=True),
    Column("number", Integer, nullable=False),
)
"""The last batch that each writer of the ledger committed, so that no batch is written twice."""

prices = Table(
    "prices",
    metadata,
    Column("provider", Text, primary_key=True),
    Column("upstream", Text, primary_key=True),
    Column("prompt", Double, nullable=False),
    Column("completion", Double, nullable=False),
    Column("cached", Double),
    Column("request", Double, nullable=False),
    Column("source", Text, nullable=False),
    Column("fetched_at", Double, nullable=False),
)
