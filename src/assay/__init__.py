"""Assay measures language models honestly. The Python interface: docs/reference/python.md."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.calls.control import RunControl
    from assay.core.errors import AssayError
    from assay.frontier.oracle import oracle
    from assay.frontier.tensor import Tensor
    from assay.results.watch import DayReport
    from assay.runs.watch.verdicts import Verdicts
    from assay.runs.work import Work, open_work
    from assay.studies.frontier.source import read_tensor

__all__ = [
    "AssayError",
    "DayReport",
    "RunControl",
    "Tensor",
    "Verdicts",
    "Work",
    "open_work",
    "oracle",
    "read_tensor",
]

_HOMES = {
    "AssayError": "assay.core.errors",
    "DayReport": "assay.results.watch",
    "RunControl": "assay.calls.control",
    "Tensor": "assay.frontier.tensor",
    "Verdicts": "assay.runs.watch.verdicts",
    "Work": "assay.runs.work",
    "open_work": "assay.runs.work",
    "oracle": "assay.frontier.oracle",
    "read_tensor": "assay.studies.frontier.source",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import assay` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
