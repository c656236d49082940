"""The ledger's writer: one transaction for each batch, each batch once, and none into a vanished database."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import Connection, Engine, delete
from sqlalchemy.exc import DBAPIError

from assay.store import engine as opening
from assay.store.engine import Vanished, ensure_in_place, explain, rescue
from assay.store.ledger import claim, write
from assay.store.locks import Lease, ensure_held
from assay.store.rows import Batch
from assay.store.schema import calls, conditions, grades, marks, samples, writers
from assay.store.sealing import has_key, seal_batch, sealed_run, sealer_of
from assay.store.unsaved import keep_batches

BUSY_SECONDS = 5


class LedgerWriter:
    """Commits batches over its own connection; used by one thread at a time.

    With a `lease`, nothing is written after the lease was lost.
    """

    def __init__(self, engine: Engine, lease: Lease | None = None) -> None:
        self._engine = engine
        self._lease = lease
        self._connection: Connection | None = None
        self._name = uuid.uuid4().hex
        self._sealed: dict[int, bool] = {}
        self._number = 0

    def commit(self, batch: Batch) -> None:
        """Commit a batch as one transaction; rows of a sealed suite are encrypted first.

        A sample, grade or mark that is written again replaces the earlier one. A reused mark does not replace
        the mark that it was copied from.

        Raises Upstream if the database fails, and Conflict if the lease was lost. After `DatabaseBusy` the
        same batch may be committed again: it is written once, even if the outcome of the first commit is
        unknown. After `Vanished` the batch is in a file that has no path any more.
        """
        try:
            connection = self._connected()
            with connection.begin():
                batch = self._sealed_batch(batch, connection)
                if claim(connection, self._name, self._number):
                    write(connection, calls, batch.calls)
                    write(connection, conditions, batch.conditions)
                    write(connection, samples, batch.samples)
                    write(connection, grades, batch.grades)
                    write(connection, marks, batch.marks)
                ensure_held(connection, self._lease)
        except DBAPIError as error:
            self._disconnect()
            raise explain(error, self._engine) from error
        ensure_in_place(connection)
        self._number += 1

    def keep(self, batches: Sequence[Batch], error: Exception) -> str:
        """Save batches that could not be committed in a file, and return a sentence with its path.

        The first batch is the one that failed. The whole content of a vanished database is saved as well.
        """
        rescued = ""
        if isinstance(error, Vanished) and self._connection is not None:
            rescued = rescue(self._connection)
        sealed = [self._sealed_batch(batch) for batch in batches]
        return rescued + keep_batches(self._engine, self._name, self._number, sealed)

    def close(self) -> None:
        """Release the connection, and delete the record of the last batch."""
        if self._connection is not None and self._number:
            try:
                with self._connection.begin():
                    self._connection.execute(delete(writers).where(writers.c.writer == self._name))
            except DBAPIError:
                pass  # a row that remains does no harm
        self._disconnect()

    def _sealed_batch(self, batch: Batch, connection: Connection | None = None) -> Batch:
        """Return a batch with the rows of sealed suites encrypted.

        Without a connection a run that was not looked up before counts as sealed if there is a key.
        """

        def is_sealed(run: int) -> bool:
            if run not in self._sealed and connection is not None:
                self._sealed[run] = sealed_run(connection, run)
            return self._sealed.get(run, has_key(self._engine))

        return seal_batch(batch, is_sealed, lambda: sealer_of(self._engine))

    def _connected(self) -> Connection:
        """Return the connection; on SQLite it waits for locks only briefly, since commits are tried again."""
        if self._connection is None:
            self._connection = self._engine.connect()
            if self._connection.dialect.name == "sqlite":
                self._connection.detach()
                wait = int(1000 * min(BUSY_SECONDS, opening.BUSY_SECONDS))
                self._connection.exec_driver_sql(f"PRAGMA busy_timeout = {wait}")
                self._connection.rollback()
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            try:
                self._connection.close()
            except DBAPIError:
                self._connection.invalidate()
            self._connection = None
