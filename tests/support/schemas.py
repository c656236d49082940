"""The committed JSON Schemas, and a check of a command's document against one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from command_line import Ended
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

FOLDER = Path(__file__).parents[2] / "docs" / "reference" / "schemas"
FILES = {path.name: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
REGISTRY: Any = Registry().with_resources(
    [(name, Resource.from_contents(schema)) for name, schema in FILES.items()]
)


def valid(name: str, ended: Ended) -> Any:
    """Return the document after holding it against its schema."""
    validator = Draft202012Validator(
        FILES[f"{name}.json"],
        registry=REGISTRY,
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )
    document = ended.json
    wrong = [
        f"{'/'.join(map(str, error.path))}: {error.message}" for error in validator.iter_errors(document)
    ]
    assert wrong == []
    return document
