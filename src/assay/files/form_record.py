"""The record beside a generated form: how it was generated, and the digest of its questions and keys."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import orjson

from assay.core.case import Case
from assay.core.errors import InvalidInput

RECORD: Final = "form.json"
SEALED_SUFFIX: Final = ".sealed"
CHOICE: Final = "choice"
TWINS: Final = "twins"
"""The use case of twins in a ladder form."""


def record_of(form: Path) -> Path:
    """Return the path of a form's record: in its folder, or beside its sealed file."""
    return form.with_name(f"{form.name}.{RECORD}") if form.suffix == SEALED_SUFFIX else form / RECORD


def content_digest(questions: Iterable[tuple[str, str, str]]) -> str:
    """Return the SHA-256 of the id, the prompt and the right letter of each question, in order."""
    digest = hashlib.sha256()
    for question in questions:
        digest.update("".join(f"{part}\0" for part in question).encode())
    return digest.hexdigest()


def check_content(form: Path, questions: Iterable[tuple[str, str, str]]) -> None:
    """Compare a form with its record. A folder without a record was not generated and is not checked.

    Raises InvalidInput if a question, a key or their order differs from the generated form.
    """
    path = record_of(form)
    try:
        record: Any = orjson.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return
    except ValueError:
        raise InvalidInput(f"the record {str(path)!r} is not valid JSON: generate the form again") from None
    recorded = record.get("content_sha256") if isinstance(record, dict) else None
    actual = content_digest(questions)
    if recorded != actual:
        raise InvalidInput(
            f"the form {str(form)!r} was altered after it was generated: its questions and keys have the "
            f"digest {actual[:12]}, but {path.name} records {str(recorded)[:12]!r}; generate the form again, "
            f"or delete {path.name} and check the keys yourself"
        )


def asked(cases: Iterable[Case]) -> Iterable[tuple[str, str, str]]:
    """Yield the id, the prompt and the right letter of a suite's one-letter questions."""
    for case in cases:
        keys = [str(spec.parameters["expect"]) for spec in case.graders if spec.name == CHOICE]
        yield case.id, case.messages[-1].content, "".join(keys)
