"""Runs the migrations on the connection that `store.engine` provides."""

from __future__ import annotations

from alembic import context

from assay.store import schema_bank, schema_exam  # noqa: F401 (their tables join the metadata)
from assay.store.schema import metadata

connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("migrations need a connection: run `assay db upgrade`")
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
