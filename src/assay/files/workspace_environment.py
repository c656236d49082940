"""What the environment overrides in a workspace: each option is also a variable `ASSAY_…`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from assay.core.errors import Problem
from assay.files.marked import Marked
from assay.files.shape import check
from assay.files.workspace_shapes import WorkspaceShape

Keys = tuple[str, ...]


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _switch(text: str) -> Any:
    return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)


def _file(text: str) -> str:
    """Return the whole path of a file named in the environment: it stands where the command is given."""
    return str(Path(text).expanduser().absolute())


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


OPTIONS: dict[str, tuple[Keys, Callable[[str], Any]]] = {
    "ASSAY_BUDGET_MAX_COST": (("budget", "max_cost"), _number),
    "ASSAY_JUDGES": (("judges",), _names),
    "ASSAY_GEVAL": (("geval",), str),
    "ASSAY_WATCH_SUITE": (("watch", "suite"), str),
    "ASSAY_WATCH_MODELS": (("watch", "models"), _names),
    "ASSAY_WATCH_SCHEDULE": (("watch", "schedule"), str),
    "ASSAY_WATCH_ALLOW_UNPINNED": (("watch", "allow_unpinned"), _switch),
}
PROVIDER_OPTIONS: dict[str, Callable[[str], Any]] = {
    "base_url": str,
    "api_key_env": str,
    "concurrency": _number,
    "timeout": _number,
    "attempts": _number,
    "recordings": _file,
}


def overrides(
    environment: Mapping[str, str], provider_names: Iterable[str]
) -> tuple[dict[str, Any], list[Problem]]:
    """Return what the environment says, shaped like a workspace file, and what is wrong with it.

    `ASSAY_DATABASE` is not here: it may hold a password, which a file may not, so it is read apart.
    """
    options = dict(OPTIONS)
    for name in provider_names:
        for option, convert in PROVIDER_OPTIONS.items():
            variable = f"ASSAY_{name}_{option}".upper().replace("-", "_")
            options[variable] = (("providers", name, option), convert)
    found: dict[str, Any] = {}
    problems: list[Problem] = []
    for variable, (path, convert) in options.items():
        text = environment.get(variable, "").strip()
        if not text:
            continue
        value: Any = convert(text)
        for key in reversed(path):
            value = {key: value}
        marked = Marked(variable, value)
        if check(marked, WorkspaceShape) is not None:
            found = merged(found, value)
        problems += [Problem(problem.text, variable) for problem in marked.problems]
    return found, problems


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return the two mappings as one; where both have a value that is no mapping, `above` wins."""
    result = dict(below)
    for key, value in above.items():
        under = result.get(key)
        if isinstance(under, dict) and isinstance(value, dict):
            result[key] = merged(under, value)
        elif not isinstance(value, dict) or under is None:
            result[key] = value
    return result
