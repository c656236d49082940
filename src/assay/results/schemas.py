"""The JSON Schemas of published results, which `python -m assay.results.schemas FOLDER` writes."""

from __future__ import annotations

import json
import sys
from dataclasses import make_dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final

import assay.results
from assay.results.published import schema
from assay.results.table import Table

_MODULES: Final = [
    import_module(f"assay.results.{part.name}")
    for part in iter_modules(assay.results.__path__)
    if part.name != "schemas"
]
RESULTS: Final[dict[str, tuple[type | Table, str]]] = {
    name: result for module in _MODULES for name, result in getattr(module, "SCHEMAS", {}).items()
}
"""Each schema's name with the result, or the table of rows, that it describes and the command that prints it.

Each module of this package declares its own schemas as `SCHEMAS`.
"""


def schema_texts() -> dict[str, str]:
    """Return the text of each schema file by its name."""
    return {
        f"{name}.json": json.dumps(_schema(kind, title), indent=2, ensure_ascii=False) + "\n"
        for name, (kind, title) in RESULTS.items()
    }


def _schema(kind: type | Table, title: str) -> dict[str, Any]:
    if isinstance(kind, Table):
        kind = make_dataclass("Rows", [(kind.name, tuple[kind.row, ...])])  # type: ignore[name-defined]
    return schema(kind, title)


if __name__ == "__main__":
    for file, text in schema_texts().items():
        (Path(sys.argv[1]) / file).write_text(text, encoding="utf-8")
