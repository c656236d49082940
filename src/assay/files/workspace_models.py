"""The models and providers of a workspace: built-in ones, changed and completed by its file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from assay.core.errors import Problem
from assay.core.model import Model, Pin, Provider, SuiteExclusion
from assay.core.money import Prices
from assay.files.marked_yaml import Marked, Place, parse
from assay.files.shape import check_parameters, near
from assay.files.workspace_shapes import NAME, ModelShape, ProviderShape, api_address

IMPORTED = "imported"
"""The prefix of the names of models whose answers were recorded elsewhere."""


def models(shapes: Sequence[ModelShape], known: Mapping[str, Provider], marked: Marked) -> dict[str, Model]:
    """Return the listed models by name; add their problems to those of the file."""
    made: dict[str, Model] = {}
    for position, shape in enumerate(shapes):
        place: Place = ("models", position)
        if is_imported(shape.name):
            _check_imported(shape, place, marked)
        else:
            check_name(shape.name, (*place, "name"), known, marked)
        if shape.name in made:
            marked.refuse(f"duplicate model {shape.name!r}: keep one entry", (*place, "name"))
        provider, _, upstream = shape.name.partition("/")
        if shape.pin and provider in known and known[provider].dialect != "openrouter":
            text = f"the model {shape.name!r} has a pin, but only OpenRouter models can have one: remove it"
            marked.refuse(text, (*place, "pin"))
        check_parameters(shape.parameters, (*place, "parameters"), marked)
        made[shape.name] = Model(
            provider=provider,
            upstream=upstream,
            pin=Pin(tuple(shape.pin)) if shape.pin else None,
            parameters=shape.parameters,
            prices=Prices(**shape.prices.model_dump()) if shape.prices else None,
            organisation=shape.organisation,
            family=shape.family,
            series=shape.series,
            released=_date(shape.released, (*place, "released"), marked),
            weights=shape.weights,
            exclusions=tuple(SuiteExclusion(entry.suite, entry.reason) for entry in shape.exclusions),
        )
    return made


@cache
def _preset_models() -> tuple[dict[str, Any], ...]:
    text = resources.files("assay.files").joinpath("preset_models.yaml").read_text(encoding="utf-8")
    return tuple(parse(text, "preset_models.yaml").value)


def shipped_models(known: Mapping[str, Provider]) -> dict[str, Model]:
    """Return the models of `preset_models.yaml` whose provider is a router, by name."""
    shipped = {}
    for entry in _preset_models():
        name, _, upstream = entry["name"].partition("/")
        if known[name].dialect == "openrouter":
            shipped[entry["name"]] = Model(name, upstream, pin=Pin(tuple(entry["pin"])))
    return shipped


def check_name(name: str, place: Place, known: Mapping[str, Provider], marked: Marked) -> None:
    """Refuse a name that is not `provider/model` with a known provider."""
    provider, _, upstream = name.partition("/")
    if not upstream:
        marked.refuse(f"invalid model name {name!r}: write `provider/model`, such as local/llama3", place)
    elif provider not in known:
        marked.refuse(f"unknown provider {provider!r} in {name!r}: {near(provider, known)}", place)


def is_imported(name: str) -> bool:
    """Whether a name is that of a model whose answers were recorded elsewhere."""
    return name.startswith(f"{IMPORTED}/")


def _check_imported(shape: ModelShape, place: Place, marked: Marked) -> None:
    """Refuse keys without effect: an imported model is never called."""
    for key in sorted(shape.model_fields_set - {"name", "exclusions"}):
        text = f"{key!r} has no effect on {shape.name!r}, as an imported model is never called: remove it"
        marked.refuse(text, (*place, key))


def _date(text: str | None, place: Place, marked: Marked) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        marked.refuse(f"'released' is {text!r}, which is not a date: write one such as 2025-08-07", place)
        return None


@cache
def _presets() -> dict[str, dict[str, Any]]:
    text = resources.files("assay.files").joinpath("presets.yaml").read_text(encoding="utf-8")
    presets: dict[str, dict[str, Any]] = parse(text, "presets.yaml").value
    return presets


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
    """Return all providers by name.

    The file takes precedence over the variable with a built-in provider's address (`OPENAI_BASE_URL`), and
    the variable over the built-in value. Problems in the file are added to the file's problems, problems in
    the environment to `problems`. Paths of recordings are relative to `folder`.
    """
    made: dict[str, Provider] = {}
    for name in dict.fromkeys([*_presets(), *given]):
        place = ("providers", name)
        if not re.fullmatch(NAME, name):
            marked.refuse(
                f"invalid provider name {name!r}: write lower-case letters, digits and hyphens", place
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
            text = f"the provider {name!r} has no `base_url`: write it, or use a built-in one ({known})"
            marked.refuse(text, place)
            continue
        if "recordings" in settings:
            _check_recordings(name, settings, place, marked)
            settings["recordings"] = str((folder or Path()) / Path(settings["recordings"]).expanduser())
        made[name] = Provider(name=name, **settings)
    return made


def _check_recordings(name: str, settings: Mapping[str, Any], place: Place, marked: Marked) -> None:
    if settings.get("dialect") != "recorded":
        text = f"the provider {name!r} has `recordings` without `dialect: recorded`: add that, or remove them"
        marked.refuse(text, (*place, "recordings"))
