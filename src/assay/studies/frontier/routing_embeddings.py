"""Reading embeddings of prompts from a file, checked and in the order of the tensor's prompts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from assay.core.errors import InvalidInput, NotFound, Problem
from assay.files.tables import name as quoted
from assay.files.tables import open_table, querying

FloatArray = npt.NDArray[np.float64]
PROMPT = ("prompt", "prompt_id", "id", "task_id", "question_id")
VECTOR = ("embedding", "vector", "embeddings")
SHOWN = 5


def read_embeddings(path: Path, prompts: Sequence[str]) -> FloatArray:
    """Return one embedding for each prompt, (N, D), in the order of `prompts`. Other prompts are ignored.

    A table (.parquet, .jsonl, .csv) has a column of prompts' names, and either one column of lists or one
    column for each number. An `.npz` file has the arrays `prompt` and `embedding`. An `.npy` file has one row
    for each prompt, in alphabetical order. Raises InvalidInput for a prompt without an embedding or with two,
    for different lengths, and for values that are not finite numbers; NotFound if there is no such file.
    """
    if not path.is_file():
        raise NotFound(f"no file of embeddings at {str(path)!r}: check the path")
    if path.suffix == ".npy":
        return _matrix(path, prompts)
    return _ordered(path, _archive(path) if path.suffix == ".npz" else _table(path), prompts)


def _ordered(path: Path, rows: Iterable[tuple[str, Any]], prompts: Sequence[str]) -> FloatArray:
    positions = {prompt: position for position, prompt in enumerate(prompts)}
    vectors: list[FloatArray | None] = [None] * len(prompts)
    problems = []
    for row, (prompt, values) in enumerate(rows, 1):
        position = positions.get(prompt)
        if position is None:
            continue
        if vectors[position] is not None:
            problems.append(Problem(f"row {row}: {prompt!r} has a second embedding: give one", str(path)))
            continue
        vector = _vector(values)
        if vector is None or not vector.size:
            text = f"row {row}: the embedding of {prompt!r} is not a list of finite numbers: write one"
            problems.append(Problem(text, str(path)))
            vector = np.zeros(0)
        vectors[position] = vector
    missing = [prompt for prompt, vector in zip(prompts, vectors, strict=True) if vector is None]
    if missing:
        names = ", ".join(map(repr, missing[:SHOWN]))
        more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
        text = f"{len(missing)} of {len(prompts)} prompts have no embedding: add {names}{more}"
        problems.append(Problem(text, str(path)))
    sizes = sorted({len(vector) for vector in vectors if vector is not None and len(vector)})
    if len(sizes) > 1:
        text = f"embeddings have the lengths {', '.join(map(str, sizes))}: give all the same length"
        problems.append(Problem(text, str(path)))
    if problems:
        raise InvalidInput(problems[:SHOWN])
    return np.stack([vector for vector in vectors if vector is not None])


def _vector(values: Any) -> FloatArray | None:
    try:
        vector = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    return vector if vector.ndim == 1 and np.isfinite(vector).all() else None


def _table(path: Path) -> Iterable[tuple[str, Any]]:
    """Yield prompts and their numbers, from a column of lists, or from one column for each number."""
    table = open_table(path)
    lower = {column.lower(): column for column in table.columns}
    prompt = next((lower[name] for name in PROMPT if name in lower), None)
    if prompt is None:
        has = ", ".join(table.columns[:8])
        text = f"missing column of prompts: call it {PROMPT[0]!r} (the table has {has})"
        raise InvalidInput(Problem(text, str(path)))
    lists = next((lower[name] for name in VECTOR if name in lower), None)
    columns = [lists] if lists is not None else [column for column in table.columns if column != prompt]
    if not columns:
        raise InvalidInput(Problem(f"missing column {VECTOR[0]!r}: add it", str(path)))
    selected = ", ".join(quoted(column) for column in columns)
    with querying(path) as connection:
        rows = connection.execute(f"SELECT {quoted(prompt)}, {selected} FROM {table.source}").fetchall()
    for name, *values in rows:
        yield str(name), _parse_list(values[0]) if lists is not None else values


def _parse_list(value: Any) -> Any:
    """Return the list in a cell, which can be JSON text; None if the text is not JSON."""
    if not isinstance(value, str):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return None


def _archive(path: Path) -> Iterable[tuple[str, Any]]:
    try:
        with np.load(path, allow_pickle=False) as archive:
            names, vectors = archive["prompt"], archive["embedding"]
    except (KeyError, ValueError, OSError) as error:
        text = f"cannot be read ({error}): give the arrays 'prompt' (text) and 'embedding' (a row a prompt)"
        raise InvalidInput(Problem(text, str(path))) from None
    if vectors.ndim != 2 or len(names) != len(vectors):
        text = f"has {len(names)} prompts and embeddings of shape {vectors.shape!r}: give one row a prompt"
        raise InvalidInput(Problem(text, str(path)))
    return [(str(name), vector) for name, vector in zip(names, vectors, strict=True)]


def _matrix(path: Path, prompts: Sequence[str]) -> FloatArray:
    try:
        vectors = np.asarray(np.load(path, allow_pickle=False), dtype=np.float64)
    except (ValueError, OSError, TypeError) as error:
        text = f"cannot be read as a matrix of numbers ({error}): save an array with numpy.save"
        raise InvalidInput(Problem(text, str(path))) from None
    if vectors.ndim != 2 or len(vectors) != len(prompts):
        text = (
            f"has shape {vectors.shape!r}: give {len(prompts)} rows for the prompts in alphabetical order, "
            "or a table or .npz file with their names"
        )
        raise InvalidInput(Problem(text, str(path)))
    infinite = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if infinite.size:
        text = f"row {int(infinite[0]) + 1} has a value that is not finite: give finite numbers"
        raise InvalidInput(Problem(text, str(path)))
    return vectors
