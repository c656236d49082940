"""Tables in memory: a DataFrame is read like a file, through a temporary one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from assay.core.errors import InvalidInput, Problem
from assay.files.tables import querying, text


class DataFrame(Protocol):
    """A table of pandas or polars, or another one that DuckDB can read."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""


TableSource = str | Path | DataFrame


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A table's file, and the name under which messages and results speak of it."""

    path: Path
    name: str

    def renamed(self, message: str) -> str:
        """Return a message with the name in place of the path."""
        return message.replace(str(self.path), self.name)


@contextmanager
def table_file(source: TableSource) -> Iterator[NamedFile]:
    """Yield the file of a table. A DataFrame is called `DataFrame`, and its file is removed at the end.

    Raises InvalidInput for what is neither a path nor a DataFrame.
    """
    if isinstance(source, str | Path):
        yield NamedFile(Path(source), str(source))
        return
    if not hasattr(source, "columns"):
        raise InvalidInput(f"{type(source).__name__} is not a table: give a path or a DataFrame")
    with TemporaryDirectory() as folder:
        file = NamedFile(Path(folder) / "frame.parquet", "DataFrame")
        try:
            _write(source, file.path)
            yield file
        except InvalidInput as error:
            raise InvalidInput([_renamed(problem, file) for problem in error.problems]) from None


def _write(frame: Any, path: Path) -> None:
    if hasattr(frame, "write_parquet"):
        frame.write_parquet(path)
        return
    with querying(path) as connection:
        connection.register("frame", frame)
        connection.execute(f"COPY frame TO {text(str(path))} (FORMAT parquet)")


def _renamed(problem: Problem, file: NamedFile) -> Problem:
    place = None if problem.file is None else file.renamed(problem.file)
    return Problem(file.renamed(problem.text), place, problem.line)
