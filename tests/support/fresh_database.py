"""Fresh databases for tests: SQLite's copied from one migrated once, PostgreSQL's emptied after each test.

`tests/store/test_engine.py` and the command line's tests migrate empty databases themselves.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from sqlalchemy import Engine, text

from assay.store.engine import open_database

SHAPE = """
SELECT md5(string_agg(line, ',' ORDER BY line)) FROM (
  SELECT table_name || '.' || column_name || '.' || ordinal_position || '.' || data_type AS line
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'trigger ' || tgrelid::regclass || tgname || tgenabled::text
    FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'constraint ' || conrelid::regclass || conname FROM pg_constraint WHERE conrelid <> 0
  UNION ALL SELECT 'function ' || proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT 'revision ' || version_num FROM alembic_version
) AS lines
"""
EMPTY = """
DO $$
DECLARE each record; filled boolean;
BEGIN
  SET LOCAL session_replication_role = replica;
  FOR each IN SELECT tablename FROM pg_tables
      WHERE schemaname = 'public' AND tablename <> 'alembic_version' LOOP
    EXECUTE format('DELETE FROM %I', each.tablename);
  END LOOP;
  FOR each IN SELECT sequencename FROM pg_sequences
      WHERE schemaname = 'public' AND last_value IS NOT NULL LOOP
    EXECUTE format('ALTER SEQUENCE %I RESTART', each.sequencename);
  END LOOP;
END $$
"""


@cache
def _migrated() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="assay-migrated-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    open_database(str(folder / "assay.db")).dispose()
    return folder / "assay.db"


def fresh_sqlite(path: Path) -> Engine:
    """Open a new database at `path`."""
    shutil.copyfile(_migrated(), path)
    path.chmod(0o600)
    return open_database(str(path))


class EmptiedPostgres:
    """One PostgreSQL database, emptied after each test; set up anew when a test changed its shape."""

    def __init__(self, address: str) -> None:
        self.address = address
        opened = open_database(address)
        with opened.connect() as connection:
            # Nothing here must outlive the machine: the disk need not be waited for.
            connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.execute(text("ALTER SYSTEM SET fsync = off"))
            connection.execute(text("SELECT pg_reload_conf()"))
            self._shape = connection.execute(text(SHAPE)).scalar_one()
        opened.dispose()

    def open(self) -> Engine:
        """Open the database, empty."""
        return open_database(self.address)

    def empty(self, opened: Engine) -> None:
        """Delete what a test left behind."""
        with opened.begin() as connection:
            if connection.execute(text(SHAPE)).scalar() == self._shape:
                connection.execute(text(EMPTY))
            else:
                connection.execute(text("DROP SCHEMA public CASCADE"))
                connection.execute(text("CREATE SCHEMA public"))
