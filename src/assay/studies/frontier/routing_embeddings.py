"""Embeddings of prompts from a file: checked, and in the order of the tensor's prompts."""

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
    """Return one embedding a prompt, (N, D), in the order of `prompts`; the file may hold others.

    Tables (.parquet, .jsonl, .csv) have a column of the prompt's name and either one column of lists or a
    column a number; `.npz` has the arrays `prompt` and `embedding`; `.npy` a row a prompt, in alphabetical
    order. Raises InvalidInput for a prompt without one or with two, for unequal lengths, for what is not a
    finite number; NotFound without the file.
    """
    if not path.is_file():
        raise NotFound(f"there is no file of embeddings at {str(path)!r}")
    if path.suffix == ".npy":
        return _matrix(path, prompts)
    return _ordered(path, _archive(path) if path.suffix == ".npz" else _table(path), prompts)


def _ordered(path: Path, rows: Iterable[tuple[str, Any]], prompts: Sequence[str]) -> FloatArray:
    wanted = {prompt: place for place, prompt in enumerate(prompts)}
    found: list[FloatArray | None] = [None] * len(prompts)
    problems = []
    for row, (prompt, values) in enumerate(rows, 1):
        place = wanted.get(prompt)
        if place is None:
            continue
        if found[place] is not None:
            problems.append(Problem(f"row {row}: {prompt!r} has a second embedding: give one", str(path)))
            continue
        vector = _vector(values)
        if vector is None or not vector.size:
            problems.append(
                Problem(f"row {row}: the embedding of {prompt!r} is no list of finite numbers", str(path))
            )
            vector = np.zeros(0)
        found[place] = vector
    missing = [prompt for prompt, vector in zip(prompts, found, strict=True) if vector is None]
    if missing:
        told = ", ".join(repr(each) for each in missing[:SHOWN])
        more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
        text = f"{len(missing)} of {len(prompts)} prompts have no embedding: {told}{more}"
        problems.append(Problem(text, str(path)))
    sizes = sorted({len(vector) for vector in found if vector is not None and len(vector)})
    if len(sizes) > 1:
        problems.append(
            Problem(f"embeddings are of lengths {', '.join(map(str, sizes))}: give one length", str(path))
        )
    if problems:
        raise InvalidInput(problems[:SHOWN])
    return np.stack([vector for vector in found if vector is not None])


def _vector(values: Any) -> FloatArray | None:
    try:
        vector = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    return vector if vector.ndim == 1 and np.isfinite(vector).all() else None


def _table(path: Path) -> Iterable[tuple[str, Any]]:
    """Yield prompts and their lists: from a column of lists, or from all other columns, a number each."""
    table = open_table(path)
    lower = {column.lower(): column for column in table.columns}
    prompt = next((lower[each] for each in PROMPT if each in lower), None)
    if prompt is None:
        told = f"has no column of prompts: name one {PROMPT[0]!r} (it has {', '.join(table.columns[:8])})"
        raise InvalidInput(Problem(told, str(path)))
    whole = next((lower[each] for each in VECTOR if each in lower), None)
    parts = [whole] if whole is not None else [column for column in table.columns if column != prompt]
    if not parts:
        raise InvalidInput(Problem(f"has no column {VECTOR[0]!r}", str(path)))
    selected = ", ".join(quoted(column) for column in parts)
    with querying(path) as connection:
        rows = connection.execute(f"SELECT {quoted(prompt)}, {selected} FROM {table.source}").fetchall()
    for name, *values in rows:
        yield str(name), _listed(values[0]) if whole is not None else values


def _listed(value: Any) -> Any:
    """Return a list that stands in a cell as JSON text."""
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
        told = f"cannot be read: give arrays 'prompt' (text) and 'embedding' (a row a prompt): {error}"
        raise InvalidInput(Problem(told, str(path))) from None
    if vectors.ndim != 2 or len(names) != len(vectors):
        told = f"has {len(names)} prompts and embeddings of shape {vectors.shape!r}: give a row a prompt"
        raise InvalidInput(Problem(told, str(path)))
    return [(str(name), vector) for name, vector in zip(names, vectors, strict=True)]


def _matrix(path: Path, prompts: Sequence[str]) -> FloatArray:
    try:
        vectors = np.asarray(np.load(path, allow_pickle=False), dtype=np.float64)
    except (ValueError, OSError, TypeError) as error:
        raise InvalidInput(Problem(f"cannot be read as a matrix of numbers: {error}", str(path))) from None
    if vectors.ndim != 2 or len(vectors) != len(prompts):
        told = (
            f"has shape {vectors.shape!r}: give {len(prompts)} rows, the prompts in the order of the "
            "alphabet, or a .npz or table that names them"
        )
        raise InvalidInput(Problem(told, str(path)))
    wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if wrong.size:
        told = f"row {int(wrong[0]) + 1} is not finite throughout"
        raise InvalidInput(Problem(told, str(path)))
    return vectors
