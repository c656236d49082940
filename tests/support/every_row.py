"""A table of examples as one test: every row is tried, and the message names each row that fails."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable

import pytest


def every_row(
    names: str, rows: Iterable[object], *, ids: Iterable[object] | Callable[[object], object] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test once for each row, as `parametrize` does, but count and report it as one test.

    `names`, `rows` and `ids` are those of `parametrize`. A test costs some 5 ms of collecting and
    reporting; a table of a thousand answers that are each read in 0.1 ms is better off as one. Fixtures
    are made once for all rows, so a test that changes what its fixtures hold keeps `parametrize`.
    """
    keys = [name.strip() for name in names.split(",")]
    table = [tuple(row) if len(keys) > 1 else (row,) for row in rows]
    labels = _labels(table, ids)
    assert table, f"the table of {names!r} is empty: this test would try nothing"
    assert len(labels) == len(table), f"{len(labels)} ids for {len(table)} rows of {names!r}"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def all_rows(**fixtures: object) -> None:
            failures: list[str] = []
            for label, row in zip(labels, table, strict=True):
                try:
                    test(**fixtures, **dict(zip(keys, row, strict=True)))
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - the message names every failure
                    failures.append(f"[{label}] {type(error).__name__}: {error}")
            if failures:
                heading = f"{len(failures)} of {len(table)} rows of {names!r} fail:"
                pytest.fail("\n\n".join([heading, *failures]), pytrace=False)

        signature = inspect.signature(test)
        left = [one for name, one in signature.parameters.items() if name not in keys]
        all_rows.__signature__ = signature.replace(parameters=left)
        return all_rows

    return decorate


def _labels(
    table: list[tuple[object, ...]], ids: Iterable[object] | Callable[[object], object] | None
) -> list[str]:
    if ids is None:
        return [repr(row)[:200] for row in table]
    if callable(ids):
        return ["-".join(str(ids(value)) for value in row) for row in table]
    return [str(label) for label in ids]
