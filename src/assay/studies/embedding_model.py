"""Embedding models that the user gives: a folder for sentence-transformers, or an object of a package.

Nothing of this is a dependency, and models run on this machine: texts are not sent anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from assay.core.errors import InvalidInput
from assay.questions.meaning import Vectors, unit_vectors

BATCH: Final = 256


class EmbeddingModel(Protocol):
    """A model that returns one vector of numbers for each text."""

    def encode(self, texts: list[str], /) -> Any:
        """Return the vectors of some texts, (N, D)."""


def load_embedding_model(name: str) -> EmbeddingModel:
    """Return the model in a folder, or the one that `MODULE:NAME` makes when it is called without arguments.

    A folder is loaded by sentence-transformers, which must be installed. Raises InvalidInput if the model
    cannot be loaded or has no method `encode`.
    """
    if Path(name).is_dir():
        model = _from_folder(name)
    elif ":" in name:
        model = _from_package(name)
    else:
        raise InvalidInput(
            f"no embedding model {name!r}: give the folder of a sentence-transformers model, or MODULE:NAME "
            "of an installed package, where NAME() returns a model"
        )
    if not callable(getattr(model, "encode", None)):
        raise InvalidInput(f"the embedding model {name!r} has no method encode(texts): give another")
    made: EmbeddingModel = model
    return made


def embed(model: EmbeddingModel, texts: Sequence[str]) -> Vectors:
    """Return the texts' vectors with length 1, (N, D). Raises InvalidInput without texts or vectors."""
    if not texts:
        raise InvalidInput("no texts to compare: give another source")
    parts = []
    for start in range(0, len(texts), BATCH):
        batch = list(texts[start : start + BATCH])
        parts.append(unit_vectors(model.encode(batch), len(batch)))
    return np.concatenate(parts)


def _from_folder(name: str) -> Any:
    try:
        library = import_module("sentence_transformers")
    except ImportError:
        raise InvalidInput(
            f"the folder {name!r} needs sentence-transformers: install it into the environment of assay, "
            "or give MODULE:NAME of another package"
        ) from None
    try:
        return library.SentenceTransformer(name, device="cpu", local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError, TypeError) as error:
        raise InvalidInput(f"cannot load an embedding model from {name!r}: {error}") from error


def _from_package(name: str) -> Any:
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)()
    except ImportError as error:
        raise InvalidInput(f"cannot import {module!r}: {error}; install its package") from error
    except (AttributeError, OSError, ValueError, RuntimeError, TypeError) as error:
        raise InvalidInput(
            f"cannot make an embedding model with {name!r}: {error}; NAME must be a function or class "
            "without required arguments"
        ) from error
