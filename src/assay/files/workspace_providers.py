"""The providers of a workspace: the built-in ones (`presets.yaml`) with what the file changes or adds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from assay.core.errors import Problem
from assay.core.model import Provider
from assay.files.marked import Marked, Place, parse
from assay.files.workspace_shapes import NAME, ProviderShape, api_address


@cache
def _presets() -> dict[str, dict[str, Any]]:
    text = resources.files("assay.files").joinpath("presets.yaml").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = parse(text, "presets.yaml").value
    return found


def preset_names() -> tuple[str, ...]:
    """Return the names of the built-in providers."""
    return tuple(_presets())


def providers(
    given: Mapping[str, ProviderShape],
    marked: Marked,
    environment: Mapping[str, str],
    problems: list[Problem],
    folder: Path | None = None,
) -> dict[str, Provider]:
    """Return all providers by name. A file's value beats the variable of a built-in provider's own
    address (`OPENAI_BASE_URL`), which beats the built-in value. What is wrong is added to the file's
    problems, or to `problems` where the environment is to blame. Recordings stand in `folder`.
    """
    made: dict[str, Provider] = {}
    for name in dict.fromkeys([*_presets(), *given]):
        place = ("providers", name)
        if not re.fullmatch(NAME, name):
            marked.refuse(
                f"{name!r} cannot name a provider: write lower-case letters, digits, hyphens", place
            )
            continue
        preset = dict(_presets().get(name, {}))
        variable = preset.pop("base_url_env", None)
        own = given[name].model_dump(exclude_none=True) if name in given else {}
        address = environment.get(variable, "").strip() if variable else ""
        if address and "base_url" not in own:
            try:
                preset["base_url"] = api_address(address)
            except ValueError as error:
                problems.append(Problem(str(error), variable))
        settings = {**preset, **own}
        if settings.get("dialect") == "recorded":
            settings.setdefault("base_url", _presets()["recorded"]["base_url"])
        if "base_url" not in settings:
            known = ", ".join(_presets())
            text = f"the provider {name!r} is not built in ({known}): write its `base_url`"
            marked.refuse(text, place)
            continue
        if "recordings" in settings:
            _check_recordings(name, settings, place, marked)
            settings["recordings"] = str((folder or Path()) / Path(settings["recordings"]).expanduser())
        made[name] = Provider(name=name, **settings)
    return made


def _check_recordings(name: str, settings: Mapping[str, Any], place: Place, marked: Marked) -> None:
    if settings.get("dialect") != "recorded":
        text = f"the provider {name!r} has `recordings`, but only `dialect: recorded` answers from a file"
        marked.refuse(f"{text}: remove them, or write that dialect", (*place, "recordings"))
